package cli_test

import (
	"testing"

	"github.com/quittance/quittance/internal/app/apptest"
	"github.com/quittance/quittance/settlement"
)

func TestCancelAnswersClearlyWhateverTheSettlementIs(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	w.Services()
	environ := w.Environ()
	w.Deposit(apptest.Alice, "100")
	minTip := func(wei string) {
		t.Helper()
		w.Must(w.Client.Client().CallContext(t.Context(), nil, "miner_setGasPrice", wei))
	}
	cancel := func(name string, more ...string) result {
		t.Helper()
		return run(t, environ, append([]string{"cancel", w.Key(name).Value, "--actor", "olga", "--reason", "changed their mind", "-o", "json"}, more...)...)
	}
	is := func(r result, state settlement.State, wish any) {
		t.Helper()
		if o := r.object(); o["state"] != string(state) || o["wish"] != wish {
			t.Errorf("got %v, want %s with wish %v", o, state, wish)
		}
	}

	cancel("never").exits(2).says("never")
	run(t, environ, "cancel", "k", "-o", "json").exits(2).says("reason")
	run(t, environ, "cancel", "k", "--reason", " ").exits(2).says("reason", "empty")

	w.Exec(`UPDATE assets SET stopped = 'for this test' WHERE id = $1`, w.Site.USDC.ID)
	run(t, environ, pay(w, "waits", "1")...).exits(0)
	w.Await("waits", settlement.Waiting)
	is(cancel("waits").exits(0), settlement.Cancelled, nil)
	is(cancel("waits").exits(0), settlement.Cancelled, nil)
	run(t, environ, pay(w, "waits", "1", "--wait")...).exits(4).says("cancelled", "changed their mind")
	w.Exec(`UPDATE assets SET stopped = NULL WHERE id = $1`, w.Site.USDC.ID)

	minTip("0xde0b6b3a7640000") // nothing of ours is mined
	run(t, environ, pay(w, "out", "1")...).exits(0)
	w.Await("out", settlement.Submitted)
	is(cancel("out").exits(0), settlement.Submitted, "cancel")
	is(cancel("out", "--wait", "--timeout", "100ms").exits(5), settlement.Submitted, "cancel")
	w.Eventually("the cancel is stored", func() bool {
		s, err := w.Ledger.Settlement(t.Context(), w.Key("out"))
		w.Must(err)
		return s.Live != nil && s.Live.Newest.Kind == settlement.AttemptCancel
	})
	minTip("0xf4240")
	is(cancel("out", "--wait", "--timeout", "4m").exits(0), settlement.Cancelled, "cancel")
	run(t, environ, "explain", w.Key("out").Value).exits(0).shows("cancel", "olga: changed their mind", "answered cancelled", "ask to cancel  reason: changed their mind, state: submitted")

	run(t, environ, pay(w, "paid", "1", "--wait", "--timeout", "4m")...).exits(0)
	is(cancel("paid").exits(4).says("is settled"), settlement.Settled, nil)
	run(t, environ, "revoke", w.Key("paid").Value, "--reason", "too late").exits(4).says("is settled")
	if got := w.Available(apptest.Alice).Units(6); got != "99" {
		t.Errorf("alice has %s left, want 99", got)
	}
	w.Holds()
}
