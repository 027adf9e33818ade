package workflows_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"

	"github.com/quittance/quittance/activities/activitiestest"
	"github.com/quittance/quittance/internal/devstack"
	"github.com/quittance/quittance/internal/devstack/stacktest"
	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

// server is the shared real server with workers of this test's own queues.
type server struct {
	*testing.T
	*world
	client    client.Client
	namespace string
	runs      workflows.Runs
	queues    workflows.Queues
	stop      func() // the workers
}

// silent keeps the SDK's words about expected failures out of the tests' output.
var silent = sdklog.NewStructuredLogger(slog.New(slog.NewTextHandler(io.Discard, nil)))

// deadline bounds every wait on a condition. The longest is for the server to delete a run.
const deadline = 3 * time.Minute

func newServer(t *testing.T, name string) *server {
	t.Helper()
	id := strings.ReplaceAll(uuid.NewString(), "-", "")[:12]
	s := &server{T: t, world: newWorld(name + "-" + id), queues: workflows.Queues("test-" + name + "-" + id)}
	s.stop = func() {}
	s.moveTo(stacktest.Temporal(t))
	t.Cleanup(func() { s.stop() })
	return s
}

// moveTo begins to work with a server, which may know nothing of what happened on another.
func (s *server) moveTo(address stacktest.TemporalServer) {
	s.Helper()
	c, err := client.NewLazyClient(client.Options{HostPort: address.Address, Namespace: address.Namespace, Identity: "test", Logger: silent})
	if err != nil {
		s.Fatalf("make a client: %v", err)
	}
	s.patiently("dial temporal", func() error {
		_, err := c.CheckHealth(s.Context(), &client.CheckHealthRequest{})
		return err
	})
	s.Cleanup(c.Close)
	s.client, s.namespace, s.runs = c, address.Namespace, workflows.Runs{Client: c, Queues: s.queues}
	s.startWorkers()
}

// privateTemporal is a server of this test alone, with an empty store.
func privateTemporal(t *testing.T) stacktest.TemporalServer {
	t.Helper()
	private, err := devstack.StartTemporal(t.Context(), t.TempDir(), devstack.TemporalOptions{Log: io.Discard})
	if err != nil {
		t.Fatalf("start a private temporal: %v", err)
	}
	t.Cleanup(func() {
		if err := private.Kill(); err != nil {
			t.Errorf("stop the private temporal: %v", err)
		}
	})
	return stacktest.TemporalServer{Address: private.Address, Namespace: private.Namespace, UIURL: private.UIURL}
}

// startWorkers serves the test's queues until s.stop is called; it may be called again then.
func (s *server) startWorkers() {
	s.Helper()
	options := workflows.DefaultWorkerOptions()
	options.Queues, options.Panics, options.StallMax = s.queues, worker.FailWorkflow, deadline
	workers, err := workflows.NewWorkers(s.client, s.steps, options)
	if err != nil {
		s.Fatalf("make workers: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- workers.Run(ctx) }()
	s.stop = func() {
		cancel()
		if err := <-done; err != nil {
			s.Errorf("workers: %v", err)
		}
		s.stop = func() {}
	}
}

// patiently repeats a call that a busy server did not answer in time. Each of these may be made twice.
func (s *server) patiently(what string, call func() error) {
	s.Helper()
	var err error
	s.eventually(what, func() bool {
		err = call()
		return !workflows.Unreachable(err)
	})
	if err != nil {
		s.Fatalf("%s: %v", what, err)
	}
}

func (s *server) start() (run client.WorkflowRun) {
	s.Helper()
	tries := 0
	s.patiently("start", func() (err error) {
		tries++
		run, err = s.runs.Start(s.Context(), s.input)
		if tries > 1 && errors.Is(err, workflows.ErrAlreadyStarted) { // by the try whose answer was lost
			found, err := s.runs.Find(s.Context(), s.key)
			run = s.client.GetWorkflow(s.Context(), workflows.ID(s.key), found.ID)
			return err
		}
		return err
	})
	return run
}

func (s *server) wake() {
	s.Helper()
	s.patiently("wake", func() error { return s.runs.Wake(s.Context(), s.key) })
}

// eventually waits for a condition.
func (s *server) eventually(what string, condition func() bool) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), deadline)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !condition() {
		select {
		case <-ctx.Done():
			s.Fatalf("%s did not happen within %v", what, deadline)
		case <-tick.C:
		}
	}
}

// asleep waits until the run waits for a signal: no task and no step is under way.
func (s *server) asleep(run client.WorkflowRun) {
	s.Helper()
	s.eventually("the run's sleep", func() (asleep bool) {
		s.patiently("describe", func() error {
			d, err := s.client.DescribeWorkflow(s.Context(), run.GetID(), run.GetRunID())
			if err == nil {
				asleep = d.Status != enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING ||
					d.RawResponse.GetPendingWorkflowTask() == nil && len(d.RawResponse.GetPendingActivities()) == 0 && d.HistoryLength > 4
			}
			return err
		})
		return asleep
	})
}

// end waits for the run's end and returns its result, or the type of its error.
func (s *server) end(run client.WorkflowRun) (out workflows.Result, failed string) {
	s.Helper()
	s.patiently("the run's end", func() error {
		ctx, cancel := context.WithTimeout(s.Context(), deadline)
		defer cancel()
		err := run.GetWithOptions(ctx, &out, client.WorkflowRunGetOptions{DisableFollowingRuns: true})
		if err == nil || workflows.Unreachable(err) {
			return err
		}
		failed = errorType(err)
		return nil
	})
	return out, failed
}

// settle makes the payment final, wakes the run, and expects it to end settled.
func (s *server) settle(run client.WorkflowRun) {
	s.Helper()
	s.asleep(run)
	s.books.Change(s.key, activitiestest.Settled)
	s.wake()
	if out, failed := s.end(run); out.State != settlement.Settled {
		s.Fatalf("the run ended %q %s, want settled", out.State, failed)
	}
}

func (s *server) history(run client.WorkflowRun) *historypb.History {
	s.Helper()
	var history *historypb.History
	s.patiently("read the history", func() error {
		history = &historypb.History{}
		iterator := s.client.GetWorkflowHistory(s.Context(), run.GetID(), run.GetRunID(), false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for iterator.HasNext() {
			event, err := iterator.Next()
			if err != nil {
				return err
			}
			history.Events = append(history.Events, event)
		}
		return nil
	})
	return history
}

func eventNames(history *historypb.History) (names []string) {
	for _, event := range history.GetEvents() {
		names = append(names, event.GetEventType().String())
	}
	return names
}
