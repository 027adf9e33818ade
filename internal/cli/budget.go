package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/quittance/quittance/settlement"
)

// assetBudgetCmd bounds what an hour may cost when everything else has failed: a stolen account, a mistake in a file.
type assetBudgetCmd struct {
	operator
	Symbol  string `arg:"" help:"The asset."`
	PerHour string `required:"" help:"In the asset's units: what may be paid within any hour; settlements above it wait. none: no bound." placeholder:"1000|none"`
	Reason  string `required:"" help:"Why, for the record."`
}

func (c *assetBudgetCmd) Run(ctx context.Context, s *session) error {
	if strings.TrimSpace(c.Reason) == "" {
		return settlement.Invalidf("reason", "must not be empty")
	}
	asset, err := s.asset(ctx, c.Symbol)
	if err != nil {
		return err
	}
	var perHour *settlement.Amount
	if c.PerHour != "none" {
		amount, err := units("per_hour", c.PerHour, asset.Decimals)
		if err != nil {
			return err
		}
		perHour = &amount
	}
	changed, err := s.books.SetBudget(ctx, asset.ID, perHour, c.name(), c.Reason)
	if err != nil {
		return err
	}
	stored, err := s.books.Assets(ctx, asset.ChainID)
	if err != nil {
		return err
	}
	for _, a := range stored {
		if a.ID == asset.ID {
			row := struct {
				assetRow
				Changed bool `json:"changed"` // false: it was so already, and nothing was written
			}{viewAsset(a), changed}
			return s.out.one(row, [2]string{"asset", row.Symbol}, [2]string{"chain", fmt.Sprint(row.ChainID)},
				[2]string{"hourly budget", row.budget()}, [2]string{"changed", yesNo(changed)})
		}
	}
	return fmt.Errorf("asset %s is not there any more", c.Symbol)
}

// budget shows bound and what is spent of it.
func (r assetRow) budget() string {
	if r.HourlyBudget == nil {
		return "none"
	}
	return *r.HourlyBudget + ", spent " + r.HourlySpent
}
