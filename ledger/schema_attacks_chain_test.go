package ledger_test

const nonceInto = `INSERT INTO transactions (chain_id, lane_id, signer, nonce, kind, pays) VALUES `

const attemptInto = `INSERT INTO attempts (transaction_id, replaces, kind, to_address, value, data, gas_limit, fee_cap, fee_tip, signing_hash, hash, raw) VALUES `

var sendingAttacks = []attack{
	{"a nonce twice", nonceInto + `(1337, {lane}, {signer}, 0, 'pay', true)`, "transactions_chain_id_signer_nonce_key"},
	{"a nonce of nobody's", nonceInto + `(1337, {lane}, {a}, 7, 'pay', true)`, "transactions_chain_id_signer_fkey"},
	{"a negative nonce", nonceInto + `(1337, {lane}, {signer}, -1, 'pay', true)`, "transactions_nonce_check"},
	{"a revoke that pays", nonceInto + `(1337, {lane}, {signer}, 7, 'revoke', true)`, "transactions_check"},
	{"a kind that nobody knows", nonceInto + `(1337, {lane}, {signer}, 7, 'gift', false)`, "transactions_kind_check"},
	{"consumed and live", `UPDATE transactions SET consumed_hash = {h}, consumed_block = {final}, outcome = 'reverted' WHERE id = {tx}`, "transactions_check1"},
	{"consumed nowhere", `UPDATE transactions SET live = false, consumed_hash = {h}, outcome = 'reverted' WHERE id = {tx}`, "transactions_check2"},
	{"consumed without an outcome", `UPDATE transactions SET live = false, consumed_hash = {h}, consumed_block = {final} WHERE id = {tx}`, "transactions_check3"},
	{"consumed by a block that is not final", `UPDATE transactions SET live = false, consumed_hash = {h}, consumed_block = {young}, outcome = 'reverted' WHERE id = {tx}`, "transactions_chain_id_consumed_block_consumed_final_fkey"},
	{"an outcome that nobody knows", `UPDATE transactions SET live = false, consumed_hash = {h}, consumed_block = {final}, outcome = 'dropped' WHERE id = {tx}`, "transactions_outcome_check"},
	{"mined in no block", `UPDATE transactions SET mined_hash = {h} WHERE id = {tx}`, "transactions_check4"},
	{"a bump asked for at no block", `UPDATE transactions SET bump_asked_for = {h} WHERE id = {tx}`, "transactions_check5"},
	{"unrunnable for no reason", `UPDATE transactions SET unrunnable = '' WHERE id = {tx}`, "transactions_unrunnable_check"},
	{"a nonce for something else", `UPDATE transactions SET kind = 'noop', pays = false WHERE id = {tx}`, "trigger"},
	{"a nonce deleted", `DELETE FROM transactions`, "trigger"},
	{"all nonces vanish", `TRUNCATE transactions CASCADE`, "trigger"},
	{"a second live paying nonce", `WITH n AS (` + nonceInto + `(1337, {lane}, {signer}, 7, 'pay', true) RETURNING id) INSERT INTO transaction_items (transaction_id, position, settlement_id, pays) SELECT id, 0, {one}, true FROM n`, "transaction_items_one_live_payment"},
	{"a second live revoke", `WITH n AS (` + nonceInto + `(1337, {lane}, {signer}, 7, 'revoke', false), (1337, {lane}, {signer}, 8, 'revoke', false) RETURNING id) INSERT INTO transaction_items (transaction_id, position, settlement_id, pays) SELECT id, 0, {one}, false FROM n`, "transaction_items_one_live_revoke"},
	{"a paying nonce after a revoke", `UPDATE settlements SET wish = 'revoke', wish_reason = 'ops: test' WHERE id = {two}; WITH n AS (` + nonceInto + `(1337, {lane}, {signer}, 7, 'pay', true) RETURNING id) INSERT INTO transaction_items (transaction_id, position, settlement_id, pays) SELECT id, 0, {two}, true FROM n`, "trigger"},
	{"a paying nonce for what is paid", `WITH n AS (` + nonceInto + `(1337, {lane}, {signer}, 7, 'pay', true) RETURNING id) INSERT INTO transaction_items (transaction_id, position, settlement_id, pays) SELECT id, 0, {three}, true FROM n`, "trigger"},
	{"a payment that hides as a revoke", `INSERT INTO transaction_items (transaction_id, position, settlement_id, pays) VALUES ({tx}, 1, {two}, false)`, "transaction_items_transaction_id_live_pays_fkey"},
	{"an item that calls itself consumed", `UPDATE transaction_items SET live = false WHERE transaction_id = {tx}`, "transaction_items_transaction_id_live_pays_fkey"},
	{"a settlement twice in one transaction", `INSERT INTO transaction_items (transaction_id, position, settlement_id, live, pays) SELECT transaction_id, 1, settlement_id, live, pays FROM transaction_items WHERE transaction_id = {tx}`, "transaction_items_transaction_id_settlement_id_key"},
	{"a negative place", `UPDATE transaction_items SET position = -1 WHERE transaction_id = {tx}`, "transaction_items_position_check"},
	{"an item deleted", `DELETE FROM transaction_items`, "trigger"},

	{"changed bytes", `UPDATE attempts SET raw = raw || '\x00' WHERE id = {attempt}`, "trigger"},
	{"a changed hash", `UPDATE attempts SET hash = {h} WHERE id = {attempt}`, "trigger"},
	{"a changed recipient", `UPDATE attempts SET to_address = {a} WHERE id = {attempt}`, "trigger"},
	{"changed fees", `UPDATE attempts SET fee_cap = fee_cap + 1 WHERE id = {attempt}`, "trigger"},
	{"bytes deleted", `DELETE FROM attempts`, "trigger"},
	{"all bytes vanish", `TRUNCATE attempts CASCADE`, "trigger"},
	{"a second first attempt", attemptInto + `({tx}, NULL, 'pay', {a}, 0, '', 21000, 2, 1, {h}, {h2}, '\x02')`, "attempts_transaction_id_replaces_key"},
	{"an attempt that replaces another nonce's", attemptInto + `({paidtx}, {attempt}, 'pay', {a}, 0, '', 21000, 2, 1, {h}, {h2}, '\x02')`, "attempts_replaces_transaction_id_fkey"},
	{"the same bytes under two nonces", `INSERT INTO attempts (transaction_id, replaces, kind, to_address, value, data, gas_limit, fee_cap, fee_tip, signing_hash, hash, raw) SELECT transaction_id, id, kind, to_address, value, data, gas_limit, fee_cap, fee_tip, signing_hash, hash, raw FROM attempts WHERE id = {attempt}`, "attempts_hash_key"},
	{"a tip above the cap", attemptInto + `({tx}, {attempt}, 'pay', {a}, 0, '', 21000, 1, 2, {h}, {h2}, '\x02')`, "attempts_check"},
	{"a hash without bytes", attemptInto + `({tx}, {attempt}, 'pay', {a}, 0, '', 21000, 2, 1, {h}, {h2}, NULL)`, "attempts_check1"},
	{"bytes of length zero", attemptInto + `({tx}, {attempt}, 'pay', {a}, 0, '', 21000, 2, 1, {h}, {h2}, '')`, "attempts_check2"},
	{"an attempt that replaces itself", `INSERT INTO attempts (id, transaction_id, replaces, kind, to_address, value, data, gas_limit, fee_cap, fee_tip, signing_hash) OVERRIDING SYSTEM VALUE VALUES (900, {tx}, 900, 'pay', {a}, 0, '', 21000, 2, 1, {h})`, "attempts_check3"},
	{"gas that no transaction has", attemptInto + `({tx}, {attempt}, 'pay', {a}, 0, '', 20999, 2, 1, {h}, {h2}, '\x02')`, "attempts_gas_limit_check"},
	{"an attempt of a kind that nobody knows", attemptInto + `({tx}, {attempt}, 'gift', {a}, 0, '', 21000, 2, 1, {h}, {h2}, '\x02')`, "attempts_kind_check"},

	{"a nonce given back to the lane", `UPDATE lanes SET next_nonce = next_nonce - 1 WHERE id = {lane}`, "trigger"},
	{"a lane removed with a nonce out", `UPDATE lanes SET state = 'removed' WHERE id = {lane}`, "trigger"},
	{"a lane that changes its signer", `UPDATE lanes SET signer = {a} WHERE id = {lane}`, "trigger"},
	{"two lanes of one signer", laneOf(`{signer}`, `0, 0, 0, 16, 1`), "lanes_chain_id_signer_key"},
	{"a lane that begins before its first nonce", laneOf(`{a}`, `5, 4, 5, 16, 1`), "lanes_check"},
	{"a first nonce below zero", laneOf(`{a}`, `-1, 0, 0, 16, 1`), "lanes_first_nonce_check"},
	{"a count below zero", `UPDATE lanes SET mined_nonce = -1`, "lanes_mined_nonce_check"},
	{"a lane without slots", `UPDATE lanes SET in_flight_max = 0`, "lanes_in_flight_max_check"},
	{"a ceiling of nothing", `UPDATE lanes SET cap_ceiling = 0`, "lanes_cap_ceiling_check"},
	{"a state that nobody knows", `UPDATE lanes SET state = 'asleep'`, "lanes_state_check"},
	{"frozen for no reason", `UPDATE lanes SET state_reason = ''`, "lanes_state_reason_check"},
	{"keys in a drawer", `UPDATE lanes SET custody = 'drawer'`, "lanes_custody_check"},
}

