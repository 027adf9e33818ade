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

// BombTokenMetaData contains all meta data concerning the BombToken contract.
var BombTokenMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"name\":\"balanceOf\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"pure\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"name\":\"transfer\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"pure\",\"type\":\"function\"}]",
	ID:  "BombToken",
	Bin: "0x6080806040523460145760ee90816100198239f35b5f80fdfe60808060405260043610156011575f80fd5b5f3560e01c90816370a08231146070575063a9059cbb14602f575f80fd5b34606c5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112606c57606260cc565b5062030d40604051fd5b5f80fd5b34606c5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112606c5760209060a660cc565b507fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8152f35b6004359073ffffffffffffffffffffffffffffffffffffffff82168203606c5756",
}

// BombToken is an auto generated Go binding around an Ethereum contract.
type BombToken struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *BombToken) GetABI() abi.ABI {
	return c.abi
}

// NewBombToken creates a new instance of BombToken.
func NewBombToken() *BombToken {
	parsed, err := BombTokenMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &BombToken{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *BombToken) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x70a08231.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function balanceOf(address ) pure returns(uint256)
func (bombToken *BombToken) PackBalanceOf(arg0 common.Address) []byte {
	enc, err := bombToken.abi.Pack("balanceOf", arg0)
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
func (bombToken *BombToken) TryPackBalanceOf(arg0 common.Address) ([]byte, error) {
	return bombToken.abi.Pack("balanceOf", arg0)
}

// UnpackBalanceOf is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x70a08231.
//
// Solidity: function balanceOf(address ) pure returns(uint256)
func (bombToken *BombToken) UnpackBalanceOf(data []byte) (*big.Int, error) {
	out, err := bombToken.abi.Unpack("balanceOf", data)
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
func (bombToken *BombToken) PackTransfer(arg0 common.Address, arg1 *big.Int) []byte {
	enc, err := bombToken.abi.Pack("transfer", arg0, arg1)
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
func (bombToken *BombToken) TryPackTransfer(arg0 common.Address, arg1 *big.Int) ([]byte, error) {
	return bombToken.abi.Pack("transfer", arg0, arg1)
}

// UnpackTransfer is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xa9059cbb.
//
// Solidity: function transfer(address , uint256 ) pure returns(bool)
func (bombToken *BombToken) UnpackTransfer(data []byte) (bool, error) {
	out, err := bombToken.abi.Unpack("transfer", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}
