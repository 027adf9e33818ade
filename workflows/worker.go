package workflows

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/quittance/quittance/activities"
)

// WorkerOptions bounds one worker process. DefaultWorkerOptions is a good start. Slots are fixed numbers, not tuned by load:
// what is scarce is connections to Postgres and calls to the nodes, and both are counted.
type WorkerOptions struct {
	Queues       Queues
	Tasks        int           // workflow tasks at once
	ShortSteps   int           // local steps at once: no more than connections to Postgres
	Submissions  int           // submissions at once: no more than calls the nodes allow
	Replacements int           // fee bumps at once, on a queue of their own
	StickyCache  int           // runs kept in memory, for the whole process; 0 leaves the SDK's 10,000. An evicted run is replayed, not lost
	StopTimeout  time.Duration // for steps under way when the worker stops; must be above StepMax
	StallMax     time.Duration // a workflow task that computes for longer counts as stuck, and is tried again

	// Panics: production blocks the run's task until a fixed build comes (a run is never failed by a programmer's error);
	// tests fail the run.
	Panics worker.WorkflowPanicPolicy

	// Deployment turns Worker Versioning on. Without it every worker takes every run, and GetVersion with the replay tests
	// keep old runs alive. With it runs stay pinned to the build that began them; old builds must be kept until drained. A
	// pinned run that waits for days may be terminated at any time: the sweeper resumes it on the current build.
	Deployment *worker.WorkerDeploymentVersion
}

// stallMax is above the SDK's 1 s, which takes a machine that is short of CPU for a stuck task, and below the 10 s after
// which the server gives the task to somebody else. The workflow computes next to nothing; what can be slow is a data
// converter that asks a key server (https://github.com/temporalio/sdk-go/issues/404, W28).
const stallMax = 5 * time.Second

// DefaultWorkerOptions fits a pool of 16 connections.
func DefaultWorkerOptions() WorkerOptions {
	return WorkerOptions{
		Queues: DefaultQueues, Tasks: 200, ShortSteps: 16, Submissions: 32, Replacements: 8,
		StopTimeout: StepMax + 10*time.Second, StallMax: stallMax, Panics: worker.BlockWorkflow,
	}
}

// Check reports every problem at once.
func (o WorkerOptions) Check() error {
	var problems []error
	for name, n := range map[string]int{"short steps": o.ShortSteps, "submissions": o.Submissions, "replacements": o.Replacements} {
		if n < 1 {
			problems = append(problems, fmt.Errorf("%s must be above zero", name))
		}
	}
	if o.Tasks < 2 {
		problems = append(problems, errors.New("tasks must be at least 2, since the SDK alternates between sticky and normal tasks"))
	}
	if o.Queues == "" {
		problems = append(problems, errors.New("queues must not be empty"))
	}
	if o.StopTimeout <= StepMax {
		problems = append(problems, fmt.Errorf("stop timeout %v must be above %v, or a deploy cuts steps off in the middle", o.StopTimeout, StepMax))
	}
	if o.StallMax <= 0 {
		problems = append(problems, errors.New("stall max must be above zero"))
	}
	return errors.Join(problems...)
}

// Workers serves the two task queues of an installation.
type Workers struct {
	settle, replace worker.Worker
	fatal           chan error
}

// NewWorkers makes the workers; they poll from Run on. The cache size is the process's: set it at most once.
func NewWorkers(c client.Client, steps *activities.Activities, o WorkerOptions) (*Workers, error) {
	if err := o.Check(); err != nil {
		return nil, fmt.Errorf("worker options: %w", err)
	}
	if o.StickyCache > 0 {
		worker.SetStickyWorkflowCacheSize(o.StickyCache)
	}
	w := &Workers{fatal: make(chan error, 2)}
	common := worker.Options{
		WorkflowPanicPolicy: o.Panics, WorkerStopTimeout: o.StopTimeout, DeadlockDetectionTimeout: o.StallMax,
		OnFatalError: func(err error) { w.fatal <- err },
	}
	if o.Deployment != nil {
		common.DeploymentOptions = worker.DeploymentOptions{
			UseVersioning: true, Version: *o.Deployment, DefaultVersioningBehavior: workflow.VersioningBehaviorPinned,
		}
	}
	settle := common
	settle.MaxConcurrentWorkflowTaskExecutionSize = o.Tasks
	settle.MaxConcurrentLocalActivityExecutionSize = o.ShortSteps
	settle.MaxConcurrentActivityExecutionSize = o.Submissions
	w.settle = worker.New(c, o.Queues.Settle(), settle)
	w.settle.RegisterWorkflowWithOptions(Settle, workflow.RegisterOptions{Name: WorkflowType})
	for name, step := range map[string]any{"Reserve": steps.Reserve, "Submit": steps.Submit, "Outcome": steps.Outcome} {
		w.settle.RegisterActivityWithOptions(step, activity.RegisterOptions{Name: name})
	}
	replace := common
	replace.DisableWorkflowWorker = true
	replace.MaxConcurrentActivityExecutionSize = o.Replacements
	w.replace = worker.New(c, o.Queues.Replace(), replace)
	for name, step := range map[string]any{"Replace": steps.Replace, "Cancel": steps.Cancel, "Revoke": steps.Revoke} {
		w.replace.RegisterActivityWithOptions(step, activity.RegisterOptions{Name: name})
	}
	return w, nil
}

// Run polls until the context ends or a worker fails for good, then stops: no new tasks, and steps under way get StopTimeout
// to finish. A step that is cut off even so is tried again after its own timeout, by whoever polls then.
func (w *Workers) Run(ctx context.Context) error {
	if err := w.settle.Start(); err != nil {
		return fmt.Errorf("start worker of the settle queue: %w", err)
	}
	if err := w.replace.Start(); err != nil {
		w.settle.Stop()
		return fmt.Errorf("start worker of the replace queue: %w", err)
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-w.fatal:
		err = fmt.Errorf("worker: %w", err)
	}
	var stopping sync.WaitGroup
	for _, one := range []worker.Worker{w.settle, w.replace} {
		stopping.Go(one.Stop)
	}
	stopping.Wait()
	return err
}
