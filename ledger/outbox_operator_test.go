package ledger

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"pgregory.net/rapid"

	"github.com/quittance/quittance/settlement"
)

func (b outboxBench) park(stream string) settlement.OutboxRow {
	b.t.Helper()
	claim := b.claim(100, longLease)
	i := slices.IndexFunc(claim.Rows, func(r settlement.OutboxRow) bool { return r.Stream == stream })
	if i < 0 {
		b.t.Fatalf("no row of %s was claimed", stream)
	}
	held, err := b.Park(b.t.Context(), claim.Token, claim.Rows[i].ID, "cannot be encoded")
	if err != nil || !held {
		b.t.Fatalf("park: %v %v", held, err)
	}
	rest := slices.Delete(slices.Clone(ids(claim)), i, i+1)
	n, err := b.ReleaseOutbox(b.t.Context(), claim.Token, rest)
	b.mustCount(len(rest), "release the rest", n, err)
	return claim.Rows[i]
}

// O29: https://github.com/moneat-io/moneat/pull/873, O28: https://github.com/debezium/debezium/pull/4761
func TestAParkedStreamStopsAloneIsSeenAndGoesOnWhenAnOperatorSaysSo(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why  string
		end  func(b outboxBench) error
		next []string
	}{
		{"retried, it goes on with the row that parked it", func(b outboxBench) error {
			return b.Unpark(b.t.Context(), "alice", "settlement/a", settlement.DestinationNATS)
		}, []string{"settlement/a:1", "settlement/a:2"}},
		{"skipped, it goes on behind that row", func(b outboxBench) error {
			skipped, err := b.SkipParked(b.t.Context(), "alice", "settlement/a", settlement.DestinationNATS)
			if err == nil && skipped.Seq != 1 {
				err = fmt.Errorf("skipped seq %d", skipped.Seq)
			}
			return err
		}, []string{"settlement/a:2"}},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			b := newOutbox(t)
			b.exec(`INSERT INTO destinations (name, kind) VALUES ('webhook:x', 'webhook')`)
			b.emit("settlement/a", "a1", "a2")
			head := b.park("settlement/a")
			b.emit("settlement/b", "b1")
			b.lapse()
			if got, want := place(b.claim(10, longLease)), []string{"settlement/b:1"}; !slices.Equal(got, want) {
				t.Errorf("while parked the destination got %v, want %v", got, want)
			}
			other, err := b.ClaimOutbox(t.Context(), "webhook:x", 10, longLease, "")
			if err != nil || len(other.Rows) != 3 {
				t.Errorf("the other destination got %d rows (%v), want all 3", len(other.Rows), err)
			}
			parked, err := b.ParkedStreams(t.Context(), 10)
			if err != nil || len(parked) != 1 || parked[0].Head.ID != head.ID || parked[0].Backlog != 2 || parked[0].Reason != "cannot be encoded" {
				t.Errorf("parked streams = %+v, %v", parked, err)
			}
			if lag := b.lag(settlement.DestinationNATS); lag.ParkedStreams != 1 || lag.Backlog != 3 || lag.OldestAge <= 0 {
				t.Errorf("lag = %+v", lag)
			}
			if err := row.end(b); err != nil {
				t.Fatal(err)
			}
			if got := place(b.claim(10, longLease)); !slices.Equal(got, row.next) {
				t.Errorf("afterwards %v, want %v", got, row.next)
			}
			if err := row.end(b); settlement.KindOf(err) != settlement.Stale {
				t.Errorf("asked twice: %v, want stale", err)
			}
			if n := one[int](b, `SELECT count(*) FROM journal WHERE action LIKE 'outbox.%' AND subject = 'nats settlement/a'`); n != 2 {
				t.Errorf("%d journal entries, want one of the relay and one of alice", n)
			}
		})
	}
}

