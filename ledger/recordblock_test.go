package ledger_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

func TestBlocksFollowOneAnotherFromTheStartBlock(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	if _, err := s.Head(t.Context(), 1337); settlement.KindOf(err) != settlement.NotFound {
		t.Fatalf("a head before the first block: %v", err)
	}
	record := func(block settlement.Block) error { return s.RecordBlock(t.Context(), s.lease, 1337, block) }
	late := s.next()
	late.Number = 2
	wantErr(t, record(late), ledger.ErrDiscontinuous)

	first := s.mine()
	second := s.next()
	gap, orphan := second, second
	gap.Number++
	orphan.Parent = ledgertest.Hash("another block 1")
	sibling := first
	sibling.Hash = ledgertest.Hash("another block 1")
	for _, block := range []settlement.Block{gap, orphan, sibling} {
		wantErr(t, record(block), ledger.ErrDiscontinuous)
		wantErr(t, record(block), settlement.ErrDiscontinuous)
	}
	s.record(second)
	head, err := s.Head(t.Context(), 1337)
	s.ok(err)
	want := settlement.Head{
		BlockRef: second.BlockRef, Final: settlement.BlockRef{Number: 0, Hash: ledgertest.Hash("block 0")},
		BaseFee: second.BaseFee, GasLimit: 30_000_000, Tip: settlement.NewAmount(20_000_000),
	}
	if head != want {
		t.Errorf("head %+v, want %+v", head, want)
	}
	refs, err := s.Blocks(t.Context(), 1337, 1, 99)
	s.ok(err)
	if diff := cmp.Diff([]settlement.BlockRef{first.BlockRef, second.BlockRef}, refs); diff != "" {
		t.Error(diff)
	}
}

func TestTheSameBlockTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x := s.reserve("k1", "USDC", "100")
	n := s.submit(x)
	block := s.mine(s.pays(x, n), s.deposit(ledgertest.Bob, s.USDC, "5"), s.foreign(0, 7, settlement.NewAmount(1)))
	s.mine()
	before := s.dump()
	s.ok(s.RecordBlock(t.Context(), s.lease, 1337, block))
	if diff := cmp.Diff(before, s.dump()); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyASuccessWithTheExactEventIsMined(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name string
		why  string
		edit func(s *chainSim, tx *simTx)
		want settlement.State
	}{
		{"exact", "the payment itself", func(*chainSim, *simTx) {}, settlement.Mined},
		{"reverted", "a reverted transaction pays nothing, whatever events a lying node adds", func(_ *chainSim, tx *simTx) { tx.mined.OK = false }, settlement.Submitted},
		{"no event", "a success alone proves nothing: a vault that lost its code succeeds too", func(_ *chainSim, tx *simTx) { tx.events = nil }, settlement.Submitted},
		{"other amount", "one base unit less is another payment", func(_ *chainSim, tx *simTx) { tx.events[0].Amount = settlement.NewAmount(99_999_999) }, settlement.Submitted},
		{"other recipient", "somebody else got it", func(_ *chainSim, tx *simTx) { tx.events[0].Party = ledgertest.Address("thief") }, settlement.Submitted},
		{"other token", "another coin of the same amount", func(_ *chainSim, tx *simTx) { tx.events[0].Token = common.Address{} }, settlement.Submitted},
		{"other vault", "anybody can deploy a vault and emit", func(_ *chainSim, tx *simTx) { tx.events[0].Vault = ledgertest.Address("fake") }, settlement.Submitted},
		{"other id", "it pays another settlement", func(_ *chainSim, tx *simTx) { tx.events[0].ID = ledgertest.Hash("x") }, settlement.Submitted},
		{"event in another transaction", "the event must be of the attempt's own transaction", func(s *chainSim, tx *simTx) { tx.events = nil }, settlement.Submitted},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newSim(t, 1, 16)
			x := s.reserve("k1", "USDC", "100")
			tx := s.pays(x, s.submit(x))
			row.edit(s, &tx)
			txs := []simTx{tx}
			if row.name == "event in another transaction" {
				txs = append(txs, s.stranger(s.settled(x)))
			}
			s.mine(txs...)
			s.wantState(x, row.want)
		})
	}
}

