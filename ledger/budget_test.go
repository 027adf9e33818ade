package ledger_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

func (s *chainSim) budget(units string) {
	s.t.Helper()
	var perHour *settlement.Amount
	if units != "" {
		perHour = new(s.Units("USDC", units))
	}
	_, err := s.SetBudget(s.t.Context(), s.USDC.ID, perHour, "olga", "test")
	s.ok(err)
}

// An amount counts for an hour at least, and for a minute more at most. The database's clock moves forward by moving back what
// it has written.
func TestABudgetBoundsWhatIsAllocatedWithinAnHour(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, why string
		story     string // numbers are payments, "+n" lets n minutes pass, "= n" is an operator's new budget
		last      settlement.AllocationOutcome
	}{
		{"within", "the bound itself may be spent", "60 40", settlement.AllocatedNonce},
		{"above", "a base unit more may not", "60 40.000001", settlement.AllocatedWait},
		{"above at once", "no payment is above the whole budget", "100.000001", settlement.AllocatedWait},
		{"59 minutes later", "the hour is not over", "60 +59 41", settlement.AllocatedWait},
		{"62 minutes later", "the hour is over", "60 +62 100", settlement.AllocatedNonce},
		{"the first minute ages alone", "the window slides", "60 +40 40 +22 61", settlement.AllocatedWait},
		{"the first minute ages alone, and its room is used", "the window slides", "60 +40 40 +22 60", settlement.AllocatedNonce},
		{"raised", "an operator made room", "100 =150 50", settlement.AllocatedNonce},
		{"lowered", "what is out stays out, the next waits", "100 =50 1", settlement.AllocatedWait},
		{"taken away", "no bound at all", "100 =none 800", settlement.AllocatedNonce},
		{"taken away and set again", "what was allocated meanwhile counts", "=none 90 =100 11", settlement.AllocatedWait},
		{"set again, and there is room", "only what was allocated counts", "=none 90 =100 10", settlement.AllocatedNonce},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newSim(t, 1, 16)
			s.budget("100")
			var last settlement.Allocated
			for i, step := range strings.Fields(row.story) {
				switch {
				case strings.HasPrefix(step, "+"):
					s.Exec(`UPDATE asset_spending SET minute = minute - $1::interval`, step[1:]+" minutes")
				case step == "=none":
					s.budget("")
				case strings.HasPrefix(step, "="):
					s.budget(step[1:])
				default:
					var err error
					last, err = s.allocate(s.reserve(fmt.Sprint("x", i), "USDC", step))
					s.ok(err)
				}
			}
			if last.Outcome != row.last {
				t.Errorf("%s %s, want %s: %s", last.Outcome, last.Reason, row.last, row.why)
			}
			if last.Outcome == settlement.AllocatedWait && settlement.WaitWord(last.Reason) != settlement.WaitBudget {
				t.Errorf("reason %q", last.Reason)
			}
			s.submit(s.reserve("coin", "ETH", "5")) // others have no budget
			s.check()
		})
	}
}

func TestWhoWaitsForTheBudgetIsWokenWhenRoomComes(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	s.budget("100")
	s.submit(s.reserve("first", "USDC", "70"))
	s.Exec(`UPDATE asset_spending SET minute = minute - interval '10 minutes'`)
	s.submit(s.reserve("second", "USDC", "30"))
	var waiting []settlement.Settlement
	for _, units := range []string{"60", "20", "1"} {
		x := s.reserve("waits "+units, "USDC", units)
		got, err := s.allocate(x)
		if s.ok(err); got.Outcome != settlement.AllocatedWait {
			t.Fatalf("%+v", got)
		}
		waiting = append(waiting, s.patient(x))
	}
	woken := func(want ...int) {
		t.Helper()
		for i, x := range waiting {
			if got := s.wakes(x); got != want[i] {
				t.Errorf("%s was woken %d times, want %d", x.Key, got, want[i])
			}
		}
	}
	s.mine()
	woken(0, 0, 0)
	s.Exec(`UPDATE asset_spending SET minute = minute - interval '52 minutes'`)
	s.mine() // the first 70 are an hour old: 60 fit, 20 and 1 do not besides
	woken(1, 0, 0)
	s.mine()
	woken(1, 0, 0) // once for the room, not at each block
	s.submit(waiting[0])
	s.budget("111") // 21 more than is spent
	woken(1, 1, 1)  // in the operator's own commit
	s.submit(waiting[1])
	s.submit(waiting[2])
	if n := ledgertest.Value[int](s.World, `SELECT count(*) FROM asset_spending`); n > 3 {
		t.Errorf("%d rows are kept", n)
	}
	s.check()
}

