package ledger_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

// tooDeep makes the listener stop at a block that the chain shares with it, and the operator accept that.
func (s *chainSim) acceptReorg(to settlement.Block) ledger.Differs {
	s.t.Helper()
	wantErr(s.t, s.Rewind(s.t.Context(), s.lease, 1337, to.BlockRef), ledger.ErrBelowFinal)
	d, err := s.AcceptReorg(s.t.Context(), ledger.AcceptedReorg{ChainID: 1337, Block: to.Hash, Actor: "olga", Reason: "the node lost its last blocks"})
	s.ok(err)
	s.head, s.reads = to.BlockRef, to.Reads
	head, err := s.Head(s.t.Context(), 1337)
	s.ok(err)
	if head.Stopped != "" || head.BlockRef != to.BlockRef || head.Final != to.BlockRef {
		s.t.Fatalf("after the decision the head is %+v", head)
	}
	s.check()
	return d
}

func TestAPaymentThatComesBackAfterADeepReorgStandsAndIsBookedOnce(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x := s.reserve("k1", "USDC", "100")
	n := s.submit(x)
	common := s.mine()
	gone := s.mine(s.pays(x, n))
	s.finalize(gone.Number)
	s.wantState(x, settlement.Settled)
	float := s.balance("signer_float", "", s.ETH)

	d := s.acceptReorg(common)
	if len(d.Effects) != 1 || d.Effects[0].Key != "k1" || d.Effects[0].Kind != "settled" || len(d.Nonces) != 1 || d.Nonces[0].Outcome != "paid" {
		t.Errorf("what differs: %+v", d)
	}
	got := s.wantState(x, settlement.Settled)
	if got.Live == nil || got.Live.Newest.Hash != n.Newest.Hash {
		t.Fatalf("the nonce is not supervised: %+v", got.Live)
	}
	if unmined, err := s.Unmined(t.Context(), 1337); err != nil || len(unmined) != 1 || unmined[0].Wish != "" {
		t.Errorf("for the lane keeper: %+v %v", unmined, err)
	}
	if s.balance("customer", ledgertest.Alice, s.USDC) != "900000000" {
		t.Error("the customer got money back that was paid")
	}

	s.mine()
	again := s.mine(s.stranger(), s.pays(x, n)) // another block, another place in it
	s.finalize(again.Number)
	end := s.wantState(x, settlement.Settled)
	if *end.BlockNumber != again.Number || end.Live != nil {
		t.Errorf("%+v", end)
	}
	if s.told("settlement/k1", "settlement.settled") != 1 || s.told("settlement/k1", "settlement.moved") != 1 {
		t.Error("the world must hear once that it is settled, and once that it moved")
	}
	if s.balance("customer", ledgertest.Alice, s.USDC) != "900000000" || s.balance("signer_float", "", s.ETH) != float {
		t.Error("the payment or its gas was booked twice")
	}
	s.check()
}

// I7: only the proof of the opposite takes back what was paid.
func TestAPaymentThatIsGoneForGoodIsCorrectedByProofAlone(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x := s.reserve("k1", "USDC", "100")
	n := s.submit(x)
	shared := s.mine()
	s.finalize(s.mine(s.pays(x, n)).Number)
	correct := func(at settlement.Block) error {
		return s.Correct(t.Context(), x.Key, "olga", "the nonce went elsewhere", settlement.UnpaidProof{Block: at.BlockRef, NoncesAllocated: 1})
	}
	if err := correct(shared); settlement.KindOf(err) != settlement.Stale {
		t.Fatalf("a payment that stands: %v", err)
	}
	s.acceptReorg(shared)
	if err := correct(shared); settlement.KindOf(err) != settlement.Stale {
		t.Fatalf("its nonce may still pay: %v", err)
	}
	other := s.mine(s.foreign(0, n.Nonce, settlement.NewAmount(0))) // the nonce is taken by something else
	if err := correct(other); settlement.KindOf(err) != settlement.Stale {
		t.Fatalf("that is not final: %v", err)
	}
	s.finalize(other.Number)
	s.wantState(x, settlement.Settled)
	if err := correct(shared); settlement.KindOf(err) != settlement.Transient {
		t.Fatalf("a proof from below the block that took the nonce: %v", err)
	}
	s.ok(correct(other))
	end := s.wantState(x, settlement.Failed)
	if end.Proof != settlement.ProofNoncesConsumed || s.told("settlement/k1", "settlement.corrected") != 1 {
		t.Errorf("%+v", end.Snapshot())
	}
	if got := s.balance("customer", ledgertest.Alice, s.USDC); got != "1000000000" {
		t.Errorf("the customer has %s", got)
	}
	if err := correct(other); settlement.KindOf(err) != settlement.Stale {
		t.Errorf("again: %v", err)
	}
	s.check()
}

