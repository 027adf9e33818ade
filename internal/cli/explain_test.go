package cli_test

import (
	"testing"

	"github.com/quittance/quittance/internal/app/apptest"
	"github.com/quittance/quittance/settlement"
)

func TestExplainTellsASettlementsWholeStoryInOrder(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	environ := w.Environ("TEMPORAL_UI_URL=http://ui.example")
	// A key that a list filter would misread and a gRPC header refuse, and a run that was lost before its Reserve.
	name := `it's "so" \ 100% ключ`
	lost := w.Start(w.Request(name, apptest.Alice, "12.5"))
	key := w.Key(name).Value
	run(t, environ, "explain", key).exits(5).says("no settlement has the key", lost.GetRunID(), "Running")
	w.Must(w.Temporal.TerminateWorkflow(t.Context(), key, lost.GetRunID(), "a test"))
	w.Services()
	w.Deposit(apptest.Alice, "100")
	submit := []string{"submit", "--key", key, "--account", "alice", "--to", apptest.Payee(name).Hex(), "--asset", "USDC", "--amount", "12.5", "--wait", "--timeout", "4m", "-o", "json"}
	settled := run(t, environ, submit...).exits(0).object()
	run(t, environ, submit...).exits(0) // a duplicate
	w.Eventually("all of it is published", func() bool {
		var left int
		w.Must(w.SQL.QueryRow(t.Context(), `SELECT count(*) FROM outbox WHERE published_at IS NULL`).Scan(&left))
		return left == 0
	})

	told := run(t, environ, "explain", key, "-o", "json").exits(0).object()
	if told["state"] != "settled" || told["key"] != key || told["tx_hash"] != settled["tx_hash"] || told["amount"] != "12.5" {
		t.Errorf("the story is of something else: %v", told)
	}
	for field, want := range map[string]int{"transfers": 3, "nonces": 1, "blocks": 1, "events": 1, "runs": 2} {
		if got := list(t, told, field); len(got) != want {
			t.Errorf("%d %s, want %d: %v", len(got), field, want, got)
		}
	}
	if used := told["key_use"].(map[string]any); used["duplicates"] != 1.0 || used["status"] != "completed" {
		t.Errorf("key use %v, want completed with 1 duplicate", used)
	}
	runs := list(t, told, "runs")
	if first, last := runs[0].(map[string]any), runs[1].(map[string]any); first["run_id"] != lost.GetRunID() || first["status"] != "Terminated" || last["status"] != "Completed" {
		t.Errorf("runs %v, want the terminated one and then the completed one", runs)
	}
	attempts := list(t, list(t, told, "nonces")[0].(map[string]any), "attempts")
	if len(attempts) < 1 || attempts[len(attempts)-1].(map[string]any)["tx_hash"] != settled["tx_hash"] {
		t.Errorf("attempts %v, want the last to be %v", attempts, settled["tx_hash"])
	}
	var types []any
	for _, d := range list(t, told, "deliveries") {
		if d := d.(map[string]any); d["destination"] == settlement.DestinationNATS {
			types = append(types, d["type"])
		}
	}
	if len(types) != 4 || types[0] != "settlement.requested" || types[3] != "settlement.settled" {
		t.Errorf("events to the broker: %v", types)
	}

	text := run(t, environ, "explain", key).exits(0).shows(
		key+" is settled", "pay 12.5 USDC from alice to "+apptest.Payee(name).Hex(), "asked for again: 1",
		"hold", "payment", "gas", "nonce 0 of", "paid: consumed in block", settled["tx_hash"].(string), "gwei", "final",
		"effect: settled", "settlement.submitted", "published", "Terminated", "Completed", "http://ui.example/namespaces/").stdout
	inOrder(t, text, "request", "transfers", "queue and slot", "attempts", "blocks", "events", "outbox deliveries", "workflow runs")

	down := w.Environ("TEMPORAL_ADDRESS=127.0.0.1:9")
	run(t, down, "explain", key).exits(0).shows("effect: settled", "the workflow's runs are not known: temporal at 127.0.0.1:9")
	if notes := list(t, run(t, down, "explain", key, "-o", "json").exits(0).object(), "notes"); len(notes) != 1 {
		t.Errorf("notes %v, want one about Temporal", notes)
	}
	run(t, environ, "explain", "nobody-has-this").exits(2).says("no settlement has the key")
}
