package app_test

import (
	"testing"

	"github.com/quittance/quittance/internal/app/apptest"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// minTip sets what the node's miner takes at least: a pooled transaction below it waits.
func minTip(w *apptest.World, wei string) {
	w.T.Helper()
	w.Must(w.Client.Client().CallContext(w.T.Context(), nil, "miner_setGasPrice", wei))
}

const (
	noTipIsEnough = "0xde0b6b3a7640000" // one coin per gas
	anyTip        = "0xf4240"           // geth's own minimum
)

func ask(w *apptest.World, name string, wish settlement.Wish) settlement.Settlement {
	w.T.Helper()
	s, err := w.Ledger.AskEnd(w.T.Context(), w.Key(name), ledger.Wished{Wish: wish, Actor: "olga", Reason: "a test"})
	w.Must(err)
	return s
}

// https://github.com/joshstevens19/rrelayer/issues/99 (T19): a cancel left a hole. Here it takes the payment's nonce, so the
// lane goes on.
func TestACancelTakesTheNonceOfAPaymentThatIsOutAndLeavesNoGap(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	w.Services()
	w.Deposit(apptest.Alice, "100")
	minTip(w, noTipIsEnough)
	for _, name := range []string{"one", "two", "three", "four"} { // two lanes, two nonces each
		w.Start(w.Request(name, apptest.Alice, "10"))
		w.Await(name, settlement.Submitted)
	}
	if s := ask(w, "one", settlement.WishCancel); s.State != settlement.Submitted || s.Wish != settlement.WishCancel {
		t.Fatalf("asked: %+v", s.Snapshot())
	}
	w.Eventually("the cancel is stored", func() bool {
		s, err := w.Ledger.Settlement(t.Context(), w.Key("one"))
		w.Must(err)
		return s.Live != nil && s.Live.Newest.Kind == settlement.AttemptCancel
	})
	minTip(w, anyTip)
	for name, want := range map[string]settlement.State{"one": settlement.Cancelled, "two": settlement.Settled, "three": settlement.Settled, "four": settlement.Settled} {
		if s := w.Await(name, settlement.Settled, settlement.Failed, settlement.Cancelled); s.State != want {
			t.Errorf("%s is %s (%s), want %s", name, s.State, s.Reason, want)
		}
	}
	if s := w.Await("one", settlement.Cancelled); s.Proof != settlement.ProofNoncesConsumed || s.Reason != "olga: a test" {
		t.Errorf("proof %s, reason %q", s.Proof, s.Reason)
	}
	if got := w.Received("one"); got.Sign() != 0 {
		t.Errorf("the recipient of what was cancelled holds %s", got)
	}
	if got := w.Available(apptest.Alice).Units(6); got != "70" {
		t.Errorf("alice has %s left, want 70", got)
	}
	w.Holds()
}

// An operator ends for good what is in doubt: whatever bytes of ours turn up, the vault refuses the id.
func TestARevokeEndsASettlementByTheVaultsWord(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	w.Services()
	w.Deposit(apptest.Alice, "100")
	minTip(w, noTipIsEnough)
	w.Start(w.Request("one", apptest.Alice, "10"))
	w.Await("one", settlement.Submitted)
	ask(w, "one", settlement.WishRevoke)
	w.Eventually("the revoke is out", func() bool {
		s, err := w.Ledger.Settlement(t.Context(), w.Key("one"))
		w.Must(err)
		return s.RevokeOut
	})
	minTip(w, anyTip)
	s := w.Await("one", settlement.Settled, settlement.Failed, settlement.Cancelled)
	switch { // both were out: whichever a block held first decided, and nothing else may have happened
	case s.State == settlement.Cancelled && s.Proof == settlement.ProofRevoked && w.Received("one").Sign() == 0 && w.Available(apptest.Alice).Units(6) == "100":
	case s.State == settlement.Settled && w.Received("one").Int64() == 10_000_000 && w.Available(apptest.Alice).Units(6) == "90":
	default:
		t.Errorf("%+v, received %s, left %s", s.Snapshot(), w.Received("one"), w.Available(apptest.Alice).Units(6))
	}
	w.Eventually("all nonces are consumed", func() bool {
		unmined, err := w.Ledger.Unmined(t.Context(), w.Site.ChainID)
		w.Must(err)
		return len(unmined) == 0
	})
	w.Holds()
}
