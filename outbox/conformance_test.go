package outbox_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cloudevents/sdk-go/v2/event"

	"github.com/quittance/quittance/outbox"
	"github.com/quittance/quittance/settlement"
)

// target is one destination under test: every sink has to pass the same suite.
type target struct {
	destination string
	prefix      string                   // of its streams
	payload     func(name string) string // a good one
	poison      string                   // a payload that can never be delivered
	sink        func() outbox.Sink       // another one to the same destination, as a second relay has
	received    func() []delivery        // what arrived, copies included unless the destination drops them
	down        func(bool)
	hang        func(bool)
}

var targets = map[string]func(*testing.T, *bench) *target{"nats": natsTarget, "temporal": temporalTarget}

func natsTarget(t *testing.T, _ *bench) *target {
	broker := newBroker(t)
	line, url := newProxy(t, broker.url)
	toggle := func(on, off func()) func(bool) {
		return func(yes bool) {
			if yes {
				on()
			} else {
				off()
			}
		}
	}
	return &target{
		destination: settlement.DestinationNATS, prefix: "settlement/",
		payload:  func(name string) string { return fmt.Sprintf(`{"name": %q}`, name) },
		poison:   `{"name": "` + strings.Repeat("x", 2<<20) + `"}`, // above the server's largest message
		sink:     func() outbox.Sink { return broker.sink(url) },
		down:     toggle(line.Cut, line.Mend),
		hang:     toggle(line.Freeze, line.Thaw),
		received: func() []delivery { return natsView(t, broker) },
	}
}

// natsView reads the stream as a consumer does.
func natsView(t *testing.T, b *broker) []delivery {
	t.Helper()
	var out []delivery
	for _, msg := range b.messages() {
		var e event.Event
		if err := json.Unmarshal(msg.Data, &e); err != nil {
			t.Errorf("message %d is no CloudEvent: %v", msg.Sequence, err)
			continue
		}
		var seq int64
		if _, err := fmt.Sscanf(e.Extensions()[outbox.ExtensionSequence].(string), "%d", &seq); err != nil {
			t.Error(err)
		}
		out = append(out, delivery{e.Subject(), seq, e.ID()})
	}
	return out
}

func temporalTarget(*testing.T, *bench) *target {
	w := newScriptedWaker()
	return &target{
		destination: settlement.DestinationTemporal, prefix: settlement.WakeStreamPrefix,
		payload: func(name string) string { return fmt.Sprintf(`{"key": %q}`, name) },
		poison:  `{"key": ""}`,
		sink:    func() outbox.Sink { return spy{outbox.NewTemporal(w, w), w} },
		down:    w.setDown,
		hang:    w.setHang,
		received: func() []delivery {
			w.mu.Lock()
			defer w.mu.Unlock()
			return slices.Clone(w.woken)
		},
	}
}

func eachTarget(t *testing.T, name string, test func(*testing.T, *bench, *target)) {
	for kind, make := range targets {
		t.Run(kind+" "+name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			test(t, b, make(t, b))
		})
	}
}

// O9: https://github.com/MassTransit/MassTransit/issues/3512, O11: https://github.com/ow00us/sb11-mopl-team1/issues/266
func TestTwoRelaysDeliverEveryRowAndEachStreamInOrder(t *testing.T) {
	t.Parallel()
	eachTarget(t, "", func(t *testing.T, b *bench, d *target) {
		streams := streamNames(d.prefix, 5)
		const perStream = 30
		b.run(b.relay(d.sink(), nil), b.relay(d.sink(), func(c *outbox.Config) { c.BatchMax = 7 }))
		for i := range perStream {
			for _, s := range streams {
				b.emit(d.destination, s, d.payload(fmt.Sprint(i)))
			}
		}
		eventually(t, "everything is published", func() bool { return b.pending() == 0 })
		checkOrder(t, d.received(), streams, perStream)
		if n := scalar[int](b, `SELECT count(*) FROM outbox WHERE published_at IS NOT NULL AND lease_token IS NULL`); n != len(streams)*perStream {
			t.Errorf("%d rows are marked", n)
		}
	})
}

func TestASecondCopyIsSuccess(t *testing.T) {
	t.Parallel()
	eachTarget(t, "", func(t *testing.T, b *bench, d *target) {
		b.emit(d.destination, d.prefix+"a", d.payload("x"))
		claim, err := b.l.ClaimOutbox(t.Context(), d.destination, 1, quickConfig().Lease, "")
		if err != nil {
			t.Fatal(err)
		}
		sink := d.sink()
		for copy := range 3 {
			var errs []error
			eventually(t, "the sink is connected", func() bool { // a sink may connect in the background
				errs = sink.Publish(t.Context(), claim.Rows)
				return !errors.Is(errs[0], outbox.ErrDown)
			})
			if len(errs) != 1 || errs[0] != nil {
				t.Fatalf("copy %d: %v", copy, errs)
			}
		}
		checkOrder(t, d.received(), []string{d.prefix + "a"}, 1)
	})
}

