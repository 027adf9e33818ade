package cli

import (
	"context"
	"time"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

type listCmd struct {
	State   []string `help:"Only these states; repeatable." placeholder:"STATE"`
	Account string   `help:"Only this account."`
	Limit   int      `default:"50" help:"At most so many."`
	Tenant  string   `default:"default" help:"Owner of the keys."`
}

const listLimitMax = 100_000

func (c *listCmd) Run(ctx context.Context, s *session) error {
	f := ledger.Filter{Tenant: c.Tenant, Account: c.Account}
	for _, text := range c.State {
		state, err := settlement.ParseState(text)
		if err != nil {
			return settlement.Invalidf("state", "must be one of %v, got %q", settlement.States, text)
		}
		f.States = append(f.States, state)
	}
	if c.Limit < 1 || c.Limit > listLimitMax {
		return settlement.Invalidf("limit", "must be between 1 and %d", listLimitMax)
	}
	l, err := s.ledger(ctx)
	if err != nil {
		return err
	}
	found, err := l.Settlements(ctx, f, 0, c.Limit)
	if err != nil {
		return err
	}
	if s.out.json {
		for _, one := range found {
			if err := s.out.object(one.Snapshot()); err != nil {
				return err
			}
		}
		return nil
	}
	return rows(s.out, found, []string{"KEY", "STATE", "ACCOUNT", "AMOUNT", "TO", "CREATED", "REASON"}, func(one settlement.Settlement) []string {
		return []string{one.Key.Canonical(), string(one.State), one.Account, one.Amount.Units(one.Asset.Decimals) + " " + one.Asset.Symbol,
			one.To.Hex(), one.CreatedAt.UTC().Format(time.DateTime), one.Reason}
	})
}
