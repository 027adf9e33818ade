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

// BlacklistTokenMetaData contains all meta data concerning the BlacklistToken contract.
var BlacklistTokenMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"allowance\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"needed\",\"type\":\"uint256\"}],\"name\":\"ERC20InsufficientAllowance\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"balance\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"needed\",\"type\":\"uint256\"}],\"name\":\"ERC20InsufficientBalance\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"approver\",\"type\":\"address\"}],\"name\":\"ERC20InvalidApprover\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"receiver\",\"type\":\"address\"}],\"name\":\"ERC20InvalidReceiver\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"}],\"name\":\"ERC20InvalidSender\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"}],\"name\":\"ERC20InvalidSpender\",\"type\":\"error\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"Approval\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"Transfer\",\"type\":\"event\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"}],\"name\":\"allowance\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"approve\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"balanceOf\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"decimals\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"internalType\":\"bool\",\"name\":\"on\",\"type\":\"bool\"}],\"name\":\"list\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"name\":\"listed\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"mint\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"name\",\"outputs\":[{\"internalType\":\"string\",\"name\":\"\",\"type\":\"string\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"symbol\",\"outputs\":[{\"internalType\":\"string\",\"name\":\"\",\"type\":\"string\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"totalSupply\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"transfer\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"transferFrom\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"}]",
	ID:  "BlacklistToken",
	Bin: "0x60806040523461032857604080519081016001600160401b038111828210176102305760409081526009825268109b1858dadb1a5cdd60ba1b602083015280519081016001600160401b03811182821017610230576040526003815262424c4b60e81b602082015281516001600160401b03811161023057600354600181811c9116801561031e575b602082101461021257601f81116102b0575b50602092601f821160011461024f57928192935f92610244575b50508160011b915f199060031b1c1916176003555b80516001600160401b03811161023057600454600181811c91168015610226575b602082101461021257601f81116101a4575b50602091601f8211600114610144579181925f92610139575b50508160011b915f199060031b1c1916176004555b604051610c42908161032d8239f35b015190505f80610115565b601f1982169260045f52805f20915f5b85811061018c57508360019510610174575b505050811b0160045561012a565b01515f1960f88460031b161c191690555f8080610166565b91926020600181928685015181550194019201610154565b818111156100fc5760045f52601f820160051c7f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b6020841061020a575b81601f9101920160051c03905f5b8281106101fd5750506100fc565b5f828201556001016101ef565b5f91506101e1565b634e487b7160e01b5f52602260045260245ffd5b90607f16906100ea565b634e487b7160e01b5f52604160045260245ffd5b015190505f806100b4565b601f1982169360035f52805f20915f5b8681106102985750836001959610610280575b505050811b016003556100c9565b01515f1960f88460031b161c191690555f8080610272565b9192602060018192868501518155019401920161025f565b8181111561009a5760035f52601f820160051c7fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b60208410610316575b81601f9101920160051c03905f5b82811061030957505061009a565b5f828201556001016102fb565b5f91506102ed565b90607f1690610088565b5f80fdfe6080806040526004361015610012575f80fd5b5f3560e01c90816306fdde031461095a57508063095ea7b3146108ad57806318160ddd1461087257806323b872dd146106de578063313ce567146106a557806340c10f19146104d2578063641382301461046a57806370a082311461040857806395d89b411461021557806396f35b401461017f578063a9059cbb146101305763dd62ed3e146100a0575f80fd5b3461012c5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261012c576100d7610ad3565b73ffffffffffffffffffffffffffffffffffffffff6100f4610af6565b91165f52600160205273ffffffffffffffffffffffffffffffffffffffff60405f2091165f52602052602060405f2054604051908152f35b5f80fd5b3461012c5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261012c5761017461016a610ad3565b6024359033610b19565b602060405160018152f35b3461012c5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261012c576101b6610ad3565b6024359081151580920361012c5773ffffffffffffffffffffffffffffffffffffffff165f52600560205260405f209060ff7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0083541691161790555f80f35b3461012c575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261012c576040515f600454908160011c600183169283156103fe575b6020821084146103d157818552849390811561037157506001146102f7575b5003601f017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe01681019067ffffffffffffffff8211818310176102ca576102c682918260405282610a8b565b0390f35b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b60045f90815291507f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b5b81831061035557505081016020017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe061027a565b6020919350806001915483858801015201910190918392610321565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001660208581019190915291151560051b840190910191507fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0905061027a565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602260045260245ffd5b90607f169061025b565b3461012c5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261012c5773ffffffffffffffffffffffffffffffffffffffff610454610ad3565b165f525f602052602060405f2054604051908152f35b3461012c5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261012c5773ffffffffffffffffffffffffffffffffffffffff6104b6610ad3565b165f526005602052602060ff60405f2054166040519015158152f35b3461012c5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261012c57610509610ad3565b73ffffffffffffffffffffffffffffffffffffffff166024358115610679575f805260056020527f05b8ccbb9d4d8fb16ea74ce3c29a41f1b461fbdaff4714a0d9a8eb05499746bc5460ff161580610662575b156105de57600254908082018092116105b15760207fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef915f9360025584845283825260408420818154019055604051908152a3005b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b60846040517f08c379a000000000000000000000000000000000000000000000000000000000815260206004820152602560248201527f426c61636b6c69737461626c653a206163636f756e7420697320626c61636b6c60448201527f69737465640000000000000000000000000000000000000000000000000000006064820152fd5b50815f52600560205260ff60405f2054161561055c565b7fec442f05000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b3461012c575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261012c57602060405160128152f35b3461012c5760607ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261012c57610715610ad3565b61071d610af6565b6044359073ffffffffffffffffffffffffffffffffffffffff831692835f52600160205260405f2073ffffffffffffffffffffffffffffffffffffffff33165f5260205260405f20547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8110610799575b506101749350610b19565b83811061083e5784156108125733156107e657610174945f52600160205260405f2073ffffffffffffffffffffffffffffffffffffffff33165f526020528360405f20910390558461078e565b7f94280d62000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b7fe602df05000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b83907ffb8f41b2000000000000000000000000000000000000000000000000000000005f523360045260245260445260645ffd5b3461012c575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261012c576020600254604051908152f35b3461012c5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261012c576108e4610ad3565b6024359033156108125773ffffffffffffffffffffffffffffffffffffffff169081156107e657335f52600160205260405f20825f526020528060405f20556040519081527f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92560203392a3602060405160018152f35b3461012c575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261012c575f600354908160011c60018316928315610a81575b6020821084146103d15781855284939081156103715750600114610a07575003601f017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe01681019067ffffffffffffffff8211818310176102ca576102c682918260405282610a8b565b60035f90815291507fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b5b818310610a6557505081016020017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe061027a565b6020919350806001915483858801015201910190918392610a31565b90607f169061099d565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f602060409481855280519182918282880152018686015e5f8582860101520116010190565b6004359073ffffffffffffffffffffffffffffffffffffffff8216820361012c57565b6024359073ffffffffffffffffffffffffffffffffffffffff8216820361012c57565b73ffffffffffffffffffffffffffffffffffffffff16908115610c165773ffffffffffffffffffffffffffffffffffffffff1691821561067957815f52600560205260ff60405f2054161580610bff575b156105de57815f525f60205260405f2054818110610bcd57817fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef92602092855f525f84520360405f2055845f525f825260405f20818154019055604051908152a3565b827fe450d38c000000000000000000000000000000000000000000000000000000005f5260045260245260445260645ffd5b50825f52600560205260ff60405f20541615610b6a565b7f96c6fd1e000000000000000000000000000000000000000000000000000000005f525f60045260245ffd",
}