func TestADepositThatVanishesIsTakenBackAndSuspensePaysWhatWasSpent(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, why, spend, available, suspense, afterwards string }{
		{"nothing was spent", "it is all there", "1000", "0", "0", "100000000"},
		{"a part was spent", "the rest is a claim on suspense", "1040", "0", "40000000", "60000000"},
		{"all was spent", "suspense has it all", "1100", "0", "100000000", "0"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newSim(t, 1, 16)
			shared := s.mine()
			deposit := s.deposit(ledgertest.Alice, s.USDC, "100")
			s.finalize(s.mine(deposit).Number)
			s.reserve("spends", "USDC", row.spend) // alice had 1000
			available := func() string {
				a, err := s.Account(t.Context(), "", ledgertest.Alice)
				s.ok(err)
				return a.Balances[0].Available.String()
			}
			d := s.acceptReorg(shared)
			if len(d.Effects) != 1 || d.Effects[0].Account != ledgertest.Alice {
				t.Errorf("what differs: %+v", d)
			}
			if available() != row.available || s.balance("suspense", "", s.USDC) != row.suspense {
				t.Errorf("available %s, suspense %s, want %s and %s (%s)", available(), s.balance("suspense", "", s.USDC), row.available, row.suspense, row.why)
			}
			if s.told("account/default/"+ledgertest.Alice, "account.deposit_reversed") != 1 {
				t.Error("nobody was told")
			}
			s.finalize(s.mine(s.stranger(), deposit).Number) // it comes back, elsewhere
			if available() != row.afterwards || s.balance("suspense", "", s.USDC) != "0" {
				t.Errorf("it came back: available %s, suspense %s, want %s and 0", available(), s.balance("suspense", "", s.USDC), row.afterwards)
			}
			s.check()
		})
	}
}

// What had been tried again after a revert may have two nonces that can pay: the vault pays one.
func TestTwoNoncesOfOneSettlementAfterADeepReorgPayOnce(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x := s.reserve("k1", "USDC", "100")
	shared := s.mine()
	first := s.submit(x)
	s.finalize(s.mine(s.reverts(first)).Number)
	second := s.submit(x)
	s.mine(s.pays(x, second))
	s.acceptReorg(shared)
	if got := s.wantState(x, settlement.Submitted); got.NoncesAllocated != 2 {
		t.Errorf("%+v", got)
	}
	if out, err := s.allocate(x); settlement.KindOf(err) != settlement.Stale && out.Outcome != settlement.AllocatedLive {
		t.Errorf("a third nonce: %+v %v", out, err)
	}
	s.finalize(s.mine(s.pays(x, first), s.reverts(second)).Number)
	s.wantState(x, settlement.Settled)
	if got := s.balance("customer", ledgertest.Alice, s.USDC); got != "900000000" {
		t.Errorf("alice has %s: she pays once", got)
	}
	s.check()
}

func TestWhatEndedUnpaidIsCancelledAgainWhenItsNonceComesBack(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x := s.reserve("k1", "USDC", "100")
	n := s.submit(x)
	shared := s.mine()
	block := s.mine(s.reverts(n))
	s.finalize(block.Number)
	s.ok(s.FailUnpaid(t.Context(), x.ID, "refused", settlement.UnpaidProof{Block: block.BlockRef, NoncesAllocated: 1}))
	s.acceptReorg(shared)
	s.wantState(x, settlement.Failed)
	unmined, err := s.Unmined(t.Context(), 1337)
	s.ok(err)
	if len(unmined) != 1 || unmined[0].Wish != settlement.WishCancel {
		t.Errorf("the lane keeper must empty it: %+v", unmined)
	}
}

