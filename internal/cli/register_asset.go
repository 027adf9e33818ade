package cli

import (
	"context"
	"fmt"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// assetRow is an asset as scripts see it.
type assetRow struct {
	Symbol     string            `json:"symbol"`
	ChainID    uint64            `json:"chain_id"`
	Token      string            `json:"token"` // the zero address: the chain's coin
	Decimals   uint8             `json:"decimals"`
	FeeCeiling settlement.Amount `json:"fee_ceiling_wei"`
	Stopped    string            `json:"stopped"` // why new submissions are stopped; empty otherwise
	Vault      string            `json:"vault_balance"`
	InFlight   string            `json:"in_flight"`

	HourlyBudget *string `json:"hourly_budget"` // null: no bound
	HourlySpent  string  `json:"hourly_spent"`  // counted while there is a budget
	RevertsInRow int     `json:"reverts_in_row"`
}

func viewAsset(a ledger.Asset) assetRow {
	row := assetRow{a.Symbol, a.ChainID, a.Token.Hex(), a.Decimals, a.FeeCeiling, a.Stopped, a.Balance.Units(a.Decimals), a.InFlight.Units(a.Decimals), nil, a.Spent.Units(a.Decimals), a.RevertsInRow}
	if a.HourlyBudget != nil {
		row.HourlyBudget = new(a.HourlyBudget.Units(a.Decimals))
	}
	return row
}

type assetRegisterCmd struct {
	Symbol     string  `arg:"" help:"What requests call it, such as USDC."`
	Token      string  `xor:"what" required:"" help:"The token's contract. Tokens that change balances by themselves must not be registered." placeholder:"0x…"`
	Native     bool    `xor:"what" required:"" help:"The chain's own coin."`
	FeeCeiling *string `help:"In coins: what one settlement may cost before its nonce is taken (0.05 for a new asset)." placeholder:"COINS"`
}

func (c *assetRegisterCmd) Run(ctx context.Context, s *session) error {
	token := settlement.NativeToken
	var err error
	if !c.Native {
		if token, err = settlement.ParseAddress("token", c.Token); err != nil {
			return err
		}
		if token == settlement.NativeToken {
			return settlement.Invalidf("token", "must not be the zero address: the chain's coin is registered with --native")
		}
	}
	ceiling, err := given("fee_ceiling", c.FeeCeiling, coinDecimals)
	if err != nil {
		return err
	}
	r, err := s.registrar(ctx)
	if err != nil {
		return err
	}
	asset, err := r.Asset(ctx, c.Symbol, token, ceiling)
	if err != nil {
		return err
	}
	stored, err := r.Ledger.Assets(ctx, asset.ChainID)
	if err != nil {
		return err
	}
	for _, a := range stored {
		if a.ID == asset.ID {
			row := viewAsset(a)
			return s.out.one(row, [2]string{"asset", row.Symbol}, [2]string{"chain", fmt.Sprint(row.ChainID)}, [2]string{"token", row.Token},
				[2]string{"decimals", fmt.Sprint(row.Decimals)}, [2]string{"fee ceiling", row.FeeCeiling.Units(coinDecimals)})
		}
	}
	return fmt.Errorf("asset %s was registered and is not there", c.Symbol)
}

type assetListCmd struct{}

func (c *assetListCmd) Run(ctx context.Context, s *session) error {
	l, err := s.ledger(ctx)
	if err != nil {
		return err
	}
	assets, err := l.Assets(ctx, 0)
	if err != nil {
		return err
	}
	return rows(s.out, views(assets, viewAsset), []string{"ASSET", "CHAIN", "TOKEN", "DECIMALS", "FEE CEILING", "VAULT", "IN FLIGHT", "HOURLY BUDGET", "STOPPED"}, func(r assetRow) []string {
		return []string{r.Symbol, fmt.Sprint(r.ChainID), r.Token, fmt.Sprint(r.Decimals), r.FeeCeiling.Units(coinDecimals), r.Vault, r.InFlight, r.budget(), r.Stopped}
	})
}
