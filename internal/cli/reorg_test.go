package cli_test

import (
	"fmt"
	"testing"

	"github.com/quittance/quittance/internal/app/apptest"
	"github.com/quittance/quittance/settlement"
)

// geth loses final blocks, as it does when it is killed: the listener stops, an operator looks and decides, and everything
// goes on. What was paid is paid again by the stored bytes; a deposit that is gone is gone.
func TestADeepReorgStopsTheListenerUntilAnOperatorAcceptsIt(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	w.Services()
	environ := w.Environ()
	w.Deposit(apptest.Alice, "100")
	shared, err := w.Client.BlockNumber(t.Context())
	w.Must(err)
	run(t, environ, pay(w, "one", "10", "--wait", "--timeout", "4m")...).exits(0)
	w.Deposit(apptest.Bob, "5")
	run(t, environ, "reorg", "show", "-o", "json").exits(0)
	run(t, environ, "reorg", "accept", "--block", "0x12", "--reason", "x").exits(2).says("block", "32 bytes")
	run(t, environ, "reorg", "correct", w.Key("one").Value, "--reason", "x").exits(2).says("key", "used its id")

	w.Must(w.Client.Client().CallContext(t.Context(), nil, "debug_setHead", fmt.Sprintf("0x%x", shared)))
	var seen map[string]any
	w.Eventually("the listener has stopped", func() bool {
		seen = run(t, environ, "reorg", "show", "-o", "json").exits(0).object()
		return seen["stopped"] != ""
	})
	block, _ := seen["common_block"].(string)
	if effects, _ := seen["effects"].([]any); block == "" || len(effects) != 2 {
		t.Fatalf("reorg show: %v", seen)
	}
	run(t, environ, "reorg").exits(0).shows("last common block", "gone: settled", "gone: deposited", w.Key("one").Value, "bob")
	run(t, environ, pay(w, "meanwhile", "1")...).exits(0)
	w.Await("meanwhile", settlement.Waiting)

	run(t, environ, "reorg", "accept", "--block", block, "--actor", "olga", "--reason", "the node lost its last blocks", "-o", "json").exits(0)
	run(t, environ, "reorg", "accept", "--block", block, "--reason", "again").exits(2).says("nothing to accept")
	for _, name := range []string{"one", "meanwhile"} {
		if s := w.Await(name, settlement.Settled, settlement.Failed, settlement.Cancelled); s.State != settlement.Settled {
			t.Errorf("%s: %+v", name, s.Snapshot())
		}
	}
	w.Eventually("the payment is on the other chain", func() bool {
		return w.Received("one").Int64() == 10_000_000 && w.Received("meanwhile").Int64() == 1_000_000
	})
	w.Eventually("its block is final", func() bool {
		unmined, err := w.Ledger.Unmined(t.Context(), w.Site.ChainID)
		w.Must(err)
		s, err := w.Ledger.Settlement(t.Context(), w.Key("one"))
		w.Must(err)
		return len(unmined) == 0 && s.Live == nil
	})
	if alice, bob := w.Available(apptest.Alice).Units(6), w.Available(apptest.Bob).Units(6); alice != "89" || bob != "0" {
		t.Errorf("alice has %s and bob %s, want 89 and 0", alice, bob)
	}
	w.Holds()
	w.Deposit(apptest.Bob, "7")
}
