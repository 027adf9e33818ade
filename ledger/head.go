package ledger

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// Head returns where the listener of a chain stands, with the newest readings. Before the first block its kind is NotFound.
func (l *Ledger) Head(ctx context.Context, chainID uint64) (settlement.Head, error) {
	return readOne(ctx, l, "head", scanHead, headSQL, chainID)
}

const headSQL = `
	SELECT head_number, head_hash, final_number, final_hash, base_fee, gas_limit, tip, vault_paused, COALESCE(stopped, '')
	  FROM heads WHERE chain_id = $1`

func scanHead(row pgx.CollectableRow) (h settlement.Head, err error) {
	err = row.Scan(&h.Number, &h.Hash, &h.Final.Number, &h.Final.Hash, &h.BaseFee, &h.GasLimit, &h.Tip, &h.Paused, &h.Stopped)
	return h, err
}

// blocksMax bounds one answer of Blocks.
const blocksMax = 10_000

// Blocks returns the canonical blocks from..to (inclusive, ascending) that are recorded, at most 10,000 of them: the
// listener walks down this list to find the block that it shares with the node after a reorg.
func (l *Ledger) Blocks(ctx context.Context, chainID, from, to uint64) ([]settlement.BlockRef, error) {
	return read(ctx, l, "blocks", func(row pgx.CollectableRow) (ref settlement.BlockRef, err error) {
		err = row.Scan(&ref.Number, &ref.Hash)
		return ref, err
	}, `SELECT number, hash FROM blocks WHERE chain_id = $1 AND canonical AND number BETWEEN $2 AND $3 ORDER BY number LIMIT $4`,
		chainID, from, to, blocksMax)
}

// cursor is the head under its lock, and what of the chain's registration it needs.
type cursor struct {
	settlement.Head
	begun      bool   // false before the first block
	startBlock uint64 // of the vault's deployment
}

// lockCursor queues the lock that every write of a listener takes right after its fence, so that they follow one another.
// The head is read by a statement of its own: a statement that waited for a lock reads other rows as they were before.
func lockCursor(b *pgx.Batch, chainID uint64, into *cursor) {
	b.Queue(`SELECT start_block FROM chains WHERE chain_id = $1 FOR NO KEY UPDATE`, chainID).QueryRow(func(row pgx.Row) error {
		if err := row.Scan(&into.startBlock); err != nil {
			return fmt.Errorf("chain %d is not registered: %w", chainID, err)
		}
		return nil
	})
	b.Queue(headSQL, chainID).Query(func(rows pgx.Rows) error {
		heads, err := pgx.CollectRows(rows, scanHead)
		if err == nil && len(heads) == 1 {
			into.Head, into.begun = heads[0], true
		}
		return err
	})
}

// errStopped is the answer to every write of a listener that an operator must set going again.
func (c *cursor) errStopped() error {
	if c.Stopped == "" {
		return nil
	}
	return fmt.Errorf("the listener is stopped: %s: %w", c.Stopped, ErrBelowFinal)
}
