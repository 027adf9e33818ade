package ledger

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// Kinds of accounts. A customer's balance is credits less debits and never below zero. The others are ours and grow by
// debits: a deposit debits the vault and credits the customer; a payment debits the customer and credits the vault; a
// signer's funds debit its float and credit funding; gas debits gas expense and credits the float.
const (
	kindCustomer    = "customer"
	kindVault       = "vault"
	kindFloat       = "signer_float"
	kindGasExpense  = "gas_expense"
	kindFunding     = "funding"
	kindSuspense    = "suspense"
	kindUnexplained = "unexplained_payouts"
)

func vaultAccountName(chainID uint64, vault common.Address) string {
	return chainAccountName(chainID) + "/" + vault.Hex()
}
func floatAccountName(chainID uint64, signer common.Address) string {
	return chainAccountName(chainID) + "/" + signer.Hex()
}
func chainAccountName(chainID uint64) string { return strconv.FormatUint(chainID, 10) }

// systemAccount finds or makes one of our own accounts. Two makers at once: the second waits and finds the first's.
func systemAccount(t *Tx, kind, name string) (id int64, err error) {
	err = t.QueryRow(`INSERT INTO accounts (kind, name) VALUES ($1, $2)
		ON CONFLICT (tenant, kind, name) DO UPDATE SET name = excluded.name RETURNING id`, kind, name).Scan(&id)
	return id, err
}

// Account is a customer's account. Its name is opaque; CustomerID is what a deposit names on chain.
type Account struct {
	ID         int64
	Tenant     string
	Name       string
	CustomerID common.Hash
	CreatedAt  time.Time
	Balances   []Balance
}

// Balance of one asset. Available = posted credits - posted debits - Held.
type Balance struct {
	Asset     settlement.Asset
	Available settlement.Amount
	Held      settlement.Amount // pending debits: reserved and not yet paid or voided
}

// CreateAccount makes a customer's account, or finds the one that exists. Accounts are never deleted.
func (l *Ledger) CreateAccount(ctx context.Context, tenant, name string) (account Account, existed bool, err error) {
	key, err := settlement.ParseKey(tenant, "tenant-check") // one owner of the rule for tenants
	if err != nil {
		return Account{}, false, err
	}
	if err := settlement.CheckAccountName(name); err != nil {
		return Account{}, false, err
	}
	account = Account{Tenant: key.Tenant, Name: name, CustomerID: settlement.CustomerID(key.Tenant, name)}
	err = l.do(ctx, "create account: "+name, func(t *Tx) error {
		var inserted bool
		err := t.QueryRow(`INSERT INTO accounts (tenant, kind, name, customer_id) VALUES ($1, 'customer', $2, $3)
			ON CONFLICT (tenant, kind, name) DO UPDATE SET name = excluded.name RETURNING id, created_at, xmax = 0`,
			account.Tenant, name, account.CustomerID).Scan(&account.ID, &account.CreatedAt, &inserted)
		existed = !inserted
		return err
	})
	if err == nil && existed {
		account, err = l.Account(ctx, account.Tenant, name)
	}
	return account, existed, err
}

const selectAccounts = `SELECT a.id, a.tenant, a.name, a.customer_id, a.created_at,
		s.id, s.chain_id, s.symbol, s.token, s.decimals, b.credits_posted - b.debits_posted - b.debits_pending, b.debits_pending
	FROM accounts a LEFT JOIN balances b ON b.account_id = a.id LEFT JOIN assets s ON s.id = b.asset_id WHERE a.kind = 'customer' AND `

// Account reads one customer's account with its balances, or an error of kind NotFound.
func (l *Ledger) Account(ctx context.Context, tenant, name string) (Account, error) {
	if tenant == "" {
		tenant = settlement.DefaultTenant
	}
	found, err := l.accounts(ctx, "read account: "+name, selectAccounts+`a.tenant = $1 AND a.name = $2 ORDER BY a.id, b.asset_id`, tenant, name)
	if err == nil && len(found) == 0 {
		err = settlement.Errorf(settlement.NotFound, "account %s of tenant %s does not exist", name, tenant)
	}
	if err != nil {
		return Account{}, err
	}
	return found[0], nil
}

// Accounts pages through the customers' accounts in the order of their ids: pass the last id as after.
func (l *Ledger) Accounts(ctx context.Context, after int64, limit int) ([]Account, error) {
	return l.accounts(ctx, "list accounts", selectAccounts+`a.id IN
		(SELECT id FROM accounts WHERE kind = 'customer' AND id > $1 ORDER BY id LIMIT $2) ORDER BY a.id, b.asset_id`, after, limit)
}

func (l *Ledger) accounts(ctx context.Context, unit, sql string, args ...any) ([]Account, error) {
	rows, err := read(ctx, l, unit, toAccount, sql, args...)
	if err != nil {
		return nil, err
	}
	var out []Account
	for _, row := range rows {
		if n := len(out); n > 0 && out[n-1].ID == row.ID {
			out[n-1].Balances = append(out[n-1].Balances, row.Balances...)
			continue
		}
		out = append(out, row)
	}
	return out, nil
}

// toAccount reads one account with at most one balance.
func toAccount(row pgx.CollectableRow) (a Account, err error) {
	var assetID, chainID *int64
	var symbol *string
	var token []byte
	var decimals *int16
	var available, held *settlement.Amount
	err = row.Scan(&a.ID, &a.Tenant, &a.Name, &a.CustomerID, &a.CreatedAt, &assetID, &chainID, &symbol, &token, &decimals, &available, &held)
	if err == nil && assetID != nil {
		a.Balances = []Balance{{Available: *available, Held: *held, Asset: settlement.Asset{
			ID: *assetID, ChainID: uint64(*chainID), Symbol: *symbol, Token: common.BytesToAddress(token), Decimals: uint8(*decimals),
		}}}
	}
	return a, err
}

func sortStrings(s []string) { slices.Sort(s) }
