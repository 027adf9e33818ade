package settlement_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/quittance/quittance/settlement"
)

func TestKeysAreRefusedForOneNamedRule(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ why, tenant, value, rule string }{
		{"a key must name something", "", "", "must not be empty"},
		{"201 bytes do not fit Temporal's ids with a tenant", "", strings.Repeat("x", 201), "must be at most 200 bytes, has 201"},
		{"bytes count, not letters", "", strings.Repeat("ä", 101), "must be at most 200 bytes, has 202"},
		{"@ begins the keys of other tenants", "", "@acme/order-1", "must not begin with @"},
		{"a line break would forge a log line", "", "a\nb", "must hold printable characters only, has U+000A"},
		{"so would a NUL", "", "a\x00b", "must hold printable characters only, has U+0000"},
		{"an invisible character makes two keys look like one", "", "a\u200bb", "must hold printable characters only, has U+200B"},
		{"and a space that is none", "", "a\u00a0b", "must hold printable characters only, has U+00A0"},
		{"a space behind it looks like the same key and pays beside it", "", "order-1 ", "must not begin or end with a space"},
		{"nor before it", "", " order-1", "must not begin or end with a space"},
		{"text that is no text", "", "a\xffb", "must be valid UTF-8"},
		{"a tenant is part of an id", "Acme", "order-1", "must match [a-z0-9][a-z0-9-]*"},
		{"a slash would move the border between tenant and key", "a/b", "order-1", "must match [a-z0-9][a-z0-9-]*"},
		{"a flag is no tenant", "-acme", "order-1", "must match [a-z0-9][a-z0-9-]*"},
		{"nor is a long story", strings.Repeat("a", 41), "order-1", "must be at most 40 bytes, has 41"},
	} {
		_, err := settlement.ParseKey(row.tenant, row.value)
		if settlement.KindOf(err) != settlement.Invalid || !strings.HasSuffix(err.Error(), ": "+row.rule) {
			t.Errorf("%s: %v", row.why, err)
		}
	}
}

func TestKeysThatPeopleUseAreTaken(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"1", "order-1", "a@b", "Bestellung Nr. 7 für Jürgen", "支払い-42", strings.Repeat("x", 200), "../../etc/passwd", "wake/x", "%s"} {
		if k, err := settlement.ParseKey("", value); err != nil || k.Tenant != settlement.DefaultTenant || k.Canonical() != value {
			t.Errorf("%q: %+v %v", value, k, err)
		}
	}
	long, err := settlement.ParseKey(strings.Repeat("t", 40), strings.Repeat("k", 200))
	if err != nil || len(long.Canonical()) > 255 {
		t.Errorf("the longest canonical key has %d bytes: %v", len(long.Canonical()), err)
	}
}

func TestCanonicalKeysThatCanonicalNeverMakesAreRefused(t *testing.T) {
	t.Parallel()
	for _, canonical := range []string{"", "@", "@/x", "@acme", "@acme/", "@default/x", "@Acme/x", "@acme/@x", "@acme/a\nb"} {
		if k, err := settlement.KeyFromCanonical(canonical); err == nil {
			t.Errorf("%q became %+v", canonical, k)
		}
	}
}

func FuzzCanonicalKeysComeBackAndNeverCollide(f *testing.F) {
	for _, seed := range [][4]string{{"", "order-1", "acme", "order-1"}, {"acme", "a/b", "acme", "a"}, {"a", "b/c", "a-b", "c"}, {"", "@x", "x", ""}} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	f.Fuzz(func(t *testing.T, tenant, value, tenant2, value2 string) {
		k, err := settlement.ParseKey(tenant, value)
		if err != nil {
			return
		}
		back, err := settlement.KeyFromCanonical(k.Canonical())
		if err != nil || back != k {
			t.Errorf("%+v became %q and came back as %+v, %v", k, k.Canonical(), back, err)
		}
		other, err := settlement.ParseKey(tenant2, value2)
		if err == nil && (other.Canonical() == k.Canonical()) != (other == k) {
			t.Errorf("%+v and %+v share %q", k, other, k.Canonical())
		}
		if len(k.Canonical()) > 255 {
			t.Errorf("%q has %d bytes", k.Canonical(), len(k.Canonical()))
		}
	})
}

