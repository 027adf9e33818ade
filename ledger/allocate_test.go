package ledger_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

func TestAllocateStoresTheSignedBytesWithTheNonceInOneCommit(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	s := w.Reserved("order-1", "12.5")
	a := w.Allocation(s)
	before := w.Counts()
	got, err := w.Allocate(t.Context(), a, w.Signs(a))
	if err != nil || got.Outcome != settlement.AllocatedNonce {
		t.Fatalf("%+v %v", got, err)
	}
	cost := w.Counts()
	if commits, trips := cost.Commits-before.Commits, cost.RoundTrips-before.RoundTrips; commits != 1 || trips != 3 {
		t.Errorf("%d commits and %d round trips, want 1 and 3", commits, trips)
	}
	before = w.Counts()
	read := w.Read("order-1")
	if cost := w.Counts(); cost.Reads-before.Reads != 1 || cost.RoundTrips-before.RoundTrips != 1 || cost.Commits != before.Commits {
		t.Errorf("a read cost %+v, before %+v", cost, before)
	}
	if read.State != settlement.Submitted || read.NoncesAllocated != 1 || read.Live == nil || read.Next() != settlement.ActAwait {
		t.Fatalf("%+v", read)
	}
	want := w.Sign(got.Transaction.Signer, 0, settlement.AttemptPay, a.Payload, a.Fees)
	for _, live := range []*settlement.Transaction{got.Transaction, read.Live} {
		if live.Nonce != 0 || live.Newest.Hash != want.Hash || string(live.Newest.Raw) != string(want.Raw) || live.Newest.Fees != a.Fees || live.ID != got.Transaction.ID {
			t.Errorf("live %+v", live)
		}
	}
	if inFlight := ledgertest.Value[string](w, `SELECT in_flight::text FROM asset_liquidity WHERE asset_id = $1`, w.USDC.ID); inFlight != "12500000" {
		t.Errorf("in flight %s", inFlight)
	}
	if types := eventTypes(w, "settlement/order-1"); !slices.Equal(types, []string{"settlement.requested", "settlement.submitted"}) {
		t.Errorf("events %v", types)
	}
}

func TestAllocateAgainReturnsTheLiveNonceAndNeverSigns(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	s := w.Submitted("order-1", "1")
	got, err := w.Allocate(t.Context(), w.Allocation(s), func(common.Address, uint64) (settlement.Attempt, error) {
		t.Error("signed a second time")
		return settlement.Attempt{}, errors.New("no")
	})
	if err != nil || got.Outcome != settlement.AllocatedLive || got.Transaction.Newest.Hash != s.Live.Newest.Hash {
		t.Errorf("%+v %v", got, err)
	}
	if n := ledgertest.Value[int](w, `SELECT count(*) FROM transactions`); n != 1 {
		t.Errorf("%d transactions", n)
	}
}

// https://github.com/OpenZeppelin/openzeppelin-relayer/issues/836: two nonces for one record.
func TestOneSettlementAllocatedByManyAtOnceHasOneNonce(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t, ledgertest.WithConns(16))
	s := w.Reserved("order-1", "1")
	a := w.Allocation(s)
	const racers = 16
	var wg sync.WaitGroup
	outcomes, hashes := make([]settlement.AllocationOutcome, racers), make([]common.Hash, racers)
	for i := range racers {
		wg.Go(func() {
			got, err := w.Allocate(t.Context(), a, w.Signs(a))
			if err != nil {
				t.Errorf("racer %d: %v", i, err)
				return
			}
			outcomes[i], hashes[i] = got.Outcome, got.Transaction.Newest.Hash
		})
	}
	wg.Wait()
	won := 0
	for i := range racers {
		if outcomes[i] == settlement.AllocatedNonce {
			won++
		}
		if hashes[i] != hashes[0] {
			t.Errorf("racer %d would send %s, racer 0 %s", i, hashes[i], hashes[0])
		}
	}
	if won != 1 {
		t.Errorf("%d racers took a nonce", won)
	}
}

