package workflows_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	enumspb "go.temporal.io/api/enums/v1"

	"github.com/quittance/quittance/workflows"
)

// https://github.com/dust-tt/dust/pull/27048 (W23): steps cut off at each deploy, and then the whole timeout until the retry.
func TestAStoppingWorkerFinishesTheStepUnderWay(t *testing.T) {
	t.Parallel()
	s := newServer(t, "stopping")
	reached, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	s.books.After = func(method string) error {
		if method == "Allocate" {
			once.Do(func() { close(reached); <-release })
		}
		return nil
	}
	run := s.start()
	<-reached
	stopped := make(chan struct{})
	stop := s.stop
	go func() { defer close(stopped); stop() }()
	select {
	case <-stopped:
		t.Fatal("the worker stopped in the middle of a step")
	case <-time.After(100 * time.Millisecond):
	}
	close(release)
	<-stopped
	s.eventually("the step's result", func() bool {
		for _, event := range s.history(run).GetEvents() {
			if event.GetEventType() == enumspb.EVENT_TYPE_ACTIVITY_TASK_COMPLETED {
				return true
			}
		}
		return false
	})
	s.startWorkers()
	s.settle(run)
	if got := s.row().NoncesAllocated; got != 1 || len(s.chain.Broadcasts()) != 1 {
		t.Errorf("%d nonces and %d broadcasts, want 1 and 1", got, len(s.chain.Broadcasts()))
	}
}

func TestWorkerOptionsReportEveryProblemAtOnce(t *testing.T) {
	t.Parallel()
	if err := workflows.DefaultWorkerOptions().Check(); err != nil {
		t.Errorf("the defaults are wrong: %v", err)
	}
	err := workflows.WorkerOptions{StopTimeout: workflows.StepMax}.Check()
	if err == nil {
		t.Fatal("nothing was reported")
	}
	for _, name := range []string{"tasks", "short steps", "submissions", "replacements", "queues", "stop timeout", "stall max"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not reported: %v", name, err)
		}
	}
}
