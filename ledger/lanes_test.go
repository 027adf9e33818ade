package ledger_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// lane moves by name.
func (s *chainSim) moveLane(verb string, lane int, seen *int) (bool, error) {
	act := map[string]func(context.Context, ledger.LaneMove) (bool, error){
		"freeze": s.FreezeLane, "drain": s.DrainLane, "thaw": s.ThawLane, "activate": s.ActivateLane, "remove": s.RemoveLane,
	}[verb]
	return act(s.t.Context(), ledger.LaneMove{ChainID: 1337, Signer: s.lanes[lane], Actor: "olga", Why: verb, Seen: seen})
}

func (s *chainSim) report(lane int) ledger.LaneReport {
	s.t.Helper()
	reports, err := s.LaneReports(s.t.Context(), 1337)
	s.ok(err)
	return reports[lane]
}

func TestEachMoveOfALaneBeginsWhereItMay(t *testing.T) {
	t.Parallel()
	const changes, same, refused = "changes", "same", "refused"
	for _, row := range []struct {
		from              string // the moves before
		freeze, drain     string
		thaw, activate    string
		remove, takesPays string
	}{
		{"", changes, changes, same, same, changes, changes},
		{"freeze", same, changes, changes, refused, changes, refused},
		{"drain", changes, same, refused, changes, changes, refused},
		{"remove", refused, refused, refused, changes, same, refused},
	} {
		for verb, want := range map[string]string{"freeze": row.freeze, "drain": row.drain, "thaw": row.thaw, "activate": row.activate, "remove": row.remove} {
			t.Run(row.from+" then "+verb, func(t *testing.T) {
				t.Parallel()
				s := newSim(t, 1, 4)
				if row.from != "" {
					_, err := s.moveLane(row.from, 0, nil)
					s.ok(err)
				}
				if got, err := s.allocate(s.reserve("x", "USDC", "1")); row.takesPays == refused && (err != nil || settlement.WaitWord(got.Reason) != settlement.WaitLane) {
					t.Errorf("%+v %v", got, err)
				} else if row.takesPays == changes {
					s.finalize(s.mine(s.reverts(*got.Transaction)).Number)
				}
				journal := ledgertest.Value[int](s.World, `SELECT count(*) FROM journal WHERE actor = 'olga'`)
				changed, err := s.moveLane(verb, 0, nil)
				got := same
				switch {
				case settlement.KindOf(err) == settlement.Invalid:
					got = refused
				case err != nil:
					t.Fatal(err)
				case changed:
					got = changes
				}
				if got != want {
					t.Errorf("%s (%v), want %s", got, err, want)
				}
				if after := ledgertest.Value[int](s.World, `SELECT count(*) FROM journal WHERE actor = 'olga'`); (after > journal) != (got == changes) {
					t.Errorf("%s, and %d journal rows became %d", got, journal, after)
				}
			})
		}
	}
}

func TestALaneIsRemovedOnlyWhenNothingOfItIsOutAndStaysWatched(t *testing.T) {
	t.Parallel()
	s := newSim(t, 2, 1)
	x := s.reserve("x", "USDC", "1")
	n := s.submit(x)
	lane := 0
	if n.Signer == s.lanes[1] {
		lane = 1
	}
	if _, err := s.moveLane("remove", lane, nil); settlement.KindOf(err) != settlement.Invalid || !strings.Contains(err.Error(), "1 nonces") {
		t.Fatalf("removed with a nonce out: %v", err)
	}
	_, err := s.moveLane("drain", lane, nil)
	s.ok(err)
	block := s.mine(s.pays(x, n))
	if _, err := s.moveLane("remove", lane, nil); settlement.KindOf(err) != settlement.Invalid {
		t.Fatalf("removed before its block is final: %v", err)
	}
	s.finalize(block.Number)
	s.wantState(x, settlement.Settled)
	_, err = s.moveLane("remove", lane, nil)
	s.ok(err)
	s.finalize(s.mine(s.foreign(lane, n.Nonce+1, s.Units("ETH", "1"))).Number)
	r := s.report(lane)
	if r.State != settlement.LaneRemoved || len(r.Foreign) != 1 || r.Foreign[0].State != ledger.ForeignFinal || r.Foreign[0].Open() {
		t.Errorf("%+v", r)
	}
	if got := ledgertest.Value[int](s.World, `SELECT next_nonce FROM lanes WHERE id = $1`, r.ID); got != int(n.Nonce)+2 {
		t.Errorf("next nonce %d: what the chain consumed is never ours to take", got)
	}
	s.check()
}

