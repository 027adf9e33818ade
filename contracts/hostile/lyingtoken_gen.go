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

// LyingTokenMetaData contains all meta data concerning the LyingToken contract.
var LyingTokenMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"name\":\"balanceOf\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"now_\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"then_\",\"type\":\"uint256\"}],\"name\":\"lie\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"name\":\"transfer\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"name\":\"transferFrom\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"}]",
	ID:  "LyingToken",
	Bin: "0x608080604052346015576101a9908161001a8239f35b5f80fdfe6080806040526004361015610012575f80fd5b5f3560e01c90816323b872dd146101145750806370a08231146100d0578063a9059cbb146100885763eec6872914610048575f80fd5b346100845760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610084576004355f55602435600155005b5f80fd5b346100845760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610084576100bf610163565b506001545f55602060405160018152f35b346100845760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261008457610107610163565b5060205f54604051908152f35b346100845760607ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126100845760209061014e610163565b50610157610186565b506001545f5560018152f35b6004359073ffffffffffffffffffffffffffffffffffffffff8216820361008457565b6024359073ffffffffffffffffffffffffffffffffffffffff821682036100845756",
}

// LyingToken is an auto generated Go binding around an Ethereum contract.
type LyingToken struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *LyingToken) GetABI() abi.ABI {
	return c.abi
}

// NewLyingToken creates a new instance of LyingToken.
func NewLyingToken() *LyingToken {
	parsed, err := LyingTokenMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &LyingToken{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *LyingToken) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x70a08231.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function balanceOf(address ) view returns(uint256)
func (lyingToken *LyingToken) PackBalanceOf(arg0 common.Address) []byte {
	enc, err := lyingToken.abi.Pack("balanceOf", arg0)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x70a08231.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function balanceOf(address ) view returns(uint256)
func (lyingToken *LyingToken) TryPackBalanceOf(arg0 common.Address) ([]byte, error) {
	return lyingToken.abi.Pack("balanceOf", arg0)
}

// UnpackBalanceOf is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x70a08231.
//
// Solidity: function balanceOf(address ) view returns(uint256)
func (lyingToken *LyingToken) UnpackBalanceOf(data []byte) (*big.Int, error) {
	out, err := lyingToken.abi.Unpack("balanceOf", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackLie is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xeec68729.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function lie(uint256 now_, uint256 then_) returns()
func (lyingToken *LyingToken) PackLie(now *big.Int, then *big.Int) []byte {
	enc, err := lyingToken.abi.Pack("lie", now, then)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackLie is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xeec68729.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function lie(uint256 now_, uint256 then_) returns()
func (lyingToken *LyingToken) TryPackLie(now *big.Int, then *big.Int) ([]byte, error) {
	return lyingToken.abi.Pack("lie", now, then)
}

// PackTransfer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa9059cbb.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transfer(address , uint256 ) returns(bool)
func (lyingToken *LyingToken) PackTransfer(arg0 common.Address, arg1 *big.Int) []byte {
	enc, err := lyingToken.abi.Pack("transfer", arg0, arg1)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransfer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa9059cbb.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transfer(address , uint256 ) returns(bool)
func (lyingToken *LyingToken) TryPackTransfer(arg0 common.Address, arg1 *big.Int) ([]byte, error) {
	return lyingToken.abi.Pack("transfer", arg0, arg1)
}

// UnpackTransfer is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xa9059cbb.
//
// Solidity: function transfer(address , uint256 ) returns(bool)
func (lyingToken *LyingToken) UnpackTransfer(data []byte) (bool, error) {
	out, err := lyingToken.abi.Unpack("transfer", data)
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
// Solidity: function transferFrom(address , address , uint256 ) returns(bool)
func (lyingToken *LyingToken) PackTransferFrom(arg0 common.Address, arg1 common.Address, arg2 *big.Int) []byte {
	enc, err := lyingToken.abi.Pack("transferFrom", arg0, arg1, arg2)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x23b872dd.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transferFrom(address , address , uint256 ) returns(bool)
func (lyingToken *LyingToken) TryPackTransferFrom(arg0 common.Address, arg1 common.Address, arg2 *big.Int) ([]byte, error) {
	return lyingToken.abi.Pack("transferFrom", arg0, arg1, arg2)
}

// UnpackTransferFrom is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x23b872dd.
//
// Solidity: function transferFrom(address , address , uint256 ) returns(bool)
func (lyingToken *LyingToken) UnpackTransferFrom(data []byte) (bool, error) {
	out, err := lyingToken.abi.Unpack("transferFrom", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}
