package contracts_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/contracts"
)

func TestSettlePaysTokensAndAnnouncesThePaymentBeforeItIsMade(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id, to, amount := idOf("a"), freshAddress(t), big.NewInt(12_345)

	receipt := f.settle(t, id, f.token, to, amount)

	f.wantSettled(t, receipt, id, f.token, to, amount)
	if len(receipt.Logs) != 2 || receipt.Logs[1].Address != f.token {
		t.Fatalf("want two logs, the vault's and then the token's, got %d", len(receipt.Logs))
	}
	f.wantBalance(t, f.token, to, amount)
	f.wantBalance(t, f.token, f.vault, new(big.Int).Sub(ether(1000), amount))
	f.wantStatus(t, id, settled)
}

func TestSettlePaysCoins(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id, to, amount := idOf("a"), freshAddress(t), ether(7)

	receipt := f.settle(t, id, native, to, amount)

	f.wantSettled(t, receipt, id, native, to, amount)
	if len(receipt.Logs) != 1 {
		t.Fatalf("want one log, got %d", len(receipt.Logs))
	}
	f.wantBalance(t, native, to, amount)
	f.wantBalance(t, native, f.vault, ether(993))
	f.wantStatus(t, id, settled)
}

func TestSettleCanEmptyTheVault(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for name, token := range map[string]common.Address{"coins": native, "tokens": f.token} {
		f.settle(t, idOf(name), token, freshAddress(t), ether(1000))
		f.wantBalance(t, token, f.vault, new(big.Int))
	}
}

func TestSettleRefusesWithAName(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	used := idOf("used")
	f.settle(t, used, f.token, freshAddress(t), big.NewInt(1))
	to, one := freshAddress(t), big.NewInt(1)
	address := func(hex string) common.Address { return common.HexToAddress(hex) }
	tooMuch := new(big.Int).Add(ether(1000), one)

	cases := []struct {
		name   string
		from   account
		id     [32]byte
		token  common.Address
		to     common.Address
		amount *big.Int
		want   string
		why    string
	}{
		{"stranger", f.stranger, idOf("x"), f.token, to, one, "NotOperator", "only operators pay"},
		{"owner", f.owner, idOf("x"), f.token, to, one, "NotOperator", "the owner is no operator"},
		{"used id", f.operator, used, f.token, to, one, "IdUsed", "once per id"},
		{"zero recipient", f.operator, idOf("x"), f.token, common.Address{}, one, "BadRecipient", "burns the money"},
		{"zero recipient of coins", f.operator, idOf("x"), native, common.Address{}, one, "BadRecipient", "burns the money"},
		{"the vault", f.operator, idOf("x"), f.token, f.vault, one, "BadRecipient", "would mark an id paid and pay nobody"},
		{"the vault, coins", f.operator, idOf("x"), native, f.vault, one, "BadRecipient", "the same for coins"},
		{"the token", f.operator, idOf("x"), f.token, f.token, one, "BadRecipient", "tokens sent to their own contract are lost"},
		{"first precompile", f.operator, idOf("x"), native, address("0x01"), one, "BadRecipient", "takes coins and keeps them"},
		{"a newer precompile", f.operator, idOf("x"), native, address("0x0100"), one, "BadRecipient", "the same"},
		{"last reserved address", f.operator, idOf("x"), native, address("0xffff"), one, "BadRecipient", "the end of the reserved range"},
		{"no amount", f.operator, idOf("x"), f.token, to, new(big.Int), "ZeroAmount", "an id must not be used up by nothing"},
		{"no amount of coins", f.operator, idOf("x"), native, to, new(big.Int), "ZeroAmount", "the same for coins"},
		{"no contract", f.operator, idOf("x"), freshAddress(t), to, one, "NotAToken", "a call to an empty address succeeds in the EVM"},
		{"not a token", f.operator, idOf("x"), f.vault, to, one, "TokenTransferFailed", "a contract without transfer"},
		{"too many coins", f.operator, idOf("x"), native, to, tooMuch, "InsufficientVaultBalance", "short by one wei"},
		{"too many tokens", f.operator, idOf("x"), f.token, to, tooMuch, "InsufficientVaultBalance", "short by one unit"},
	}
	for _, tc := range cases {
		data := vaultABI.PackSettle(tc.id, tc.token, tc.to, tc.amount)
		t.Logf("%s: %s", tc.name, tc.why)
		f.refused(t, tc.from, f.vault, nil, data, tc.want)
	}
	f.wantStatus(t, idOf("x"), unused)
	f.settle(t, idOf("x"), native, address("0x010000"), one) // the first address that is not reserved
	f.wantStatus(t, idOf("x"), settled)
}

