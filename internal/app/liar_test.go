package app_test

import (
	"fmt"
	"testing"

	"github.com/quittance/quittance/internal/app/apptest"
	"github.com/quittance/quittance/internal/liar"
	"github.com/quittance/quittance/settlement"
)

// lied runs payments through nodes that lie and checks that every one is paid once, whatever the nodes said.
func lied(t *testing.T, w *apptest.World, payments int) {
	t.Helper()
	for i := range payments {
		w.Start(w.Request(fmt.Sprint("l", i), apptest.Alice, "1"))
	}
	for i := range payments {
		name := fmt.Sprint("l", i)
		if s := w.Await(name, settlement.Settled, settlement.Failed, settlement.Cancelled); s.State != settlement.Settled {
			t.Errorf("%s: %s (%s)", name, s.State, s.Reason)
		}
		if got := w.Received(name); got.Int64() != 1_000_000 {
			t.Errorf("%s: the recipient holds %s base units, want 1000000", name, got)
		}
	}
	told := map[string]int{}
	for _, n := range w.Nodes {
		for name, times := range n.Told() {
			told[name] += times
		}
		n.Honest()
	}
	if len(told) < 5 {
		t.Errorf("only %d kinds of lies were told: %v", len(told), told)
	}
	t.Logf("lies told: %v", told)
	w.Holds()
}

// One of three nodes lies to a third of all requests, in every way that nodes of the field do.
func TestOneLyingNodeOfThreeChangesNothing(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{Nodes: 3})
	w.Services()
	w.Deposit(apptest.Alice, "100")
	w.Nodes[1].Moody(1, 0.33, liar.Everything()...)
	lied(t, w, 25)
}

// The only node there is lies to every eighth request. Nothing that it says once is believed for good.
func TestALyingNodeAloneDelaysAndNothingElse(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{Nodes: 1, FinalityDepth: 4})
	w.Services()
	w.Deposit(apptest.Alice, "100")
	w.Nodes[0].Moody(2, 0.12, liar.Everything()...)
	lied(t, w, 25)
}
