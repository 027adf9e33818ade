package workflows

import (
	"errors"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/quittance/quittance/activities"
)

// run is one execution of Settle: what it saw last of the row, and nothing else worth keeping.
type run struct {
	ctx       workflow.Context
	in        Input
	ref       activities.Ref
	wakes     workflow.ReceiveChannel
	view      activities.View
	cancelled bool // in Temporal, which settles nothing
}

// steps names the activities; the worker's registered receiver runs them.
var steps *activities.Activities

// newRun detaches the run from Temporal's cancellation: money that may be on its way cannot be called back by ending the
// program that watches it. Only the books cancel a settlement. A cancel request is shown on the run's page and else ignored;
// terminating the run is harmless too, since the sweeper starts another.
func newRun(ctx workflow.Context, in Input) *run {
	detached, _ := workflow.NewDisconnectedContext(ctx)
	r := &run{
		ctx: detached, in: in, ref: activities.Ref{Tenant: in.Tenant, Key: in.Key},
		wakes: workflow.GetSignalChannel(detached, WakeSignal),
	}
	workflow.Go(detached, func(noting workflow.Context) {
		ctx.Done().Receive(noting, nil)
		r.cancelled = true
		r.show()
	})
	return r
}

// reserve is the run's first read. Wake-ups from before it are answered by it.
func (r *run) reserve() error {
	r.drain()
	return r.see(r.short("Reserve "+r.amount(), steps.Reserve, r.in))
}

// submit takes the settlement towards the chain. What it returns may be old by the time it is read: a wake-up that came
// meanwhile is still in the channel.
func (r *run) submit() error {
	return r.see(r.long("", "Send "+r.amount(), steps.Submit))
}

// replace runs on a queue of its own, so that a flood of new settlements cannot keep a stuck one from being bumped.
func (r *run) replace() error {
	queues := queuesOf(workflow.GetInfo(r.ctx).TaskQueueName)
	return r.see(r.long(queues.Replace(), "Raise the fees of nonce "+r.nonce(), steps.Replace))
}

// cancel and revoke are what an operator asked for. What they send competes with the payment, and the chain decides.
func (r *run) cancel() error {
	queues := queuesOf(workflow.GetInfo(r.ctx).TaskQueueName)
	return r.see(r.long(queues.Replace(), "Cancel nonce "+r.nonce(), steps.Cancel))
}

func (r *run) revoke() error {
	queues := queuesOf(workflow.GetInfo(r.ctx).TaskQueueName)
	return r.see(r.long(queues.Replace(), "Revoke the id in the vault", steps.Revoke))
}

// awaitAndRead sleeps until the next wake-up, then reads the row, since a wake-up carries no facts. There is no timer: who
// changes a row wakes its run in the same commit. Several wake-ups need one read, if it begins after the last of them.
func (r *run) awaitAndRead() error {
	r.wakes.Receive(r.ctx, nil)
	r.drain()
	return r.see(r.short("Read the outcome", steps.Outcome, r.ref))
}

// drain is only right directly before a read.
func (r *run) drain() {
	for r.wakes.ReceiveAsync(nil) {
	}
}

// aged says that the server calls the history long. A settlement may wait for weeks, and each wake-up costs about ten events;
// at 51,200 the server would end the run, and only the sweeper would notice.
func (r *run) aged() bool { return workflow.GetInfo(r.ctx).GetContinueAsNewSuggested() }

// anew goes on as another run, which begins by reading the row like any other: a wake-up that nobody has received yet is
// answered by that read.
func (r *run) anew() error { return workflow.NewContinueAsNewError(r.ctx, WorkflowType, r.in) }

func (r *run) ended() bool { return r.view.Settlement.State.Terminal() }

// finish sets the search attributes in one upsert, the only one of a run.
func (r *run) finish() (Result, error) {
	s := r.view.Settlement
	updates := []temporal.SearchAttributeUpdate{StateAttribute.ValueSet(string(s.State))}
	if s.TxHash != nil {
		updates = append(updates, TxHashAttribute.ValueSet(s.TxHash.Hex()))
	}
	return s, workflow.UpsertTypedSearchAttributes(r.ctx, updates...)
}

// see takes over what a step returned.
func (r *run) see(view activities.View, err error) error {
	if err != nil {
		return err
	}
	r.view = view
	r.show()
	return nil
}

// short runs a step of one quick commit beside the workflow task, which costs one event. If Postgres is away for longer than
// a task should be held up, the same step goes to the server, whose retries cost no events however long they last.
func (r *run) short(summary string, step, arg any) (view activities.View, err error) {
	local := workflow.WithLocalActivityOptions(r.ctx, localOptions(summary))
	err = workflow.ExecuteLocalActivity(local, step, arg).Get(r.ctx, &view)
	if err == nil || activities.Final(err) {
		return view, err
	}
	err = workflow.ExecuteActivity(workflow.WithActivityOptions(r.ctx, activityOptions("", summary)), step, arg).Get(r.ctx, &view)
	return view, err
}

// long runs a step that talks to the chain.
func (r *run) long(queue, summary string, step any) (view activities.View, err error) {
	err = workflow.ExecuteActivity(workflow.WithActivityOptions(r.ctx, activityOptions(queue, summary)), step, r.ref).Get(r.ctx, &view)
	return view, err
}

// outermost makes the run fail with the step's own error, so that its type (Conflict, Invalid) is the run's.
func outermost(err error) error {
	var app *temporal.ApplicationError
	if errors.As(err, &app) {
		return app
	}
	return err
}
