package app_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quittance/quittance/chain"
	"github.com/quittance/quittance/internal/app/apptest"
	"github.com/quittance/quittance/settlement"
)

// Two listeners as processes: the one that acts dies by SIGKILL, without releasing its lease, in the middle of a load.
func TestAnotherListenerTakesOverFromOneThatWasKilledWhileItActed(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	w.Worker()
	w.Relay()
	listeners := []*apptest.Process{w.Process("listener"), w.Process("listener")}
	w.Deposit(apptest.Alice, "100")
	const payments = 40
	start(w, names("n", payments))
	w.Await("n0", settlement.Mined, settlement.Settled)

	acting, token := leader(w)
	first, second := listeners[0], listeners[1]
	if !holds(first, acting) {
		first, second = second, first
	}
	if !holds(first, acting) {
		t.Fatalf("%q holds the lease, and is neither process %d nor %d", acting, first.PID(), second.PID())
	}
	first.Kill()
	if done := settled(w); done > payments*3/4 {
		t.Fatalf("%d payments were settled before the kill: this was no load to interrupt", done)
	}

	for _, name := range names("n", payments) {
		if s := w.Await(name, settlement.Settled, settlement.Failed); s.State != settlement.Settled {
			t.Errorf("%s: %s (%s)", name, s.State, s.Reason)
		}
		if got := w.Received(name); got.Int64() != 1_000_000 {
			t.Errorf("the recipient of %s holds %s base units, want 1000000", name, got)
		}
	}
	if got := w.Available(apptest.Alice).Units(6); got != "60" {
		t.Errorf("alice has %s left, want 60", got)
	}
	if now, newer := leader(w); !holds(second, now) || newer <= token {
		t.Errorf("%q holds the lease with token %d, want process %d with one above %d", now, newer, second.PID(), token)
	}
	w.Holds()
}

// leader is who holds the listeners' lease, and its fencing token.
func leader(w *apptest.World) (holder string, token int64) {
	w.T.Helper()
	w.Must(w.SQL.QueryRow(w.T.Context(), `SELECT holder, token FROM leases WHERE name = $1`, chain.ListenerLease(w.Site.ChainID)).Scan(&holder, &token))
	return holder, token
}

func holds(p *apptest.Process, holder string) bool {
	return strings.HasSuffix(holder, fmt.Sprint("/", p.PID()))
}
