package activities

import (
	"context"

	"github.com/quittance/quittance/settlement"
)

// Replace raises the fees of the live nonce if the lane keeper still asks for it when the step runs; a request that was
// answered meanwhile, by another bumper or by a block, makes it return the row and do nothing. On repeat after a lost answer
// the attempt that won is sent again. It never takes a nonce.
func (a *Activities) Replace(ctx context.Context, ref Ref) (View, error) {
	view, err := a.act(ctx, ref, settlement.ActReplace, func(s settlement.Settlement) error {
		return a.Replacer.Replace(ctx, s.Asset.ChainID, *s.Live)
	})
	return view, Fault(err)
}
