package contracts_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/quittance/quittance/contracts"
	"github.com/quittance/quittance/contracts/hostile"
)

// nativeCallGas is what a recipient of coins may spend at most.
const nativeCallGas = 50_000

// entryPoints is every function of the vault that changes state, with arguments that would be accepted or refused for another
// reason than reentrancy, so the name of the revert tells which check came first.
func entryPoints(token, to common.Address) map[string][]byte {
	one := big.NewInt(1)
	return map[string][]byte{
		"settle":            vaultABI.PackSettle(idOf("again"), token, to, one),
		"settle coins":      vaultABI.PackSettle(idOf("again"), native, to, one),
		"revoke":            vaultABI.PackRevoke(idOf("again")),
		"deposit":           vaultABI.PackDeposit(idOf("alice"), token, one),
		"depositNative":     vaultABI.PackDepositNative(idOf("alice")),
		"withdraw":          vaultABI.PackWithdraw(token, to, one),
		"setOperator":       vaultABI.PackSetOperator(to, true),
		"pause":             vaultABI.PackPause(),
		"unpause":           vaultABI.PackUnpause(),
		"transferOwnership": vaultABI.PackTransferOwnership(to),
		"acceptOwnership":   vaultABI.PackAcceptOwnership(),
	}
}

// needsNoGuard lists the functions that need no guard, so that a new one must be put into one list or the other.
func needsNoGuard(method string) bool {
	switch method {
	case "isOperator", "owner", "paused", "pendingOwner", "status":
		return true // views
	case "renounceOwnership":
		return true // always reverts
	}
	return false
}

func TestTheListOfEntryPointsIsComplete(t *testing.T) {
	t.Parallel()
	covered := map[[4]byte]bool{}
	for _, data := range entryPoints(native, native) {
		covered[[4]byte(data)] = true
	}
	vault := vaultABI.GetABI()
	for name, method := range vault.Methods {
		if covered[[4]byte(method.ID)] == needsNoGuard(name) {
			t.Errorf("%s is in no list, or in both", name)
		}
	}
}

func TestNothingCanBeEnteredAgainFromAToken(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	token, packer := f.deploy(t, f.owner, hostile.CallbackTokenMetaData.Bin, nil), hostile.NewCallbackToken()
	f.must(t, f.owner, token, nil, packer.PackMint(f.vault, big.NewInt(1_000_000)))
	f.fund(t, token, big.NewInt(1_000_000))
	// The token itself may pay and deposit, so nothing but the guard stands in its way.
	f.must(t, f.owner, f.vault, nil, vaultABI.PackSetOperator(token, true))
	to := freshAddress(t)

	wantGuarded := func(name string, calls int64) {
		t.Helper()
		succeeded, err := packer.UnpackSucceeded(f.view(t, token, packer.PackSucceeded()))
		if err != nil || succeeded {
			t.Fatalf("%s was entered again (%v)", name, err)
		}
		answer, err := packer.UnpackAnswer(f.view(t, token, packer.PackAnswer()))
		if err != nil || !isGuard(answer) {
			t.Fatalf("%s answered %x (%v), want the reentrancy guard", name, answer, err)
		}
		count, err := packer.UnpackCalls(f.view(t, token, packer.PackCalls()))
		if err != nil || count.Int64() != calls {
			t.Fatalf("the token called back %s times (%v), want %d", count, err, calls)
		}
	}
	var calls int64
	for name, data := range entryPoints(token, to) {
		f.must(t, f.owner, token, nil, packer.PackCallBack(f.vault, data))
		f.settle(t, idOf("settle"+name), token, to, big.NewInt(1))
		wantGuarded(name+" within settle", calls+1)
		f.deposit(t, token, big.NewInt(1), big.NewInt(1))
		wantGuarded(name+" within deposit", calls+2)
		f.must(t, f.owner, f.vault, nil, vaultABI.PackWithdraw(token, to, big.NewInt(1)))
		wantGuarded(name+" within withdraw", calls+3)
		calls += 3
	}
	f.wantStatus(t, idOf("again"), unused)
}

func TestNothingCanBeEnteredAgainFromARecipient(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	recipient, packer := f.deploy(t, f.owner, hostile.ReentererMetaData.Bin, nil), hostile.NewReenterer()
	f.must(t, f.owner, f.vault, nil, vaultABI.PackSetOperator(recipient, true))

	wantGuarded := func(name string) {
		t.Helper()
		called, err := packer.UnpackCalled(f.view(t, recipient, packer.PackCalled()))
		if err != nil || !called {
			t.Fatalf("%s: the recipient did not call back (%v)", name, err)
		}
		succeeded, err := packer.UnpackSucceeded(f.view(t, recipient, packer.PackSucceeded()))
		if err != nil || succeeded {
			t.Fatalf("%s was entered again (%v)", name, err)
		}
		selector, err := packer.UnpackSelector(f.view(t, recipient, packer.PackSelector()))
		if err != nil || !isGuard(selector[:]) {
			t.Fatalf("%s answered %x (%v), want the reentrancy guard", name, selector, err)
		}
	}
	for name, data := range entryPoints(f.token, recipient) {
		f.must(t, f.owner, recipient, nil, packer.PackCallBack(f.vault, data))
		f.settle(t, idOf(name), native, recipient, big.NewInt(1))
		wantGuarded(name + " within settle")
	}
	f.wantBalance(t, native, recipient, big.NewInt(int64(len(entryPoints(f.token, recipient)))))
	f.wantStatus(t, idOf("again"), unused)
}

