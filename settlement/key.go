package settlement

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"math/big"
)

const (
	// KeyBytesMax bounds a caller's key. Temporal's SQL stores keep workflow IDs in varchar(255), and the
	// canonical key of a named tenant adds at most TenantBytesMax+2 bytes.
	KeyBytesMax = 200
	// TenantBytesMax bounds a tenant's name, so that a canonical key stays below 255 bytes.
	TenantBytesMax = 40
	// DefaultTenant owns the keys that name no tenant.
	DefaultTenant = "default"

	onchainIDTag = "quittance.settlement.v1"
)

// Key is the idempotency key of one request: unique per tenant for ever, whatever the operation.
type Key struct {
	Tenant string
	Value  string
}

// ParseKey checks a caller's key. An empty tenant means DefaultTenant.
func ParseKey(tenant, value string) (Key, error) {
	if tenant == "" {
		tenant = DefaultTenant
	}
	if err := checkTenant(tenant); err != nil {
		return Key{}, err
	}
	switch {
	case value == "":
		return Key{}, Invalidf("key", "must not be empty")
	case len(value) > KeyBytesMax:
		return Key{}, Invalidf("key", "must be at most %d bytes, has %d", KeyBytesMax, len(value))
	case !utf8.ValidString(value):
		return Key{}, Invalidf("key", "must be valid UTF-8")
	case strings.HasPrefix(value, "@"):
		return Key{}, Invalidf("key", "must not begin with @")
	case strings.TrimSpace(value) != value: // it would look like another key, and pay beside it
		return Key{}, Invalidf("key", "must not begin or end with a space")
	}
	for _, r := range value {
		if !unicode.IsPrint(r) {
			return Key{}, Invalidf("key", "must hold printable characters only, has %U", r)
		}
	}
	return Key{Tenant: tenant, Value: value}, nil
}

func checkTenant(tenant string) error {
	if len(tenant) > TenantBytesMax {
		return Invalidf("tenant", "must be at most %d bytes, has %d", TenantBytesMax, len(tenant))
	}
	for i, r := range tenant {
		alnum := r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
		if !alnum && (i == 0 || r != '-') {
			return Invalidf("tenant", "must match [a-z0-9][a-z0-9-]*")
		}
	}
	return nil
}

// Canonical is the Temporal workflow ID: the caller's key unchanged in the default tenant, @tenant/key in any other.
func (k Key) Canonical() string {
	if k.Tenant == DefaultTenant || k.Tenant == "" {
		return k.Value
	}
	return "@" + k.Tenant + "/" + k.Value
}

// KeyFromCanonical is the inverse of Canonical and refuses what Canonical never makes.
func KeyFromCanonical(canonical string) (Key, error) {
	if !strings.HasPrefix(canonical, "@") {
		return ParseKey(DefaultTenant, canonical)
	}
	tenant, value, found := strings.Cut(canonical[1:], "/")
	if !found || tenant == "" || tenant == DefaultTenant {
		return Key{}, Invalidf("key", "is no canonical key")
	}
	return ParseKey(tenant, value)
}

func (k Key) String() string { return k.Canonical() }

var onchainIDArguments = abi.Arguments{
	{Type: mustABIType("bytes32")}, {Type: mustABIType("uint256")}, {Type: mustABIType("address")}, {Type: mustABIType("string")},
}

func mustABIType(name string) abi.Type {
	t, err := abi.NewType(name, "", nil)
	if err != nil {
		panic(err)
	}
	return t
}

// OnchainID is the settlement id that the vault knows:
// keccak256(abi.encode(keccak256(domain tag), chain id, vault, canonical key)).
// The same key on another chain or vault has another id, so a payment there can never pass for one here.
func (k Key) OnchainID(chainID uint64, vault common.Address) common.Hash {
	packed, err := onchainIDArguments.Pack(crypto.Keccak256Hash([]byte(onchainIDTag)), new(big.Int).SetUint64(chainID), vault, k.Canonical())
	if err != nil {
		panic("settlement: abi encoding of fixed types failed: " + err.Error()) // unreachable: the types are fixed above
	}
	return crypto.Keccak256Hash(packed)
}

// CustomerID maps a ledger account's opaque name to the bytes32 that deposits name on chain. It binds the tenant,
// so two tenants may use the same name.
func CustomerID(tenant, account string) common.Hash {
	if tenant == "" {
		tenant = DefaultTenant
	}
	return crypto.Keccak256Hash([]byte("quittance.account.v1"), []byte{byte(len(tenant))}, []byte(tenant), []byte(account))
}
