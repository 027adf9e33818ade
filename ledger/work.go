package ledger

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/quittance/quittance/internal/crash"
)

// Counts says what the ledger asked of Postgres since Open.
type Counts struct {
	Commits    int64 // of units that wrote
	Reads      int64 // transactions of one reading statement
	RoundTrips int64
	Retries    int64 // of units, after 40001, 40P01, 55P03 or a connection lost before the commit
}

// Counts reads the counters.
func (l *Ledger) Counts() Counts {
	return Counts{
		Commits: l.counts.commits.Load(), Reads: l.counts.reads.Load(),
		RoundTrips: l.counts.roundTrips.Load(), Retries: l.counts.retries.Load(),
	}
}

// Tx is the one transaction of one unit of work. It lives within do, on one goroutine, and so carries its context.
// BEGIN, SAVEPOINT and RELEASE travel with the next statement, and what AtCommit was given travels with COMMIT.
type Tx struct {
	ctx     context.Context
	l       *Ledger
	conn    *pgx.Conn
	pending []string // control statements that travel with the next batch
	begun   bool
	tail    pgx.Batch
	events  []event   // written by one statement, after the tail
	last    pgx.Batch // counters that many units share, after the events
}

const beginSQL = "begin isolation level read committed read write"

// do runs f in one transaction and commits. name is the unit, or "unit: subject"; errors carry it. f runs again, from its first line, after 40001, 40P01, 55P03 and after a
// connection lost before COMMIT was sent: it must reset what it returns through captured variables, and have no effect
// outside of Postgres. Such an error is never a business answer: when tries run out it is Transient. A COMMIT whose answer
// got lost is Unknown: it may have happened.
func (l *Ledger) do(ctx context.Context, name string, f func(*Tx) error) error {
	for attempt := 0; ; attempt++ {
		err := l.try(ctx, name, f)
		if err == nil {
			return nil
		}
		if !retryable(err) || attempt >= l.options.retriesMax || ctx.Err() != nil {
			return classify(name, err)
		}
		l.counts.retries.Add(1)
		if err := pause(ctx, attempt); err != nil {
			return classify(name, err)
		}
	}
}

// pause sleeps 2 ms doubled per attempt, at most 250 ms, with full jitter.
func pause(ctx context.Context, attempt int) error {
	limit := min(2*time.Millisecond<<min(attempt, 10), 250*time.Millisecond)
	timer := time.NewTimer(rand.N(limit) + time.Millisecond)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func (l *Ledger) try(ctx context.Context, name string, f func(*Tx) error) error {
	conn, err := l.pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("acquire a connection: %w", err)
	}
	defer conn.Release() // the pool destroys a connection that is still in a transaction (a panic in f)
	tx := &Tx{ctx: ctx, l: l, conn: conn.Conn(), pending: []string{beginSQL}}
	if err := f(tx); err != nil {
		tx.rollback(ctx)
		return err
	}
	return tx.commit(ctx, name)
}

// point is where crash tests kill the process, and where this package's tests look on.
func (l *Ledger) point(name, where string) {
	if l.options.hook == nil && !crash.Enabled {
		return
	}
	unit, _, _ := strings.Cut(name, ": ")
	if l.options.hook != nil {
		l.options.hook(unit + "." + where)
	}
	if crash.Enabled {
		crash.Point("ledger." + strings.ReplaceAll(unit, " ", "_") + "." + where)
	}
}

func (t *Tx) rollback(ctx context.Context) {
	if !t.begun || t.conn.IsClosed() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockTimeout)
	defer cancel()
	t.l.counts.roundTrips.Add(1)
	_, _ = t.conn.Exec(ctx, "rollback") // if it fails, the pool destroys the connection, which rolls back as well
}

// commit sends what AtCommit holds and COMMIT in one round trip. An error in any of them makes the server skip the rest.
func (t *Tx) commit(ctx context.Context, name string) error {
	if len(t.events) > 0 {
		args, err := emitArgs(t.events)
		if err != nil {
			t.rollback(ctx)
			return err
		}
		t.AtCommit(emitSQL, args...)
	}
	t.tail.QueuedQueries = append(t.tail.QueuedQueries, t.last.QueuedQueries...)
	if !t.begun && t.tail.Len() == 0 {
		return nil // f neither read nor wrote
	}
	t.l.point(name, "before_commit")
	var tag pgconn.CommandTag
	sent := t.tail
	t.tail = pgx.Batch{}
	sent.Queue("commit").Exec(func(ct pgconn.CommandTag) error { tag = ct; return nil })
	err := t.Batch(&sent)
	switch {
	case tag.String() == "COMMIT": // whatever happened to the connection afterwards
	case err != nil:
		t.rollback(ctx)
		return &commitError{err}
	default:
		return fmt.Errorf("commit answered %s: nothing was written", tag)
	}
	t.l.counts.commits.Add(1)
	t.l.point(name, "after_commit")
	return nil
}

// commitError marks an error of the round trip that held COMMIT.
type commitError struct{ err error }

func (e *commitError) Error() string { return e.err.Error() }
func (e *commitError) Unwrap() error { return e.err }

