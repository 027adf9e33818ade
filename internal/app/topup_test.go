package app_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/params"

	"github.com/quittance/quittance/contracts"
	"github.com/quittance/quittance/internal/app/apptest"
	"github.com/quittance/quittance/internal/devchain"
	"github.com/quittance/quittance/settlement"
)

// Three ways in: the command, somebody's plain transfer, and a contract's. The audit must find no coin more or less than is booked.
func TestEveryTopUpIsBookedOnceAndTheBooksEqualTheChain(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	w.Services()
	w.Deposit(apptest.Alice, "100")
	signer := w.Keys.Signers[0]
	people := strings.Replace(w.Keys.KeystoreDir, "keystore", "keystore-people", 1)
	topUp := []string{"-o", "json", "top-up", signer.Hex(), "--amount", "0.5", "--keystore", people + "/customer-bob.json", "--password-file", w.Keys.PasswordFile, "--actor", "olga"}
	code, first, stderr := starter(w, topUp...)
	if code != 0 {
		t.Fatalf("top-up: %d %s", code, stderr)
	}
	w.Start(w.Request("pay", apptest.Alice, "10"))
	receipts, err := w.Wallet(apptest.Bob).Do(t.Context(), devchain.Call{To: &signer, Value: big.NewInt(params.Ether / 4)})
	w.Must(err)
	plain := receipts[0].TxHash
	w.Must(w.Site.DepositCoin(t.Context(), w.Wallet(apptest.Alice), settlement.CustomerID("", apptest.Alice), big.NewInt(params.Ether)))
	// The vault is the contract at hand: what it withdraws to a signer shows in no transaction's destination.
	receipts, err = w.Owner().Do(t.Context(), devchain.Call{To: &w.Site.Vault, Data: contracts.NewVault().PackWithdraw(settlement.NativeToken, signer, big.NewInt(params.Ether/8))})
	w.Must(err)
	inner := receipts[0].TxHash
	w.Await("pay", settlement.Settled)
	w.Eventually("the block of the last is final", func() bool {
		head, err := w.Ledger.Head(t.Context(), w.Site.ChainID)
		w.Must(err)
		return head.Final.Number >= receipts[0].BlockNumber.Uint64()
	})
	for i, why := range []string{"adopted", "again: nothing more"} {
		if code, out, stderr := starter(w, "-o", "json", "top-up", "adopt", inner.Hex()); code != 0 || !strings.Contains(out, `"amount_wei":"125000000000000000"`) {
			t.Fatalf("%d %s: %d %s %s", i, why, code, out, stderr)
		}
	}
	for _, row := range []struct {
		why  string
		args []string
		says string
	}{
		{"a plain transfer is known", []string{"top-up", "adopt", plain.Hex()}, ""},
		{"a transaction that brought a signer nothing", []string{"top-up", "adopt", w.Await("pay", settlement.Settled).TxHash.Hex()}, "brought nothing"},
		{"a hash that no node knows", []string{"top-up", "adopt", "0x" + strings.Repeat("ab", 32)}, "in no block"},
		{"not a hash", []string{"top-up", "adopt", "0xab"}, "64 hex digits"},
		{"a signer pays for a signer", []string{"top-up", signer.Hex(), "--amount", "0.1", "--keystore", w.Keys.KeystoreDir + "/signer-02.json", "--password-file", w.Keys.PasswordFile}, "a signer"},
		{"nobody's signer", []string{"top-up", apptest.Payee("x").Hex(), "--amount", "0.1", "--keystore", people + "/customer-bob.json", "--password-file", w.Keys.PasswordFile}, "is no signer"},
		{"nothing", []string{"top-up", signer.Hex(), "--amount", "0", "--keystore", people + "/customer-bob.json", "--password-file", w.Keys.PasswordFile}, "above zero"},
		{"the wrong password", []string{"top-up", signer.Hex(), "--amount", "1", "--keystore", people + "/customer-bob.json", "--password-file", people + "/customer-bob.json"}, "is not the password"},
	} {
		want := 2
		if row.says == "" {
			want = 0
		}
		if code, out, stderr := starter(w, row.args...); code != want || !strings.Contains(stderr, row.says) {
			t.Errorf("%s: %d %s %s", row.why, code, out, stderr)
		}
	}
	list, err := w.Ledger.TopUps(t.Context(), w.Site.ChainID, 10)
	w.Must(err)
	total := settlement.Amount{}
	for _, top := range list {
		if !top.Booked || top.Signer != signer {
			t.Errorf("%+v", top)
		}
		total, _ = total.Add(top.Amount)
	}
	if len(list) != 3 || total.String() != "875000000000000000" || !strings.Contains(first, list[len(list)-1].TxHash.Hex()) {
		t.Errorf("%d top-ups of %s wei; the first was %s", len(list), total, first)
	}
	report := w.Audit(t, w.DSN)
	for _, f := range report.Findings {
		for _, row := range f.Broken {
			t.Errorf("%s is broken: %s", f.Invariant, row)
		}
	}
	for _, note := range report.Notes {
		if strings.Contains(note, "float") {
			t.Errorf("the float is not what the chain says: %s", note)
		}
	}
	stats, err := w.Ledger.Stats(t.Context())
	w.Must(err)
	for _, lane := range stats.Lanes {
		if lane.Left == nil || *lane.Left < settlement.LeftWarn || lane.Low() {
			t.Errorf("forecast of a signer with a million coins: %+v", lane)
		}
	}
}