func TestManyAtOnceFillTheLanesWithoutGapsAndQueueTheRest(t *testing.T) {
	t.Parallel()
	const settlements, lanes, slots = 32, 2, 4
	w := ledgertest.New(t, ledgertest.WithConns(16), ledgertest.WithLanes(lanes, slots))
	var wg sync.WaitGroup
	outcomes := make([]settlement.AllocationOutcome, settlements)
	for i := range settlements {
		s := w.Reserved(fmt.Sprintf("order-%d", i), "1")
		wg.Go(func() {
			a := w.Allocation(s)
			got, err := w.Allocate(t.Context(), a, w.Signs(a))
			if err != nil {
				t.Errorf("%s: %v", s.Key, err)
			}
			outcomes[i] = got.Outcome
		})
	}
	wg.Wait()
	counts := map[settlement.AllocationOutcome]int{}
	for _, o := range outcomes {
		counts[o]++
	}
	if counts[settlement.AllocatedNonce] != lanes*slots || counts[settlement.AllocatedQueue] != settlements-lanes*slots {
		t.Errorf("outcomes %v", counts)
	}
	listed, err := w.Ledger.Lanes(t.Context(), w.Chain.ChainID)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range listed {
		if l.InFlight() != slots {
			t.Errorf("lane %d has %d in flight", l.ID, l.InFlight())
		}
		nonces := ledgertest.Value[[]int64](w, `SELECT array_agg(nonce ORDER BY nonce) FROM transactions WHERE lane_id = $1`, l.ID)
		for i, n := range nonces {
			if n != int64(i) {
				t.Errorf("lane %d has nonces %v", l.ID, nonces)
				break
			}
		}
	}
	if n := ledgertest.Value[int](w, `SELECT count(*) FROM (SELECT settlement_id FROM transaction_items WHERE live GROUP BY settlement_id HAVING count(*) > 1) x`); n != 0 {
		t.Errorf("%d settlements with two live nonces", n)
	}
	queued := ledgertest.Value[int](w, `SELECT count(*) FROM queue q JOIN settlements s ON s.id = q.settlement_id WHERE s.state = 'queued' AND q.lane_id IS NULL`)
	if queued != settlements-lanes*slots {
		t.Errorf("%d queue rows", queued)
	}
}

func TestAllocateWaitsForWhatPassesAndNamesIt(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why, word string
		prepare   func(w *ledgertest.World)
	}{
		{"the vault holds one unit too little", settlement.WaitLiquidity, func(w *ledgertest.World) { w.Liquidity(w.USDC, "0.999999") }},
		{"what is in flight is spent already", settlement.WaitLiquidity, func(w *ledgertest.World) {
			w.Liquidity(w.USDC, "1.5")
			w.Submitted("before", "1")
		}},
		{"the vault is paused", settlement.WaitPaused, func(w *ledgertest.World) {
			w.SetHead(10, 5)
			w.Exec(`UPDATE heads SET vault_paused = true`)
		}},
		{"an operator must accept a reorg first", settlement.WaitDoubtful, func(w *ledgertest.World) {
			w.SetHead(10, 5)
			w.Exec(`UPDATE heads SET stopped = 'reorg deeper than finality'`)
		}},
		{"three reverts stopped the asset", settlement.WaitStopped, func(w *ledgertest.World) {
			if _, err := w.StopAsset(t.Context(), w.USDC.ID, "test", "three reverts in a row"); err != nil {
				t.Fatal(err)
			}
		}},
		{"a settlement may cost less than this", settlement.WaitFees, func(w *ledgertest.World) { w.Exec(`UPDATE assets SET fee_ceiling = 199999999999999`) }},
		{"no lane may pay so much per gas", settlement.WaitFees, func(w *ledgertest.World) { w.Exec(`UPDATE lanes SET cap_ceiling = 1999999999`) }},
		{"no lane has the gas money", settlement.WaitSignerFunds, func(w *ledgertest.World) { w.Exec(`UPDATE lanes SET balance = 199999999999999`) }},
		{"the gas money is promised to other nonces", settlement.WaitSignerFunds, func(w *ledgertest.World) {
			w.Exec(`UPDATE lanes SET balance = 399999999999999`)
			w.Submitted("before-1", "1")
			w.Submitted("before-2", "1")
		}},
		{"the vault lets none of our signers settle", settlement.WaitOperator, func(w *ledgertest.World) { w.Exec(`UPDATE lanes SET operator = false`) }},
		{"every lane is frozen or draining", settlement.WaitLane, func(w *ledgertest.World) {
			w.Exec(`UPDATE lanes SET state = CASE WHEN id % 2 = 0 THEN 'frozen' ELSE 'draining' END`)
		}},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			w := ledgertest.New(t)
			row.prepare(w)
			s := w.Reserved("order-1", "1")
			a := w.Allocation(s)
			got, err := w.Allocate(t.Context(), a, w.Signs(a))
			if err != nil || got.Outcome != settlement.AllocatedWait || settlement.WaitWord(got.Reason) != row.word {
				t.Fatalf("%+v %v", got, err)
			}
			if s := w.Read("order-1"); s.State != settlement.Waiting || s.Reason != got.Reason || s.NoncesAllocated != 0 || s.Live != nil {
				t.Errorf("%+v", s)
			}
			if b := usdcOf(t, w, ledgertest.Alice); b.Held.IsZero() {
				t.Error("waiting gave the hold back")
			}
		})
	}
}

