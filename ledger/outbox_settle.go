package ledger

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// All of these compare the claim's token strictly (never "or is null") and look at the row's state: a relay that wakes up
// after its rows were claimed by another changes nothing, and its count of rows says so.

// MarkPublished ends rows that the sink has accepted, and returns how many still belonged to the claim. A lease that ran
// out but was not claimed again still counts: the row *was* published.
func (l *Ledger) MarkPublished(ctx context.Context, token string, ids []int64) (int, error) {
	return l.settleOutbox(ctx, "mark published", `
		WITH done AS (
			UPDATE outbox SET published_at = clock_timestamp(), lease_token = NULL, leased_until = NULL
			 WHERE id = ANY ($1::bigint[]) AND lease_token = $2::uuid AND published_at IS NULL AND skipped_at IS NULL
			RETURNING destination
		), counted AS (
			INSERT INTO outbox_counts AS k (destination, outcome, shard, n)
			SELECT destination, 'published', pg_backend_pid() % 16, count(*) FROM done GROUP BY destination ORDER BY destination
			ON CONFLICT (destination, outcome, shard) DO UPDATE SET n = k.n + excluded.n
		)
		SELECT count(*) FROM done`, ids, token)
}

// MarkFailed gives rows back to be tried again after their delays, and counts a retry for each.
func (l *Ledger) MarkFailed(ctx context.Context, token string, failures []settlement.OutboxFailure) (int, error) {
	ids, texts, seconds := make([]int64, len(failures)), make([]string, len(failures)), make([]float64, len(failures))
	for i, f := range failures {
		ids[i], texts[i], seconds[i] = f.ID, storableText(f.Error), max(f.Delay, 0).Seconds()
	}
	return l.settleOutbox(ctx, "mark failed", `
		WITH done AS (
			UPDATE outbox o SET retry_count = o.retry_count + 1, last_error = f.text, lease_token = NULL, leased_until = NULL,
			       next_attempt_at = clock_timestamp() + make_interval(secs => f.seconds)
			  FROM unnest($1::bigint[], $3::text[], $4::float8[]) AS f (id, text, seconds)
			 WHERE o.id = f.id AND o.lease_token = $2::uuid AND o.published_at IS NULL AND o.skipped_at IS NULL
			RETURNING o.destination
		), counted AS (
			INSERT INTO outbox_counts AS k (destination, outcome, shard, n)
			SELECT destination, 'retried', pg_backend_pid() % 16, count(*) FROM done GROUP BY destination ORDER BY destination
			ON CONFLICT (destination, outcome, shard) DO UPDATE SET n = k.n + excluded.n
		)
		SELECT count(*) FROM done`, ids, token, texts, seconds)
}

// ReleaseOutbox gives rows back that were not tried, or were refused by a sink that is down: no attempt is counted.
func (l *Ledger) ReleaseOutbox(ctx context.Context, token string, ids []int64) (int, error) {
	return l.settleOutbox(ctx, "release outbox", `
		WITH done AS (
			UPDATE outbox SET lease_token = NULL, leased_until = NULL
			 WHERE id = ANY ($1::bigint[]) AND lease_token = $2::uuid AND published_at IS NULL AND skipped_at IS NULL
			RETURNING 1
		)
		SELECT count(*) FROM done`, ids, token)
}

// settleOutbox is safe to repeat: a row that was settled has no token any more.
func (l *Ledger) settleOutbox(ctx context.Context, name, sql string, ids []int64, args ...any) (int, error) {
	if len(ids) == 0 {
		return 0, nil
	}
	counts, err := statement(ctx, l, name, pgx.RowTo[int], sql, append([]any{ids}, args...)...)
	if err != nil {
		return 0, err
	}
	return counts[0], nil
}

// parkedLease outlives any claim whose snapshot is older than the park: such a claim finds the row leased.
const parkedLease = 2 * statementTimeout

var errNotHeld = errors.New("the row is not held by this claim")

// Park stops one stream at one destination, because its head can never be delivered; other streams and destinations go on.
// It says false, and changes nothing, if the row no longer belongs to the claim. Only Unpark or SkipParked end it.
func (l *Ledger) Park(ctx context.Context, token string, id int64, reason string) (bool, error) {
	reason = storableText(reason)
	err := l.do(ctx, "park stream", func(t *Tx) error {
		var stream, destination string
		err := t.QueryRow(`
			UPDATE outbox_counters c SET parked_at = clock_timestamp(), parked_reason = $3
			  FROM outbox o
			 WHERE o.id = $1 AND o.lease_token = $2::uuid AND o.published_at IS NULL AND o.skipped_at IS NULL
			   AND c.stream = o.stream AND c.destination = o.destination AND c.parked_at IS NULL
			RETURNING c.stream, c.destination`, id, token, reason).Scan(&stream, &destination)
		if errors.Is(err, pgx.ErrNoRows) {
			return errNotHeld
		}
		if err != nil {
			return err
		}
		held, err := t.Exec(`UPDATE outbox SET last_error = $3, leased_until = clock_timestamp() + $4::interval
			WHERE id = $1 AND lease_token = $2::uuid AND published_at IS NULL AND skipped_at IS NULL`, id, token, reason, parkedLease)
		if err != nil {
			return err
		}
		if held == 0 {
			return errNotHeld
		}
		return journal(t, "relay", "outbox.park", parkSubject(stream, destination), map[string]any{"row": id, "reason": reason})
	})
	if errors.Is(err, errNotHeld) {
		return false, nil
	}
	return err == nil, err
}

func parkSubject(stream, destination string) string { return destination + " " + stream }

// lastErrorBytesMax bounds what a sink's answer may take in a row.
const lastErrorBytesMax = 1000

// storableText makes any text acceptable to Postgres: a poisoned message must not poison the statement that records it.
func storableText(text string) string {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "\uFFFD")
	if len(text) > lastErrorBytesMax {
		cut := lastErrorBytesMax
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut]
	}
	if text == "" {
		return "no error text"
	}
	return text
}

// DeletePublished deletes at most limit rows that were published before age, in a commit of its own, and returns how many:
// call it again until it returns less than limit. Rows stay that long because a broker may lose what it has acknowledged:
// until then Redeliver can send them again.
func (l *Ledger) DeletePublished(ctx context.Context, age time.Duration, limit int) (int, error) {
	counts, err := statement(ctx, l, "delete published", pgx.RowTo[int], `
		WITH gone AS (
			DELETE FROM outbox WHERE id IN (
				SELECT id FROM outbox WHERE published_at < clock_timestamp() - $1::interval
				 ORDER BY published_at LIMIT $2 FOR UPDATE SKIP LOCKED)
			RETURNING 1
		)
		SELECT count(*) FROM gone`, age, limit)
	if err != nil {
		return 0, err
	}
	return counts[0], nil
}
