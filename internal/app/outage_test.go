package app_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"github.com/quittance/quittance/activities"
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
			early, late, caught, during := names("early", 20), names("late", 20), names("caught", 6), names("during", 4)
			start(w, early)
			w.Await(early[0], settlement.Settled)
			start(w, late)

			part := w.Part(test.part)
			submitted := submitAll(w, caught) // while the part goes
			if done := settled(w); done > len(early)+len(late)/2 {
				t.Fatalf("%d payments are settled already: this is no load to interrupt", done)
			}
			w.Must(part.Stop(t.Context()))
			back := time.After(outageTime)
			for _, s := range submitAll(w, during)() {
				s.answers(t, test.refuses, partAddress(w, test.part), false)
			}
			<-back
			w.Must(part.Start(t.Context()))

			for _, s := range submitted() {
				s.answers(t, test.refuses, partAddress(w, test.part), true)
			}
			for _, s := range submitAll(w, slices.Concat(caught, during), "--timeout", "3m")() {
				if s.code != 0 {
					t.Errorf("%s again, after %s is back: exit %d: %s", s.name, test.part, s.code, s.stderr)
				}
			}
			settledOnce(w, slices.Concat(early, late, caught, during))
		})
	}
}

func settled(w *apptest.World) (n int) {
	w.T.Helper()
	w.Must(w.SQL.QueryRow(w.T.Context(), `SELECT count(*) FROM settlements WHERE state = 'settled'`).Scan(&n))
	return n
}

func names(prefix string, n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprint(prefix, i))
	}
	return list
}

func start(w *apptest.World, names []string) {
	w.T.Helper()
	var all errgroup.Group
	for _, name := range names {
		r := activities.NewRequest(settlement.Reservation{Request: w.Request(name, apptest.Alice, "1"), RequestID: "request of " + name, Vault: w.Site.Vault})
		all.Go(func() error {
			_, err := w.Runs().Start(w.T.Context(), r)
			return err
		})
	}
	w.Must(all.Wait())
}

// submission is what one command line did.
type submission struct {
	name           string
	code           int
	stdout, stderr string
}

// submitAll pays 1 USDC for each name by a command line, all at once; what it returns waits for their ends.
func submitAll(w *apptest.World, names []string, more ...string) (ended func() []submission) {
	all, list := &sync.WaitGroup{}, make([]submission, len(names))
	for i, name := range names {
		args := append([]string{"submit", "--key", w.Key(name).Value, "--account", apptest.Alice, "--to", apptest.Payee(name).Hex(), "--asset", "USDC", "--amount", "1"}, more...)
		environ := w.Environ()
		all.Go(func() {
			var out, errs strings.Builder
			code := cli.Run(w.T.Context(), args, environ, strings.NewReader(""), &out, &errs)
			list[i] = submission{name, code, out.String(), errs.String()}
		})
	}
	return func() []submission {
		all.Wait()
		return list
	}
}

// answers checks that the command accepted, or ended with one line that names the service and its address. One that the outage
// caught half way may also not know.
func (s submission) answers(t *testing.T, refuses, address string, caught bool) {
	t.Helper()
	down := s.code == 1 && strings.HasPrefix(s.stderr, "starter: "+refuses+" at "+address) && strings.Contains(s.stderr, "is down")
	unknown := s.code == 5 && strings.Contains(s.stderr, "same key")
	switch {
	case s.code == 0 && (refuses == "" || caught):
	case refuses != "" && (down || caught && unknown) && s.stdout == "" && strings.Count(s.stderr, "\n") == 1:
	default:
		t.Errorf("%s: exit %d, %q on stdout and on stderr: %s", s.name, s.code, s.stdout, s.stderr)
	}
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
func settledOnce(w *apptest.World, names []string) {
	t := w.T
	t.Helper()
	for _, name := range names {
		if s := w.Await(name, settlement.Settled, settlement.Failed); s.State != settlement.Settled {
			t.Errorf("%s: %s (%s)", name, s.State, s.Reason)
		}
		if got := w.Received(name); got.Int64() != 1_000_000 {
			t.Errorf("the recipient of %s holds %s base units, want 1000000", name, got)
		}
	}
	if got, want := w.Available(apptest.Alice).Units(6), fmt.Sprint(100-len(names)); got != want {
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
