package ledger_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

func TestASettlementWithoutANonceFailsAndGivesTheHoldBack(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why     string
		prepare func(w *ledgertest.World, s settlement.Settlement)
	}{
		{"requested", func(*ledgertest.World, settlement.Settlement) {}},
		{"waiting", func(w *ledgertest.World, s settlement.Settlement) {
			if err := w.Wait(t.Context(), s.ID, settlement.WaitPaused); err != nil {
				t.Fatal(err)
			}
		}},
		{"queued with a grant", func(w *ledgertest.World, s settlement.Settlement) {
			w.Exec(`UPDATE settlements SET state = 'queued' WHERE id = $1`, s.ID)
			w.Exec(`INSERT INTO queue (settlement_id, asset_id, lane_id, granted_block) VALUES ($1, $2, $3, 1)`, s.ID, w.USDC.ID, w.Lanes[0].ID)
		}},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			w := ledgertest.New(t)
			s := w.Reserved("order-1", "12.5")
			row.prepare(w, s)
			if err := w.FailUnpaid(t.Context(), s.ID, "the recipient refuses", settlement.UnpaidProof{}); err != nil {
				t.Fatal(err)
			}
			got := w.Read("order-1")
			if got.State != settlement.Failed || got.Proof != settlement.ProofNeverAllocated || got.Reason != "the recipient refuses" {
				t.Errorf("%+v", got)
			}
			if b := usdcOf(t, w, ledgertest.Alice); b.Available != w.Units("USDC", "1000") || !b.Held.IsZero() {
				t.Errorf("%+v", b)
			}
			if types := eventTypes(w, "settlement/order-1"); !slices.Equal(types, []string{"settlement.requested", "settlement.failed"}) {
				t.Errorf("events %v", types)
			}
			if n := ledgertest.Value[int](w, `SELECT count(*) FROM outbox WHERE stream = 'wake/order-1' AND destination = 'temporal'`); n != 1 {
				t.Errorf("%d wake-ups", n)
			}
			if n := ledgertest.Value[int](w, `SELECT count(*) FROM queue`); n != 0 {
				t.Error("the queue row stayed")
			}
			if status := ledgertest.Value[string](w, `SELECT status || (result ->> 'reason') FROM idempotency_keys`); status != "failedthe recipient refuses" {
				t.Errorf("key %s", status)
			}
			if err := w.FailUnpaid(t.Context(), s.ID, "again", settlement.UnpaidProof{}); settlement.KindOf(err) != settlement.Stale {
				t.Errorf("again: %v", err)
			}
		})
	}
}

func TestCancelBeforeTheBorderIsAnEndOfItsOwn(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	s := w.Reserved("order-1", "1")
	if err := w.CancelUnpaid(t.Context(), s.ID, "the customer asked", settlement.UnpaidProof{}); err != nil {
		t.Fatal(err)
	}
	if got := w.Read("order-1"); got.State != settlement.Cancelled || got.Proof != settlement.ProofNeverAllocated {
		t.Errorf("%+v", got)
	}
	if types := eventTypes(w, "settlement/order-1"); !slices.Equal(types, []string{"settlement.requested", "settlement.cancelled"}) {
		t.Errorf("events %v", types)
	}
}

// https://github.com/OpenZeppelin/openzeppelin-relayer/issues/817 and https://github.com/qntx/facilitator/issues/73: a missing
// receipt or a timeout is no proof.
func TestBehindTheBorderOnlyTheWholeProofFailsASettlement(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why     string
		prepare func(w *ledgertest.World, s settlement.Settlement)
		proof   settlement.UnpaidProof
		kind    settlement.Kind
	}{
		{"a live nonce may still pay", func(*ledgertest.World, settlement.Settlement) {}, settlement.UnpaidProof{Block: at("block 0"), NoncesAllocated: 1}, settlement.Stale},
		{"the nonce is consumed, but the proof is older than it", func(w *ledgertest.World, s settlement.Settlement) {
			consume(w, s, "reverted", 7, true)
		}, settlement.UnpaidProof{Block: at("block 0"), NoncesAllocated: 1}, settlement.Transient},
		{"the proof's block is not final", func(w *ledgertest.World, s settlement.Settlement) {
			consume(w, s, "reverted", 7, true)
			addBlock(w, "block 8", 8, false)
		}, settlement.UnpaidProof{Block: at("block 8"), NoncesAllocated: 1}, settlement.Transient},
		{"the proof's block is unknown", func(w *ledgertest.World, s settlement.Settlement) {
			consume(w, s, "reverted", 7, true)
		}, settlement.UnpaidProof{Block: at("no block"), NoncesAllocated: 1}, settlement.Transient},
		{"a nonce was allocated since the proof was made", func(w *ledgertest.World, s settlement.Settlement) {
			consume(w, s, "reverted", 7, true)
			w.Exec(`UPDATE settlements SET nonces_allocated = 2 WHERE id = $1`, s.ID)
		}, settlement.UnpaidProof{Block: at("block 7"), NoncesAllocated: 1}, settlement.Stale},
		{"no proof at all", func(w *ledgertest.World, s settlement.Settlement) {
			consume(w, s, "reverted", 7, true)
		}, settlement.UnpaidProof{}, settlement.Stale},
		{"a revoke is out", func(w *ledgertest.World, s settlement.Settlement) {
			consume(w, s, "reverted", 7, true)
			addRevoke(w, s)
		}, settlement.UnpaidProof{Block: at("block 7"), NoncesAllocated: 1}, settlement.Stale},
		{"one of the nonces paid", func(w *ledgertest.World, s settlement.Settlement) {
			consume(w, s, "paid", 7, true)
		}, settlement.UnpaidProof{Block: at("block 7"), NoncesAllocated: 1}, settlement.Stale},
		{"every nonce consumed, and the vault said unpaid at that block", func(w *ledgertest.World, s settlement.Settlement) {
			consume(w, s, "reverted", 7, true)
		}, settlement.UnpaidProof{Block: at("block 7"), NoncesAllocated: 1}, 255},
		{"and at a later one", func(w *ledgertest.World, s settlement.Settlement) {
			consume(w, s, "foreign", 7, true)
			addBlock(w, "block 9", 9, true)
		}, settlement.UnpaidProof{Block: at("block 9"), NoncesAllocated: 1}, 255},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			w := ledgertest.New(t)
			s := w.Submitted("order-1", "12.5")
			row.prepare(w, s)
			before := rowsOf(w)
			err := w.FailUnpaid(t.Context(), s.ID, "refused", row.proof)
			if row.kind != 255 {
				if err == nil || settlement.KindOf(err) != row.kind {
					t.Errorf("%v", err)
				}
				if after := rowsOf(w); after != before {
					t.Errorf("before %s\nafter %s", before, after)
				}
				return
			}
			if got := w.Read("order-1"); err != nil || got.State != settlement.Failed || got.Proof != settlement.ProofNoncesConsumed {
				t.Errorf("%+v %v", got, err)
			}
			if b := usdcOf(t, w, ledgertest.Alice); !b.Held.IsZero() {
				t.Errorf("%+v", b)
			}
		})
	}
}

