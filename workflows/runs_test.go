package workflows_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"github.com/quittance/quittance/activities/activitiestest"
	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

// https://github.com/temporalio/sdk-go/issues/268 (W7): a duplicate start looked like a success.
func TestASecondStartSaysThatItIsOne(t *testing.T) {
	t.Parallel()
	s := newServer(t, "second-start")
	run := s.start()
	s.asleep(run)
	again := func(when string) {
		t.Helper()
		changed := s.input
		changed.Amount = "1"
		for what, input := range map[string]workflows.Input{"same": s.input, "other": changed} {
			if _, err := s.runs.Start(t.Context(), input); !errors.Is(err, workflows.ErrAlreadyStarted) {
				t.Errorf("%s input, %s: %v, want already started", what, when, err)
			}
		}
	}
	again("while it runs")
	if _, err := s.runs.Resume(t.Context(), s.input); !errors.Is(err, workflows.ErrAlreadyStarted) {
		t.Errorf("resume while it runs: %v, want already started", err)
	}
	s.settle(run)
	again("after its end")
	if err := s.runs.Wake(t.Context(), s.key); !errors.Is(err, workflows.ErrNoRun) {
		t.Errorf("wake after the end: %v, want no run", err)
	}
	if got := s.row().NoncesAllocated; got != 1 {
		t.Errorf("%d nonces, want 1", got)
	}
}

// https://github.com/temporalio/temporal/issues/487 (W6) and https://github.com/temporalio/documentation/pull/3014 (O48): the
// same ID ran again after retention. It may run: the row answers.
func TestARunAfterTemporalForgotReturnsTheStoredAnswer(t *testing.T) {
	t.Parallel()
	s := newServer(t, "forgotten")
	first := s.start()
	s.settle(first)
	s.forget(first)
	if out, failed := s.end(s.start()); out.State != settlement.Settled || out.TxHash == nil || *out.TxHash != *s.row().TxHash {
		t.Errorf("ended %s %s with %v, want the stored answer", out.State, failed, out.TxHash)
	}
	if got := s.row().NoncesAllocated; got != 1 || len(s.chain.Broadcasts()) != 1 {
		t.Errorf("%d nonces and %d broadcasts, want 1 and 1", got, len(s.chain.Broadcasts()))
	}
}

// forget deletes a closed run, as retention does. The server takes up to a minute for it.
func (s *server) forget(run client.WorkflowRun) {
	s.Helper()
	_, err := s.client.WorkflowService().DeleteWorkflowExecution(s.Context(), &workflowservice.DeleteWorkflowExecutionRequest{
		Namespace: s.namespace, WorkflowExecution: &commonpb.WorkflowExecution{WorkflowId: run.GetID(), RunId: run.GetRunID()},
	})
	if err != nil {
		s.Fatalf("delete the run: %v", err)
	}
	s.eventually("the deletion", func() bool {
		_, err := s.runs.Find(s.Context(), s.key)
		return errors.Is(err, workflows.ErrNoRun)
	})
}

// Losing Temporal's whole store strands nothing that was accepted, and a duplicate meets the row.
func TestAFreshTemporalStoreGoesOnFromTheRows(t *testing.T) {
	t.Parallel()
	s := newServer(t, "lost")
	run := s.start()
	s.asleep(run)
	s.stop()
	s.moveTo(privateTemporal(t))
	if swept := s.sweep(); swept.Resumed != 1 {
		t.Fatalf("swept %+v, want one resumed", swept)
	}
	resumed := s.client.GetWorkflow(t.Context(), workflows.ID(s.key), "")
	s.settle(resumed)

	s.stop()
	s.moveTo(privateTemporal(t))
	if swept := s.sweep(); swept.Looked != 0 {
		t.Errorf("a settlement that has ended was swept: %+v", swept)
	}
	if out, failed := s.end(s.start()); out.State != settlement.Settled {
		t.Errorf("the same request ended %s %s", out.State, failed)
	}
	s.input.Amount = "1"
	changed, err := s.runs.Resume(t.Context(), s.input)
	if err != nil {
		t.Fatal(err)
	}
	if _, failed := s.end(changed); failed != "Conflict" {
		t.Errorf("another request failed with %q, want Conflict", failed)
	}
	if row := s.row(); row.NoncesAllocated != 1 || len(s.chain.Broadcasts()) != 1 || row.Amount != settlement.NewAmount(12_500_000) {
		t.Errorf("%d nonces, %d broadcasts, amount %s", row.NoncesAllocated, len(s.chain.Broadcasts()), row.Amount)
	}
}

