package ledger

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

const (
	// outboxRunMax bounds how many rows of one stream one claim takes, so that one busy stream cannot fill every batch.
	outboxRunMax = 128
	// outboxSweepMax bounds how many streams one claim looks at, so that a hundred thousand streams which wait cost no more
	// than a few: the next claim goes on where this one ended.
	outboxSweepMax = 2000
)

// claimOutboxSQL walks over the streams with pending rows by name, a jump in the index each, whatever number of rows they
// have. Of each that is not parked it takes the head of line, the oldest row not published, if that is due and not leased.
// Locking a head with SKIP LOCKED is what makes two relays take turns: who takes further rows of a stream (a run without
// gaps, each due and free) holds its head. A claim may have to wait for a row that an expired claim is just settling, so
// conditions are repeated where rows are locked. A lease that ran out without an outcome counts as a retry: the sink may
// have seen the row.
const claimOutboxSQL = `
WITH RECURSIVE streams (stream, n) AS (
	(SELECT o.stream, 1 FROM outbox o
	  WHERE o.destination = $1 AND o.published_at IS NULL AND o.skipped_at IS NULL AND o.stream > $5 ORDER BY o.stream LIMIT 1)
	UNION ALL
	SELECT x.stream, s.n + 1 FROM streams s
	 CROSS JOIN LATERAL (SELECT o.stream FROM outbox o
	                      WHERE o.destination = $1 AND o.published_at IS NULL AND o.skipped_at IS NULL AND o.stream > s.stream
	                      ORDER BY o.stream LIMIT 1) x
	 WHERE s.n < $6
), candidates AS MATERIALIZED (
	SELECT h.id, s.stream FROM streams s
	 CROSS JOIN LATERAL (SELECT o.id, o.next_attempt_at, o.leased_until FROM outbox o
	                      WHERE o.destination = $1 AND o.stream = s.stream AND o.published_at IS NULL AND o.skipped_at IS NULL
	                      ORDER BY o.seq LIMIT 1) h
	 WHERE h.next_attempt_at <= clock_timestamp() AND (h.leased_until IS NULL OR h.leased_until <= clock_timestamp())
	   AND NOT EXISTS (SELECT 1 FROM outbox_counters c WHERE c.stream = s.stream AND c.destination = $1 AND c.parked_at IS NOT NULL)
	 LIMIT $2
), heads AS MATERIALIZED (
	SELECT o.id, o.stream, o.seq, o.lease_token IS NOT NULL AS lapsed FROM outbox o
	 WHERE o.id = ANY (ARRAY(SELECT id FROM candidates)) AND o.published_at IS NULL AND o.skipped_at IS NULL
	   AND o.next_attempt_at <= clock_timestamp() AND (o.leased_until IS NULL OR o.leased_until <= clock_timestamp())
	 ORDER BY o.id FOR UPDATE SKIP LOCKED
), followers AS MATERIALIZED (
	SELECT r.id, r.lapsed FROM heads h
	 CROSS JOIN LATERAL (
		SELECT f.id, f.lease_token IS NOT NULL AS lapsed,
		       bool_and(f.next_attempt_at <= clock_timestamp() AND (f.leased_until IS NULL OR f.leased_until <= clock_timestamp()))
		       OVER (ORDER BY f.seq) AS free
		  FROM (SELECT * FROM outbox f
		         WHERE f.destination = $1 AND f.stream = h.stream AND f.seq > h.seq AND f.published_at IS NULL AND f.skipped_at IS NULL
		         ORDER BY f.seq LIMIT $7) f) r
	 WHERE r.free LIMIT greatest($2 - (SELECT count(*) FROM heads), 0)
), picked AS MATERIALIZED (
	SELECT id, lapsed FROM heads UNION ALL SELECT id, lapsed FROM followers
), claimed AS (
	UPDATE outbox o SET lease_token = $3, leased_until = clock_timestamp() + $4::interval,
	       retry_count = o.retry_count + (o.lease_token IS NOT NULL)::integer
	 WHERE o.id = ANY (ARRAY(SELECT id FROM picked)) AND o.published_at IS NULL AND o.skipped_at IS NULL
	   AND (o.leased_until IS NULL OR o.leased_until <= clock_timestamp())
	RETURNING o.*
), counted AS (
	INSERT INTO outbox_counts AS k (destination, outcome, shard, n)
	SELECT $1, 'retried', pg_backend_pid() % 16, count(*) FROM claimed JOIN picked USING (id) WHERE lapsed HAVING count(*) > 0
	ON CONFLICT (destination, outcome, shard) DO UPDATE SET n = k.n + excluded.n
), cursor AS (
	SELECT CASE WHEN (SELECT count(*) FROM candidates) >= $2 THEN (SELECT max(stream) FROM candidates)
	            WHEN (SELECT count(*) FROM streams) >= $6 THEN (SELECT max(stream) FROM streams)
	            ELSE '' END AS next
)
SELECT next, id, event_id, tenant, stream, destination, seq, epoch, type, payload, created_at, retry_count
  FROM cursor LEFT JOIN claimed ON true`

// ClaimOutbox leases up to limit rows of one destination, in one commit, and returns at once: no transaction stays open
// while they are published. It looks at streams after the named one: pass the last claim's Next, so that every stream has
// its turn. Rows of one stream come as a run in order and must be published in order, each only after the one before it. A
// crash needs no cleaning up: when the lease runs out the rows can be claimed again. Time is Postgres's.
func (l *Ledger) ClaimOutbox(ctx context.Context, destination string, limit int, lease time.Duration, after string) (settlement.OutboxClaim, error) {
	token := uuid.New()
	claim := settlement.OutboxClaim{Token: token.String()}
	rows, err := read(ctx, l, "claim outbox", func(row pgx.CollectableRow) (r *settlement.OutboxRow, err error) {
		var id *int64
		if err := row.Scan(&claim.Next, &id, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil); err != nil || id == nil {
			return nil, err
		}
		r = &settlement.OutboxRow{}
		err = row.Scan(nil, &r.ID, &r.EventID, &r.Tenant, &r.Stream, &r.Destination, &r.Seq, &r.Epoch, &r.Type, &r.Payload, &r.CreatedAt, &r.Retries)
		return r, err
	}, claimOutboxSQL, destination, limit, token, lease, after, outboxSweepMax, outboxRunMax)
	if err != nil {
		return settlement.OutboxClaim{}, err
	}
	if rows[0] == nil {
		return settlement.OutboxClaim{Next: claim.Next}, nil
	}
	l.counts.reads.Add(-1)
	l.counts.commits.Add(1)
	for _, r := range rows {
		claim.Rows = append(claim.Rows, *r)
	}
	slices.SortFunc(claim.Rows, func(a, b settlement.OutboxRow) int { return cmp.Compare(a.ID, b.ID) })
	return claim, nil
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
