package app_test

import (
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"

	"github.com/quittance/quittance/internal/app/apptest"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// A stop gives nobody a nonce, what is out is paid and booked, and after the go everybody is paid.
func TestAStopKeepsWhatIsOutSupervisedAndAfterTheGoEverythingSettles(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{Signers: 2})
	w.Services()
	w.Deposit(apptest.Alice, "100")
	minTip(w, noTipIsEnough)
	const payments, slots = 38, 32
	name := func(i int) string { return fmt.Sprint("p", i) }
	for i := range payments {
		w.Start(w.Request(name(i), apptest.Alice, "1"))
	}
	count := func(states ...settlement.State) (n int) {
		for i := range payments {
			s, err := w.Ledger.Settlement(t.Context(), w.Key(name(i)))
			if settlement.KindOf(err) != settlement.NotFound {
				w.Must(err)
			}
			if slices.Contains(states, s.State) {
				n++
			}
		}
		return n
	}
	w.Eventually("every slot is taken and the rest queues", func() bool {
		return count(settlement.Submitted) == slots && count(settlement.Queued) == payments-slots
	})

	changed, err := w.Ledger.StopChain(t.Context(), w.Site.ChainID, "olga", "drill")
	if w.Must(err); !changed {
		t.Fatal("the stop changed nothing")
	}
	minTip(w, anyTip)
	w.Start(w.Request("late", apptest.Alice, "1"))
	if s := w.Await("late", settlement.Waiting); settlement.WaitWord(s.Reason) != settlement.WaitStopped || !strings.Contains(s.Reason, "drill") {
		t.Errorf("the late one waits for %q", s.Reason)
	}
	w.Eventually("what was out is settled", func() bool { return count(settlement.Settled) == slots })
	if n := count(settlement.Queued, settlement.Waiting); n != payments-slots {
		t.Errorf("%d still wait, want %d: a stopped chain grants nothing", n, payments-slots)
	}

	changed, err = w.Ledger.StartChain(t.Context(), w.Site.ChainID, "olga", "drill is over")
	if w.Must(err); !changed {
		t.Fatal("the go changed nothing")
	}
	w.Eventually("all are settled", func() bool { return count(settlement.Settled) == payments })
	w.Await("late", settlement.Settled)
	if got := w.Available(apptest.Alice).Units(6); got != "61" {
		t.Errorf("alice has %s left, want 61", got)
	}
	w.Holds()
}

// Somebody else uses a signer's key, at a nonce that a payment of ours has.
func TestForeignUseOfASignersKeyFreezesItsLaneAndTheLoserIsPaidByAnother(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{Signers: 2})
	w.Services()
	w.Deposit(apptest.Alice, "100")
	minTip(w, "0x174876e800") // 100 gwei per gas: more than ours give, and less than the thief does
	var out []settlement.Settlement
	names := []string{"one", "two", "three", "four"}
	for _, name := range names { // two lanes, two nonces each
		w.Start(w.Request(name, apptest.Alice, "10"))
		out = append(out, w.Await(name, settlement.Submitted))
	}
	stolen := *out[0].Live
	theft := steal(w, stolen)

	report := func() ledger.LaneReport {
		reports, err := w.Ledger.LaneReports(t.Context(), w.Site.ChainID)
		w.Must(err)
		return reports[slices.IndexFunc(reports, func(r ledger.LaneReport) bool { return r.Signer == stolen.Signer })]
	}
	w.Eventually("the lane is frozen", func() bool { return report().State == settlement.LaneFrozen })
	minTip(w, anyTip)
	for _, name := range names {
		if s := w.Await(name, settlement.Settled, settlement.Failed, settlement.Cancelled); s.State != settlement.Settled {
			t.Errorf("%s is %s (%s)", name, s.State, s.Reason)
		}
		if got := w.Received(name); got.Int64() != 10_000_000 {
			t.Errorf("the recipient of %s holds %s", name, got)
		}
	}
	r := report()
	if len(r.Foreign) != 1 || r.State != settlement.LaneFrozen {
		t.Fatalf("%+v", r)
	}
	f := r.Foreign[0]
	paid := w.Await("one", settlement.Settled)
	if f.Hash != theft || f.Nonce != stolen.Nonce || f.State != ledger.ForeignFinal || f.Open() || f.Value != settlement.NewAmount(params.GWei) || f.Ours != settlement.KindPay ||
		len(f.Losers) != 1 || f.Losers[0].Key != w.Key("one").Value || f.Losers[0].State != settlement.Settled || *f.Losers[0].TxHash != *paid.TxHash {
		t.Errorf("%+v", f)
	}
	if paid.NoncesAllocated != 2 || *paid.TxHash == stolen.Newest.Hash {
		t.Errorf("the loser: %d nonces, %+v", paid.NoncesAllocated, paid.Snapshot())
	}

	move := ledger.LaneMove{ChainID: w.Site.ChainID, Signer: stolen.Signer, Actor: "olga", Why: "the key is ours alone again", Seen: new(2)}
	if _, err := w.Ledger.ThawLane(t.Context(), move); settlement.KindOf(err) != settlement.Invalid {
		t.Errorf("thawed by another report: %v", err)
	}
	move.Seen = new(1)
	changed, err := w.Ledger.ThawLane(t.Context(), move)
	if w.Must(err); !changed {
		t.Error("the thaw changed nothing")
	}
	minTip(w, noTipIsEnough)
	used := map[common.Address]bool{}
	for _, name := range []string{"five", "six"} {
		w.Start(w.Request(name, apptest.Alice, "10"))
		used[w.Await(name, settlement.Submitted).Live.Signer] = true
	}
	if !used[stolen.Signer] {
		t.Error("the lane was thawed and takes no nonce")
	}
	minTip(w, anyTip)
	w.Await("five", settlement.Settled)
	w.Await("six", settlement.Settled)
	if got := w.Available(apptest.Alice).Units(6); got != "40" {
		t.Errorf("alice has %s left, want 40", got)
	}
	w.Holds()
}

// steal takes a payment's nonce by a transfer of somebody else who has the signer's key.
func steal(w *apptest.World, n settlement.Transaction) common.Hash {
	w.T.Helper()
	i := slices.Index(w.Keys.Signers, n.Signer)
	raw, err := os.ReadFile(filepath.Join(w.Keys.KeystoreDir, fmt.Sprintf("signer-%02d.json", i+1)))
	w.Must(err)
	password, err := os.ReadFile(w.Keys.PasswordFile)
	w.Must(err)
	key, err := keystore.DecryptKey(raw, strings.TrimSpace(string(password)))
	w.Must(err)
	chainID, to := new(big.Int).SetUint64(w.Site.ChainID), apptest.Payee("a thief")
	tip, feeCap := big.NewInt(700*params.GWei), big.NewInt(1400*params.GWei) // above what a bump of ours could reach
	tx, err := types.SignNewTx(key.PrivateKey, types.LatestSignerForChainID(chainID), &types.DynamicFeeTx{
		ChainID: chainID, Nonce: n.Nonce, To: &to, Value: big.NewInt(params.GWei), Gas: params.TxGas, GasTipCap: tip, GasFeeCap: feeCap})
	w.Must(err)
	w.Must(w.Client.SendTransaction(w.T.Context(), tx))
	return tx.Hash()
}
