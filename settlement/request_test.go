package settlement_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/settlement"
)

// https://github.com/omgnetwork/ewallet/issues/1152: addresses stored as they were typed.
func TestAddressesAreReadByTheirBytesOrRefused(t *testing.T) {
	t.Parallel()
	const checksummed = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
	want := common.HexToAddress(checksummed)
	for _, text := range []string{checksummed, strings.ToLower(checksummed), "0x" + strings.ToUpper(checksummed[2:])} {
		if a, err := settlement.ParseAddress("to", text); err != nil || a != want {
			t.Errorf("%s: %s, %v", text, a, err)
		}
	}
	for _, row := range []struct{ why, text, rule string }{
		{"one letter of the checksum is wrong: a typing error, not another address", "0x70997970c51812dc3A010C7d01b50e0d17dc79C8", "wrong EIP-55 checksum"},
		{"19 bytes", checksummed[:40], "must have 20 bytes, has 19"},
		{"21 bytes", checksummed + "00", "must have 20 bytes, has 21"},
		{"half a byte", checksummed[:41], "must be hexadecimal"},
		{"no prefix", checksummed[2:], "must begin with 0x"},
		{"a prefix in capitals", "0X" + checksummed[2:], "must begin with 0x"},
		{"a name", "alice.eth", "must begin with 0x"},
		{"a letter that is no digit", "0xg0997970C51812dc3A010C7d01b50e0d17dc79C8", "must be hexadecimal"},
		{"a space before", " " + checksummed, "must begin with 0x"},
		{"nothing", "", "must begin with 0x"},
	} {
		a, err := settlement.ParseAddress("to", row.text)
		if settlement.KindOf(err) != settlement.Invalid || err == nil || !strings.HasPrefix(err.Error(), "to: ") || !strings.Contains(err.Error(), row.rule) {
			t.Errorf("%s: %s, %v", row.why, a, err)
		}
	}
}

func TestDestinationsThatWouldLoseTheMoneyAreRefused(t *testing.T) {
	t.Parallel()
	vault, token, signer := common.HexToAddress("0x1111111111111111111111111111111111111111"), common.HexToAddress("0x2222222222222222222222222222222222222222"), common.HexToAddress("0x3333333333333333333333333333333333333333")
	refused := settlement.Refused{Vault: vault, Tokens: []common.Address{settlement.NativeToken, token}, Signers: []common.Address{signer}}
	for why, to := range map[string]common.Address{
		"the zero address": {}, "the vault": vault, "a token": token, "a signer": signer,
		"the first precompile": common.HexToAddress("0x01"), "the last system contract": common.HexToAddress("0xffff"),
	} {
		if err := refused.CheckDestination(to); settlement.KindOf(err) != settlement.Invalid || err == nil {
			t.Errorf("%s: %v", why, err)
		}
	}
	for _, to := range []common.Address{common.HexToAddress("0x10000"), common.HexToAddress("0x4444444444444444444444444444444444444444")} {
		if err := refused.CheckDestination(to); err != nil {
			t.Errorf("%s: %v", to, err)
		}
	}
}

func TestAccountNamesAreVisibleASCII(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"alice", "user:42/eu", strings.Repeat("x", 200)} {
		if err := settlement.CheckAccountName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"", "a b", "a\tb", "jürgen", strings.Repeat("x", 201), "a\x7f"} {
		if err := settlement.CheckAccountName(name); settlement.KindOf(err) != settlement.Invalid || err == nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	if settlement.CheckAmount(settlement.Amount{}) == nil || settlement.CheckAmount(settlement.NewAmount(1)) != nil {
		t.Error("zero is the only amount that cannot be paid")
	}
}

func request(t *testing.T, to, units string) settlement.Request {
	t.Helper()
	address, err := settlement.ParseAddress("to", to)
	if err != nil {
		t.Fatal(err)
	}
	amount, err := settlement.ParseUnits(units, 6)
	if err != nil {
		t.Fatal(err)
	}
	return settlement.Request{
		Key: settlement.Key{Tenant: "default", Value: "order-1"}, Account: "alice", To: address, Amount: amount,
		Asset: settlement.Asset{ID: 1, ChainID: 1337, Symbol: "USDC", Token: common.HexToAddress("0x5FbDB2315678afecb367f032d93F642f64180aa3"), Decimals: 6},
	}
}

// https://github.com/Universal-Commerce-Protocol/ucp/issues/664: a hash over the request's bytes differs on every retry.
func TestTwoSpellingsOfOneMeaningHaveOneFingerprint(t *testing.T) {
	t.Parallel()
	first := request(t, "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "12.5")
	second := request(t, "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", "12.50")
	second.RetryOf = "order-0"           // why it is asked is no part of what it means
	second.Key.Value = "order-2"         // nor is the key
	second.Asset.ID = 99                 // nor are names that the ledger gave
	second.Asset.Symbol = "USDC.renamed" //
	a, errA := first.Fingerprint(settlement.FingerprintVersion)
	b, errB := second.Fingerprint(settlement.FingerprintVersion)
	if errA != nil || errB != nil || a != b {
		t.Errorf("%x and %x, %v %v", a, b, errA, errB)
	}
}

// A change of the encoding would make every stored request look different. The values were computed by another program.
func TestTheFingerprintIsGolden(t *testing.T) {
	t.Parallel()
	r := request(t, "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "12.5")
	sum, err := r.Fingerprint(1)
	if got := common.Hash(sum).Hex(); err != nil || got != "0x27f0d68771442a784f37e5b9629eed2fd6e6fc7713224d32760cb32b10987396" {
		t.Errorf("fingerprint %s, %v", got, err)
	}
	digests, err := r.FieldDigests(1)
	if err != nil || digests["amount"] != "4e8f0889231677d31427712564dc673e41aa0bf51b9fed70617fb42270d4df4c" || len(digests) != 5 {
		t.Errorf("digests %v, %v", digests, err)
	}
	if _, err := r.Fingerprint(2); err == nil {
		t.Error("a version that this build does not know was computed")
	}
	if settlement.FingerprintVersion != 1 {
		t.Error("a new version needs golden values of its own here, and the old ones must stay")
	}
}

func TestEveryFieldOfTheMeaningChangesTheFingerprintAndNamesItself(t *testing.T) {
	t.Parallel()
	base := request(t, "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "12.5")
	baseDigests, err := base.FieldDigests(1)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*settlement.Request){
		settlement.FieldChain:   func(r *settlement.Request) { r.Asset.ChainID = 1 },
		settlement.FieldAsset:   func(r *settlement.Request) { r.Asset.Token = settlement.NativeToken },
		settlement.FieldAccount: func(r *settlement.Request) { r.Account = "bob" },
		settlement.FieldTo:      func(r *settlement.Request) { r.To[19] ^= 1 },
		settlement.FieldAmount:  func(r *settlement.Request) { r.Amount = settlement.NewAmount(12_500_001) },
	} {
		other := base
		change(&other)
		a, _ := base.Fingerprint(1)
		b, _ := other.Fingerprint(1)
		digests, err := other.FieldDigests(1)
		if err != nil || a == b {
			t.Errorf("%s is not part of the fingerprint: %v", name, err)
		}
		if fields := baseDigests.Differing(digests); !slices.Equal(fields, []string{name}) {
			t.Errorf("%s is reported as %v", name, fields)
		}
	}
	if fields := baseDigests.Differing(settlement.Digests{"amount": "x", "memo": "y"}); !slices.Equal(fields, []string{"account", "amount", "asset", "chain", "memo", "to"}) {
		t.Errorf("differing %v", fields)
	}
}
