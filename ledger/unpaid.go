package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// FailUnpaid ends a settlement as failed, with I7's proof and never without: no nonce was ever allocated to it, which the
// guarded update itself proves; or every nonce is consumed in a final block without paying, and the vault called the id
// unpaid at one final block not below any of those. It voids the hold and finishes the key. It is Stale if the settlement
// has moved, also on repeat, and if a nonce was allocated since the proof was made; a proof that does not reach far enough
// yet is Transient. Nothing is written in either case.
func (l *Ledger) FailUnpaid(ctx context.Context, id int64, reason string, proof settlement.UnpaidProof) error {
	return l.endUnpaid(ctx, "fail", id, settlement.Failed, reason, proof)
}

// CancelUnpaid ends a settlement as cancelled, by an operator's wish and the same proof as FailUnpaid.
func (l *Ledger) CancelUnpaid(ctx context.Context, id int64, reason string, proof settlement.UnpaidProof) error {
	return l.endUnpaid(ctx, "cancel", id, settlement.Cancelled, reason, proof)
}

func (l *Ledger) endUnpaid(ctx context.Context, unit string, id int64, end settlement.State, reason string, proof settlement.UnpaidProof) error {
	if reason == "" {
		return settlement.Invalidf("reason", "must not be empty")
	}
	return l.do(ctx, unit+": settlement "+strconv.FormatInt(id, 10), func(t *Tx) error {
		e := unpaidEnding{t: t, end: end, reason: clip(reason)}
		if err := e.lock(id); err != nil {
			return err
		}
		if err := e.prove(proof); err != nil {
			return err
		}
		return e.write()
	})
}

// unpaidEnding is one settlement on its way to end unpaid.
type unpaidEnding struct {
	t      *Tx
	end    settlement.State
	reason string

	s      settlement.Settlement
	nonces nonceFacts
	proof  settlement.Proof
	block  *common.Hash
}

// nonceFacts is what the chain did with the nonces of one settlement, of whatever kind.
type nonceFacts struct {
	total, consumed, paid int
	highest               int64 // block that consumed one of them
	paidEffect            bool
}

// lock takes the locks in the design's order, and then reads.
func (e *unpaidEnding) lock(id int64) error {
	b := &pgx.Batch{}
	b.Queue(`SELECT 1 FROM idempotency_keys k JOIN settlements s USING (tenant, key) WHERE s.id = $1 FOR NO KEY UPDATE OF k`, id)
	b.Queue(`SELECT 1 FROM settlements WHERE id = $1 FOR NO KEY UPDATE`, id)
	b.Queue(`SELECT 1 FROM queue WHERE settlement_id = $1 FOR UPDATE`, id)
	queueSettlement(b, &e.s, ` WHERE s.id = $1`, id)
	b.Queue(`SELECT count(*), count(t.consumed_hash), count(*) FILTER (WHERE t.outcome = 'paid'), coalesce(max(k.number), 0),
		        EXISTS (SELECT 1 FROM effects f WHERE f.settlement_id = $1 AND f.kind = 'settled' AND f.reversed_at IS NULL)
		   FROM transaction_items i JOIN transactions t ON t.id = i.transaction_id
		   LEFT JOIN blocks k ON k.chain_id = t.chain_id AND k.hash = t.consumed_block WHERE i.settlement_id = $1`, id).QueryRow(func(row pgx.Row) error {
		return row.Scan(&e.nonces.total, &e.nonces.consumed, &e.nonces.paid, &e.nonces.highest, &e.nonces.paidEffect)
	})
	return e.t.Batch(b)
}

