package ledger_test

import (
	"fmt"
	"testing"

	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

// https://github.com/riverqueue/river/issues/1258: a page full of rows that cannot be rescued hides the others for ever.
func TestTheSweepersPageTurnsAlthoughNothingCanBeHelped(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	for i := range 6 {
		w.Reserved(fmt.Sprintf("order-%d", i), "1")
	}
	ended := w.Reserved("ended", "1")
	if err := w.FailUnpaid(t.Context(), ended.ID, "refused", settlement.UnpaidProof{}); err != nil {
		t.Fatal(err)
	}
	if keys, err := w.Stuck(t.Context(), 3600e9, 10); err != nil || len(keys) != 0 {
		t.Errorf("young settlements are not stuck: %v %v", keys, err)
	}
	w.Exec(`UPDATE settlements SET swept_at = now() - interval '2 hours'`)
	seen := map[string]int{}
	for range 3 {
		keys, err := w.Stuck(t.Context(), 3600e9, 2)
		if err != nil || len(keys) != 2 {
			t.Fatalf("%v %v", keys, err)
		}
		for _, k := range keys {
			seen[k.Value]++
		}
		if err := w.MarkSwept(t.Context(), keys); err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) != 6 || seen["ended"] != 0 {
		t.Errorf("saw %v", seen)
	}
	if keys, err := w.Stuck(t.Context(), 3600e9, 10); err != nil || len(keys) != 0 {
		t.Errorf("%v %v", keys, err)
	}
}