func at(block string) settlement.BlockRef { return settlement.BlockRef{Hash: ledgertest.Hash(block)} }

func addBlock(w *ledgertest.World, name string, number int, final bool) {
	w.Exec(`INSERT INTO blocks (chain_id, number, hash, parent, mined_at, base_fee, gas_limit, final) VALUES (1337, $1, $2, $3, now(), 1, 30000000, $4)`,
		number, ledgertest.Hash(name).Bytes(), ledgertest.Hash("parent of "+name).Bytes(), final)
}

// consume ends the live nonce as the listener would, and gives the settlement back.
func consume(w *ledgertest.World, s settlement.Settlement, outcome string, number int, final bool) {
	name := fmt.Sprintf("block %d", number)
	addBlock(w, name, number, final)
	w.Exec(`UPDATE transactions SET live = false, outcome = $2, consumed_hash = $3, consumed_block = $4 WHERE id = $1`,
		s.Live.ID, outcome, s.Live.Newest.Hash.Bytes(), ledgertest.Hash(name).Bytes())
	w.Exec(`UPDATE asset_liquidity SET in_flight = in_flight - $2::text::numeric WHERE asset_id = $1`, s.Asset.ID, s.Amount.String())
	w.Exec(`UPDATE settlements SET state = 'requested' WHERE id = $1`, s.ID)
}

func addRevoke(w *ledgertest.World, s settlement.Settlement) {
	w.Exec(`UPDATE settlements SET wish = 'revoke', wish_reason = 'ops: test' WHERE id = $1`, s.ID)
	w.Exec(`WITH l AS (UPDATE lanes SET next_nonce = next_nonce + 1 WHERE id = $1 RETURNING *),
		x AS (INSERT INTO transactions (chain_id, lane_id, signer, nonce, kind, pays) SELECT chain_id, id, signer, next_nonce - 1, 'revoke', false FROM l RETURNING id)
		INSERT INTO transaction_items (transaction_id, position, settlement_id, pays) SELECT id, 0, $2, false FROM x`, w.Lanes[0].ID, s.ID)
}

func TestFailingAndAllocatingAtOnceHaveOneWinner(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t, ledgertest.WithConns(16))
	for i := range 12 {
		s := w.Reserved(fmt.Sprintf("order-%d", i), "1")
		a := w.Allocation(s)
		var failErr, allocateErr error
		var got settlement.Allocated
		var wg sync.WaitGroup
		wg.Go(func() { failErr = w.FailUnpaid(t.Context(), s.ID, "refused", settlement.UnpaidProof{}) })
		wg.Go(func() { got, allocateErr = w.Allocate(t.Context(), a, w.Signs(a)) })
		wg.Wait()
		read := w.Read(s.Key.Value)
		switch {
		case failErr == nil && settlement.KindOf(allocateErr) == settlement.Stale && read.State == settlement.Failed && read.NoncesAllocated == 0:
		case allocateErr == nil && got.Outcome == settlement.AllocatedNonce && settlement.KindOf(failErr) == settlement.Stale && read.State == settlement.Submitted:
		default:
			t.Errorf("%s is %s: fail %v, allocate %+v %v", s.Key, read.State, failErr, got, allocateErr)
		}
	}
}
