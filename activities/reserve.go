package activities

import "context"

// Reserve accepts the request; it is also the run's first read, so a run that begins in the middle of a settlement's life, or
// after its end, gets the stored row and goes on from there. On repeat it returns that row and holds nothing twice. A
// request that means something else than the row fails as Conflict, one that means nothing as Invalid; neither writes.
// Local: it is one short commit.
func (a *Activities) Reserve(ctx context.Context, in Request) (View, error) {
	reservation, err := in.Decode()
	if err != nil {
		return View{}, Fault(err)
	}
	s, err := a.Ledger.Reserve(ctx, reservation)
	if err != nil {
		return View{}, Fault(err)
	}
	return viewOf(s), nil
}
