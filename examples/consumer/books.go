package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/quittance/quittance/inbox"
)

var errNoEvent = errors.New("the message is no CloudEvent")

// books are the effects: how many events of each type were seen, each counted once.
type books struct {
	pool *pgxpool.Pool
	name string
}

const schema = inbox.Schema + `;
CREATE TABLE IF NOT EXISTS consumer_counts (
    consumer text   NOT NULL,
    type     text   NOT NULL,
    n        bigint NOT NULL,
    PRIMARY KEY (consumer, type)
);
CREATE TABLE IF NOT EXISTS consumer_alarms (
    at       timestamptz NOT NULL DEFAULT now(),
    consumer text NOT NULL,
    event_id text NOT NULL,
    problem  text NOT NULL
)`

func openBooks(ctx context.Context, database, name string) (*books, error) {
	pool, err := pgxpool.New(ctx, database)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	if _, err := pool.Exec(ctx, schema); err != nil {
		pool.Close()
		return nil, fmt.Errorf("create the tables: %w", err)
	}
	return &books{pool, name}, nil
}

// count lets the event take effect, unless it did before.
func (b *books) count(ctx context.Context, e event.Event) error {
	_, err := inbox.Process(ctx, b.pool, b.name, e.ID(), e.Data(), func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `
			INSERT INTO consumer_counts AS c (consumer, type, n) VALUES ($1, $2, 1)
			ON CONFLICT (consumer, type) DO UPDATE SET n = c.n + 1`, b.name, e.Type())
		return err
	})
	return err
}

func (b *books) alarm(ctx context.Context, eventID, problem string) error {
	_, err := b.pool.Exec(ctx, `INSERT INTO consumer_alarms (consumer, event_id, problem) VALUES ($1, $2, $3)`, b.name, eventID, problem)
	return err
}

// report is what the program prints.
type report struct {
	Consumer string           `json:"consumer"`
	Counts   map[string]int64 `json:"counts"` // by type, each event once
	Events   int64            `json:"events"`
	Copies   int64            `json:"copies"` // deliveries that changed nothing
	Alarms   int64            `json:"alarms"`
}

func (b *books) report(ctx context.Context) (report, error) {
	r := report{Consumer: b.name, Counts: map[string]int64{}}
	err := b.pool.QueryRow(ctx, `
		SELECT count(*), coalesce(sum(seen - 1), 0), (SELECT count(*) FROM consumer_alarms WHERE consumer = $1)
		  FROM inbox WHERE consumer = $1`, b.name).Scan(&r.Events, &r.Copies, &r.Alarms)
	if err != nil {
		return r, fmt.Errorf("count events: %w", err)
	}
	rows, err := b.pool.Query(ctx, `SELECT type, n FROM consumer_counts WHERE consumer = $1`, b.name)
	if err != nil {
		return r, fmt.Errorf("read the counts: %w", err)
	}
	var kind string
	var n int64
	_, err = pgx.ForEachRow(rows, []any{&kind, &n}, func() error { r.Counts[kind] = n; return nil })
	if err != nil {
		return r, fmt.Errorf("read the counts: %w", err)
	}
	return r, nil
}
