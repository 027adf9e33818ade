package ledger_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

func TestAnswerTellsADuplicateFromAConflictAndFromNothing(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	r := w.Reservation("order-1", "1").Request
	if _, outcome, err := w.Answer(t.Context(), r); settlement.KindOf(err) != settlement.NotFound || outcome != "" {
		t.Errorf("before the row: %q %v", outcome, err)
	}
	s := w.Reserved("order-1", "1")
	got, outcome, err := w.Answer(t.Context(), r)
	if err != nil || outcome != ledger.OutcomeInProgress || !sameSettlement(got, s) {
		t.Errorf("in progress: %+v %s %v", got, outcome, err)
	}
	if err := w.FailUnpaid(t.Context(), s.ID, "refused", settlement.UnpaidProof{}); err != nil {
		t.Fatal(err)
	}
	got, outcome, err = w.Answer(t.Context(), r)
	if err != nil || outcome != ledger.OutcomeReplay || got.State != settlement.Failed || got.Reason != "refused" {
		t.Errorf("replay: %+v %s %v", got, outcome, err)
	}
	if hits := ledgertest.Value[int](w, `SELECT hits FROM idempotency_keys`); hits != 2 {
		t.Errorf("%d hits", hits)
	}
}

// https://github.com/aws-powertools/powertools-lambda-python/issues/638: the order of a document's keys changed its hash. jsonb
// orders keys in its own way, and the stored digests must still name the field.
func TestStoredDigestsNameTheDifferenceWhateverOrderTheyAreKeptIn(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	w.Reserved("order-1", "1")
	other := w.Reservation("order-1", "2").Request
	other.Account = ledgertest.Bob
	_, outcome, err := w.Answer(t.Context(), other)
	var e *settlement.Error
	if outcome != ledger.OutcomeConflict || !asError(err, &e) || !slices.Equal(e.Fields, []string{"account", "amount"}) {
		t.Errorf("%s %v", outcome, err)
	}
}

// https://github.com/VilledeMontreal/express-idempotency/issues/32: a crash left keys locked for days.
func TestACrashBeforeTheCommitLeavesNoClaim(t *testing.T) {
	t.Parallel()
	crash := true
	w := ledgertest.New(t, ledgertest.WithLedger(ledger.WithHook(func(point string) {
		if point == "reserve.before_commit" && crash {
			panic("as if the process died")
		}
	})))
	func() {
		defer func() { _ = recover() }()
		_, _ = w.Reserve(t.Context(), w.Reservation("order-1", "1"))
	}()
	if n := ledgertest.Value[int](w, `SELECT count(*) FROM idempotency_keys`); n != 0 {
		t.Fatalf("%d claims are left", n)
	}
	crash = false
	r := w.Reservation("order-1", "2") // nothing was accepted, so the key still means nothing
	if s, err := w.Reserve(t.Context(), r); err != nil || s.State != settlement.Requested {
		t.Errorf("%+v %v", s, err)
	}
}

// https://github.com/aws-powertools/powertools-lambda-python/issues/8386: a live record was taken for an orphan, and both ran.
func TestAKeyInProgressNeverExpiresAndAFinishedOneKeepsItsAnswerWithoutItsBody(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	open, ended := w.Reserved("open", "1"), w.Reserved("ended", "2")
	if err := w.FailUnpaid(t.Context(), ended.ID, "refused", settlement.UnpaidProof{}); err != nil {
		t.Fatal(err)
	}
	var body settlement.Snapshot
	if err := json.Unmarshal(ledgertest.Value[[]byte](w, `SELECT result::text::bytea FROM idempotency_keys WHERE key = 'ended'`), &body); err != nil || body.Reason != "refused" || body.Amount != "2" {
		t.Errorf("snapshot %+v %v", body, err)
	}
	if n, err := w.ExpireSnapshots(t.Context(), 10); err != nil || n != 0 {
		t.Errorf("%d dropped before their time, %v", n, err)
	}
	w.Exec(`UPDATE idempotency_keys SET created_at = now() - interval '10 years'`)
	w.Exec(`UPDATE idempotency_keys SET expires_at = now() - interval '1 day' WHERE key = 'ended'`)
	for want := range 2 {
		if n, err := w.ExpireSnapshots(t.Context(), 10); err != nil || n != 1-want {
			t.Errorf("%d dropped, %v", n, err)
		}
	}
	for _, s := range []settlement.Settlement{open, ended} {
		got, outcome, err := w.Answer(t.Context(), s.Request)
		if err != nil || got.ID != s.ID {
			t.Errorf("%s: %s %v", s.Key, outcome, err)
		}
		again, err := w.Reserve(t.Context(), settlement.Reservation{Request: s.Request, RequestID: "ten years later", Vault: s.Vault})
		if err != nil || again.ID != s.ID {
			t.Errorf("%s was reserved again: %+v %v", s.Key, again, err)
		}
	}
}

func TestRequestsAreCountedByOutcomeAndSurviveARestart(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	w.Reserved("order-1", "1")
	if _, _, err := w.Answer(t.Context(), w.Reservation("order-1", "1").Request); err != nil {
		t.Fatal(err)
	}
	_, _, _ = w.Answer(t.Context(), w.Reservation("order-1", "2").Request)
	for range 20 {
		if err := w.Count(t.Context(), ledger.OutcomeInvalid); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Count(t.Context(), "lost"); err == nil {
		t.Error("an outcome that nobody knows was counted")
	}
	fresh, err := ledger.Open(context.Background(), w.DSN)
	if err != nil {
		t.Fatal(err)
	}
	defer fresh.Close()
	counts, err := fresh.RequestCounts(t.Context())
	if err != nil || counts[ledger.OutcomeNew] != 1 || counts[ledger.OutcomeInProgress] != 1 || counts[ledger.OutcomeConflict] != 1 ||
		counts[ledger.OutcomeInvalid] != 20 || counts[ledger.OutcomeReplay] != 0 {
		t.Errorf("%v %v", counts, err)
	}
	if rows := ledgertest.Value[int](w, `SELECT count(*) FROM request_counts WHERE outcome = 'invalid'`); rows < 2 {
		t.Errorf("%d counter rows: one would be the hottest of all", rows)
	}
}
