package activities

import (
	"context"

	"github.com/quittance/quittance/settlement"
)

// Replace raises the fees of the live nonce if the lane keeper still asks for it when the step runs; a request that was
// answered meanwhile, by another bumper or by a block, makes it return the row and do nothing. On repeat after a lost answer
// the attempt that won is sent again. It never takes a nonce.
func (a *Activities) Replace(ctx context.Context, ref Ref) (View, error) {
	view, err := a.replace(ctx, ref)
	return view, Fault(err)
}

func (a *Activities) replace(ctx context.Context, ref Ref) (View, error) {
	key, err := ref.decode()
	if err != nil {
		return View{}, err
	}
	s, err := a.Ledger.Settlement(ctx, key)
	if err != nil {
		return View{}, err
	}
	if s.Next() == settlement.ActReplace {
		if err := a.Replacer.Replace(ctx, s.Asset.ChainID, *s.Live); err != nil {
			return View{}, err
		}
	}
	return viewOf(s), nil
}
