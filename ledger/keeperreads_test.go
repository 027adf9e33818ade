package ledger_test

import (
	"fmt"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/settlement"
)

func TestUnminedListsEveryNonceHeadFirstWithItsNewestBytes(t *testing.T) {
	t.Parallel()
	s := newSim(t, 2, 16)
	var sent []settlement.Transaction
	for i := range 5 {
		sent = append(sent, s.submit(s.reserve(fmt.Sprintf("k%d", i), "USDC", "1")))
	}
	s.mine(s.reverts(sent[0]))
	bumped := sent[2]
	fees := settlement.Fees{Cap: settlement.NewAmount(6e9), Tip: settlement.NewAmount(2e9)}
	bump, err := s.sign(bumped.Signer, bumped.Nonce, settlement.AttemptPay, bumped.Newest.Payload, fees)
	s.ok(err)
	_, _, err = s.AddAttempt(t.Context(), settlement.Replacement{TransactionID: bumped.ID, Replaces: bumped.Newest.Hash, Attempt: bump})
	s.ok(err)
	s.ok(s.RecordRefusal(t.Context(), bump.Hash, "underpriced", "replacement transaction underpriced"))
	s.Exec(`UPDATE lanes SET state = 'frozen' WHERE signer = $1`, sent[1].Signer.Bytes())

	unmined, err := s.Unmined(t.Context(), 1337)
	s.ok(err)
	if len(unmined) != 4 {
		t.Fatalf("%d unmined nonces, want 4", len(unmined))
	}
	for i := 1; i < len(unmined); i++ {
		a, b := unmined[i-1], unmined[i]
		if a.LaneID > b.LaneID || a.LaneID == b.LaneID && a.Nonce >= b.Nonce {
			t.Errorf("nonce %d of lane %d comes before nonce %d of lane %d", a.Nonce, a.LaneID, b.Nonce, b.LaneID)
		}
	}
	for _, u := range unmined {
		if u.Signer == sent[1].Signer && u.LaneState != settlement.LaneFrozen {
			t.Errorf("lane state %s: what is out of a frozen lane stays supervised", u.LaneState)
		}
		if u.ID != bumped.ID {
			continue
		}
		if u.Newest.Hash != bump.Hash || string(u.Newest.Raw) != string(bump.Raw) || u.Newest.Cap != fees.Cap || u.Key.Value != "k2" ||
			u.Refusal != "underpriced" || u.CapCeiling != settlement.NewAmount(500e9) || u.CreatedAt.IsZero() {
			t.Errorf("%+v", u)
		}
	}
}

func TestABumpIsAskedOncePerAttemptAndWakesEachTime(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	s.mine()
	x := s.reserve("k1", "USDC", "1")
	n := s.submit(x)
	ask := func(attempt common.Hash, block uint64) error {
		return s.AskBump(t.Context(), s.lease, n.ID, attempt, block)
	}
	s.ok(ask(n.Newest.Hash, 5))
	s.ok(ask(n.Newest.Hash, 7))
	unmined, err := s.Unmined(t.Context(), 1337)
	s.ok(err)
	if u := unmined[0]; u.AskedFor == nil || *u.AskedFor != n.Newest.Hash || u.AskedBlock != 5 || !u.BumpAsked {
		t.Errorf("%+v: patience is counted from the first ask", u)
	}
	if got := s.read(x); got.Next() != settlement.ActReplace || s.wakes(x) != 2 {
		t.Errorf("next %s, %d wake-ups", got.Next(), s.wakes(x))
	}
	if err := ask(common.Hash{1}, 8); settlement.KindOf(err) != settlement.Stale {
		t.Errorf("an attempt that is not the newest: %v", err)
	}
	s.mine(s.pays(x, n))
	if err := ask(n.Newest.Hash, 9); settlement.KindOf(err) != settlement.Stale {
		t.Errorf("a mined nonce: %v", err)
	}
	if s.wakes(x) != 2 {
		t.Errorf("%d wake-ups: a stale ask wakes nobody", s.wakes(x))
	}
}
