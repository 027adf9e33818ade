package contracts_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/quittance/quittance/contracts"
)

// Statuses of an id as the vault's view answers them.
const (
	unused  = 0
	settled = 1
	revoked = 2
)

// fixture is a chain with a vault that holds 1,000 coins and 1,000 tokens, and one operator.
type fixture struct {
	*chain
	vault common.Address
	token common.Address
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	c := newChain(t)
	f := &fixture{chain: c, vault: c.deployVault(t)}
	f.token = c.deploy(t, c.owner, contracts.TestTokenMetaData.Bin, tokenABI.PackConstructor("Test Dollar", "TUSD", 6))
	c.must(t, c.owner, f.token, nil, tokenABI.PackMint(f.vault, ether(1000)))
	c.must(t, c.owner, f.vault, ether(1000), vaultABI.PackDepositNative(idOf("treasury")))
	return f
}

func (c *chain) deployVault(t fataler) common.Address {
	t.Helper()
	args := vaultABI.PackConstructor(c.owner.addr, []common.Address{c.operator.addr})
	return c.deploy(t, c.owner, contracts.VaultMetaData.Bin, args)
}

// status asks the vault what became of an id.
func (f *fixture) status(t fataler, id [32]byte) uint8 {
	t.Helper()
	got, err := vaultABI.UnpackStatus(f.view(t, f.vault, vaultABI.PackStatus(id)))
	if err != nil {
		t.Fatalf("status: %v", err)
	}
	return got
}

// wantStatus fails unless the id has this status.
func (f *fixture) wantStatus(t fataler, id [32]byte, want uint8) {
	t.Helper()
	if got := f.status(t, id); got != want {
		t.Fatalf("status of the id is %d, want %d", got, want)
	}
}

// wantBalance fails unless the holder owns exactly this much.
func (c *chain) wantBalance(t fataler, token, holder common.Address, want *big.Int) {
	t.Helper()
	if got := c.balance(t, token, holder); got.Cmp(want) != 0 {
		t.Fatalf("%s holds %s of %s, want %s", holder, got, token, want)
	}
}

// wantSettled fails unless the receipt's first log is the vault's Settled event with these fields.
func (f *fixture) wantSettled(t fataler, receipt *types.Receipt, id [32]byte, token, to common.Address, amount *big.Int) {
	t.Helper()
	event, err := vaultABI.UnpackSettledEvent(f.firstLog(t, receipt))
	if err != nil {
		t.Fatalf("unpack Settled: %v", err)
	}
	if event.Id != id || event.Token != token || event.To != to || event.Amount.Cmp(amount) != 0 {
		t.Fatalf("Settled is %x %s %s %s, want %x %s %s %s", event.Id, event.Token, event.To, event.Amount, id, token, to, amount)
	}
}

// wantDeposited fails unless the receipt's last log is the vault's Deposited event with these fields.
func (f *fixture) wantDeposited(t fataler, receipt *types.Receipt, account [32]byte, token, from common.Address, amount *big.Int) {
	t.Helper()
	if len(receipt.Logs) == 0 {
		t.Fatalf("no logs, want Deposited")
	}
	log := receipt.Logs[len(receipt.Logs)-1]
	event, err := vaultABI.UnpackDepositedEvent(log)
	if err != nil {
		t.Fatalf("unpack Deposited: %v", err)
	}
	if log.Address != f.vault || event.Account != account || event.Token != token || event.From != from || event.Amount.Cmp(amount) != 0 {
		t.Fatalf("Deposited by %s is %x %s %s %s, want %x %s %s %s", log.Address, event.Account, event.Token, event.From, event.Amount,
			account, token, from, amount)
	}
}

func (f *fixture) firstLog(t fataler, receipt *types.Receipt) *types.Log {
	t.Helper()
	if len(receipt.Logs) == 0 {
		t.Fatalf("no logs")
	}
	if receipt.Logs[0].Address != f.vault {
		t.Fatalf("the first log is by %s, want the vault", receipt.Logs[0].Address)
	}
	return receipt.Logs[0]
}

func (f *fixture) settle(t fataler, id [32]byte, token, to common.Address, amount *big.Int) *types.Receipt {
	t.Helper()
	return f.must(t, f.operator, f.vault, nil, vaultABI.PackSettle(id, token, to, amount))
}

func (f *fixture) settleRefused(t fataler, id [32]byte, token, to common.Address, amount *big.Int, want string) []byte {
	t.Helper()
	return f.refused(t, f.operator, f.vault, nil, vaultABI.PackSettle(id, token, to, amount), want)
}

func (f *fixture) pause(t fataler) {
	t.Helper()
	f.must(t, f.owner, f.vault, nil, vaultABI.PackPause())
}