func TestAReorgIsAcceptedOnceAndOnlyWhereTheListenerStopped(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	first := s.mine()
	s.mine()
	s.finalize(s.mine().Number)
	accept := func(block common.Hash) error {
		_, err := s.AcceptReorg(t.Context(), ledger.AcceptedReorg{ChainID: 1337, Block: block, Actor: "olga", Reason: "a test"})
		return err
	}
	if err := accept(first.Hash); settlement.KindOf(err) != settlement.Stale {
		t.Errorf("nothing stopped: %v", err)
	}
	wantErr(t, s.Rewind(t.Context(), s.lease, 1337, first.BlockRef), ledger.ErrBelowFinal)
	for why, block := range map[string]common.Hash{"unknown": ledgertest.Hash("unknown"), "the final block itself": s.head.Hash} {
		if err := accept(block); settlement.KindOf(err) != settlement.Invalid {
			t.Errorf("%s: %v", why, err)
		}
	}
	if _, err := s.AcceptReorg(t.Context(), ledger.AcceptedReorg{ChainID: 1337, Block: first.Hash, Actor: "olga"}); settlement.KindOf(err) != settlement.Invalid {
		t.Errorf("without a reason: %v", err)
	}
	for _, block := range []common.Hash{first.Hash, {}} { // named, or as the listener said when it stopped
		if plan, err := s.ReorgPlan(t.Context(), 1337, block); err != nil || plan.Stopped == "" || plan.Common != first.BlockRef {
			t.Errorf("plan: %+v %v", plan, err)
		}
	}
	s.ok(accept(first.Hash))
	if err := accept(first.Hash); settlement.KindOf(err) != settlement.Stale {
		t.Errorf("again: %v", err)
	}
	s.head, s.reads = first.BlockRef, first.Reads
	s.finalize(s.mine().Number)
}

// A node may lose its last blocks, and find them again: the same block is final, gone, and final once more, and gone again.
func TestABlockThatComesAndGoesIsBookedAndBookedBackEachTime(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	float := func() string { return s.balance("signer_float", "", s.ETH) }
	before, shared := float(), s.mine()
	x := s.reserve("k1", "USDC", "100")
	n := s.submit(x)
	block := s.next(s.deposit(ledgertest.Bob, s.USDC, "5"), s.pays(x, n))
	topUp := settlement.Incoming{TxHash: ledgertest.Hash("a top-up"), Signer: s.lanes[0], Amount: settlement.NewAmount(7)}
	block.Incoming = []settlement.Incoming{topUp}
	for range 2 {
		s.record(block)
		s.finalize(block.Number)
		s.wantState(x, settlement.Settled)
		if got := s.balance("customer", ledgertest.Bob, s.USDC); got != "5000000" || float() == before {
			t.Errorf("final: bob has %s, the float is %s", got, float())
		}
		if all, err := s.TopUps(t.Context(), 1337, 10); err != nil || len(all) != 1 || !all[0].Booked {
			t.Errorf("final: top-ups %+v %v", all, err)
		}
		s.check()
		s.acceptReorg(shared)
		if got := s.balance("customer", ledgertest.Bob, s.USDC); got != "0" || float() != before {
			t.Errorf("gone: bob has %s, the float is %s, want 0 and %s", got, float(), before)
		}
		if all, err := s.TopUps(t.Context(), 1337, 10); err != nil || len(all) != 0 {
			t.Errorf("gone: top-ups %+v %v", all, err)
		}
	}
}

func TestATopUpOfOursThatVanishesIsOnItsWayAgain(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	shared := s.mine()
	plan := ledger.TopUp{ChainID: 1337, Signer: s.lanes[0], TxHash: ledgertest.Hash("ours"), Amount: settlement.NewAmount(7), Actor: "olga", Raw: []byte{2}}
	_, err := s.PlanTopUp(t.Context(), plan, false)
	s.ok(err)
	block := s.next()
	block.Incoming = []settlement.Incoming{{TxHash: plan.TxHash, Signer: plan.Signer, Amount: plan.Amount}}
	s.record(block)
	s.finalize(block.Number)
	s.acceptReorg(shared)
	again, err := s.PlanTopUp(t.Context(), plan, false) // the same bytes, to be sent again
	if err != nil || again.Booked || string(again.Raw) != string(plan.Raw) {
		t.Fatalf("%+v %v", again, err)
	}
	back := s.next()
	back.Incoming = block.Incoming
	s.record(back)
	s.finalize(back.Number)
	if all, err := s.TopUps(t.Context(), 1337, 10); err != nil || len(all) != 1 || !all[0].Booked || all[0].Source != "sent" {
		t.Errorf("%+v %v", all, err)
	}
	s.check()
}
