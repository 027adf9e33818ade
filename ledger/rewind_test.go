package ledger_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

// https://github.com/LFDT-Paladin/paladin/issues/868 (T49): an indexer bricked by a reorg.
func TestAReorgTakesMinedBackAndTheOtherBranchCounts(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x, y := s.reserve("k1", "USDC", "100"), s.reserve("k2", "ETH", "1")
	nx, ny := s.submit(x), s.submit(y)
	base := s.mine()
	s.mine(s.pays(x, nx))
	s.mine(s.pays(y, ny))
	s.wantState(y, settlement.Mined)
	s.check()

	s.rewind(base)
	for _, open := range []settlement.Settlement{x, y} {
		if got := s.wantState(open, settlement.Submitted); got.TxHash != nil || got.Live == nil {
			t.Errorf("after the reorg %+v", got)
		}
	}
	lanes, err := s.Ledger.Lanes(t.Context(), 1337)
	s.ok(err)
	if lanes[0].MinedNonce != 0 || lanes[0].InFlight() != 2 {
		t.Errorf("lane %+v", lanes[0])
	}
	if unmined, err := s.Unmined(t.Context(), 1337); err != nil || len(unmined) != 2 || unmined[0].Nonce != 0 || unmined[1].Nonce != 1 {
		t.Errorf("unmined %+v %v", unmined, err)
	}
	s.check()

	s.mine()
	both := s.mine(s.pays(x, nx), s.pays(y, ny))
	s.finalize(both.Number)
	s.wantState(x, settlement.Settled)
	s.wantState(y, settlement.Settled)
	s.check()
}

// The log index counts from the start of the block, so a reorg changes it.
func TestAnEventThatMovedToAnotherPlaceTakesEffectOnce(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x := s.reserve("k1", "USDC", "100")
	payment := s.pays(x, s.submit(x))
	payment.events = append(payment.events, s.deposit(ledgertest.Bob, s.USDC, "3").events...)
	others := s.stranger(settlement.Event{Name: settlement.EventOther}, settlement.Event{Name: settlement.EventOther})
	base := s.mine()
	s.mine(payment)
	s.rewind(base)
	moved := s.mine(others, payment)
	indexes := ledgertest.Value[string](s.World, `SELECT string_agg(DISTINCT log_index || '/' || tx_log_index, ' ' ORDER BY log_index || '/' || tx_log_index)
		FROM events WHERE tx_hash = $1`, payment.hash.Bytes())
	if indexes != "0/0 1/1 2/0 3/1" {
		t.Fatalf("log indexes %s: the test means them to move", indexes)
	}
	s.finalize(moved.Number)
	s.wantState(x, settlement.Settled)
	if got := s.balance("customer", ledgertest.Bob, s.USDC); got != "3000000" {
		t.Errorf("bob has %s", got)
	}
	s.check()
}

// https://github.com/FuelLabs/fuel-explorer/pull/674 (T47): an orphan's hash kept for ever.
func TestAFlapTellsEachMinedAndEndsOnTheRightBlock(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x := s.reserve("k1", "USDC", "100")
	n := s.submit(x)
	base := s.mine()
	a := s.mine(s.pays(x, n))
	s.rewind(base)
	b := s.next(s.pays(x, n))
	s.record(b)
	s.rewind(base)
	s.record(a)
	if got := s.wantState(x, settlement.Mined); *got.BlockNumber != a.Number {
		t.Errorf("mined in %d", *got.BlockNumber)
	}
	const stream = "settlement/k1"
	if mined := s.told(stream, "settlement.mined"); mined != 3 {
		t.Errorf("mined was told %d times: a, b, and a again are three events", mined)
	}
	if submitted := s.told(stream, "settlement.submitted"); submitted != 3 {
		t.Errorf("submitted was told %d times: once allocated, and twice back from a block", submitted)
	}
	if seen := ledgertest.Value[int](s.World, `SELECT seen FROM blocks WHERE hash = $1`, a.Hash.Bytes()); seen != 2 {
		t.Errorf("block a was seen %d times", seen)
	}
	s.finalize(a.Number)
	s.wantState(x, settlement.Settled)
	if hash := ledgertest.Value[[]byte](s.World, `SELECT consumed_block FROM transactions WHERE id = $1`, n.ID); string(hash) != string(a.Hash.Bytes()) {
		t.Errorf("consumed in %x, want %s", hash, a.Hash)
	}
	s.check()
}

// https://github.com/graphprotocol/graph-node/issues/5661 (T50): logs of orphaned blocks.
func TestAnOrphanedEventTakesNoEffect(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	base := s.mine()
	s.mine(s.deposit(ledgertest.Bob, s.USDC, "5"))
	s.rewind(base)
	for range 3 {
		s.mine()
	}
	s.finalize(s.head.Number)
	if got := s.balance("customer", ledgertest.Bob, s.USDC); got != "0" {
		t.Errorf("bob has %s from a block that is not on the chain", got)
	}
	s.check()
}

