package ledger_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

// brakes are the stops that an operator has, and what ends them.
var brakes = []struct {
	name, why  string
	stop, goOn func(s *chainSim) (bool, error)
	others     bool // an asset that is not stopped is paid meanwhile
}{
	{
		"an asset", "others are paid meanwhile",
		func(s *chainSim) (bool, error) { return s.StopAsset(s.t.Context(), s.USDC.ID, "olga", "drill") },
		func(s *chainSim) (bool, error) { return s.StartAsset(s.t.Context(), s.USDC.ID, "olga", "over") }, true,
	},
	{
		"everything", "no asset gets a nonce",
		func(s *chainSim) (bool, error) { return s.StopChain(s.t.Context(), 1337, "olga", "drill") },
		func(s *chainSim) (bool, error) { return s.StartChain(s.t.Context(), 1337, "olga", "over") }, false,
	},
}

func TestAStopHaltsAllocationAndKeepsWhatIsOutSupervised(t *testing.T) {
	t.Parallel()
	for _, row := range brakes {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newSim(t, 1, 2)
			out, queued := s.fillAndQueue(2, 1)
			paid := s.read(settlement.Settlement{Request: settlement.Request{Key: ledgertest.Key("first0")}})
			s.mine(s.pays(paid, out[0]))
			s.wantGranted("queued0")
			changed, err := row.stop(s)
			if s.ok(err); !changed {
				t.Fatal("nothing changed")
			}
			s.wantGranted() // a stop takes unused grants back
			waits := s.reserve("waits", "USDC", "1")
			for _, x := range []settlement.Settlement{waits, queued[0]} {
				got, err := s.allocate(x)
				if s.ok(err); got.Outcome != settlement.AllocatedWait || settlement.WaitWord(got.Reason) != settlement.WaitStopped {
					t.Errorf("%s: %+v", x.Key, got)
				}
			}
			got, err := s.allocate(s.reserve("coin", "ETH", "1"))
			if s.ok(err); (got.Outcome == settlement.AllocatedNonce) != row.others {
				t.Errorf("the other asset: %+v: %s", got, row.why)
			}
			if changed, err := row.stop(s); err != nil || changed {
				t.Errorf("a second stop: %v %v", changed, err)
			}
			// What is out goes on: a bump is stored, its block and its end are booked.
			fees := settlement.Fees{Cap: settlement.NewAmount(6e9), Tip: settlement.NewAmount(2e9)}
			second := s.read(settlement.Settlement{Request: settlement.Request{Key: ledgertest.Key("first1")}})
			bump, err := s.sign(out[1].Signer, out[1].Nonce, settlement.AttemptPay, s.payload(second.OnchainID), fees)
			s.ok(err)
			_, won, err := s.AddAttempt(t.Context(), settlement.Replacement{TransactionID: out[1].ID, Replaces: out[1].Newest.Hash, Attempt: bump})
			if s.ok(err); !won {
				t.Error("the bump was refused")
			}
			block := s.mine(simTx{hash: bump.Hash, mined: s.mined(out[1].Signer, out[1].Nonce, bump.Hash, true), events: []settlement.Event{s.settled(second)}})
			s.finalize(block.Number)
			s.wantState(paid, settlement.Settled)
			s.wantState(second, settlement.Settled)
			s.wantGranted()

			before := s.wakes(waits)
			if changed, err := row.goOn(s); err != nil || !changed {
				t.Fatalf("go: %v %v", changed, err)
			}
			if s.wakes(waits) != before+1 {
				t.Error("the go did not wake who waited, in its own commit")
			}
			if changed, err := row.goOn(s); err != nil || changed {
				t.Errorf("a second go: %v %v", changed, err)
			}
			s.submit(waits)
			if n := ledgertest.Value[int](s.World, `SELECT count(*) FROM journal WHERE actor = 'olga'`); n != 2 {
				t.Errorf("%d journal rows: a stop and a go", n)
			}
			s.check()
		})
	}
}