func TestAGrantIsTheOnlyWayPastTheQueueAndIsUsedOnce(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t, ledgertest.WithLanes(1, 1))
	w.Submitted("first", "1")
	second, third := w.Reserved("second", "1"), w.Reserved("third", "1")
	for _, s := range []settlement.Settlement{second, third, second} {
		a := w.Allocation(s)
		if got, err := w.Allocate(t.Context(), a, w.Signs(a)); err != nil || got.Outcome != settlement.AllocatedQueue {
			t.Fatalf("%s: %+v %v", s.Key, got, err)
		}
	}
	w.Exec(`UPDATE lanes SET mined_nonce = 1`) // a free slot that nobody granted yet
	a := w.Allocation(third)
	if got, err := w.Allocate(t.Context(), a, w.Signs(a)); err != nil || got.Outcome != settlement.AllocatedQueue {
		t.Fatalf("third passed second: %+v %v", got, err)
	}
	fourth := w.Reserved("fourth", "1")
	a = w.Allocation(fourth)
	if got, err := w.Allocate(t.Context(), a, w.Signs(a)); err != nil || got.Outcome != settlement.AllocatedQueue {
		t.Fatalf("fourth passed the queue: %+v %v", got, err)
	}
	w.Exec(`UPDATE queue SET lane_id = $1, granted_block = 5 WHERE settlement_id = $2`, w.Lanes[0].ID, second.ID)
	a = w.Allocation(second)
	got, err := w.Allocate(t.Context(), a, w.Signs(a))
	if err != nil || got.Outcome != settlement.AllocatedNonce || got.Transaction.Nonce != 1 {
		t.Fatalf("%+v %v", got, err)
	}
	if n := ledgertest.Value[int](w, `SELECT count(*) FROM queue WHERE settlement_id = $1`, second.ID); n != 0 {
		t.Error("the grant outlived its use")
	}
}

func TestAGrantCountsAsInFlight(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t, ledgertest.WithLanes(1, 2))
	s := w.Reserved("granted", "1")
	w.Exec(`UPDATE settlements SET state = 'queued' WHERE id = $1`, s.ID)
	w.Exec(`INSERT INTO queue (settlement_id, asset_id, lane_id, granted_block) VALUES ($1, $2, $3, 1)`, s.ID, w.USDC.ID, w.Lanes[0].ID)
	w.Submitted("one", "1")
	two := w.Reserved("two", "1")
	a := w.Allocation(two)
	if got, err := w.Allocate(t.Context(), a, w.Signs(a)); err != nil || got.Outcome != settlement.AllocatedQueue {
		t.Fatalf("took the granted slot: %+v %v", got, err)
	}
	a = w.Allocation(s)
	if got, err := w.Allocate(t.Context(), a, w.Signs(a)); err != nil || got.Outcome != settlement.AllocatedNonce {
		t.Errorf("the grant was worth nothing: %+v %v", got, err)
	}
}

func TestAGrantOfALaneThatMayNotSendGoesBackToTheQueue(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	s := w.Reserved("order-1", "1")
	w.Exec(`UPDATE settlements SET state = 'queued' WHERE id = $1`, s.ID)
	w.Exec(`INSERT INTO queue (settlement_id, asset_id, lane_id, granted_block) VALUES ($1, $2, $3, 1)`, s.ID, w.USDC.ID, w.Lanes[0].ID)
	w.Exec(`UPDATE lanes SET operator = false WHERE id = $1`, w.Lanes[0].ID)
	a := w.Allocation(s)
	if got, err := w.Allocate(t.Context(), a, w.Signs(a)); err != nil || got.Outcome != settlement.AllocatedQueue {
		t.Fatalf("%+v %v", got, err)
	}
	if n := ledgertest.Value[int](w, `SELECT count(*) FROM queue WHERE lane_id IS NULL`); n != 1 {
		t.Error("the grant was not taken back")
	}
}

