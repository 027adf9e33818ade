package outbox_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/quittance/quittance/internal/devstack/stacktest"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/outbox"
	"github.com/quittance/quittance/settlement"
)

// bench is a fresh ledger and what tests do to its outbox from outside.
type bench struct {
	t    *testing.T
	dsn  string
	l    *ledger.Ledger
	pool *pgxpool.Pool
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, dsn: ledgertest.DSN(t)}
	var err error
	if b.l, err = ledger.Open(t.Context(), b.dsn); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.l.Close)
	if b.pool, err = pgxpool.New(t.Context(), b.dsn); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.pool.Close)
	return b
}

func (b *bench) exec(sql string, args ...any) {
	b.t.Helper()
	if _, err := b.pool.Exec(b.t.Context(), sql, args...); err != nil {
		b.t.Fatal(err)
	}
}

func scalar[T any](b *bench, sql string, args ...any) T {
	b.t.Helper()
	rows, _ := b.pool.Query(b.t.Context(), sql, args...)
	v, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	if err != nil {
		b.t.Fatal(err)
	}
	return v
}

// emit commits one row, as the ledger does: the sequence is taken under the counter's lock.
func (b *bench) emit(destination, stream, payload string) {
	b.t.Helper()
	id := sha256.Sum256([]byte(destination + stream + payload + rand.Text()))
	b.exec(`
		WITH c AS (INSERT INTO outbox_counters AS k (stream, destination, last_seq) VALUES ($2, $3, 1)
		           ON CONFLICT (stream, destination) DO UPDATE SET last_seq = k.last_seq + 1 RETURNING last_seq)
		INSERT INTO outbox (event_id, tenant, stream, destination, seq, epoch, type, payload)
		SELECT $1, 'default', $2, $3, last_seq, 1, 'settlement.requested', $4 FROM c`, id[:], stream, destination, payload)
}

func (b *bench) pending() int {
	return scalar[int](b, `SELECT count(*) FROM outbox WHERE published_at IS NULL AND skipped_at IS NULL`)
}

func (b *bench) relay(sink outbox.Sink, change func(*outbox.Config)) *outbox.Relay {
	b.t.Helper()
	cfg := quickConfig()
	if change != nil {
		change(&cfg)
	}
	r, err := outbox.New(b.l, sink, cfg)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// run lets relays run until the test ends.
func (b *bench) run(relays ...*outbox.Relay) {
	for _, r := range relays {
		done := make(chan struct{})
		go func() { defer close(done); _ = r.Run(b.t.Context()) }()
		b.t.Cleanup(func() { <-done })
	}
}

// quickConfig makes failures show within a test's patience.
func quickConfig() outbox.Config {
	cfg := outbox.DefaultConfig()
	cfg.PublishTimeout, cfg.Lease = 2*time.Second, 5*time.Second
	cfg.PollMax = 20 * time.Millisecond
	cfg.RetryMin, cfg.RetryMax = 5*time.Millisecond, 50*time.Millisecond
	cfg.DownMin, cfg.DownMax = 5*time.Millisecond, 50*time.Millisecond
	return cfg
}

// eventually waits for a condition, with a deadline.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(60 * time.Second)
	for !condition() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("did not happen: %s", what)
		}
	}
}

// broker is a JetStream stream of the test's own on the shared server.
type broker struct {
	t      *testing.T
	js     jetstream.JetStream
	url    string
	stream string
	prefix string
}

func newBroker(t *testing.T) *broker {
	t.Helper()
	b := &broker{t: t, url: stacktest.NATS(t)}
	conn, err := nats.Connect(b.url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	if b.js, err = jetstream.New(conn); err != nil {
		t.Fatal(err)
	}
	b.stream = "TEST_" + rand.Text()[:12]
	b.prefix = strings.ToLower(b.stream) + "."
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = b.js.DeleteStream(ctx, b.stream) // a test that never published has none
	})
	return b
}

func (b *broker) sink(url string) *outbox.NATS {
	b.t.Helper()
	s, err := outbox.NewNATS(outbox.NATSConfig{URL: url, Stream: b.stream, SubjectPrefix: b.prefix})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(s.Close)
	return s
}

// messages reads what the stream holds, in order.
func (b *broker) messages() []*jetstream.RawStreamMsg {
	b.t.Helper()
	stream, err := b.js.Stream(b.t.Context(), b.stream)
	if err != nil {
		b.t.Fatal(err)
	}
	var out []*jetstream.RawStreamMsg
	for seq := uint64(1); seq <= stream.CachedInfo().State.LastSeq; seq++ {
		msg, err := stream.GetMsg(b.t.Context(), seq)
		if err != nil {
			b.t.Fatal(err)
		}
		out = append(out, msg)
	}
	return out
}

// delivery is one row as a destination saw it.
type delivery struct {
	stream string
	seq    int64
	id     string
}

func deliveryOf(row settlement.OutboxRow) delivery {
	return delivery{row.Stream, row.Seq, row.EventID.Hex()}
}

// checkOrder fails unless each stream's deliveries, copies left out, are 1, 2, … n.
func checkOrder(t *testing.T, got []delivery, streams []string, n int) {
	t.Helper()
	next := map[string]int64{}
	seen := map[string]bool{}
	for _, d := range got {
		if seen[d.id] {
			continue
		}
		seen[d.id] = true
		if next[d.stream]++; d.seq != next[d.stream] {
			t.Errorf("%s: %d arrived when %d was due", d.stream, d.seq, next[d.stream])
		}
	}
	for _, s := range streams {
		if next[s] != int64(n) {
			t.Errorf("%s: %d of %d arrived", s, next[s], n)
		}
	}
}

func streamNames(prefix string, n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprint(prefix, i))
	}
	return out
}