func TestWhatIsStoppedTwiceGoesOnAfterBothGos(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 4)
	for _, row := range brakes {
		_, err := row.stop(s)
		s.ok(err)
	}
	x := s.reserve("x", "USDC", "1")
	for i, row := range brakes {
		got, err := s.allocate(x)
		if s.ok(err); got.Outcome != settlement.AllocatedWait {
			t.Fatalf("after %d gos: %+v", i, got)
		}
		before := s.wakes(x)
		_, err = row.goOn(s)
		s.ok(err)
		if woken := s.wakes(x) > before; woken != (i == len(brakes)-1) {
			t.Errorf("after the go of %s it was woken: %v", row.name, woken)
		}
	}
	s.submit(x)
}

// A flag that is read without a lock lets the commit that is under way pass: once a stop has returned, no nonce is allocated.
func TestNoNonceIsAllocatedAfterAStopHasReturned(t *testing.T) {
	t.Parallel()
	for _, row := range brakes {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newSim(t, 2, 500)
			var xs []settlement.Settlement
			for i := range 60 {
				xs = append(xs, s.reserve(fmt.Sprint("x", i), "USDC", "1"))
			}
			var group sync.WaitGroup
			for part := range 3 {
				group.Go(func() {
					for _, x := range xs[part*20 : part*20+20] {
						if _, err := s.allocate(x); err != nil {
							t.Error(err)
						}
					}
				})
			}
			_, err := row.stop(s)
			s.ok(err)
			allocated := `SELECT coalesce(sum(nonces_allocated), 0)::bigint FROM settlements`
			then := ledgertest.Value[int](s.World, allocated)
			group.Wait()
			if now := ledgertest.Value[int](s.World, allocated); now != then {
				t.Errorf("%d nonces when the stop had returned, %d later", then, now)
			}
		})
	}
}

func TestARevokeIsNotStopped(t *testing.T) {
	t.Parallel()
	for _, row := range brakes {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newSim(t, 2, 1)
			x := s.reserve("x", "USDC", "1")
			s.submit(x)
			_, err := row.stop(s)
			s.ok(err)
			s.ask(x, settlement.WishRevoke)
			p := settlement.Payload{To: s.Chain.Vault, Data: []byte("revoke"), GasLimit: 60_000}
			got, err := s.AllocateRevoke(t.Context(), settlement.Allocation{SettlementID: x.ID, Payload: p, Fees: simFees, MaxCost: settlement.NewAmount(60_000 * 3e9)},
				s.signsRevoke(p))
			if s.ok(err); got.Outcome != settlement.AllocatedNonce {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestABrakeWantsAReasonAndAnActor(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 1)
	for _, row := range []struct{ actor, why string }{{"olga", " "}, {"", "drill"}} {
		for name, act := range map[string]func() (bool, error){
			"stop asset": func() (bool, error) { return s.StopAsset(t.Context(), s.USDC.ID, row.actor, row.why) },
			"go asset":   func() (bool, error) { return s.StartAsset(t.Context(), s.USDC.ID, row.actor, row.why) },
			"stop all":   func() (bool, error) { return s.StopChain(t.Context(), 1337, row.actor, row.why) },
			"go all":     func() (bool, error) { return s.StartChain(t.Context(), 1337, row.actor, row.why) },
			"budget":     func() (bool, error) { return s.SetBudget(t.Context(), s.USDC.ID, nil, row.actor, row.why) },
		} {
			if changed, err := act(); settlement.KindOf(err) != settlement.Invalid || changed {
				t.Errorf("%s by %q for %q: %v %v", name, row.actor, row.why, changed, err)
			}
		}
	}
	if _, err := s.StopChain(t.Context(), 99, "olga", "drill"); settlement.KindOf(err) != settlement.Invalid {
		t.Errorf("a chain that nobody registered: %v", err)
	}
}
