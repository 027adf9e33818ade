package app_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/quittance/quittance/internal/app/apptest"
	"github.com/quittance/quittance/internal/cli"
	"github.com/quittance/quittance/settlement"
)

// outageTime is the fault itself: how long the part stays away. Nothing waits for it to pass but the part's return.
const outageTime = 20 * time.Second

// A part goes in the middle of a load, and services that run as processes see it come back after a while. Nobody helps them.
func TestWorkGoesOnByItselfAfterAPartWasGoneForTwentySeconds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		part    string
		refuses string // how submit names what it cannot do without; empty: it accepts meanwhile
	}{
		{"temporal", "temporal"}, {"postgres", "postgres"}, {"geth", ""}, {"nats", ""},
	} {
		t.Run(test.part, func(t *testing.T) {
			t.Parallel()
			own := test.part
			if own == "geth" {
				own = "" // always the world's own
			}
			w := apptest.New(t, apptest.Options{Own: own})
			for _, service := range []string{"worker", "listener", "relay"} {
				w.Process(service)
			}
			w.Deposit(apptest.Alice, "100")
			const before, during = 40, 4
			for i := range before / 2 {
				w.Start(w.Request(fmt.Sprint("n", i), apptest.Alice, "1"))
			}
			w.Await("n0", settlement.Settled)
			for i := before / 2; i < before; i++ {
				w.Start(w.Request(fmt.Sprint("n", i), apptest.Alice, "1"))
			}

			part := w.Part(test.part)
			if underWay := unsettled(w); underWay < before/4 {
				t.Fatalf("only %d payments are under way: this is no load to interrupt", underWay)
			}
			w.Must(part.Stop(t.Context()))
			back := time.After(outageTime)
			submitMeanwhile(w, during, test.refuses, partAddress(w, test.part))
			<-back
			w.Must(part.Start(t.Context()))

			for i := range during {
				if code, _, stderr := submit(w, fmt.Sprint("during", i)); code != 0 {
					t.Errorf("the same key again, after %s is back: exit %d: %s", test.part, code, stderr)
				}
			}
			settledOnce(w, before, during)
		})
	}
}

func unsettled(w *apptest.World) (n int) {
	w.T.Helper()
	w.Must(w.SQL.QueryRow(w.T.Context(), `SELECT count(*) FROM settlements WHERE state <> 'settled'`).Scan(&n))
	return n
}

// submitMeanwhile submits while the part is away.
func submitMeanwhile(w *apptest.World, n int, refuses, address string) {
	var all sync.WaitGroup
	defer all.Wait()
	for i := range n {
		all.Go(func() {
			code, stdout, stderr := submit(w, fmt.Sprint("during", i))
			switch {
			case refuses == "":
				if code != 0 {
					w.T.Errorf("exit %d, want 0: %s", code, stderr)
				}
			case code != 1 || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "starter: "+refuses+" at "+address) || !strings.Contains(stderr, "is down"):
				w.T.Errorf("exit %d, want 1 and one line that names %s at %s: %s%s", code, refuses, address, stdout, stderr)
			}
		})
	}
}

// submit pays 1 USDC by the command line.
func submit(w *apptest.World, name string) (code int, stdout, stderr string) {
	var out, errs strings.Builder
	code = cli.Run(w.T.Context(), []string{"submit", "--key", w.Key(name).Value, "--account", apptest.Alice, "--to", apptest.Payee(name).Hex(), "--asset", "USDC", "--amount", "1"},
		w.Environ(), strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

// partAddress is what a person would look at.
func partAddress(w *apptest.World, part string) string {
	variable := map[string]string{"temporal": "TEMPORAL_ADDRESS", "postgres": "DATABASE_URL", "geth": "CHAIN_RPC_URLS", "nats": "NATS_URL"}[part]
	address := w.Variable(variable)
	if _, after, is := strings.Cut(address, "@"); is {
		address = after
	}
	address, _, _ = strings.Cut(address, "?")
	return address
}

// settledOnce waits until all is paid and told, and then proves it.
func settledOnce(w *apptest.World, before, during int) {
	t := w.T
	t.Helper()
	for i := range before + during {
		name := fmt.Sprint("n", i)
		if i >= before {
			name = fmt.Sprint("during", i-before)
		}
		if s := w.Await(name, settlement.Settled, settlement.Failed); s.State != settlement.Settled {
			t.Errorf("%s: %s (%s)", name, s.State, s.Reason)
		}
		if got := w.Received(name); got.Int64() != 1_000_000 {
			t.Errorf("the recipient of %s holds %s base units, want 1000000", name, got)
		}
	}
	if got, want := w.Available(apptest.Alice).Units(6), fmt.Sprint(100-before-during); got != want {
		t.Errorf("alice has %s left, want %s", got, want)
	}
	w.Eventually("all is published", func() bool {
		var waiting int
		w.Must(w.SQL.QueryRow(t.Context(), `SELECT count(*) FROM outbox WHERE published_at IS NULL AND skipped_at IS NULL`).Scan(&waiting))
		return waiting == 0
	})
	var written uint64
	w.Must(w.SQL.QueryRow(t.Context(), `SELECT count(*) FROM outbox WHERE destination = 'nats'`).Scan(&written))
	if told := messages(w); told != written {
		t.Errorf("the broker has %d messages, want the %d events of the outbox, once each", told, written)
	}
	w.Holds()
}

// messages counts what the broker keeps.
func messages(w *apptest.World) uint64 {
	w.T.Helper()
	ctx, cancel := context.WithTimeout(w.T.Context(), time.Minute)
	defer cancel()
	conn, err := nats.Connect(w.Variable("NATS_URL"))
	w.Must(err)
	defer conn.Close()
	js, err := jetstream.New(conn)
	w.Must(err)
	stream, err := js.Stream(ctx, w.Name)
	w.Must(err)
	info, err := stream.Info(ctx)
	w.Must(err)
	return info.State.Msgs
}