// Batch sends all statements in one round trip and calls their callbacks in order, up to the first error.
func (t *Tx) Batch(b *pgx.Batch) error {
	if len(t.pending) > 0 {
		control := &pgx.Batch{}
		for _, sql := range t.pending {
			control.Queue(sql)
		}
		b.QueuedQueries = append(control.QueuedQueries, b.QueuedQueries...)
		t.pending = nil
	}
	t.begun = true
	t.l.counts.roundTrips.Add(1)
	return t.conn.SendBatch(t.ctx, b).Close()
}

// AtCommit keeps a statement for the round trip of COMMIT, so that the locks it takes are held for one trip only. A callback
// set on the result runs when COMMIT may have happened already: the statement itself must raise an error when it must not
// pass (by a constraint, the function must, or AtCommitOne).
func (t *Tx) AtCommit(sql string, args ...any) *pgx.QueuedQuery { return t.tail.Queue(sql, args...) }

// AtCommitOne is AtCommit for an UPDATE or DELETE that must touch exactly one row: the server checks it before COMMIT, and
// otherwise the unit ends as Stale with what was refused.
func (t *Tx) AtCommitOne(refusal, sql string, args ...any) {
	t.tail.Queue(`WITH touched AS (`+sql+` RETURNING 1) SELECT must((SELECT count(*) FROM touched) = 1, '`+strings.ReplaceAll(refusal, "'", "''")+`')`, args...)
}

// Exec runs one statement and returns how many rows it touched.
func (t *Tx) Exec(sql string, args ...any) (int64, error) {
	var affected int64
	b := &pgx.Batch{}
	b.Queue(sql, args...).Exec(func(ct pgconn.CommandTag) error { affected = ct.RowsAffected(); return nil })
	err := t.Batch(b)
	return affected, err
}

// QueryRow runs one statement when Scan is called. Without a row Scan returns pgx.ErrNoRows.
func (t *Tx) QueryRow(sql string, args ...any) pgx.Row { return lazyRow{t, sql, args} }

type lazyRow struct {
	t    *Tx
	sql  string
	args []any
}

func (r lazyRow) Scan(dest ...any) error {
	b := &pgx.Batch{}
	b.Queue(r.sql, r.args...).QueryRow(func(row pgx.Row) error { return row.Scan(dest...) })
	return r.t.Batch(b)
}

// collect runs one statement in the transaction and maps its rows.
func collect[T any](t *Tx, to pgx.RowToFunc[T], sql string, args ...any) ([]T, error) {
	var out []T
	b := &pgx.Batch{}
	b.Queue(sql, args...).Query(func(rows pgx.Rows) (err error) {
		out, err = pgx.CollectRows(rows, to)
		return err
	})
	err := t.Batch(b)
	return out, err
}

// Savepoint runs f and undoes it if the database refused what it wrote (SQLSTATE classes 22 and 23): that is the refusal, and
// the transaction goes on. Any other error, a deadlock above all, is err and ends the unit. What f gives to AtCommit runs
// outside of the savepoint: within one, only emit may use it.
func (t *Tx) Savepoint(f func() error) (refusal, err error) {
	t.pending = append(t.pending, "savepoint effect")
	tail, events := len(t.tail.QueuedQueries), len(t.events)
	err = f()
	switch {
	case err == nil:
		t.pending = append(t.pending, "release savepoint effect")
		return nil, nil
	case !refused(err):
		return nil, err
	}
	// At once and by the simple protocol: a transaction that is aborted prepares nothing, and the next batch may have to.
	t.l.counts.roundTrips.Add(1)
	if _, lost := t.conn.Exec(t.ctx, "rollback to savepoint effect; release savepoint effect", pgx.QueryExecModeSimpleProtocol); lost != nil {
		return nil, fmt.Errorf("undo what was refused (%s): %w", err.Error(), lost)
	}
	t.tail.QueuedQueries, t.events = t.tail.QueuedQueries[:tail], t.events[:events]
	return err, nil
}

// read runs one reading statement, which is one transaction, one snapshot and one round trip.
func read[T any](ctx context.Context, l *Ledger, name string, to pgx.RowToFunc[T], sql string, args ...any) ([]T, error) {
	for attempt := 0; ; attempt++ {
		l.counts.reads.Add(1)
		l.counts.roundTrips.Add(1)
		rows, _ := l.pool.Query(ctx, sql, args...)
		out, err := pgx.CollectRows(rows, to)
		if err == nil {
			return out, nil
		}
		if !retryable(err) || attempt >= l.options.retriesMax || ctx.Err() != nil {
			return nil, classify(name, err)
		}
		l.counts.retries.Add(1)
		if err := pause(ctx, attempt); err != nil {
			return nil, classify(name, err)
		}
	}
}

// readOne is read for a row that must exist; without one the error wraps pgx.ErrNoRows and its kind is NotFound.
func readOne[T any](ctx context.Context, l *Ledger, name string, to pgx.RowToFunc[T], sql string, args ...any) (T, error) {
	out, err := read(ctx, l, name, to, sql, args...)
	if err == nil && len(out) == 0 {
		err = classify(name, pgx.ErrNoRows)
	}
	if err != nil {
		var zero T
		return zero, err
	}
	return out[0], nil
}
