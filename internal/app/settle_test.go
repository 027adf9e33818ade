package app

import (
	"context"
	"log/slog"
	"testing"

	enumspb "go.temporal.io/api/enums/v1"

	"github.com/quittance/quittance/activities"
	"github.com/quittance/quittance/chain"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

func TestASettlementIsPaidOnceAndTheLedgerShowsIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.worker()
	w.listener()
	w.relay()
	w.deposit("100")

	var result settlement.Snapshot
	w.must(w.start(w.request("one", "12.5")).Get(t.Context(), &result))

	if result.State != settlement.Settled || result.TxHash == nil || result.Amount != "12.5" {
		t.Fatalf("got %+v", result)
	}
	if got := w.received("one"); got.Int64() != 12_500_000 {
		t.Errorf("the recipient holds %s base units, want 12500000", got)
	}
	if got := w.available().Units(6); got != "87.5" {
		t.Errorf("alice has %s left, want 87.5", got)
	}
}

// The budget of the design: what one settlement costs on its own, on the happy path.
func TestTheHappyPathCosts18EventsFourTransactionsAndTwoCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.listener()
	w.relay()
	counted, pool := w.countedWorker()
	w.deposit("100")
	const settlements = 5

	before, calls := counted.Counts(), pool.Counts()
	for i := range settlements {
		name := string(rune('a' + i))
		run := w.start(w.request(name, "1"))
		var result settlement.Snapshot
		w.must(run.Get(t.Context(), &result))
		if result.State != settlement.Settled {
			t.Fatalf("settlement %s: %+v", name, result)
		}
		if events := w.history(run.GetID(), run.GetRunID()); len(events) > 18 {
			t.Errorf("settlement %s: %d history events, want at most 18: %v", name, len(events), events)
		}
	}

	after := counted.Counts()
	if got := after.Commits + after.Reads - before.Commits - before.Reads; got != 4*settlements {
		t.Errorf("%d transactions for %d settlements, want 4 each (commits %d, reads %d)", got, settlements, after.Commits-before.Commits, after.Reads-before.Reads)
	}
	if after.Retries != before.Retries {
		t.Errorf("%d retries without any contention", after.Retries-before.Retries)
	}
	t.Logf("round trips per settlement: %.1f", float64(after.RoundTrips-before.RoundTrips)/settlements)
	want := map[string]uint64{"eth_estimateGas": settlements, "eth_sendRawTransaction": settlements}
	for method, n := range pool.Counts() {
		if made := n - calls[method]; made != want[method] {
			t.Errorf("%s was called %d times, want %d", method, made, want[method])
		}
		delete(want, method)
	}
	if len(want) > 0 {
		t.Errorf("never called: %v", want)
	}
}

// countedWorker runs the worker's steps on a ledger and a pool of their own, so that nothing else counts there.
func (w *world) countedWorker() (*ledger.Ledger, *chain.Pool) {
	counted, err := ledger.Open(w.t.Context(), w.dsn, ledger.WithConns(4))
	w.must(err)
	w.t.Cleanup(counted.Close)
	keys, err := OpenKeys(w.keysConfig())
	w.must(err)
	site, err := DialChain(w.t.Context(), w.chainConfig(), w.ledger)
	w.must(err)
	w.t.Cleanup(site.Pool.Close)
	steps := newChainSteps(site, counted, NewBoard(w.ledger, site.Config, keys.Addresses()), keys)
	options := workflows.DefaultWorkerOptions()
	options.Queues = workflows.Queues(w.name)
	workers, err := workflows.NewWorkers(w.temporal, &activities.Activities{Ledger: counted, Chain: steps, Replacer: steps}, options)
	w.must(err)
	w.run("counted worker", func(ctx context.Context, _ *slog.Logger) error { return workers.Run(ctx) })
	return counted, site.Pool
}

func (w *world) history(id, run string) []enumspb.EventType {
	w.t.Helper()
	var types []enumspb.EventType
	iterator := w.temporal.GetWorkflowHistory(w.t.Context(), id, run, false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for iterator.HasNext() {
		event, err := iterator.Next()
		w.must(err)
		types = append(types, event.GetEventType())
	}
	return types
}
