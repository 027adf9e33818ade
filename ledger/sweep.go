package ledger

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// Stuck lists open settlements that no sweeper has looked at for so long, longest ago first. Who has looked calls MarkSwept,
// which moves them to the end: a page full of settlements that cannot be helped hides nobody.
func (l *Ledger) Stuck(ctx context.Context, olderThan time.Duration, limit int) ([]settlement.Key, error) {
	return read(ctx, l, "list stuck settlements", pgx.RowToStructByPos[settlement.Key],
		`SELECT tenant, key FROM settlements WHERE state NOT IN ('settled', 'failed', 'cancelled') AND swept_at < now() - $1::interval
		  ORDER BY swept_at, id LIMIT $2`, olderThan, limit)
}

// MarkSwept notes that a sweeper has looked at these settlements now. Two sweepers at once: no harm. It never waits for a
// settlement that somebody works on: that one is not stuck.
func (l *Ledger) MarkSwept(ctx context.Context, keys []settlement.Key) error {
	tenants, values := make([]string, len(keys)), make([]string, len(keys))
	for i, key := range keys {
		tenants[i], values[i] = key.Tenant, key.Value
	}
	return l.do(ctx, "mark swept", func(t *Tx) error {
		_, err := t.Exec(`UPDATE settlements SET swept_at = clock_timestamp() WHERE id IN (
			SELECT s.id FROM settlements s JOIN unnest($1::text[], $2::text[]) AS k (tenant, key) ON s.tenant = k.tenant AND s.key = k.key
			 ORDER BY s.id FOR NO KEY UPDATE OF s SKIP LOCKED)`, tenants, values)
		return err
	})
}
