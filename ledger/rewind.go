package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// Rewind takes the recorded chain back to a block that the node still has: what was mined above it is unmined again, in one
// commit. No booking is undone, since none is made before finality. Rewinding to the head is a no-op.
//
// A reorg below the last final block answers ErrBelowFinal, and that alone is written down: the listener stays stopped until
// an operator accepts the reorg. A block that is not on the recorded chain answers ErrDiscontinuous.
func (l *Ledger) Rewind(ctx context.Context, lease settlement.Lease, chainID uint64, to settlement.BlockRef) error {
	var tooDeep error
	err := l.do(ctx, "rewind", func(t *Tx) (err error) {
		r := rewinding{t: t, chainID: chainID, to: to}
		tooDeep, err = r.run(lease)
		if err != nil {
			return fmt.Errorf("to block %d %s: %w", to.Number, to.Hash, err)
		}
		return nil
	})
	return errors.Join(tooDeep, err)
}

// rewinding is one Rewind under way.
type rewinding struct {
	t       *Tx
	chainID uint64
	to      settlement.BlockRef

	// read under locks
	cursor    cursor
	canonical bool                    // the block is on the recorded chain
	orphans   map[uint64]orphan       // blocks above it, by number
	mined     []settlement.Settlement // by a payment above it
}

// orphan is a block that leaves the chain.
type orphan struct {
	hash common.Hash
	seen int
}

func (r *rewinding) run(lease settlement.Lease) (tooDeep, err error) {
	if err := r.lock(lease); err != nil {
		return nil, err
	}
	if err := r.cursor.errStopped(); err != nil {
		return nil, err
	}
	final := r.cursor.Final
	switch {
	case !r.cursor.begun || r.to.Number > r.cursor.Number:
		return nil, ErrDiscontinuous
	case r.to.Number < final.Number || r.to.Number == final.Number && r.to.Hash != final.Hash:
		why := fmt.Sprintf("the chain left the final block %d %s: the last common block is %d %s", final.Number, final.Hash, r.to.Number, r.to.Hash)
		return fmt.Errorf("%s: %w", why, ErrBelowFinal), r.stop(why)
	case r.to == r.cursor.BlockRef:
		return nil, nil
	case !r.canonical && r.to != final: // the first final block is the parent of the first one recorded
		return nil, ErrDiscontinuous
	}
	if err := r.write(); err != nil {
		return nil, err
	}
	r.tell()
	return nil, nil
}

func (r *rewinding) lock(lease settlement.Lease) error {
	b := &pgx.Batch{}
	fence(b, lease)
	lockCursor(b, r.chainID, &r.cursor)
	b.Queue(`SELECT EXISTS (SELECT FROM blocks WHERE chain_id = $1 AND hash = $2 AND number = $3 AND canonical)`,
		r.chainID, r.to.Hash, r.to.Number).QueryRow(func(row pgx.Row) error { return row.Scan(&r.canonical) })
	b.Queue(`SELECT number, hash, seen FROM blocks WHERE chain_id = $1 AND canonical AND number > $2`, r.chainID, r.to.Number).Query(func(rows pgx.Rows) error {
		r.orphans = map[uint64]orphan{}
		var number uint64
		var o orphan
		_, err := pgx.ForEachRow(rows, []any{&number, &o.hash, &o.seen}, func() error { r.orphans[number] = o; return nil })
		return err
	})
	b.Queue(factSQL+` WHERE s.state = 'mined' AND s.chain_id = $1 AND s.block_number > $2 ORDER BY s.id FOR UPDATE OF s`,
		r.chainID, r.to.Number).Query(func(rows pgx.Rows) error {
		facts, err := pgx.CollectRows(rows, scanFact)
		r.mined = column(facts, func(f fact) settlement.Settlement { return f.Settlement })
		return err
	})
	b.Queue(laneSQL, r.chainID)
	return r.t.Batch(b)
}

// stop writes down that an operator must decide.
func (r *rewinding) stop(why string) error {
	if _, err := r.t.Exec(`UPDATE heads SET stopped = $2 WHERE chain_id = $1`, r.chainID, why); err != nil {
		return err
	}
	return journal(r.t, "listener", "reorg_below_final", fmt.Sprintf("chain/%d", r.chainID),
		map[string]any{"why": why, "final_number": r.cursor.Final.Number, "final_hash": r.cursor.Final.Hash, "common_number": r.to.Number, "common_hash": r.to.Hash})
}

func (r *rewinding) write() error {
	b := &pgx.Batch{}
	b.Queue(`
		UPDATE lanes l SET mined_nonce = LEAST(l.mined_nonce, GREATEST(gone.nonce, l.first_nonce)) FROM (
			SELECT m.signer, min(m.nonce) AS nonce FROM mined_transactions m JOIN blocks b ON b.chain_id = m.chain_id AND b.hash = m.block_hash
			 WHERE b.chain_id = $1 AND b.canonical AND b.number > $2 GROUP BY m.signer) gone
		 WHERE l.chain_id = $1 AND l.signer = gone.signer`, r.chainID, r.to.Number)
	b.Queue(`UPDATE blocks SET canonical = false WHERE chain_id = $1 AND canonical AND number > $2`, r.chainID, r.to.Number)
	b.Queue(`UPDATE transactions SET mined_hash = NULL, mined_block = NULL WHERE chain_id = $1 AND live AND mined_block > $2`, r.chainID, r.to.Number)
	b.Queue(`UPDATE settlements SET state = 'submitted', tx_hash = NULL, block_number = NULL WHERE id = ANY($1)`,
		column(r.mined, func(s settlement.Settlement) int64 { return s.ID }))
	b.Queue(`
		UPDATE heads h SET head_number = $2, head_hash = $3, base_fee = COALESCE(b.base_fee, h.base_fee), gas_limit = COALESCE(b.gas_limit, h.gas_limit),
		       updated_at = clock_timestamp()
		  FROM chains c LEFT JOIN blocks b ON b.chain_id = c.chain_id AND b.hash = $3
		 WHERE c.chain_id = $1 AND h.chain_id = $1`, r.chainID, r.to.Number, r.to.Hash)
	return r.t.Batch(b)
}

// tell lets the world know that a payment it saw mined is in no block any more. Workflows need no wake-up: the lane keeper
// sends the stored bytes again.
func (r *rewinding) tell() {
	for _, s := range r.mined {
		block := r.orphans[*s.BlockNumber]
		cause := txCause(block.hash, *s.TxHash)
		s.State, s.TxHash, s.BlockNumber = settlement.Submitted, nil, nil
		emit(r.t, event{
			Tenant: s.Key.Tenant, Stream: settlementStream(s.Key), Type: TypeSubmitted, Cause: cause, N: block.seen - 1, Payload: s.Snapshot(),
		})
	}
}
