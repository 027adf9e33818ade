package ledger

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/internal/devstack/stacktest"
	"github.com/quittance/quittance/migrations"
	"github.com/quittance/quittance/settlement"
)

// outboxBench is one fresh ledger with what the outbox's tests ask of it.
type outboxBench struct {
	*Ledger
	t *testing.T
}

func newOutbox(t *testing.T) outboxBench {
	t.Helper()
	// Within the package, ledgertest cannot be used: it imports the package.
	names, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	key := "ledger outbox"
	for _, name := range names {
		text, err := migrations.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		key += string(text)
	}
	dsn := stacktest.PostgresTemplate(t, key, func(dsn string) error {
		l, err := Open(context.Background(), dsn)
		if err != nil {
			return err
		}
		defer l.Close()
		return l.Migrate(context.Background())
	})
	l, err := Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return outboxBench{l, t}
}

const longLease = time.Hour

// emit writes one event per name to the broker, in one commit.
func (b outboxBench) emit(stream string, names ...string) {
	b.t.Helper()
	err := b.do(b.t.Context(), "emit", func(tx *Tx) error {
		for _, name := range names {
			emit(tx, event{Tenant: "default", Stream: stream, Type: "settlement.requested", Cause: []byte(name), Payload: map[string]string{"name": name}})
		}
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b outboxBench) claim(limit int, lease time.Duration) settlement.OutboxClaim {
	b.t.Helper()
	claim, err := b.ClaimOutbox(b.t.Context(), settlement.DestinationNATS, limit, lease, "")
	if err != nil {
		b.t.Fatal(err)
	}
	return claim
}

// mustCount fails unless n rows were changed.
func (b outboxBench) mustCount(want int, what string, n int, err error) {
	b.t.Helper()
	if err != nil || n != want {
		b.t.Fatalf("%s: %d rows (%v), want %d", what, n, err, want)
	}
}

func (b outboxBench) exec(sql string, args ...any) {
	b.t.Helper()
	if _, err := b.pool.Exec(b.t.Context(), sql, args...); err != nil {
		b.t.Fatal(err)
	}
}

func one[T any](b outboxBench, sql string, args ...any) T {
	b.t.Helper()
	rows, _ := b.pool.Query(b.t.Context(), sql, args...)
	v, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	if err != nil {
		b.t.Fatal(err)
	}
	return v
}

// lapse lets every lease run out, as if time had passed.
func (b outboxBench) lapse() {
	b.exec(`UPDATE outbox SET leased_until = clock_timestamp() - interval '1 second' WHERE leased_until IS NOT NULL`)
}

func ids(claim settlement.OutboxClaim) []int64 {
	var out []int64
	for _, r := range claim.Rows {
		out = append(out, r.ID)
	}
	return out
}

func place(claim settlement.OutboxClaim) []string {
	var out []string
	for _, r := range claim.Rows {
		out = append(out, fmt.Sprintf("%s:%d", r.Stream, r.Seq))
	}
	slices.Sort(out)
	return out
}

// O10: https://github.com/AlexeyRaga/kafkaflow-contrib/issues/24, O9: https://github.com/MassTransit/MassTransit/issues/3512
func TestWhileOneRelayHoldsAStreamTheOthersTakeOtherStreamsAndNoneOvertakes(t *testing.T) {
	t.Parallel()
	b := newOutbox(t)
	b.emit("settlement/a", "a1")
	first := b.claim(10, longLease)
	b.emit("settlement/a", "a2")
	b.emit("settlement/b", "b1", "b2")

	if got, want := place(b.claim(10, longLease)), []string{"settlement/b:1", "settlement/b:2"}; !slices.Equal(got, want) {
		t.Errorf("second relay got %v, want %v: a2 must wait for a1, b must not", got, want)
	}
	n, err := b.MarkPublished(t.Context(), first.Token, ids(first))
	b.mustCount(1, "mark a1", n, err)
	if got, want := place(b.claim(10, longLease)), []string{"settlement/a:2"}; !slices.Equal(got, want) {
		t.Errorf("after a1: %v, want %v", got, want)
	}
}

// O11: https://github.com/ow00us/sb11-mopl-team1/issues/266
func TestARowThatBacksOffHoldsBackItsStreamAndNoOther(t *testing.T) {
	t.Parallel()
	b := newOutbox(t)
	b.emit("settlement/a", "a1", "a2")
	claim := b.claim(1, longLease)
	n, err := b.MarkFailed(t.Context(), claim.Token, []settlement.OutboxFailure{{ID: claim.Rows[0].ID, Error: "busy", Delay: time.Hour}})
	b.mustCount(1, "fail a1", n, err)
	b.emit("settlement/b", "b1")
	if got, want := place(b.claim(10, longLease)), []string{"settlement/b:1"}; !slices.Equal(got, want) {
		t.Fatalf("claimed %v, want %v", got, want)
	}
	b.exec(`UPDATE outbox SET next_attempt_at = clock_timestamp() WHERE seq = 1 AND stream = 'settlement/a'`)
	claim = b.claim(10, longLease)
	if got, want := place(claim), []string{"settlement/a:1", "settlement/a:2"}; !slices.Equal(got, want) {
		t.Fatalf("when due: %v, want %v", got, want)
	}
	if claim.Rows[0].Retries != 1 {
		t.Errorf("retries = %d, want 1", claim.Rows[0].Retries)
	}
}

func TestARunOfOneStreamIsBoundedWithoutGapsAndLeavesRoomForOthers(t *testing.T) {
	t.Parallel()
	b := newOutbox(t)
	var names []string
	for i := range outboxRunMax + 10 {
		names = append(names, fmt.Sprint("a", i))
	}
	b.emit("settlement/a", names...)
	b.emit("settlement/b", "b1")
	claim := b.claim(1000, longLease)
	var seqs []int64
	for _, r := range claim.Rows {
		if r.Stream == "settlement/a" {
			seqs = append(seqs, r.Seq)
		}
	}
	if len(seqs) != outboxRunMax+1 || len(claim.Rows) != outboxRunMax+2 {
		t.Fatalf("claimed %d of a, %d in all", len(seqs), len(claim.Rows))
	}
	for i, seq := range seqs {
		if seq != int64(i+1) {
			t.Fatalf("seq %d at place %d", seq, i)
		}
	}
	if small := b.claim(1, longLease); len(small.Rows) != 0 {
		t.Errorf("the rest of a is behind a head that is held, but %v was claimed", place(small))
	}
}

func TestARunStopsBeforeARowThatIsNotFree(t *testing.T) {
	t.Parallel()
	b := newOutbox(t)
	b.emit("settlement/a", "a1", "a2", "a3")
	b.exec(`UPDATE outbox SET next_attempt_at = clock_timestamp() + interval '1 hour' WHERE seq = 2`)
	if got, want := place(b.claim(10, longLease)), []string{"settlement/a:1"}; !slices.Equal(got, want) {
		t.Errorf("claimed %v, want %v: a3 must not overtake a2", got, want)
	}
}

// O17: https://github.com/riverqueue/river/issues/1302, O19: https://github.com/speakeasy-api/gram/pull/4984,
// O20: https://github.com/Lore-Hex/quill-router/issues/355, O14: https://github.com/JasperFx/wolverine/issues/585
func TestAClaimThatLapsedAndWasTakenOverChangesNothing(t *testing.T) {
	t.Parallel()
	type act func(b outboxBench, token string, id int64) (int, error)
	park := func(b outboxBench, token string, id int64) (int, error) {
		held, err := b.Park(b.t.Context(), token, id, "poison")
		if held {
			return 1, err
		}
		return 0, err
	}
	acts := map[string]act{
		"mark published": func(b outboxBench, token string, id int64) (int, error) {
			return b.MarkPublished(b.t.Context(), token, []int64{id})
		},
		"mark failed": func(b outboxBench, token string, id int64) (int, error) {
			return b.MarkFailed(b.t.Context(), token, []settlement.OutboxFailure{{ID: id, Error: "x"}})
		},
		"release": func(b outboxBench, token string, id int64) (int, error) {
			return b.ReleaseOutbox(b.t.Context(), token, []int64{id})
		},
		"park": park,
	}
	for name, act := range acts {
		for _, row := range []struct {
			why  string
			then func(b outboxBench, stale settlement.OutboxClaim)
		}{
			{"another relay holds it", func(b outboxBench, _ settlement.OutboxClaim) { b.claim(10, longLease) }},
			{"another relay published it: no owner at all", func(b outboxBench, _ settlement.OutboxClaim) {
				c := b.claim(10, longLease)
				n, err := b.MarkPublished(b.t.Context(), c.Token, ids(c))
				b.mustCount(1, "publish", n, err)
			}},
			{"another relay gave it back: no owner at all", func(b outboxBench, _ settlement.OutboxClaim) {
				c := b.claim(10, longLease)
				n, err := b.ReleaseOutbox(b.t.Context(), c.Token, ids(c))
				b.mustCount(1, "release", n, err)
			}},
		} {
			t.Run(name+" when "+row.why, func(t *testing.T) {
				t.Parallel()
				b := newOutbox(t)
				b.emit("settlement/a", "a1")
				stale := b.claim(10, longLease)
				b.lapse()
				row.then(b, stale)
				before := one[string](b, `SELECT (o, c)::text FROM outbox o JOIN outbox_counters c USING (stream, destination)`)
				n, err := act(b, stale.Token, stale.Rows[0].ID)
				b.mustCount(0, name, n, err)
				if after := one[string](b, `SELECT (o, c)::text FROM outbox o JOIN outbox_counters c USING (stream, destination)`); after != before {
					t.Errorf("the row changed\nfrom %s\nto   %s", before, after)
				}
			})
		}
	}
}

// O13: https://github.com/JasperFx/wolverine/issues/565
func TestRowsOfADeadRelayComeBackWhenItsLeaseRunsOutAndCountAsRetries(t *testing.T) {
	t.Parallel()
	b := newOutbox(t)
	b.emit("settlement/a", "a1", "a2")
	dead := b.claim(10, 50*time.Millisecond)
	if len(dead.Rows) != 2 {
		t.Fatalf("claimed %d", len(dead.Rows))
	}
	claim := await(t, func() (settlement.OutboxClaim, bool) { c := b.claim(10, longLease); return c, len(c.Rows) > 0 })
	if len(claim.Rows) != 2 || claim.Token == dead.Token || claim.Rows[0].Retries != 1 {
		t.Errorf("claim = %+v, want both rows, another token, one retry", claim)
	}
	if lag := b.lag(settlement.DestinationNATS); lag.Retries != 2 {
		t.Errorf("retries = %d, want 2: the dead relay may have published them", lag.Retries)
	}
}

func (b outboxBench) lag(destination string) settlement.OutboxLag {
	b.t.Helper()
	lags, err := b.OutboxLag(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	i := slices.IndexFunc(lags, func(l settlement.OutboxLag) bool { return l.Destination == destination })
	if i < 0 {
		b.t.Fatalf("no lag for %s", destination)
	}
	return lags[i]
}

// await waits for a condition, with a deadline.
func await[T any](t *testing.T, condition func() (T, bool)) T {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(30 * time.Second)
	for {
		if v, ok := condition(); ok {
			return v
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("the condition did not come true")
		}
	}
}

// FACTS: claims keep their updates HOT only while no index holds a column that they change.
func TestClaimsAndFailuresAreHotUpdates(t *testing.T) {
	t.Parallel()
	b := newOutbox(t)
	for i := range 50 {
		b.emit(fmt.Sprint("settlement/", i), "x")
	}
	for range 3 {
		claim := b.claim(100, longLease)
		var failures []settlement.OutboxFailure
		for _, id := range ids(claim) {
			failures = append(failures, settlement.OutboxFailure{ID: id, Error: "again"})
		}
		n, err := b.MarkFailed(t.Context(), claim.Token, failures)
		b.mustCount(50, "fail", n, err)
	}
	type updates struct{ All, Hot int64 }
	got := await(t, func() (updates, bool) {
		var u updates
		err := b.pool.QueryRow(t.Context(), `SELECT pg_stat_get_tuples_updated(c), pg_stat_get_tuples_hot_updated(c)
			FROM (SELECT 'outbox'::regclass::oid AS c) x, pg_stat_force_next_flush()`).Scan(&u.All, &u.Hot)
		return u, err != nil || u.All >= 300
	})
	if got.Hot < got.All/2 { // with such an index it would be none; a full page makes some others
		t.Errorf("%d of %d updates were HOT", got.Hot, got.All)
	}
}

// O16: https://github.com/JasperFx/wolverine/pull/3695, O12: https://github.com/MassTransit/MassTransit/issues/5339
func TestErrorTextsOfPoisonedMessagesCanAlwaysBeStored(t *testing.T) {
	t.Parallel()
	b := newOutbox(t)
	for _, row := range []struct{ why, text string }{
		{"Postgres refuses NUL in text", "bad\x00byte"},
		{"Postgres refuses what is no UTF-8", "bad \xff\xfe byte"},
		{"a page of HTML must not fill the table", strings.Repeat("ü", 5000)},
		{"an empty text would hide that there was an error", ""},
	} {
		t.Run(row.why, func(t *testing.T) {
			b.emit("settlement/"+row.why, "x")
			claim := b.claim(1, longLease)
			n, err := b.MarkFailed(t.Context(), claim.Token, []settlement.OutboxFailure{{ID: claim.Rows[0].ID, Error: row.text, Delay: time.Hour}})
			b.mustCount(1, "fail", n, err)
			if stored := one[string](b, `SELECT last_error FROM outbox WHERE id = $1`, claim.Rows[0].ID); stored == "" || len(stored) > lastErrorBytesMax {
				t.Errorf("stored %d bytes", len(stored))
			}
		})
	}
}

func TestManyRelaysAtOnceClaimEachRowOnceAndEachStreamInOrder(t *testing.T) {
	t.Parallel()
	b := newOutbox(t)
	const streams, perStream = 20, 15
	for i := range perStream {
		for s := range streams {
			b.emit(fmt.Sprint("settlement/", s), fmt.Sprint(i))
		}
	}
	var mu sync.Mutex
	seen := map[string][]int64{}
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			for {
				claim, err := b.ClaimOutbox(t.Context(), settlement.DestinationNATS, 25, longLease, "")
				if err != nil {
					t.Error(err)
					return
				}
				if len(claim.Rows) == 0 {
					if b.lag(settlement.DestinationNATS).Backlog == 0 {
						return
					}
					continue
				}
				mu.Lock()
				for _, r := range claim.Rows {
					seen[r.Stream] = append(seen[r.Stream], r.Seq)
				}
				mu.Unlock()
				if n, err := b.MarkPublished(t.Context(), claim.Token, ids(claim)); err != nil || n != len(claim.Rows) {
					t.Errorf("marked %d of %d: %v", n, len(claim.Rows), err)
					return
				}
			}
		})
	}
	wg.Wait()
	for s := range streams {
		seqs := seen[fmt.Sprint("settlement/", s)]
		if len(seqs) != perStream || !slices.IsSorted(seqs) {
			t.Errorf("stream %d: %v", s, seqs)
		}
	}
	if lag := b.lag(settlement.DestinationNATS); lag.Published != streams*perStream || lag.Retries != 0 {
		t.Errorf("lag = %+v", lag)
	}
}