func (e *unpaidEnding) prove(proof settlement.UnpaidProof) error {
	switch {
	case !e.s.State.BeforeNonce():
		return stale("settlement %s is %s: only the chain ends it, or has", e.s.Key, e.s.State)
	case e.s.NoncesAllocated != proof.NoncesAllocated:
		return stale("settlement %s has had %d nonces, the proof knows of %d", e.s.Key, e.s.NoncesAllocated, proof.NoncesAllocated)
	case e.nonces.paid > 0 || e.nonces.paidEffect:
		return stale("settlement %s was paid", e.s.Key)
	case e.nonces.total == 0 && e.s.NoncesAllocated == 0:
		e.proof = settlement.ProofNeverAllocated
		return nil
	case e.s.NoncesAllocated == 0:
		return stale("settlement %s has a revoke out: its final event decides", e.s.Key)
	case e.nonces.consumed < e.nonces.total:
		return stale("settlement %s has %d nonces that are not finally consumed", e.s.Key, e.nonces.total-e.nonces.consumed)
	}
	return e.proveConsumed(proof)
}

// proveConsumed checks that the vault was asked at a final block not below any that consumed a nonce.
func (e *unpaidEnding) proveConsumed(proof settlement.UnpaidProof) error {
	var final bool
	var number int64
	err := e.t.QueryRow(`SELECT coalesce(bool_or(final), false), coalesce(max(number), 0) FROM blocks WHERE chain_id = $1 AND hash = $2`,
		e.s.Asset.ChainID, proof.Block.Hash).Scan(&final, &number)
	if err != nil {
		return err
	}
	if !final || number < e.nonces.highest {
		return settlement.Errorf(settlement.Transient, "settlement %s: the proof's block %d %s is not final here, or is below block %d which consumed a nonce",
			e.s.Key, proof.Block.Number, proof.Block.Hash, e.nonces.highest)
	}
	e.proof, e.block = settlement.ProofNoncesConsumed, &proof.Block.Hash
	return nil
}

// write queues the end for the round trip of COMMIT: the void moves the vault's balance row, the hottest of all.
func (e *unpaidEnding) write() error {
	e.s.State, e.s.Reason, e.s.Proof = e.end, e.reason, e.proof
	snapshot, err := json.Marshal(e.s.Snapshot())
	if err != nil {
		return fmt.Errorf("encode snapshot of %s: %w", e.s.Key, err)
	}
	e.t.AtCommitOne("the key is finished", `UPDATE idempotency_keys SET status = 'failed', result = $3::jsonb, finished_at = now(), expires_at = now() + $4::interval
		WHERE tenant = $1 AND key = $2 AND status = 'in_progress'`, e.s.Key.Tenant, e.s.Key.Value, string(snapshot), snapshotKept)
	e.t.AtCommitOne("the settlement moved, or a nonce was allocated", `UPDATE settlements s SET state = $2, reason = $3, proof = $4, proof_block = $5, wake_block = NULL
		WHERE s.id = $1 AND s.state IN ('requested', 'queued', 'waiting') AND s.nonces_allocated = $6
		  AND NOT EXISTS (SELECT 1 FROM transaction_items i WHERE i.settlement_id = s.id AND i.live)`,
		e.s.ID, e.end, e.reason, e.proof, e.block, e.s.NoncesAllocated)
	e.t.AtCommit(`DELETE FROM queue WHERE settlement_id = $1`, e.s.ID)
	voidHold(e.t, e.s.ID)
	kind := TypeFailed
	if e.end == settlement.Cancelled {
		kind = TypeCancelled
	}
	emit(e.t, event{Tenant: e.s.Key.Tenant, Stream: settlementStream(e.s.Key), Type: kind, Cause: keyCause(e.s.Key), Payload: e.s.Snapshot()})
	wake(e.t, e.s.Key)
	return nil
}

// voidHold releases the amount to the customer, once: the index on pending_id refuses a second resolution.
func voidHold(t *Tx, settlementID int64) {
	t.AtCommitOne("there is no hold to void", `INSERT INTO transfers (debit_account, credit_account, asset_id, amount, phase, leg, pending_id, settlement_id)
		SELECT h.debit_account, h.credit_account, h.asset_id, h.amount, 'voided', 'release', h.id, h.settlement_id
		  FROM settlements s JOIN transfers h ON h.id = s.hold_id WHERE s.id = $1`, settlementID)
}
