package cli

import (
	"context"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/ledger"
)

type accountCmd struct {
	Create accountCreateCmd `cmd:"" help:"Create a customer's account. Again it changes nothing."`
	List   accountListCmd   `cmd:"" help:"List customers' accounts."`
	Show   accountShowCmd   `cmd:"" help:"Show one account with its balances."`
}

// accountView is an account as scripts see it.
type accountView struct {
	Account   string        `json:"account"`
	Tenant    string        `json:"tenant"`
	DepositID common.Hash   `json:"deposit_id"` // the bytes32 that a deposit into the vault names
	Balances  []balanceView `json:"balances"`
}

type balanceView struct {
	Asset     string `json:"asset"`
	Available string `json:"available"`
	Held      string `json:"held"`
}

func viewAccount(a ledger.Account) accountView {
	v := accountView{Account: a.Name, Tenant: a.Tenant, DepositID: a.CustomerID, Balances: []balanceView{}}
	for _, b := range a.Balances {
		v.Balances = append(v.Balances, balanceView{b.Asset.Symbol, b.Available.Units(b.Asset.Decimals), b.Held.Units(b.Asset.Decimals)})
	}
	return v
}

func (p printer) account(a ledger.Account) error {
	v := viewAccount(a)
	pairs := [][2]string{{"account", v.Account}, {"deposit id", v.DepositID.Hex()}}
	for _, b := range v.Balances {
		pairs = append(pairs, [2]string{b.Asset, b.Available + " available, " + b.Held + " held"})
	}
	return p.one(v, pairs...)
}

type accountCreateCmd struct {
	Name   string `arg:"" help:"Opaque name of the customer: no personal data."`
	Tenant string `default:"default" help:"Owner of the account."`
}

func (c *accountCreateCmd) Run(ctx context.Context, s *session) error {
	l, err := s.ledger(ctx)
	if err != nil {
		return err
	}
	if _, _, err := l.CreateAccount(ctx, c.Tenant, c.Name); err != nil {
		return err
	}
	a, err := l.Account(ctx, c.Tenant, c.Name)
	if err != nil {
		return err
	}
	return s.out.account(a)
}

type accountShowCmd struct {
	Name   string `arg:"" help:"Name of the account."`
	Tenant string `default:"default" help:"Owner of the account."`
}

func (c *accountShowCmd) Run(ctx context.Context, s *session) error {
	l, err := s.ledger(ctx)
	if err != nil {
		return err
	}
	a, err := l.Account(ctx, c.Tenant, c.Name)
	if err != nil {
		return err
	}
	return s.out.account(a)
}

type accountListCmd struct{}

const accountPage = 500

func (c *accountListCmd) Run(ctx context.Context, s *session) error {
	l, err := s.ledger(ctx)
	if err != nil {
		return err
	}
	var all []ledger.Account
	for after := int64(0); ; {
		page, err := l.Accounts(ctx, after, accountPage)
		if err != nil {
			return err
		}
		all = append(all, page...)
		if len(page) < accountPage {
			break
		}
		after = page[len(page)-1].ID
	}
	if s.out.json {
		for _, a := range all {
			if err := s.out.object(viewAccount(a)); err != nil {
				return err
			}
		}
		return nil
	}
	return rows(s.out, all, []string{"ACCOUNT", "TENANT", "BALANCES"}, func(a ledger.Account) []string {
		var balances []string
		for _, b := range viewAccount(a).Balances {
			balances = append(balances, b.Available+" "+b.Asset)
		}
		return []string{a.Name, a.Tenant, strings.Join(balances, ", ")}
	})
}