// A lane that nobody here can sign for is the emptiest of all, so it would be chosen for every settlement, for ever.
func TestALaneWhoseKeyTheCallerLacksIsPassedOver(t *testing.T) {
	t.Parallel()
	held, lacked := ledgertest.Signer(1), ledgertest.Signer(0)
	allocate := func(t *testing.T, w *ledgertest.World, s settlement.Settlement) settlement.Allocated {
		t.Helper()
		a := w.Allocation(s)
		a.Signers = []common.Address{held}
		got, err := w.Allocate(t.Context(), a, func(signer common.Address, nonce uint64) (settlement.Attempt, error) {
			if signer == lacked {
				return settlement.Attempt{}, settlement.Errorf(settlement.Invalid, "no key of %s", signer)
			}
			return w.Sign(signer, nonce, settlement.AttemptPay, a.Payload, a.Fees), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	grant := func(w *ledgertest.World, s settlement.Settlement) {
		w.Exec(`UPDATE settlements SET state = 'queued' WHERE id = $1`, s.ID)
		w.Exec(`INSERT INTO queue (settlement_id, asset_id, lane_id, granted_block) VALUES ($1, $2, $3, 1)`, s.ID, w.USDC.ID, w.Lanes[0].ID)
	}
	for _, row := range []struct {
		why     string
		prepare func(w *ledgertest.World, s settlement.Settlement)
		want    settlement.AllocationOutcome
		queued  int
	}{
		{"both lanes are free", func(*ledgertest.World, settlement.Settlement) {}, settlement.AllocatedNonce, 0},
		{"the other lane granted the slot: it is the settlement's turn, and the next block would grant the same", grant, settlement.AllocatedNonce, 0},
		{"the lane whose key is held is full", func(w *ledgertest.World, s settlement.Settlement) {
			grant(w, s)
			w.Exec(`UPDATE lanes SET next_nonce = in_flight_max WHERE signer = $1`, held)
		}, settlement.AllocatedQueue, 1},
		{"the lane whose key is held is frozen", func(w *ledgertest.World, _ settlement.Settlement) {
			w.Exec(`UPDATE lanes SET state = 'frozen' WHERE signer = $1`, held)
		}, settlement.AllocatedWait, 0},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			w := ledgertest.New(t)
			s := w.Reserved("order-1", "1")
			row.prepare(w, s)
			got := allocate(t, w, s)
			if got.Outcome != row.want || got.Transaction != nil && got.Transaction.Signer != held {
				t.Errorf("%+v", got)
			}
			if n := ledgertest.Value[int](w, `SELECT count(*) FROM queue WHERE lane_id IS NULL`); n != row.queued {
				t.Errorf("%d wait for a slot, want %d", n, row.queued)
			}
		})
	}
}

func TestAllocateRefusesBytesThatAreNotWhatTheySay(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	s := w.Reserved("order-1", "1")
	a := w.Allocation(s)
	for _, row := range []struct {
		why, rule string
		spoil     func(at *settlement.Attempt, signer common.Address, nonce uint64)
	}{
		{"another lane's key", "is signed by", func(at *settlement.Attempt, signer common.Address, nonce uint64) {
			other := ledgertest.Signer(0)
			if other == signer {
				other = ledgertest.Signer(1)
			}
			*at = w.Sign(other, nonce, at.Kind, at.Payload, at.Fees)
		}},
		{"another nonce", "has nonce", func(at *settlement.Attempt, signer common.Address, nonce uint64) {
			*at = w.Sign(signer, nonce+1, at.Kind, at.Payload, at.Fees)
		}},
		{"another recipient than it says", "another payload", func(at *settlement.Attempt, _ common.Address, _ uint64) { at.To = ledgertest.Address("thief") }},
		{"another recipient than was estimated", "not the payment", func(at *settlement.Attempt, signer common.Address, nonce uint64) {
			p := at.Payload
			p.To = ledgertest.Address("thief")
			*at = w.Sign(signer, nonce, at.Kind, p, at.Fees)
		}},
		{"higher fees than were estimated", "not the payment", func(at *settlement.Attempt, signer common.Address, nonce uint64) {
			*at = w.Sign(signer, nonce, at.Kind, at.Payload, ledgertest.Fees(200))
		}},
		{"another hash", "has hash", func(at *settlement.Attempt, _ common.Address, _ uint64) { at.Hash[0] ^= 1 }},
		{"half the bytes", "cannot be decoded", func(at *settlement.Attempt, _ common.Address, _ uint64) { at.Raw = at.Raw[:len(at.Raw)/2] }},
		{"a cancel in the place of the payment", "not the payment", func(at *settlement.Attempt, _ common.Address, _ uint64) { at.Kind = settlement.AttemptCancel }},
		{"nothing at all", "neither bytes nor", func(at *settlement.Attempt, _ common.Address, _ uint64) {
			*at = settlement.Attempt{Kind: settlement.AttemptPay}
		}},
	} {
		_, err := w.Allocate(t.Context(), a, func(signer common.Address, nonce uint64) (settlement.Attempt, error) {
			at := w.Sign(signer, nonce, settlement.AttemptPay, a.Payload, a.Fees)
			row.spoil(&at, signer, nonce)
			return at, nil
		})
		if settlement.KindOf(err) != settlement.Invalid || !strings.Contains(err.Error(), row.rule) {
			t.Errorf("%s: %v", row.why, err)
		}
	}
	if s := w.Read("order-1"); s.State != settlement.Requested || s.NoncesAllocated != 0 {
		t.Errorf("%+v", s)
	}
	if n := ledgertest.Value[int64](w, `SELECT max(next_nonce) FROM lanes`); n != 0 {
		t.Errorf("a refused attempt left nonce %d taken", n)
	}
}

func TestARemoteSignersAttemptIsCommittedBeforeItIsSigned(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	s := w.Reserved("order-1", "1")
	a := w.Allocation(s)
	var signed settlement.Attempt
	got, err := w.Allocate(t.Context(), a, func(signer common.Address, nonce uint64) (settlement.Attempt, error) {
		signed = w.Sign(signer, nonce, settlement.AttemptPay, a.Payload, a.Fees)
		return settlement.Attempt{Kind: settlement.AttemptPay, Payload: a.Payload, Fees: a.Fees, SigningHash: ledgertest.SigningHash(w, signed)}, nil
	})
	if err != nil || got.Outcome != settlement.AllocatedNonce || w.Read("order-1").Live.Newest.Raw != nil {
		t.Fatalf("%+v %v", got, err)
	}
	other := w.Sign(got.Transaction.Signer, got.Transaction.Nonce, settlement.AttemptPay, a.Payload, ledgertest.Fees(150))
	if _, _, err := w.StoreBytes(t.Context(), got.Transaction.ID, other); settlement.KindOf(err) != settlement.Invalid {
		t.Errorf("bytes of another payload: %v", err)
	}
	for i, why := range []string{"first", "again"} {
		stored, won, err := w.StoreBytes(t.Context(), got.Transaction.ID, signed)
		if err != nil || !won || stored.Hash != signed.Hash {
			t.Errorf("%d %s: %+v %v %v", i, why, stored, won, err)
		}
	}
	if read := w.Read("order-1").Live.Newest; read.Hash != signed.Hash || string(read.Raw) != string(signed.Raw) {
		t.Errorf("stored %+v", read)
	}
}

func TestAllocateRefusesASettlementThatMayNotPayAnyMore(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	closed := w.Reserved("closed", "1")
	w.Exec(`UPDATE settlements SET wish = 'revoke', wish_reason = 'ops: test' WHERE id = $1`, closed.ID)
	failed := w.Reserved("failed", "1")
	if err := w.FailUnpaid(t.Context(), failed.ID, "refused", settlement.UnpaidProof{}); err != nil {
		t.Fatal(err)
	}
	for _, s := range []settlement.Settlement{closed, failed} {
		a := w.Allocation(s)
		if got, err := w.Allocate(t.Context(), a, w.Signs(a)); settlement.KindOf(err) != settlement.Stale {
			t.Errorf("%s: %+v %v", s.Key, got, err)
		}
	}
	a := w.Allocation(settlement.Settlement{ID: 999, Vault: w.Chain.Vault})
	if _, err := w.Allocate(t.Context(), a, w.Signs(a)); settlement.KindOf(err) != settlement.NotFound {
		t.Errorf("an unknown settlement: %v", err)
	}
}
