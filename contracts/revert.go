// Package contracts owns the Solidity sources of the vault, their Go bindings (the *_gen.go files, written by build.sh)
// and the reading of revert data. It imports go-ethereum only, and must never send anything or decide what a revert
// means for a settlement: it names facts, the chain package judges them.
package contracts

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
)

// selectorLength is how many bytes of an error's signature hash begin its revert data.
const selectorLength = 4

// maxDepth bounds how far RevertText follows a reason inside a reason.
const maxDepth = 4

// tokenTransferFailed is the vault's wrapper around whatever a token reverted with.
const tokenTransferFailed = "TokenTransferFailed"

// revertErrors is every error that RevertName knows, by selector. Errors with equal signatures in two contracts have the
// same selector and the same name, so it does not matter which one is kept.
var revertErrors = knownErrors()

// RevertName returns the name of the error that revert data carries, and false if it is none of ours, OpenZeppelin's or
// Solidity's ("Error" for a message, "Panic" for a failed check of the compiler). The data may be cut short: the
// name depends on its first four bytes alone.
//
// The name says nothing about who spoke. For a call to the vault's settle, revoke or withdraw it is the vault itself,
// since the vault hands on no other contract's words; what a token said is wrapped, see TokenRevert.
func RevertName(data []byte) (name string, ok bool) {
	known, ok := lookUp(data)
	return known.Name, ok
}

// TokenRevert returns what a token reverted with, if data is the vault's report of a failed token transfer. The reason is
// cut to 256 bytes by the vault and may be empty; one word of zeros is a token that returned false.
func TokenRevert(data []byte) (reason []byte, ok bool) {
	known, found := lookUp(data)
	if !found || known.Name != tokenTransferFailed {
		return nil, false
	}
	values, err := known.Inputs.Unpack(data[selectorLength:])
	if err != nil {
		return nil, false
	}
	reason, ok = values[1].([]byte)
	return reason, ok
}

// RevertText renders revert data for people: the name, its arguments, and inside a token's failure the token's own words.
// It never fails: what it cannot read it shows as hex. Whoever wrote the data chose the text, so print it quoted or as a log field.
func RevertText(data []byte) string {
	return revertText(data, 0)
}

func revertText(data []byte, depth int) string {
	known, ok := lookUp(data)
	if !ok || depth >= maxDepth {
		return "0x" + hex.EncodeToString(data)
	}
	values, err := known.Inputs.Unpack(data[selectorLength:])
	if err != nil {
		return fmt.Sprintf("%s(0x%x)", known.Name, data[selectorLength:])
	}
	parts := make([]string, len(values))
	for i, value := range values {
		parts[i] = valueText(value, depth)
	}
	return known.Name + "(" + strings.Join(parts, ", ") + ")"
}

func valueText(value any, depth int) string {
	switch v := value.(type) {
	case []byte:
		return revertText(v, depth+1)
	case [32]byte:
		return common.Hash(v).Hex()
	case common.Address:
		return v.Hex()
	case string:
		if utf8.ValidString(v) {
			return fmt.Sprintf("%q", v)
		}
		return fmt.Sprintf("0x%x", v)
	default:
		return fmt.Sprint(v)
	}
}

func lookUp(data []byte) (abi.Error, bool) {
	if len(data) < selectorLength {
		return abi.Error{}, false
	}
	known, ok := revertErrors[binary.BigEndian.Uint32(data)]
	return known, ok
}

// knownErrors collects the errors of the vault (its own and those it inherits: Pausable, Ownable, the reentrancy guard,
// SafeERC20), of an OpenZeppelin ERC-20, and the two that the Solidity compiler emits.
func knownErrors() map[uint32]abi.Error {
	all := map[uint32]abi.Error{}
	add := func(e abi.Error) { all[binary.BigEndian.Uint32(e.ID[:])] = e }
	vaultABI, tokenABI := NewVault().GetABI(), NewTestToken().GetABI()
	for _, contract := range []abi.ABI{vaultABI, tokenABI} {
		for _, e := range contract.Errors {
			add(e)
		}
	}
	add(abi.NewError("Error", abi.Arguments{{Name: "message", Type: mustType("string")}}))
	add(abi.NewError("Panic", abi.Arguments{{Name: "code", Type: mustType("uint256")}}))
	return all
}

// mustType panics on a misspelt type: a mistake of the program, met by every test of this package.
func mustType(name string) abi.Type {
	t, err := abi.NewType(name, "", nil)
	if err != nil {
		panic(fmt.Sprintf("contracts: abi type %q: %v", name, err))
	}
	return t
}
