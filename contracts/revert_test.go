package contracts_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/quittance/quittance/contracts"
)

// selector is the first four bytes of the hash of an error's signature, made without the bindings.
func selector(signature string) []byte { return crypto.Keccak256([]byte(signature))[:4] }

func TestRevertNameKnowsEveryErrorThatAPaymentCanMeet(t *testing.T) {
	t.Parallel()
	cases := []struct{ signature, why string }{
		{"NotOperator(address)", "the signer was removed"},
		{"NotOwnerOrOperator(address)", "pause"},
		{"OwnerCannotBeOperator(address)", "roles"},
		{"ZeroOperator()", "roles"},
		{"IdUsed(bytes32)", "paid or revoked before"},
		{"BadRecipient(address)", "refused destination"},
		{"ZeroAmount()", "nothing to pay"},
		{"ZeroAccount()", "deposit for nobody"},
		{"NotAToken(address)", "no code there"},
		{"NothingReceived(address)", "deposit"},
		{"InsufficientVaultBalance(address,uint256,uint256)", "the vault is short"},
		{"NativeTransferFailed(address)", "the recipient refuses"},
		{"TokenTransferFailed(address,bytes)", "the token refuses"},
		{"UseDepositNative()", "plain transfer"},
		{"OwnershipCannotBeRenounced()", "roles"},
		{"EnforcedPause()", "OpenZeppelin Pausable"},
		{"ExpectedPause()", "OpenZeppelin Pausable"},
		{"OwnableUnauthorizedAccount(address)", "OpenZeppelin Ownable"},
		{"OwnableInvalidOwner(address)", "OpenZeppelin Ownable"},
		{"ReentrancyGuardReentrantCall()", "OpenZeppelin guard"},
		{"SafeERC20FailedOperation(address)", "OpenZeppelin SafeERC20"},
		{"ERC20InsufficientBalance(address,uint256,uint256)", "OpenZeppelin ERC20"},
		{"ERC20InsufficientAllowance(address,uint256,uint256)", "OpenZeppelin ERC20"},
		{"ERC20InvalidReceiver(address)", "OpenZeppelin ERC20"},
		{"ERC20InvalidSender(address)", "OpenZeppelin ERC20"},
		{"ERC20InvalidApprover(address)", "OpenZeppelin ERC20"},
		{"ERC20InvalidSpender(address)", "OpenZeppelin ERC20"},
		{"Error(string)", "a message"},
		{"Panic(uint256)", "a check of the compiler"},
	}
	covered := map[string]bool{}
	for _, tc := range cases {
		want, _, _ := strings.Cut(tc.signature, "(")
		covered[want] = true
		for _, data := range [][]byte{selector(tc.signature), append(selector(tc.signature), make([]byte, 320)...)} {
			if got, ok := contracts.RevertName(data); !ok || got != want {
				t.Errorf("%s (%s): got %q, %v", tc.signature, tc.why, got, ok)
			}
		}
	}
	vault := vaultABI.GetABI()
	for name := range vault.Errors {
		if !covered[name] {
			t.Errorf("the vault's error %s is not in this table", name)
		}
	}
}

func TestRevertDataOfNobodyHasNoName(t *testing.T) {
	t.Parallel()
	for _, data := range [][]byte{nil, {}, {0x08}, {0x08, 0xc3, 0x79}, {1, 2, 3, 4}, make([]byte, 32)} {
		if name, ok := contracts.RevertName(data); ok || name != "" {
			t.Errorf("%x has the name %q", data, name)
		}
		if _, ok := contracts.TokenRevert(data); ok {
			t.Errorf("%x has a token's reason", data)
		}
		if text := contracts.RevertText(data); text != fmt.Sprintf("0x%x", data) {
			t.Errorf("%x reads %q", data, text)
		}
	}
}

func TestOnlyAWholeTokenTransferFailedHasAReason(t *testing.T) {
	t.Parallel()
	whole := tokenFailure(t, []byte("why"))
	if reason, ok := contracts.TokenRevert(whole); !ok || string(reason) != "why" {
		t.Fatalf("reason is %q, %v", reason, ok)
	}
	if reason, ok := contracts.TokenRevert(tokenFailure(t, nil)); !ok || len(reason) != 0 {
		t.Fatalf("an empty reason is %q, %v", reason, ok)
	}
	for _, data := range [][]byte{whole[:4], whole[:40], selector("IdUsed(bytes32)")} {
		if reason, ok := contracts.TokenRevert(data); ok {
			t.Errorf("%x has the reason %q", data, reason)
		}
	}
}

func TestRevertTextFollowsReasonsOnlySoFar(t *testing.T) {
	t.Parallel()
	data := selector("EnforcedPause()")
	for range 50 {
		data = tokenFailure(t, data)
	}
	if text := contracts.RevertText(data); strings.Count(text, "TokenTransferFailed") > 4 {
		t.Fatalf("reads %s", text)
	}
}

func FuzzRevertDataNeverPanics(f *testing.F) {
	f.Add([]byte(nil))
	f.Add(selector("Error(string)"))
	f.Add(append(selector("TokenTransferFailed(address,bytes)"), make([]byte, 96)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		name, ok := contracts.RevertName(data)
		if ok != (name != "") {
			t.Fatalf("name %q, ok %v", name, ok)
		}
		if contracts.RevertText(data) == "" {
			t.Fatal("no text")
		}
		if _, ok := contracts.TokenRevert(data); ok && name != "TokenTransferFailed" {
			t.Fatalf("%s has a token's reason", name)
		}
	})
}

func ExampleRevertText() {
	word := func(n int64) []byte { return common.LeftPadBytes(big.NewInt(n).Bytes(), 32) }
	paused := append(selector("Error(string)"), word(32)...)
	paused = append(append(paused, word(6)...), common.RightPadBytes([]byte("paused"), 32)...)
	data := append(selector("TokenTransferFailed(address,bytes)"), word(0xabc)...)
	data = append(append(data, word(64)...), word(int64(len(paused)))...)
	data = append(data, common.RightPadBytes(paused, 128)...)

	name, _ := contracts.RevertName(data)
	reason, _ := contracts.TokenRevert(data)
	inner, _ := contracts.RevertName(reason)
	fmt.Println(name, inner)
	fmt.Println(contracts.RevertText(data))
	// Output:
	// TokenTransferFailed Error
	// TokenTransferFailed(0x0000000000000000000000000000000000000aBc, Error("paused"))
}

// tokenFailure packs the vault's report of a token that reverted with reason.
func tokenFailure(t testing.TB, reason []byte) []byte {
	t.Helper()
	vault := vaultABI.GetABI()
	wrapper := vault.Errors["TokenTransferFailed"]
	data, err := wrapper.Inputs.Pack(common.Address{}, reason)
	if err != nil {
		t.Fatal(err)
	}
	return append(wrapper.ID.Bytes()[:4], data...)
}
