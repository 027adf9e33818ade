package workflows_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/quittance/quittance/activities/activitiestest"
	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

// failing makes a hook that lets a method pass a few times and then fails it n times.
func failing(method string, n, passes int) func(string) error {
	var mu sync.Mutex
	return func(called string) error {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case called != method || n == 0:
			return nil
		case passes > 0:
			passes--
			return nil
		}
		n--
		return settlement.Errorf(settlement.Transient, "postgres is away")
	}
}

// newEnvironment runs the real steps over the model, with time that skips.
func newEnvironment(t *testing.T, w *world) *testsuite.TestWorkflowEnvironment {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(silent)
	env := suite.NewTestWorkflowEnvironment()
	env.SetStartWorkflowOptions(client.StartWorkflowOptions{ID: workflows.ID(w.key), TaskQueue: workflows.DefaultQueues.Settle()})
	env.SetTestTimeout(deadline)
	env.SetWorkerOptions(worker.Options{DeadlockDetectionTimeout: deadline})
	env.RegisterWorkflowWithOptions(workflows.Settle, workflow.RegisterOptions{Name: workflows.WorkflowType})
	env.RegisterActivity(w.steps)
	return env
}

// https://github.com/temporalio/temporal/issues/1069 (W13): a run that polls was ended by the server at 51,201 events.
func TestARunWhoseHistoryIsLongContinuesAsANewOneFromTheRow(t *testing.T) {
	t.Parallel()
	w := newWorld("aged")
	w.books.Free(1, settlement.WaitLiquidity)
	env := newEnvironment(t, w)
	env.SetContinueAsNewSuggested(true)
	env.ExecuteWorkflow(workflows.WorkflowType, w.input)
	var anew *workflow.ContinueAsNewError
	if !env.IsWorkflowCompleted() || !errors.As(env.GetWorkflowError(), &anew) || anew.WorkflowType.Name != workflows.WorkflowType {
		t.Fatalf("it ended with %v, want a new run", env.GetWorkflowError())
	}
	var input workflows.Input
	if err := converter.GetDefaultDataConverter().FromPayloads(anew.Input, &input); err != nil || input != w.input {
		t.Errorf("the new run gets %+v (%v), want %+v", input, err, w.input)
	}
	if w.row().State != settlement.Waiting {
		t.Errorf("it did not take its step first: %s", w.row().State)
	}

	w.books.Free(1, "")
	env = newEnvironment(t, w) // the new run
	env.RegisterDelayedCallback(func() {
		w.books.Change(w.key, activitiestest.Settled)
		env.SignalWorkflow(workflows.WakeSignal, nil)
	}, quiet)
	env.ExecuteWorkflow(workflows.WorkflowType, input)
	if out, failed := result(t, env); out.State != settlement.Settled || w.books.Calls("hit") != 0 {
		t.Errorf("ended %s %s with %d hits", out.State, failed, w.books.Calls("hit"))
	}
}

// quiet is longer than any retry takes, so that the run sleeps when an event happens.
const quiet = time.Hour

func result(t *testing.T, env *testsuite.TestWorkflowEnvironment) (out workflows.Result, failed string) {
	t.Helper()
	if !env.IsWorkflowCompleted() {
		t.Fatal("the run did not end")
	}
	if err := env.GetWorkflowError(); err != nil {
		return out, errorType(err)
	}
	if err := env.GetWorkflowResult(&out); err != nil {
		t.Fatalf("read the result: %v", err)
	}
	return out, ""
}

func errorType(err error) string {
	var app *temporal.ApplicationError
	if errors.As(err, &app) && app.Type() != "" {
		return app.Type()
	}
	return err.Error()
}

func TestEveryPathEndsRight(t *testing.T) {
	t.Parallel()
	for _, p := range paths {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld("path-" + p.name)
			if p.prepare != nil {
				p.prepare(w)
			}
			env := newEnvironment(t, w)
			for i, e := range p.events {
				env.RegisterDelayedCallback(func() {
					e.apply(w)
					if e.cancel {
						env.CancelWorkflow()
					}
					for range e.wakes {
						env.SignalWorkflow(workflows.WakeSignal, nil)
					}
				}, time.Duration(i+1)*quiet)
			}
			env.ExecuteWorkflow(workflows.WorkflowType, w.input)
			out, failed := result(t, env)
			p.check(t, w, out, failed)
		})
	}
}

