package audit_test

// planted is what the schema forbids, written past it, and how the audit must name it. %K begins the keys of the world.
type planted struct {
	invariant string // empty: the audit must hold
	says      string // part of the offending row
	why       string
	sql       []string
}

const (
	ofUSDC   = `(SELECT id FROM settlements WHERE key = '%K-usdc')`
	ofCoin   = `(SELECT id FROM settlements WHERE key = '%K-coin')`
	ofWaits  = `(SELECT id FROM settlements WHERE key = '%K-waits')`
	ofFlying = `(SELECT id FROM settlements WHERE key = '%K-flying')`
	// the nonces of a settlement
	nonceOfUSDC   = `(SELECT transaction_id FROM transaction_items WHERE settlement_id = ` + ofUSDC + `)`
	nonceOfCoin   = `(SELECT transaction_id FROM transaction_items WHERE settlement_id = ` + ofCoin + `)`
	nonceOfFlying = `(SELECT transaction_id FROM transaction_items WHERE settlement_id = ` + ofFlying + `)`
	youngest      = `(SELECT hash FROM blocks WHERE canonical AND NOT final ORDER BY number DESC LIMIT 1)`
	usdcTx        = `(SELECT tx_hash FROM settlements WHERE key = '%K-usdc')`
)

var plants = []planted{
	{"I1", "has 0 settlements", "", []string{`DELETE FROM settlements WHERE key = '%K-poor'`}},
	{"I1", "has 2 settlements", "", []string{`UPDATE settlements SET key = '%K-usdc' WHERE key = '%K-poor'`}},
	{"I1", "has no idempotency row", "", []string{`DELETE FROM idempotency_keys WHERE key = '%K-poor'`}},

	{"I2", "was paid by 2 nonces", "", []string{`INSERT INTO transaction_items SELECT transaction_id, 1, ` + ofUSDC + `, live, pays FROM transaction_items WHERE settlement_id = ` + ofCoin}},

	{"I3", "has 2 live paying nonces", "", []string{
		`INSERT INTO transactions (chain_id, lane_id, signer, nonce, kind, pays) SELECT chain_id, lane_id, signer, nonce + 100, kind, pays FROM transactions WHERE id = ` + nonceOfFlying,
		`INSERT INTO transaction_items (transaction_id, position, settlement_id, pays) SELECT max(id), 0, ` + ofFlying + `, true FROM transactions`}},
	{"I3", "disagree on whether it is live", "", []string{`UPDATE transaction_items SET live = true WHERE settlement_id = ` + ofUSDC}},
	{"I3", "is called consumed without a final block", "unknown block", []string{`UPDATE transactions SET consumed_block = decode(repeat('ab', 32), 'hex') WHERE id = ` + nonceOfUSDC}},
	{"I3", "is called consumed without a final block", "young block", []string{`UPDATE transactions SET consumed_block = ` + youngest + ` WHERE id = ` + nonceOfUSDC}},
	{"I3", "got a paying nonce", "after it was paid", []string{
		`INSERT INTO transactions (chain_id, lane_id, signer, nonce, kind, pays) SELECT chain_id, lane_id, signer, nonce + 100, kind, pays FROM transactions WHERE id = ` + nonceOfUSDC,
		`INSERT INTO transaction_items (transaction_id, position, settlement_id, pays) SELECT max(id), 0, ` + ofUSDC + `, true FROM transactions`}},
	{"I3", "is live, the chain's count", "", []string{`UPDATE transactions SET live = true, consumed_hash = NULL, consumed_block = NULL, outcome = NULL WHERE id = ` + nonceOfUSDC}},
	{"I3", "is called consumed, the chain's count", "", []string{`UPDATE transactions SET live = false WHERE id = ` + nonceOfFlying}},
	{"I3", "says 7 nonces were allocated", "", []string{`UPDATE settlements SET nonces_allocated = 7 WHERE id = ` + ofUSDC}},

	{"I4", "the books do not know by what", "", []string{`DELETE FROM mined_transactions WHERE tx_hash = ` + usdcTx}},
	{"I4", "no finding names it", "", []string{`DELETE FROM journal WHERE action LIKE 'foreign_transaction%'`}},
	{"I4", "no finding names it", "another transaction's finding", []string{`UPDATE mined_transactions SET attempt_id = NULL WHERE tx_hash = ` + usdcTx}},
	{"I4", "the books say nonce", "success", []string{`UPDATE mined_transactions SET ok = false WHERE tx_hash = ` + usdcTx}},
	{"I4", "the books say nonce", "another block", []string{`UPDATE mined_transactions SET block_hash = (SELECT final_hash FROM heads) WHERE tx_hash = ` + usdcTx}},
	{"I4", "the node does not know it", "", []string{`UPDATE mined_transactions SET tx_hash = decode(repeat('cd', 32), 'hex') WHERE tx_hash = ` + usdcTx}},
	{"I4", "and no attempt", "", []string{`DELETE FROM attempts WHERE transaction_id = ` + nonceOfFlying}},
	{"I4", "its attempt was for nonce", "", []string{`UPDATE mined_transactions SET attempt_id = (SELECT id FROM attempts WHERE transaction_id = ` + nonceOfCoin + ` LIMIT 1) WHERE tx_hash = ` + usdcTx}},
	{"I4", "was stored at", "", []string{`UPDATE attempts SET created_at = now() + interval '1 day' WHERE transaction_id = ` + nonceOfUSDC}},
	{"I4", "its bytes hash to", "", []string{`UPDATE attempts SET raw = (SELECT raw FROM attempts WHERE transaction_id = ` + nonceOfUSDC + ` LIMIT 1) WHERE transaction_id = ` + nonceOfFlying}},
	{"I4", "its bytes are no transaction", "", []string{`UPDATE attempts SET raw = '\x02' WHERE transaction_id = ` + nonceOfFlying}},
	{"I4", "its bytes are nonce", "", []string{`UPDATE transactions SET nonce = nonce + 50 WHERE id = ` + nonceOfFlying}},
	{"I4", "something else than its columns say", "", []string{`UPDATE attempts SET fee_cap = fee_cap::numeric + 1 WHERE transaction_id = ` + nonceOfFlying}},

	{"I5", "its key is in_progress", "", []string{`UPDATE idempotency_keys SET status = 'in_progress', result = NULL, finished_at = NULL, expires_at = NULL WHERE key = '%K-usdc'`}},
	{"I5", "is settled with 0 payment", "", []string{`DELETE FROM transfers WHERE leg = 'payment' AND settlement_id = ` + ofUSDC}},
	{"I5", "is failed with 0 payment and 0 release", "", []string{`DELETE FROM transfers WHERE leg = 'release'`}},
	{"I5", "is waiting with 0 payment and 1 release", "", []string{`INSERT INTO transfers (debit_account, credit_account, asset_id, amount, phase, leg, pending_id, settlement_id)
		SELECT debit_account, credit_account, asset_id, amount, 'voided', 'release', id, settlement_id FROM transfers WHERE leg = 'hold' AND settlement_id = ` + ofWaits}},
	{"I5", "has written 0 events to nats, at least 3", "", []string{`DELETE FROM outbox WHERE stream = 'settlement/%K-usdc'`, `DELETE FROM outbox_counters WHERE stream = 'settlement/%K-usdc'`}},

	{"I6", "balances say", "", []string{`UPDATE balances SET credits_posted = credits_posted::numeric + 1 WHERE guarded`}},
	{"I6", "balances say", "a balance without transfers", []string{`INSERT INTO balances (account_id, asset_id, guarded, credits_posted) SELECT max(account_id) + 1000, 1, false, 5 FROM balances`}},
	{"I6", "debited", "below zero", []string{`UPDATE balances SET debits_posted = credits_posted::numeric + 1 WHERE guarded`}},
	{"I6", "moves nothing", "", []string{`UPDATE transfers SET debit_account = credit_account WHERE leg = 'payment'`}},
	{"I6", "is resolved by 2 transfers", "", []string{`INSERT INTO transfers (debit_account, credit_account, asset_id, amount, phase, leg, pending_id, settlement_id, effect_id)
		SELECT debit_account, credit_account, asset_id, amount, phase, leg, pending_id, settlement_id, effect_id FROM transfers WHERE leg = 'payment' AND settlement_id = ` + ofUSDC}},
	{"I6", "moves something else", "", []string{`UPDATE transfers SET amount = amount::numeric + 1 WHERE leg = 'payment'`}},
	{"I6", "its hold is missing", "", []string{`DELETE FROM transfers WHERE leg = 'hold' AND settlement_id = ` + ofWaits}},
	{"I6", "its hold is missing", "another amount", []string{`UPDATE transfers SET amount = amount::numeric + 1 WHERE leg = 'hold' AND settlement_id = ` + ofWaits}},
	{"I6", "its hold is resolved", "", []string{`UPDATE settlements SET state = 'requested', effect_id = NULL WHERE id = ` + ofUSDC}},
	{"I6", "is open, and that settlement is settled", "", []string{`DELETE FROM transfers WHERE leg = 'payment' AND settlement_id = ` + ofUSDC}},

	{"I7", "and the chain has no Settled event of it", "", []string{`UPDATE settlements SET state = 'settled' WHERE id = ` + ofWaits}},
	{"I7", "says something else", "amount", []string{`UPDATE settlements SET amount = amount::numeric + 1 WHERE id = ` + ofUSDC}},
	{"I7", "says something else", "recipient", []string{`UPDATE settlements SET destination = decode(repeat('ee', 20), 'hex') WHERE id = ` + ofUSDC}},
	{"I7", "says something else", "token", []string{`UPDATE settlements SET token = decode(repeat('ee', 20), 'hex') WHERE id = ` + ofUSDC}},
	{"I7", "says something else", "transaction", []string{`UPDATE settlements SET tx_hash = decode(repeat('ee', 32), 'hex') WHERE id = ` + ofUSDC}},
	{"I7", "is failed, but the chain paid it", "", []string{`UPDATE settlements SET state = 'failed', proof = 'never_allocated' WHERE id = ` + ofUSDC}},
	{"I7", "is requested, but the chain paid it", "", []string{`UPDATE settlements SET state = 'requested' WHERE id = ` + ofUSDC}},
	{"I7", "a Revoked event that the chain does not have", "", []string{`UPDATE settlements SET proof = 'revoked' WHERE key = '%K-refused'`}},
	{"I7", "while a nonce of it may still pay", "", []string{`UPDATE settlements SET state = 'failed', proof = 'nonces_consumed' WHERE id = ` + ofFlying}},
	{"I7", "as if it never had a nonce", "", []string{`UPDATE settlements SET nonces_allocated = 1 WHERE key = '%K-refused'`}},
	{"I7", "without any proof", "", []string{`UPDATE settlements SET proof = NULL WHERE key = '%K-refused'`}},
	{"I7", "not by its own final event", "", []string{`UPDATE transfers SET effect_id = (SELECT effect_id FROM settlements WHERE id = ` + ofCoin + `) WHERE leg = 'payment' AND settlement_id = ` + ofUSDC}},
	{"I7", "the block of its proof is not final", "", []string{`UPDATE settlements SET proof = 'nonces_consumed', proof_block = ` + youngest + ` WHERE key = '%K-refused'`}},
	{"I7", "its proof is older than a nonce of it", "", []string{`UPDATE settlements SET proof = 'nonces_consumed', proof_block = (SELECT hash FROM blocks ORDER BY number LIMIT 1) WHERE key = '%K-refused'`,
		`UPDATE transaction_items SET settlement_id = (SELECT id FROM settlements WHERE key = '%K-refused') WHERE settlement_id = ` + ofCoin}},
	{"I7", "for its balance, and it has a hold", "", []string{`UPDATE settlements SET hold_id = (SELECT hold_id FROM settlements WHERE id = ` + ofUSDC + `) WHERE key = '%K-poor'`}},

	{"I8", "Deposited in", "effect lost", []string{`DELETE FROM effects WHERE kind = 'deposited'`}},
	{"I8", "took effect 2 times", "", []string{`INSERT INTO effects (chain_id, tx_hash, tx_log_index, event_id, block_hash, kind, vault, event_key, token, party, amount, settlement_id, account_id)
		SELECT chain_id, tx_hash, tx_log_index, event_id, block_hash, kind, vault, event_key, token, party, amount, settlement_id, account_id FROM effects WHERE kind = 'deposited'`}},
	{"I8", "took another effect than it says: deposited", "amount", []string{`UPDATE effects SET amount = amount::numeric + 1 WHERE kind = 'deposited'`}},
	{"I8", "took another effect than it says: deposited", "credited to another customer", []string{`UPDATE transfers SET credit_account = (SELECT id FROM accounts WHERE name = 'bob') WHERE leg = 'deposit'`}},
	{"I8", "took another effect than it says: deposited", "another amount moved", []string{`UPDATE transfers SET amount = amount::numeric + 1 WHERE leg = 'deposit'`}},
	{"I8", "took another effect than it says: settled", "another settlement", []string{`UPDATE effects SET settlement_id = ` + ofCoin + ` WHERE settlement_id = ` + ofUSDC}},
	{"I8", "took another effect than it says: withdrawn", "kind", []string{`UPDATE effects SET kind = 'withdrawn' WHERE kind = 'revoked'`}},
	{"I8", "which the chain does not have", "", []string{`INSERT INTO effects (chain_id, tx_hash, tx_log_index, event_id, block_hash, kind, vault, event_key, token, party, amount, account_id)
		SELECT chain_id, tx_hash, tx_log_index + 77, event_id, block_hash, kind, vault, event_key, token, party, amount, account_id FROM effects WHERE kind = 'deposited'`}},
	{"I8", "took effect 0 times", "not in quarantine", []string{`DELETE FROM quarantine`}},
	{"I8", "which is not final", "", []string{`UPDATE effects SET block_hash = ` + youngest + ` WHERE kind = 'deposited'`}},
	{"I8", "is not the child of a final block", "", []string{`UPDATE blocks SET final = false WHERE number = (SELECT final_number - 3 FROM heads)`}},
	{"I8", "is called final, the final block is", "", []string{`UPDATE blocks SET final = true WHERE hash = ` + youngest}},

	{"I9", "sequence 2 is missing", "", []string{`DELETE FROM outbox WHERE stream = 'settlement/%K-usdc' AND seq = 2`}},
	{"I9", "sequence 4 is missing", "the last", []string{`DELETE FROM outbox WHERE stream = 'settlement/%K-usdc' AND seq = 4`}},
	{"I9", "was published before row 1", "", []string{`UPDATE outbox SET published_at = NULL WHERE stream = 'settlement/%K-usdc' AND seq = 1`}},
	{"I9", "which is no destination", "", []string{`UPDATE outbox SET destination = 'nowhere' WHERE stream = 'settlement/%K-usdc'`}},
	{"I9", "which is not enabled", "", []string{`UPDATE destinations SET enabled = false WHERE name = 'nats'`, `UPDATE outbox SET published_at = NULL WHERE stream = 'settlement/%K-usdc'`}},
	{"I9", "wake-ups and the outside world are mixed", "", []string{`UPDATE outbox SET destination = 'nats' WHERE stream LIKE 'wake/%'`}},

	{"I10", "answers", "state", []string{`UPDATE idempotency_keys SET result = jsonb_set(result, '{state}', '"failed"') WHERE key = '%K-usdc'`}},
	{"I10", "answers", "amount", []string{`UPDATE idempotency_keys SET result = jsonb_set(result, '{amount_base_units}', '"1"') WHERE key = '%K-usdc'`}},
	{"I10", "answers", "transaction", []string{`UPDATE idempotency_keys SET result = jsonb_set(result, '{tx_hash}', 'null') WHERE key = '%K-usdc'`}},
	{"I10", "answers", "reason", []string{`UPDATE idempotency_keys SET result = jsonb_set(result, '{reason}', '"another"') WHERE key = '%K-poor'`}},
	{"I10", "means something else than its settlement", "", []string{`UPDATE idempotency_keys SET fingerprint = decode(repeat('ee', 32), 'hex') WHERE key = '%K-usdc'`}},
	{"I10", "gone before it expires", "", []string{`UPDATE idempotency_keys SET result = NULL WHERE key = '%K-usdc'`}},

	{"I11", "vault: the chain holds", "", []string{`UPDATE balances SET debits_posted = debits_posted::numeric + 4000000 WHERE account_id = (SELECT id FROM accounts WHERE kind = 'vault') AND asset_id = (SELECT id FROM assets WHERE symbol = 'USDC')`}},
	{"I11", "the books say", "float", []string{`UPDATE balances SET debits_posted = debits_posted::numeric + 1 WHERE account_id IN (SELECT float_account FROM lanes)`}},
	{"I11", "no settled settlement and no unexplained payout is that", "", []string{`UPDATE settlements SET state = 'failed' WHERE id = ` + ofUSDC}},
	{"I11", "no settled settlement and no unexplained payout is that", "unexplained payout lost", []string{`DELETE FROM effects WHERE kind = 'unexplained'`}},
	{"I11", "no payment on chain is left for it", "", []string{`UPDATE settlements SET state = 'settled' WHERE id = ` + ofWaits}},
	{"I11", "which is no payment on chain", "", []string{`UPDATE effects SET kind = 'unexplained' WHERE kind = 'deposited'`}},
	{"I11", "is not booked", "", []string{`UPDATE mined_transactions SET gas_transfer = NULL WHERE tx_hash = ` + usdcTx}},
	{"I11", "is booked with", "", []string{`UPDATE transfers SET amount = amount::numeric + 1 WHERE leg = 'gas'`}},

	{"I12", "says not for what", "", []string{`UPDATE settlements SET reason = NULL WHERE id = ` + ofWaits}},
	{"I12", "stands in no queue", "", []string{`UPDATE settlements SET state = 'queued' WHERE id = ` + ofWaits}},
	{"I12", "stands in the queue and is settled", "", []string{`INSERT INTO queue (settlement_id, asset_id) SELECT id, asset_id FROM settlements WHERE id = ` + ofUSDC}},
	{"I12", "has no live nonce", "", []string{`UPDATE transactions SET live = false WHERE id = ` + nonceOfFlying}},
	{"I12", "has no running workflow", "a key that Temporal never saw", []string{`UPDATE settlements SET key = '%K-lost' WHERE id = ` + ofFlying}},
}

