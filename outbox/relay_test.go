package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quittance/quittance/outbox"
	"github.com/quittance/quittance/settlement"
)

// list is a sink to the broker's destination that answers as the test says.
func list(answer func(context.Context, settlement.OutboxRow) error) *listSink {
	return &listSink{destination: settlement.DestinationNATS, answer: answer}
}

func (b *bench) emitSeries(stream string, n int) {
	for i := range n {
		b.emit(settlement.DestinationNATS, stream, fmt.Sprintf(`{"n": %d}`, i))
	}
}

// O23: https://github.com/dbos-inc/dbos-transact-py/issues/546
func TestEachRowOfABatchIsSettledByItsOwnOutcome(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	sink := list(func(_ context.Context, row settlement.OutboxRow) error {
		switch {
		case row.Stream == "settlement/busy" && row.Seq == 2:
			return errors.New("busy")
		case row.Stream == "settlement/poisoned" && row.Seq == 2:
			return outbox.Permanent(errors.New("no such subject"))
		}
		return nil
	})
	for _, s := range []string{"settlement/good", "settlement/busy", "settlement/poisoned"} {
		b.emitSeries(s, 4)
	}
	round := b.relay(sink, func(c *outbox.Config) { c.RetryMin, c.RetryMax = time.Hour, time.Hour }).RunOnce(t.Context())
	want := outbox.Round{Destination: "nats", Claimed: 12, Published: 6, Failed: 1, Parked: 1, Released: 4}
	if round != want {
		t.Errorf("round = %+v\nwant    %+v", round, want)
	}
	if n := scalar[int](b, `SELECT count(*) FROM outbox WHERE lease_token IS NOT NULL`); n != 1 {
		t.Errorf("%d rows are still leased, want the parked head alone", n)
	}
	if text := scalar[string](b, `SELECT last_error FROM outbox WHERE retry_count = 1`); text != "busy" {
		t.Errorf("last error = %q", text)
	}
}

// https://github.com/temporalio/temporal/issues/10941 (W12): a signal per fact fills a run's history, up to the server's limit.
func TestWakeUpsThatPiledUpForOneRunAreOneSignal(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	w := newScriptedWaker()
	for _, key := range []string{"a", "b"} {
		for range 5 {
			b.emit(settlement.DestinationTemporal, "wake/"+key, fmt.Sprintf(`{"key":%q}`, key))
		}
	}
	relay := b.relay(outbox.NewTemporal(w, w), func(c *outbox.Config) { c.Merge = true })
	w.setDown(true)
	if round := relay.RunOnce(t.Context()); round.Published != 0 || round.Released != 10 || round.Down == nil {
		t.Errorf("while it is down: %+v, want ten given back", round)
	}
	w.setDown(false)
	for b.pending() > 0 {
		if round := relay.RunOnce(t.Context()); round.Err != nil || round.Published != round.Claimed {
			t.Fatalf("round = %+v, want all published", round)
		}
	}
	slices.Sort(w.signals)
	if !slices.Equal(slices.Compact(slices.Clone(w.signals)), []string{"a", "b"}) || len(w.signals) > 4 {
		t.Errorf("signals %v, want few for each", w.signals)
	}
	b.emit(settlement.DestinationTemporal, "wake/a", `{"key":"a"}`) // later than the signal, which cannot stand for it
	before := len(w.signals)
	if round := relay.RunOnce(t.Context()); round.Published != 1 || len(w.signals) != before+1 {
		t.Errorf("round = %+v with %d signals more, want one", round, len(w.signals)-before)
	}
}

// O19: https://github.com/speakeasy-api/gram/pull/4984, O21: https://github.com/dbos-inc/dbos-transact-py/issues/742
func TestARelayWhoseRowsWereTakenOverMarksNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.emitSeries("settlement/a", 2)
	second := list(nil)
	var calls int
	first := list(func(_ context.Context, row settlement.OutboxRow) error {
		if calls++; calls == 1 { // the process sleeps here for longer than its lease
			b.exec(`UPDATE outbox SET leased_until = clock_timestamp() - interval '1 second'`)
			if round := b.relay(second, nil).RunOnce(t.Context()); round.Published != 2 {
				t.Errorf("the second relay: %+v", round)
			}
		}
		return nil
	})
	round := b.relay(first, nil).RunOnce(t.Context())
	if round.Published != 0 || round.Lost != 2 || round.Err != nil {
		t.Errorf("the first relay: %+v, want nothing marked and two lost", round)
	}
	lags, err := b.l.OutboxLag(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(lags, func(l settlement.OutboxLag) bool { return l.Destination == "nats" })
	if lags[i].Published != 2 || lags[i].Retries != 2 {
		t.Errorf("lag = %+v, want 2 published after 2 retries", lags[i])
	}
}

