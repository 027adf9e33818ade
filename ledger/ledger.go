// Package ledger is the only writer of Postgres: accounts and balances in double entry, idempotency keys, settlements, lanes
// and attempts, what the listener saw of the chain, and the outbox rows. One exported method is one unit of work is one
// commit, and its name is the transition. It may import settlement and migrations, and must never do network IO of its own,
// hold a transaction open over somebody else's, or know what an RPC node is.
package ledger

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Ledger is a pool of connections and the counters of what went over them. It is safe for concurrent use.
type Ledger struct {
	pool    *pgxpool.Pool
	options options
	counts  struct{ commits, reads, roundTrips, retries atomic.Int64 }
}

type options struct {
	connsMax   int32
	retriesMax int
	hook       func(point string)
}

// Option changes what Open makes.
type Option func(*options)

// WithConns bounds the pool. Postgres gets slower beyond a few dozen writers on a small machine (FACTS: 64 clients are
// slower than 16).
func WithConns(connsMax int) Option { return func(o *options) { o.connsMax = int32(connsMax) } }

const (
	connsDefault   = 16
	retriesDefault = 12
	// A session that idles in a transaction holds back vacuum and every queue of the cluster.
	idleInTransactionMax = 15 * time.Second
	lockTimeout          = 5 * time.Second
	statementTimeout     = 30 * time.Second
)

// Open connects. It does not migrate and does not check the server: call Migrate or CheckServer next.
func Open(ctx context.Context, dsn string, opts ...Option) (*Ledger, error) {
	o := options{connsMax: connsDefault, retriesMax: retriesDefault}
	for _, opt := range opts {
		opt(&o)
	}
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("parse database url: %w", err)
	}
	config.MaxConns = o.connsMax
	config.AfterConnect = registerDomains
	setDefault(config.ConnConfig.RuntimeParams, "application_name", "quittance")
	setDefault(config.ConnConfig.RuntimeParams, "timezone", "UTC")
	for name, limit := range map[string]time.Duration{
		"idle_in_transaction_session_timeout": idleInTransactionMax,
		"lock_timeout":                        lockTimeout,
		"statement_timeout":                   statementTimeout,
	} {
		setDefault(config.ConnConfig.RuntimeParams, name, strconv.FormatInt(limit.Milliseconds(), 10))
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open pool: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("connect to postgres: %w", err)
	}
	return &Ledger{pool: pool, options: o}, nil
}

// Close waits for units of work that still run.
func (l *Ledger) Close() { l.pool.Close() }

func setDefault(params map[string]string, name, value string) {
	if _, set := params[name]; !set {
		params[name] = value
	}
}

// registerDomains lets pgx encode the schema's domains in binary. Before the first migration there are none.
func registerDomains(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, `SELECT t.oid, t.typname, t.typbasetype FROM pg_type t
		WHERE t.typtype = 'd' AND t.typname IN ('amount', 'total', 'address', 'hash32', 'chain_id', 'block_number')
		  AND pg_type_is_visible(t.oid)`)
	if err != nil {
		return fmt.Errorf("read the schema's domains: %w", err)
	}
	var oid, base uint32
	var name string
	_, err = pgx.ForEachRow(rows, []any{&oid, &name, &base}, func() error {
		known, ok := conn.TypeMap().TypeForOID(base)
		if !ok {
			return fmt.Errorf("domain %s has the unknown base type %d", name, base)
		}
		conn.TypeMap().RegisterType(&pgtype.Type{Name: name, OID: oid, Codec: known.Codec})
		return nil
	})
	if err != nil {
		return fmt.Errorf("register the schema's domains: %w", err)
	}
	return nil
}

// Ping asks whether Postgres answers.
func (l *Ledger) Ping(ctx context.Context) error { return l.pool.Ping(ctx) }
