package ledger_test

import (
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

func wished(wish settlement.Wish) ledger.Wished {
	return ledger.Wished{Wish: wish, Actor: "olga", Reason: "the customer changed their mind"}
}

func (s *chainSim) ask(x settlement.Settlement, wish settlement.Wish) settlement.Settlement {
	s.t.Helper()
	out, err := s.AskEnd(s.t.Context(), x.Key, wished(wish))
	s.ok(err)
	return out
}

// https://github.com/joshstevens19/rrelayer/issues/99 (T19): a cancel before the send left a hole.
func TestWithoutANonceACancelIsImmediate(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, why string
		before    func(*chainSim, settlement.Settlement)
	}{
		{"requested", "nothing was sent", func(*chainSim, settlement.Settlement) {}},
		{"queued", "its place in the queue is given up", func(s *chainSim, x settlement.Settlement) {
			s.submit(s.reserve("holds the only slot", "USDC", "1"))
			out, err := s.allocate(x)
			s.ok(err)
			if out.Outcome != settlement.AllocatedQueue {
				s.t.Fatalf("outcome %s", out.Outcome)
			}
		}},
		{"waiting", "it would not be woken again", func(s *chainSim, x settlement.Settlement) {
			s.ok(s.Wait(s.t.Context(), x.ID, settlement.WaitPaused))
		}},
	} {
		for _, wish := range []settlement.Wish{settlement.WishCancel, settlement.WishRevoke} {
			t.Run(row.name+" "+string(wish), func(t *testing.T) {
				t.Parallel()
				s := newSim(t, 1, 1)
				x := s.reserve("k1", "USDC", "100")
				row.before(s, x)
				got := s.ask(x, wish)
				if got.State != settlement.Cancelled || got.Proof != settlement.ProofNeverAllocated || got.Reason != "olga: the customer changed their mind" {
					t.Fatalf("%+v (%s)", got.Snapshot(), row.why)
				}
				stored := s.wantState(x, settlement.Cancelled)
				if stored.Reason != got.Reason || s.wakes(x) != 1 || s.told("settlement/k1", "settlement.cancelled") != 1 {
					t.Errorf("stored %+v, %d wake-ups", stored.Snapshot(), s.wakes(x))
				}
				a, err := s.Account(t.Context(), "", ledgertest.Alice)
				s.ok(err)
				if !a.Balances[0].Available.IsZero() && a.Balances[0].Held.Cmp(s.Units("USDC", "1")) > 0 {
					t.Errorf("the hold stands: %+v", a.Balances[0])
				}
				if n := ledgertest.Value[int](s.World, `SELECT count(*) FROM queue WHERE settlement_id = $1`, x.ID); n != 0 {
					t.Error("it queues still")
				}
				if _, err := s.allocate(x); settlement.KindOf(err) != settlement.Stale {
					t.Errorf("a nonce after the end: %v", err)
				}
				again := s.ask(x, wish) // writes nothing
				if again.State != settlement.Cancelled || s.wakes(x) != 1 {
					t.Errorf("asked again: %s, %d wake-ups", again.State, s.wakes(x))
				}
				s.check()
			})
		}
	}
}

func TestWithANonceACancelIsAWishAndTheChainDecides(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, why string
		mined     func(*chainSim, settlement.Settlement, settlement.Transaction, settlement.Attempt) simTx
		want      settlement.State // after the block is final: requested is for the workflow to end by proof
	}{
		{"the cancel is mined", "the nonce is consumed without a payment", func(s *chainSim, _ settlement.Settlement, n settlement.Transaction, cancel settlement.Attempt) simTx {
			return simTx{hash: cancel.Hash, mined: s.mined(n.Signer, n.Nonce, cancel.Hash, true)}
		}, settlement.Requested},
		{"the payment is mined", "the original winning is normal", func(s *chainSim, x settlement.Settlement, n settlement.Transaction, _ settlement.Attempt) simTx {
			return s.pays(x, n)
		}, settlement.Settled},
		{"the payment reverts", "no money moved: the wish is granted", func(s *chainSim, _ settlement.Settlement, n settlement.Transaction, _ settlement.Attempt) simTx {
			return s.reverts(n)
		}, settlement.Requested},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newSim(t, 1, 16)
			x := s.reserve("k1", "USDC", "100")
			n := s.submit(x)
			got := s.ask(x, settlement.WishCancel)
			if got.State != settlement.Submitted || got.Wish != settlement.WishCancel || s.wakes(x) != 1 || s.read(x).Next() != settlement.ActCancel {
				t.Fatalf("%+v, next %s, %d wake-ups", got.Snapshot(), s.read(x).Next(), s.wakes(x))
			}
			if again := s.ask(x, settlement.WishCancel); again.Wish != settlement.WishCancel || s.wakes(x) != 1 {
				t.Error("a second cancel wrote something")
			}
			self := settlement.Payload{To: n.Signer, GasLimit: 21_000}
			cancel, err := s.sign(n.Signer, n.Nonce, settlement.AttemptCancel, self, settlement.Fees{Cap: settlement.NewAmount(4e9), Tip: settlement.NewAmount(2e9)})
			s.ok(err)
			if _, won, err := s.AddAttempt(t.Context(), settlement.Replacement{TransactionID: n.ID, Replaces: n.Newest.Hash, Attempt: cancel}); err != nil || !won {
				t.Fatalf("add the cancel: %v %v", won, err)
			}
			if next := s.read(x).Next(); next != settlement.ActAwait {
				t.Errorf("after the cancel was stored: %s", next)
			}
			block := s.mine(row.mined(s, x, n, cancel))
			s.finalize(block.Number)
			end := s.wantState(x, row.want)
			if row.want == settlement.Requested {
				if end.Wish != settlement.WishCancel || end.Next() != settlement.ActSubmit {
					t.Errorf("the wish is forgotten: %+v", end)
				}
				if _, err := s.allocate(x); settlement.KindOf(err) != settlement.Stale {
					t.Errorf("a second nonce against the wish: %v", err)
				}
				s.ok(s.CancelUnpaid(t.Context(), x.ID, end.WishReason, settlement.UnpaidProof{Block: block.BlockRef, NoncesAllocated: 1}))
				if end = s.wantState(x, settlement.Cancelled); end.Proof != settlement.ProofNoncesConsumed {
					t.Errorf("proof %s", end.Proof)
				}
			}
			s.check()
			if after := s.ask(x, settlement.WishRevoke); after.State != end.State {
				t.Errorf("a wish after the end: %s", after.State)
			}
		})
	}
}