// harmless changes look like violations and are none.
var harmless = []planted{
	{"", "", "published rows are deleted after their retention", []string{`DELETE FROM outbox WHERE stream = 'settlement/%K-usdc' AND seq <= 2`}},
	{"", "", "all rows of a stream may be gone", []string{`DELETE FROM outbox WHERE stream = 'settlement/%K-usdc'`}},
	{"", "", "a skipped row outlives the published ones after it", []string{
		`UPDATE outbox SET skipped_at = published_at, published_at = NULL WHERE stream = 'settlement/%K-usdc' AND seq = 1`, `DELETE FROM outbox WHERE stream = 'settlement/%K-usdc' AND seq = 2`}},
	{"", "", "a broker that lost rows gets them again", []string{`UPDATE outbox SET published_at = NULL WHERE stream = 'settlement/%K-usdc' AND seq = 1`,
		`INSERT INTO journal (actor, action, subject) VALUES ('operator', 'outbox.redeliver', 'nats')`}},
	{"", "", "an answer's body may expire", []string{`UPDATE idempotency_keys SET result = NULL, expires_at = now() - interval '1 second' WHERE key = '%K-usdc'`}},
	{"", "", "gas beyond what was booked as float was topped up by somebody", []string{`UPDATE transfers SET amount = 1 WHERE leg = 'float'`,
		`UPDATE balances SET debits_posted = 1 WHERE account_id IN (SELECT float_account FROM lanes)`, `UPDATE balances SET credits_posted = 2 WHERE account_id = (SELECT id FROM accounts WHERE kind = 'funding') AND asset_id = (SELECT id FROM assets WHERE symbol = 'ETH')`}},
	{"", "", "what begins just now has no run yet", []string{`UPDATE settlements SET key = '%K-lost', changed_at = now() WHERE id = ` + ofFlying, `UPDATE idempotency_keys SET key = '%K-lost' WHERE key = '%K-flying'`,
		`UPDATE outbox_counters SET stream = 'settlement/%K-lost' WHERE stream = 'settlement/%K-flying'`, `UPDATE outbox SET stream = 'settlement/%K-lost' WHERE stream = 'settlement/%K-flying'`}},
	{"", "", "a lane that was added above the final block is not compared yet", []string{`UPDATE lanes SET added_block = added_block + 1000000`,
		`UPDATE balances SET debits_posted = debits_posted::numeric + 1 WHERE account_id IN (SELECT float_account FROM lanes) `,
		`UPDATE transfers SET amount = amount::numeric + 1 WHERE leg = 'float'`,
		`UPDATE balances SET credits_posted = credits_posted::numeric + 2 WHERE account_id = (SELECT id FROM accounts WHERE kind = 'funding') AND asset_id = (SELECT id FROM assets WHERE symbol = 'ETH')`}},
}
