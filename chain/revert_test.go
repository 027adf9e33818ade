package chain

import (
	"context"
	"errors"
	"io"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/quittance/quittance/contracts"
	"github.com/quittance/quittance/settlement"
)

// revertOf packs a custom error of the vault or of an OpenZeppelin token.
func revertOf(t testing.TB, name string, args ...any) []byte {
	t.Helper()
	for _, contract := range []abi.ABI{vaultABI.GetABI(), contracts.NewTestToken().GetABI()} {
		if e, ok := contract.Errors[name]; ok {
			return packError(t, e, args...)
		}
	}
	t.Fatalf("no contract has the error %s", name)
	return nil
}

// textRevert packs what require(…, "message") reverts with.
func textRevert(t testing.TB, message string) []byte {
	t.Helper()
	text, err := abi.NewType("string", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return packError(t, abi.NewError("Error", abi.Arguments{{Type: text}}), message)
}

func packError(t testing.TB, e abi.Error, args ...any) []byte {
	t.Helper()
	packed, err := e.Inputs.Pack(args...)
	if err != nil {
		t.Fatalf("pack %s: %v", e.Name, err)
	}
	return append(e.ID[:4:4], packed...)
}

func TestARevertSaysWhatToDo(t *testing.T) {
	t.Parallel()
	id, one := [32]byte(testEventID), big.NewInt(1)
	token := func(inner []byte) []byte { return revertOf(t, "TokenTransferFailed", testToken, inner) }
	for _, row := range []struct {
		name string
		data []byte
		fate callFate
		word string
		why  string
	}{
		{"paused", revertOf(t, "EnforcedPause"), callWaits, settlement.WaitPaused, "the vault is paused"},
		{"operator", revertOf(t, "NotOperator", testPayee), callNotOurs, settlement.WaitOperator, "another signer may settle"},
		{"short", revertOf(t, "InsufficientVaultBalance", testToken, one, one), callWaits, settlement.WaitLiquidity, "the recipient is not to blame"},
		{"used", revertOf(t, "IdUsed", id), callIDUsed, "", "paid or revoked: the event tells"},
		{"refuses coins", revertOf(t, "NativeTransferFailed", testPayee), callRefused, "", "the recipient's own doing"},
		{"bad recipient", revertOf(t, "BadRecipient", testPayee), callRefused, "", "the vault never pays it"},
		{"token paused", token(revertOf(t, "EnforcedPause")), callWaits, settlement.WaitTokenPaused, "OpenZeppelin 5"},
		{"token paused, old", token(textRevert(t, "Pausable: paused")), callWaits, settlement.WaitTokenPaused, "OpenZeppelin 4"},
		{"token short", token(revertOf(t, "ERC20InsufficientBalance", testVault, one, one)), callWaits, settlement.WaitLiquidity, "the token speaks of the vault's balance"},
		{"token short, old", token(textRevert(t, "ERC20: transfer amount exceeds balance")), callWaits, settlement.WaitLiquidity, "the same in words"},
		{"blacklisted", token(textRevert(t, "Blacklistable: account is blacklisted")), callTokenFail, "", "the recipient or everybody: ask"},
		{"false", token(make([]byte, 32)), callTokenFail, "", "a token that returned false"},
		{"silent token", token(nil), callTokenFail, "", "no reason given"},
		{"token that speaks like the vault", token(revertOf(t, "IdUsed", id)), callTokenFail, "", "only the vault's own words mean a used id"},
		{"zero amount", revertOf(t, "ZeroAmount"), callDoubtful, settlement.WaitDoubtful, "cannot be: no settlement is of zero"},
		{"unknown", []byte{1, 2, 3, 4}, callDoubtful, settlement.WaitDoubtful, "not this vault's words"},
		{"bare", nil, callDoubtful, settlement.WaitDoubtful, "the vault always gives a reason"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			for _, data := range []any{hexutil.Encode(row.data), "Reverted " + hexutil.Encode(row.data), map[string]any{"message": "reverted", "data": hexutil.Encode(row.data)}} {
				got := judgeCall(&CallError{Endpoint: "http://node", Method: "eth_estimateGas", Err: said{codeReverted, "execution reverted", data}})
				if got.fate != row.fate || settlement.WaitWord(got.reason) != row.word && row.word != "" {
					t.Errorf("%v: got %d %q, want %d %q: %s", data, got.fate, got.reason, row.fate, row.word, row.why)
				}
			}
		})
	}
}

