package activities

import "context"

// Outcome reads the row after a signal, since signals carry no facts. It only reads. Local: one short query.
func (a *Activities) Outcome(ctx context.Context, ref Ref) (View, error) {
	key, err := ref.decode()
	if err != nil {
		return View{}, Fault(err)
	}
	s, err := a.Ledger.Settlement(ctx, key)
	if err != nil {
		return View{}, Fault(err)
	}
	return viewOf(s), nil
}