func TestAShortVaultNamesItsBalance(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	data := f.settleRefused(t, idOf("a"), f.token, freshAddress(t), ether(1001), "InsufficientVaultBalance")
	short, err := vaultABI.UnpackInsufficientVaultBalanceError(data[4:])
	if err != nil {
		t.Fatalf("unpack: %v", err)
	}
	if short.Token != f.token || short.Balance.Cmp(ether(1000)) != 0 || short.Amount.Cmp(ether(1001)) != 0 {
		t.Fatalf("got %s %s %s", short.Token, short.Balance, short.Amount)
	}
}

func TestSettleTakesNoCoins(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	data := vaultABI.PackSettle(idOf("a"), native, freshAddress(t), big.NewInt(1))
	got := f.do(t, f.operator, &f.vault, big.NewInt(1), data)
	if got.receipt.Status != 0 || len(got.revert) != 0 {
		t.Fatalf("status %d, revert %s; want a bare revert", got.receipt.Status, contracts.RevertText(got.revert))
	}
}

func TestAnIDIsUsedAtMostOnceInAnyOrder(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	to := freshAddress(t)
	acts := []struct {
		name   string
		pack   func(id [32]byte) []byte
		status uint8
	}{
		{"settle tokens", func(id [32]byte) []byte { return vaultABI.PackSettle(id, f.token, to, big.NewInt(5)) }, settled},
		{"settle other tokens", func(id [32]byte) []byte { return vaultABI.PackSettle(id, f.token, f.stranger.addr, big.NewInt(6)) }, settled},
		{"settle coins", func(id [32]byte) []byte { return vaultABI.PackSettle(id, native, to, big.NewInt(5)) }, settled},
		{"revoke", func(id [32]byte) []byte { return vaultABI.PackRevoke(id) }, revoked},
	}
	f.must(t, f.owner, f.vault, nil, vaultABI.PackSetOperator(f.second.addr, true))
	for _, first := range acts {
		for _, then := range acts {
			id := idOf(first.name + then.name)
			f.must(t, f.operator, f.vault, nil, first.pack(id))
			vaultTokens, vaultCoins := f.balance(t, f.token, f.vault), f.balance(t, native, f.vault)
			for _, from := range []account{f.operator, f.second} { // another operator is no second chance
				data := f.refused(t, from, f.vault, nil, then.pack(id), "IdUsed")
				if got, err := vaultABI.UnpackIdUsedError(data[4:]); err != nil || got.Id != id {
					t.Fatalf("%s, then %s: IdUsed names %x (%v), want %x", first.name, then.name, got.Id, err, id)
				}
			}
			f.wantStatus(t, id, first.status)
			f.wantBalance(t, f.token, f.vault, vaultTokens)
			f.wantBalance(t, native, f.vault, vaultCoins)
		}
	}
}

func TestAFailedSettlementLeavesItsIDUsable(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id, to := idOf("a"), freshAddress(t)
	f.settleRefused(t, id, f.token, to, ether(5000), "InsufficientVaultBalance")
	f.settleRefused(t, id, native, to, ether(5000), "InsufficientVaultBalance")
	f.wantStatus(t, id, unused)
	f.settle(t, id, f.token, to, ether(1))
	f.settleRefused(t, id, f.token, to, ether(1), "IdUsed")
}

func TestRevokeMarksAnIDWithoutPaying(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := idOf("a")
	receipt := f.must(t, f.operator, f.vault, nil, vaultABI.PackRevoke(id))
	event, err := vaultABI.UnpackRevokedEvent(f.firstLog(t, receipt))
	if err != nil || event.Id != id || len(receipt.Logs) != 1 {
		t.Fatalf("want exactly Revoked(%x), got %d logs, %+v (%v)", id, len(receipt.Logs), event, err)
	}
	f.wantStatus(t, id, revoked)
	f.wantBalance(t, f.token, f.vault, ether(1000))
	f.wantBalance(t, native, f.vault, ether(1000))

	for _, from := range []account{f.stranger, f.owner} {
		f.refused(t, from, f.vault, nil, vaultABI.PackRevoke(idOf("b")), "NotOperator")
	}
	f.wantStatus(t, idOf("b"), unused)
}
