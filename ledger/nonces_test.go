package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

func TestAFinalRevertGoesBackAndMayPayWithAnotherNonce(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x := s.reserve("k1", "USDC", "100")
	n := s.submit(x)
	block := s.mine(s.reverts(n))
	if got := s.wantState(x, settlement.Submitted); got.Live == nil {
		t.Fatal("a revert that is not final frees nothing")
	}
	s.finalize(block.Number)
	got := s.wantState(x, settlement.Requested)
	if got.Live != nil || s.wakes(x) != 1 || got.NoncesAllocated != 1 {
		t.Errorf("%+v, %d wake-ups", got, s.wakes(x))
	}
	if fee := s.balance("gas_expense", "", s.ETH); fee != "120000000000000" {
		t.Errorf("gas of a revert: %s", fee)
	}
	s.check()
	again := s.submit(x)
	if again.Nonce != n.Nonce+1 {
		t.Errorf("nonce %d", again.Nonce)
	}
	s.finalize(s.mine(s.pays(x, again)).Number)
	s.wantState(x, settlement.Settled)
	s.check()
}

// A recipient may pass every simulation and refuse every payment. Others' payments in between keep the asset going.
func TestASettlementThatKeepsRevertingIsTriedEverMoreSeldom(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x := s.reserve("k1", "ETH", "1")
	for i, row := range []struct {
		blocks uint64 // that it must let pass before it gets its nonce
		why    string
	}{
		{0, "the first try"}, {0, "the first revert may have been bad luck"}, {0, "as may the second"},
		{64, "the third was not"}, {128, "nor the fourth"},
	} {
		if row.blocks > 0 {
			reverted := s.head.Number
			s.Exec(`UPDATE heads SET head_number = head_number + $1`, row.blocks-1)
			out, err := s.allocate(x)
			if s.ok(err); out.Outcome != settlement.AllocatedWait || settlement.WaitWord(out.Reason) != settlement.WaitDoubtful || !strings.HasSuffix(out.Reason, fmt.Sprintf("from block %d on", reverted+row.blocks)) {
				t.Fatalf("step %d, a block too early: %+v", i, out)
			}
			s.Exec(`UPDATE heads SET head_number = head_number + 1`)
		}
		n := s.submit(x) // fails the test without a nonce
		s.Exec(`UPDATE heads SET head_number = $1`, s.head.Number)
		s.finalize(s.mine(s.reverts(n)).Number)
		s.Exec(`UPDATE assets SET stopped = NULL, reverts_to = '{}', reverts_by = '{}'`)
		s.wantState(x, settlement.Requested)
	}
	s.check()
}

func TestOutOfGasDoublesTheLimitAtMostTwice(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x := s.reserve("k1", "USDC", "100")
	for i, row := range []struct {
		used uint64
		want int
		why  string
	}{
		{50_000, 0, "an ordinary revert"},
		{100_000, 1, "all of the limit is used"},
		{98_500, 2, "the inner call starved: the 64th part that EIP-150 keeps back is left"},
		{100_000, 2, "twice is the most"},
	} {
		s.Exec(`UPDATE assets SET stopped = NULL, reverts_to = '{}', reverts_by = '{}'`)
		s.Exec(`UPDATE heads SET head_number = head_number + 1000`) // the reverts are long ago
		n := s.submit(x)
		s.Exec(`UPDATE heads SET head_number = head_number - 1000`)
		tx := s.reverts(n)
		tx.mined.GasUsed = row.used
		s.finalize(s.mine(tx).Number)
		if got := ledgertest.Value[int](s.World, `SELECT gas_doublings FROM settlements WHERE id = $1`, x.ID); got != row.want {
			t.Errorf("step %d: %d doublings, want %d: %s", i, got, row.want, row.why)
		}
	}
	s.check()
}

