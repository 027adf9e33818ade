package ledger_test

import (
	"strings"
	"testing"

	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

func TestWaitingBacksOffByTheCauseAndMovesNothingElse(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	w.SetHead(100, 90)
	s := w.Reserved("order-1", "1")
	for i, row := range []struct {
		reason string
		wake   int
	}{
		{settlement.WaitPaused, 101}, {settlement.WaitPaused, 102}, {settlement.WaitPaused + ": since an hour", 104},
		{settlement.WaitPaused, 108}, {settlement.WaitPaused, 116}, {settlement.WaitPaused, 132}, {settlement.WaitPaused, 164}, {settlement.WaitPaused, 164},
		{settlement.WaitTokenPaused, 101}, {settlement.WaitTokenPaused, 102},
	} {
		if err := w.Wait(t.Context(), s.ID, row.reason); err != nil {
			t.Fatal(err)
		}
		read := w.Read("order-1")
		wake := ledgertest.Value[int](w, `SELECT wake_block FROM settlements`)
		if read.State != settlement.Waiting || read.Reason != row.reason || wake != row.wake {
			t.Errorf("step %d: %s %q wakes at %d, want %d", i, read.State, read.Reason, wake, row.wake)
		}
	}
	submitted := w.Submitted("order-2", "1")
	if err := w.Wait(t.Context(), submitted.ID, settlement.WaitPaused); settlement.KindOf(err) != settlement.Stale {
		t.Errorf("a live nonce waits for nothing: %v", err)
	}
	if err := w.Wait(t.Context(), s.ID, " "); settlement.KindOf(err) != settlement.Invalid {
		t.Errorf("a wait without a reason: %v", err)
	}
}

func TestWaitingTakesAGrantBack(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	s := w.Reserved("order-1", "1")
	w.Exec(`UPDATE settlements SET state = 'queued' WHERE id = $1`, s.ID)
	w.Exec(`INSERT INTO queue (settlement_id, asset_id, lane_id, granted_block) VALUES ($1, $2, $3, 1)`, s.ID, w.USDC.ID, w.Lanes[0].ID)
	if err := w.Wait(t.Context(), s.ID, settlement.WaitDoubtful+": nodes disagree\x00 \xff"); err != nil {
		t.Fatal(err)
	}
	if n := ledgertest.Value[int](w, `SELECT count(*) FROM queue`); n != 0 {
		t.Error("the grant stayed")
	}
	if reason := w.Read("order-1").Reason; strings.ContainsRune(reason, 0) || !strings.HasPrefix(reason, settlement.WaitDoubtful) {
		t.Errorf("reason %q", reason)
	}
}