func laneOf(signer, numbers string) string {
	return `INSERT INTO lanes (chain_id, signer, custody, balance, operator, float_account, added_block, first_nonce, next_nonce, mined_nonce, in_flight_max, cap_ceiling)
		VALUES (1337, ` + signer + `, 'keystore', 0, true, {gas}, 0, ` + numbers + `)`
}

const effectInto = `INSERT INTO effects (chain_id, tx_hash, tx_log_index, event_id, block_hash, kind, vault, event_key, token, party, amount, settlement_id, account_id) VALUES `

const eventInto = `INSERT INTO events (chain_id, block_hash, tx_hash, log_index, tx_log_index, vault, name, topics, data) VALUES `

var chainAttacks = []attack{
	{"an effect of a block that is not final", effectInto + `(1337, {h}, 0, {event}, {young}, 'settled', {vaultaddress}, {twoid}, {usdctoken}, {payee}, 2000000, {two}, NULL)`, "effects_chain_id_block_hash_block_final_fkey"},
	{"an effect of another amount", effectInto + `(1337, {h}, 0, {event}, {final}, 'settled', {vaultaddress}, {twoid}, {usdctoken}, {payee}, 2000001, {two}, NULL)`, "effects_equal_settlement"},
	{"an effect to another recipient", effectInto + `(1337, {h}, 0, {event}, {final}, 'settled', {vaultaddress}, {twoid}, {usdctoken}, {a}, 2000000, {two}, NULL)`, "effects_equal_settlement"},
	{"an effect of another token", effectInto + `(1337, {h}, 0, {event}, {final}, 'settled', {vaultaddress}, {twoid}, {a}, {payee}, 2000000, {two}, NULL)`, "effects_equal_settlement"},
	{"an effect of another vault", effectInto + `(1337, {h}, 0, {event}, {final}, 'settled', {a}, {twoid}, {usdctoken}, {payee}, 2000000, {two}, NULL)`, "effects_equal_settlement"},
	{"an effect of another id", effectInto + `(1337, {h}, 0, {event}, {final}, 'settled', {vaultaddress}, {h}, {usdctoken}, {payee}, 2000000, {two}, NULL)`, "effects_equal_settlement"},
	{"a payment whose recipient is left out", effectInto + `(1337, {h}, 0, {event}, {final}, 'settled', {vaultaddress}, {twoid}, {usdctoken}, NULL, 2000000, {two}, NULL)`, "effects_check"},
	{"a revoke of nothing", effectInto + `(1337, {h}, 0, {event}, {final}, 'revoked', {vaultaddress}, {twoid}, NULL, NULL, NULL, NULL, NULL)`, "effects_check1"},
	{"a deposit to nobody", effectInto + `(1337, {h}, 0, {event}, {final}, 'deposited', {vaultaddress}, {twoid}, {usdctoken}, {payee}, 1, NULL, NULL)`, "effects_check2"},
	{"an effect of a kind that nobody knows", effectInto + `(1337, {h}, 0, {event}, {final}, 'minted', {vaultaddress}, NULL, NULL, NULL, NULL, NULL, NULL)`, "effects_kind_check"},
	{"one event that takes effect twice", effectInto + `(1337, (SELECT tx_hash FROM effects WHERE id = {effect}), 0, {event}, {final}, 'withdrawn', {vaultaddress}, NULL, NULL, NULL, NULL, NULL, NULL)`, "effects_once"},
	{"a settlement paid twice", effectInto + `(1337, {h}, 0, {event}, {final}, 'settled', {vaultaddress}, (SELECT onchain_id FROM settlements WHERE id = {three}), {usdctoken}, {payee}, 3000000, {three}, NULL)`, "effects_one_payment"},
	{"a shortfall of a deposit that stands", `UPDATE effects SET reversed_short = 1 WHERE id = {effect}`, "effects_short_when_reversed"},
	{"an effect rewritten", `UPDATE effects SET amount = amount + 1`, "trigger"},
	{"an effect deleted", `DELETE FROM effects`, "trigger"},
	{"all effects vanish", `TRUNCATE effects CASCADE`, "trigger"},
	{"an event rewritten", `UPDATE events SET amount = amount + 1`, "trigger"},
	{"all events vanish", `TRUNCATE events CASCADE`, "trigger"},
	{"a log twice in one block", eventInto + `(1337, {final}, {h}, 3, 0, {a}, 'other', '{}', ''), (1337, {final}, {h}, 3, 1, {a}, 'other', '{}', '')`, "events_chain_id_block_hash_tx_hash_log_index_key"},
	{"a log twice in one transaction", eventInto + `(1337, {final}, {h}, 3, 0, {a}, 'other', '{}', ''), (1337, {final}, {h}, 4, 0, {a}, 'other', '{}', '')`, "events_chain_id_block_hash_tx_hash_tx_log_index_key"},
	{"a log of no block", eventInto + `(1337, {h}, {h}, 3, 0, {a}, 'other', '{}', '')`, "events_chain_id_block_hash_fkey"},
	{"a name that nobody knows", eventInto + `(1337, {final}, {h}, 3, 0, {a}, 'Minted', '{}', '')`, "events_name_check"},
	{"a problem without a word", `INSERT INTO events (chain_id, block_hash, tx_hash, log_index, tx_log_index, vault, name, topics, data, problem) VALUES (1337, {final}, {h}, 3, 0, {a}, 'unknown', '{}', '', '')`, "events_problem_check"},
	{"one event in quarantine twice", `INSERT INTO quarantine (chain_id, tx_hash, tx_log_index, event_id, reason) SELECT 1337, {h}, 0, {event}, 'x' FROM generate_series(1, 2)`, "quarantine_once"},
	{"quarantine for no reason", `INSERT INTO quarantine (chain_id, tx_hash, tx_log_index, event_id, reason) VALUES (1337, {h}, 0, {event}, '')`, "quarantine_reason_check"},
	{"a transaction mined in no block", `INSERT INTO mined_transactions (chain_id, block_hash, tx_hash, tx_index, signer, nonce, value, ok, gas_used, gas_limit, gas_price) VALUES (1337, {h}, {h}, 0, {a}, 0, 0, true, 1, 1, 1)`, "mined_transactions_chain_id_block_hash_fkey"},
	{"gas that was given", `INSERT INTO mined_transactions (chain_id, block_hash, tx_hash, tx_index, signer, nonce, value, ok, gas_used, gas_limit, gas_price) VALUES (1337, {final}, {h}, 0, {a}, 0, 0, true, -1, 1, 1)`, "mined_transactions_gas_used_check"},
	{"two canonical blocks of one number", `INSERT INTO blocks (chain_id, number, hash, parent, mined_at, base_fee, gas_limit) VALUES (1337, 0, {h}, {h2}, now(), 1, 1)`, "blocks_one_canonical"},
	{"final and orphaned", `UPDATE blocks SET canonical = false WHERE final`, "blocks_check"},
	{"a block without gas", `UPDATE blocks SET gas_limit = 0`, "blocks_gas_limit_check"},
	{"a block that nobody saw", `UPDATE blocks SET seen = 0`, "blocks_seen_check"},
	{"final above the head", `UPDATE heads SET final_number = 51`, "heads_check"},
	{"stopped for no reason", `UPDATE heads SET stopped = ''`, "heads_stopped_check"},
	{"token 0, which every late process would hold", `INSERT INTO leases VALUES ('listener', 'h', 0, now())`, "leases_token_check"},
}

