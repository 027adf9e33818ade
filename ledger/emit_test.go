package ledger_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

func fact(stream, cause string, n int) ledger.Event {
	return ledger.Event{Tenant: "default", Stream: stream, Type: "test.fact", Cause: []byte(cause), N: n, Payload: map[string]string{"cause": cause}}
}

func emitted(t *testing.T, w *ledgertest.World, events ...ledger.Event) {
	t.Helper()
	err := w.Do(t.Context(), "emit", func(tx *ledger.Tx) error {
		ledger.Emit(tx, events...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSequencesHaveNoGapsHoweverManyWriteAndHoweverManyFail(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t, ledgertest.Empty(), ledgertest.WithConns(16))
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			for j := range 5 {
				err := w.Do(t.Context(), "emit", func(tx *ledger.Tx) error {
					// two streams in one unit, named in both orders: counters are locked in their own order
					a, b := fact("settlement/a", fmt.Sprint(i, j), 0), fact("settlement/b", fmt.Sprint(i, j), 0)
					if i%2 == 0 {
						a, b = b, a
					}
					ledger.Emit(tx, a, b, fact("settlement/a", fmt.Sprint("second ", i, j), 0))
					if j == 3 {
						tx.AtCommit(`SELECT must(false, 'rolled back on purpose')`)
					}
					return nil
				})
				if (err != nil) != (j == 3) {
					t.Errorf("%d %d: %v", i, j, err)
				}
			}
		})
	}
	wg.Wait()
	for stream, want := range map[string]int{"settlement/a": 128, "settlement/b": 64} {
		got := ledgertest.Value[string](w, `SELECT format('%s %s %s %s', count(*), min(o.seq), max(o.seq), max(c.last_seq))
			FROM outbox o JOIN outbox_counters c USING (stream, destination) WHERE stream = $1`, stream)
		if got != fmt.Sprintf("%d 1 %d %d", want, want, want) {
			t.Errorf("%s: %s", stream, got)
		}
	}
	if w.Counts().Retries != 0 {
		t.Errorf("%d retries: counters were locked in two orders", w.Counts().Retries)
	}
}

func TestARewriteOfTheSameFactIsTheSameEventAndMakesNoGap(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t, ledgertest.Empty())
	emitted(t, w, fact("settlement/a", "one", 0))
	emitted(t, w, fact("settlement/a", "one", 0), fact("settlement/a", "two", 0))
	emitted(t, w, fact("settlement/a", "one", 1))
	got := ledgertest.Value[string](w, `SELECT string_agg(seq || ' ' || (payload ->> 'cause'), ', ' ORDER BY seq) FROM outbox`)
	if got != "1 one, 2 two, 3 one" {
		t.Errorf("rows %s", got)
	}
}

func TestEventsGoToEveryEnabledDestinationAndWakeUpsToWorkflowsAlone(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t, ledgertest.Empty())
	w.Exec(`INSERT INTO destinations (name, kind, enabled) VALUES ('hook', 'webhook', true), ('asleep', 'webhook', false)`)
	w.Exec(`UPDATE destinations SET enabled = false WHERE name = 'temporal'`) // no switch may strand a workflow
	err := w.Do(t.Context(), "emit", func(tx *ledger.Tx) error {
		ledger.Emit(tx, fact("settlement/a", "one", 0))
		ledger.Wake(tx, ledgertest.Key("a"), settlement.Key{Tenant: "acme", Value: "a"}, ledgertest.Key("a"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got := ledgertest.Value[string](w, `SELECT string_agg(destination || ' ' || stream || ' ' || seq, ', ' ORDER BY destination, stream, seq) FROM outbox`)
	if got != "hook settlement/a 1, nats settlement/a 1, temporal wake/@acme/a 1, temporal wake/a 1, temporal wake/a 2" {
		t.Errorf("rows %s", got)
	}
	if ids := ledgertest.Value[int](w, `SELECT count(DISTINCT event_id) FROM outbox`); ids != 4 {
		t.Errorf("%d ids: one fact has one id at all destinations, and every wake-up its own", ids)
	}
}

// A change of the encoding would publish every event again under a new id: consumers could not tell.
func TestTheIDOfAnEventIsGolden(t *testing.T) {
	t.Parallel()
	e := ledger.Event{Tenant: "default", Stream: "settlement/order-1", Type: ledger.TypeSubmitted, Cause: []byte{1, 2, 3}, N: 7}
	if id := ledger.EventID(e).Hex(); id != "0x2847b357119e645c9602ffb6fa690c863c4a4c750afed8c4181f5599665874f2" {
		t.Errorf("id %s", id)
	}
	for why, change := range map[string]func(*ledger.Event){
		"another tenant": func(e *ledger.Event) { e.Tenant = "acme" },
		"another stream": func(e *ledger.Event) { e.Stream = "settlement/order-2" },
		"another type":   func(e *ledger.Event) { e.Type = ledger.TypeMined },
		"another cause":  func(e *ledger.Event) { e.Cause = []byte{1, 2} },
		"again":          func(e *ledger.Event) { e.N++ },
		"a border moved": func(e *ledger.Event) { e.Stream, e.Type = e.Stream+"s", e.Type[1:] },
	} {
		other := e
		change(&other)
		if ledger.EventID(other) == ledger.EventID(e) {
			t.Errorf("%s has the same id", why)
		}
	}
}
