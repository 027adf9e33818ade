package cli

import (
	"context"
	"errors"

	"github.com/quittance/quittance/internal/registry"
	"github.com/quittance/quittance/settlement"
)

const (
	gweiDecimals = 9
	coinDecimals = 18 // of every EVM chain's coin
)

type chainCmd struct {
	Register chainRegisterCmd `cmd:"" help:"Pin the chain of the configured nodes, with its vault. Again it changes nothing."`
	List     chainListCmd     `cmd:"" help:"List chains."`
}

type assetCmd struct {
	Register assetRegisterCmd `cmd:"" help:"Make a token or the chain's coin known. Again it changes nothing but a fee ceiling that is given."`
	List     assetListCmd     `cmd:"" help:"List assets."`
	Budget   assetBudgetCmd   `cmd:"" help:"Bound what is paid of an asset within an hour. What is above it waits."`
}

type signerCmd struct {
	Add  signerAddCmd  `cmd:"" help:"Add a signer's lane and book its balance. Again it changes nothing."`
	List signerListCmd `cmd:"" help:"List signers. 'lanes' shows more, and is where they are frozen, drained and removed."`
}

// Flags of these commands that are not given are not compared with what is registered, and change nothing.

// registrar opens a chain that the ledger knows.
func (s *session) registrar(ctx context.Context) (registry.Registrar, error) {
	site, err := s.chain(ctx)
	return registry.Registrar{Ledger: s.books, Pool: site.Pool}, err
}

// units reads a number of a named field, exactly or not at all.
func units(field, text string, decimals uint8) (settlement.Amount, error) {
	a, err := settlement.ParseUnits(text, decimals)
	var known *settlement.Error
	if errors.As(err, &known) {
		return a, settlement.Invalidf(field, "%s", known.Rule)
	}
	return a, err
}

// given reads a number that need not be there.
func given(field string, text *string, decimals uint8) (*settlement.Amount, error) {
	if text == nil {
		return nil, nil
	}
	a, err := units(field, *text, decimals)
	return &a, err
}

func views[R, V any](list []R, view func(R) V) []V {
	out := make([]V, len(list))
	for i, r := range list {
		out[i] = view(r)
	}
	return out
}
