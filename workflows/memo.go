package workflows

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/converter"

	"github.com/quittance/quittance/settlement"
)

// Memo is what a run carries of its request's meaning: enough to answer a duplicate while the row is not there yet, too
// little to learn the request from.
type Memo struct {
	Version     int                `json:"version"`
	Fingerprint string             `json:"fingerprint"` // hex
	Digests     settlement.Digests `json:"digests"`
	RequestID   string             `json:"request_id"`
}

// memoField is the memo's only field.
const memoField = "request"

func newMemo(r settlement.Reservation) (Memo, error) {
	fingerprint, err := r.Fingerprint(settlement.FingerprintVersion)
	if err != nil {
		return Memo{}, err
	}
	digests, err := r.FieldDigests(settlement.FingerprintVersion)
	if err != nil {
		return Memo{}, err
	}
	return Memo{
		Version: settlement.FingerprintVersion, Fingerprint: hex.EncodeToString(fingerprint[:]), Digests: digests, RequestID: r.RequestID,
	}, nil
}

func (m Memo) fields() map[string]any { return map[string]any{memoField: m} }

// Differing names the fields in which a request differs from the run's, sorted; none means the same request. It recomputes
// with the memo's version, so a newer build does not call an old request different.
func (m Memo) Differing(r settlement.Request) ([]string, error) {
	fingerprint, err := r.Fingerprint(m.Version)
	if err != nil {
		return nil, err
	}
	if hex.EncodeToString(fingerprint[:]) == m.Fingerprint {
		return nil, nil
	}
	digests, err := r.FieldDigests(m.Version)
	if err != nil {
		return nil, err
	}
	return m.Digests.Differing(digests), nil
}

// Run is the newest run of a settlement as Temporal knows it.
type Run struct {
	ID      string // of the run; the workflow's ID is the key
	Running bool
	Busy    bool // a step is under way or being tried again: it reads the row by itself
	Status  enumspb.WorkflowExecutionStatus
	Memo    Memo
	Queue   string // the task queue that its workers poll
}

// Stuck says why a running run may make no progress, for people: it is on a queue of another installation, or no worker polls.
// It is empty if neither is so, or if Temporal does not say.
func (r Runs) Stuck(ctx context.Context, run Run) string {
	if ours := r.queues().Settle(); run.Queue != ours {
		return fmt.Sprintf("its run waits on task queue %q, this installation's is %q", run.Queue, ours)
	}
	polled, err := r.Client.DescribeTaskQueue(ctx, run.Queue, enumspb.TASK_QUEUE_TYPE_WORKFLOW)
	if err == nil && len(polled.GetPollers()) == 0 {
		return fmt.Sprintf("no worker polls its task queue %q", run.Queue)
	}
	return ""
}

// Find describes the newest run of a settlement, running or closed. ErrNoRun: there is none, or Temporal has forgotten it.
func (r Runs) Find(ctx context.Context, key settlement.Key) (Run, error) {
	described, err := r.Client.DescribeWorkflow(ctx, ID(key), "")
	var gone *serviceerror.NotFound
	if errors.As(err, &gone) {
		return Run{}, fmt.Errorf("find the run of %s: %w", key, ErrNoRun)
	}
	if err != nil {
		return Run{}, fmt.Errorf("find the run of %s: %w", key, err)
	}
	run := Run{
		ID: described.WorkflowExecution.RunID, Status: described.Status,
		Running: described.Status == enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING,
		Busy:    len(described.RawResponse.GetPendingActivities()) > 0,
		Queue:   described.RawResponse.GetExecutionConfig().GetTaskQueue().GetName(),
	}
	payload, found := described.Memo.GetFields()[memoField]
	if !found { // started by hand
		return run, nil
	}
	decode := r.Converter
	if decode == nil {
		decode = converter.GetDefaultDataConverter()
	}
	if err := decode.FromPayload(payload, &run.Memo); err != nil {
		return Run{}, fmt.Errorf("read the memo of %s: %w", key, err)
	}
	return run, nil
}