const topUpInto = `INSERT INTO topups (chain_id, signer, tx_hash, amount, source, raw, block_hash, transfer_id) VALUES `

var topUpAttacks = []attack{
	{"coins in no block", `INSERT INTO incoming VALUES (1337, {h}, {h2}, {signer}, 1)`, "incoming_in_a_block"},
	{"a top-up of nothing", topUpInto + `(1337, {signer}, {h}, 0, 'sent', '\x02', NULL, NULL)`, "topups_of_something"},
	{"a top-up from heaven", topUpInto + `(1337, {signer}, {h}, 1, 'prayed', NULL, {final}, {hold})`, "topups_source_known"},
	{"a top-up twice", topUpInto + `(1337, {signer}, {h}, 1, 'sent', '\x02', NULL, NULL), (1337, {signer}, {h}, 2, 'sent', '\x02', NULL, NULL)`, "topups_once"},
	{"two top-ups by one transfer", topUpInto + `(1337, {signer}, {h}, 1, 'seen', NULL, {final}, {hold}), (1337, {signer}, {h2}, 1, 'seen', NULL, {final}, {hold})`, "topups_own_transfer"},
	{"a top-up of a stranger", topUpInto + `(1337, {a}, {h}, 1, 'sent', '\x02', NULL, NULL)`, "topups_of_a_lane"},
	{"booked from a block that is not final", topUpInto + `(1337, {signer}, {h}, 1, 'seen', NULL, {young}, {hold})`, "topups_final"},
	{"booked in no block", topUpInto + `(1337, {signer}, {h}, 1, 'seen', NULL, NULL, {hold})`, "topups_booked_in_a_block"},
	{"seen and not booked", topUpInto + `(1337, {signer}, {h}, 1, 'seen', NULL, NULL, NULL)`, "topups_expected_only_if_sent"},
	{"sent without bytes", topUpInto + `(1337, {signer}, {h}, 1, 'sent', NULL, NULL, NULL)`, "topups_bytes_of_the_sent"},
	{"a top-up reversed that was never booked", topUpInto + `(1337, {signer}, {h}, 1, 'sent', '\x02', NULL, NULL); UPDATE topups SET reversed_at = now()`, "topups_reversed_if_booked"},
	{"a reversal taken back", topUpInto + `(1337, {signer}, {h}, 1, 'seen', NULL, {final}, {hold}); UPDATE topups SET reversed_at = now(); UPDATE topups SET reversed_at = NULL`, "trigger"},
	{"a top-up that grows", topUpInto + `(1337, {signer}, {h}, 1, 'sent', '\x02', NULL, NULL); UPDATE topups SET amount = 2`, "trigger"},
	{"a top-up booked twice", topUpInto + `(1337, {signer}, {h}, 1, 'seen', NULL, {final}, {hold}); UPDATE topups SET transfer_id = {paidhold}`, "trigger"},
	{"a top-up deleted", topUpInto + `(1337, {signer}, {h}, 1, 'sent', '\x02', NULL, NULL); DELETE FROM topups`, "trigger"},
	{"all top-ups vanish", `TRUNCATE topups`, "trigger"},
}
