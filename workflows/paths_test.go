package workflows_test

import (
	"context"
	"testing"

	"github.com/quittance/quittance/activities"
	"github.com/quittance/quittance/activities/activitiestest"
	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

// world is one settlement's books and chain, with the workflow's input.
type world struct {
	books *activitiestest.Books
	chain *activitiestest.Chain
	steps *activities.Activities
	input workflows.Input
	key   settlement.Key
}

func newWorld(key string) *world {
	books := activitiestest.NewBooks()
	chain := activitiestest.NewChain(books)
	return &world{
		books: books, chain: chain, input: activitiestest.Request(key),
		key:   settlement.Key{Tenant: settlement.DefaultTenant, Value: key},
		steps: &activities.Activities{Ledger: books, Chain: chain, Replacer: books},
	}
}

// reserve writes the row as an earlier run of the same settlement would have.
func (w *world) reserve() {
	if _, err := w.steps.Reserve(context.Background(), w.input); err != nil {
		panic(err)
	}
}

func (w *world) submit() {
	if _, err := w.steps.Submit(context.Background(), activities.Ref{Key: w.input.Key}); err != nil {
		panic(err)
	}
}

func (w *world) row() settlement.Settlement {
	row, _ := w.books.Row(w.key)
	return row
}

// event happens while the run sleeps: a commit of somebody else, or a cancel request, then wake-ups.
type event struct {
	change func(*settlement.Settlement)
	world  func(*world)
	cancel bool // requests cancellation of the run in Temporal
	wakes  int
}

func commit(change func(*settlement.Settlement)) event { return event{change: change, wakes: 1} }

func (e event) apply(w *world) {
	if e.world != nil {
		e.world(w)
	}
	if e.change != nil {
		w.books.Change(w.key, e.change)
	}
}

// path is one way through the workflow. Each runs in the test environment and on a real server, and the history of the
// latter is kept in testdata/histories and replayed.
type path struct {
	name    string
	why     string
	prepare func(*world)
	events  []event

	state  settlement.State // of the result
	failed string           // type of the run's error instead
	nonces int
	sends  int
	reads  int // Outcome and the opening reads of Submit and Replace
}

var refused = settlement.Estimate{Verdict: settlement.VerdictRefused, Reason: "NativeTransferFailed"}

var paths = []path{
	{name: "happy", why: "the path that every other one leaves", events: []event{commit(activitiestest.Settled)},
		state: settlement.Settled, nonces: 1, sends: 1, reads: 2},
	{name: "insufficient-balance", why: "a business answer ends the run well", prepare: func(w *world) { w.books.Balance = settlement.NewAmount(1) },
		state: settlement.Failed},
	{name: "conflict", why: "the row means something else: nothing is done for this run", prepare: func(w *world) { w.reserve(); w.input.Amount = "1" },
		failed: activities.TypeConflict},
	{name: "invalid", why: "nothing is written", prepare: func(w *world) { w.input.Amount = "12.5" }, failed: activities.TypeInvalid},
	{name: "queued", why: "no slot, then a grant", prepare: func(w *world) { w.books.Free(0, "") },
		events: []event{
			{world: func(w *world) { w.books.Free(1, "") }, change: activitiestest.Granted, wakes: 1},
			commit(activitiestest.Settled),
		}, state: settlement.Settled, nonces: 1, sends: 1, reads: 4},
	{name: "waiting", why: "a passing reason found by the simulation, then another found by the ledger",
		prepare: func(w *world) {
			w.chain.Verdicts = []settlement.Estimate{{Verdict: settlement.VerdictWait, Reason: settlement.WaitPaused}, {Verdict: settlement.VerdictPayable}}
			w.books.Free(1, settlement.WaitLiquidity)
		},
		events: []event{
			commit(activitiestest.Granted),
			{world: func(w *world) { w.books.Free(1, "") }, change: activitiestest.Granted, wakes: 1},
			commit(activitiestest.Settled),
		}, state: settlement.Settled, nonces: 1, sends: 1, reads: 6},
	{name: "replaced", why: "the lane keeper asks for higher fees twice",
		events: []event{commit(activitiestest.BumpAsked), commit(activitiestest.BumpAsked), commit(activitiestest.Settled)},
		state:  settlement.Settled, nonces: 1, sends: 1, reads: 6},
	{name: "resubmitted", why: "a final revert for a passing reason takes a second nonce",
		events: []event{commit(activitiestest.Reverted), commit(activitiestest.Settled)},
		state:  settlement.Settled, nonces: 2, sends: 2, reads: 4},
	{name: "reorged", why: "mined, back to submitted, mined again: nothing for the run to do",
		events: []event{commit(activitiestest.Mined), commit(activitiestest.Unmined), commit(activitiestest.Settled)},
		state:  settlement.Settled, nonces: 1, sends: 1, reads: 4},
	{name: "refused-recipient", why: "failed by the guarded update alone", prepare: func(w *world) { w.chain.Verdicts = []settlement.Estimate{refused} },
		state: settlement.Failed, reads: 1},
	{name: "refused-after-revert", why: "failed by the proof that all nonces are consumed and the vault says unpaid",
		prepare: func(w *world) {
			w.chain.Verdicts = []settlement.Estimate{{Verdict: settlement.VerdictPayable}, refused}
		},
		events: []event{commit(activitiestest.Reverted)}, state: settlement.Failed, nonces: 1, sends: 1, reads: 3},
	{name: "revoked", why: "an operator's cancel becomes final", events: []event{commit(activitiestest.Revoked)},
		state: settlement.Cancelled, nonces: 1, sends: 1, reads: 2},
	{name: "cancelled", why: "an empty transaction competes and wins: the settlement ends by proof",
		events: []event{commit(activitiestest.CancelAsked), commit(activitiestest.Reverted)}, state: settlement.Cancelled, nonces: 1, sends: 1, reads: 5},
	{name: "cancelled-in-vain", why: "the payment wins",
		events: []event{commit(activitiestest.CancelAsked), commit(activitiestest.Settled)}, state: settlement.Settled, nonces: 1, sends: 1, reads: 4},
	{name: "cancelled-late", why: "mined, taken back by a reorg, and only then contestable",
		events: []event{commit(activitiestest.Mined), {change: activitiestest.CancelAsked, wakes: 1}, commit(activitiestest.Unmined), commit(activitiestest.Reverted)},
		state:  settlement.Cancelled, nonces: 1, sends: 1, reads: 7},
	{name: "revoke-asked", why: "the vault's final word ends it", events: []event{commit(activitiestest.RevokeAsked), commit(activitiestest.Revoked)},
		state: settlement.Cancelled, nonces: 1, sends: 1, reads: 4},
	// https://github.com/temporalio/sdk-java/issues/305 (W32): cleaning up did not run in a cancelled scope.
	{name: "cancel-request", why: "Temporal's cancel stops no payment, and the steps after it still run",
		events: []event{{cancel: true}, commit(activitiestest.Reverted), {cancel: true}, commit(activitiestest.Settled)},
		state:  settlement.Settled, nonces: 2, sends: 2, reads: 4},
	// https://github.com/temporalio/temporal/issues/10941 (W12): 10,000 signals end a run.
	{name: "many-wakes", why: "wake-ups without news, in a burst and alone",
		events: []event{{wakes: 7}, {wakes: 1}, {change: activitiestest.Settled, wakes: 3}},
		state:  settlement.Settled, nonces: 1, sends: 1, reads: -1},
	{name: "no-endpoint", why: "a broadcast without an answer is tried again with the same bytes",
		prepare: func(w *world) {
			w.chain.Sends = []activitiestest.SendAnswer{{Err: activitiestest.ErrNoEndpoint}, {Sent: settlement.Sent{Outcome: settlement.SendAccepted}}}
		},
		events: []event{commit(activitiestest.Settled)}, state: settlement.Settled, nonces: 1, sends: 2, reads: 3},
	{name: "postgres-away", why: "a read that fails for longer than a task may be held up goes on at the server",
		prepare: func(w *world) { w.books.Before = failing("Settlement", 12, 1) },
		events:  []event{commit(activitiestest.Settled)}, state: settlement.Settled, nonces: 1, sends: 1, reads: -1},
	{name: "ended-before", why: "a run of a settlement that has ended returns the stored answer",
		prepare: func(w *world) { w.reserve(); w.submit(); w.books.Change(w.key, activitiestest.Settled) },
		state:   settlement.Settled, nonces: 1, sends: 1, reads: 1},
	{name: "resumed", why: "a second run goes on in the middle: nothing is sent again",
		prepare: func(w *world) { w.reserve(); w.submit() },
		events:  []event{commit(activitiestest.Settled)}, state: settlement.Settled, nonces: 1, sends: 1, reads: 2},
	{name: "row-gone", why: "books that were set back page a person instead of paying again",
		events: []event{{world: func(w *world) { w.books.Forget(w.key) }, wakes: 1}},
		failed: activities.TypeNotFound, nonces: 0, sends: 1, reads: -1},
}

// check compares what a path left with what it promised.
func (p path) check(t *testing.T, w *world, result workflows.Result, failed string) {
	t.Helper()
	if failed != p.failed {
		t.Fatalf("the run failed with type %q, want %q", failed, p.failed)
	}
	if p.failed == "" {
		row := w.row()
		if result.State != p.state || row.State != p.state || result.Reason != row.Reason || result.Proof != row.Proof {
			t.Errorf("result %s (%s, %s) and row %s (%s, %s), want both %s", result.State, result.Reason, result.Proof, row.State, row.Reason, row.Proof, p.state)
		}
		if p.state == settlement.Settled && (result.TxHash == nil || *result.TxHash != *row.TxHash) {
			t.Errorf("transaction %v, want %v", result.TxHash, row.TxHash)
		}
	}
	if got := w.row().NoncesAllocated; got != p.nonces {
		t.Errorf("%d nonces, want %d", got, p.nonces)
	}
	if got := len(w.chain.Broadcasts()); got != p.sends {
		t.Errorf("%d broadcasts, want %d", got, p.sends)
	}
	if got := w.books.Calls("Settlement"); p.reads >= 0 && got != p.reads {
		t.Errorf("%d reads, want %d", got, p.reads)
	}
	if got := w.books.Calls("hit"); got != 0 {
		t.Errorf("%d hits, want none: a run is no duplicate of itself", got)
	}
	for _, breach := range w.books.Breaches() {
		t.Errorf("breach: %s", breach)
	}
}