func TestAClaimWithAnOlderSnapshotDoesNotTakeAParkedHead(t *testing.T) {
	t.Parallel()
	b := newOutbox(t)
	b.emit("settlement/a", "a1")
	claim := b.claim(1, longLease)
	b.lapse() // the parking relay was slow: without a lease only the counter would say "parked"
	if held, err := b.Park(t.Context(), claim.Token, claim.Rows[0].ID, "poison"); !held || err != nil {
		t.Fatal(held, err)
	}
	if left := one[time.Duration](b, `SELECT leased_until - clock_timestamp() FROM outbox`); left < statementTimeout {
		t.Errorf("the lease lasts %v, less than the longest claim", left)
	}
}

// O25: https://github.com/nats-io/nats-server/issues/7564
func TestWhatTheBrokerLostCanBeSentAgainUntilRowsAreDeleted(t *testing.T) {
	t.Parallel()
	b := newOutbox(t)
	b.emit("settlement/a", "a1", "a2")
	b.emit("settlement/b", "b1")
	claim := b.claim(10, longLease)
	n, err := b.MarkPublished(t.Context(), claim.Token, ids(claim))
	b.mustCount(3, "publish", n, err)
	b.exec(`UPDATE outbox SET published_at = published_at - interval '1 hour'`)
	until := one[time.Time](b, `SELECT clock_timestamp() - interval '1 minute'`)
	n, err = b.Redeliver(t.Context(), "alice", settlement.DestinationNATS, until.Add(-2*time.Hour), until, 2)
	b.mustCount(2, "redeliver a bounded batch", n, err)
	n, err = b.Redeliver(t.Context(), "alice", settlement.DestinationNATS, until.Add(-2*time.Hour), until, 2)
	b.mustCount(1, "redeliver the rest", n, err)
	again := b.claim(10, longLease)
	if !slices.Equal(ids(again), ids(claim)) || again.Rows[0].EventID != claim.Rows[0].EventID {
		t.Errorf("claimed %v, want %v with the same event ids", ids(again), ids(claim))
	}
	n, err = b.MarkPublished(t.Context(), again.Token, ids(again))
	b.mustCount(3, "publish again", n, err)
	n, err = b.Redeliver(t.Context(), "alice", settlement.DestinationNATS, until.Add(-2*time.Hour), until.Add(24*time.Hour), 10)
	b.mustCount(3, "a future end means now", n, err)
}

// O33: https://github.com/Particular/NServiceBus.Persistence.Sql/issues/778, https://github.com/JasperFx/wolverine/issues/3116
func TestPublishedRowsAreDeletedInBoundedBatchesAndPendingOnesNever(t *testing.T) {
	t.Parallel()
	b := newOutbox(t)
	b.emit("settlement/a", "a1", "a2", "a3", "a4", "a5")
	claim := b.claim(10, longLease)
	n, err := b.MarkPublished(t.Context(), claim.Token, ids(claim)[:4])
	b.mustCount(4, "publish", n, err)
	n, err = b.DeletePublished(t.Context(), time.Hour, 10)
	b.mustCount(0, "delete what is younger", n, err)
	b.exec(`UPDATE outbox SET published_at = published_at - interval '2 hours' WHERE published_at IS NOT NULL`)
	for _, want := range []int{3, 1, 0} {
		n, err = b.DeletePublished(t.Context(), time.Hour, 3)
		b.mustCount(want, "delete", n, err)
	}
	if left := one[int64](b, `SELECT seq FROM outbox`); left != 5 {
		t.Errorf("seq %d is left, want 5", left)
	}
	b.emit("settlement/a", "a6")
	if seq := one[int64](b, `SELECT max(seq) FROM outbox`); seq != 6 {
		t.Errorf("the next sequence is %d, want 6: deleting must not reset it", seq)
	}
	if lag := b.lag(settlement.DestinationNATS); lag.Published != 4 {
		t.Errorf("published = %d, want 4: totals outlive the rows", lag.Published)
	}
}