// O27: https://github.com/ThreeDotsLabs/watermill/issues/224
func TestADestinationThatIsDownBurnsNoAttempts(t *testing.T) {
	t.Parallel()
	eachTarget(t, "", func(t *testing.T, b *bench, d *target) {
		var outages int
		seen := make(chan struct{})
		relay := b.relay(d.sink(), func(c *outbox.Config) {
			c.RetriesMax = 1 // one charged attempt too many would park the stream
			c.Observe = func(r outbox.Round) {
				if r.Down != nil {
					if outages++; outages == 5 {
						close(seen)
					}
				}
			}
		})
		d.down(true)
		streams := streamNames(d.prefix, 3)
		for _, s := range streams {
			b.emit(d.destination, s, d.payload("1"))
			b.emit(d.destination, s, d.payload("2"))
		}
		b.run(relay)
		<-seen
		if n := scalar[int](b, `SELECT coalesce(sum(retry_count), 0) FROM outbox`); n != 0 {
			t.Errorf("the outage was charged with %d attempts", n)
		}
		d.down(false)
		eventually(t, "everything is published", func() bool { return b.pending() == 0 })
		checkOrder(t, d.received(), streams, 2)
		if n := scalar[int](b, `SELECT coalesce(sum(retry_count), 0)::int + count(last_error)::int FROM outbox`); n != 0 {
			t.Errorf("the outage was charged with %d attempts or errors", n)
		}
	})
}

func TestADestinationThatHangsIsDownAndDelaysNoOther(t *testing.T) {
	t.Parallel()
	eachTarget(t, "", func(t *testing.T, b *bench, d *target) {
		b.exec(`INSERT INTO destinations (name, kind) VALUES ('webhook:other', 'webhook')`)
		other := &listSink{destination: "webhook:other"}
		hung := make(chan error, 100)
		slow := b.relay(d.sink(), func(c *outbox.Config) {
			c.PublishTimeout = 200 * quickConfig().PollMin
			c.Observe = func(r outbox.Round) {
				if r.Down != nil {
					select {
					case hung <- r.Down:
					default:
					}
				}
			}
		})
		b.emit(d.destination, d.prefix+"warm", d.payload("up"))
		b.run(slow, b.relay(other, nil))
		eventually(t, "the destination works at first", func() bool { return b.pending() == 0 })
		d.hang(true)
		b.emit(d.destination, d.prefix+"a", d.payload("1"))
		if err := <-hung; err == nil {
			t.Error("the destination is down for no reason")
		}
		for range 20 {
			b.emit("webhook:other", "settlement/a", `{}`)
		}
		eventually(t, "the other destination goes on", func() bool { return len(other.received()) == 20 })
		eventually(t, "only the hanging row is pending", func() bool { return b.pending() == 1 })
		if n := scalar[int](b, `SELECT sum(retry_count) FROM outbox`); n != 0 {
			t.Errorf("hanging was charged with %d attempts", n)
		}
		d.hang(false)
		eventually(t, "the row arrives", func() bool { return b.pending() == 0 })
		checkOrder(t, d.received(), []string{d.prefix + "a"}, 1)
	})
}

// O28: https://github.com/debezium/debezium/pull/4761, O29: https://github.com/moneat-io/moneat/pull/873,
// O23: https://github.com/dbos-inc/dbos-transact-py/issues/546
func TestOnePoisonedRowParksItsStreamAndStrandsNoOther(t *testing.T) {
	t.Parallel()
	eachTarget(t, "", func(t *testing.T, b *bench, d *target) {
		streams := streamNames(d.prefix, 4)
		for _, s := range streams {
			b.emit(d.destination, s, d.payload("1"))
		}
		b.emit(d.destination, d.prefix+"poisoned", d.poison)
		b.emit(d.destination, d.prefix+"poisoned", d.payload("2"))
		for _, s := range streams {
			b.emit(d.destination, s, d.payload("2"))
		}
		b.run(b.relay(d.sink(), nil))
		eventually(t, "all other streams are published", func() bool { return b.pending() == 2 })
		checkOrder(t, d.received(), streams, 2)
		eventually(t, "the stream is parked", func() bool {
			parked, err := b.l.ParkedStreams(t.Context(), 10)
			return err == nil && len(parked) == 1 && parked[0].Stream == d.prefix+"poisoned" && parked[0].Reason != ""
		})
		if _, err := b.l.SkipParked(t.Context(), "alice", d.prefix+"poisoned", d.destination); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the row behind it is published", func() bool { return b.pending() == 0 })
	})
}

// O25: https://github.com/nats-io/nats-server/issues/7564 (acknowledged messages can be lost: the outbox keeps its rows)
func TestWhatTheBrokerLostIsPublishedAgainIntoANewStream(t *testing.T) {
	t.Parallel()
	b, broker := newBench(t), newBroker(t)
	b.run(b.relay(broker.sink(broker.url), nil))
	streams := streamNames("settlement/", 3)
	for _, s := range streams {
		b.emitSeries(s, 4)
	}
	eventually(t, "everything is published", func() bool { return b.pending() == 0 })
	if err := broker.js.DeleteStream(t.Context(), broker.stream); err != nil {
		t.Fatal(err)
	}
	until := scalar[time.Time](b, `SELECT clock_timestamp()`)
	n, err := b.l.Redeliver(t.Context(), "alice", settlement.DestinationNATS, until.Add(-time.Hour), until, 100)
	if err != nil || n != 12 {
		t.Fatalf("redeliver: %d %v", n, err)
	}
	eventually(t, "everything is published again", func() bool { return b.pending() == 0 })
	checkOrder(t, natsView(t, broker), streams, 4)
}
