package ledger_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

func TestOfSeveralBumpersOneWinsAndTheOthersSendItsBytes(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t, ledgertest.WithConns(16))
	s := w.Submitted("order-1", "1")
	w.Exec(`UPDATE transactions SET bump_asked_for = $2, bump_asked_block = 5 WHERE id = $1`, s.Live.ID, s.Live.Newest.Hash.Bytes())
	if s = w.Read("order-1"); !s.Live.BumpAsked || s.Next() != settlement.ActReplace {
		t.Fatalf("%+v", s.Live)
	}
	const racers = 8
	winners, wins := make([]common.Hash, racers), make([]bool, racers)
	var wg sync.WaitGroup
	for i := range racers {
		wg.Go(func() {
			bump := w.Sign(s.Live.Signer, s.Live.Nonce, settlement.AttemptPay, s.Live.Newest.Payload, ledgertest.Fees(uint64(113+i)))
			winner, won, err := w.AddAttempt(t.Context(), settlement.Replacement{TransactionID: s.Live.ID, Replaces: s.Live.Newest.Hash, Attempt: bump})
			if err != nil {
				t.Errorf("racer %d: %v", i, err)
			}
			if won != (winner.Hash == bump.Hash) || len(winner.Raw) == 0 {
				t.Errorf("racer %d: won %v with %s, made %s", i, won, winner.Hash, bump.Hash)
			}
			winners[i], wins[i] = winner.Hash, won
		})
	}
	wg.Wait()
	won := 0
	for i := range racers {
		if wins[i] {
			won++
		}
		if winners[i] != winners[0] {
			t.Errorf("racer %d sends %s, racer 0 %s", i, winners[i], winners[0])
		}
	}
	read := w.Read("order-1")
	if won != 1 || read.Live.Newest.Hash != winners[0] || read.Live.BumpAsked {
		t.Errorf("%d winners, newest %s of %s, bump asked %v", won, read.Live.Newest.Hash, winners[0], read.Live.BumpAsked)
	}
	if n := ledgertest.Value[int](w, `SELECT count(*) FROM attempts`); n != 2 {
		t.Errorf("%d attempts", n)
	}
}

func TestAReplacementKeepsThePayloadAndACancelStaysACancel(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	s := w.Submitted("order-1", "1")
	signer, nonce, pay := s.Live.Signer, s.Live.Nonce, s.Live.Newest
	itself := settlement.Payload{To: signer, GasLimit: 21_000}
	other := pay.Payload
	other.To = ledgertest.Address("thief")
	add := func(replaces common.Hash, kind settlement.AttemptKind, p settlement.Payload, percent uint64) error {
		_, won, err := w.AddAttempt(t.Context(), settlement.Replacement{
			TransactionID: s.Live.ID, Replaces: replaces, Attempt: w.Sign(signer, nonce, kind, p, ledgertest.Fees(percent)),
		})
		if err == nil && !won {
			t.Errorf("%s at %d %% lost", kind, percent)
		}
		return err
	}
	for _, row := range []struct {
		why     string
		kind    settlement.AttemptKind
		p       settlement.Payload
		percent uint64
	}{
		{"another recipient", settlement.AttemptPay, other, 113},
		{"the same fees", settlement.AttemptPay, pay.Payload, 100},
		{"a cancel that pays somebody", settlement.AttemptCancel, pay.Payload, 113},
		{"a revoke under the payment's nonce", settlement.AttemptRevoke, pay.Payload, 113},
	} {
		if err := add(pay.Hash, row.kind, row.p, row.percent); settlement.KindOf(err) != settlement.Invalid || err == nil {
			t.Errorf("%s: %v", row.why, err)
		}
	}
	if err := add(pay.Hash, settlement.AttemptPay, pay.Payload, 113); err != nil {
		t.Fatal(err)
	}
	if err := add(w.Read("order-1").Live.Newest.Hash, settlement.AttemptCancel, itself, 130); err != nil {
		t.Fatal(err)
	}
	cancel := w.Read("order-1").Live.Newest
	if err := add(cancel.Hash, settlement.AttemptPay, pay.Payload, 150); settlement.KindOf(err) != settlement.Invalid {
		t.Errorf("a payment in the place of a cancel: %v", err)
	}
	if err := add(cancel.Hash, settlement.AttemptCancel, itself, 150); err != nil {
		t.Errorf("a bump of the cancel: %v", err)
	}
	newest := w.Read("order-1").Live.Newest
	consume(w, w.Read("order-1"), "cancelled", 3, true)
	if err := add(newest.Hash, settlement.AttemptCancel, itself, 200); settlement.KindOf(err) != settlement.Stale {
		t.Errorf("a consumed nonce: %v", err)
	}
}

func TestRefusalsAreNotedAndChangeNothingElse(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	s := w.Submitted("order-1", "1")
	for _, text := range []string{"insufficient funds", strings.Repeat("x", 5000) + "\x00\xff"} {
		if err := w.RecordRefusal(t.Context(), s.Live.Newest.Hash, "funds", text); err != nil {
			t.Fatal(err)
		}
	}
	if n := ledgertest.Value[int](w, `SELECT octet_length(refusal_text) FROM attempts`); n > 1100 {
		t.Errorf("%d bytes of a node's words were kept", n)
	}
	if err := w.RecordRefusal(t.Context(), ledgertest.Hash("unknown"), "funds", "x"); settlement.KindOf(err) != settlement.NotFound {
		t.Errorf("unknown attempt: %v", err)
	}
	for _, text := range []string{"intrinsic gas too low", "another reason"} {
		if err := w.MarkUnrunnable(t.Context(), s.Live.ID, text); err != nil {
			t.Fatal(err)
		}
	}
	if text := ledgertest.Value[string](w, `SELECT unrunnable FROM transactions`); text != "intrinsic gas too low" {
		t.Errorf("unrunnable %q: the first reason stays", text)
	}
	if after := w.Read("order-1"); after.State != settlement.Submitted || after.Live.Newest.Hash != s.Live.Newest.Hash {
		t.Errorf("%+v", after)
	}
}
