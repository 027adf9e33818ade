package intake

import (
	"context"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// Desk turns text into requests with what the registry knew when it was opened. Accounts it looks up as they come.
type Desk struct {
	ChainID uint64
	Vault   common.Address

	ledger  *ledger.Ledger
	assets  map[string]settlement.Asset
	others  map[string]uint64 // symbols of other chains
	refused settlement.Refused
	known   map[string]bool // accounts seen, by tenant and name
}

// Spec is a request as a person or a file writes it.
type Spec struct {
	Tenant, Key, Account, To, Asset, Amount, RetryOf string
}

// OpenDesk reads the registry once. Without a chain id it takes the only chain there is.
func OpenDesk(ctx context.Context, l *ledger.Ledger, chainID uint64) (*Desk, error) {
	chains, err := l.Chains(ctx)
	if err != nil {
		return nil, err
	}
	if chainID == 0 && len(chains) == 1 {
		chainID = chains[0].ChainID
	}
	d := &Desk{ChainID: chainID, ledger: l, assets: map[string]settlement.Asset{}, others: map[string]uint64{}, known: map[string]bool{}}
	for _, c := range chains {
		assets, err := l.Assets(ctx, c.ChainID)
		if err != nil {
			return nil, err
		}
		for _, a := range assets {
			if c.ChainID == chainID {
				d.assets[a.Symbol], d.Vault = a.Asset, c.Vault
			} else {
				d.others[a.Symbol] = c.ChainID
			}
		}
	}
	if d.Vault == (common.Address{}) {
		return nil, settlement.Invalidf("CHAIN_ID", "must name a registered chain with assets, got %d", chainID)
	}
	d.refused, err = l.Refused(ctx, chainID)
	return d, err
}

// Request checks everything that can be checked without the chain. Its errors are Invalid and name field and rule.
func (d *Desk) Request(ctx context.Context, s Spec) (settlement.Request, error) {
	r, err := d.Parse(s)
	if err != nil {
		return r, err
	}
	if err := d.checkRecipient(ctx, r); err != nil {
		return r, err
	}
	if err := d.CheckAccount(ctx, r.Key.Tenant, r.Account); err != nil {
		return r, err
	}
	return r, d.checkRetry(ctx, r)
}

// checkRecipient refuses what is never paid, but for a key that was used before: its recipient may have become one of ours since,
// and who repeats it gets the stored answer.
func (d *Desk) checkRecipient(ctx context.Context, r settlement.Request) error {
	refused := d.CheckRecipient(r)
	if refused == nil {
		return nil
	}
	_, err := d.ledger.Settlement(ctx, r.Key)
	if settlement.KindOf(err) == settlement.NotFound {
		return refused
	}
	return err
}

// CheckRecipient refuses the recipients that no new request may name: our vault, signers and tokens, and precompiles.
func (d *Desk) CheckRecipient(r settlement.Request) error { return d.refused.CheckDestination(r.To) }

// checkRetry refuses to try again what may still be paid, or was: that would be a second payment with a reason.
func (d *Desk) checkRetry(ctx context.Context, r settlement.Request) error {
	if r.RetryOf == "" {
		return nil
	}
	old, err := d.ledger.Settlement(ctx, settlement.Key{Tenant: r.Key.Tenant, Value: r.RetryOf})
	switch {
	case settlement.KindOf(err) == settlement.NotFound:
		return settlement.Invalidf("retry_of", "must name a settlement, none has the key %q", r.RetryOf)
	case err != nil:
		return err
	case old.State != settlement.Failed && old.State != settlement.Cancelled:
		return settlement.Invalidf("retry_of", "must name a settlement that ended without payment, %s is %s", old.Key, old.State)
	}
	return nil
}

// Parse is Request without the look at the ledger and without the recipient's rule: it does no IO.
func (d *Desk) Parse(s Spec) (r settlement.Request, err error) {
	if r.Key, err = settlement.ParseKey(s.Tenant, s.Key); err != nil {
		return r, err
	}
	if err := settlement.CheckAccountName(s.Account); err != nil {
		return r, err
	}
	r.Account = s.Account
	if r.To, err = settlement.ParseAddress("to", s.To); err != nil {
		return r, err
	}
	if r.Asset, err = d.asset(s.Asset); err != nil {
		return r, err
	}
	if r.Amount, err = settlement.ParseUnits(s.Amount, r.Asset.Decimals); err != nil {
		return r, err
	}
	if s.RetryOf != "" {
		old, err := settlement.ParseKey(s.Tenant, s.RetryOf)
		if err != nil || old == r.Key {
			return r, settlement.Invalidf("retry_of", "must be another key")
		}
		r.RetryOf = s.RetryOf
	}
	return r, settlement.CheckAmount(r.Amount)
}

func (d *Desk) asset(symbol string) (settlement.Asset, error) {
	if a, ok := d.assets[symbol]; ok {
		return a, nil
	}
	if symbol == "" {
		return settlement.Asset{}, settlement.Invalidf("asset", "must not be empty")
	}
	if chain, ok := d.others[symbol]; ok {
		return settlement.Asset{}, settlement.Invalidf("asset", "%s is registered on chain %d, not on chain %d", symbol, chain, d.ChainID)
	}
	return settlement.Asset{}, settlement.Invalidf("asset", "is not registered on chain %d: %q", d.ChainID, symbol)
}

// CheckAccount refuses unknown accounts.
func (d *Desk) CheckAccount(ctx context.Context, tenant, name string) error {
	unknown, err := d.Unknown(ctx, tenant, []string{name})
	switch {
	case err != nil:
		return err
	case unknown[name]:
		return UnknownAccount(name)
	}
	return nil
}

// UnknownAccount is the error of a request that names no account of its tenant.
func UnknownAccount(name string) error { return settlement.Invalidf("account", "is unknown: %q", name) }

// accountsPage bounds the names of one lookup.
const accountsPage = 5_000

// Unknown says which of these names are no accounts of the tenant. An account is never deleted, so one that was seen is not
// asked for again. It is not safe for concurrent use.
func (d *Desk) Unknown(ctx context.Context, tenant string, names []string) (map[string]bool, error) {
	if tenant == "" {
		tenant = settlement.DefaultTenant
	}
	unknown := map[string]bool{}
	for _, name := range names {
		if !d.known[tenant+"/"+name] {
			unknown[name] = true
		}
	}
	for page := range slices.Chunk(slices.Sorted(maps.Keys(unknown)), accountsPage) {
		known, err := d.ledger.KnownAccounts(ctx, tenant, page)
		if err != nil {
			return nil, err
		}
		for _, name := range known {
			d.known[tenant+"/"+name] = true
			delete(unknown, name)
		}
	}
	return unknown, nil
}
