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
	ABI: "[{\"inputs\":[{\"internalType\":\"address\",\"name\":\"target_\",\"type\":\"address\"},{\"internalType\":\"bytes\",\"name\":\"data_\",\"type\":\"bytes\"}],\"name\":\"callBack\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"called\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"bytes\",\"name\":\"input\",\"type\":\"bytes\"}],\"name\":\"execute\",\"outputs\":[],\"stateMutability\":\"payable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"selector\",\"outputs\":[{\"internalType\":\"bytes4\",\"name\":\"\",\"type\":\"bytes4\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"succeeded\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"bytes\",\"name\":\"first\",\"type\":\"bytes\"},{\"internalType\":\"bytes\",\"name\":\"then\",\"type\":\"bytes\"}],\"name\":\"twice\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"stateMutability\":\"payable\",\"type\":\"receive\"}]",
	ID:  "Reenterer",
	Bin: "0x608080604052346015576108e2908161001a8239f35b5f80fdfe60806040526004361015610022575b3615610018575f80fd5b610020610752565b005b5f5f3560e01c80631cff79cd146104f357806335a5f75d1461037157806350f9b6cd1461032d57806393415250146102ec578063ba22bba0146100d25763ea3d508a1461006f575061000e565b346100cf57807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126100cf5760207fffffffff0000000000000000000000000000000000000000000000000000000060025460d81b16604051908152f35b80fd5b50346100cf5773ffffffffffffffffffffffffffffffffffffffff906100f736610533565b91939093167fffffffffffffffffffffffff000000000000000000000000000000000000000083541617825567ffffffffffffffff81116102bf5761013d600154610701565b601f8111610254575b5081601f821160011461019d578293829392610192575b50507fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8260011b9260031b1c19161760015580f35b013590505f8061015d565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe08216937fb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2b7fa0cf691845b86811061023c5750836001959610610204575b505050811b0160015580f35b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff60f88560031b161c199101351690555f80806101f8565b909260206001819286860135815501940191016101e5565b8181111561014657601f820160051c90602083106102b7575b601f82910160051c0390835b828110610287575050610146565b80857fb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2b7fa0cf66001938501015501610279565b83915061026d565b6024827f4e487b710000000000000000000000000000000000000000000000000000000081526041600452fd5b50346100cf57807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126100cf57602060ff600254166040519015158152f35b50346100cf57807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126100cf57602060ff60025460281c166040519015158152f35b50346104ef5760607ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126104ef576004359073ffffffffffffffffffffffffffffffffffffffff821682036104ef5760243567ffffffffffffffff81116104ef576103e2903690600401610505565b9260443567ffffffffffffffff81116104ef57610403903690600401610505565b92303b156104ef57610446955f9160405197889283927f1cff79cd00000000000000000000000000000000000000000000000000000000845287600485016106a0565b038183305af180156104e4576104ce575b839450303b156104c957839161049a60405194859384937f1cff79cd000000000000000000000000000000000000000000000000000000008552600485016106a0565b038183305af180156104be576104ad5750f35b816104b7916105a2565b6100cf5780f35b6040513d84823e3d90fd5b505050fd5b9250925f6104db916105a2565b5f918390610457565b6040513d5f823e3d90fd5b5f80fd5b6100206104ff36610533565b9161066d565b9181601f840112156104ef5782359167ffffffffffffffff83116104ef57602083818601950101116104ef57565b9060407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc8301126104ef5760043573ffffffffffffffffffffffffffffffffffffffff811681036104ef57916024359067ffffffffffffffff82116104ef5761059e91600401610505565b9091565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff8211176105e357604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b3d15610668573d9067ffffffffffffffff82116105e3576040519161065d60207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f84011601846105a2565b82523d5f602084013e565b606090565b5f9283928160405192839283378101848152039134905af19061068e610610565b9161069c5750602081519101fd5b9050565b9183606094601f9273ffffffffffffffffffffffffffffffffffffffff7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe09516865260406020870152816040870152868601375f8582860101520116010190565b90600182811c92168015610748575b602083101461071b57565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602260045260245ffd5b91607f1691610710565b73ffffffffffffffffffffffffffffffffffffffff5f541680156108df576040515f60015461078081610701565b90600181169081156108ac575060011461085d575b5091815f809493819403925af16107aa610610565b602081519101517fffffffff0000000000000000000000000000000000000000000000000000000081169160048110610828575b505064ffffffff0080650100000000007fffffffffffffffffffffffffffffffffffffffffffffffffffff00000000000060ff600254961515169516179260d81c16161717600255565b7fffffffff000000000000000000000000000000000000000000000000000000009250829060040360031b1b16165f806107de565b905060015f527fb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2b7fa0cf65f905b828210610898575050810181610795565b600181602092548487015201910190610887565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0016845250801515028201905081610795565b5056",
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

// PackTwice is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x35a5f75d.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function twice(address to, bytes first, bytes then) returns()
func (reenterer *Reenterer) PackTwice(to common.Address, first []byte, then []byte) []byte {
	enc, err := reenterer.abi.Pack("twice", to, first, then)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTwice is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x35a5f75d.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function twice(address to, bytes first, bytes then) returns()
func (reenterer *Reenterer) TryPackTwice(to common.Address, first []byte, then []byte) ([]byte, error) {
	return reenterer.abi.Pack("twice", to, first, then)
}