func TestARelayStartsNothingNearTheEndOfItsLease(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.emitSeries("settlement/a", 3)
	cfg := quickConfig()
	cfg.PublishTimeout, cfg.Lease = 150*time.Millisecond, 300*time.Millisecond
	sink := list(func(ctx context.Context, row settlement.OutboxRow) error {
		if row.Seq > 1 {
			return nil
		}
		<-ctx.Done() // slow, but the row arrives
		return nil
	})
	r, err := outbox.New(b.l, sink, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if round := r.RunOnce(t.Context()); round.Published != 1 || round.Released != 2 {
		t.Errorf("round = %+v, want one published and two given back", round)
	}
}

// O27: https://github.com/ThreeDotsLabs/watermill/issues/184
func TestARowThatPanicsTheSinkIsParkedAndTheOthersArrive(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	sink := list(func(_ context.Context, row settlement.OutboxRow) error {
		if row.Stream == "settlement/poisoned" {
			panic("index out of range")
		}
		return nil
	})
	streams := streamNames("settlement/", 3)
	for _, s := range append(slices.Clone(streams), "settlement/poisoned") {
		b.emitSeries(s, 1)
	}
	round := b.relay(sink, nil).RunOnce(t.Context())
	if round.Published != 3 || round.Parked != 1 {
		t.Errorf("round = %+v", round)
	}
	checkOrder(t, sink.received(), streams, 1)
	if reason := scalar[string](b, `SELECT parked_reason FROM outbox_counters WHERE parked_at IS NOT NULL`); !strings.Contains(reason, "index out of range") {
		t.Errorf("reason = %q", reason)
	}
}

// O30: https://github.com/fullstackhero/dotnet-starter-kit/pull/1336
func TestARowThatFailsTooOftenParksItsStreamAndSaysWhy(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.emitSeries("settlement/a", 1)
	relay := b.relay(list(func(context.Context, settlement.OutboxRow) error { return errors.New("400 bad request") }),
		func(c *outbox.Config) { c.RetriesMax, c.RetryMin, c.RetryMax = 3, time.Nanosecond, time.Nanosecond })
	var rounds []outbox.Round
	eventually(t, "the stream is parked", func() bool {
		round := relay.RunOnce(t.Context())
		if round.Claimed > 0 {
			rounds = append(rounds, round)
		}
		return round.Parked == 1
	})
	if len(rounds) != 4 {
		t.Errorf("%d attempts, want the first and three retries", len(rounds))
	}
	if reason := scalar[string](b, `SELECT parked_reason FROM outbox_counters`); !strings.Contains(reason, "3 retries: 400 bad request") {
		t.Errorf("reason = %q", reason)
	}
}

func TestOneDownErrorEndsTheBatchAndChargesNobody(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var calls atomic.Int64
	sink := list(func(_ context.Context, row settlement.OutboxRow) error {
		if calls.Add(1) == 3 {
			return outbox.Down(errors.New("connection reset"))
		}
		return nil
	})
	b.emitSeries("settlement/a", 5)
	round := b.relay(sink, nil).RunOnce(t.Context())
	if round.Published != 2 || round.Released != 3 || !errors.Is(round.Down, outbox.ErrDown) {
		t.Errorf("round = %+v", round)
	}
	if n := calls.Load(); n != 3 {
		t.Errorf("the sink was called for %d rows after it was down", n-3)
	}
	if n := scalar[int](b, `SELECT sum(retry_count) FROM outbox`); n != 0 {
		t.Errorf("%d attempts were charged", n)
	}
}

func TestStoppingLetsTheCurrentCallFinishAndGivesTheRestBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.emitSeries("settlement/a", 3)
	ctx, stop := context.WithCancel(t.Context())
	sink := list(func(ctx context.Context, row settlement.OutboxRow) error {
		stop()
		return ctx.Err() // a call under way must not see the stop
	})
	relay := b.relay(sink, nil)
	if err := relay.Run(ctx); err != nil {
		t.Fatal(err)
	}
	type left struct{ Published, Leased int }
	got := left{
		scalar[int](b, `SELECT count(*) FROM outbox WHERE published_at IS NOT NULL`),
		scalar[int](b, `SELECT count(*) FROM outbox WHERE lease_token IS NOT NULL`),
	}
	if want := (left{Published: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestAHintEndsAnIdleWait(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	sink := list(nil)
	relay := b.relay(sink, func(c *outbox.Config) { c.PollMin, c.PollMax = time.Hour, time.Hour })
	b.run(relay)
	b.emitSeries("settlement/a", 1)
	eventually(t, "the row arrives although the next poll is an hour away", func() bool {
		relay.Hint()
		return len(sink.received()) == 1
	})
}

func TestWhatWasPublishedIsNotLostWithItsMark(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.emitSeries("settlement/a", 1)
	sink := list(nil)
	r, err := outbox.New(markless{b.l}, sink, quickConfig())
	if err != nil {
		t.Fatal(err)
	}
	if round := r.RunOnce(t.Context()); round.Err == nil {
		t.Fatalf("round = %+v, want the store's error", round)
	}
	b.exec(`UPDATE outbox SET leased_until = clock_timestamp() - interval '1 second'`)
	if round := b.relay(sink, nil).RunOnce(t.Context()); round.Published != 1 {
		t.Errorf("round = %+v", round)
	}
	if n := len(sink.received()); n != 2 {
		t.Errorf("published %d times, want 2: at least once", n)
	}
}

// markless is a store whose connection breaks between publishing and marking.
type markless struct{ outbox.Store }

func (markless) MarkPublished(context.Context, string, []int64) (int, error) {
	return 0, errors.New("connection reset by peer")
}

func TestCleaningDeletesAllThatIsOldInBatches(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.exec(`INSERT INTO outbox_counters (stream, destination, last_seq) VALUES ('settlement/a', 'nats', 2500)`)
	b.exec(`INSERT INTO outbox (event_id, tenant, stream, destination, seq, epoch, type, payload, published_at)
		SELECT sha256(i::text::bytea), 'default', 'settlement/a', 'nats', i, 1, 'x', '{}', CASE WHEN i <= 2400 THEN now() - interval '2 days' ELSE now() END
		  FROM generate_series(1, 2500) i`)
	n, err := outbox.CleanOnce(t.Context(), b.l, 24*time.Hour)
	if err != nil || n != 2400 {
		t.Errorf("deleted %d, %v", n, err)
	}
}

func TestAConfigurationThatCouldPublishWithoutALeaseIsRefused(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why    string
		change func(*outbox.Config)
		want   string
	}{
		{"the defaults are fine", func(*outbox.Config) {}, ""},
		{"a publish may outlive the lease", func(c *outbox.Config) { c.Lease = c.PublishTimeout }, "Lease"},
		{"no batch, no work", func(c *outbox.Config) { c.BatchMax = 0 }, "BatchMax"},
		{"a limit below its start", func(c *outbox.Config) { c.RetryMax = c.RetryMin / 2 }, "RetryMax"},
		{"all problems at once", func(c *outbox.Config) { *c = outbox.Config{RetriesMax: -1} }, "RetriesMax"},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			cfg := outbox.DefaultConfig()
			row.change(&cfg)
			_, err := outbox.New(nil, list(nil), cfg)
			if (err == nil) != (row.want == "") || err != nil && !strings.Contains(err.Error(), row.want) {
				t.Errorf("err = %v, want one about %q", err, row.want)
			}
		})
	}
}

func TestEveryStreamHasItsTurnBehindManyThatWait(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	// More waiting streams than one claim looks at, by names before and behind the one that is due.
	b.exec(`INSERT INTO outbox_counters (stream, destination, last_seq) SELECT 'settlement/' || i, 'nats', 1 FROM generate_series(10000, 15000) i`)
	b.exec(`INSERT INTO outbox (event_id, tenant, stream, destination, seq, epoch, type, payload, next_attempt_at)
		SELECT sha256(i::text::bytea), 'default', 'settlement/' || i, 'nats', 1, 1, 'x', '{}', now() + interval '1 day' FROM generate_series(10000, 15000) i`)
	sink := list(nil)
	b.run(b.relay(sink, nil))
	for _, stream := range []string{"settlement/14500-due", "settlement/1", "settlement/9"} {
		b.emit(settlement.DestinationNATS, stream, `{}`)
	}
	eventually(t, "the streams that are due are published", func() bool { return len(sink.received()) == 3 })
}
