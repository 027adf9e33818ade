package ledger

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Snapshot lets f read everything as of one moment, in one REPEATABLE READ transaction that cannot write. f may take its time
// over other IO only if that is bounded: an open snapshot holds back vacuum.
func (l *Ledger) Snapshot(ctx context.Context, f func(pgx.Tx) error) error {
	conn, err := l.pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("open snapshot: %w", err)
	}
	defer conn.Release()
	// The session's idle limit guards writers; a reader that asks a node in between would trip it.
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return fmt.Errorf("open snapshot: %w", err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // it read only
	if _, err := tx.Exec(ctx, `SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL statement_timeout = 0`); err != nil {
		return fmt.Errorf("open snapshot: %w", err)
	}
	return f(tx)
}
