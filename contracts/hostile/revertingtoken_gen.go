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

// RevertingTokenMetaData contains all meta data concerning the RevertingToken contract.
var RevertingTokenMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"name\":\"balanceOf\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"pure\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes\",\"name\":\"reason_\",\"type\":\"bytes\"}],\"name\":\"setReason\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"name\":\"transfer\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"name\":\"transferFrom\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"}]",
	ID:  "RevertingToken",
	Bin: "0x60808060405234601557610528908161001a8239f35b5f80fdfe60806040526004361015610011575f80fd5b5f3560e01c80631b4b95be1461012857806323b872dd146100e857806370a08231146100865763a9059cbb14610045575f80fd5b346100825760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126100825761007c610324565b506103bb565b5f80fd5b346100825760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610082576100bd610324565b5060206040517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8152f35b346100825760607ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126100825761011f610324565b5061007c610347565b346100825760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126100825760043567ffffffffffffffff8111610082573660238201121561008257806004013567ffffffffffffffff81116100825736602482840101116100825761019e5f5461036a565b601f81116102ba575b505f601f82116001146102005781925f926101f2575b50507fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8260011b9260031b1c1916175f555f80f35b6024925001013582806101bd565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe08216927f290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563915f5b85811061029f57508360019510610264575b505050811b015f55005b01602401357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff600384901b60f8161c1916905582808061025a565b90926020600181926024878701013581550194019101610248565b818111156101a757601f820160051c906020831061031c575b601f82910160051c03905f5b8281106102ed5750506101a7565b5f8282017f290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e56301556001016102df565b5f91506102d3565b6004359073ffffffffffffffffffffffffffffffffffffffff8216820361008257565b6024359073ffffffffffffffffffffffffffffffffffffffff8216820361008257565b90600182811c921680156103b1575b602083101461038457565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602260045260245ffd5b91607f1691610379565b6040515f90805f54926103cd8461036a565b8083526020830194600181169081156104d15750600114610459575b5003601f017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe016810167ffffffffffffffff81118282101761042c576040525190fd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b5f80805291507f290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e5635b8183106104b557505081016020017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe06103e9565b6020919350806001915483858801015201910190918392610481565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0016865250151560051b820160200190507fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe06103e956",
}

// RevertingToken is an auto generated Go binding around an Ethereum contract.
type RevertingToken struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *RevertingToken) GetABI() abi.ABI {
	return c.abi
}

// NewRevertingToken creates a new instance of RevertingToken.
func NewRevertingToken() *RevertingToken {
	parsed, err := RevertingTokenMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &RevertingToken{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *RevertingToken) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x70a08231.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function balanceOf(address ) pure returns(uint256)
func (revertingToken *RevertingToken) PackBalanceOf(arg0 common.Address) []byte {
	enc, err := revertingToken.abi.Pack("balanceOf", arg0)
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
func (revertingToken *RevertingToken) TryPackBalanceOf(arg0 common.Address) ([]byte, error) {
	return revertingToken.abi.Pack("balanceOf", arg0)
}

// UnpackBalanceOf is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x70a08231.
//
// Solidity: function balanceOf(address ) pure returns(uint256)
func (revertingToken *RevertingToken) UnpackBalanceOf(data []byte) (*big.Int, error) {
	out, err := revertingToken.abi.Unpack("balanceOf", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackSetReason is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1b4b95be.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function setReason(bytes reason_) returns()
func (revertingToken *RevertingToken) PackSetReason(reason []byte) []byte {
	enc, err := revertingToken.abi.Pack("setReason", reason)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSetReason is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1b4b95be.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function setReason(bytes reason_) returns()
func (revertingToken *RevertingToken) TryPackSetReason(reason []byte) ([]byte, error) {
	return revertingToken.abi.Pack("setReason", reason)
}

// PackTransfer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa9059cbb.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transfer(address , uint256 ) view returns(bool)
func (revertingToken *RevertingToken) PackTransfer(arg0 common.Address, arg1 *big.Int) []byte {
	enc, err := revertingToken.abi.Pack("transfer", arg0, arg1)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransfer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa9059cbb.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transfer(address , uint256 ) view returns(bool)
func (revertingToken *RevertingToken) TryPackTransfer(arg0 common.Address, arg1 *big.Int) ([]byte, error) {
	return revertingToken.abi.Pack("transfer", arg0, arg1)
}

// UnpackTransfer is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xa9059cbb.
//
// Solidity: function transfer(address , uint256 ) view returns(bool)
func (revertingToken *RevertingToken) UnpackTransfer(data []byte) (bool, error) {
	out, err := revertingToken.abi.Unpack("transfer", data)
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
// Solidity: function transferFrom(address , address , uint256 ) view returns(bool)
func (revertingToken *RevertingToken) PackTransferFrom(arg0 common.Address, arg1 common.Address, arg2 *big.Int) []byte {
	enc, err := revertingToken.abi.Pack("transferFrom", arg0, arg1, arg2)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x23b872dd.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transferFrom(address , address , uint256 ) view returns(bool)
func (revertingToken *RevertingToken) TryPackTransferFrom(arg0 common.Address, arg1 common.Address, arg2 *big.Int) ([]byte, error) {
	return revertingToken.abi.Pack("transferFrom", arg0, arg1, arg2)
}

// UnpackTransferFrom is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x23b872dd.
//
// Solidity: function transferFrom(address , address , uint256 ) view returns(bool)
func (revertingToken *RevertingToken) UnpackTransferFrom(data []byte) (bool, error) {
	out, err := revertingToken.abi.Unpack("transferFrom", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}
