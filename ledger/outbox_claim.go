package ledger

import (
	"context"
	"sort"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// outboxRunMax bounds how many rows of one stream one claim takes, so that one busy stream cannot fill every batch.
const outboxRunMax = 64

// claimOutboxSQL takes heads of line first: of each stream that is not parked, the oldest row not published, if it is due
// and not leased. Locking a head with SKIP LOCKED is what makes two relays take turns: who takes further rows of a stream
// (a run without gaps, each due and free) holds its head. A claim may block on a row that an expired claim is just
// settling, so the last WHERE looks at the row's newest version again. A lease that ran out without an outcome counts as
// a retry: the sink may have seen the row.
const claimOutboxSQL = `
WITH heads AS MATERIALIZED (
	SELECT o.id, o.stream, o.seq
	  FROM outbox o JOIN outbox_counters c USING (stream, destination)
	 WHERE o.destination = $1 AND o.published_at IS NULL AND o.skipped_at IS NULL
	   AND o.next_attempt_at <= clock_timestamp() AND (o.leased_until IS NULL OR o.leased_until <= clock_timestamp())
	   AND c.parked_at IS NULL
	   AND NOT EXISTS (SELECT 1 FROM outbox p
	                    WHERE p.stream = o.stream AND p.destination = o.destination AND p.seq < o.seq
	                      AND p.published_at IS NULL AND p.skipped_at IS NULL)
	 ORDER BY o.id LIMIT $2 FOR UPDATE OF o SKIP LOCKED
), followers AS MATERIALIZED (
	SELECT r.id FROM heads h
	 CROSS JOIN LATERAL (
		SELECT f.id, bool_and(f.next_attempt_at <= clock_timestamp() AND (f.leased_until IS NULL OR f.leased_until <= clock_timestamp()))
		             OVER (ORDER BY f.seq) AS free
		  FROM outbox f
		 WHERE f.stream = h.stream AND f.destination = $1 AND f.seq > h.seq
		   AND f.published_at IS NULL AND f.skipped_at IS NULL
		 ORDER BY f.seq LIMIT $5) r
	 WHERE r.free LIMIT greatest($2 - (SELECT count(*) FROM heads), 0)
), claimed AS (
	UPDATE outbox o SET lease_token = $3, leased_until = clock_timestamp() + $4::interval,
	       retry_count = o.retry_count + (o.lease_token IS NOT NULL)::integer
	  FROM (SELECT id FROM heads UNION ALL SELECT id FROM followers) p
	 WHERE o.id = p.id AND o.published_at IS NULL AND o.skipped_at IS NULL
	   AND (o.leased_until IS NULL OR o.leased_until <= clock_timestamp())
	RETURNING o.*
), counted AS (
	INSERT INTO outbox_counts AS k (destination, outcome, shard, n)
	SELECT $1, 'retried', pg_backend_pid() % 16, count(*)
	  FROM outbox o JOIN claimed c USING (id) WHERE o.lease_token IS NOT NULL -- as it was before this statement
	HAVING count(*) > 0
	ON CONFLICT (destination, outcome, shard) DO UPDATE SET n = k.n + excluded.n
)
SELECT id, event_id, tenant, stream, destination, seq, epoch, type, payload, created_at, retry_count FROM claimed`

// ClaimOutbox leases up to limit rows of one destination, in one commit, and returns at once: no transaction stays open
// while they are published. Rows of one stream come as a run in order and must be published in order, each only after the
// one before it. A crash needs no cleaning up: when the lease runs out the rows can be claimed again. Time is Postgres's.
func (l *Ledger) ClaimOutbox(ctx context.Context, destination string, limit int, lease time.Duration) (settlement.OutboxClaim, error) {
	token := uuid.New()
	rows, err := statement(ctx, l, "claim outbox", outboxRow, claimOutboxSQL, destination, limit, token, lease, outboxRunMax)
	if err != nil || len(rows) == 0 {
		return settlement.OutboxClaim{}, err
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i].ID < rows[j].ID })
	return settlement.OutboxClaim{Token: token.String(), Rows: rows}, nil
}

func outboxRow(row pgx.CollectableRow) (r settlement.OutboxRow, err error) {
	err = row.Scan(&r.ID, &r.EventID, &r.Tenant, &r.Stream, &r.Destination, &r.Seq, &r.Epoch, &r.Type, &r.Payload, &r.CreatedAt, &r.Retries)
	return r, err
}

// statement runs one writing statement as a transaction and a round trip of its own, and again after 40001, 40P01, 55P03 or
// a lost connection: use it only for what does no harm when it happens twice.
func statement[T any](ctx context.Context, l *Ledger, name string, to pgx.RowToFunc[T], sql string, args ...any) ([]T, error) {
	out, err := read(ctx, l, name, to, sql, args...)
	if err == nil && len(out) > 0 {
		l.counts.reads.Add(-1)
		l.counts.commits.Add(1)
	}
	return out, err
}
