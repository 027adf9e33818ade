package app_test

import (
	"fmt"
	"testing"

	"github.com/quittance/quittance/internal/app/apptest"
	"github.com/quittance/quittance/settlement"
)

// A reorg within the finality depth takes the payment off the chain, and nodes do not bring it back: the lane keeper must.
func TestAPaymentThatAReorgTookAwayIsMinedAgainAndSettlesOnce(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{FinalityDepth: 12})
	w.Worker()
	w.Listener()
	w.Relay()
	w.Deposit(apptest.Alice, "100")

	w.Start(w.Request("one", apptest.Alice, "12.5"))
	mined := w.Await("one", settlement.Mined)
	setHead(w, *mined.BlockNumber-2)

	w.Eventually("the listener has seen the reorg", func() bool {
		s, err := w.Ledger.Settlement(t.Context(), w.Key("one"))
		w.Must(err)
		return s.State == settlement.Submitted || s.State.Terminal() || s.BlockNumber != nil && *s.BlockNumber != *mined.BlockNumber
	})
	settled := w.Await("one", settlement.Settled, settlement.Failed)
	if settled.State != settlement.Settled {
		t.Fatalf("got %+v", settled.Snapshot())
	}
	if got := w.Received("one"); got.Int64() != 12_500_000 {
		t.Errorf("the recipient holds %s base units, want 12500000", got)
	}
	if got := w.Available(apptest.Alice).Units(6); got != "87.5" {
		t.Errorf("alice has %s left, want 87.5", got)
	}
}

func setHead(w *apptest.World, number uint64) {
	w.T.Helper()
	w.Must(w.Client.Client().CallContext(w.T.Context(), nil, "debug_setHead", fmt.Sprintf("0x%x", number)))
}

func TestASecondListenerTakesOverAndNothingIsBookedTwice(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	w.Worker()
	w.Relay()
	stopFirst := w.Listener()
	w.Listener()
	w.Deposit(apptest.Alice, "100")
	for i := range 6 {
		w.Start(w.Request(fmt.Sprint("n", i), apptest.Alice, "1"))
	}
	w.Await("n0", settlement.Mined, settlement.Settled)
	stopFirst()
	for i := range 6 {
		if s := w.Await(fmt.Sprint("n", i), settlement.Settled, settlement.Failed); s.State != settlement.Settled {
			t.Errorf("n%d: %s (%s)", i, s.State, s.Reason)
		}
	}
	if got := w.Available(apptest.Alice).Units(6); got != "94" {
		t.Errorf("alice has %s left, want 94", got)
	}
}

// The stop button of the Web UI strands nothing: the sweeper starts another run, which goes on from the row.
func TestATerminatedRunIsResumedAndEndsRight(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	w.Worker()
	w.Relay()
	stopListener := w.Listener()
	w.Deposit(apptest.Alice, "100")
	w.Start(w.Request("one", apptest.Alice, "1"))
	w.Await("one", settlement.Submitted, settlement.Mined)
	stopListener()
	w.Must(w.Temporal.TerminateWorkflow(t.Context(), w.Key("one").Canonical(), "", "an operator's mistake"))
	w.Listener()

	if s := w.Await("one", settlement.Settled, settlement.Failed); s.State != settlement.Settled {
		t.Fatalf("got %+v", s.Snapshot())
	}
	if got := w.Received("one"); got.Int64() != 1_000_000 {
		t.Errorf("the recipient holds %s base units, want 1000000", got)
	}
}

// More payments than slots: the rest queues, and every one is paid.
func TestWhatFindsNoSlotQueuesAndIsPaid(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{Signers: 2})
	w.Worker()
	w.Listener()
	w.Relay()
	w.Deposit(apptest.Alice, "100")
	const payments = 60 // two lanes hold 32
	for i := range payments {
		w.Start(w.Request(fmt.Sprint("q", i), apptest.Alice, "0.5"))
	}
	for i := range payments {
		if s := w.Await(fmt.Sprint("q", i), settlement.Settled, settlement.Failed); s.State != settlement.Settled {
			t.Fatalf("q%d: %s (%s)", i, s.State, s.Reason)
		}
	}
	if got := w.Available(apptest.Alice).Units(6); got != "70" {
		t.Errorf("alice has %s left, want 70", got)
	}
}
