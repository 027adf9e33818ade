package cli_test

import (
	"context"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quittance/quittance/internal/app/apptest"
	"github.com/quittance/quittance/settlement"
)

// payoutsFile writes lines "name account amount" as a payouts file of a world.
func payoutsFile(t *testing.T, w *apptest.World, lines ...string) string {
	t.Helper()
	text := "key,account,to,asset,amount\n"
	for _, line := range lines {
		f := strings.Fields(line)
		text += fmt.Sprintf("%s,%s,%s,USDC,%s\n", w.Key(f[0]).Value, f[1], apptest.Payee(f[0]).Hex(), f[2])
	}
	path := filepath.Join(t.TempDir(), "payouts.csv")
	w.Must(os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestAnImportSettlesEachKeyOnceHoweverOftenItRuns(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	w.Services()
	w.Deposit(apptest.Alice, "100")
	environ := w.Environ()
	file := payoutsFile(t, w, "a alice 1", "b alice 2", "a alice 1.0", "a alice 9", "poor bob 5", "c alice 3", "a alice 1", "poor bob 5")
	for round := range 2 {
		r := run(t, environ, "import", file, "--timeout", "4m", "-o", "json").exits(3)
		o := r.object()
		for field, want := range map[string]any{"lines": 8.0, "settlements": 4.0, "duplicates": 3.0, "settled": 3.0, "accepted": 0.0} {
			if o[field] != want {
				t.Errorf("round %d: %s is %v, want %v: %v", round, field, o[field], want, o)
			}
		}
		conflicts, unpaid := list(t, o, "conflicts"), list(t, o, "not_settled")
		if len(conflicts) != 1 || conflicts[0].(map[string]any)["line"] != 5.0 || fmt.Sprint(conflicts[0].(map[string]any)["fields"]) != "[amount]" {
			t.Errorf("round %d: conflicts %v, want line 5 by its amount", round, conflicts)
		}
		if len(unpaid) != 1 || unpaid[0].(map[string]any)["line"] != 6.0 || unpaid[0].(map[string]any)["reason"] != "insufficient balance" {
			t.Errorf("round %d: not settled %v, want line 6 for its balance", round, unpaid)
		}
		if unknown := list(t, o, "unknown"); len(unknown) != 0 {
			t.Errorf("round %d: unknown %v", round, unknown)
		}
	}
	for name, want := range map[string]int64{"a": 1_000_000, "b": 2_000_000, "c": 3_000_000, "poor": 0} {
		if got := w.Received(name); got.Int64() != want {
			t.Errorf("%s received %s, want %d", name, got, want)
		}
	}
	run(t, environ, "import", payoutsFile(t, w, "a alice 1", "b alice 2"), "--timeout", "4m").exits(0).shows("settled", "2")
	run(t, environ, "import", payoutsFile(t, w, "a alice 1", "poor bob 5"), "--timeout", "4m").exits(4).shows("line 3", "insufficient balance")
	run(t, environ, "import", payoutsFile(t, w, "d alice 1", "e alice 1"), "--no-wait").exits(0).shows("accepted")
	w.Await("d", settlement.Settled)
	// An earlier settlement with another meaning: the line is a conflict, the others go on.
	run(t, environ, "import", payoutsFile(t, w, "b alice 7", "f alice 1"), "--timeout", "4m").exits(3).shows("line 2", "amount")
	w.Await("f", settlement.Settled)
}

func TestAnImportThatWasInterruptedGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	w.Listener()
	w.Relay()
	w.Deposit(apptest.Alice, "100")
	environ := w.Environ()
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("p%d alice 0.5", i/2)) // each key twice
	}
	file := payoutsFile(t, w, lines...)

	// Without a worker nothing is accepted: the lines are unknown, not lost.
	r := run(t, environ, "import", file, "--timeout", "2s", "-o", "json").exits(5)
	if o := r.object(); len(list(t, o, "unknown")) != 20 || o["settlements"] != 20.0 {
		t.Errorf("got %v, want 20 unknown", o)
	}
	w.Worker()
	interrupted, interrupt := context.WithCancel(t.Context())
	w.AtSettled(1, interrupt)
	r = runWith(t, interrupted, environ, "", "import", file, "--timeout", "4m", "-o", "json")
	if o := r.object(); r.code != 5 && r.code != 0 || o["settlements"] != 20.0 {
		t.Errorf("interrupted: exit %d with %v", r.code, o)
	}
	o := run(t, environ, "import", file, "--timeout", "4m", "-o", "json").exits(0).object()
	if o["settled"] != 20.0 || o["duplicates"] != 20.0 {
		t.Errorf("got %v, want 20 settled", o)
	}
	sum := new(big.Int)
	for i := range 20 {
		sum.Add(sum, w.Received(fmt.Sprintf("p%d", i)))
	}
	if sum.Int64() != 10_000_000 || w.Available(apptest.Alice).Units(6) != "90" {
		t.Errorf("paid %s, alice has %s left; want 10000000 and 90", sum, w.Available(apptest.Alice).Units(6))
	}
	run(t, environ, "audit").exits(0)
}

func TestAnImportReadsStdin(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	w.Services()
	w.Deposit(apptest.Alice, "10")
	text, err := os.ReadFile(payoutsFile(t, w, "x alice 1"))
	w.Must(err)
	runWith(t, t.Context(), w.Environ(), "\xef\xbb\xbf"+strings.ReplaceAll(string(text), "\n", "\r\n"), "import", "-", "--timeout", "4m").exits(0)
	if got := w.Received("x"); got.Int64() != 1_000_000 {
		t.Errorf("received %s", got)
	}
}