func TestThreeRevertsInARowStopAnAsset(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, why string
		story     string // r reverts, p pays, | begins a new block
		stopped   bool
	}{
		{"across blocks", "the count lives in the asset's row", "r|r|r", true},
		{"in one block", "three at once", "rrr", true},
		{"two", "one more is allowed", "r|r", false},
		{"a payment between", "the asset works", "r|rp|rr", false},
		{"a payment after the third", "the third stopped it, an operator looks", "rrrp", true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newSim(t, 1, 16)
			x := s.reserve("eth", "ETH", "1")
			for b, txs := range strings.Split(row.story, "|") {
				var block []simTx
				for i, what := range txs {
					y := s.reserve(fmt.Sprintf("k%d-%d", b, i), "USDC", "1")
					n := s.submit(y)
					if what == 'r' {
						block = append(block, s.reverts(n))
					} else {
						block = append(block, s.pays(y, n))
					}
				}
				s.finalize(s.mine(block...).Number)
			}
			if got := ledgertest.Value[bool](s.World, `SELECT stopped IS NOT NULL FROM assets WHERE id = $1`, s.USDC.ID); got != row.stopped {
				t.Errorf("stopped: %v", got)
			}
			s.submit(x) // other assets go on
			s.check()
		})
	}
}

// One customer must not be able to stop the payments of all others.
func TestOnlyRevertsOfDifferentPartiesCountInARow(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, why string
		symbol    string
		parties   string // account and recipient of each revert; "paid" is a payment between
		count     int
		stopped   bool
	}{
		{"one recipient, one account", "a malicious recipient with three settlements", "ETH", "alice/a alice/a alice/a", 1, false},
		{"one recipient, two accounts", "friends may pay him too", "ETH", "alice/a bob/a alice/a", 1, false},
		{"coins from one account", "contracts cost nothing: who has an account has as many recipients as he likes", "ETH", "alice/a alice/b alice/c alice/d", 1, false},
		{"coins from two accounts", "two are not three", "ETH", "alice/a bob/b alice/c bob/d", 2, false},
		{"coins from three accounts", "nobody alone did this", "ETH", "alice/a bob/b carol/c", 3, true},
		{"a token from one account", "a token's transfer does not run the recipient's code", "USDC", "alice/a alice/b alice/c", 3, true},
		{"a token to one recipient", "it may refuse him alone", "USDC", "alice/a bob/a carol/a", 1, false},
		{"a payment between", "the row is over", "ETH", "alice/a bob/b paid carol/c", 1, false},
		{"the same again after a payment", "a new row begins", "ETH", "alice/a paid alice/a", 1, false},
		{"more than three", "the row is as long as it needs to be", "USDC", "alice/a alice/b alice/c alice/d alice/e", 3, true},
	} {
		for _, blocks := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, a block each %v", row.name, blocks), func(t *testing.T) {
				t.Parallel()
				s := newSim(t, 1, 16)
				_, _, err := s.CreateAccount(t.Context(), "", "carol")
				s.ok(err)
				asset := map[string]settlement.Asset{"USDC": s.USDC, "ETH": s.ETH}[row.symbol]
				for _, account := range []string{"alice", "bob", "carol"} {
					s.Fund(account, asset, "10")
				}
				var block []simTx
				stopped := false
				for i, party := range strings.Fields(row.parties) {
					account, to, _ := strings.Cut(party, "/")
					if party == "paid" {
						account = "bob"
					}
					x, err := s.Reserve(t.Context(), settlement.Reservation{RequestID: party, Vault: s.Chain.Vault, Request: settlement.Request{
						Key: ledgertest.Key(fmt.Sprint("x", i)), Account: account, Asset: asset, To: ledgertest.Address("payee " + to), Amount: s.Units(row.symbol, "1")}})
					s.ok(err)
					n := s.submit(x)
					if party == "paid" {
						block = append(block, s.pays(x, n))
					} else {
						block = append(block, s.reverts(n))
					}
					if blocks {
						s.finalize(s.mine(block...).Number)
						block = nil
						stopped = stopped || ledgertest.Value[bool](s.World, `SELECT stopped IS NOT NULL FROM assets WHERE id = $1`, asset.ID)
						s.Exec(`UPDATE assets SET stopped = NULL`) // and the row goes on, which no operator can do
					}
				}
				s.finalize(s.mine(block...).Number)
				stopped = stopped || ledgertest.Value[bool](s.World, `SELECT stopped IS NOT NULL FROM assets WHERE id = $1`, asset.ID)
				if stopped != row.stopped {
					t.Errorf("stopped: %v, %s", stopped, row.why)
				}
				assets, err := s.Assets(t.Context(), 1337)
				s.ok(err)
				for _, a := range assets {
					if a.ID == asset.ID && a.RevertsInRow != row.count {
						t.Errorf("%d reverts count, want %d: %s", a.RevertsInRow, row.count, row.why)
					}
				}
				s.check()
			})
		}
	}
}

