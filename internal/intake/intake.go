// Package intake takes requests in: it turns text into a request, starts its workflow, and tells a new request from a
// repeated one and from another meaning of the same key. CLI, import and API share it, so that all give the same answers.
// It wires ledger and workflows, and must never write money.
package intake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"go.temporal.io/sdk/temporal"

	"github.com/quittance/quittance/activities"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

// Intake is safe for concurrent use.
type Intake struct {
	Ledger *ledger.Ledger
	Runs   workflows.Runs
	Desk   *Desk
}

// Answer is what became of a request: the settlement as its row says, and whether the key was new.
type Answer struct {
	Settlement settlement.Settlement
	Outcome    ledger.Outcome
}

const (
	rowPollMin = 10 * time.Millisecond
	rowPollMax = 250 * time.Millisecond
	// runLookAfter is how long a row may be missing before its run is asked whether it ended without one.
	runLookAfter = 2 * time.Second
)

// Submit takes a request in and returns once Reserve has committed. Again with the same meaning it returns the stored
// settlement, whether that runs, has ended, or Temporal has forgotten it; another meaning is an error of kind Conflict that
// names the fields. An error of kind Unknown (the context ended first, Temporal did not answer) means that the request may
// have been accepted: repeat it with the same key.
func (i *Intake) Submit(ctx context.Context, r settlement.Request) (Answer, error) {
	started, answer, err := i.Begin(ctx, r)
	if err != nil || answer != nil {
		return deref(answer), err
	}
	return i.Accepted(ctx, r, started)
}

func deref(a *Answer) Answer {
	if a == nil {
		return Answer{}
	}
	return *a
}

// Begin starts the request's run and does not wait for its row: the caller looks with Accepted, or later for many at once. A
// key whose row is there already is answered at once.
func (i *Intake) Begin(ctx context.Context, r settlement.Request) (requestID string, answer *Answer, err error) {
	requestID = uuid.NewString()
	input := activities.NewRequest(settlement.Reservation{Request: r, RequestID: requestID, Vault: i.Desk.Vault})
	_, err = i.Runs.Start(ctx, input)
	switch {
	case err == nil:
		return requestID, nil, nil
	case errors.Is(err, workflows.ErrAlreadyStarted):
		return i.duplicate(ctx, r, input)
	case settlement.KindOf(err) == settlement.Invalid:
		return "", nil, err
	}
	return "", nil, notKnown(r.Key, err)
}

// notKnown is the answer while Temporal does not say whether it took a request.
func notKnown(key settlement.Key, err error) error {
	return settlement.Errorf(settlement.Unknown, "submit %s: whether Temporal took it is not known, repeat it with the same key: %w", key, err)
}

// duplicate answers from the row, or from the run's memo while there is no row. A closed run without a row never reserved: a
// request that means the same starts it again.
func (i *Intake) duplicate(ctx context.Context, r settlement.Request, input workflows.Input) (string, *Answer, error) {
	s, outcome, err := i.Ledger.Answer(ctx, r)
	switch {
	case err == nil:
		return "", &Answer{s, outcome}, nil
	case settlement.KindOf(err) != settlement.NotFound:
		return "", nil, err
	}
	run, err := i.Runs.Find(ctx, r.Key)
	if err != nil {
		return "", nil, notKnown(r.Key, err)
	}
	fields, err := run.Memo.Differing(r)
	if err != nil {
		return "", nil, settlement.Errorf(settlement.Unknown, "submit %s: compare with its run: %w", r.Key, err)
	}
	if len(fields) > 0 {
		return "", nil, errors.Join(&settlement.Error{Kind: settlement.Conflict, Fields: fields}, i.Ledger.Count(ctx, ledger.OutcomeConflict))
	}
	if run.Running {
		return run.Memo.RequestID, nil, i.Ledger.Count(ctx, ledger.OutcomeInProgress)
	}
	if _, err := i.Runs.Resume(ctx, input); err != nil && !errors.Is(err, workflows.ErrAlreadyStarted) {
		return "", nil, notKnown(r.Key, err)
	}
	return input.RequestID, nil, nil
}

