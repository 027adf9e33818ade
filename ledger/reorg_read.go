package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// Differs is what the books took from blocks that are gone.
type Differs struct {
	Effects []LostEffect `json:"effects"`
	Nonces  []LostNonce  `json:"nonces"`
}

// LostEffect is what a vanished event did.
type LostEffect struct {
	Kind       string             `json:"kind"` // settled, deposited, revoked, withdrawn, unexplained
	Block      common.Hash        `json:"block_hash"`
	Number     uint64             `json:"block_number"`
	TxHash     common.Hash        `json:"tx_hash"`
	TxLogIndex uint64             `json:"tx_log_index"`
	Key        string             `json:"key,omitempty"` // of the settlement, canonical
	Tenant     string             `json:"tenant,omitempty"`
	Account    string             `json:"account,omitempty"` // of a deposit
	Asset      string             `json:"asset,omitempty"`
	Amount     *settlement.Amount `json:"amount_base_units,omitempty"`
}

// LostNonce is a nonce that a vanished block had consumed.
type LostNonce struct {
	Signer  common.Address   `json:"signer"`
	Nonce   uint64           `json:"nonce"`
	TxHash  common.Hash      `json:"tx_hash"` // what had taken it
	Outcome string           `json:"outcome"`
	Key     string           `json:"key,omitempty"`
	State   settlement.State `json:"state,omitempty"` // of its settlement
}

const lostEffectsSQL = `
	SELECT e.kind, e.block_hash, b.number, e.tx_hash, e.tx_log_index,
	       CASE WHEN s.id IS NULL THEN '' WHEN s.tenant = 'default' THEN s.key ELSE '@' || s.tenant || '/' || s.key END,
	       COALESCE(a.tenant, s.tenant, ''), COALESCE(a.name, ''), COALESCE(n.symbol, ''), e.amount
	  FROM effects e JOIN blocks b ON b.chain_id = e.chain_id AND b.hash = e.block_hash
	  LEFT JOIN settlements s ON s.id = e.settlement_id LEFT JOIN accounts a ON a.id = e.account_id
	  LEFT JOIN assets n ON n.chain_id = e.chain_id AND n.token = e.token
	 WHERE e.chain_id = $1 AND b.canonical AND b.number > $2 AND e.reversed_at IS NULL ORDER BY e.id`

const lostNoncesSQL = `
	SELECT x.signer, x.nonce, x.consumed_hash, x.outcome,
	       CASE WHEN s.id IS NULL THEN '' WHEN s.tenant = 'default' THEN s.key ELSE '@' || s.tenant || '/' || s.key END, COALESCE(s.state, '')
	  FROM transactions x JOIN blocks b ON b.chain_id = x.chain_id AND b.hash = x.consumed_block
	  LEFT JOIN transaction_items i ON i.transaction_id = x.id AND i.position = 0 LEFT JOIN settlements s ON s.id = i.settlement_id
	 WHERE x.chain_id = $1 AND b.canonical AND b.number > $2 ORDER BY x.id`

func (r *reorging) differs() (d Differs, err error) {
	b := &pgx.Batch{}
	list(b, &d.Effects, pgx.RowToStructByPos[LostEffect], lostEffectsSQL, r.ChainID, r.to.Number)
	list(b, &d.Nonces, pgx.RowToStructByPos[LostNonce], lostNoncesSQL, r.ChainID, r.to.Number)
	return d, r.t.Batch(b)
}

// ReorgPlan is what a stopped listener found, and what accepting it would change.
type ReorgPlan struct {
	Stopped string // why the listener stopped; empty: it did not
	Head    settlement.Head
	Common  settlement.BlockRef // the last block that both chains share; zero if the listener found none
	Differs
}

// ReorgPlan says what AcceptReorg would change, in one snapshot. Without a block it takes the one that the listener named when it
// stopped.
func (l *Ledger) ReorgPlan(ctx context.Context, chainID uint64, block common.Hash) (p ReorgPlan, err error) {
	if p.Head, err = l.Head(ctx, chainID); err != nil {
		return p, err
	}
	p.Stopped = p.Head.Stopped
	if p.Stopped == "" && block == (common.Hash{}) {
		return p, nil
	}
	err = pgx.BeginTxFunc(ctx, l.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, `SELECT number, hash FROM blocks WHERE chain_id = $1 AND canonical AND hash = COALESCE($2, (
			SELECT decode(substr(j.details ->> 'common_hash', 3), 'hex') FROM journal j
			 WHERE j.subject = $3 AND j.action = 'reorg_below_final' ORDER BY j.id DESC LIMIT 1))`,
			chainID, orNull(block), fmt.Sprintf("chain/%d", chainID)).Scan(&p.Common.Number, &p.Common.Hash)
		if errors.Is(err, pgx.ErrNoRows) && block == (common.Hash{}) {
			return nil
		}
		if errors.Is(err, pgx.ErrNoRows) {
			return settlement.Invalidf("block", "is not on the recorded chain: %s", block)
		}
		if err != nil {
			return err
		}
		b := &pgx.Batch{}
		list(b, &p.Effects, pgx.RowToStructByPos[LostEffect], lostEffectsSQL, chainID, p.Common.Number)
		list(b, &p.Nonces, pgx.RowToStructByPos[LostNonce], lostNoncesSQL, chainID, p.Common.Number)
		l.counts.roundTrips.Add(4)
		l.counts.reads.Add(1)
		return tx.SendBatch(ctx, b).Close()
	})
	if err != nil {
		err = classify("reorg plan", err)
	}
	return p, err
}
