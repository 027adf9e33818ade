package ledger_test

import (
	"slices"
	"testing"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

func TestThawingALaneGrantsTheQueueInOrderAndWakesIt(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t, ledgertest.WithLanes(1, 2))
	lane := w.Lanes[0]
	w.Submitted("first", "1")
	w.Submitted("second", "1")
	for _, key := range []string{"third", "fourth", "fifth"} {
		s := w.Reserved(key, "1")
		a := w.Allocation(s)
		if got, err := w.Allocate(t.Context(), a, w.Signs(a)); err != nil || got.Outcome != settlement.AllocatedQueue {
			t.Fatalf("%+v %v", got, err)
		}
	}
	move := func(why string) ledger.LaneMove {
		return ledger.LaneMove{ChainID: 1337, Signer: lane.Signer, Actor: "operator", Why: why}
	}
	if changed, err := w.FreezeLane(t.Context(), move("drill")); err != nil || !changed {
		t.Fatal(changed, err)
	}
	if changed, err := w.FreezeLane(t.Context(), move("drill")); err != nil || changed {
		t.Errorf("a second freeze: %v %v", changed, err)
	}
	w.Exec(`UPDATE lanes SET mined_nonce = 2`)
	if _, err := w.ThawLane(t.Context(), move("drill over")); err != nil {
		t.Fatal(err)
	}
	granted := ledgertest.Value[[]string](w, `SELECT array_agg(s.key ORDER BY q.position) FROM queue q JOIN settlements s ON s.id = q.settlement_id WHERE q.lane_id = $1`, lane.ID)
	if !slices.Equal(granted, []string{"third", "fourth"}) {
		t.Errorf("granted %v", granted)
	}
	woken := ledgertest.Value[[]string](w, `SELECT array_agg(stream ORDER BY stream) FROM outbox WHERE destination = 'temporal'`)
	if !slices.Equal(woken, []string{"wake/fourth", "wake/third"}) {
		t.Errorf("woken %v", woken)
	}
	if _, err := w.DrainLane(t.Context(), move("to be removed")); err != nil {
		t.Fatal(err)
	}
	if n := ledgertest.Value[int](w, `SELECT count(*) FROM queue WHERE lane_id IS NOT NULL`); n != 0 {
		t.Errorf("%d grants of a draining lane", n)
	}
	if n := ledgertest.Value[int](w, `SELECT count(*) FROM journal WHERE actor = 'operator'`); n != 3 {
		t.Errorf("%d journal rows", n)
	}
}