func TestACancelThatWinsGivesTheNonceBackUnpaid(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x := s.reserve("k1", "USDC", "100")
	n := s.submit(x)
	fees := settlement.Fees{Cap: settlement.NewAmount(6e9), Tip: settlement.NewAmount(2e9)}
	cancel, err := s.sign(n.Signer, n.Nonce, settlement.AttemptCancel, settlement.Payload{To: n.Signer, GasLimit: 21_000}, fees)
	s.ok(err)
	_, won, err := s.AddAttempt(t.Context(), settlement.Replacement{TransactionID: n.ID, Replaces: n.Newest.Hash, Attempt: cancel})
	s.ok(err)
	if !won {
		t.Fatal("the cancel lost against nobody")
	}
	m := s.mined(n.Signer, n.Nonce, cancel.Hash, true)
	s.finalize(s.mine(simTx{hash: cancel.Hash, mined: m}).Number)
	s.wantState(x, settlement.Requested)
	if got := ledgertest.Value[string](s.World, `SELECT outcome FROM transactions WHERE id = $1`, n.ID); got != "cancelled" {
		t.Errorf("outcome %s", got)
	}
	if n := ledgertest.Value[int](s.World, `SELECT reverts_in_row FROM assets WHERE id = $1`, s.USDC.ID); n != 0 {
		t.Error("a cancel counts as a revert")
	}
	s.check()
}

// The original winning against its cancel, or an older attempt against a newer, is normal.
func TestAnOlderAttemptThatWinsSettles(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x := s.reserve("k1", "USDC", "100")
	n := s.submit(x)
	fees := settlement.Fees{Cap: settlement.NewAmount(6e9), Tip: settlement.NewAmount(2e9)}
	bump, err := s.sign(n.Signer, n.Nonce, settlement.AttemptPay, s.payload(x.OnchainID), fees)
	s.ok(err)
	_, _, err = s.AddAttempt(t.Context(), settlement.Replacement{TransactionID: n.ID, Replaces: n.Newest.Hash, Attempt: bump})
	s.ok(err)
	s.finalize(s.mine(s.pays(x, n)).Number)
	s.wantState(x, settlement.Settled)
	s.check()
}

// https://github.com/agglayer/agglayer/issues/1357 (T13): ask which transaction used the nonce.
func TestAForeignTransactionFreezesTheLaneAndItsLossIsBookedWhenFinal(t *testing.T) {
	t.Parallel()
	s := newSim(t, 2, 2)
	var open []settlement.Settlement
	for i := range 6 {
		open = append(open, s.reserve(fmt.Sprintf("k%d", i), "USDC", "1"))
	}
	lost := s.submit(open[0])
	for _, x := range open[1:4] {
		s.submit(x)
	}
	for _, x := range open[4:] { // both lanes are full
		if out, err := s.allocate(x); err != nil || out.Outcome != settlement.AllocatedQueue {
			t.Fatalf("%+v %v", out, err)
		}
	}
	lane := 0
	if lost.Signer != s.lanes[0] {
		lane = 1
	}
	s.Exec(`UPDATE queue SET lane_id = $1, granted_block = 0 WHERE settlement_id = $2`, lost.LaneID, open[4].ID)

	value := settlement.NewAmount(1_000)
	theft := s.foreign(lane, lost.Nonce, value)
	block := s.mine(theft)
	lanes, err := s.Ledger.Lanes(t.Context(), 1337)
	s.ok(err)
	if l := lanes[lane]; l.State != settlement.LaneFrozen || !strings.Contains(l.StateReason, theft.hash.Hex()) || l.Granted != 0 {
		t.Fatalf("lane %+v", l)
	}
	if l := lanes[1-lane]; l.State != settlement.LaneActive {
		t.Errorf("the other lane %+v", l)
	}
	stream := "signer/" + s.lanes[lane].Hex()
	if s.told(stream, "signer.foreign_transaction") != 1 || ledgertest.Value[int](s.World, `SELECT count(*) FROM journal WHERE subject = $1 AND actor = 'listener'`, stream) != 1 {
		t.Error("no alarm, or no journal entry")
	}
	s.wantState(open[0], settlement.Submitted)
	if got := s.balance("suspense", "", s.ETH); got != "0" {
		t.Errorf("suspense %s before it is final", got)
	}
	s.check()

	s.finalize(block.Number)
	got := s.wantState(open[0], settlement.Requested)
	if got.Live != nil || s.wakes(open[0]) != 1 {
		t.Errorf("%+v, %d wake-ups", got, s.wakes(open[0]))
	}
	if outcome := ledgertest.Value[string](s.World, `SELECT outcome FROM transactions WHERE id = $1`, lost.ID); outcome != "foreign" {
		t.Errorf("outcome %s", outcome)
	}
	if got := s.balance("suspense", "", s.ETH); got != "120000000001000" {
		t.Errorf("suspense %s, want value and gas", got)
	}
	s.wantState(open[1], settlement.Submitted)
	s.check()
}

