package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// Unpark lets a parked stream go on with the row that parked it. Asking for a stream that is not parked is Stale.
func (l *Ledger) Unpark(ctx context.Context, actor, stream, destination string) error {
	return l.do(ctx, "unpark stream", func(t *Tx) error {
		reason, err := unpark(t, stream, destination)
		if err != nil {
			return err
		}
		_, err = t.Exec(`
			UPDATE outbox SET lease_token = NULL, leased_until = NULL, next_attempt_at = clock_timestamp()
			 WHERE id = (`+parkedHeadSQL+`) AND published_at IS NULL AND skipped_at IS NULL`, stream, destination)
		if err != nil {
			return err
		}
		return journal(t, actor, "outbox.unpark", parkSubject(stream, destination), map[string]any{"reason": reason})
	})
}

// SkipParked gives up the row that parked a stream and lets the stream go on behind it. The destination never sees that
// event: its consumers find a gap in the sequence. The row stays in the table as skipped. Asking for a stream that is not
// parked is Stale.
func (l *Ledger) SkipParked(ctx context.Context, actor, stream, destination string) (settlement.OutboxRow, error) {
	var skipped settlement.OutboxRow
	err := l.do(ctx, "skip parked row", func(t *Tx) error {
		reason, err := unpark(t, stream, destination)
		if err != nil {
			return err
		}
		rows, err := collect(t, outboxRow, `
			UPDATE outbox SET skipped_at = clock_timestamp(), lease_token = NULL, leased_until = NULL
			 WHERE id = (`+parkedHeadSQL+`) AND published_at IS NULL AND skipped_at IS NULL
			RETURNING id, event_id, tenant, stream, destination, seq, epoch, type, payload, created_at, retry_count`, stream, destination)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return stale("stream %s at %s has no row to skip", stream, destination)
		}
		skipped = rows[0]
		return journal(t, actor, "outbox.skip", parkSubject(stream, destination),
			map[string]any{"reason": reason, "row": skipped.ID, "seq": skipped.Seq, "event_id": skipped.EventID})
	})
	return skipped, err
}

const parkedHeadSQL = `SELECT id FROM outbox WHERE stream = $1 AND destination = $2 AND published_at IS NULL AND skipped_at IS NULL ORDER BY seq LIMIT 1`

// unpark locks the stream's counter before any row, like Park.
func unpark(t *Tx, stream, destination string) (reason string, err error) {
	err = t.QueryRow(`
		UPDATE outbox_counters c SET parked_at = NULL, parked_reason = NULL
		  FROM (SELECT stream, destination, parked_reason FROM outbox_counters WHERE stream = $1 AND destination = $2 FOR NO KEY UPDATE) old
		 WHERE c.stream = old.stream AND c.destination = old.destination AND c.parked_at IS NOT NULL
		RETURNING old.parked_reason`, stream, destination).Scan(&reason)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", stale("stream %s at %s is not parked", stream, destination)
	}
	return reason, err
}

// Redeliver marks at most limit rows that were published in [from, until) as unpublished, after a broker has lost what it
// had acknowledged. Consumers see copies, behind newer events of the same stream: they tell them by event id. Call it
// again, with the same times, until it returns less than limit; until must lie in the past.
func (l *Ledger) Redeliver(ctx context.Context, actor, destination string, from, until time.Time, limit int) (int, error) {
	var n int
	err := l.do(ctx, "redeliver", func(t *Tx) error {
		rows, err := t.Exec(`
			UPDATE outbox SET published_at = NULL, next_attempt_at = clock_timestamp()
			 WHERE id IN (SELECT id FROM outbox
			               WHERE destination = $1 AND published_at >= $2 AND published_at < least($3, clock_timestamp())
			               ORDER BY published_at LIMIT $4 FOR UPDATE)`, destination, from, until, limit)
		if n = int(rows); err != nil || n == 0 {
			return err
		}
		return journal(t, actor, "outbox.redeliver", destination, map[string]any{"from": from, "until": until, "rows": n})
	})
	if err != nil {
		return 0, fmt.Errorf("redeliver to %s: %w", destination, err)
	}
	return n, nil
}
