package contracts_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/quittance/quittance/contracts"
)

func TestAnybodyMayDepositTokensForAnyAccount(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	alice := idOf("alice")
	f.must(t, f.owner, f.token, nil, tokenABI.PackMint(f.stranger.addr, big.NewInt(500)))
	f.must(t, f.stranger, f.token, nil, tokenABI.PackApprove(f.vault, big.NewInt(500)))

	receipt := f.must(t, f.stranger, f.vault, nil, vaultABI.PackDeposit(alice, f.token, big.NewInt(300)))

	f.wantDeposited(t, receipt, alice, f.token, f.stranger.addr, big.NewInt(300))
	f.wantBalance(t, f.token, f.stranger.addr, big.NewInt(200))
	f.wantBalance(t, f.token, f.vault, new(big.Int).Add(ether(1000), big.NewInt(300)))
}

func TestAnybodyMayDepositCoinsForAnyAccount(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	alice := idOf("alice")
	receipt := f.must(t, f.stranger, f.vault, ether(3), vaultABI.PackDepositNative(alice))
	f.wantDeposited(t, receipt, alice, native, f.stranger.addr, ether(3))
	f.wantBalance(t, native, f.vault, ether(1003))
}

func TestDepositRefusesWithAName(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	nobody, alice, one := [32]byte{}, idOf("alice"), big.NewInt(1)
	f.must(t, f.owner, f.token, nil, tokenABI.PackMint(f.stranger.addr, one))

	cases := []struct {
		name  string
		value *big.Int
		data  []byte
		want  string
		why   string
	}{
		{"no account", nil, vaultABI.PackDeposit(nobody, f.token, one), "ZeroAccount", "nobody to credit"},
		{"no account for coins", one, vaultABI.PackDepositNative(nobody), "ZeroAccount", "nobody to credit"},
		{"no amount", nil, vaultABI.PackDeposit(alice, f.token, new(big.Int)), "ZeroAmount", "nothing to credit"},
		{"no coins", nil, vaultABI.PackDepositNative(alice), "ZeroAmount", "nothing to credit"},
		{"coins by the wrong door", nil, vaultABI.PackDeposit(alice, native, one), "NotAToken", "the zero address is no token here"},
		{"no contract", nil, vaultABI.PackDeposit(alice, freshAddress(t), one), "NotAToken", "calls to it would succeed"},
		{"no allowance", nil, vaultABI.PackDeposit(alice, f.token, one), "ERC20InsufficientAllowance", "the depositor hears the token itself"},
		{"plain transfer", one, nil, "UseDepositNative", "coins without an account would be a surplus"},
	}
	for _, tc := range cases {
		t.Logf("%s: %s", tc.name, tc.why)
		f.refused(t, f.stranger, f.vault, tc.value, tc.data, tc.want)
	}
	f.wantBalance(t, native, f.vault, ether(1000))
	f.wantBalance(t, f.token, f.vault, ether(1000))
}

func TestDepositOfTokensTakesNoCoins(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.must(t, f.owner, f.token, nil, tokenABI.PackMint(f.stranger.addr, big.NewInt(1)))
	f.must(t, f.stranger, f.token, nil, tokenABI.PackApprove(f.vault, big.NewInt(1)))
	got := f.do(t, f.stranger, &f.vault, big.NewInt(1), vaultABI.PackDeposit(idOf("alice"), f.token, big.NewInt(1)))
	if got.receipt.Status != 0 || len(got.revert) != 0 {
		t.Fatalf("status %d, revert %s; want a bare revert", got.receipt.Status, contracts.RevertText(got.revert))
	}
}

func TestAnUnknownFunctionIsRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, value := range []*big.Int{nil, big.NewInt(1)} {
		got := f.do(t, f.stranger, &f.vault, value, []byte{1, 2, 3, 4})
		if got.receipt.Status != 0 {
			t.Fatal("a call of no function succeeded")
		}
	}
	f.wantBalance(t, native, f.vault, ether(1000))
}

// Coins can be forced on any address, for instance by sending them before a contract is created there. They emit nothing.
func TestCoinsForcedOnTheVaultAreASurplusThatTheOwnerCanWithdraw(t *testing.T) {
	t.Parallel()
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	owner := account{key: key, addr: crypto.PubkeyToAddress(key.PublicKey)}
	predicted := crypto.CreateAddress(owner.addr, 0)
	alloc := types.GenesisAlloc{owner.addr: {Balance: ether(10)}, predicted: {Balance: ether(1)}}
	backend, client := startBackend(t, alloc)
	c := &chain{backend: backend, client: client}

	args := vaultABI.PackConstructor(owner.addr, nil)
	vault := c.deploy(t, owner, contracts.VaultMetaData.Bin, args)
	if vault != predicted {
		t.Fatalf("the vault is at %s, want %s", vault, predicted)
	}
	c.wantBalance(t, native, vault, ether(1))
	to := common.HexToAddress("0x00000000000000000000000000000000000ABCDE")
	c.must(t, owner, vault, nil, vaultABI.PackWithdraw(native, to, ether(1)))
	c.wantBalance(t, native, to, ether(1))
}
