package contracts_test

import (
	"bytes"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/math"

	"github.com/quittance/quittance/contracts"
	"github.com/quittance/quittance/contracts/hostile"
)

// tokenReason settles a token that must fail, and returns what the token said.
func (f *fixture) tokenReason(t fataler, id [32]byte, token, to common.Address, amount *big.Int) []byte {
	t.Helper()
	data := f.settleRefused(t, id, token, to, amount, "TokenTransferFailed")
	f.wantStatus(t, id, unused)
	reason, ok := contracts.TokenRevert(data)
	if !ok {
		t.Fatalf("no reason in %s", contracts.RevertText(data))
	}
	return reason
}

// fund mints a token to the stranger, who lets the vault take all of it. Every mintable token here has the same two functions.
func (f *fixture) fund(t fataler, token common.Address, amount *big.Int) {
	t.Helper()
	f.must(t, f.owner, token, nil, tokenABI.PackMint(f.stranger.addr, amount))
	f.must(t, f.stranger, token, nil, tokenABI.PackApprove(f.vault, amount))
}

func (f *fixture) deposit(t fataler, token common.Address, amount, credited *big.Int) {
	t.Helper()
	receipt := f.must(t, f.stranger, f.vault, nil, vaultABI.PackDeposit(idOf("alice"), token, amount))
	f.wantDeposited(t, receipt, idOf("alice"), token, f.stranger.addr, credited)
}

func TestATokenThatReturnsNothingIsTakenAndPaid(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	token := f.deploy(t, f.owner, hostile.NoReturnTokenMetaData.Bin, nil)
	f.fund(t, token, big.NewInt(100))
	f.deposit(t, token, big.NewInt(100), big.NewInt(100))
	to := freshAddress(t)
	receipt := f.settle(t, idOf("a"), token, to, big.NewInt(30))
	f.wantSettled(t, receipt, idOf("a"), token, to, big.NewInt(30))
	f.must(t, f.owner, f.vault, nil, vaultABI.PackWithdraw(token, to, big.NewInt(20)))
	f.wantBalance(t, token, to, big.NewInt(50))
	f.wantBalance(t, token, f.vault, big.NewInt(50))
	f.settleRefused(t, idOf("b"), token, to, big.NewInt(51), "InsufficientVaultBalance")
}

func TestATokenThatReturnsFalseIsAFailure(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	token := f.deploy(t, f.owner, hostile.FalseTokenMetaData.Bin, nil)
	reason := f.tokenReason(t, idOf("a"), token, freshAddress(t), big.NewInt(1))
	if !bytes.Equal(reason, make([]byte, 32)) {
		t.Fatalf("reason is %x, want a word of zeros", reason)
	}
	f.refused(t, f.stranger, f.vault, nil, vaultABI.PackDeposit(idOf("alice"), token, big.NewInt(1)), "SafeERC20FailedOperation")
}

func TestAFeeOnTransferCreditsWhatArrivedAndPaysOutLess(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	token := f.deploy(t, f.owner, hostile.FeeTokenMetaData.Bin, nil)
	f.fund(t, token, big.NewInt(1000))
	f.deposit(t, token, big.NewInt(1000), big.NewInt(900))
	f.wantBalance(t, token, f.vault, big.NewInt(900))

	to := freshAddress(t)
	receipt := f.settle(t, idOf("a"), token, to, big.NewInt(500))
	f.wantSettled(t, receipt, idOf("a"), token, to, big.NewInt(500))
	f.wantBalance(t, token, f.vault, big.NewInt(400)) // the vault loses what its event says
	f.wantBalance(t, token, to, big.NewInt(450))      // and the recipient gets less
}

func TestABlacklistedRecipientFailsUntilItIsTakenOffTheList(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	token, packer := f.deploy(t, f.owner, hostile.BlacklistTokenMetaData.Bin, nil), hostile.NewBlacklistToken()
	f.fund(t, token, big.NewInt(100))
	f.deposit(t, token, big.NewInt(100), big.NewInt(100))
	to := freshAddress(t)

	f.must(t, f.owner, token, nil, packer.PackList(to, true))
	reason := f.tokenReason(t, idOf("a"), token, to, big.NewInt(5))
	if text := contracts.RevertText(reason); text != `Error("Blacklistable: account is blacklisted")` {
		t.Fatalf("reason is %s", text)
	}
	f.settle(t, idOf("b"), token, freshAddress(t), big.NewInt(5)) // the others are not touched
	f.must(t, f.owner, token, nil, packer.PackList(to, false))
	f.settle(t, idOf("a"), token, to, big.NewInt(5))
	f.wantBalance(t, token, f.vault, big.NewInt(90))
}