func TestSpendingNeverPassesTheBudgetHoweverManyAllocateAtOnce(t *testing.T) {
	t.Parallel()
	s := newSim(t, 2, 500)
	s.budget("25")
	var group sync.WaitGroup
	for part := range 4 {
		var xs []settlement.Settlement
		for i := range 15 {
			xs = append(xs, s.reserve(fmt.Sprintf("x%d-%d", part, i), "USDC", "1"))
		}
		group.Go(func() {
			for _, x := range xs {
				if _, err := s.allocate(x); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if n := ledgertest.Value[int](s.World, `SELECT count(*) FROM transactions`); n != 25 {
		t.Errorf("%d payments of 1, want all of the 25 that the budget allows", n)
	}
}

// The bound is a window over every hour, also between two minutes: no 60 minutes hold more than the budget.
func TestNoHourHoldsMoreThanTheBudget(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 1000)
	type spent struct{ minute, amount int }
	round := 0
	rapid.Check(t, func(rt *rapid.T) {
		round++
		s.Exec(`DELETE FROM asset_spending`)
		budget := rapid.IntRange(1, 50).Draw(rt, "budget")
		s.Exec(`UPDATE assets SET hourly_budget = $1 WHERE id = $2`, budget, s.USDC.ID)
		var all []spent
		now := 0
		for i := range rapid.IntRange(1, 8).Draw(rt, "payments") {
			pass := rapid.IntRange(0, 40).Draw(rt, "minutes")
			now += pass
			s.Exec(`UPDATE asset_spending SET minute = minute - make_interval(mins => $1)`, pass)
			amount := rapid.IntRange(1, 40).Draw(rt, "amount")
			x := s.reserve(fmt.Sprintf("r%d-%d", round, i), "USDC", fmt.Sprintf("0.%06d", amount))
			got, err := s.allocate(x)
			s.ok(err)
			hour, longer := amount, amount // what lies within 59 whole minutes for certain, and within 62
			for _, p := range all {
				if now-p.minute <= 59 {
					hour += p.amount
				}
				if now-p.minute <= 62 {
					longer += p.amount
				}
			}
			switch allocated := got.Outcome == settlement.AllocatedNonce; {
			case allocated && hour > budget:
				rt.Fatalf("%d of %d within an hour", hour, budget)
			case !allocated && longer <= budget:
				rt.Fatalf("refused although %d of %d are spent: %s", longer, budget, got.Reason)
			case allocated:
				all = append(all, spent{now, amount})
			}
		}
	})
}

func TestTheSameBudgetAgainWritesNothing(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 1)
	ten := s.Units("USDC", "10")
	for i, row := range []struct {
		perHour *settlement.Amount
		changes bool
	}{{nil, false}, {&ten, true}, {&ten, false}, {nil, true}, {nil, false}} {
		changed, err := s.SetBudget(t.Context(), s.USDC.ID, row.perHour, "olga", "test")
		if s.ok(err); changed != row.changes {
			t.Errorf("step %d changed: %v", i, changed)
		}
	}
	if n := ledgertest.Value[int](s.World, `SELECT count(*) FROM journal`); n != 2 {
		t.Errorf("%d journal rows", n)
	}
	zero := settlement.NewAmount(0)
	if _, err := s.SetBudget(t.Context(), s.USDC.ID, &zero, "olga", "test"); settlement.KindOf(err) != settlement.Invalid {
		t.Errorf("a budget of nothing: %v", err)
	}
}