// https://github.com/tempoxyz/tidx/pull/267 (O56): amounts beyond what a client library holds.
func TestNothingInABlockStopsTheCursor(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x := s.reserve("k1", "USDC", "100")
	n := s.submit(x)
	most, _ := settlement.AmountFromDecimal("115792089237316195423570985008687907853269984665640564039457584007913129639935")
	hostile := []settlement.Event{
		{Name: settlement.EventUnknown, Problem: "topic\x00 of \xff\xfe bytes"},
		{Name: settlement.EventUnknown, Problem: strings.Repeat("€", 5000)},
		{Name: "Settled2", ID: x.OnchainID},
		{Name: settlement.EventDeposited, ID: settlement.CustomerID("", ledgertest.Alice), Token: ledgertest.Address("nobody's token"), Amount: most},
		{Name: settlement.EventDeposited, ID: settlement.CustomerID("", ledgertest.Alice), Token: s.USDC.Token},
		{Name: settlement.EventDeposited, ID: ledgertest.Hash("nobody"), Token: s.USDC.Token, Amount: most},
		{Name: settlement.EventSettled, ID: ledgertest.Hash("nothing"), Token: ledgertest.Address("nobody's token"), Amount: most},
		{Name: settlement.EventSettled, ID: x.OnchainID, Token: s.USDC.Token, Party: x.To, Amount: settlement.NewAmount(1)},
		{Name: settlement.EventRevoked, ID: ledgertest.Hash("nothing")},
		{Name: settlement.EventWithdrawn, Token: ledgertest.Address("nobody's token"), Amount: most},
		{Name: settlement.EventSettled, ID: x.OnchainID, Token: s.USDC.Token, Party: x.To, Amount: x.Amount, Vault: ledgertest.Address("a vault of somebody else")},
		{Name: settlement.EventOther},
	}
	block := s.next(s.stranger(hostile...), s.pays(x, n), s.deposit(ledgertest.Bob, s.USDC, "7"))
	block.Time, block.GasLimit, block.BaseFee = time.Unix(math.MaxInt64/2, 0), math.MaxUint64, most
	block.Transactions[0].GasPrice, block.Transactions[0].GasLimit = settlement.NewAmount(1), math.MaxUint64
	block.Events[0].Topics, block.Events[0].Data = nil, nil
	block.Events[1].Data = make([]byte, 100_000)
	s.record(block)
	s.wantState(x, settlement.Mined)
	s.finalize(block.Number)
	s.wantState(x, settlement.Settled)
	if got := s.balance("customer", ledgertest.Bob, s.USDC); got != "7000000" {
		t.Errorf("bob has %s", got)
	}
	if got := s.quarantined(); len(got) != len(hostile)-1 {
		t.Errorf("%d events in quarantine: %q", len(got), got)
	}
	if got := ledgertest.Value[int](s.World, `SELECT count(*) FROM effects WHERE kind = 'unexplained'`); got != 2 {
		t.Errorf("%d unexplained payouts: want the one of another amount and the one of an unknown id", got)
	}
	if got := s.balance("unexplained_payouts", "", s.USDC); got != "1" {
		t.Errorf("unexplained payouts of %s, want the one of the registered token", got)
	}
	s.check()
}

func TestReadingsAreOfTheNewestBlockThatHasThem(t *testing.T) {
	t.Parallel()
	s := newSim(t, 2, 16)
	s.reads.VaultBalances[s.USDC.ID] = settlement.NewAmount(77)
	s.reads.Signers[s.lanes[1]] = settlement.Signer{Nonce: 9, Balance: settlement.NewAmount(5), Operator: false}
	s.reads.VaultPaused, s.reads.Tip = true, settlement.NewAmount(123_456_789)
	s.mine()
	silent := s.next()
	silent.Reads = settlement.ChainReads{}
	s.ok(s.RecordBlock(t.Context(), s.lease, 1337, silent))
	head, err := s.Head(t.Context(), 1337)
	s.ok(err)
	if !head.Paused || head.Tip != settlement.NewAmount(123_456_789) {
		t.Errorf("head %+v: what was read last stands", head)
	}
	lanes, err := s.Ledger.Lanes(t.Context(), 1337)
	s.ok(err)
	if lanes[1].MinedNonce != 9 || lanes[1].Balance != settlement.NewAmount(5) || lanes[1].Operator {
		t.Errorf("lane %+v", lanes[1])
	}
	if got := ledgertest.Value[string](s.World, `SELECT balance || ' at ' || balance_block FROM asset_liquidity WHERE asset_id = $1`, s.USDC.ID); got != "77 at 1" {
		t.Errorf("liquidity %s", got)
	}
}

// A tip below the chain's floor is pooled and never mined.
func TestTheTipIsNeverBelowTheChainsFloor(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	s.reads.Tip = settlement.NewAmount(1)
	s.mine()
	if head, err := s.Head(t.Context(), 1337); err != nil || head.Tip != s.Chain.TipFloor {
		t.Errorf("tip %s %v", head.Tip, err)
	}
}

func TestABlockCostsThreeRoundTripsWhateverItHolds(t *testing.T) {
	t.Parallel()
	for _, payments := range []int{1, 60} {
		t.Run(fmt.Sprint(payments), func(t *testing.T) {
			t.Parallel()
			s := newSim(t, 4, 16)
			var txs []simTx
			for i := range payments {
				x := s.reserve(fmt.Sprintf("k%d", i), "USDC", "1")
				txs = append(txs, s.pays(x, s.submit(x)), s.deposit(ledgertest.Bob, s.USDC, "1"))
			}
			block := s.next(txs...)
			before := s.Counts()
			s.record(block)
			recorded := s.Counts()
			s.finalize(block.Number)
			finalized := s.Counts()
			empty := s.mine()
			between := s.Counts()
			s.finalize(empty.Number)
			emptied := s.Counts()
			for what, cost := range map[string][3]int64{
				"record":         {recorded.RoundTrips - before.RoundTrips, recorded.Commits - before.Commits, 3},
				"finalize":       {finalized.RoundTrips - recorded.RoundTrips, finalized.Commits - recorded.Commits, 4},
				"finalize empty": {emptied.RoundTrips - between.RoundTrips, emptied.Commits - between.Commits, 2},
			} {
				if cost[0] != cost[2] || cost[1] != 1 {
					t.Errorf("%s of %d payments: %d round trips and %d commits, want %d and 1", what, payments, cost[0], cost[1], cost[2])
				}
			}
			if got := ledgertest.Value[int](s.World, `SELECT count(*) FROM settlements WHERE state = 'settled'`); got != payments {
				t.Errorf("%d settled", got)
			}
			s.check()
		})
	}
}