func TestAnOwnerWithCodeCannotWithdrawTwiceInOneCall(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	owner, packer := f.deploy(t, f.owner, hostile.ReentererMetaData.Bin, nil), hostile.NewReenterer()
	f.must(t, f.owner, f.vault, nil, vaultABI.PackTransferOwnership(owner))
	f.must(t, f.owner, owner, nil, packer.PackExecute(f.vault, vaultABI.PackAcceptOwnership()))

	take := vaultABI.PackWithdraw(native, owner, ether(1))
	f.must(t, f.owner, owner, nil, packer.PackCallBack(f.vault, take))
	f.must(t, f.owner, owner, nil, packer.PackExecute(f.vault, take))

	f.wantBalance(t, native, owner, ether(1))
	selector, err := packer.UnpackSelector(f.view(t, owner, packer.PackSelector()))
	if err != nil || !isGuard(selector[:]) {
		t.Fatalf("the second withdrawal answered %x (%v)", selector, err)
	}
}

func TestTheGuardIsLiftedAfterEachCallOfOneTransaction(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	batch, packer := f.deploy(t, f.owner, hostile.ReentererMetaData.Bin, nil), hostile.NewReenterer()
	f.must(t, f.owner, f.vault, nil, vaultABI.PackSetOperator(batch, true))
	f.must(t, f.owner, batch, nil, packer.PackTwice(f.vault,
		vaultABI.PackSettle(idOf("b"), native, f.stranger.addr, big.NewInt(1)),
		vaultABI.PackSettle(idOf("c"), native, f.stranger.addr, big.NewInt(1))))
	for _, id := range []string{"b", "c"} {
		f.wantStatus(t, idOf(id), settled)
	}
	f.refused(t, f.owner, batch, nil, packer.PackTwice(f.vault,
		vaultABI.PackSettle(idOf("d"), native, f.stranger.addr, big.NewInt(1)),
		vaultABI.PackSettle(idOf("d"), native, f.stranger.addr, big.NewInt(1))), "IdUsed")
	f.wantStatus(t, idOf("d"), unused)
}

func TestARecipientGetsFiftyThousandGasAndNoMore(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	meter, packer := f.deploy(t, f.owner, hostile.GasMeterMetaData.Bin, nil), hostile.NewGasMeter()
	f.settle(t, idOf("a"), native, meter, big.NewInt(1))
	got, err := packer.UnpackGasReceived(f.view(t, meter, packer.PackGasReceived()))
	if err != nil {
		t.Fatal(err)
	}
	if got.Int64() > nativeCallGas || got.Int64() < nativeCallGas-200 { // the meter's own first steps take some
		t.Fatalf("the recipient got %s gas, want %d", got, nativeCallGas)
	}
}

func TestARecipientThatBurnsItsGasFailsAndCostsAtMostItsAllowance(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	burner := f.deploy(t, f.owner, hostile.GasBurnerMetaData.Bin, nil)
	data := vaultABI.PackSettle(idOf("a"), native, burner, big.NewInt(1))
	f.refused(t, f.operator, f.vault, nil, data, "NativeTransferFailed")
	f.wantStatus(t, idOf("a"), unused)
	f.wantGasAtMost(t, f.send(t, f.operator, &f.vault, nil, data))
	f.settle(t, idOf("b"), f.token, burner, big.NewInt(1)) // tokens ask no recipient
}

func TestABombIsNeitherCopiedWhenReturnedNorWhenReverted(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	packer := hostile.NewBombRecipient()
	friendly := f.deploy(t, f.owner, hostile.BombRecipientMetaData.Bin, packer.PackConstructor(false))
	f.wantGasAtMost(t, f.settle(t, idOf("a"), native, friendly, big.NewInt(1)))
	f.wantBalance(t, native, friendly, big.NewInt(1))

	hating := f.deploy(t, f.owner, hostile.BombRecipientMetaData.Bin, packer.PackConstructor(true))
	data := vaultABI.PackSettle(idOf("b"), native, hating, big.NewInt(1))
	revert := f.refused(t, f.operator, f.vault, nil, data, "NativeTransferFailed")
	if len(revert) != 36 {
		t.Fatalf("the revert has %d bytes, want the vault's 36", len(revert))
	}
	f.wantGasAtMost(t, f.send(t, f.operator, &f.vault, nil, data))
	f.wantStatus(t, idOf("b"), unused)
}

func TestARecipientThatRefusesIsNamedAndNotQuoted(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for name, bin := range map[string]string{
		"reverts with an error of the vault": hostile.RefusingRecipientMetaData.Bin,
		"has code but takes no coins":        hostile.FeeTokenMetaData.Bin,
	} {
		to := f.deploy(t, f.owner, bin, nil)
		data := f.settleRefused(t, idOf("a"), native, to, big.NewInt(1), "NativeTransferFailed")
		if failed, err := vaultABI.UnpackNativeTransferFailedError(data[4:]); err != nil || failed.To != to {
			t.Fatalf("%s: NativeTransferFailed is %+v (%v), want %s", name, failed, err, to)
		}
		f.refused(t, f.owner, f.vault, nil, vaultABI.PackWithdraw(native, to, big.NewInt(1)), "NativeTransferFailed")
	}
	f.wantStatus(t, idOf("a"), unused)
}

// isGuard tells whether revert data is that of the vault's reentrancy guard.
func isGuard(data []byte) bool {
	name, ok := contracts.RevertName(data)
	return ok && name == "ReentrancyGuardReentrantCall"
}

// wantGasAtMost fails if a payment of coins cost more than one to a plain account plus the recipient's allowance.
func (f *fixture) wantGasAtMost(t fataler, receipt *types.Receipt) {
	t.Helper()
	if limit := uint64(gasExistingHolderMax + nativeCallGas); receipt.GasUsed > limit {
		t.Fatalf("used %d gas, want at most %d", receipt.GasUsed, limit)
	}
}
