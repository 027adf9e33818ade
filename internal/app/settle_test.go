package app_test

import (
	"context"
	"log/slog"
	"testing"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"github.com/quittance/quittance/activities"
	"github.com/quittance/quittance/chain"
	"github.com/quittance/quittance/internal/app"
	"github.com/quittance/quittance/internal/app/apptest"
	"github.com/quittance/quittance/internal/config"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

func TestASettlementIsPaidOnceAndTheLedgerShowsIt(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	w.Worker()
	w.Listener()
	w.Relay()
	w.Deposit(apptest.Alice, "100")

	var result settlement.Snapshot
	w.Must(w.Start(w.Request("one", apptest.Alice, "12.5")).Get(t.Context(), &result))

	if result.State != settlement.Settled || result.TxHash == nil || result.Amount != "12.5" {
		t.Fatalf("got %+v", result)
	}
	if got := w.Received("one"); got.Int64() != 12_500_000 {
		t.Errorf("the recipient holds %s base units, want 12500000", got)
	}
	if got := w.Available(apptest.Alice).Units(6); got != "87.5" {
		t.Errorf("alice has %s left, want 87.5", got)
	}
}

// The budget of the design: what one settlement costs on its own, on the happy path.
func TestTheHappyPathCosts18EventsFourTransactionsAndTwoCalls(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	w.Listener()
	w.Relay()
	counted, pool := countedWorker(w)
	w.Deposit(apptest.Alice, "100")
	const settlements = 5

	before, calls := counted.Counts(), pool.Counts()
	for i := range settlements {
		name := string(rune('a' + i))
		run := w.Start(w.Request(name, apptest.Alice, "1"))
		var result settlement.Snapshot
		w.Must(run.Get(t.Context(), &result))
		if result.State != settlement.Settled {
			t.Fatalf("settlement %s: %+v", name, result)
		}
		if events := history(w, run); len(events)-overdue(events) > 18 {
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
func countedWorker(w *apptest.World) (*ledger.Ledger, *chain.Pool) {
	w.T.Helper()
	c, err := config.LoadWorker(w.Environ())
	w.Must(err)
	counted, err := ledger.Open(w.T.Context(), w.DSN, ledger.WithConns(4))
	w.Must(err)
	w.T.Cleanup(counted.Close)
	keys, err := app.OpenKeys(c.Keys)
	w.Must(err)
	site, err := app.DialChain(w.T.Context(), c.Chain, w.Ledger)
	w.Must(err)
	w.T.Cleanup(site.Pool.Close)
	steps := app.NewChainSteps(site, counted, app.NewBoard(w.Ledger, site.Config, keys), keys)
	options := workflows.DefaultWorkerOptions()
	options.Queues = workflows.Queues(c.TaskQueue)
	workers, err := workflows.NewWorkers(w.Temporal, &activities.Activities{Ledger: counted, Chain: steps, Replacer: steps}, options)
	w.Must(err)
	w.Service("counted worker", func(ctx context.Context, _ *slog.Logger) error { return workers.Run(ctx) })
	return counted, site.Pool
}

// overdue counts the events of workflow tasks that a worker on a crowded machine did not answer in time: scheduled, started and
// timed out. They are the machine's, not the workflow's.
func overdue(events []enumspb.EventType) (n int) {
	for _, e := range events {
		if e == enumspb.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT {
			n += 3
		}
	}
	return n
}

func history(w *apptest.World, run client.WorkflowRun) []enumspb.EventType {
	w.T.Helper()
	var types []enumspb.EventType
	iterator := w.Temporal.GetWorkflowHistory(w.T.Context(), run.GetID(), run.GetRunID(), false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for iterator.HasNext() {
		event, err := iterator.Next()
		w.Must(err)
		types = append(types, event.GetEventType())
	}
	return types
}
