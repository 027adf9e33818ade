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

// BombRecipientMetaData contains all meta data concerning the BombRecipient contract.
var BombRecipientMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"bool\",\"name\":\"refuses_\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"constructor\"},{\"inputs\":[],\"name\":\"refuses\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"stateMutability\":\"payable\",\"type\":\"receive\"}]",
	ID:  "BombRecipient",
	Bin: "0x60a034606357601f61013238819003918201601f19168301916001600160401b0383118484101760675780849260209460405283398101031260635751801515810360635760805260405160b6908161007c8239608051818181601a0152608d0152f35b5f80fd5b634e487b7160e01b5f52604160045260245ffdfe6080806040526004361015604e575b5036156018575f80fd5b7f00000000000000000000000000000000000000000000000000000000000000006045576201e848604051f35b6201e848604051fd5b5f3560e01c63df3c5c0603600e573460b2575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011260b2576020907f000000000000000000000000000000000000000000000000000000000000000015158152f35b5f80fd",
}

// BombRecipient is an auto generated Go binding around an Ethereum contract.
type BombRecipient struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *BombRecipient) GetABI() abi.ABI {
	return c.abi
}

// NewBombRecipient creates a new instance of BombRecipient.
func NewBombRecipient() *BombRecipient {
	parsed, err := BombRecipientMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &BombRecipient{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *BombRecipient) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackConstructor is the Go binding used to pack the parameters required for
// contract deployment.
//
// Solidity: constructor(bool refuses_) returns()
func (bombRecipient *BombRecipient) PackConstructor(refuses_ bool) []byte {
	enc, err := bombRecipient.abi.Pack("", refuses_)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackRefuses is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdf3c5c06.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function refuses() view returns(bool)
func (bombRecipient *BombRecipient) PackRefuses() []byte {
	enc, err := bombRecipient.abi.Pack("refuses")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRefuses is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdf3c5c06.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function refuses() view returns(bool)
func (bombRecipient *BombRecipient) TryPackRefuses() ([]byte, error) {
	return bombRecipient.abi.Pack("refuses")
}

// UnpackRefuses is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xdf3c5c06.
//
// Solidity: function refuses() view returns(bool)
func (bombRecipient *BombRecipient) UnpackRefuses(data []byte) (bool, error) {
	out, err := bombRecipient.abi.Unpack("refuses", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}