// Accepted waits for the row of a request that Begin started, until the context ends; also while Postgres does not answer, for
// the request may be accepted as soon as it does.
func (i *Intake) Accepted(ctx context.Context, r settlement.Request, requestID string) (Answer, error) {
	begun, last := time.Now(), error(nil)
	for pause := rowPollMin; ; pause = min(2*pause, rowPollMax) {
		s, err := i.Ledger.Settlement(ctx, r.Key)
		switch {
		case err == nil:
			return Compare(s, r, requestID)
		case ctx.Err() != nil:
			return Answer{}, i.notAccepted(ctx, r.Key, cmp.Or(last, context.Cause(ctx)))
		case settlement.KindOf(err) == settlement.Transient:
			last = err
		case settlement.KindOf(err) == settlement.NotFound:
			last = nil
		default:
			return Answer{}, err
		}
		if time.Since(begun) > runLookAfter {
			begun = time.Now()
			if err := i.endedWithoutRow(ctx, r.Key); err != nil {
				return Answer{}, err
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// stuckMax bounds the look for a reason when the caller's time is over.
const stuckMax = 2 * time.Second

// notAccepted is the answer for a request that waits in Temporal: it may be accepted at any time.
func (i *Intake) notAccepted(ctx context.Context, key settlement.Key, cause error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stuckMax)
	defer cancel()
	if run, err := i.Runs.Find(ctx, key); err == nil && run.Running {
		if why := i.Runs.Stuck(ctx, run); why != "" {
			return settlement.Errorf(settlement.Unknown, "submit %s: not accepted yet (%s), repeat it with the same key: %w", key, why, cause)
		}
	}
	return settlement.Errorf(settlement.Unknown, "submit %s: not accepted yet, repeat it with the same key: %w", key, cause)
}

// endedWithoutRow is the error of a run that refused its input, if that is what happened.
func (i *Intake) endedWithoutRow(ctx context.Context, key settlement.Key) error {
	run, err := i.Runs.Find(ctx, key)
	if err != nil || run.Running {
		return nil // not known: go on waiting for the row
	}
	var refused *temporal.ApplicationError
	err = i.Runs.Client.GetWorkflow(ctx, workflows.ID(key), run.ID).Get(ctx, nil)
	if errors.As(err, &refused) && refused.Type() == activities.TypeInvalid {
		return activities.InvalidOf(refused)
	}
	if run.Status.String() != "Completed" {
		return settlement.Errorf(settlement.Unknown, "submit %s: its run ended (%s) before it was accepted; repeat it with the same key", key, run.Status)
	}
	return nil
}

// Compare says what a stored row answers to a request: its own, a repeated one, or a conflict.
func Compare(s settlement.Settlement, r settlement.Request, requestID string) (Answer, error) {
	mine, err := r.FieldDigests(settlement.FingerprintVersion)
	if err != nil {
		return Answer{}, err
	}
	stored, err := s.FieldDigests(settlement.FingerprintVersion)
	if err != nil {
		return Answer{}, err
	}
	if fields := stored.Differing(mine); len(fields) > 0 {
		return Answer{}, &settlement.Error{Kind: settlement.Conflict, Fields: fields}
	}
	switch {
	case s.RequestID == requestID:
		return Answer{s, ledger.OutcomeNew}, nil
	case s.State.Terminal():
		return Answer{s, ledger.OutcomeReplay}, nil
	}
	return Answer{s, ledger.OutcomeInProgress}, nil
}

// Ended waits until the settlement is terminal, or the context ends: then it returns the row as it was last seen and an error
// of kind Unknown. While Postgres does not answer it waits on.
func (i *Intake) Ended(ctx context.Context, s settlement.Settlement) (settlement.Settlement, error) {
	for pause := rowPollMin; !s.State.Terminal(); pause = min(2*pause, rowPollMax) {
		select {
		case <-ctx.Done():
			return s, settlement.Errorf(settlement.Unknown, "%s is still %s", s.Key, s.State)
		case <-time.After(pause):
		}
		read, err := i.Ledger.Settlement(ctx, s.Key)
		switch {
		case err == nil:
			s = read
		case ctx.Err() == nil && settlement.KindOf(err) != settlement.Transient:
			return s, fmt.Errorf("wait for %s: %w", s.Key, err)
		}
	}
	return s, nil
}
