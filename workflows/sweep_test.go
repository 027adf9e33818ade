package workflows_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"testing"
	"time"

	enumspb "go.temporal.io/api/enums/v1"

	"github.com/quittance/quittance/activities/activitiestest"
	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

func (s *server) sweeper() *workflows.Sweeper {
	return &workflows.Sweeper{
		Books: s.books, Runs: s.runs, Batch: 10, Interval: 10 * time.Millisecond, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}
}

func (s *server) sweep() workflows.Swept {
	s.Helper()
	s.books.Unsweep()
	swept, err := s.sweeper().RunOnce(s.Context())
	if err != nil {
		s.Fatalf("sweep: %v", err)
	}
	return swept
}

func TestTheSweeperResumesASettlementWithoutARun(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why  string
		lose func(*server)
	}{
		{"terminated by a person", func(s *server) {
			run := s.start()
			s.asleep(run)
			if err := s.client.TerminateWorkflow(s.Context(), run.GetID(), "", "by a person"); err != nil {
				s.Fatal(err)
			}
		}},
		{"Temporal's store is fresh", func(s *server) { s.reserve() }},
		{"a run that meant something else was the last", func(s *server) {
			s.reserve()
			right := s.input
			s.input.Amount = "1"
			if _, failed := s.end(s.start()); failed != "Conflict" {
				s.Fatalf("failed with %q", failed)
			}
			s.input = right
		}},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, "swept")
			row.lose(s)
			if swept := s.sweep(); swept.Resumed != 1 {
				t.Fatalf("swept %+v, want one resumed", swept)
			}
			run := s.client.GetWorkflow(t.Context(), workflows.ID(s.key), "")
			s.eventually("the nonce", func() bool { return s.row().State == settlement.Submitted })
			if swept := s.sweep(); swept.Resumed != 0 || swept.Woken != 0 {
				t.Errorf("a second sweep acted: %+v", swept)
			}
			s.asleep(run)
			s.books.Change(s.key, activitiestest.Settled)
			s.wake()
			if out, failed := s.end(run); out.State != settlement.Settled || s.row().NoncesAllocated != 1 || s.books.Calls("hit") != 0 {
				t.Errorf("ended %s %s with %d nonces and %d hits", out.State, failed, s.row().NoncesAllocated, s.books.Calls("hit"))
			}
		})
	}
}

func TestTheSweeperWakesARunThatMissedItsWakeUp(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why    string
		change func(*settlement.Settlement)
		state  settlement.State
	}{
		{"its settlement has ended", activitiestest.Settled, settlement.Settled},
		{"its payment reverted for good", activitiestest.Reverted, settlement.Submitted},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, "missed")
			run := s.start()
			s.asleep(run)
			s.books.Change(s.key, row.change) // and no wake-up
			woken := 0
			s.eventually("a sweep that sees the run", func() bool { // Temporal's list lags behind its runs
				woken += s.sweep().Woken
				return woken > 0
			})
			if row.state.Terminal() {
				if out, failed := s.end(run); out.State != row.state {
					t.Errorf("ended %s %s", out.State, failed)
				}
				return
			}
			s.eventually("the second nonce", func() bool { return s.row().NoncesAllocated == 2 })
			s.settle(run)
		})
	}
}

func TestTheSweeperLeavesARunAloneThatWaitsRightly(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why     string
		prepare func(*world)
		state   settlement.State
		change  func(*settlement.Settlement)
	}{
		{why: "submitted", state: settlement.Submitted},
		{why: "mined", state: settlement.Submitted, change: activitiestest.Mined},
		{why: "queued", prepare: func(w *world) { w.books.Free(0, "") }, state: settlement.Queued},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, "waits")
			if row.prepare != nil {
				row.prepare(s.world)
			}
			run := s.start()
			s.asleep(run)
			if got := s.row().State; got != row.state {
				t.Fatalf("it waits in %s, want %s", got, row.state)
			}
			if row.change != nil {
				s.books.Change(s.key, row.change)
			}
			before := len(s.history(run).GetEvents())
			for range 3 {
				if swept := s.sweep(); swept.Resumed+swept.Woken != 0 {
					t.Errorf("swept %+v", swept)
				}
			}
			if after := len(s.history(run).GetEvents()); after != before {
				t.Errorf("the history grew from %d to %d events", before, after)
			}
		})
	}
}

// A wake-up per sweep would fill the history of a run whose step is being tried again: https://github.com/temporalio/temporal/issues/1069 (W13).
func TestTheSweeperLeavesARunAloneWhoseStepIsBeingTriedAgain(t *testing.T) {
	t.Parallel()
	s := newServer(t, "outage")
	const forever = 1_000_000
	s.books.Before = failing("Allocate", forever, 0)
	run := s.start()
	s.eventually("a failed try", func() bool {
		found, err := s.runs.Find(t.Context(), s.key)
		if err != nil {
			t.Fatal(err)
		}
		return found.Busy && s.row().State == settlement.Requested
	})
	for range 3 {
		if swept := s.sweep(); swept.Resumed+swept.Woken != 0 {
			t.Errorf("swept %+v", swept)
		}
	}
	for _, name := range eventNames(s.history(run)) {
		if name == enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED.String() {
			t.Error("the run was woken")
		}
	}
}

// https://github.com/riverqueue/river/issues/1258 (O18): a page full of what cannot be rescued hid the rest.
func TestOneBadSettlementDoesNotKeepTheSweeperFromTheOthers(t *testing.T) {
	t.Parallel()
	s := newServer(t, "bad")
	s.reserve()
	bad := s.input
	bad.Key += "-bad"
	if _, err := s.steps.Reserve(context.Background(), bad); err != nil {
		t.Fatal(err)
	}
	s.books.Change(settlement.Key{Tenant: settlement.DefaultTenant, Value: bad.Key}, func(row *settlement.Settlement) { row.RequestID = "" })
	swept, err := s.sweeper().RunOnce(t.Context())
	if settlement.KindOf(err) != settlement.Invalid || swept.Resumed != 1 || swept.Looked < 2 {
		t.Errorf("swept %+v with %v, want the good one resumed and the bad one told", swept, err)
	}
	if left, err := s.books.Stuck(t.Context(), 0, 10); err != nil || len(left) != 0 {
		t.Errorf("%v are still in front (%v)", left, err)
	}
}

func TestTheSweeperDropsStoredAnswersThatArePastTheirTime(t *testing.T) {
	t.Parallel()
	s := newServer(t, "expired")
	s.books.Expired = 2500
	s.sweep()
	if left, calls := s.books.Expired, s.books.Calls("ExpireSnapshots"); left != 0 || calls != 3 {
		t.Errorf("%d are left after %d batches, want none after 3", left, calls)
	}
	s.books.Expired = 1_000_000 // a backlog of years must not keep the sweeper from settlements
	s.sweep()
	if calls := s.books.Calls("ExpireSnapshots"); calls != 3+20 {
		t.Errorf("%d batches in one round, want 20", calls-3)
	}
}

func TestTheSweeperGoesOnAfterAFailedRoundAndStopsWithItsContext(t *testing.T) {
	t.Parallel()
	s := newServer(t, "rounds")
	s.reserve()
	s.books.Before = failing("Stuck", 2, 0)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.sweeper().Run(ctx) }()
	s.eventually("a resumed run", func() bool {
		_, err := s.runs.Find(t.Context(), s.key)
		return err == nil
	})
	cancel()
	if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("run: %v", err)
	}
}