func TestWhatIsNoRevertIsDoubtfulHoweverItIsWorded(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		err  error
		word string
		why  string
	}{
		{io.EOF, settlement.WaitDoubtful, "no answer"},
		{context.DeadlineExceeded, settlement.WaitDoubtful, "no answer in time"},
		{rpc.HTTPError{StatusCode: 500, Status: "500 execution reverted"}, settlement.WaitDoubtful, "a proxy's page"},
		{said{-32000, "header not found", nil}, settlement.WaitDoubtful, "a node that lags"},
		{said{-32000, "missing trie node", nil}, settlement.WaitDoubtful, "a node that pruned"},
		{said{-32000, "gas required exceeds allowance (16777216)", nil}, settlement.WaitDoubtful, "asked without fees, so it is not the signer's funds"},
		{said{-32000, "insufficient funds for transfer", nil}, settlement.WaitSignerFunds, "a node that counts the signer's coins"},
		{said{-32000, "invalid opcode: INVALID", nil}, settlement.WaitDoubtful, "a chain without transient storage"},
		{said{-32005, "execution reverted", hexutil.Encode(revertOf(t, "NativeTransferFailed", testPayee))}, settlement.WaitDoubtful, "a rate limit, whatever it says"},
		{errors.New("execution reverted"), settlement.WaitDoubtful, "words that did not come from a node"},
	} {
		got := judgeCall(row.err)
		if settlement.WaitWord(got.reason) != row.word || got.fate == callRefused || got.fate == callIDUsed {
			t.Errorf("%v: got %d %q, want %q: %s", row.err, got.fate, got.reason, row.word, row.why)
		}
	}
	if judgeCall(nil).fate != callPays {
		t.Error("success is not success")
	}
}

func TestARecipientIsRefusedOnlyByMostOfTheNodesThatAnswer(t *testing.T) {
	t.Parallel()
	pays, refused, token, doubtful := callVerdict{fate: callPays}, callVerdict{fate: callRefused}, callVerdict{fate: callTokenFail}, callVerdict{}
	for _, row := range []struct {
		answers [][2]callVerdict
		verdict settlement.Verdict
		word    string
		why     string
	}{
		{[][2]callVerdict{{refused, pays}}, settlement.VerdictRefused, "", "one node, and it says so"},
		{[][2]callVerdict{{refused, pays}, {refused, pays}, {pays, pays}}, settlement.VerdictRefused, "", "two of three"},
		{[][2]callVerdict{{refused, pays}, {pays, pays}}, settlement.VerdictWait, settlement.WaitDoubtful, "half is no majority"},
		{[][2]callVerdict{{refused, pays}, {doubtful, doubtful}, {doubtful, pays}}, settlement.VerdictRefused, "", "nodes without an answer are not healthy"},
		{[][2]callVerdict{{doubtful, doubtful}}, settlement.VerdictWait, settlement.WaitDoubtful, "nobody is left"},
		{[][2]callVerdict{{token, pays}, {token, pays}}, settlement.VerdictRefused, "", "the token pays others: this recipient is the cause"},
		{[][2]callVerdict{{token, token}, {token, token}}, settlement.VerdictWait, settlement.WaitTokenPaused, "the token pays nobody: no fault of the recipient"},
		{[][2]callVerdict{{token, pays}, {token, token}}, settlement.VerdictWait, settlement.WaitDoubtful, "nodes disagree about the cause"},
		{[][2]callVerdict{{callVerdict{fate: callIDUsed}, pays}}, settlement.VerdictWait, settlement.WaitDoubtful, "paid meanwhile: look again"},
	} {
		got := count(row.answers).estimate(7)
		if got.Verdict != row.verdict || row.word != "" && settlement.WaitWord(got.Reason) != row.word {
			t.Errorf("%v: got %s %q: %s", row.answers, got.Verdict, got.Reason, row.why)
		}
	}
}

func FuzzRevertDataOfAnyShapeIsRead(f *testing.F) {
	f.Add("execution reverted", "0x08c379a0", 3)
	f.Add("", "Reverted 0x", -32000)
	f.Fuzz(func(t *testing.T, text, data string, code int) {
		judgeCall(said{code, text, data})
		judgeCall(said{code, text, map[string]any{"data": data}})
		if got := judgeCall(said{-32000, text, []any{data}}); got.fate == callRefused || got.fate == callIDUsed {
			t.Fatalf("data of an unknown shape decides: %+v", got)
		}
	})
}