func FuzzAnyCanonicalKeyThatIsReadIsWrittenTheSame(f *testing.F) {
	for _, seed := range []string{"order-1", "@acme/order-1", "@default/x", "@a/b/c", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, canonical string) {
		if k, err := settlement.KeyFromCanonical(canonical); err == nil && k.Canonical() != canonical {
			t.Errorf("%q was read as %+v and written as %q", canonical, k, k.Canonical())
		}
	})
}

// The id that the vault knows must never change: a second encoding would pay every open settlement a second time.
func TestTheOnchainIDIsGolden(t *testing.T) {
	t.Parallel()
	vault := common.HexToAddress("0x5FbDB2315678afecb367f032d93F642f64180aa3")
	for _, key := range []settlement.Key{{Tenant: "default", Value: "order-1"}, {Tenant: "acme", Value: "order-1"}, {Tenant: "default", Value: strings.Repeat("x", 65)}} {
		// keccak256(abi.encode(bytes32, uint256, address, string)), spelled out word by word
		canonical := key.Canonical()
		word := func(n uint64) []byte { return binary.BigEndian.AppendUint64(make([]byte, 24), n) }
		packed := crypto.Keccak256([]byte("quittance.settlement.v1"))
		packed = append(packed, word(1337)...)
		packed = append(packed, common.LeftPadBytes(vault.Bytes(), 32)...)
		packed = append(packed, word(128)...)
		packed = append(packed, word(uint64(len(canonical)))...)
		packed = append(packed, common.RightPadBytes([]byte(canonical), (len(canonical)+31)/32*32)...)
		if got, want := key.OnchainID(1337, vault), crypto.Keccak256Hash(packed); got != want {
			t.Errorf("%s: %s, want %s", key, got, want)
		}
	}
	if got := (settlement.Key{Tenant: "default", Value: "order-1"}).OnchainID(1337, vault).Hex(); got != goldenOnchainID {
		t.Errorf("order-1 is %s, was %s", got, goldenOnchainID)
	}
}

const goldenOnchainID = "0x92051ff1c752826e65d4e5076aca6d6ed34a51b9fa448d076396819384cbc36b"

func TestTheOnchainIDBindsChainVaultAndTenant(t *testing.T) {
	t.Parallel()
	vault := common.HexToAddress("0x5FbDB2315678afecb367f032d93F642f64180aa3")
	key := settlement.Key{Tenant: "default", Value: "order-1"}
	id := key.OnchainID(1337, vault)
	for why, other := range map[string]common.Hash{
		"another chain":   key.OnchainID(1, vault),
		"another vault":   key.OnchainID(1337, common.HexToAddress("0x01")),
		"another key":     settlement.Key{Tenant: "default", Value: "order-2"}.OnchainID(1337, vault),
		"another tenant":  settlement.Key{Tenant: "acme", Value: "order-1"}.OnchainID(1337, vault),
		"a tenant's name": settlement.Key{Tenant: "default", Value: "acme/order-1"}.OnchainID(1337, vault),
	} {
		if other == id {
			t.Errorf("%s has the same id", why)
		}
	}
}

func TestCustomerIDsBindTheTenantAndNoBorderCanMove(t *testing.T) {
	t.Parallel()
	if settlement.CustomerID("", "alice") != settlement.CustomerID("default", "alice") {
		t.Error("the default tenant has two names on chain")
	}
	if settlement.CustomerID("ab", "c") == settlement.CustomerID("a", "bc") || settlement.CustomerID("acme", "alice") == settlement.CustomerID("", "alice") {
		t.Error("two customers share an id")
	}
	if got := settlement.CustomerID("", "alice").Hex(); got != goldenCustomerID {
		t.Errorf("alice is %s, was %s", got, goldenCustomerID)
	}
}

const goldenCustomerID = "0xa7f18ddddbe1ce84aeaf449973dd9b34a601f5af975ecee4c3e8758acba9a6e9"
