package activities

import (
	"context"

	"go.temporal.io/sdk/activity"

	"github.com/quittance/quittance/settlement"
)

// Reserve accepts the request; it is also the run's first read, so a run that begins in the middle of a settlement's life, or
// after its end, gets the stored row and goes on from there. On repeat it returns that row and holds nothing twice. A
// request that means something else than the row fails as Conflict, one that means nothing as Invalid; neither writes. So
// does a run under another ID than its key: wake-ups would never reach it.
// Local: it is one short commit.
func (a *Activities) Reserve(ctx context.Context, in Request) (View, error) {
	reservation, err := in.Decode()
	if err != nil {
		return View{}, Fault(err)
	}
	if activity.IsActivity(ctx) && activity.GetInfo(ctx).WorkflowExecution.ID != reservation.Key.Canonical() {
		return View{}, Fault(settlement.Invalidf("key", "must be the workflow's ID"))
	}
	s, err := a.Ledger.Reserve(ctx, reservation)
	if err != nil {
		return View{}, Fault(err)
	}
	return viewOf(s), nil
}