func TestListingPagesAndFilters(t *testing.T) {
	t.Parallel()
	b := newOutbox(t)
	b.emit("settlement/a", "a1", "a2", "a3")
	b.emit("settlement/b", "b1")
	claim := b.claim(1, longLease)
	n, err := b.MarkFailed(t.Context(), claim.Token, []settlement.OutboxFailure{{ID: claim.Rows[0].ID, Error: "busy", Delay: time.Hour}})
	b.mustCount(1, "fail", n, err)
	for _, row := range []struct {
		why    string
		filter OutboxFilter
		want   int
	}{
		{"no filter", OutboxFilter{}, 4},
		{"one stream", OutboxFilter{Stream: "settlement/a"}, 3},
		{"only what fails", OutboxFilter{Failing: true}, 1},
		{"another destination", OutboxFilter{Destination: "temporal"}, 0},
		{"pending", OutboxFilter{Pending: true, Destination: "nats"}, 4},
	} {
		var got []OutboxEntry
		for after := int64(0); ; {
			page, err := b.OutboxRows(t.Context(), row.filter, after, 2)
			if err != nil {
				t.Fatal(err)
			}
			if len(page) == 0 {
				break
			}
			got, after = append(got, page...), page[len(page)-1].ID
		}
		if len(got) != row.want {
			t.Errorf("%s: %d rows, want %d", row.why, len(got), row.want)
		}
	}
}