// BlacklistToken is an auto generated Go binding around an Ethereum contract.
type BlacklistToken struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *BlacklistToken) GetABI() abi.ABI {
	return c.abi
}

// NewBlacklistToken creates a new instance of BlacklistToken.
func NewBlacklistToken() *BlacklistToken {
	parsed, err := BlacklistTokenMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &BlacklistToken{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *BlacklistToken) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackAllowance is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdd62ed3e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function allowance(address owner, address spender) view returns(uint256)
func (blacklistToken *BlacklistToken) PackAllowance(owner common.Address, spender common.Address) []byte {
	enc, err := blacklistToken.abi.Pack("allowance", owner, spender)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAllowance is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdd62ed3e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function allowance(address owner, address spender) view returns(uint256)
func (blacklistToken *BlacklistToken) TryPackAllowance(owner common.Address, spender common.Address) ([]byte, error) {
	return blacklistToken.abi.Pack("allowance", owner, spender)
}

// UnpackAllowance is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xdd62ed3e.
//
// Solidity: function allowance(address owner, address spender) view returns(uint256)
func (blacklistToken *BlacklistToken) UnpackAllowance(data []byte) (*big.Int, error) {
	out, err := blacklistToken.abi.Unpack("allowance", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackApprove is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x095ea7b3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function approve(address spender, uint256 value) returns(bool)
func (blacklistToken *BlacklistToken) PackApprove(spender common.Address, value *big.Int) []byte {
	enc, err := blacklistToken.abi.Pack("approve", spender, value)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackApprove is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x095ea7b3.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function approve(address spender, uint256 value) returns(bool)
func (blacklistToken *BlacklistToken) TryPackApprove(spender common.Address, value *big.Int) ([]byte, error) {
	return blacklistToken.abi.Pack("approve", spender, value)
}

// UnpackApprove is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x095ea7b3.
//
// Solidity: function approve(address spender, uint256 value) returns(bool)
func (blacklistToken *BlacklistToken) UnpackApprove(data []byte) (bool, error) {
	out, err := blacklistToken.abi.Unpack("approve", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x70a08231.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function balanceOf(address account) view returns(uint256)
func (blacklistToken *BlacklistToken) PackBalanceOf(account common.Address) []byte {
	enc, err := blacklistToken.abi.Pack("balanceOf", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x70a08231.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function balanceOf(address account) view returns(uint256)
func (blacklistToken *BlacklistToken) TryPackBalanceOf(account common.Address) ([]byte, error) {
	return blacklistToken.abi.Pack("balanceOf", account)
}

// UnpackBalanceOf is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x70a08231.
//
// Solidity: function balanceOf(address account) view returns(uint256)
func (blacklistToken *BlacklistToken) UnpackBalanceOf(data []byte) (*big.Int, error) {
	out, err := blacklistToken.abi.Unpack("balanceOf", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackDecimals is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x313ce567.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function decimals() view returns(uint8)
func (blacklistToken *BlacklistToken) PackDecimals() []byte {
	enc, err := blacklistToken.abi.Pack("decimals")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDecimals is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x313ce567.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function decimals() view returns(uint8)
func (blacklistToken *BlacklistToken) TryPackDecimals() ([]byte, error) {
	return blacklistToken.abi.Pack("decimals")
}

// UnpackDecimals is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x313ce567.
//
// Solidity: function decimals() view returns(uint8)
func (blacklistToken *BlacklistToken) UnpackDecimals(data []byte) (uint8, error) {
	out, err := blacklistToken.abi.Unpack("decimals", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackList is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x96f35b40.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function list(address account, bool on) returns()
func (blacklistToken *BlacklistToken) PackList(account common.Address, on bool) []byte {
	enc, err := blacklistToken.abi.Pack("list", account, on)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackList is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x96f35b40.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function list(address account, bool on) returns()
func (blacklistToken *BlacklistToken) TryPackList(account common.Address, on bool) ([]byte, error) {
	return blacklistToken.abi.Pack("list", account, on)
}

// PackListed is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x64138230.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function listed(address ) view returns(bool)
func (blacklistToken *BlacklistToken) PackListed(arg0 common.Address) []byte {
	enc, err := blacklistToken.abi.Pack("listed", arg0)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackListed is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x64138230.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function listed(address ) view returns(bool)
func (blacklistToken *BlacklistToken) TryPackListed(arg0 common.Address) ([]byte, error) {
	return blacklistToken.abi.Pack("listed", arg0)
}

// UnpackListed is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x64138230.
//
// Solidity: function listed(address ) view returns(bool)
func (blacklistToken *BlacklistToken) UnpackListed(data []byte) (bool, error) {
	out, err := blacklistToken.abi.Unpack("listed", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackMint is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x40c10f19.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function mint(address to, uint256 amount) returns()
func (blacklistToken *BlacklistToken) PackMint(to common.Address, amount *big.Int) []byte {
	enc, err := blacklistToken.abi.Pack("mint", to, amount)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMint is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x40c10f19.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function mint(address to, uint256 amount) returns()
func (blacklistToken *BlacklistToken) TryPackMint(to common.Address, amount *big.Int) ([]byte, error) {
	return blacklistToken.abi.Pack("mint", to, amount)
}

// PackName is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x06fdde03.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function name() view returns(string)
func (blacklistToken *BlacklistToken) PackName() []byte {
	enc, err := blacklistToken.abi.Pack("name")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackName is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x06fdde03.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function name() view returns(string)
func (blacklistToken *BlacklistToken) TryPackName() ([]byte, error) {
	return blacklistToken.abi.Pack("name")
}

// UnpackName is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x06fdde03.
//
// Solidity: function name() view returns(string)
func (blacklistToken *BlacklistToken) UnpackName(data []byte) (string, error) {
	out, err := blacklistToken.abi.Unpack("name", data)
	if err != nil {
		return *new(string), err
	}
	out0 := *abi.ConvertType(out[0], new(string)).(*string)
	return out0, nil
}

// PackSymbol is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x95d89b41.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function symbol() view returns(string)
func (blacklistToken *BlacklistToken) PackSymbol() []byte {
	enc, err := blacklistToken.abi.Pack("symbol")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSymbol is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x95d89b41.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function symbol() view returns(string)
func (blacklistToken *BlacklistToken) TryPackSymbol() ([]byte, error) {
	return blacklistToken.abi.Pack("symbol")
}

// UnpackSymbol is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x95d89b41.
//
// Solidity: function symbol() view returns(string)
func (blacklistToken *BlacklistToken) UnpackSymbol(data []byte) (string, error) {
	out, err := blacklistToken.abi.Unpack("symbol", data)
	if err != nil {
		return *new(string), err
	}
	out0 := *abi.ConvertType(out[0], new(string)).(*string)
	return out0, nil
}

// PackTotalSupply is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x18160ddd.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function totalSupply() view returns(uint256)
func (blacklistToken *BlacklistToken) PackTotalSupply() []byte {
	enc, err := blacklistToken.abi.Pack("totalSupply")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTotalSupply is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x18160ddd.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function totalSupply() view returns(uint256)
func (blacklistToken *BlacklistToken) TryPackTotalSupply() ([]byte, error) {
	return blacklistToken.abi.Pack("totalSupply")
}

// UnpackTotalSupply is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x18160ddd.
//
// Solidity: function totalSupply() view returns(uint256)
func (blacklistToken *BlacklistToken) UnpackTotalSupply(data []byte) (*big.Int, error) {
	out, err := blacklistToken.abi.Unpack("totalSupply", data)
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
// Solidity: function transfer(address to, uint256 value) returns(bool)
func (blacklistToken *BlacklistToken) PackTransfer(to common.Address, value *big.Int) []byte {
	enc, err := blacklistToken.abi.Pack("transfer", to, value)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransfer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa9059cbb.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transfer(address to, uint256 value) returns(bool)
func (blacklistToken *BlacklistToken) TryPackTransfer(to common.Address, value *big.Int) ([]byte, error) {
	return blacklistToken.abi.Pack("transfer", to, value)
}

// UnpackTransfer is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xa9059cbb.
//
// Solidity: function transfer(address to, uint256 value) returns(bool)
func (blacklistToken *BlacklistToken) UnpackTransfer(data []byte) (bool, error) {
	out, err := blacklistToken.abi.Unpack("transfer", data)
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
// Solidity: function transferFrom(address from, address to, uint256 value) returns(bool)
func (blacklistToken *BlacklistToken) PackTransferFrom(from common.Address, to common.Address, value *big.Int) []byte {
	enc, err := blacklistToken.abi.Pack("transferFrom", from, to, value)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x23b872dd.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transferFrom(address from, address to, uint256 value) returns(bool)
func (blacklistToken *BlacklistToken) TryPackTransferFrom(from common.Address, to common.Address, value *big.Int) ([]byte, error) {
	return blacklistToken.abi.Pack("transferFrom", from, to, value)
}

// UnpackTransferFrom is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x23b872dd.
//
// Solidity: function transferFrom(address from, address to, uint256 value) returns(bool)
func (blacklistToken *BlacklistToken) UnpackTransferFrom(data []byte) (bool, error) {
	out, err := blacklistToken.abi.Unpack("transferFrom", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// BlacklistTokenApproval represents a Approval event raised by the BlacklistToken contract.
type BlacklistTokenApproval struct {
	Owner   common.Address
	Spender common.Address
	Value   *big.Int
	Raw     *types.Log // Blockchain specific contextual infos
}

const BlacklistTokenApprovalEventName = "Approval"

// ContractEventName returns the user-defined event name.
func (BlacklistTokenApproval) ContractEventName() string {
	return BlacklistTokenApprovalEventName
}

// UnpackApprovalEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Approval(address indexed owner, address indexed spender, uint256 value)
func (blacklistToken *BlacklistToken) UnpackApprovalEvent(log *types.Log) (*BlacklistTokenApproval, error) {
	event := "Approval"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != blacklistToken.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(BlacklistTokenApproval)
	if len(log.Data) > 0 {
		if err := blacklistToken.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range blacklistToken.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// BlacklistTokenTransfer represents a Transfer event raised by the BlacklistToken contract.
type BlacklistTokenTransfer struct {
	From  common.Address
	To    common.Address
	Value *big.Int
	Raw   *types.Log // Blockchain specific contextual infos
}

const BlacklistTokenTransferEventName = "Transfer"

// ContractEventName returns the user-defined event name.
func (BlacklistTokenTransfer) ContractEventName() string {
	return BlacklistTokenTransferEventName
}

// UnpackTransferEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Transfer(address indexed from, address indexed to, uint256 value)
func (blacklistToken *BlacklistToken) UnpackTransferEvent(log *types.Log) (*BlacklistTokenTransfer, error) {
	event := "Transfer"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != blacklistToken.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(BlacklistTokenTransfer)
	if len(log.Data) > 0 {
		if err := blacklistToken.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range blacklistToken.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// UnpackError attempts to decode the provided error data using user-defined
// error definitions.
func (blacklistToken *BlacklistToken) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], blacklistToken.abi.Errors["ERC20InsufficientAllowance"].ID.Bytes()[:4]) {
		return blacklistToken.UnpackERC20InsufficientAllowanceError(raw[4:])
	}
	if bytes.Equal(raw[:4], blacklistToken.abi.Errors["ERC20InsufficientBalance"].ID.Bytes()[:4]) {
		return blacklistToken.UnpackERC20InsufficientBalanceError(raw[4:])
	}
	if bytes.Equal(raw[:4], blacklistToken.abi.Errors["ERC20InvalidApprover"].ID.Bytes()[:4]) {
		return blacklistToken.UnpackERC20InvalidApproverError(raw[4:])
	}
	if bytes.Equal(raw[:4], blacklistToken.abi.Errors["ERC20InvalidReceiver"].ID.Bytes()[:4]) {
		return blacklistToken.UnpackERC20InvalidReceiverError(raw[4:])
	}
	if bytes.Equal(raw[:4], blacklistToken.abi.Errors["ERC20InvalidSender"].ID.Bytes()[:4]) {
		return blacklistToken.UnpackERC20InvalidSenderError(raw[4:])
	}
	if bytes.Equal(raw[:4], blacklistToken.abi.Errors["ERC20InvalidSpender"].ID.Bytes()[:4]) {
		return blacklistToken.UnpackERC20InvalidSpenderError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// BlacklistTokenERC20InsufficientAllowance represents a ERC20InsufficientAllowance error raised by the BlacklistToken contract.
type BlacklistTokenERC20InsufficientAllowance struct {
	Spender   common.Address
	Allowance *big.Int
	Needed    *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)
func BlacklistTokenERC20InsufficientAllowanceErrorID() common.Hash {
	return common.HexToHash("0xfb8f41b23e99d2101d86da76cdfa87dd51c82ed07d3cb62cbc473e469dbc75c3")
}

// UnpackERC20InsufficientAllowanceError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)
func (blacklistToken *BlacklistToken) UnpackERC20InsufficientAllowanceError(raw []byte) (*BlacklistTokenERC20InsufficientAllowance, error) {
	out := new(BlacklistTokenERC20InsufficientAllowance)
	if err := blacklistToken.abi.UnpackIntoInterface(out, "ERC20InsufficientAllowance", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// BlacklistTokenERC20InsufficientBalance represents a ERC20InsufficientBalance error raised by the BlacklistToken contract.
type BlacklistTokenERC20InsufficientBalance struct {
	Sender  common.Address
	Balance *big.Int
	Needed  *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)
func BlacklistTokenERC20InsufficientBalanceErrorID() common.Hash {
	return common.HexToHash("0xe450d38cd8d9f7d95077d567d60ed49c7254716e6ad08fc9872816c97e0ffec6")
}

// UnpackERC20InsufficientBalanceError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)
func (blacklistToken *BlacklistToken) UnpackERC20InsufficientBalanceError(raw []byte) (*BlacklistTokenERC20InsufficientBalance, error) {
	out := new(BlacklistTokenERC20InsufficientBalance)
	if err := blacklistToken.abi.UnpackIntoInterface(out, "ERC20InsufficientBalance", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// BlacklistTokenERC20InvalidApprover represents a ERC20InvalidApprover error raised by the BlacklistToken contract.
type BlacklistTokenERC20InvalidApprover struct {
	Approver common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InvalidApprover(address approver)
func BlacklistTokenERC20InvalidApproverErrorID() common.Hash {
	return common.HexToHash("0xe602df05cc75712490294c6c104ab7c17f4030363910a7a2626411c6d3118847")
}

// UnpackERC20InvalidApproverError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InvalidApprover(address approver)
func (blacklistToken *BlacklistToken) UnpackERC20InvalidApproverError(raw []byte) (*BlacklistTokenERC20InvalidApprover, error) {
	out := new(BlacklistTokenERC20InvalidApprover)
	if err := blacklistToken.abi.UnpackIntoInterface(out, "ERC20InvalidApprover", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// BlacklistTokenERC20InvalidReceiver represents a ERC20InvalidReceiver error raised by the BlacklistToken contract.
type BlacklistTokenERC20InvalidReceiver struct {
	Receiver common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InvalidReceiver(address receiver)
func BlacklistTokenERC20InvalidReceiverErrorID() common.Hash {
	return common.HexToHash("0xec442f055133b72f3b2f9f0bb351c406b178527de2040a7d1feb4e058771f613")
}

// UnpackERC20InvalidReceiverError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InvalidReceiver(address receiver)
func (blacklistToken *BlacklistToken) UnpackERC20InvalidReceiverError(raw []byte) (*BlacklistTokenERC20InvalidReceiver, error) {
	out := new(BlacklistTokenERC20InvalidReceiver)
	if err := blacklistToken.abi.UnpackIntoInterface(out, "ERC20InvalidReceiver", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// BlacklistTokenERC20InvalidSender represents a ERC20InvalidSender error raised by the BlacklistToken contract.
type BlacklistTokenERC20InvalidSender struct {
	Sender common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InvalidSender(address sender)
func BlacklistTokenERC20InvalidSenderErrorID() common.Hash {
	return common.HexToHash("0x96c6fd1edd0cd6ef7ff0ecc0facdf53148dc0048b57fe58af65755250a7a96bd")
}

// UnpackERC20InvalidSenderError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InvalidSender(address sender)
func (blacklistToken *BlacklistToken) UnpackERC20InvalidSenderError(raw []byte) (*BlacklistTokenERC20InvalidSender, error) {
	out := new(BlacklistTokenERC20InvalidSender)
	if err := blacklistToken.abi.UnpackIntoInterface(out, "ERC20InvalidSender", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// BlacklistTokenERC20InvalidSpender represents a ERC20InvalidSpender error raised by the BlacklistToken contract.
type BlacklistTokenERC20InvalidSpender struct {
	Spender common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InvalidSpender(address spender)
func BlacklistTokenERC20InvalidSpenderErrorID() common.Hash {
	return common.HexToHash("0x94280d62c347d8d9f4d59a76ea321452406db88df38e0c9da304f58b57b373a2")
}

// UnpackERC20InvalidSpenderError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InvalidSpender(address spender)
func (blacklistToken *BlacklistToken) UnpackERC20InvalidSpenderError(raw []byte) (*BlacklistTokenERC20InvalidSpender, error) {
	out := new(BlacklistTokenERC20InvalidSpender)
	if err := blacklistToken.abi.UnpackIntoInterface(out, "ERC20InvalidSpender", raw); err != nil {
		return nil, err
	}
	return out, nil
}