func TestATokenCannotSpeakWithTheVaultsVoice(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	token, packer := f.deploy(t, f.owner, hostile.PausedTokenMetaData.Bin, nil), hostile.NewPausedToken()
	f.must(t, f.owner, token, nil, packer.PackMint(f.vault, big.NewInt(100)))
	f.must(t, f.owner, token, nil, packer.PackPause())
	reason := f.tokenReason(t, idOf("a"), token, freshAddress(t), big.NewInt(5))
	if name, ok := contracts.RevertName(reason); !ok || name != "EnforcedPause" {
		t.Fatalf("reason is %s, want the token's EnforcedPause", contracts.RevertText(reason))
	}
	f.must(t, f.owner, token, nil, packer.PackUnpause())
	f.settle(t, idOf("a"), token, freshAddress(t), big.NewInt(5))

	impostor := f.deploy(t, f.owner, hostile.RevertingTokenMetaData.Bin, nil)
	idUsed := append(contracts.VaultIdUsedErrorID().Bytes()[:4], make([]byte, 32)...)
	f.must(t, f.owner, impostor, nil, hostile.NewRevertingToken().PackSetReason(idUsed))
	reason = f.tokenReason(t, idOf("b"), impostor, freshAddress(t), big.NewInt(5))
	if !bytes.Equal(reason, idUsed) {
		t.Fatalf("reason is %x, want %x", reason, idUsed)
	}
}

func TestALongReasonIsCutAndABombIsNotCopied(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	token := f.deploy(t, f.owner, hostile.RevertingTokenMetaData.Bin, nil)
	message, err := abi.Arguments{{Type: stringType(t)}}.Pack(strings.Repeat("no ", 400))
	if err != nil {
		t.Fatal(err)
	}
	long := append(common.FromHex("0x08c379a0"), message...)
	f.must(t, f.owner, token, nil, hostile.NewRevertingToken().PackSetReason(long))
	reason := f.tokenReason(t, idOf("a"), token, freshAddress(t), big.NewInt(5))
	if !bytes.Equal(reason, long[:256]) {
		t.Fatalf("the reason has %d bytes, want the first 256", len(reason))
	}
	if name, ok := contracts.RevertName(reason); !ok || name != "Error" {
		t.Fatalf("the cut reason has the name %q", name)
	}

	bomb := f.deploy(t, f.owner, hostile.BombTokenMetaData.Bin, nil)
	if reason := f.tokenReason(t, idOf("a"), bomb, freshAddress(t), big.NewInt(5)); len(reason) != 256 {
		t.Fatalf("the reason has %d bytes, want 256", len(reason))
	}
	// Making 200,000 bytes costs the token some 95,000 gas; copying them would cost the vault that again, three times over.
	got := f.send(t, f.operator, &f.vault, nil, vaultABI.PackSettle(idOf("a"), bomb, freshAddress(t), big.NewInt(5)))
	if got.GasUsed > 200_000 {
		t.Fatalf("a bomb costs %d gas", got.GasUsed)
	}
}

func TestATokenThatBurnsAllGasPaysNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	token := f.deploy(t, f.owner, hostile.GasBurnerMetaData.Bin, nil)
	got := f.do(t, f.operator, &f.vault, nil, vaultABI.PackSettle(idOf("a"), token, freshAddress(t), big.NewInt(5)))
	if got.receipt.Status != 0 {
		t.Fatal("a token that burns all gas was paid")
	}
	f.wantStatus(t, idOf("a"), unused)
}

func TestADepositWithoutGrowthIsRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	token, packer := f.deploy(t, f.owner, hostile.LyingTokenMetaData.Bin, nil), hostile.NewLyingToken()
	for _, after := range []int64{50, 49, 0} {
		f.must(t, f.owner, token, nil, packer.PackLie(big.NewInt(50), big.NewInt(after)))
		f.refused(t, f.stranger, f.vault, nil, vaultABI.PackDeposit(idOf("alice"), token, big.NewInt(10)), "NothingReceived")
	}
}

// The amount of a Deposited event is the token's word. A token can say the largest number there is, more than once, so that the
// sum overflows 256 bits: who reads events must take that without failing.
func TestALyingTokenCanAnnounceTheLargestAmountTwice(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	token, packer := f.deploy(t, f.owner, hostile.LyingTokenMetaData.Bin, nil), hostile.NewLyingToken()
	for range 2 {
		f.must(t, f.owner, token, nil, packer.PackLie(new(big.Int), math.MaxBig256))
		f.deposit(t, token, big.NewInt(1), math.MaxBig256)
	}
}

func TestALyingTokenIsPaidWithoutMovingAnything(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	token := f.deploy(t, f.owner, hostile.LyingTokenMetaData.Bin, nil)
	f.settle(t, idOf("a"), token, freshAddress(t), math.MaxBig256)
	f.settleRefused(t, idOf("a"), token, freshAddress(t), math.MaxBig256, "IdUsed")
}

func stringType(t testing.TB) abi.Type {
	t.Helper()
	typ, err := abi.NewType("string", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return typ
}