func TestATerminatedRunIsResumedWhereverItWas(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why     string
		prepare func(*world)
		resume  func(*world) // what happened between the two runs
	}{
		{"submitted", nil, nil},
		{"submitted, settled meanwhile", nil, func(w *world) { w.books.Change(w.key, activitiestest.Settled) }},
		{"submitted, reverted meanwhile", nil, func(w *world) { w.books.Change(w.key, activitiestest.Reverted) }},
		{"queued", func(w *world) { w.books.Free(0, "") }, func(w *world) { w.books.Free(1, "") }},
		{"waiting", func(w *world) { w.books.Free(1, settlement.WaitPaused) }, func(w *world) { w.books.Free(1, "") }},
		{"asked for a bump", nil, func(w *world) { w.books.Change(w.key, activitiestest.BumpAsked) }},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, "terminated")
			if row.prepare != nil {
				row.prepare(s.world)
			}
			first := s.start()
			s.asleep(first)
			if err := s.client.TerminateWorkflow(t.Context(), first.GetID(), first.GetRunID(), "by a person"); err != nil {
				t.Fatalf("terminate: %v", err)
			}
			if err := s.runs.Wake(t.Context(), s.key); !errors.Is(err, workflows.ErrNoRun) {
				t.Fatalf("wake a terminated run: %v, want no run", err)
			}
			if row.resume != nil {
				row.resume(s.world)
			}
			second, err := s.runs.Resume(t.Context(), workflows.InputOf(s.row()))
			if err != nil {
				t.Fatalf("resume: %v", err)
			}
			if s.row().State != settlement.Settled {
				s.settle(second)
			} else if out, failed := s.end(second); out.State != settlement.Settled {
				t.Fatalf("ended %s %s", out.State, failed)
			}
			want := 1
			if strings.Contains(row.why, "reverted") {
				want = 2
			}
			if got := s.row().NoncesAllocated; got != want || s.books.Calls("hit") != 0 || len(s.books.Breaches()) != 0 {
				t.Errorf("%d nonces, %d hits, breaches %v; want %d, 0, none", got, s.books.Calls("hit"), s.books.Breaches(), want)
			}
		})
	}
}

func TestAResetRunEndsRightFromAnyPoint(t *testing.T) {
	t.Parallel()
	s := newServer(t, "reset")
	first := s.start()
	s.asleep(first)
	reset := func(base client.WorkflowRun, task int64) client.WorkflowRun {
		t.Helper()
		answer, err := s.client.ResetWorkflowExecution(t.Context(), &workflowservice.ResetWorkflowExecutionRequest{
			Namespace: s.namespace, WorkflowExecution: &commonpb.WorkflowExecution{WorkflowId: base.GetID(), RunId: base.GetRunID()},
			Reason: "test", RequestId: uuid.NewString(), WorkflowTaskFinishEventId: task,
		})
		if err != nil {
			t.Fatalf("reset to event %d: %v", task, err)
		}
		return s.client.GetWorkflow(t.Context(), base.GetID(), answer.GetRunId())
	}
	const firstTask = 4 // the event that ends the first workflow task of every run
	second := reset(first, firstTask)
	s.asleep(second)
	if got := s.row().NoncesAllocated; got != 1 {
		t.Fatalf("%d nonces after the reset, want 1", got)
	}
	s.settle(second)
	points := 0
	for _, base := range []client.WorkflowRun{first, second} { // the first ended by the reset, the second by settling
		for _, event := range s.history(base).GetEvents() {
			if event.GetEventType() != enumspb.EVENT_TYPE_WORKFLOW_TASK_COMPLETED {
				continue
			}
			points++
			again := reset(base, event.GetEventId())
			s.eventually("the end of the reset run", func() bool { // one that sleeps again missed its wake-up: the sweeper's case
				s.sweep()
				found, err := s.runs.Find(t.Context(), s.key)
				return err == nil && !found.Running
			})
			if out, failed := s.end(again); out.State != settlement.Settled {
				t.Errorf("a reset of an ended run to event %d ended %s %s", event.GetEventId(), out.State, failed)
			}
		}
	}
	if points < 4 {
		t.Errorf("%d points to reset to, want at least 4", points)
	}
	for _, hash := range s.chain.Broadcasts() {
		if hash != *s.row().TxHash {
			t.Errorf("sent %s, want only %s", hash, s.row().TxHash)
		}
	}
	if got := s.row().NoncesAllocated; got != 1 || len(s.books.Breaches()) != 0 {
		t.Errorf("%d nonces, breaches %v", got, s.books.Breaches())
	}
}

// https://github.com/formancehq/payments/issues/770 and https://github.com/temporalio/temporal/issues/2695 (W5): an ID above the
// limit of the server's store.
func TestTheLongestKeyStarts(t *testing.T) {
	t.Parallel()
	s := newServer(t, "long")
	s.input.Tenant = strings.Repeat("t", settlement.TenantBytesMax)
	s.input.Key += strings.Repeat("k", settlement.KeyBytesMax-len(s.input.Key))
	s.key = settlement.Key{Tenant: s.input.Tenant, Value: s.input.Key}
	if n := len(workflows.ID(s.key)); n > 255 {
		t.Fatalf("the ID has %d bytes, and Temporal's SQL stores take 255", n)
	}
	s.settle(s.start())
}

func TestTheAnswerToAnInvalidStartNamesTheField(t *testing.T) {
	t.Parallel()
	s := newServer(t, "invalid-start")
	s.input.To = "0x0"
	_, err := s.runs.Start(t.Context(), s.input)
	if settlement.KindOf(err) != settlement.Invalid || !strings.HasPrefix(err.Error(), "to: ") {
		t.Errorf("got %v", err)
	}
}

func TestATemporalThatIsAwayIsToldFromOneThatRefuses(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why  string
		err  error
		away bool
	}{
		{"nothing listens", serviceerror.NewUnavailable("connection refused"), true},
		{"it hangs", serviceerror.NewDeadlineExceeded("slow"), true},
		{"it refuses", serviceerror.NewInvalidArgument("bad"), false},
		{"it has no such run", workflows.ErrNoRun, false},
	} {
		if got := workflows.Unreachable(errors.Join(errors.New("start x"), row.err)); got != row.away {
			t.Errorf("%s: %v, want %v", row.why, got, row.away)
		}
	}
}
