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

// ReentererMetaData contains all meta data concerning the Reenterer contract.
var ReentererMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"address\",\"name\":\"target_\",\"type\":\"address\"},{\"internalType\":\"bytes\",\"name\":\"data_\",\"type\":\"bytes\"}],\"name\":\"callBack\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"called\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"bytes\",\"name\":\"input\",\"type\":\"bytes\"}],\"name\":\"execute\",\"outputs\":[],\"stateMutability\":\"payable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"selector\",\"outputs\":[{\"internalType\":\"bytes4\",\"name\":\"\",\"type\":\"bytes4\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"succeeded\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"stateMutability\":\"payable\",\"type\":\"receive\"}]",
	ID:  "Reenterer",
	Bin: "0x6080806040523460155761067c908161001a8239f35b5f80fdfe60806040526004361015610022575b3615610018575f80fd5b6100206104ec565b005b5f3560e01c80631cff79cd1461035957806350f9b6cd1461031657806393415250146102d6578063ba22bba0146100c15763ea3d508a0361000e57346100bd575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126100bd5760207fffffffff0000000000000000000000000000000000000000000000000000000060025460d81b16604051908152f35b5f80fd5b346100bd5773ffffffffffffffffffffffffffffffffffffffff6100e43661036b565b91929092167fffffffffffffffffffffffff00000000000000000000000000000000000000005f5416175f5567ffffffffffffffff81116102a95761012a60015461049b565b601f811161023f575b505f601f821160011461018a5781925f9261017f575b50507fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8260011b9260031b1c1916176001555f80f35b013590508280610149565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe08216927fb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2b7fa0cf6915f5b858110610227575083600195106101ef575b505050811b01600155005b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff60f88560031b161c199101351690558280806101e4565b909260206001819286860135815501940191016101d2565b8181111561013357601f820160051c90602083106102a1575b601f82910160051c03905f5b828110610272575050610133565b5f8282017fb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2b7fa0cf60155600101610264565b5f9150610258565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b346100bd575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126100bd57602060ff600254166040519015158152f35b346100bd575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126100bd57602060ff60025460281c166040519015158152f35b6100206103653661036b565b91610468565b60407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc8201126100bd5760043573ffffffffffffffffffffffffffffffffffffffff811681036100bd579160243567ffffffffffffffff81116100bd57826023820112156100bd5780600401359267ffffffffffffffff84116100bd57602484830101116100bd576024019190565b3d15610463573d9067ffffffffffffffff82116102a957604051917fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0603f81601f8401160116830183811067ffffffffffffffff8211176102a95760405282523d5f602084013e565b606090565b5f9283928160405192839283378101848152039134905af1906104896103fa565b916104975750602081519101fd5b9050565b90600182811c921680156104e2575b60208310146104b557565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602260045260245ffd5b91607f16916104aa565b73ffffffffffffffffffffffffffffffffffffffff5f54168015610679576040515f60015461051a8161049b565b906001811690811561064657506001146105f7575b5091815f809493819403925af16105446103fa565b602081519101517fffffffff00000000000000000000000000000000000000000000000000000000811691600481106105c2575b505064ffffffff0080650100000000007fffffffffffffffffffffffffffffffffffffffffffffffffffff00000000000060ff600254961515169516179260d81c16161717600255565b7fffffffff000000000000000000000000000000000000000000000000000000009250829060040360031b1b16165f80610578565b905060015f527fb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2b7fa0cf65f905b82821061063257505081018161052f565b600181602092548487015201910190610621565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001684525080151502820190508161052f565b5056",
}

// Reenterer is an auto generated Go binding around an Ethereum contract.
type Reenterer struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *Reenterer) GetABI() abi.ABI {
	return c.abi
}

// NewReenterer creates a new instance of Reenterer.
func NewReenterer() *Reenterer {
	parsed, err := ReentererMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &Reenterer{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *Reenterer) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackCallBack is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xba22bba0.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function callBack(address target_, bytes data_) returns()
func (reenterer *Reenterer) PackCallBack(target common.Address, data []byte) []byte {
	enc, err := reenterer.abi.Pack("callBack", target, data)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackCallBack is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xba22bba0.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function callBack(address target_, bytes data_) returns()
func (reenterer *Reenterer) TryPackCallBack(target common.Address, data []byte) ([]byte, error) {
	return reenterer.abi.Pack("callBack", target, data)
}

// PackCalled is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x50f9b6cd.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function called() view returns(bool)
func (reenterer *Reenterer) PackCalled() []byte {
	enc, err := reenterer.abi.Pack("called")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackCalled is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x50f9b6cd.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function called() view returns(bool)
func (reenterer *Reenterer) TryPackCalled() ([]byte, error) {
	return reenterer.abi.Pack("called")
}

// UnpackCalled is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x50f9b6cd.
//
// Solidity: function called() view returns(bool)
func (reenterer *Reenterer) UnpackCalled(data []byte) (bool, error) {
	out, err := reenterer.abi.Unpack("called", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackExecute is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1cff79cd.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function execute(address to, bytes input) payable returns()
func (reenterer *Reenterer) PackExecute(to common.Address, input []byte) []byte {
	enc, err := reenterer.abi.Pack("execute", to, input)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackExecute is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1cff79cd.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function execute(address to, bytes input) payable returns()
func (reenterer *Reenterer) TryPackExecute(to common.Address, input []byte) ([]byte, error) {
	return reenterer.abi.Pack("execute", to, input)
}

// PackSelector is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xea3d508a.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function selector() view returns(bytes4)
func (reenterer *Reenterer) PackSelector() []byte {
	enc, err := reenterer.abi.Pack("selector")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSelector is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xea3d508a.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function selector() view returns(bytes4)
func (reenterer *Reenterer) TryPackSelector() ([]byte, error) {
	return reenterer.abi.Pack("selector")
}

// UnpackSelector is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xea3d508a.
//
// Solidity: function selector() view returns(bytes4)
func (reenterer *Reenterer) UnpackSelector(data []byte) ([4]byte, error) {
	out, err := reenterer.abi.Unpack("selector", data)
	if err != nil {
		return *new([4]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([4]byte)).(*[4]byte)
	return out0, nil
}

// PackSucceeded is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x93415250.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function succeeded() view returns(bool)
func (reenterer *Reenterer) PackSucceeded() []byte {
	enc, err := reenterer.abi.Pack("succeeded")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSucceeded is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x93415250.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function succeeded() view returns(bool)
func (reenterer *Reenterer) TryPackSucceeded() ([]byte, error) {
	return reenterer.abi.Pack("succeeded")
}

// UnpackSucceeded is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x93415250.
//
// Solidity: function succeeded() view returns(bool)
func (reenterer *Reenterer) UnpackSucceeded(data []byte) (bool, error) {
	out, err := reenterer.abi.Unpack("succeeded", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}
