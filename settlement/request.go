package settlement

import (
	"github.com/ethereum/go-ethereum/common"
)

// NativeToken is the token address that stands for the chain's own coin.
var NativeToken = common.Address{}

// Asset is a registered token or the native coin of one chain. Rebasing tokens are never registered.
type Asset struct {
	ID       int64
	ChainID  uint64
	Symbol   string
	Token    common.Address // NativeToken for the native coin
	Decimals uint8
}

// Native reports whether the asset is the chain's own coin.
func (a Asset) Native() bool { return a.Token == NativeToken }

// Request is what a settlement means. Two requests with the same key are the same only if all of it is equal.
type Request struct {
	Key     Key
	Account string // the customer's opaque name in the ledger
	Asset   Asset
	To      common.Address
	Amount  Amount // base units, above zero
	RetryOf string // key of a failed settlement that this one tries again; not part of the meaning
}

// accountBytesMax bounds a customer's opaque name.
const accountBytesMax = 200

// CheckAccountName refuses names that a log line or a CSV could not carry.
func CheckAccountName(name string) error {
	if name == "" {
		return Invalidf("account", "must not be empty")
	}
	if len(name) > accountBytesMax {
		return Invalidf("account", "must be at most %d bytes, has %d", accountBytesMax, len(name))
	}
	for _, r := range name {
		if r < 0x21 || r > 0x7e {
			return Invalidf("account", "must hold visible ASCII characters only")
		}
	}
	return nil
}

// Destinations that would lose the money or confuse the books.
type Refused struct {
	Vault   common.Address
	Tokens  []common.Address
	Signers []common.Address
}

// CheckDestination refuses the zero address, the vault, registered tokens, our signers and precompiles.
func (r Refused) CheckDestination(to common.Address) error {
	switch {
	case to == common.Address{}:
		return Invalidf("to", "must not be the zero address")
	case to == r.Vault:
		return Invalidf("to", "must not be the vault")
	case IsPrecompile(to):
		return Invalidf("to", "must not be a precompiled contract")
	}
	for _, t := range r.Tokens {
		if t == to && t != NativeToken {
			return Invalidf("to", "must not be a registered token")
		}
	}
	for _, s := range r.Signers {
		if s == to {
			return Invalidf("to", "must not be one of our signers")
		}
	}
	return nil
}

// CheckAmount refuses zero.
func CheckAmount(a Amount) error {
	if a.IsZero() {
		return Invalidf("amount", "must be above zero")
	}
	return nil
}
