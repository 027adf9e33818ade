package ledger

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// OutboxLag reads the state of every destination, also of those without backlog.
func (l *Ledger) OutboxLag(ctx context.Context) ([]settlement.OutboxLag, error) {
	return read(ctx, l, "outbox lag", outboxLag, outboxLagSQL)
}

// It reads the backlog and no published row.
const outboxLagSQL = `
SELECT d.name, d.enabled, o.n, coalesce(greatest(clock_timestamp() - o.oldest, interval '0'), interval '0'),
       (SELECT count(*) FROM outbox_counters c WHERE c.destination = d.name AND c.parked_at IS NOT NULL),
       coalesce((SELECT sum(n) FROM outbox_counts k WHERE k.destination = d.name AND k.outcome = 'published'), 0)::bigint,
       coalesce((SELECT sum(n) FROM outbox_counts k WHERE k.destination = d.name AND k.outcome = 'retried'), 0)::bigint
  FROM destinations d
 CROSS JOIN LATERAL (SELECT count(*) AS n, min(o.created_at) AS oldest FROM outbox o
                      WHERE o.destination = d.name AND o.published_at IS NULL AND o.skipped_at IS NULL) o
 ORDER BY d.name`

func outboxLag(row pgx.CollectableRow) (g settlement.OutboxLag, err error) {
	err = row.Scan(&g.Destination, &g.Enabled, &g.Backlog, &g.OldestAge, &g.ParkedStreams, &g.Published, &g.Retries)
	return g, err
}

// ParkedStream is a stream that waits for an operator at one destination.
type ParkedStream struct {
	Stream      string
	Destination string
	ParkedAt    time.Time
	Reason      string
	Head        *OutboxEntry // the row that parked it
	Backlog     int64        // the head included
}

// ParkedStreams lists them, oldest first.
func (l *Ledger) ParkedStreams(ctx context.Context, limit int) ([]ParkedStream, error) {
	return read(ctx, l, "parked streams", func(row pgx.CollectableRow) (p ParkedStream, err error) {
		var head OutboxEntry
		err = row.Scan(append([]any{&p.ParkedAt, &p.Reason, &p.Backlog}, head.fields()...)...)
		p.Stream, p.Destination, p.Head = head.Stream, head.Destination, &head
		return p, err
	}, `
		SELECT c.parked_at, c.parked_reason,
		       (SELECT count(*) FROM outbox b WHERE b.stream = c.stream AND b.destination = c.destination
		           AND b.published_at IS NULL AND b.skipped_at IS NULL),
		       `+outboxEntryColumns+`
		  FROM outbox_counters c
		 CROSS JOIN LATERAL (SELECT * FROM outbox h WHERE h.stream = c.stream AND h.destination = c.destination
		           AND h.published_at IS NULL AND h.skipped_at IS NULL ORDER BY h.seq LIMIT 1) o
		 WHERE c.parked_at IS NOT NULL ORDER BY c.parked_at, c.stream, c.destination LIMIT $1`, limit)
}

// OutboxEntry is a row with the state of its delivery.
type OutboxEntry struct {
	settlement.OutboxRow
	PublishedAt   *time.Time
	SkippedAt     *time.Time
	NextAttemptAt time.Time
	LastError     *string
	LeasedUntil   *time.Time
}

const outboxEntryColumns = `o.id, o.event_id, o.tenant, o.stream, o.destination, o.seq, o.epoch, o.type, o.payload, o.created_at, o.retry_count,
		       o.published_at, o.skipped_at, o.next_attempt_at, o.last_error, o.leased_until`

func (e *OutboxEntry) fields() []any {
	r := &e.OutboxRow
	return []any{
		&r.ID, &r.EventID, &r.Tenant, &r.Stream, &r.Destination, &r.Seq, &r.Epoch, &r.Type, &r.Payload, &r.CreatedAt, &r.Retries,
		&e.PublishedAt, &e.SkippedAt, &e.NextAttemptAt, &e.LastError, &e.LeasedUntil,
	}
}

// OutboxFilter narrows a listing; zero fields do not.
type OutboxFilter struct {
	Destination string
	Stream      string
	Pending     bool // neither published nor skipped
	Failing     bool // pending, and tried before without success
}

// OutboxRows lists rows by ascending id above after: pass the last id of a page to get the next. Published rows are there
// until the relay deletes them.
func (l *Ledger) OutboxRows(ctx context.Context, filter OutboxFilter, after int64, limit int) ([]OutboxEntry, error) {
	return read(ctx, l, "outbox rows", func(row pgx.CollectableRow) (e OutboxEntry, err error) {
		err = row.Scan(e.fields()...)
		return e, err
	}, `
		SELECT `+outboxEntryColumns+`
		  FROM outbox o
		 WHERE o.id > $1 AND ($2 = '' OR o.destination = $2) AND ($3 = '' OR o.stream = $3)
		   AND (NOT $4 OR o.published_at IS NULL AND o.skipped_at IS NULL)
		   AND (NOT $5 OR o.published_at IS NULL AND o.skipped_at IS NULL AND o.last_error IS NOT NULL)
		 ORDER BY o.id LIMIT $6`, after, filter.Destination, filter.Stream, filter.Pending, filter.Failing, limit)
}

// Terminal says whether a settlement has ended: then nobody waits for a wake-up any more. An unknown key is NotFound.
func (l *Ledger) Terminal(ctx context.Context, key settlement.Key) (bool, error) {
	return readOne(ctx, l, "terminal "+key.Canonical(), pgx.RowTo[bool],
		`SELECT state IN ('settled', 'failed', 'cancelled') FROM settlements WHERE tenant = $1 AND key = $2`, key.Tenant, key.Value)
}
