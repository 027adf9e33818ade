package ledger_test

// Each list holds the attacks on one part of the schema. TestTheSchemaRefusesEveryAttack runs them all, and fails when a rule of
// the catalog is in none.

const transferInto = `INSERT INTO transfers (debit_account, credit_account, asset_id, amount, phase, leg, pending_id, settlement_id, effect_id) VALUES `

var amountAttacks = []attack{
	{"a negative amount", transferInto + `({gas}, {vault}, {usdc}, -1, 'posted', 'gas', NULL, NULL, NULL)`, "amount_check"},
	{"half a base unit, which numeric(78,0) would round up", transferInto + `({gas}, {vault}, {usdc}, 1.5, 'posted', 'gas', NULL, NULL, NULL)`, "amount_check"},
	{"a fraction that is zero is still a fraction", transferInto + `({gas}, {vault}, {usdc}, 1.0, 'posted', 'gas', NULL, NULL, NULL)`, "amount_check"},
	{"NaN, which is above every number", transferInto + `({gas}, {vault}, {usdc}, 'NaN', 'posted', 'gas', NULL, NULL, NULL)`, "amount_check"},
	{"infinity", transferInto + `({gas}, {vault}, {usdc}, 'Infinity', 'posted', 'gas', NULL, NULL, NULL)`, "amount_check"},
	{"2^256", transferInto + `({gas}, {vault}, {usdc}, trunc(2::numeric ^ 256), 'posted', 'gas', NULL, NULL, NULL)`, "amount_check"},
	{"nothing", transferInto + `({gas}, {vault}, {usdc}, 0, 'posted', 'gas', NULL, NULL, NULL)`, "transfers_amount_check"},
	{"a sum below zero", `UPDATE asset_liquidity SET in_flight = -1`, "total_check"},
	{"a sum that is no number", `UPDATE asset_liquidity SET in_flight = 'NaN'`, "total_check"},
	{"an address of 19 bytes", `INSERT INTO vaults VALUES (1337, '\x00000000000000000000000000000000000001')`, "address_check"},
	{"a hash of 31 bytes", `UPDATE heads SET head_hash = substr(head_hash, 2)`, "hash32_check"},
	{"chain 0", `INSERT INTO chains VALUES (0, {h}, {a}, 0, 'depth', 1, 0)`, "chain_id_check"},
	{"a block before the first", `UPDATE heads SET final_number = -1`, "block_number_check"},
}