func TestARevokeTakesANonceOfItsOwnOnce(t *testing.T) {
	t.Parallel()
	s := newSim(t, 2, 1)
	x := s.reserve("k1", "USDC", "100")
	n := s.submit(x)
	revoke := func() (settlement.Allocated, error) {
		p := settlement.Payload{To: s.Chain.Vault, Data: []byte("revoke"), GasLimit: 60_000}
		return s.AllocateRevoke(t.Context(), settlement.Allocation{SettlementID: x.ID, Payload: p, Fees: simFees, MaxCost: settlement.NewAmount(60_000 * 3e9)},
			s.signsRevoke(p))
	}
	if _, err := revoke(); settlement.KindOf(err) != settlement.Stale {
		t.Fatalf("a revoke that nobody asked for: %v", err)
	}
	s.ask(x, settlement.WishCancel)
	if got := s.ask(x, settlement.WishRevoke); got.Wish != settlement.WishRevoke || s.read(x).Next() != settlement.ActRevoke {
		t.Fatalf("a cancel may become a revoke: %+v", got)
	}
	if got := s.ask(x, settlement.WishCancel); got.Wish != settlement.WishRevoke {
		t.Error("a revoke became a cancel")
	}
	first, err := revoke()
	s.ok(err)
	again, err := revoke()
	s.ok(err)
	if first.Outcome != settlement.AllocatedNonce || again.Outcome != settlement.AllocatedLive || first.Transaction.Newest.Hash != again.Transaction.Newest.Hash {
		t.Fatalf("first %+v, again %+v", first, again)
	}
	if got := s.read(x); got.Next() != settlement.ActAwait || !got.RevokeOut || got.Live == nil || got.Live.Kind != settlement.KindPay {
		t.Errorf("%+v", got)
	}
	// The revoke reverts, as one does that an operator lost its right for: another is due.
	s.finalize(s.mine(s.reverts(*first.Transaction)).Number)
	if got := s.wantState(x, settlement.Submitted); got.Next() != settlement.ActRevoke || s.wakes(x) != 3 {
		t.Errorf("next %s, %d wake-ups", got.Next(), s.wakes(x))
	}
	second, err := revoke()
	s.ok(err)
	s.finalize(s.mine(simTx{
		hash: second.Transaction.Newest.Hash, mined: s.mined(second.Transaction.Signer, second.Transaction.Nonce, second.Transaction.Newest.Hash, true),
		events: []settlement.Event{{Name: settlement.EventRevoked, ID: x.OnchainID}},
	}).Number)
	end := s.wantState(x, settlement.Cancelled)
	if end.Proof != settlement.ProofRevoked || !strings.Contains(end.Reason, "olga") {
		t.Errorf("%+v", end)
	}
	s.finalize(s.mine(s.reverts(n)).Number) // the payment can only revert
	s.wantState(x, settlement.Cancelled)
	s.check()
}

func (s *chainSim) signsRevoke(p settlement.Payload) ledger.Signs {
	return func(signer common.Address, nonce uint64) (settlement.Attempt, error) {
		return s.sign(signer, nonce, settlement.AttemptRevoke, p, simFees)
	}
}

func TestAWishNeedsANameAReasonAndASettlement(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x := s.reserve("k1", "USDC", "100")
	for _, w := range []ledger.Wished{{Wish: settlement.WishCancel, Actor: "olga"}, {Wish: settlement.WishCancel, Reason: "why"}} {
		if _, err := s.AskEnd(t.Context(), x.Key, w); settlement.KindOf(err) != settlement.Invalid {
			t.Errorf("%+v: %v", w, err)
		}
	}
	if _, err := s.AskEnd(t.Context(), settlement.Key{Tenant: settlement.DefaultTenant, Value: "none"}, wished(settlement.WishCancel)); settlement.KindOf(err) != settlement.NotFound {
		t.Errorf("an unknown key: %v", err)
	}
	s.wantState(x, settlement.Requested)
}
