package app

import (
	"fmt"
	"testing"

	"github.com/quittance/quittance/settlement"
)

// A reorg within the finality depth takes the payment off the chain, and nodes do not bring it back: the lane keeper must.
func TestAPaymentThatAReorgTookAwayIsMinedAgainAndSettlesOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{finalityDepth: 12})
	w.worker()
	w.listener()
	w.relay()
	w.deposit("100")

	w.start(w.request("one", "12.5"))
	mined := w.await("one", settlement.Mined)
	w.setHead(*mined.BlockNumber - 2)

	w.eventually("the listener has seen the reorg", func() bool {
		s, err := w.ledger.Settlement(t.Context(), w.key("one"))
		w.must(err)
		return s.State == settlement.Submitted || s.State.Terminal() || s.BlockNumber != nil && *s.BlockNumber != *mined.BlockNumber
	})
	settled := w.await("one", settlement.Settled, settlement.Failed)
	if settled.State != settlement.Settled {
		t.Fatalf("got %+v", settled.Snapshot())
	}
	if got := w.received("one"); got.Int64() != 12_500_000 {
		t.Errorf("the recipient holds %s base units, want 12500000", got)
	}
	if got := w.available().Units(6); got != "87.5" {
		t.Errorf("alice has %s left, want 87.5", got)
	}
}

func (w *world) setHead(number uint64) {
	w.t.Helper()
	w.must(w.client.Client().CallContext(w.t.Context(), nil, "debug_setHead", fmt.Sprintf("0x%x", number)))
}

func TestASecondListenerTakesOverAndNothingIsBookedTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.worker()
	w.relay()
	stopFirst := w.listener()
	w.listener()
	w.deposit("100")
	for i := range 6 {
		w.start(w.request(fmt.Sprint("n", i), "1"))
	}
	w.await("n0", settlement.Mined, settlement.Settled)
	stopFirst()
	for i := range 6 {
		if s := w.await(fmt.Sprint("n", i), settlement.Settled, settlement.Failed); s.State != settlement.Settled {
			t.Errorf("n%d: %s (%s)", i, s.State, s.Reason)
		}
	}
	if got := w.available().Units(6); got != "94" {
		t.Errorf("alice has %s left, want 94", got)
	}
}

// The stop button of the Web UI strands nothing: the sweeper starts another run, which goes on from the row.
func TestATerminatedRunIsResumedAndEndsRight(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.worker()
	w.relay()
	stopListener := w.listener()
	w.deposit("100")
	w.start(w.request("one", "1"))
	w.await("one", settlement.Submitted, settlement.Mined)
	stopListener()
	w.must(w.temporal.TerminateWorkflow(t.Context(), w.key("one").Canonical(), "", "an operator's mistake"))
	w.listener()

	if s := w.await("one", settlement.Settled, settlement.Failed); s.State != settlement.Settled {
		t.Fatalf("got %+v", s.Snapshot())
	}
	if got := w.received("one"); got.Int64() != 1_000_000 {
		t.Errorf("the recipient holds %s base units, want 1000000", got)
	}
}

// More payments than slots: the rest queues, and every one is paid.
func TestWhatFindsNoSlotQueuesAndIsPaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{signers: 2})
	w.worker()
	w.listener()
	w.relay()
	w.deposit("100")
	const payments = 60 // two lanes hold 32
	for i := range payments {
		w.start(w.request(fmt.Sprint("q", i), "0.5"))
	}
	for i := range payments {
		if s := w.await(fmt.Sprint("q", i), settlement.Settled, settlement.Failed); s.State != settlement.Settled {
			t.Fatalf("q%d: %s (%s)", i, s.State, s.Reason)
		}
	}
	if got := w.available().Units(6); got != "70" {
		t.Errorf("alice has %s left, want 70", got)
	}
}
