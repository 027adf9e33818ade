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

// FalseTokenMetaData contains all meta data concerning the FalseToken contract.
var FalseTokenMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"name\":\"balanceOf\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"pure\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"name\":\"transfer\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"pure\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"name\":\"transferFrom\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"pure\",\"type\":\"function\"}]",
	ID:  "FalseToken",
	Bin: "0x60808060405234601557610157908161001a8239f35b5f80fdfe6080806040526004361015610012575f80fd5b5f3560e01c90816323b872dd146100c85750806370a08231146100835763a9059cbb1461003d575f80fd5b3461007f5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261007f57610074610111565b5060206040515f8152f35b5f80fd5b3461007f5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261007f576100ba610111565b506020604051620f42408152f35b3461007f5760607ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261007f57602090610102610111565b5061010b610134565b505f8152f35b6004359073ffffffffffffffffffffffffffffffffffffffff8216820361007f57565b6024359073ffffffffffffffffffffffffffffffffffffffff8216820361007f5756",
}

// FalseToken is an auto generated Go binding around an Ethereum contract.
type FalseToken struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *FalseToken) GetABI() abi.ABI {
	return c.abi
}

// NewFalseToken creates a new instance of FalseToken.
func NewFalseToken() *FalseToken {
	parsed, err := FalseTokenMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &FalseToken{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *FalseToken) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x70a08231.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function balanceOf(address ) pure returns(uint256)
func (falseToken *FalseToken) PackBalanceOf(arg0 common.Address) []byte {
	enc, err := falseToken.abi.Pack("balanceOf", arg0)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x70a08231.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function balanceOf(address ) pure returns(uint256)
func (falseToken *FalseToken) TryPackBalanceOf(arg0 common.Address) ([]byte, error) {
	return falseToken.abi.Pack("balanceOf", arg0)
}

// UnpackBalanceOf is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x70a08231.
//
// Solidity: function balanceOf(address ) pure returns(uint256)
func (falseToken *FalseToken) UnpackBalanceOf(data []byte) (*big.Int, error) {
	out, err := falseToken.abi.Unpack("balanceOf", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackTransfer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa9059cbb.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transfer(address , uint256 ) pure returns(bool)
func (falseToken *FalseToken) PackTransfer(arg0 common.Address, arg1 *big.Int) []byte {
	enc, err := falseToken.abi.Pack("transfer", arg0, arg1)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransfer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa9059cbb.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transfer(address , uint256 ) pure returns(bool)
func (falseToken *FalseToken) TryPackTransfer(arg0 common.Address, arg1 *big.Int) ([]byte, error) {
	return falseToken.abi.Pack("transfer", arg0, arg1)
}

// UnpackTransfer is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xa9059cbb.
//
// Solidity: function transfer(address , uint256 ) pure returns(bool)
func (falseToken *FalseToken) UnpackTransfer(data []byte) (bool, error) {
	out, err := falseToken.abi.Unpack("transfer", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x23b872dd.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transferFrom(address , address , uint256 ) pure returns(bool)
func (falseToken *FalseToken) PackTransferFrom(arg0 common.Address, arg1 common.Address, arg2 *big.Int) []byte {
	enc, err := falseToken.abi.Pack("transferFrom", arg0, arg1, arg2)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x23b872dd.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transferFrom(address , address , uint256 ) pure returns(bool)
func (falseToken *FalseToken) TryPackTransferFrom(arg0 common.Address, arg1 common.Address, arg2 *big.Int) ([]byte, error) {
	return falseToken.abi.Pack("transferFrom", arg0, arg1, arg2)
}

// UnpackTransferFrom is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x23b872dd.
//
// Solidity: function transferFrom(address , address , uint256 ) pure returns(bool)
func (falseToken *FalseToken) UnpackTransferFrom(data []byte) (bool, error) {
	out, err := falseToken.abi.Unpack("transferFrom", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}
