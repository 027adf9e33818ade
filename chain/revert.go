package chain

import (
	"errors"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/quittance/quittance/contracts"
	"github.com/quittance/quittance/settlement"
)

// callFate is what one node's answer to a simulated settle means for the settlement.
type callFate uint8

const (
	callDoubtful  callFate = iota // no answer, or one that cannot be: decide nothing
	callPays                      // it would pay
	callWaits                     // a passing cause
	callNotOurs                   // this signer may not settle; another may
	callIDUsed                    // paid or revoked before: only the final event says which
	callRefused                   // the recipient refuses the coins
	callTokenFail                 // the token refuses: this recipient, or everybody
)

// callVerdict is one node's answer to a simulation. Reason is one of settlement's waiting words with detail, or the detail alone.
type callVerdict struct {
	fate   callFate
	reason string
}

// codeReverted is what geth and most others answer a revert with.
const codeReverted = 3

// judgeCall reads the error of an eth_estimateGas or eth_call of the vault's settle. The outermost error of a revert is always
// the vault's own, so its name can be trusted as far as the node can. Whatever is no revert is doubtful, however it is
// worded: nodes fail in ways that look like a chain's answer.
func judgeCall(err error) callVerdict {
	if err == nil {
		return callVerdict{fate: callPays}
	}
	data, reverted := revertData(err)
	if !reverted {
		return judgeNodeError(err)
	}
	detail := cleanText(contracts.RevertText(data))
	name, known := contracts.RevertName(data)
	if !known {
		return callVerdict{callDoubtful, waits(settlement.WaitDoubtful, "a revert that is not the vault's: "+detail)}
	}
	switch name {
	case "IdUsed":
		return callVerdict{callIDUsed, detail}
	case "EnforcedPause":
		return callVerdict{callWaits, settlement.WaitPaused}
	case "NotOperator":
		return callVerdict{callNotOurs, waits(settlement.WaitOperator, detail)}
	case "InsufficientVaultBalance":
		return callVerdict{callWaits, waits(settlement.WaitLiquidity, detail)}
	case "NativeTransferFailed", "BadRecipient":
		return callVerdict{callRefused, detail}
	case "TokenTransferFailed":
		return judgeToken(data, detail)
	}
	return callVerdict{callDoubtful, waits(settlement.WaitDoubtful, "a revert that settle cannot have: "+detail)}
}

// judgeToken reads the token's own words inside the vault's report. They name two passing causes; anything else says only
// that this transfer failed.
func judgeToken(data []byte, detail string) callVerdict {
	reason, _ := contracts.TokenRevert(data)
	name, _ := contracts.RevertName(reason)
	words := strings.ToLower(contracts.RevertText(reason))
	switch {
	case name == "EnforcedPause" || strings.Contains(words, "paused"):
		return callVerdict{callWaits, waits(settlement.WaitTokenPaused, detail)}
	case name == "ERC20InsufficientBalance" || strings.Contains(words, "exceeds balance"):
		return callVerdict{callWaits, waits(settlement.WaitLiquidity, detail)}
	}
	return callVerdict{callTokenFail, detail}
}

func judgeNodeError(err error) callVerdict {
	text := answerText(err)
	var call *CallError
	if errors.As(err, &call) {
		text = call.Endpoint + ": " + answerText(call.Err)
	}
	text = cleanText(text)
	if classOf(answerText(err)) == Funds && !strings.Contains(strings.ToLower(text), "gas required exceeds allowance") {
		return callVerdict{callWaits, waits(settlement.WaitSignerFunds, text)}
	}
	return callVerdict{callDoubtful, waits(settlement.WaitDoubtful, text)}
}

func waits(word, detail string) string {
	if detail == "" {
		return word
	}
	return word + ": " + detail
}

// revertData digs the revert's data out of a JSON-RPC error. reverted is false for everything that a node may say without
// having run the call.
func revertData(err error) (data []byte, reverted bool) {
	if !IsVerdict(err) {
		return nil, false
	}
	var said rpc.Error
	if !errors.As(err, &said) {
		return nil, false
	}
	var withData rpc.DataError
	if errors.As(err, &withData) {
		data = dataBytes(withData.ErrorData())
	}
	text := strings.ToLower(said.Error())
	return data, said.ErrorCode() == codeReverted || strings.Contains(text, "revert")
}

// dataBytes accepts the shapes in use: a hex string, one behind a word ("Reverted 0x…"), or an object that holds one.
func dataBytes(data any) []byte {
	switch d := data.(type) {
	case string:
		at := strings.LastIndex(d, "0x")
		if at < 0 {
			return nil
		}
		raw, err := hexutil.Decode(strings.TrimSpace(d[at:]))
		if err != nil {
			return nil
		}
		return raw
	case map[string]any:
		if inner, ok := d["data"].(string); ok {
			return dataBytes(inner)
		}
	}
	return nil
}
