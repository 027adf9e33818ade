package cli_test

import (
	"errors"
	"maps"
	"strings"
	"sync"
	"testing"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/workflowservice/v1"

	"github.com/quittance/quittance/internal/app/apptest"
	"github.com/quittance/quittance/internal/cli"
	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

// pay is a submit command of a world.
func pay(w *apptest.World, name, amount string, more ...string) []string {
	return append([]string{"submit", "--key", w.Key(name).Value, "--account", "alice", "--to", apptest.Payee(name).Hex(), "--asset", "USDC", "--amount", amount}, more...)
}

func TestEveryExitCodeMeansWhatItPromises(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	environ := w.Environ()
	stopListener := w.Listener()
	w.Relay()
	w.Deposit(apptest.Alice, "100")

	// 5: nobody works on it, so whether it will be accepted is not known.
	run(t, environ, pay(w, "early", "1", "--timeout", "1s")...).exits(5).says("not accepted yet", "same key")
	r := run(t, environ, pay(w, "early", "1", "--timeout", "1s", "-o", "json")...).exits(5)
	if r.problem()["kind"] != "unknown" || r.stdout != "" {
		t.Errorf("got %v and %q", r.problem(), r.stdout)
	}
	run(t, environ, pay(w, "early", "2", "--timeout", "1s")...).exits(3).says("conflict", "another amount") // by the run's memo
	for _, args := range [][]string{                                                                        // it may be paid at any time: nobody may say that there is no such request
		{"status", w.Key("early").Value}, {"wait", w.Key("early").Value, "--timeout", "300ms"}, {"cancel", w.Key("early").Value, "--reason", "x"}, {"explain", w.Key("early").Value},
	} {
		run(t, environ, args...).exits(5).says("early")
	}
	run(t, environ, "status", w.Key("early").Value).exits(5).says("not accepted yet", "no worker polls")
	run(t, environ, "status", w.Key("never").Value).exits(2).says("no settlement")

	w.Worker()
	// 0: done, and the same again is the same answer.
	settled := run(t, environ, pay(w, "early", "1", "--wait", "--timeout", "4m", "-o", "json")...).exits(0).object()
	if settled["state"] != "settled" || settled["tx_hash"] == nil || settled["block_number"] == nil || settled["reason"] != "" || w.Received("early").Int64() != 1_000_000 {
		t.Errorf("got %v, the recipient holds %s", settled, w.Received("early"))
	}
	again := run(t, environ, pay(w, "early", "1.000", "--wait", "-o", "json")...).exits(0).object()
	if again["tx_hash"] != settled["tx_hash"] {
		t.Errorf("the same request again: %v, was %v", again, settled)
	}
	run(t, environ, "wait", w.Key("early").Value).exits(0)

	forgotten(t, w, environ, settled)

	// 3: the key with another meaning; each differing field is named.
	r = run(t, environ, "submit", "--key", w.Key("early").Value, "--account", "bob", "--to", apptest.Payee("other").Hex(), "--asset", "ETH", "--amount", "7", "-o", "json").exits(3)
	fields := list(t, r.problem(), "fields")
	if len(fields) != 4 || r.problem()["kind"] != "conflict" || r.stdout != "" {
		t.Errorf("got %v and %q, want account, amount, asset and destination", r.problem(), r.stdout)
	}

	// 4: ended without payment, with the reason, at once and for ever.
	r = run(t, environ, pay(w, "poor", "1000000", "--wait", "-o", "json")...).exits(4)
	if o := r.object(); o["state"] != "failed" || o["reason"] != "insufficient balance" || r.problem()["kind"] != "not settled" {
		t.Errorf("got %v and %v", o, r.problem())
	}
	run(t, environ, "wait", w.Key("poor").Value).exits(4).says("insufficient balance")
	run(t, environ, pay(w, "richer", "1", "--retry-of", w.Key("poor").Value, "--wait", "--timeout", "4m")...).exits(0).shows("retry of")

	anotherTenant(t, w, environ)

	// 5: accepted, and not ended when the time ran out.
	stopListener()
	r = run(t, environ, pay(w, "slow", "1", "--wait", "--timeout", "3s", "-o", "json")...).exits(5)
	if o := r.object(); settlement.State(o["state"].(string)).Terminal() || r.problem()["kind"] != "unknown" {
		t.Errorf("got %v and %v", o, r.problem())
	}
	run(t, environ, "wait", w.Key("slow").Value, "--timeout", "1s").exits(5).says("still").shows("slow")
	run(t, environ, "status", w.Key("slow").Value).exits(0)
	run(t, environ, pay(w, "slow", "1")...).exits(0) // accepted: that is all that was asked
	w.Listener()
	run(t, environ, "wait", w.Key("slow").Value, "--timeout", "4m").exits(0)

	// 6: the audit names what does not hold.
	run(t, environ, "audit").exits(0).shows("holds", "I1 ", "I12")
	w.Exec(`UPDATE idempotency_keys SET result = jsonb_set(result, '{state}', '"failed"') WHERE key = $1`, w.Key("slow").Value)
	r = run(t, environ, "audit", "-o", "json").exits(6)
	if o := r.object(); o["holds"] != false || r.problem()["kind"] != "difference" {
		t.Errorf("got %v and %v", o, r.problem())
	}
	run(t, environ, "audit").exits(6).shows("BROKEN", "I10 broken: ", "slow").says("found a difference")
}

// forgotten: Temporal forgets closed runs; the row gives the same two answers for ever.
func forgotten(t *testing.T, w *apptest.World, environ []string, settled map[string]any) {
	t.Helper()
	_, err := w.Temporal.WorkflowService().DeleteWorkflowExecution(t.Context(), &workflowservice.DeleteWorkflowExecutionRequest{
		Namespace: w.Namespace(), WorkflowExecution: &commonpb.WorkflowExecution{WorkflowId: w.Key("early").Value}})
	w.Must(err)
	w.Eventually("Temporal has forgotten the run", func() bool {
		_, err := w.Runs().Find(t.Context(), w.Key("early"))
		return errors.Is(err, workflows.ErrNoRun)
	})
	allOf := "submit --key " + w.Key("early").Value + " --account bob --to " + apptest.Payee("other").Hex() + " --asset ETH --amount 3 -o json"
	if fields := list(t, run(t, environ, strings.Fields(allOf)...).exits(3).problem(), "fields"); len(fields) != 4 {
		t.Errorf("after Temporal forgot it: got %v, want account, amount, asset and destination", fields)
	}
	again := run(t, environ, pay(w, "early", "1", "-o", "json")...).exits(0).object()
	if !maps.Equal(again, settled) {
		t.Errorf("after Temporal forgot it: %v, was %v", again, settled)
	}
	w.Eventually("the run that asked the row has ended", func() bool {
		found, err := w.Runs().Find(t.Context(), w.Key("early"))
		return err == nil && !found.Running
	})
	var nonces int
	w.Must(w.SQL.QueryRow(t.Context(), `SELECT count(*) FROM transaction_items i JOIN settlements s ON s.id = i.settlement_id WHERE s.key = $1`, w.Key("early").Value).Scan(&nonces))
	if nonces != 1 || w.Received("early").Int64() != 1_000_000 {
		t.Errorf("after Temporal forgot it: %d nonces, the recipient holds %s; want one payment", nonces, w.Received("early"))
	}
}

// anotherTenant: its key is another key, and is found by the name that lists show.
func anotherTenant(t *testing.T, w *apptest.World, environ []string) {
	t.Helper()
	run(t, environ, "account", "create", "alice", "--tenant", "acme").exits(0)
	run(t, environ, pay(w, "early", "1", "--tenant", "acme", "--wait")...).exits(4).says("insufficient balance")
	for _, args := range [][]string{{"status", "@acme/" + w.Key("early").Value}, {"status", w.Key("early").Value, "--tenant", "acme"}} {
		run(t, environ, args...).exits(0).shows("@acme/", "failed")
	}
}

func TestEveryCommandPrintsOneObjectAndNothingElse(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	w.Services()
	w.Deposit(apptest.Alice, "100")
	environ := w.Environ("LOG_LEVEL=debug") // logs go to stderr
	key := w.Key("one").Value
	for _, test := range []struct {
		args    []string
		objects int
		field   string
	}{
		{pay(w, "one", "12.5", "--wait", "--timeout", "4m"), 1, "state"},
		{pay(w, "two", "1"), 1, "state"},
		{[]string{"wait", w.Key("two").Value, "--timeout", "4m"}, 1, "state"},
		{[]string{"status", key}, 1, "state"},
		{[]string{"list"}, 2, "state"},
		{[]string{"list", "--state", "settled", "--account", "alice", "--limit", "1"}, 1, "state"},
		{[]string{"list", "--state", "failed"}, 0, ""},
		{[]string{"explain", key}, 1, "transfers"},
		{[]string{"resume", key}, 1, "state"},
		{[]string{"resume", "--all"}, 1, "resumed"},
		{[]string{"stats"}, 1, "duplicate_hit_rate"},
		{[]string{"account", "create", "carol"}, 1, "deposit_id"},
		{[]string{"account", "create", "carol"}, 1, "deposit_id"},
		{[]string{"account", "show", "alice"}, 1, "balances"},
		{[]string{"account", "list"}, 3, "balances"},
		{[]string{"audit"}, 1, "findings"},
		{[]string{"migrate"}, 1, "schema_version"},
		{[]string{"chain", "list"}, 1, "genesis"},
		{[]string{"asset", "list"}, 2, "decimals"},
		{[]string{"signer", "list"}, 2, "operator"},
		{[]string{"version"}, 1, "go"},
	} {
		found := run(t, environ, append(test.args, "-o", "json")...).exits(0).objects()
		if len(found) != test.objects {
			t.Errorf("starter %s printed %d objects, want %d: %v", strings.Join(test.args, " "), len(found), test.objects, found)
		}
		for _, o := range found {
			if _, has := o[test.field]; !has {
				t.Errorf("starter %s: no %s in %v", strings.Join(test.args, " "), test.field, o)
			}
		}
		if text := run(t, environ, test.args...).exits(0); test.objects > 0 && (text.stdout == "" || strings.HasPrefix(text.stdout, "{")) {
			t.Errorf("starter %s: text is %q", strings.Join(test.args, " "), text.stdout)
		}
	}
	s := run(t, environ, "status", key, "-o", "json").exits(0).object()
	for _, field := range []string{"key", "state", "account", "asset", "amount", "to", "tx_hash", "block_number", "reason"} {
		if _, has := s[field]; !has {
			t.Errorf("a settlement has no %s: %v", field, s)
		}
	}
	if stats := run(t, environ, "stats", "-o", "json").exits(0).object(); stats["duplicate_hit_rate"].(float64) <= 0 {
		t.Errorf("no duplicates were counted: %v", stats)
	}
}

func TestTwentySubmissionsOfOneKeyAtOnceAreOnePayment(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	w.Services()
	w.Deposit(apptest.Alice, "100")
	environ, args := w.Environ(), pay(w, "same", "2", "--wait", "--timeout", "4m", "-o", "json")
	results := make([]result, 20)
	var all sync.WaitGroup
	for i := range results {
		all.Go(func() {
			var stdout, stderr strings.Builder
			code := cli.Run(t.Context(), args, environ, strings.NewReader(""), &stdout, &stderr)
			results[i] = result{t, args, code, stdout.String(), stderr.String()}
		})
	}
	all.Wait()
	for _, r := range results {
		if o := r.exits(0).object(); o["tx_hash"] != results[0].object()["tx_hash"] || o["state"] != "settled" {
			t.Errorf("got %v", o)
		}
	}
	if got := w.Received("same"); got.Int64() != 2_000_000 {
		t.Errorf("the recipient holds %s, want 2000000 once", got)
	}
	counts, err := w.Ledger.RequestCounts(t.Context())
	w.Must(err)
	if counts["new"] != 1 || counts["replay"]+counts["in_progress"] != 19 {
		t.Errorf("counted %v, want 1 new and 19 duplicates", counts)
	}
}

func TestResumeStartsWhatHasNoRunAndLeavesTheRestAlone(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	environ := w.Environ("TEMPORAL_TASK_QUEUE=" + w.Name + "-unswept") // the worker's sweeper must not be quicker
	stopListener := w.Listener()
	w.Deposit(apptest.Alice, "100")
	stopListener() // or a payment might end meanwhile
	stop := w.WorkerOf("TEMPORAL_TASK_QUEUE="+w.Name+"-unswept", "SWEEP_INTERVAL=1h")
	for _, name := range []string{"a", "b", "c"} {
		run(t, environ, pay(w, name, "1")...).exits(0)
	}
	stop()
	for _, name := range []string{"a", "b"} {
		w.Must(w.Temporal.TerminateWorkflow(t.Context(), w.Key(name).Value, "", "a test"))
	}
	run(t, environ, "resume", w.Key("a").Value).exits(0)
	run(t, environ, "resume", w.Key("a").Value).exits(0) // runs already
	if o := run(t, environ, "resume", "--all", "-o", "json").exits(0).object(); o["looked"] != 3.0 || o["resumed"] != 1.0 {
		t.Errorf("got %v, want b alone resumed", o)
	}
	for _, name := range []string{"a", "b", "c"} {
		if run, err := w.Runs().Find(t.Context(), w.Key(name)); err != nil || !run.Running {
			t.Errorf("%s has no running run: %+v %v", name, run, err)
		}
	}
}