// https://github.com/temporalio/temporal/issues/1069 (W13): a run that polled was ended by its history.
func TestAWaitingRunDoesNothingHoweverLongItWaits(t *testing.T) {
	t.Parallel()
	w := newWorld("patient")
	env := newEnvironment(t, w)
	env.SetOnTimerScheduledListener(func(string, time.Duration) { t.Error("the run set a timer") })
	env.RegisterDelayedCallback(func() {
		if got := w.books.Calls("Settlement"); got != 1 {
			t.Errorf("%d reads in half a year of waiting, want the one of Submit", got)
		}
		w.books.Change(w.key, activitiestest.Settled)
		env.SignalWorkflow(workflows.WakeSignal, nil)
	}, 180*24*time.Hour)
	env.ExecuteWorkflow(workflows.WorkflowType, w.input)
	if out, failed := result(t, env); out.State != settlement.Settled {
		t.Errorf("ended %s %s", out.State, failed)
	}
}

// https://github.com/temporalio/sdk-go/issues/1048 and /1624 (W10, W11): a signal was consumed and not handled.
func TestAWakeUpDuringAStepIsAnsweredByAnotherRead(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why, during string
		wakes       int // before the step
	}{
		{"while Submit has allocated and not yet sent", "Allocate", 0},
		{"while Outcome has read and not yet answered", "Settlement", 1},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			w := newWorld("during-" + row.during)
			env := newEnvironment(t, w)
			var once sync.Once
			w.books.After = func(method string) error {
				if method == row.during && w.row().NoncesAllocated > 0 {
					once.Do(func() { // the step has its answer, and does not know of this commit
						w.books.Change(w.key, activitiestest.Settled)
						env.SignalWorkflow(workflows.WakeSignal, nil)
					})
				}
				return nil
			}
			for range row.wakes {
				env.RegisterDelayedCallback(func() { env.SignalWorkflow(workflows.WakeSignal, nil) }, quiet)
			}
			env.ExecuteWorkflow(workflows.WorkflowType, w.input)
			if out, failed := result(t, env); out.State != settlement.Settled {
				t.Errorf("ended %s %s, want settled", out.State, failed)
			}
		})
	}
}

func TestAWakeUpBeforeTheFirstReadCostsNoSecondOne(t *testing.T) {
	t.Parallel()
	w := newWorld("early")
	w.reserve()
	w.submit()
	env := newEnvironment(t, w)
	env.RegisterDelayedCallback(func() { env.SignalWorkflow(workflows.WakeSignal, nil) }, 0)
	env.RegisterDelayedCallback(func() {
		if got := w.books.Calls("Settlement"); got > 2 {
			t.Errorf("%d reads, want at most one after the wake-up", got)
		}
		w.books.Change(w.key, activitiestest.Settled)
		env.SignalWorkflow(workflows.WakeSignal, "a payload that nobody reads")
	}, quiet)
	env.ExecuteWorkflow(workflows.WorkflowType, w.input)
	if out, failed := result(t, env); out.State != settlement.Settled {
		t.Errorf("ended %s %s", out.State, failed)
	}
}

// https://github.com/JiRaska/open-bank-oss/issues/4182 (W15): a run completed in a state that was no end.
func TestNoStepsAnswerMakesARunFinishBeforeTheEnd(t *testing.T) {
	t.Parallel()
	for _, state := range settlement.States {
		if state.Terminal() {
			continue
		}
		t.Run(string(state), func(t *testing.T) {
			t.Parallel()
			w := newWorld("open-" + string(state))
			w.reserve()
			w.submit()
			w.books.Change(w.key, func(s *settlement.Settlement) { s.State = state })
			env := newEnvironment(t, w)
			ended := false
			env.RegisterDelayedCallback(func() { ended = env.IsWorkflowCompleted() }, quiet)
			env.RegisterDelayedCallback(func() {
				w.books.Change(w.key, func(s *settlement.Settlement) {
					s.State, s.Proof, s.Reason = settlement.Cancelled, settlement.ProofRevoked, "x"
				})
				env.SignalWorkflow(workflows.WakeSignal, nil)
			}, 2*quiet)
			env.ExecuteWorkflow(workflows.WorkflowType, w.input)
			if out, failed := result(t, env); ended || out.State != settlement.Cancelled {
				t.Errorf("ended early: %v, at last %s %s", ended, out.State, failed)
			}
		})
	}
}

func TestARunUnderAnotherIDThanItsKeyIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld("right")
	env := newEnvironment(t, w)
	env.SetStartWorkflowOptions(client.StartWorkflowOptions{ID: "wrong"})
	env.ExecuteWorkflow(workflows.WorkflowType, w.input)
	if _, failed := result(t, env); failed != "Invalid" || w.books.Calls("Reserve") != 0 {
		t.Errorf("failed %q after %d reservations, want Invalid and none", failed, w.books.Calls("Reserve"))
	}
}
