package workflows

import (
	"context"
	"errors"
	"fmt"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"

	"github.com/quittance/quittance/activities"
	"github.com/quittance/quittance/settlement"
)

var (
	// ErrAlreadyStarted: the ID has a run already; for Start a closed one counts. It says nothing about what that run means.
	ErrAlreadyStarted = errors.New("the settlement's workflow was started before")
	// ErrNoRun: Temporal knows no run of the ID (for Wake: none that is running). It is no proof that there never was one.
	ErrNoRun = errors.New("the settlement has no run")
)

// Runs starts, wakes and finds the runs of settlements. Starter, relay and sweeper share it, so that ids, options, memo and
// summary have one owner.
type Runs struct {
	Client    client.Client
	Queues    Queues                  // empty: DefaultQueues
	Converter converter.DataConverter // the client's, if it has one of its own: memos are read with it
}

// InputOf is the input of a run that goes on with a stored row. It carries the row's own request id, so that its Reserve is
// a read and counts no hit.
func InputOf(s settlement.Settlement) Input {
	return activities.NewRequest(settlement.Reservation{Request: s.Request, RequestID: s.RequestID, Vault: s.Vault})
}

// Start starts the first run of a settlement. Again it fails with ErrAlreadyStarted, whether that run goes on or has closed,
// as long as Temporal remembers it; afterwards it starts a run that reads the row and returns the stored answer. An error
// without a kind means that the run may have been started: ask again with the same key.
func (r Runs) Start(ctx context.Context, in Input) (client.WorkflowRun, error) {
	return r.execute(ctx, in, enumspb.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE)
}

// Resume starts another run of a settlement whose run was closed or lost; the run goes on from the row. If one is running it
// fails with ErrAlreadyStarted, which is as good.
func (r Runs) Resume(ctx context.Context, in Input) (client.WorkflowRun, error) {
	return r.execute(ctx, in, enumspb.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
}

func (r Runs) execute(ctx context.Context, in Input, reuse enumspb.WorkflowIdReusePolicy) (client.WorkflowRun, error) {
	options, err := r.options(in, reuse)
	if err != nil {
		return nil, err
	}
	run, err := r.Client.ExecuteWorkflow(ctx, options, WorkflowType, in)
	var started *serviceerror.WorkflowExecutionAlreadyStarted
	if errors.As(err, &started) {
		return nil, fmt.Errorf("start %s: %w", options.ID, ErrAlreadyStarted)
	}
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", options.ID, err)
	}
	return run, nil
}

// options says everything that Temporal learns of a settlement besides its input. There is no execution timeout: it would end
// a run without asking where the money is.
func (r Runs) options(in Input, reuse enumspb.WorkflowIdReusePolicy) (client.StartWorkflowOptions, error) {
	reservation, err := in.Decode()
	if err != nil {
		return client.StartWorkflowOptions{}, err
	}
	memo, err := newMemo(reservation)
	if err != nil {
		return client.StartWorkflowOptions{}, fmt.Errorf("describe %s: %w", reservation.Key, err)
	}
	return client.StartWorkflowOptions{
		ID:                                       ID(reservation.Key),
		TaskQueue:                                r.queues().Settle(),
		WorkflowIDReusePolicy:                    reuse,
		WorkflowIDConflictPolicy:                 enumspb.WORKFLOW_ID_CONFLICT_POLICY_FAIL,
		WorkflowExecutionErrorWhenAlreadyStarted: true, // else the client returns the old run as if it were this one
		Memo:                                     memo.fields(),
		TypedSearchAttributes: temporal.NewSearchAttributes(
			StateAttribute.ValueSet(string(settlement.Requested)),
			AssetAttribute.ValueSet(in.Asset.Symbol),
			ChainAttribute.ValueSet(fmt.Sprint(in.Asset.ChainID)),
		),
		StaticSummary: fmt.Sprintf("Settle %s → %s", display(in), shortAddress(reservation.To.Hex())),
		StaticDetails: fmt.Sprintf("`starter explain %s` tells the whole story.\n\n- recipient: `%s`\n- account: `%s`\n- vault: `%s`\n- settlement id on chain: `%s`\n",
			reservation.Key, reservation.To.Hex(), in.Account, reservation.Vault.Hex(), reservation.Key.OnchainID(in.Asset.ChainID, reservation.Vault).Hex()),
	}, nil
}

func (r Runs) queues() Queues {
	if r.Queues == "" {
		return DefaultQueues
	}
	return r.Queues
}

// Wake signals the running run. ErrNoRun means that there is none: unless the settlement has ended it must be resumed, and
// then woken again, since somebody else may have resumed it and read the row too early.
func (r Runs) Wake(ctx context.Context, key settlement.Key) error {
	err := r.Client.SignalWorkflow(ctx, ID(key), "", WakeSignal, nil)
	var gone *serviceerror.NotFound
	if errors.As(err, &gone) {
		return fmt.Errorf("wake %s: %w", key, ErrNoRun)
	}
	if err != nil {
		return fmt.Errorf("wake %s: %w", key, err)
	}
	return nil
}

// Rows reads the row of a settlement; NotFound if there is none.
type Rows interface {
	Settlement(ctx context.Context, key settlement.Key) (settlement.Settlement, error)
}

// ResumeRow starts another run of a settlement from its row, for who holds no more than a key. A run that is running already,
// and a settlement that has ended, are success.
func (r Runs) ResumeRow(ctx context.Context, rows Rows, key settlement.Key) error {
	s, err := rows.Settlement(ctx, key)
	if err != nil {
		return fmt.Errorf("resume %s: %w", key, err)
	}
	if s.State.Terminal() {
		return nil
	}
	_, err = r.Resume(ctx, InputOf(s))
	if errors.Is(err, ErrAlreadyStarted) {
		return nil
	}
	return err
}

// Unreachable reports that Temporal did not answer, as opposed to answering with an error.
func Unreachable(err error) bool {
	var unavailable *serviceerror.Unavailable
	var deadline *serviceerror.DeadlineExceeded
	return errors.As(err, &unavailable) || errors.As(err, &deadline) || errors.Is(err, context.DeadlineExceeded)
}

// shortAddress is for one-line summaries.
func shortAddress(address string) string { return address[:8] + "…" + address[len(address)-4:] }