// https://github.com/smartcontractkit/chainlink-evm/pull/431 (T56): a finality violation missed across empty blocks.
func TestAReorgBelowAnEmptyFinalBlockStopsTheListener(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	first := s.mine()
	second := s.mine()
	s.mine()
	s.finalize(second.Number)
	before := s.dump()

	err := s.Rewind(t.Context(), s.lease, 1337, first.BlockRef)
	wantErr(t, err, ledger.ErrBelowFinal)
	wantErr(t, err, settlement.ErrBelowFinal)
	head, err := s.Head(t.Context(), 1337)
	s.ok(err)
	if head.Stopped == "" || head.BlockRef != s.head {
		t.Fatalf("head %+v", head)
	}
	after := s.dump()
	if len(after["journal"]) != len(before["journal"])+1 {
		t.Error("the stop was not journaled")
	}
	delete(before, "heads")
	delete(before, "journal")
	delete(after, "heads")
	delete(after, "journal")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("a stop changed more than the head:\n%s", diff)
	}
	for name, write := range map[string]func() error{
		"record block": func() error { return s.RecordBlock(t.Context(), s.lease, 1337, s.next()) },
		"finalize":     func() error { return s.Finalize(t.Context(), s.lease, 1337, 3) },
		"rewind":       func() error { return s.Rewind(t.Context(), s.lease, 1337, second.BlockRef) },
	} {
		if err := write(); err == nil {
			t.Errorf("%s went on although the listener is stopped", name)
		}
	}
}

func TestRewindKnowsWhereItMayGo(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	rewind := func(to settlement.BlockRef) error { return s.Rewind(t.Context(), s.lease, 1337, to) }
	wantErr(t, rewind(settlement.BlockRef{Number: 1}), ledger.ErrDiscontinuous)
	a := s.mine()
	b := s.mine()
	before := s.dump()
	s.ok(rewind(b.BlockRef))
	for _, to := range []settlement.BlockRef{{Number: 9, Hash: a.Hash}, {Number: 1, Hash: ledgertest.Hash("unknown")}, {Number: 2, Hash: a.Hash}, {Number: 1, Hash: b.Hash}} {
		wantErr(t, rewind(to), ledger.ErrDiscontinuous)
	}
	if diff := cmp.Diff(before, s.dump()); diff != "" {
		t.Errorf("refused or idle rewinds changed:\n%s", diff)
	}
	s.ok(rewind(settlement.BlockRef{Number: 0, Hash: ledgertest.Hash("block 0")})) // every block that was ever recorded
	if refs, err := s.Blocks(t.Context(), 1337, 0, 9); err != nil || len(refs) != 1 {
		t.Errorf("%v %v", refs, err)
	}
	s.head = settlement.BlockRef{Number: 0, Hash: ledgertest.Hash("block 0")}
	s.mine()
	s.check()
}

// Nonces that a lane mined before it was added, replayed by a reorg, do not make it look busier than it is.
func TestARewindBelowTheLanesAdditionKeepsItsFirstNonce(t *testing.T) {
	t.Parallel()
	s := newSim(t, 0, 16)
	base := s.mine()
	signer := ledgertest.Address("later lane")
	s.mine(simTx{hash: ledgertest.Hash("old"), mined: s.mined(signer, 4, ledgertest.Hash("old"), true)})
	_, _, err := s.AddLane(t.Context(), ledger.LaneConfig{
		ChainID: 1337, Signer: signer, Custody: ledger.CustodyKeystore, CapCeiling: settlement.NewAmount(1), Nonce: 5, Block: 2, Operator: true,
	})
	s.ok(err)
	s.rewind(base)
	again := s.mine(simTx{hash: ledgertest.Hash("old"), mined: s.mined(signer, 4, ledgertest.Hash("old"), true)})
	s.finalize(again.Number)
	lanes, err := s.Ledger.Lanes(t.Context(), 1337)
	s.ok(err)
	if lane := lanes[0]; lane.MinedNonce != 5 || lane.InFlight() != 0 || lane.State != settlement.LaneActive {
		t.Errorf("lane %+v", lane)
	}
	if n := ledgertest.Value[int](s.World, `SELECT count(*) FROM transfers WHERE leg IN ('gas', 'foreign')`); n != 0 {
		t.Errorf("%d bookings of what the signer did before it was a lane", n)
	}
	s.reads.Signers[signer] = settlement.Signer{Nonce: 3, Operator: true} // a node that lags, or a block older than the lane
	s.mine()
	if lanes, err := s.Ledger.Lanes(t.Context(), 1337); err != nil || lanes[0].MinedNonce != 5 {
		t.Errorf("lanes %+v %v", lanes, err)
	}
}