func TestAForeignNonceAboveOursRaisesTheLanesCountWhenFinal(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	block := s.mine(s.foreign(0, 0, settlement.NewAmount(5)), s.foreign(0, 1, settlement.Amount{}))
	s.finalize(block.Number)
	lanes, err := s.Ledger.Lanes(t.Context(), 1337)
	s.ok(err)
	if lanes[0].NextNonce != 2 || lanes[0].State != settlement.LaneFrozen {
		t.Errorf("lane %+v", lanes[0])
	}
	if n := s.told("signer/"+s.lanes[0].Hex(), "signer.foreign_transaction"); n != 2 {
		t.Errorf("%d alarms", n)
	}
	s.check()
}

func TestASignerWithCodeIsFrozen(t *testing.T) {
	t.Parallel()
	s := newSim(t, 2, 16)
	signer := s.reads.Signers[s.lanes[1]]
	signer.HasCode = true
	s.reads.Signers[s.lanes[1]] = signer
	s.mine()
	s.mine()
	lanes, err := s.Ledger.Lanes(t.Context(), 1337)
	s.ok(err)
	if lanes[0].State != settlement.LaneActive || lanes[1].State != settlement.LaneFrozen {
		t.Errorf("%+v", lanes)
	}
	if n := s.told("signer/"+s.lanes[1].Hex(), "signer.has_code"); n != 1 {
		t.Errorf("%d alarms, want one", n)
	}
}

func TestAFreeTransactionBooksNoGas(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x := s.reserve("k1", "USDC", "100")
	tx := s.pays(x, s.submit(x))
	tx.mined.GasPrice = settlement.Amount{}
	s.finalize(s.mine(tx).Number)
	s.wantState(x, settlement.Settled)
	if got := s.balance("gas_expense", "", s.ETH); got != "0" {
		t.Errorf("gas %s", got)
	}
}

func TestOurRevertInTheBlockOfSomebodyElsesPaymentOrRevokeIsConsumed(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name settlement.EventName
		want settlement.State
	}{{settlement.EventSettled, settlement.Settled}, {settlement.EventRevoked, settlement.Failed}} {
		t.Run(string(row.name), func(t *testing.T) {
			t.Parallel()
			s := newSim(t, 1, 16)
			x := s.reserve("k1", "USDC", "100")
			n := s.submit(x)
			e := s.settled(x)
			e.Name = row.name
			s.finalize(s.mine(s.stranger(e), s.reverts(n)).Number)
			s.wantState(x, row.want)
			if outcome := ledgertest.Value[string](s.World, `SELECT outcome FROM transactions WHERE id = $1`, n.ID); outcome != "reverted" {
				t.Errorf("outcome %s", outcome)
			}
			if n := ledgertest.Value[int](s.World, `SELECT reverts_in_row FROM assets WHERE id = $1`, s.USDC.ID); n != 0 {
				t.Error("a revert that was to be expected counts against the asset")
			}
			if n := ledgertest.Value[int](s.World, `SELECT count(*) FROM journal`); n != 0 {
				t.Error("a finding was written")
			}
			s.check()
		})
	}
}
