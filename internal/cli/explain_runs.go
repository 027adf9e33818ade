package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"

	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

// runView is one run of a settlement's workflow.
type runView struct {
	RunID     string     `json:"run_id"`
	Status    string     `json:"status"`
	StartedAt string     `json:"started_at"`
	ClosedAt  string     `json:"closed_at,omitempty"`
	Events    int64      `json:"history_events"`
	TaskQueue string     `json:"task_queue"`
	Steps     []stepView `json:"pending_steps,omitempty"` // activities under way or being tried again
	Failure   string     `json:"failure,omitempty"`       // why a closed run did not complete
	URL       string     `json:"url,omitempty"`
}

type stepView struct {
	Activity string `json:"activity"`
	Attempt  int32  `json:"attempt"`
	Failure  string `json:"last_failure,omitempty"`
}

// runsMax bounds how many runs are looked at: one is the rule, each resume adds one.
const runsMax = 500

// history lists the runs that Temporal remembers, oldest first, and notes what it could not tell. The newest is described by
// its ID, which is exact; older ones come from the index of runs, which may lag by a second.
func (s *session) history(ctx context.Context, key settlement.Key) (found []runView, notes []string) {
	found = []runView{}
	runs, err := s.runs(ctx)
	if err != nil {
		return found, []string{"the workflow's runs are not known: " + oneLine(err)}
	}
	id := workflows.ID(key)
	newest, err := s.describe(ctx, runs, id)
	var gone *serviceerror.NotFound
	switch {
	case errors.As(err, &gone):
		return found, nil // never started, or forgotten after Temporal's retention
	case err != nil:
		return found, []string{"the workflow's runs are not known: " + oneLine(err)}
	}
	page, err := runs.Client.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{PageSize: runsMax, Query: runsOf(id)})
	if err != nil {
		return []runView{newest}, []string{"older runs of the workflow are not known: " + oneLine(err)}
	}
	if len(page.GetNextPageToken()) > 0 {
		notes = append(notes, fmt.Sprintf("older runs of the workflow may be missing: only the newest %d of the list were looked at", runsMax))
	}
	for _, run := range page.GetExecutions() {
		if run.GetExecution().GetWorkflowId() != id || run.GetExecution().GetRunId() == newest.RunID {
			continue
		}
		view := runView{RunID: run.GetExecution().GetRunId(), Status: run.GetStatus().String(), StartedAt: stamp(run.GetStartTime().AsTime()),
			Events: run.GetHistoryLength(), TaskQueue: run.GetTaskQueue(), URL: s.runURL(run.GetExecution())}
		if run.GetCloseTime() != nil {
			view.ClosedAt = stamp(run.GetCloseTime().AsTime())
		}
		view.Failure = failureOf(ctx, runs, id, view)
		found = append(found, view)
	}
	slices.SortStableFunc(found, func(a, b runView) int { return strings.Compare(a.StartedAt, b.StartedAt) })
	return append(found, newest), notes
}

func (s *session) describe(ctx context.Context, runs workflows.Runs, id string) (runView, error) {
	described, err := runs.Client.DescribeWorkflow(ctx, id, "")
	if err != nil {
		return runView{}, err
	}
	d := described.RawResponse
	info := d.GetWorkflowExecutionInfo()
	v := runView{RunID: info.GetExecution().GetRunId(), Status: info.GetStatus().String(), StartedAt: stamp(info.GetStartTime().AsTime()),
		Events: info.GetHistoryLength(), TaskQueue: info.GetTaskQueue(), URL: s.runURL(info.GetExecution())}
	if info.GetCloseTime() != nil {
		v.ClosedAt = stamp(info.GetCloseTime().AsTime())
	}
	for _, p := range d.GetPendingActivities() {
		v.Steps = append(v.Steps, stepView{p.GetActivityType().GetName(), p.GetAttempt(), p.GetLastFailure().GetMessage()})
	}
	v.Failure = failureOf(ctx, runs, id, v)
	return v, nil
}

// failureOf asks why a closed run did not complete.
func failureOf(ctx context.Context, runs workflows.Runs, id string, v runView) string {
	if v.Status == enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING.String() || v.Status == enumspb.WORKFLOW_EXECUTION_STATUS_COMPLETED.String() {
		return ""
	}
	if err := runs.Client.GetWorkflow(ctx, id, v.RunID).Get(ctx, nil); err != nil {
		return oneLine(err)
	}
	return ""
}

// runURL is the run's page in Temporal's Web UI, if its address is configured.
func (s *session) runURL(e *commonpb.WorkflowExecution) string {
	if s.config.UIURL == "" {
		return ""
	}
	return fmt.Sprintf("%s/namespaces/%s/workflows/%s/%s/history", strings.TrimRight(s.config.UIURL, "/"), url.PathEscape(s.config.Namespace),
		url.PathEscape(e.GetWorkflowId()), e.GetRunId())
}

// runsOf filters Temporal's list by an ID, or by what comes before the first character that its filter cannot express: the
// server escapes quotes and backslashes in a literal a second time, and then finds nothing.
func runsOf(id string) string {
	if i := strings.IndexAny(id, "'\"\\"); i >= 0 {
		return "WorkflowId STARTS_WITH '" + id[:i] + "'"
	}
	return "WorkflowId = '" + id + "'"
}

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z07:00") }

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
