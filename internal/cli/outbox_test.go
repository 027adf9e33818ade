package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

// operate runs one command line on a ledger that is open already.
func operate(t *testing.T, w *ledgertest.World, args ...string) ([]map[string]any, error) {
	t.Helper()
	var c commands
	parser, err := kong.New(&c)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		return nil, usage(err)
	}
	var out bytes.Buffer
	parsed.BindTo(t.Context(), (*context.Context)(nil))
	err = parsed.Run(&session{books: w.Ledger, out: printer{json: true, w: &out}})
	var lines []map[string]any
	for decoder := json.NewDecoder(&out); decoder.More(); {
		var line map[string]any
		if err := decoder.Decode(&line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines, err
}

func TestAnOperatorFindsAParkedStreamAndDecides(t *testing.T) {
	t.Parallel()
	for _, decision := range []string{"retry", "skip"} {
		t.Run(decision, func(t *testing.T) {
			t.Parallel()
			w := ledgertest.New(t)
			w.Reserved("order-1", "1")
			claim, err := w.ClaimOutbox(t.Context(), settlement.DestinationNATS, 1, time.Hour, "")
			if err != nil || len(claim.Rows) != 1 {
				t.Fatalf("claim: %+v %v", claim, err)
			}
			if held, err := w.Park(t.Context(), claim.Token, claim.Rows[0].ID, "too large"); !held || err != nil {
				t.Fatal(held, err)
			}
			parked, err := operate(t, w, "outbox", "parked")
			if err != nil || len(parked) != 1 || parked[0]["stream"] != "settlement/order-1" || parked[0]["reason"] != "too large" {
				t.Fatalf("parked = %v, %v", parked, err)
			}
			args := []string{"outbox", decision, "settlement/order-1", "--actor", "alice"}
			if _, err := operate(t, w, args...); err != nil {
				t.Fatal(err)
			}
			if _, err := operate(t, w, args...); err == nil || !strings.Contains(err.Error(), "is not parked") {
				t.Errorf("decided twice: %v", err)
			}
			list, err := operate(t, w, "outbox", "list", "--all")
			if err != nil || len(list) != 1 || (list[0]["skipped_at"] != nil) != (decision == "skip") {
				t.Errorf("list = %v, %v", list, err)
			}
			if who := ledgertest.Value[string](w, `SELECT actor FROM journal WHERE action = 'outbox.' || $1`, map[string]string{"retry": "unpark", "skip": "skip"}[decision]); who != "alice" {
				t.Errorf("the journal names %q", who)
			}
		})
	}
}

func TestRedeliveringAsksForASpanInThePast(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	w.Reserved("order-1", "1")
	claim, err := w.ClaimOutbox(t.Context(), settlement.DestinationNATS, 1, time.Hour, "")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := w.MarkPublished(t.Context(), claim.Token, []int64{claim.Rows[0].ID}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	w.Exec(`UPDATE outbox SET published_at = '2026-01-02T12:00:00Z'`)
	for _, row := range []struct{ why, from, until, field string }{
		{"the end before the start", "2026-01-03T00:00:00Z", "2026-01-02T00:00:00Z", "until"},
		{"the future: what is published meanwhile would be published twice", "2026-01-02T00:00:00Z", "2999-01-01T00:00:00Z", "until"},
		{"no time", "yesterday", "2026-01-03T00:00:00Z", ""},
	} {
		_, err := operate(t, w, "outbox", "redeliver", "--from", row.from, "--until", row.until)
		if settlement.KindOf(err) != settlement.Invalid {
			t.Errorf("%s: %v", row.why, err)
		}
	}
	got, err := operate(t, w, "outbox", "redeliver", "--from", "2026-01-02T00:00:00Z", "--until", "2026-01-03T00:00:00Z")
	if err != nil || len(got) != 1 || got[0]["events"] != 1.0 {
		t.Errorf("redelivered = %v, %v", got, err)
	}
}