var transferAttacks = []attack{
	{"a balance that nobody moved", `UPDATE balances SET credits_posted = credits_posted + 1`, "trigger"},
	{"a balance out of nothing", `INSERT INTO balances (account_id, asset_id, guarded, credits_posted) VALUES ({bob}, {usdc}, true, 1)`, "trigger"},
	{"a balance that vanishes", `DELETE FROM balances`, "trigger"},
	{"all balances vanish", `TRUNCATE balances`, "trigger"},
	{"a transfer rewritten", `UPDATE transfers SET amount = amount + 1`, "trigger"},
	{"a transfer deleted", `DELETE FROM transfers`, "trigger"},
	{"all transfers vanish", `TRUNCATE transfers CASCADE`, "trigger"},
	{"a customer below zero by a posting", transferInto + `({bob}, {vault}, {usdc}, 1, 'posted', 'correction', NULL, NULL, NULL)`, "balances_no_overdraft"},
	{"a customer below zero by a hold", `WITH h AS (` + transferInto + `({bob}, {vault}, {usdc}, 1, 'pending', 'hold', NULL, 999, NULL) RETURNING 1) SELECT 1`, "balances_no_overdraft"},
	{"a balance that no chain can hold", transferInto + `({gas}, {vault}, {usdc}, trunc(2::numeric ^ 256) - 1, 'posted', 'gas', NULL, NULL, NULL), ({gas}, {vault}, {usdc}, trunc(2::numeric ^ 256) - 1, 'posted', 'gas', NULL, NULL, NULL)`, "balances_possible"},
	{"a guarded account that is said not to be", `DO $$ BEGIN SET LOCAL session_replication_role = origin; UPDATE accounts SET kind = 'vault', customer_id = NULL WHERE id = {alice}; END $$`, "balances_account_id_guarded_fkey"},
	{"from an account to itself", transferInto + `({gas}, {gas}, {usdc}, 1, 'posted', 'gas', NULL, NULL, NULL)`, "transfers_check"},
	{"a leg that nobody knows", transferInto + `({gas}, {vault}, {usdc}, 1, 'posted', 'gift', NULL, NULL, NULL)`, "transfers_leg_check"},
	{"a phase that nobody knows", transferInto + `({gas}, {vault}, {usdc}, 1, 'maybe', 'gas', NULL, NULL, NULL)`, "transfers_phase_check"},
	{"a void of nothing", transferInto + `({alice}, {vault}, {usdc}, 2000000, 'voided', 'release', NULL, {two}, NULL)`, "transfers_check1"},
	{"a pending transfer that resolves another", transferInto + `({alice}, {vault}, {usdc}, 2000000, 'pending', 'hold', {hold}, {two}, NULL)`, "transfers_check2"},
	{"a pending transfer that is no hold", transferInto + `({gas}, {vault}, {usdc}, 1, 'pending', 'gas', NULL, NULL, NULL)`, "transfers_check3"},
	{"a hold for nobody", transferInto + `({alice}, {vault}, {usdc}, 1, 'pending', 'hold', NULL, NULL, NULL)`, "transfers_check4"},
	{"a hold for a settlement that does not exist", transferInto + `({alice}, {vault}, {usdc}, 1, 'pending', 'hold', NULL, 999, NULL)`, "transfers_settlement_id_fkey"},
	{"a release that posts", transferInto + `({alice}, {vault}, {usdc}, 2000000, 'posted', 'release', {hold}, {two}, NULL)`, "transfers_check5"},
	{"a payment without a hold", transferInto + `({alice}, {vault}, {usdc}, 1, 'posted', 'payment', NULL, {two}, {effect})`, "transfers_check6"},
	{"gas that resolves a hold", transferInto + `({alice}, {vault}, {usdc}, 2000000, 'posted', 'gas', {hold}, {two}, NULL)`, "transfers_check7"},
	{"a resolution that hides its settlement, and with it its amount", transferInto + `({alice}, {vault}, {usdc}, 1, 'voided', 'release', {hold}, NULL, NULL)`, "transfers_check8"},
	{"a resolution of another amount", transferInto + `({alice}, {vault}, {usdc}, 1, 'voided', 'release', {hold}, {two}, NULL)`, pendingKey},
	{"a resolution to another account", transferInto + `({alice}, {gas}, {usdc}, 2000000, 'voided', 'release', {hold}, {two}, NULL)`, pendingKey},
	{"a resolution of another asset", transferInto + `({alice}, {vault}, {eth}, 2000000, 'voided', 'release', {hold}, {two}, NULL)`, pendingKey},
	{"a resolution for another settlement", transferInto + `({alice}, {vault}, {usdc}, 2000000, 'voided', 'release', {hold}, {one}, NULL)`, pendingKey},
	{"a resolution of what is no hold", transferInto + `({vault}, {alice}, {usdc}, 1000000000, 'voided', 'release', (SELECT min(id) FROM transfers WHERE leg = 'deposit'), {two}, NULL)`, pendingKey},
	{"a second hold for one settlement", transferInto + `({alice}, {vault}, {usdc}, 1, 'pending', 'hold', NULL, {two}, NULL)`, "transfers_one_hold"},
	{"a void of what was paid", transferInto + `({alice}, {vault}, {usdc}, 3000000, 'voided', 'release', {paidhold}, {three}, NULL)`, "transfers_pending_id_key"},
	{"a second payment of one settlement", `ALTER TABLE transfers DROP CONSTRAINT transfers_pending_id_key; ` + transferInto + `({alice}, {vault}, {usdc}, 3000000, 'posted', 'payment', {paidhold}, {three}, {effect})`, "transfers_one_payment"},
	{"a second posting by one effect", transferInto + `({vault}, {alice}, {usdc}, (SELECT amount FROM effects WHERE id = {deposit}), 'posted', 'deposit', NULL, NULL, {deposit})`, "transfers_effect"},
	{"a payment without an event", transferInto + `({alice}, {vault}, {usdc}, 2000000, 'posted', 'payment', {hold}, {two}, NULL)`, "transfers_post_needs_effect"},
	{"a deposit without an event", transferInto + `({vault}, {bob}, {usdc}, 1, 'posted', 'deposit', NULL, NULL, NULL)`, "transfers_post_needs_effect"},
	{"a payment by another settlement's event", `DROP INDEX transfers_effect; ` + transferInto + `({alice}, {vault}, {usdc}, 2000000, 'posted', 'payment', {hold}, {two}, {effect})`, "transfers_own_effect"},
	{"a payment by a revoke", transferInto + `({alice}, {vault}, {usdc}, 2000000, 'posted', 'payment', {hold}, {two}, {revoke})`, "transfers_own_effect"},
	{"a deposit of more than the event says", `DROP INDEX transfers_effect; ` + transferInto + `({vault}, {bob}, {usdc}, 1000000001, 'posted', 'deposit', NULL, NULL, {deposit})`, "transfers_effect_amount"},
	{"one transfer reversed twice", `INSERT INTO transfers (debit_account, credit_account, asset_id, amount, phase, leg, reverses_id) SELECT {gas}, {vault}, {usdc}, 1, 'posted', 'correction', {hold} FROM generate_series(1, 2)`, "transfers_reverses_id_key"},
}

