package ledgertest

import (
	"crypto/rand"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/settlement"
)

// Facts of the chain, written past the ledger. Block 0 is final and holds whatever a test needs to have happened before it
// begins; the listener's walk begins at block 1.

// FinalBlock makes sure that block 0 exists and is final.
func (w *World) FinalBlock() common.Hash {
	w.T.Helper()
	hash := Hash("block 0")
	w.Exec(`INSERT INTO blocks (chain_id, number, hash, parent, mined_at, base_fee, gas_limit, final)
		VALUES ($1, 0, $2, $3, now(), 1, 60000000, true) ON CONFLICT DO NOTHING`, w.Chain.ChainID, hash.Bytes(), Hash("block -1").Bytes())
	return hash
}

// SetHead records a head without blocks, final at the given number.
func (w *World) SetHead(head, final uint64) {
	w.T.Helper()
	w.Exec(`INSERT INTO heads (chain_id, head_number, head_hash, final_number, final_hash, base_fee, gas_limit, tip)
		VALUES ($1, $2, $3, $4, $3, 1000000000, 60000000, 10000000)
		ON CONFLICT (chain_id) DO UPDATE SET head_number = excluded.head_number, final_number = excluded.final_number`,
		w.Chain.ChainID, head, Hash("head").Bytes(), final)
}

// Liquidity says what the vault holds, as a block's reading would.
func (w *World) Liquidity(asset settlement.Asset, units string) {
	w.T.Helper()
	w.Exec(`UPDATE asset_liquidity SET balance = $2::text::numeric WHERE asset_id = $1`, asset.ID, w.Units(asset.Symbol, units).String())
}

// Fund credits a customer of the default tenant by a deposit in the final block 0.
func (w *World) Fund(account string, asset settlement.Asset, units string) {
	w.T.Helper()
	w.FundAmount(account, asset, w.Units(asset.Symbol, units))
}

// FundAmount is Fund in base units.
func (w *World) FundAmount(account string, asset settlement.Asset, amount settlement.Amount) {
	w.T.Helper()
	block := w.FinalBlock()
	var tx common.Hash
	_, _ = rand.Read(tx[:])
	w.Exec(`WITH a AS (SELECT id, customer_id FROM accounts WHERE tenant = 'default' AND kind = 'customer' AND name = $1),
	v AS (SELECT a.id, c.vault FROM accounts a, chains c WHERE c.chain_id = $2 AND a.kind = 'vault' AND a.name LIKE $2 || '/%'),
	e AS (INSERT INTO events (chain_id, block_hash, tx_hash, log_index, tx_log_index, vault, name, event_key, token, party, amount, topics, data)
		SELECT $2::bigint, $3, $4, 0, 0, v.vault, 'Deposited', a.customer_id, $5, $6, $7::numeric, '{}', '' FROM a, v RETURNING *),
	f AS (INSERT INTO effects (chain_id, tx_hash, tx_log_index, event_id, block_hash, kind, vault, event_key, token, party, amount, account_id)
		SELECT e.chain_id, e.tx_hash, 0, e.id, e.block_hash, 'deposited', e.vault, e.event_key, e.token, e.party, e.amount, a.id FROM e, a RETURNING id)
	INSERT INTO transfers (debit_account, credit_account, asset_id, amount, phase, leg, effect_id)
		SELECT v.id, a.id, $8, $7::numeric, 'posted', 'deposit', f.id FROM a, v, f`,
		account, itoa(w.Chain.ChainID), block.Bytes(), tx.Bytes(), asset.Token.Bytes(), Address("payer").Bytes(), amount.String(), asset.ID)
}

func itoa(n uint64) string { return settlement.NewAmount(n).String() }

// PayFinally ends a submitted settlement as paid, by a Settled event in the final block 0: its nonce is consumed, its hold is
// posted, its key is completed.
func (w *World) PayFinally(s settlement.Settlement) {
	w.T.Helper()
	block, tx := w.FinalBlock(), s.Live.Newest.Hash
	w.Exec(`UPDATE transactions SET live = false, outcome = 'paid', consumed_hash = $2, consumed_block = $3, mined_hash = $2, mined_block = 0 WHERE id = $1`,
		s.Live.ID, tx.Bytes(), block.Bytes())
	w.Exec(`UPDATE asset_liquidity SET in_flight = in_flight - $2::text::numeric WHERE asset_id = $1`, s.Asset.ID, s.Amount.String())
	w.Exec(`UPDATE lanes SET mined_nonce = greatest(mined_nonce, $2) WHERE id = $1`, s.Live.LaneID, s.Live.Nonce+1)
	w.effect(s, "Settled", "settled", tx)
	w.Exec(`INSERT INTO transfers (debit_account, credit_account, asset_id, amount, phase, leg, pending_id, settlement_id, effect_id)
		SELECT h.debit_account, h.credit_account, h.asset_id, h.amount, 'posted', 'payment', h.id, h.settlement_id, e.id
		  FROM transfers h JOIN effects e USING (settlement_id) WHERE h.settlement_id = $1 AND h.leg = 'hold'`, s.ID)
	w.Exec(`UPDATE settlements SET state = 'settled', tx_hash = $2, block_number = 0, effect_id = (SELECT id FROM effects WHERE settlement_id = $1) WHERE id = $1`,
		s.ID, tx.Bytes())
	w.finishKey(s, "completed")
}

// RevokeFinally ends a settlement without a nonce by a Revoked event in the final block 0.
func (w *World) RevokeFinally(s settlement.Settlement) {
	w.T.Helper()
	w.FinalBlock()
	w.effect(s, "Revoked", "revoked", Hash("revoke of "+s.Key.Value))
	w.Exec(`INSERT INTO transfers (debit_account, credit_account, asset_id, amount, phase, leg, pending_id, settlement_id)
		SELECT debit_account, credit_account, asset_id, amount, 'voided', 'release', id, settlement_id FROM transfers WHERE settlement_id = $1 AND leg = 'hold'`, s.ID)
	w.Exec(`UPDATE settlements SET state = 'failed', reason = 'revoked', proof = 'revoked' WHERE id = $1`, s.ID)
	w.finishKey(s, "failed")
}

func (w *World) effect(s settlement.Settlement, name, kind string, tx common.Hash) {
	w.T.Helper()
	w.Exec(`WITH e AS (
		INSERT INTO events (chain_id, block_hash, tx_hash, log_index, tx_log_index, vault, name, event_key, token, party, amount, topics, data)
		SELECT s.chain_id, b.hash, $2, 0, 0, s.vault, $3, s.onchain_id, p.token, p.destination, p.amount, '{}', ''
		  FROM settlements s JOIN blocks b ON b.chain_id = s.chain_id AND b.number = 0
		  LEFT JOIN settlements p ON p.id = s.id AND $3 = 'Settled' WHERE s.id = $1 RETURNING *)
		INSERT INTO effects (chain_id, tx_hash, tx_log_index, event_id, block_hash, kind, vault, event_key, token, party, amount, settlement_id)
		SELECT chain_id, tx_hash, 0, id, block_hash, $4, vault, event_key, token, party, amount, $1 FROM e`, s.ID, tx.Bytes(), name, kind)
}

func (w *World) finishKey(s settlement.Settlement, status string) {
	w.T.Helper()
	w.Exec(`UPDATE idempotency_keys SET status = $3, result = '{}', finished_at = now(), expires_at = now() WHERE tenant = $1 AND key = $2`, s.Key.Tenant, s.Key.Value, status)
}
