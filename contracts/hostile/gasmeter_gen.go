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

// GasMeterMetaData contains all meta data concerning the GasMeter contract.
var GasMeterMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[],\"name\":\"gasReceived\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"stateMutability\":\"payable\",\"type\":\"receive\"}]",
	ID:  "GasMeter",
	Bin: "0x608080604052346013576064908160188239f35b5f80fdfe6080806040526004361015601d575b5036156018575f80fd5b5a5f55005b5f3560e01c6333c366de03600e57346060575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126060576020905f548152f35b5f80fd",
}

// GasMeter is an auto generated Go binding around an Ethereum contract.
type GasMeter struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *GasMeter) GetABI() abi.ABI {
	return c.abi
}

// NewGasMeter creates a new instance of GasMeter.
func NewGasMeter() *GasMeter {
	parsed, err := GasMeterMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &GasMeter{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *GasMeter) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackGasReceived is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x33c366de.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function gasReceived() view returns(uint256)
func (gasMeter *GasMeter) PackGasReceived() []byte {
	enc, err := gasMeter.abi.Pack("gasReceived")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGasReceived is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x33c366de.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function gasReceived() view returns(uint256)
func (gasMeter *GasMeter) TryPackGasReceived() ([]byte, error) {
	return gasMeter.abi.Pack("gasReceived")
}

// UnpackGasReceived is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x33c366de.
//
// Solidity: function gasReceived() view returns(uint256)
func (gasMeter *GasMeter) UnpackGasReceived(data []byte) (*big.Int, error) {
	out, err := gasMeter.abi.Unpack("gasReceived", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}