// The report is what an operator must have read before a key that somebody else may have is used again.
func TestALaneThawsAfterAReport(t *testing.T) {
	t.Parallel()
	s := newSim(t, 2, 4)
	x := s.reserve("x", "USDC", "1")
	n := s.submit(x)
	lane := 0
	if n.Signer == s.lanes[1] {
		lane = 1
	}
	before := s.mine()
	theft := s.foreign(lane, n.Nonce, s.Units("ETH", "3"))
	s.mine(theft)
	r := s.report(lane)
	want := []ledger.Loser{{Tenant: "default", Key: "x", State: settlement.Submitted}}
	if f := r.Foreign; r.State != settlement.LaneFrozen || len(f) != 1 || f[0].State != ledger.ForeignMined || f[0].Ours != settlement.KindPay || !f[0].InHand ||
		f[0].Value != s.Units("ETH", "3") || f[0].Nonce != n.Nonce || f[0].Hash != theft.hash || !cmp.Equal(f[0].Losers, want) {
		t.Fatalf("%+v", r)
	}
	refused := func(seen *int, why string) {
		t.Helper()
		if changed, err := s.moveLane("thaw", lane, seen); settlement.KindOf(err) != settlement.Invalid || changed {
			t.Errorf("thawed %s: %v %v", why, changed, err)
		}
	}
	refused(nil, "although it is not final")
	refused(new(0), "by a report that does not show it")
	refused(new(2), "by another report")

	// A reorg takes it away: it may come back, so it is in doubt as before.
	s.rewind(before)
	s.mine()
	if f := s.report(lane).Foreign; len(f) != 1 || f[0].State != ledger.ForeignOrphaned || !f[0].Open() {
		t.Fatalf("%+v", f)
	}
	refused(nil, "although it may come back")
	block := s.mine(theft, s.foreign(lane, n.Nonce+1, s.Units("ETH", "1")))
	refused(new(1), "by a report that is out of date")
	s.finalize(block.Number)
	f := s.report(lane).Foreign
	if len(f) != 2 || f[0].Open() || f[1].Open() || f[1].Ours != "" || f[0].Losers[0].State != settlement.Requested {
		t.Fatalf("%+v", f)
	}
	again := s.submit(x) // the other lane pays it, by a nonce of its own
	s.finalize(s.mine(s.pays(x, again)).Number)
	if f := s.report(lane).Foreign; f[0].Losers[0].State != settlement.Settled || *f[0].Losers[0].TxHash != again.Newest.Hash {
		t.Errorf("the report does not say what became of it: %+v", f[0])
	}
	refused(new(1), "by a number that is wrong")
	if changed, err := s.moveLane("thaw", lane, nil); err != nil || !changed {
		t.Errorf("all is final, and it does not thaw: %v", err)
	}
	if got := ledgertest.Value[string](s.World, `SELECT details ->> 'foreign' FROM journal WHERE action = 'thaw lane'`); got != "2" {
		t.Errorf("the journal says %s foreign transactions", got)
	}
	entries, err := s.LaneJournal(t.Context(), s.lanes[lane])
	if s.ok(err); len(entries) < 5 || entries[len(entries)-1].Action != "thaw lane" {
		t.Errorf("journal %+v", entries)
	}
	s.check()
}

func TestAnOperatorMayThawWhatIsInDoubtAfterTheReportAndNobodyIsPaidTwice(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 4)
	block := s.mine(s.foreign(0, 0, s.Units("ETH", "1")))
	x := s.reserve("x", "USDC", "1")
	if got, err := s.allocate(x); err != nil || settlement.WaitWord(got.Reason) != settlement.WaitLane {
		t.Fatalf("%+v %v", got, err)
	}
	changed, err := s.moveLane("thaw", 0, new(1))
	if s.ok(err); !changed || s.wakes(x) != 1 {
		t.Fatalf("changed %v, woken %d times", changed, s.wakes(x))
	}
	// The nonce that it gets is the one that was stolen: when that is final, it gets another.
	lost := s.submit(x)
	s.finalize(block.Number)
	if lost.Nonce != 0 {
		t.Fatalf("nonce %d: a reorg may give back the one that was stolen, and a hole would jam the lane", lost.Nonce)
	}
	s.wantState(x, settlement.Requested)
	n := s.submit(x)
	s.finalize(s.mine(s.pays(x, n)).Number)
	s.wantState(x, settlement.Settled)
	s.check()
}
