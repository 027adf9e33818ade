// Code generated via abigen V2 - DO NOT EDIT.
// This file is a generated binding and any manual changes will be lost.

package hostile

import (
	"bytes"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// Reference imports to suppress errors if they are not otherwise used.
var (
	_ = bytes.Equal
	_ = errors.New
	_ = big.NewInt
	_ = common.Big1
	_ = types.BloomLookup
	_ = abi.ConvertType
)

// RefusingRecipientMetaData contains all meta data concerning the RefusingRecipient contract.
var RefusingRecipientMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"id\",\"type\":\"bytes32\"}],\"name\":\"IdUsed\",\"type\":\"error\"},{\"stateMutability\":\"payable\",\"type\":\"receive\"}]",
	ID:  "RefusingRecipient",
	Bin: "0x608080604052346013576034908160188239f35b5f80fdfe36156008575f80fd5b7f4a5854d0000000000000000000000000000000000000000000000000000000005f525f60045260245ffd",
}

// RefusingRecipient is an auto generated Go binding around an Ethereum contract.
type RefusingRecipient struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *RefusingRecipient) GetABI() abi.ABI {
	return c.abi
}

// NewRefusingRecipient creates a new instance of RefusingRecipient.
func NewRefusingRecipient() *RefusingRecipient {
	parsed, err := RefusingRecipientMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &RefusingRecipient{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *RefusingRecipient) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// UnpackError attempts to decode the provided error data using user-defined
// error definitions.
func (refusingRecipient *RefusingRecipient) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], refusingRecipient.abi.Errors["IdUsed"].ID.Bytes()[:4]) {
		return refusingRecipient.UnpackIdUsedError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// RefusingRecipientIdUsed represents a IdUsed error raised by the RefusingRecipient contract.
type RefusingRecipientIdUsed struct {
	Id [32]byte
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error IdUsed(bytes32 id)
func RefusingRecipientIdUsedErrorID() common.Hash {
	return common.HexToHash("0x4a5854d0037f18503b144c4473eb40519f7ee5be5e05969fe4bdfea2492b845e")
}

// UnpackIdUsedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error IdUsed(bytes32 id)
func (refusingRecipient *RefusingRecipient) UnpackIdUsedError(raw []byte) (*RefusingRecipientIdUsed, error) {
	out := new(RefusingRecipientIdUsed)
	if err := refusingRecipient.abi.UnpackIntoInterface(out, "IdUsed", raw); err != nil {
		return nil, err
	}
	return out, nil
}