// O1: https://github.com/ThreeDotsLabs/watermill/issues/311, O2: https://github.com/kamu-data/kamu-cli/issues/1398,
// O3: https://github.com/Eventuous/eventuous/issues/222
func TestARowThatCommitsLateIsNotSkippedByRowsThatCommittedBefore(t *testing.T) {
	t.Parallel()
	b := newOutbox(t)
	late, err := b.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	insertRow(b, late, "settlement/late")
	b.emit("settlement/early", "x")
	claim := b.claim(10, longLease)
	if got := place(claim); !slices.Equal(got, []string{"settlement/early:1"}) {
		t.Fatalf("claimed %v", got)
	}
	n, err := b.MarkPublished(t.Context(), claim.Token, ids(claim))
	b.mustCount(1, "publish", n, err)
	if err := late.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	after := b.claim(10, longLease)
	if got := place(after); !slices.Equal(got, []string{"settlement/late:1"}) {
		t.Fatalf("claimed %v", got)
	}
	if after.Rows[0].ID > claim.Rows[0].ID {
		t.Error("the late row has the higher id: the test shows nothing")
	}
}

// O7: https://github.com/eugene-khyst/postgresql-event-sourcing/issues/16
func TestSequencesOfAStreamAreInTheOrderOfTheirCommits(t *testing.T) {
	t.Parallel()
	b := newOutbox(t)
	first, err := b.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	insertRow(b, first, "settlement/a")
	second := make(chan struct{})
	go func() { defer close(second); b.emit("settlement/a", "second") }()
	await(t, func() (struct{}, bool) {
		waits := one[int](b, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
		return struct{}{}, waits > 0
	})
	if claim := b.claim(10, longLease); len(claim.Rows) != 0 {
		t.Errorf("claimed %v before anything was committed", place(claim))
	}
	if err := first.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-second
	claim := b.claim(10, longLease)
	if got := place(claim); !slices.Equal(got, []string{"settlement/a:1", "settlement/a:2"}) || claim.Rows[0].Type != "first" {
		t.Errorf("claimed %v", claim.Rows)
	}
}

// insertRow writes what emit writes, in a transaction that stays open.
func insertRow(b outboxBench, tx pgx.Tx, stream string) {
	b.t.Helper()
	_, err := tx.Exec(b.t.Context(), `
		WITH c AS (INSERT INTO outbox_counters AS k (stream, destination, last_seq) VALUES ($1, 'nats', 1)
		           ON CONFLICT (stream, destination) DO UPDATE SET last_seq = k.last_seq + 1 RETURNING last_seq)
		INSERT INTO outbox (event_id, tenant, stream, destination, seq, epoch, type, payload)
		SELECT sha256($1::bytea), 'default', $1, 'nats', last_seq, 1, 'first', '{}' FROM c`, stream)
	if err != nil {
		b.t.Fatal(err)
	}
}
