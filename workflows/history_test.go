package workflows_test

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/api/temporalproto"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/quittance/quittance/workflows"
)

// go test ./workflows -run TestEveryPathOnARealServer -update writes testdata/histories anew. Do it for a new path, and for
// a command that changed behind workflow.GetVersion; then keep the old file under another name until no such run is left.
var update = flag.Bool("update", false, "write testdata/histories from this run")

const histories = "testdata/histories"

func TestEveryPathOnARealServer(t *testing.T) {
	t.Parallel()
	for _, p := range paths {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, p.name)
			if p.prepare != nil {
				p.prepare(s.world)
			}
			run := s.begin()
			for _, e := range p.events {
				s.asleep(run)
				e.apply(s.world)
				if e.cancel {
					if err := s.client.CancelWorkflow(t.Context(), run.GetID(), run.GetRunID()); err != nil {
						t.Fatalf("cancel: %v", err)
					}
				}
				for i := range e.wakes { // a burst may outlive the run
					if err := s.runs.Wake(t.Context(), s.key); err != nil && (i == 0 || !errors.Is(err, workflows.ErrNoRun)) {
						t.Fatalf("wake: %v", err)
					}
				}
			}
			out, failed := s.end(run)
			p.check(t, s.world, out, failed)
			if *update {
				write(t, p.name, s.history(run))
			}
		})
	}
}

// begin starts the run as Start would, and also with an input that Start refuses: such a run can be started by hand.
func (s *server) begin() client.WorkflowRun {
	s.Helper()
	if _, err := s.input.Decode(); err == nil {
		return s.start()
	}
	run, err := s.client.ExecuteWorkflow(s.Context(), client.StartWorkflowOptions{ID: workflows.ID(s.key), TaskQueue: s.queues.Settle()}, workflows.WorkflowType, s.input)
	if err != nil {
		s.Fatalf("start by hand: %v", err)
	}
	return run
}

func write(t *testing.T, name string, history *historypb.History) {
	t.Helper()
	for _, event := range history.GetEvents() { // the worker's own queue is named after its machine
		if queue := event.GetWorkflowTaskScheduledEventAttributes().GetTaskQueue(); queue.GetKind() == enumspb.TASK_QUEUE_KIND_STICKY {
			queue.Name = "sticky"
		}
	}
	text, err := temporalproto.CustomJSONMarshalOptions{Indent: " "}.Marshal(history)
	if err != nil {
		t.Fatalf("encode history: %v", err)
	}
	if err := os.MkdirAll(histories, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(histories, name+".json"), append(text, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) *historypb.History {
	t.Helper()
	file, err := os.Open(filepath.Join(histories, name+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("path %s has no stored history: go test ./workflows -run 'TestEveryPathOnARealServer/%s' -update", name, name)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	history, err := client.HistoryFromJSON(file, client.HistoryJSONOptions{})
	if err != nil {
		t.Fatalf("decode history: %v", err)
	}
	return history
}

// replay runs a workflow function against a stored history. How long it takes is the machine's business.
func replay(t *testing.T, f any, history *historypb.History) error {
	t.Helper()
	replayer, err := worker.NewWorkflowReplayerWithOptions(worker.WorkflowReplayerOptions{DisableDeadlockDetection: true})
	if err != nil {
		t.Fatal(err)
	}
	replayer.RegisterWorkflowWithOptions(f, workflow.RegisterOptions{Name: workflows.WorkflowType})
	return replayer.ReplayWorkflowHistory(silent, history)
}

// A deploy without versioning stuck 847 payment workflows (https://www.xgrid.co/resources/?p=12195, W1): every stored history
// must replay with the code as it is.
func TestEveryStoredHistoryReplays(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(histories, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		read(t, p.name)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := replay(t, workflows.Settle, read(t, name)); err != nil {
				t.Errorf("an old run of this path would be stuck: %v", err)
			}
		})
	}
}

// https://github.com/temporalio/documentation/issues/5052 (W27) and https://github.com/formancehq/payments/pull/752 (W2): what
// looks harmless breaks old runs. The replay must be able to say so.
func TestAReplayFindsAChangeThatWouldStickOldRuns(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why    string
		before func(workflow.Context)
	}{
		{"another upsert", func(ctx workflow.Context) {
			_ = workflow.UpsertTypedSearchAttributes(ctx, workflows.StateAttribute.ValueSet("submitted"))
		}},
		{"a timer", func(ctx workflow.Context) { _ = workflow.Sleep(ctx, 1) }},
		{"a side effect", func(ctx workflow.Context) {
			workflow.SideEffect(ctx, func(workflow.Context) any { return 1 })
		}},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			changed := func(ctx workflow.Context, in workflows.Input) (workflows.Result, error) {
				row.before(ctx)
				return workflows.Settle(ctx, in)
			}
			if err := replay(t, changed, read(t, "happy")); err == nil {
				t.Error("the replay noticed nothing")
			}
		})
	}
	t.Run("the same behind GetVersion", func(t *testing.T) {
		t.Parallel()
		changed := func(ctx workflow.Context, in workflows.Input) (workflows.Result, error) {
			if workflow.GetVersion(ctx, "a change", workflow.DefaultVersion, 1) == 1 {
				_ = workflow.Sleep(ctx, 1)
			}
			return workflows.Settle(ctx, in)
		}
		if err := replay(t, changed, read(t, "happy")); err != nil {
			t.Errorf("a versioned change broke an old run: %v", err)
		}
	})
}

// The happy path is the cost of every settlement: at most 18 events, and no timer.
func TestTheHappyPathHas18Events(t *testing.T) {
	t.Parallel()
	s := newServer(t, "events")
	run := s.start()
	s.settle(run)
	history := s.history(run)
	if n := len(history.GetEvents()); n > 18 {
		t.Errorf("%d events, want at most 18: %v", n, eventNames(history))
	}
	want := map[enumspb.EventType]int{
		enumspb.EVENT_TYPE_MARKER_RECORDED:                          2, // Reserve and Outcome
		enumspb.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:                  1, // Submit
		enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED:              1,
		enumspb.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES:        1,
		enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED:             1,
		enumspb.EVENT_TYPE_TIMER_STARTED:                            0,
		enumspb.EVENT_TYPE_WORKFLOW_TASK_FAILED:                     0,
		enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED:      0,
		enumspb.EVENT_TYPE_WORKFLOW_PROPERTIES_MODIFIED:             0,
		enumspb.EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_INITIATED: 0,
	}
	got := map[enumspb.EventType]int{}
	for _, event := range history.GetEvents() {
		got[event.GetEventType()]++
	}
	for kind, n := range want {
		if got[kind] != n {
			t.Errorf("%d %s, want %d", got[kind], kind, n)
		}
	}
}
