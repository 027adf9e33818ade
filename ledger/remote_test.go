package ledger_test

import (
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

// unsigned commits a payment as for a remote signer and returns what the signer would sign.
func unsigned(t *testing.T, w *ledgertest.World, key string) (settlement.Settlement, settlement.Attempt) {
	t.Helper()
	a := w.Allocation(w.Reserved(key, "1"))
	var signed settlement.Attempt
	got, err := w.Allocate(t.Context(), a, func(signer common.Address, nonce uint64) (settlement.Attempt, error) {
		signed = w.Sign(signer, nonce, settlement.AttemptPay, a.Payload, a.Fees)
		return bare(w, signed), nil
	})
	if err != nil || got.Outcome != settlement.AllocatedNonce {
		t.Fatalf("%+v %v", got, err)
	}
	return w.Read(key), signed
}

// bare is an attempt before its signer has signed it.
func bare(w *ledgertest.World, signed settlement.Attempt) settlement.Attempt {
	signed.SigningHash = ledgertest.SigningHash(w, signed)
	signed.Hash, signed.Raw = common.Hash{}, nil
	return signed
}

func TestOfTwoSignaturesOneIsStoredAndBothSendIt(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t, ledgertest.WithConns(8))
	s, signed := unsigned(t, w, "order-1")
	owed, err := w.Unsigned(t.Context(), w.Chain.ChainID)
	if err != nil || len(owed) != 1 || owed[0].ID != s.Live.ID || owed[0].Key != s.Key || owed[0].Since.IsZero() || owed[0].Newest.SigningHash != ledgertest.SigningHash(w, signed) {
		t.Fatalf("owed %+v %v", owed, err)
	}
	const racers = 4
	stored := make([]settlement.Attempt, racers)
	var wg sync.WaitGroup
	for i := range racers {
		wg.Go(func() {
			var err error
			if stored[i], _, err = w.StoreBytes(t.Context(), s.Live.ID, signed); err != nil {
				t.Errorf("racer %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	for i := range racers {
		if stored[i].Hash != signed.Hash || string(stored[i].Raw) != string(signed.Raw) {
			t.Errorf("racer %d has %s", i, stored[i].Hash)
		}
	}
	if owed, err := w.Unsigned(t.Context(), w.Chain.ChainID); err != nil || len(owed) != 0 {
		t.Errorf("still owed: %+v %v", owed, err)
	}
}

func TestAnUnsignedAttemptMustBeWhatItsHashSays(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	a := w.Allocation(w.Reserved("order-1", "1"))
	_, err := w.Allocate(t.Context(), a, func(signer common.Address, nonce uint64) (settlement.Attempt, error) {
		return bare(w, w.Sign(signer, nonce+1, settlement.AttemptPay, a.Payload, a.Fees)), nil
	})
	if settlement.KindOf(err) != settlement.Invalid {
		t.Errorf("the signing hash of another nonce: %v", err)
	}
}

func TestASignerThatRefusesAPaymentForGoodMaySignItsCancel(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	s, late := unsigned(t, w, "order-1")
	itself := settlement.Payload{To: s.Live.Signer, GasLimit: 21_000}
	signedCancel := w.Sign(s.Live.Signer, s.Live.Nonce, settlement.AttemptCancel, itself, ledgertest.Fees(113))
	cancel := bare(w, signedCancel)
	for _, row := range []struct {
		why     string
		replace settlement.Replacement
	}{
		{"a replacement of nothing", settlement.Replacement{TransactionID: s.Live.ID, Attempt: cancel}},
		{"a replacement of another payload", settlement.Replacement{TransactionID: s.Live.ID, ReplacesUnsigned: ledgertest.Hash("other"), Attempt: cancel}},
		{"a replacement of bytes that are not there", settlement.Replacement{TransactionID: s.Live.ID, Replaces: late.Hash, Attempt: cancel}},
	} {
		if winner, won, err := w.AddAttempt(t.Context(), row.replace); err != nil || won || winner.SigningHash != s.Live.Newest.SigningHash {
			t.Errorf("%s: %+v %v %v", row.why, winner, won, err)
		}
	}
	for _, why := range []string{"first", "again"} {
		if winner, won, err := w.AddAttempt(t.Context(), settlement.Replacing(*s.Live, cancel)); err != nil || !won || winner.SigningHash != cancel.SigningHash {
			t.Fatalf("%s: %+v %v %v", why, winner, won, err)
		}
	}
	if _, _, err := w.StoreBytes(t.Context(), s.Live.ID, late); settlement.KindOf(err) != settlement.Stale {
		t.Errorf("the payment is signed after its cancel was committed: %v", err)
	}
	owed, err := w.Unsigned(t.Context(), w.Chain.ChainID)
	if err != nil || len(owed) != 1 || owed[0].Newest.Kind != settlement.AttemptCancel {
		t.Fatalf("owed %+v %v", owed, err)
	}
	if stored, won, err := w.StoreBytes(t.Context(), s.Live.ID, signedCancel); err != nil || !won || stored.Hash != signedCancel.Hash {
		t.Errorf("%+v %v %v", stored, won, err)
	}
	if read := w.Read("order-1"); read.Live.Newest.Hash != signedCancel.Hash {
		t.Errorf("newest %+v", read.Live.Newest)
	}
}
