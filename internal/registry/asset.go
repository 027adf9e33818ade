package registry

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/contracts"
	"github.com/quittance/quittance/settlement"
)

const (
	nativeDecimals = 18 // of every EVM chain's coin, whatever wallets show
	decimalsMax    = 77 // 10^77 is the largest power of ten below 2^256
)

var (
	erc20  = contracts.NewTestToken() // any ERC-20 will do for decimals and balanceOf
	symbol = regexp.MustCompile(`^[A-Z][A-Z0-9.]{0,15}$`)
)

// Asset registers a token, or the chain's coin with settlement.NativeToken. The token itself says how many decimals it has: a
// wrong number would pay a multiple. Without a fee ceiling a known asset keeps its own and a new one has the default. That it does not change balances by itself nobody can ask it: rebasing tokens must not
// be registered.
func (r Registrar) Asset(ctx context.Context, name string, token common.Address, feeCeiling *settlement.Amount) (settlement.Asset, error) {
	a := settlement.Asset{ChainID: r.Pool.ChainID(), Symbol: name, Token: token, Decimals: nativeDecimals}
	if !symbol.MatchString(name) {
		return a, settlement.Invalidf("symbol", "must match %s", symbol)
	}
	if feeCeiling != nil && feeCeiling.IsZero() {
		return a, settlement.Invalidf("fee_ceiling", "must be above zero")
	}
	c, err := r.Ledger.Chain(ctx, a.ChainID)
	if settlement.KindOf(err) == settlement.NotFound {
		return a, settlement.Invalidf("chain", "is not registered: %d", a.ChainID)
	}
	if err != nil {
		return a, err
	}
	if !a.Native() {
		if a.Decimals, err = r.decimals(ctx, token, c.Vault); err != nil {
			return a, err
		}
	}
	if feeCeiling == nil {
		ceiling, err := r.ceiling(ctx, a)
		if err != nil {
			return a, err
		}
		feeCeiling = &ceiling
	}
	stored, err := r.Ledger.RegisterAsset(ctx, a, *feeCeiling)
	var known *settlement.Error
	if errors.As(err, &known) && known.Kind == settlement.Conflict {
		return a, conflict(fmt.Sprintf("%s or %s of chain %d", name, token, a.ChainID), known.Fields...)
	}
	if err != nil {
		return a, fmt.Errorf("register asset %s: %w", name, err)
	}
	return stored, nil
}

// ceiling is what a known asset has, or the default.
func (r Registrar) ceiling(ctx context.Context, a settlement.Asset) (settlement.Amount, error) {
	known, err := r.Ledger.Assets(ctx, a.ChainID)
	if err != nil {
		return settlement.Amount{}, err
	}
	for _, k := range known {
		if k.Token == a.Token {
			return k.FeeCeiling, nil
		}
	}
	return settlement.NewAmount(FeeCeilingDefault), nil
}

// decimals asks the token, which must be a contract other than the vault and must know what the vault holds.
func (r Registrar) decimals(ctx context.Context, token, vaultAt common.Address) (uint8, error) {
	if token == vaultAt {
		return 0, settlement.Invalidf("token", "must not be the vault")
	}
	if deployed, err := r.code(ctx, token, "latest"); err != nil {
		return 0, err
	} else if !deployed {
		return 0, settlement.Invalidf("token", "is no contract on chain %d: %s", r.Pool.ChainID(), token)
	}
	word, answered, err := r.word(ctx, token, erc20.PackDecimals())
	if err != nil {
		return 0, err
	}
	_, holds, err := r.word(ctx, token, erc20.PackBalanceOf(vaultAt))
	if err != nil {
		return 0, err
	}
	if !answered || !holds {
		return 0, settlement.Invalidf("token", "does not answer decimals() and balanceOf() like an ERC-20 token: %s", token)
	}
	if n := word.Big(); !n.IsUint64() || n.Uint64() > decimalsMax {
		return 0, settlement.Invalidf("token", "must have at most %d decimals, says %s", decimalsMax, n)
	}
	return uint8(word.Big().Uint64()), nil
}