const pendingKey = "transfers_pending_id_pending_phase_debit_account_credit_ac_fkey"

const keyInto = `INSERT INTO idempotency_keys (tenant, key, operation, fingerprint, fingerprint_version, field_digests, request_id, status, result, hits, finished_at, expires_at) VALUES `

var keyAttacks = []attack{
	{"a key that could pass for another tenant's", keyInto + `('default', '@acme/1', 'settle', {h}, 1, '{}', 'r', 'in_progress', NULL, 0, NULL, NULL)`, "idempotency_keys_key_check"},
	{"an empty key", keyInto + `('default', '', 'settle', {h}, 1, '{}', 'r', 'in_progress', NULL, 0, NULL, NULL)`, "idempotency_keys_key_check"},
	{"a key of 201 bytes", keyInto + `('default', repeat('x', 201), 'settle', {h}, 1, '{}', 'r', 'in_progress', NULL, 0, NULL, NULL)`, "idempotency_keys_key_check"},
	{"a key with a line break", keyInto + `('default', E'a\nb', 'settle', {h}, 1, '{}', 'r', 'in_progress', NULL, 0, NULL, NULL)`, "idempotency_keys_key_check"},
	{"a tenant that could hold a slash", keyInto + `('a/b', 'k', 'settle', {h}, 1, '{}', 'r', 'in_progress', NULL, 0, NULL, NULL)`, "idempotency_keys_tenant_check"},
	{"an operation that nobody knows", keyInto + `('default', 'k', 'refund', {h}, 1, '{}', 'r', 'in_progress', NULL, 0, NULL, NULL)`, "idempotency_keys_operation_check"},
	{"version 0 of the fingerprint", keyInto + `('default', 'k', 'settle', {h}, 0, '{}', 'r', 'in_progress', NULL, 0, NULL, NULL)`, "idempotency_keys_fingerprint_version_check"},
	{"digests that are no object", keyInto + `('default', 'k', 'settle', {h}, 1, '[]', 'r', 'in_progress', NULL, 0, NULL, NULL)`, "idempotency_keys_field_digests_check"},
	{"no request id", keyInto + `('default', 'k', 'settle', {h}, 1, '{}', '', 'in_progress', NULL, 0, NULL, NULL)`, "idempotency_keys_request_id_check"},
	{"a status that nobody knows", keyInto + `('default', 'k', 'settle', {h}, 1, '{}', 'r', 'expired', NULL, 0, now(), now())`, "idempotency_keys_status_check"},
	{"negative hits", keyInto + `('default', 'k', 'settle', {h}, 1, '{}', 'r', 'in_progress', NULL, -1, NULL, NULL)`, "idempotency_keys_hits_check"},
	{"finished in the middle", keyInto + `('default', 'k', 'settle', {h}, 1, '{}', 'r', 'in_progress', NULL, 0, now(), now())`, "idempotency_keys_check"},
	{"a result before the end", keyInto + `('default', 'k', 'settle', {h}, 1, '{}', 'r', 'in_progress', '{}', 0, NULL, NULL)`, "idempotency_keys_check1"},
	{"an end without an expiry", keyInto + `('default', 'k', 'settle', {h}, 1, '{}', 'r', 'failed', NULL, 0, now(), NULL)`, "idempotency_keys_check2"},
	{"a key deleted", `DELETE FROM idempotency_keys`, "trigger"},
	{"all keys vanish", `TRUNCATE idempotency_keys CASCADE`, "trigger"},
	{"a key that means something else", `UPDATE idempotency_keys SET fingerprint = {h}`, "trigger"},
	{"a failed key that is tried again", `UPDATE idempotency_keys SET status = 'in_progress', result = NULL, finished_at = NULL, expires_at = NULL WHERE key = 'four'`, "trigger"},
	{"a paid key that failed", `UPDATE idempotency_keys SET status = 'failed' WHERE key = 'three'`, "trigger"},
}