func TestAWakeUpIsRandomAndNeverDroppedAsARepetition(t *testing.T) {
	t.Parallel()
	b := newOutbox(t)
	key := settlement.Key{Tenant: "acme", Value: "order/1"}
	for range 3 {
		if err := b.do(t.Context(), "wake", func(tx *Tx) error { wake(tx, key); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	claim, err := b.ClaimOutbox(t.Context(), settlement.DestinationTemporal, 10, longLease, "")
	if err != nil || len(claim.Rows) != 3 || claim.Rows[0].Stream != settlement.WakeStreamPrefix+key.Canonical() {
		t.Fatalf("claim = %+v, %v", claim, err)
	}
	if _, err := b.Terminal(t.Context(), key); settlement.KindOf(err) != settlement.NotFound {
		t.Errorf("terminal of an unknown key: %v", err)
	}
	if lag := b.lag(settlement.DestinationNATS); lag.Backlog != 0 {
		t.Errorf("a wake-up went to the outside world: %+v", lag)
	}
}

// O16: https://github.com/JasperFx/wolverine/pull/3695: whatever relays and operators do, in whatever order they die, every
// row is published, skipped, or can still be claimed, and each stream is published in order.
func TestEveryRowIsReachableWhateverHappenedBefore(t *testing.T) {
	t.Parallel()
	b := newOutbox(t)
	rapid.Check(t, func(rt *rapid.T) {
		b.exec(`TRUNCATE outbox, outbox_counters`)
		w := &outboxWalk{outboxBench: b, rt: rt, last: map[string]int64{}}
		rt.Repeat(map[string]func(*rapid.T){
			"emit":    w.emitSome,
			"claim":   w.claimSome,
			"publish": w.publishSome,
			"fail":    w.failOne,
			"release": w.releaseOne,
			"park":    w.parkOne,
			"unpark":  w.endPark,
			"lapse":   func(*rapid.T) { b.lapse() },
			"due":     func(*rapid.T) { b.exec(`UPDATE outbox SET next_attempt_at = clock_timestamp()`) },
		})
		w.drain()
	})
}

type outboxWalk struct {
	outboxBench
	rt     *rapid.T
	n      int
	claims []settlement.OutboxClaim // some of them have lapsed
	last   map[string]int64         // by stream: the highest sequence that was published
}

func (w *outboxWalk) emitSome(rt *rapid.T) {
	w.n++
	w.emit("settlement/"+rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "stream"), fmt.Sprint(w.n), fmt.Sprint("x", w.n))
}

func (w *outboxWalk) claimSome(rt *rapid.T) {
	if c := w.claim(rapid.IntRange(1, 5).Draw(rt, "limit"), longLease); len(c.Rows) > 0 {
		w.claims = append(w.claims, c)
	}
}

func (w *outboxWalk) draw(rt *rapid.T) (c settlement.OutboxClaim, ok bool) {
	if len(w.claims) == 0 {
		return c, false
	}
	return rapid.SampledFrom(w.claims).Draw(rt, "claim"), true
}

// publishSome publishes a prefix of what the claim still holds, as a relay does.
func (w *outboxWalk) publishSome(rt *rapid.T) {
	c, ok := w.draw(rt)
	if !ok {
		return
	}
	for _, r := range c.Rows[:rapid.IntRange(1, len(c.Rows)).Draw(rt, "rows")] {
		n, err := w.MarkPublished(w.t.Context(), c.Token, []int64{r.ID})
		if err != nil {
			rt.Fatal(err)
		}
		if n == 0 {
			return
		}
		if r.Seq <= w.last[r.Stream] {
			rt.Fatalf("%s: %d published after %d", r.Stream, r.Seq, w.last[r.Stream])
		}
		w.last[r.Stream] = r.Seq
	}
}

// failOne gives back a head and, as a relay does, what the claim holds behind it.
func (w *outboxWalk) failOne(rt *rapid.T) {
	if c, ok := w.draw(rt); ok {
		_, err := w.MarkFailed(w.t.Context(), c.Token, []settlement.OutboxFailure{{ID: c.Rows[0].ID, Error: "x", Delay: time.Hour}})
		_, err2 := w.ReleaseOutbox(w.t.Context(), c.Token, ids(c))
		if err = errors.Join(err, err2); err != nil {
			rt.Fatal(err)
		}
	}
}

func (w *outboxWalk) releaseOne(rt *rapid.T) {
	if c, ok := w.draw(rt); ok {
		if _, err := w.ReleaseOutbox(w.t.Context(), c.Token, ids(c)); err != nil {
			rt.Fatal(err)
		}
	}
}

func (w *outboxWalk) parkOne(rt *rapid.T) {
	if c, ok := w.draw(rt); ok {
		if _, err := w.Park(w.t.Context(), c.Token, c.Rows[0].ID, "poison"); err != nil {
			rt.Fatal(err)
		}
	}
}

func (w *outboxWalk) endPark(rt *rapid.T) {
	parked, err := w.ParkedStreams(w.t.Context(), 10)
	if err != nil {
		rt.Fatal(err)
	}
	for _, p := range parked {
		if rapid.Bool().Draw(rt, "skip") {
			_, err = w.SkipParked(w.t.Context(), "alice", p.Stream, p.Destination)
		} else {
			err = w.Unpark(w.t.Context(), "alice", p.Stream, p.Destination)
		}
		if err != nil {
			rt.Fatal(err)
		}
	}
}

// drain is what every relay and operator does in the end.
func (w *outboxWalk) drain() {
	w.endParks()
	for {
		w.lapse()
		w.exec(`UPDATE outbox SET next_attempt_at = clock_timestamp() WHERE published_at IS NULL`)
		c := w.claim(5, longLease)
		if len(c.Rows) == 0 {
			break
		}
		for _, r := range c.Rows {
			if r.Seq <= w.last[r.Stream] {
				w.rt.Fatalf("%s: %d published after %d", r.Stream, r.Seq, w.last[r.Stream])
			}
			w.last[r.Stream] = r.Seq
		}
		if _, err := w.MarkPublished(w.t.Context(), c.Token, ids(c)); err != nil {
			w.rt.Fatal(err)
		}
	}
	if left := one[int](w.outboxBench, `SELECT count(*) FROM outbox WHERE published_at IS NULL AND skipped_at IS NULL`); left > 0 {
		w.rt.Fatalf("%d rows can never be claimed", left)
	}
}

func (w *outboxWalk) endParks() {
	rows, _ := w.pool.Query(w.t.Context(), `SELECT stream FROM outbox_counters WHERE parked_at IS NOT NULL`)
	streams, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		w.rt.Fatal(err)
	}
	for _, s := range streams {
		if err := w.Unpark(w.t.Context(), "alice", s, settlement.DestinationNATS); err != nil {
			w.rt.Fatal(err)
		}
	}
}
