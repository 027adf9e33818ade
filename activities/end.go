package activities

import (
	"context"

	"github.com/quittance/quittance/settlement"
)

// Cancel lets an empty transaction compete for the live nonce, if an operator's wish and the row still call for it when the
// step runs. It ends nothing: what a final block holds does. On repeat the attempt that won is sent again.
func (a *Activities) Cancel(ctx context.Context, ref Ref) (View, error) {
	view, err := a.act(ctx, ref, settlement.ActCancel, func(s settlement.Settlement) error {
		return a.Replacer.Cancel(ctx, s.Asset.ChainID, *s.Live)
	})
	return view, Fault(err)
}

// Revoke sends the vault a revoke of the settlement's id, if an operator's wish and the row still call for it when the step
// runs. On repeat the same bytes are sent again.
func (a *Activities) Revoke(ctx context.Context, ref Ref) (View, error) {
	view, err := a.act(ctx, ref, settlement.ActRevoke, func(s settlement.Settlement) error { return a.Replacer.Revoke(ctx, s) })
	return view, Fault(err)
}

// act reads the row and acts only if that is still what it calls for.
func (a *Activities) act(ctx context.Context, ref Ref, act settlement.Act, do func(settlement.Settlement) error) (View, error) {
	key, err := ref.decode()
	if err != nil {
		return View{}, err
	}
	s, err := a.Ledger.Settlement(ctx, key)
	if err != nil {
		return View{}, err
	}
	if s.Next() == act {
		if err := do(s); err != nil {
			return View{}, err
		}
	}
	return viewOf(s), nil
}
