package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// RecordBlock writes one block and everything that it says about us, in one commit of three round trips however much the
// block holds: its transactions and events, the cursor, the readings, our nonces and settlements that it mines, grants of
// free slots and wake-ups. It books nothing: effects wait for Finalize.
//
// The first block must be the chain's start block, every other one the child of the head: else ErrDiscontinuous. A block
// that is canonical already is a no-op, so a lost answer may be asked again. What a block holds never makes the commit fail.
func (l *Ledger) RecordBlock(ctx context.Context, lease settlement.Lease, chainID uint64, block settlement.Block) error {
	return l.do(ctx, "record block", func(t *Tx) error {
		r := recording{t: t, chainID: chainID, block: block, wakes: keySet{}}
		if err := r.lock(lease); err != nil {
			return fmt.Errorf("block %d %s: %w", block.Number, block.Hash, err)
		}
		if r.canonical {
			return nil
		}
		if err := r.check(); err != nil {
			return fmt.Errorf("block %d %s: %w", block.Number, block.Hash, err)
		}
		if err := r.write(); err != nil {
			return fmt.Errorf("block %d %s: %w", block.Number, block.Hash, err)
		}
		return r.tell()
	})
}

// recording is one RecordBlock under way.
type recording struct {
	t       *Tx
	chainID uint64
	block   settlement.Block

	// read under locks
	cursor    cursor
	canonical bool // the block is recorded already
	ours      map[common.Hash]bool
	candidate map[int64]settlement.Settlement // submitted, with an attempt in this block
	liquidity map[int64]settlement.Amount     // by asset id, before this block
	lanes     []laneRow
	aged      []int64 // assets of which spending is an hour old since the last block

	// written
	seen  int // how often this block became canonical
	mined []minedPayment
	wakes keySet
}

// lock takes the fence and every lock of the commit, in the design's order, and reads what the writes depend on.
func (r *recording) lock(lease settlement.Lease) error {
	b := &pgx.Batch{}
	fence(b, lease)
	lockCursor(b, r.chainID, &r.cursor)
	b.Queue(`SELECT canonical FROM blocks WHERE chain_id = $1 AND hash = $2`, r.chainID, r.block.Hash).QueryRow(func(row pgx.Row) error {
		if err := row.Scan(&r.canonical); !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		return nil
	})
	r.lockCandidates(b)
	r.lockLanes(b)
	return r.t.Batch(b)
}

// check refuses what does not continue the recorded chain: the one thing that may stop the cursor.
func (r *recording) check() error {
	if err := r.cursor.errStopped(); err != nil {
		return err
	}
	if !r.cursor.begun {
		if r.block.Number != r.cursor.startBlock {
			return fmt.Errorf("the first block must be number %d: %w", r.cursor.startBlock, ErrDiscontinuous)
		}
		return nil
	}
	if r.block.Number != r.cursor.Number+1 || r.block.Parent != r.cursor.Hash {
		return fmt.Errorf("the head is %d %s: %w", r.cursor.Number, r.cursor.Hash, ErrDiscontinuous)
	}
	return nil
}

func (r *recording) write() error {
	b := &pgx.Batch{}
	r.writeFacts(b)
	r.writeMined(b)
	r.writeReadings(b)
	r.writeWakes(b)
	expireGrants(b, r.chainID, r.block.Number, r.wakes)
	grantSlots(b, r.chainID, r.block.Number, r.wakes)
	return r.t.Batch(b)
}

// tell emits what the world and the workflows hear of this block.
func (r *recording) tell() error {
	for _, m := range r.mined {
		s := r.candidate[m.settlementID]
		s.State, s.TxHash, s.BlockNumber = settlement.Mined, &m.txHash, &r.block.Number
		emit(r.t, event{
			Tenant: s.Key.Tenant, Stream: settlementStream(s.Key), Type: TypeMined,
			Cause: logCause(r.block.Hash, m.txHash, m.txLogIndex), N: r.seen - 1, Payload: s.Snapshot(),
		})
	}
	for _, lane := range r.lanes {
		if err := r.tellLane(lane); err != nil {
			return err
		}
	}
	wake(r.t, r.wakes.sorted()...)
	return nil
}