const settle = `UPDATE settlements SET `

var settlementAttacks = []attack{
	{"a second settlement of one key", `INSERT INTO settlements (onchain_id, tenant, key, chain_id, vault, asset_id, token, account_id, destination, amount, state, reason, proof) SELECT {h}, tenant, key, chain_id, vault, asset_id, token, account_id, destination, amount, 'failed', 'x', 'insufficient_balance' FROM settlements WHERE id = {two}`, "settlements_tenant_key_key"},
	{"a second settlement of one id on chain", newSettlement(`{twoid}`, `{usdctoken}`, `1`), "settlements_onchain_id_key"},
	{"a settlement without a key", `INSERT INTO settlements (onchain_id, tenant, key, chain_id, vault, asset_id, token, account_id, destination, amount, state, reason, proof) SELECT {h}, tenant, 'no such key', chain_id, vault, asset_id, token, account_id, destination, amount, 'failed', 'x', 'insufficient_balance' FROM settlements WHERE id = {two}`, "settlements_tenant_key_fkey"},
	{"a settlement of nothing", newSettlement(`{h}`, `{usdctoken}`, `0`), "settlements_amount_check"},
	{"an asset under another token's address", newSettlement(`{h}`, `{a}`, `1`), "settlements_asset_id_chain_id_token_fkey"},
	{"a payment to the zero address", `WITH k AS (` + aKey + `) INSERT INTO settlements (onchain_id, tenant, key, chain_id, vault, asset_id, token, account_id, destination, amount, state, reason, proof) VALUES ({h}, 'default', 'new', 1337, {vaultaddress}, {usdc}, {usdctoken}, {alice}, '\x0000000000000000000000000000000000000000', 1, 'failed', 'x', 'insufficient_balance')`, "settlements_destination_check"},
	{"a vault that the chain never had", `WITH k AS (` + aKey + `) INSERT INTO settlements (onchain_id, tenant, key, chain_id, vault, asset_id, token, account_id, destination, amount, state, reason, proof) VALUES ({h}, 'default', 'new', 1337, {a}, {usdc}, {usdctoken}, {alice}, {payee}, 1, 'failed', 'x', 'insufficient_balance')`, "settlements_chain_id_vault_fkey"},
	{"a settlement that begins paid", `WITH k AS (` + aKey + `) INSERT INTO settlements (onchain_id, tenant, key, chain_id, vault, asset_id, token, account_id, destination, amount, state) VALUES ({h}, 'default', 'new', 1337, {vaultaddress}, {usdc}, {usdctoken}, {alice}, {payee}, 1, 'settled')`, "trigger"},
	{"a settlement without a hold", `WITH k AS (` + aKey + `) INSERT INTO settlements (onchain_id, tenant, key, chain_id, vault, asset_id, token, account_id, destination, amount) VALUES ({h}, 'default', 'new', 1337, {vaultaddress}, {usdc}, {usdctoken}, {alice}, {payee}, 1)`, "settlements_check5"},
	{"a settlement with another's hold", `WITH k AS (` + aKey + `) INSERT INTO settlements (onchain_id, tenant, key, chain_id, vault, asset_id, token, account_id, destination, amount, hold_id) VALUES ({h}, 'default', 'new', 1337, {vaultaddress}, {usdc}, {usdctoken}, {alice}, {payee}, 1, {hold})`, "settlements_hold_id_key"},
	{"a hold smaller than the payment", `WITH k AS (` + aKey + `), h AS (` + transferInto + `({alice}, {vault}, {usdc}, 1, 'pending', 'hold', NULL, 900, NULL) RETURNING id) INSERT INTO settlements (id, onchain_id, tenant, key, chain_id, vault, asset_id, token, account_id, destination, amount, hold_id) SELECT 900, {h}, 'default', 'new', 1337, {vaultaddress}, {usdc}, {usdctoken}, {alice}, {payee}, 2, id FROM h`, "trigger"},
	{"a settlement deleted", `DELETE FROM settlements`, "trigger"},
	{"all settlements vanish", `TRUNCATE settlements CASCADE`, "trigger"},
	{"another recipient", settle + `destination = {a} WHERE id = {two}`, "trigger"},
	{"another amount", settle + `amount = amount + 1 WHERE id = {two}`, "trigger"},
	{"another vault", settle + `vault = {a} WHERE id = {two}`, "trigger"},
	{"another hold", settle + `hold_id = {paidhold} WHERE id = {two}`, "trigger"},
	{"a nonce taken back", settle + `nonces_allocated = 0 WHERE id = {one}`, "trigger"},
	{"a payment opened again after a revoke", settle + `wish = 'revoke', wish_reason = 'ops: test' WHERE id = {two}; ` + settle + `wish = NULL, wish_reason = NULL WHERE id = {two}`, "trigger"},
	{"a revoke that becomes a cancel", settle + `wish = 'revoke', wish_reason = 'ops: test' WHERE id = {two}; ` + settle + `wish = 'cancel' WHERE id = {two}`, "trigger"},
	{"a wish that nobody gave a reason for", settle + `wish = 'cancel' WHERE id = {two}`, "settlements_wish_says_why"},
	{"a wish for an empty reason", settle + `wish = 'cancel', wish_reason = '' WHERE id = {two}`, "settlements_wish_reason_check"},
	{"a wish that nobody knows", settle + `wish = 'refund', wish_reason = 'x' WHERE id = {two}`, "settlements_wish_check"},
	{"from failed to requested", settle + `state = 'requested', reason = NULL, proof = NULL WHERE id = {four}`, "trigger"},
	{"from paid to failed", settle + `state = 'failed', reason = 'x', proof = 'never_allocated', effect_id = NULL WHERE id = {three}`, "trigger"},
	{"from requested to mined without a nonce", settle + `state = 'mined' WHERE id = {two}`, "trigger"},
	{"submitted without a nonce", settle + `state = 'submitted' WHERE id = {two}`, "settlements_check6"},
	{"mined without a transaction", settle + `state = 'mined' WHERE id = {one}`, "settlements_check7"},
	{"a transaction without its block", settle + `tx_hash = {h} WHERE id = {one}`, "settlements_check8"},
	{"paid without an event", settle + `state = 'settled', tx_hash = {h}, block_number = 1 WHERE id = {one}`, "settlements_paid_needs_effect"},
	{"paid by another settlement's event", settle + `effect_id = NULL WHERE false; ALTER TABLE settlements DROP CONSTRAINT settlements_effect_id_key; ` + settle + `state = 'settled', tx_hash = {h}, block_number = 1, effect_id = {effect} WHERE id = {one}`, "settlements_own_payment"},
	{"two tries at once of what failed", settle + `retry_of = 'four' WHERE id IN ({one}, {two})`, "settlements_one_retry"},
	{"paid by a revoke", settle + `state = 'settled', tx_hash = {h}, block_number = 1, effect_id = {revoke} WHERE id = {one}`, "settlements_own_payment"},
	{"two settlements paid by one event", settle + `state = 'settled', tx_hash = {h}, block_number = 1, effect_id = {effect} WHERE id = {one}`, "settlements_effect_id_key"},
	{"failed without a proof", settle + `state = 'failed', reason = 'timeout' WHERE id = {two}`, "settlements_unpaid_needs_proof"},
	{"failed without a reason", settle + `state = 'failed', proof = 'never_allocated' WHERE id = {two}`, "settlements_check1"},
	{"failed by a proof that nobody knows", settle + `state = 'failed', reason = 'x', proof = 'null_receipt' WHERE id = {two}`, "settlements_proof_check"},
	{"insufficient balance after a hold", settle + `state = 'failed', reason = 'x', proof = 'insufficient_balance' WHERE id = {two}`, "settlements_check2"},
	{"never allocated, with a nonce", settle + `state = 'failed', reason = 'x', proof = 'never_allocated' WHERE id = {one}`, "settlements_check3"},
	{"all nonces consumed, without any", settle + `state = 'failed', reason = 'x', proof = 'nonces_consumed', proof_block = {final} WHERE id = {two}`, "settlements_check4"},
	{"all nonces consumed, with a live one", settle + `state = 'failed', reason = 'x', proof = 'nonces_consumed', proof_block = {final} WHERE id = {one}`, "trigger"},
	{"all nonces consumed, by a block that is not final", `UPDATE transactions SET live = false, outcome = 'reverted', consumed_hash = {h}, consumed_block = {final} WHERE id = {tx}; ` + settle + `state = 'failed', reason = 'x', proof = 'nonces_consumed', proof_block = {young} WHERE id = {one}`, "trigger"},
	{"a proof in a block that nobody saw", `UPDATE settlements SET proof_block = {h} WHERE id = {four}`, "settlements_chain_id_proof_block_fkey"},
	{"revoked without an event", settle + `state = 'failed', reason = 'x', proof = 'revoked' WHERE id = {two}`, "trigger"},
	{"waiting without a cause", settle + `state = 'waiting' WHERE id = {two}`, "settlements_check"},
	{"an empty reason", settle + `reason = '' WHERE id = {two}`, "settlements_reason_check"},
	{"a third doubling of the gas", settle + `gas_doublings = 3 WHERE id = {two}`, "settlements_gas_doublings_check"},
	{"fewer than no nonces", settle + `nonces_allocated = -1 WHERE false; ALTER TABLE settlements DISABLE TRIGGER guard; ` + settle + `nonces_allocated = -1 WHERE id = {two}`, "settlements_nonces_allocated_check"},
	{"fewer than no rounds", settle + `wait_rounds = -1 WHERE id = {two}`, "settlements_wait_rounds_check"},
	{"a grant without its block", `INSERT INTO queue (settlement_id, asset_id, lane_id) VALUES ({two}, {usdc}, {lane})`, "queue_check"},
}

const aKey = keyInto + `('default', 'new', 'settle', {h}, 1, '{}', 'r', 'in_progress', NULL, 0, NULL, NULL)`

func newSettlement(onchainID, token, amount string) string {
	return `WITH k AS (` + aKey + `) INSERT INTO settlements (onchain_id, tenant, key, chain_id, vault, asset_id, token, account_id, destination, amount, state, reason, proof)
		VALUES (` + onchainID + `, 'default', 'new', 1337, {vaultaddress}, {usdc}, ` + token + `, {alice}, {payee}, ` + amount + `, 'failed', 'x', 'insufficient_balance')`
}
