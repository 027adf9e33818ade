// Code generated via abigen V2 - DO NOT EDIT.
// This file is a generated binding and any manual changes will be lost.

package contracts

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

// VaultMetaData contains all meta data concerning the Vault contract.
var VaultMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"address\",\"name\":\"initialOwner\",\"type\":\"address\"},{\"internalType\":\"address[]\",\"name\":\"operators\",\"type\":\"address[]\"}],\"stateMutability\":\"nonpayable\",\"type\":\"constructor\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"}],\"name\":\"BadRecipient\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"EnforcedPause\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"ExpectedPause\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"id\",\"type\":\"bytes32\"}],\"name\":\"IdUsed\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"balance\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"InsufficientVaultBalance\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"}],\"name\":\"NativeTransferFailed\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"}],\"name\":\"NotAToken\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"caller\",\"type\":\"address\"}],\"name\":\"NotOperator\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"caller\",\"type\":\"address\"}],\"name\":\"NotOwnerOrOperator\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"}],\"name\":\"NothingReceived\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"}],\"name\":\"OwnableInvalidOwner\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"OwnableUnauthorizedAccount\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"OwnerCannotBeOperator\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"OwnershipCannotBeRenounced\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"ReentrancyGuardReentrantCall\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"}],\"name\":\"SafeERC20FailedOperation\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"internalType\":\"bytes\",\"name\":\"reason\",\"type\":\"bytes\"}],\"name\":\"TokenTransferFailed\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"UseDepositNative\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"ZeroAccount\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"ZeroAmount\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"ZeroOperator\",\"type\":\"error\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"account\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"Deposited\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"operator\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"bool\",\"name\":\"allowed\",\"type\":\"bool\"}],\"name\":\"OperatorSet\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"previousOwner\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"newOwner\",\"type\":\"address\"}],\"name\":\"OwnershipTransferStarted\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"previousOwner\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"newOwner\",\"type\":\"address\"}],\"name\":\"OwnershipTransferred\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":false,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"Paused\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"id\",\"type\":\"bytes32\"}],\"name\":\"Revoked\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"id\",\"type\":\"bytes32\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"Settled\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":false,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"Unpaused\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"Withdrawn\",\"type\":\"event\"},{\"inputs\":[],\"name\":\"acceptOwnership\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"account\",\"type\":\"bytes32\"},{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"deposit\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"account\",\"type\":\"bytes32\"}],\"name\":\"depositNative\",\"outputs\":[],\"stateMutability\":\"payable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"isOperator\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"owner\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"pause\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"paused\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"pendingOwner\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"renounceOwnership\",\"outputs\":[],\"stateMutability\":\"pure\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"id\",\"type\":\"bytes32\"}],\"name\":\"revoke\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"operator\",\"type\":\"address\"},{\"internalType\":\"bool\",\"name\":\"allowed\",\"type\":\"bool\"}],\"name\":\"setOperator\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"id\",\"type\":\"bytes32\"},{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"settle\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"id\",\"type\":\"bytes32\"}],\"name\":\"status\",\"outputs\":[{\"internalType\":\"enumVault.Status\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"newOwner\",\"type\":\"address\"}],\"name\":\"transferOwnership\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"unpause\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"withdraw\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"stateMutability\":\"payable\",\"type\":\"receive\"}]",
	ID:  "Vault",
	Bin: "0x6080604052346101f8576117918038038061001981610210565b9283398101906040818303126101f85761003281610235565b602082015190916001600160401b0382116101f857019180601f840112156101f8578251926001600160401b0384116101fc578360051b90602080610078818501610210565b8097815201928201019283116101f857602001905b8282106101e0575050506001600160a01b031680156101cd57805f52600360205260ff60405f2054166101bb57600180546001600160a01b03199081169091555f8054918216831781556001600160a01b03909116907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09080a35f905b80518210156101ac57600582901b8101602001516001600160a01b031691821561019d575f546001600160a01b0316831461018a5782600192935f52600360205260405f208360ff198254161790557f1a594081ae893ab78e67d9b9e843547318164322d32c65369d78a96172d9dc8f6020604051858152a2019061010a565b826356a83e7760e01b5f5260045260245ffd5b6389961e9160e01b5f5260045ffd5b604051611547908161024a8239f35b6356a83e7760e01b5f5260045260245ffd5b631e4fbdf760e01b5f525f60045260245ffd5b602080916101ed84610235565b81520191019061008d565b5f80fd5b634e487b7160e01b5f52604160045260245ffd5b6040519190601f01601f191682016001600160401b038111838210176101fc57604052565b51906001600160a01b03821682036101f85756fe60806040526004361015610040575b3615610018575f80fd5b7f890a6062000000000000000000000000000000000000000000000000000000005f5260045ffd5b5f3560e01c80633f4ba83a14610f9957806342ef5fbb14610efd57806352ad0d5e14610ea9578063558a729714610d315780635c975abb14610cee5780636d70f7ae14610c86578063715018a614610c3057806379ba509714610abf5780638456cb591461098b5780638da5cb5b1461093b5780638dc32b29146107e1578063b75c7dc614610673578063d954863c14610316578063d9caed1214610231578063e30c3978146101e05763f2fde38b0361000e57346101dc5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101dc5773ffffffffffffffffffffffffffffffffffffffff610140611082565b610148611136565b6101506111aa565b16807fffffffffffffffffffffffff0000000000000000000000000000000000000000600154161760015573ffffffffffffffffffffffffffffffffffffffff5f54167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e227005f80a35f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d005b5f80fd5b346101dc575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101dc57602073ffffffffffffffffffffffffffffffffffffffff60015416604051908152f35b346101dc5760607ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101dc576102f161026b611082565b6102736110a5565b6044359161027f611136565b6102876111aa565b610292838383611201565b60405183815273ffffffffffffffffffffffffffffffffffffffff8316907fd1c19fbcd4551a5edfb66d43d2e337c04837afda3482b42bdf569a8fccdae5fb602073ffffffffffffffffffffffffffffffffffffffff851692a3611290565b5f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d005b346101dc5760607ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101dc576004356103506110a5565b906044359161035d611136565b6103656111ca565b811561064b57821561062357803b156105e15773ffffffffffffffffffffffffffffffffffffffff16906040517f70a08231000000000000000000000000000000000000000000000000000000008152306004820152602081602481865afa908115610559575f916105af575b50604051937f23b872dd000000000000000000000000000000000000000000000000000000005f52336004523060245260445260205f60648180875af160015f5114811615610590575b846040525f60605215610564577f70a08231000000000000000000000000000000000000000000000000000000008452306004850152602084602481865afa938415610559575f94610525575b50808411156104f95783039283116104cc576040519283527fcfccc5211684bc31ce945214025a7453ba30a1ffcc38fcb691ce742437f3f25660203394a45f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d005b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b827f179b264d000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b9093506020813d602011610551575b81610541602093836110c8565b810103126101dc57519284610469565b3d9150610534565b6040513d5f823e3d90fd5b827f5274afe7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b60018115166105a657833b15153d15161661041c565b843d5f823e3d90fd5b90506020813d6020116105d9575b816105ca602093836110c8565b810103126101dc5751846103d2565b3d91506105bd565b73ffffffffffffffffffffffffffffffffffffffff907ff0ae59ab000000000000000000000000000000000000000000000000000000005f521660045260245ffd5b7f1f2a2005000000000000000000000000000000000000000000000000000000005f5260045ffd5b7fbfcf3c0b000000000000000000000000000000000000000000000000000000005f5260045ffd5b346101dc5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101dc576004356106ad611136565b335f52600360205260ff60405f205416156107b557805f52600260205260ff60405f20541660038110156107885761075d57805f52600260205260405f2060027fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff008254161790557fe5af7daed5ab2a2dc5f98d53619f05089c0c14d11a6621f6b906a2366c9a7ab35f80a25f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d005b7f4a5854d0000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b7f76c6c93a000000000000000000000000000000000000000000000000000000005f523360045260245ffd5b346101dc5760807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101dc5760043561081b6110a5565b60443573ffffffffffffffffffffffffffffffffffffffff8116918282036101dc5760643592610849611136565b335f52600360205260ff60405f205416156107b557845f52600260205260ff60405f20541660038110156107885761090f57846102f1955f52600260205260405f2060017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff008254161790556108bc6111ca565b6108c7858585611201565b604051908582527f4190759d37d5cfe7a1a70e06ec7508a05d12fd9cb76f353da1c9e028e5a48dcf602073ffffffffffffffffffffffffffffffffffffffff861693a4611290565b847f4a5854d0000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b346101dc575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101dc57602073ffffffffffffffffffffffffffffffffffffffff5f5416604051908152f35b346101dc575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101dc576109c1611136565b73ffffffffffffffffffffffffffffffffffffffff5f541633141580610aa8575b610a7c576109ee6111ca565b740100000000000000000000000000000000000000007fffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffff60015416176001557f62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a2586020604051338152a15f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d005b7f242e9ab7000000000000000000000000000000000000000000000000000000005f523360045260245ffd5b50335f52600360205260ff60405f205416156109e2565b346101dc575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101dc57610af5611136565b6001543373ffffffffffffffffffffffffffffffffffffffff821603610c0457335f52600360205260ff60405f205416610bd8577fffffffffffffffffffffffff0000000000000000000000000000000000000000166001555f54337fffffffffffffffffffffffff00000000000000000000000000000000000000008216175f5573ffffffffffffffffffffffffffffffffffffffff3391167f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e05f80a35f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d005b7f56a83e77000000000000000000000000000000000000000000000000000000005f523360045260245ffd5b7f118cdaa7000000000000000000000000000000000000000000000000000000005f523360045260245ffd5b346101dc575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101dc577f2fab92ca000000000000000000000000000000000000000000000000000000005f5260045ffd5b346101dc5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101dc5773ffffffffffffffffffffffffffffffffffffffff610cd2611082565b165f526003602052602060ff60405f2054166040519015158152f35b346101dc575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101dc57602060ff60015460a01c166040519015158152f35b346101dc5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101dc57610d68611082565b60243590811515908183036101dc5773ffffffffffffffffffffffffffffffffffffffff90610d95611136565b610d9d6111aa565b16918215610e815780610e61575b610e355760207f1a594081ae893ab78e67d9b9e843547318164322d32c65369d78a96172d9dc8f91835f526003825260405f207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0081541660ff8316179055604051908152a25f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d005b507f56a83e77000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b5073ffffffffffffffffffffffffffffffffffffffff5f54168214610dab565b7f89961e91000000000000000000000000000000000000000000000000000000005f5260045ffd5b346101dc5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101dc576004355f52600260205260ff60405f2054166040516003821015610788576020918152f35b60207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101dc57600435610f32611136565b610f3a6111ca565b801561064b573415610623575f604051913483527fcfccc5211684bc31ce945214025a7453ba30a1ffcc38fcb691ce742437f3f25660203394a45f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d005b346101dc575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101dc57610fcf611136565b610fd76111aa565b60015460ff8160a01c161561105a577fffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffff166001557f5db9ee0a495bf2e6ff9c91a7834c1ba4fdd244a5e8aa4e537bd38aeae4b073aa6020604051338152a15f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d005b7f8dfc202b000000000000000000000000000000000000000000000000000000005f5260045ffd5b6004359073ffffffffffffffffffffffffffffffffffffffff821682036101dc57565b6024359073ffffffffffffffffffffffffffffffffffffffff821682036101dc57565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff82111761110957604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c6111825760017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d565b7f3ee5aeb5000000000000000000000000000000000000000000000000000000005f5260045ffd5b73ffffffffffffffffffffffffffffffffffffffff5f54163303610c0457565b60ff60015460a01c166111d957565b7fd93c0665000000000000000000000000000000000000000000000000000000005f5260045ffd5b9073ffffffffffffffffffffffffffffffffffffffff169061ffff821190811591611286575b8115611266575b5061123b57501561062357565b7ff66e9048000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b73ffffffffffffffffffffffffffffffffffffffff91501681145f61122e565b3083149150611227565b90919073ffffffffffffffffffffffffffffffffffffffff81168061133f57505080471061130c575f808080938561ba54f1156112ca5750565b73ffffffffffffffffffffffffffffffffffffffff907fbf7e35a3000000000000000000000000000000000000000000000000000000005f521660045260245ffd5b477fa343d5e0000000000000000000000000000000000000000000000000000000005f525f60045260245260445260645ffd5b90929173ffffffffffffffffffffffffffffffffffffffff604051937fa9059cbb000000000000000000000000000000000000000000000000000000005f52166004528060245260205f60448180865af160015f511481161561153a575b83604052156113ac5750505050565b3d936101008511611530575b8484527fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0603f6020860196805f893e8601011680604052813b156115045760209181835f9301907f70a08231000000000000000000000000000000000000000000000000000000008252306024820152602481526114376044826110c8565b51915afa601f3d11165f51810290806114fb575b6114c957836064847fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f896040519586947ff9466b440000000000000000000000000000000000000000000000000000000086526004860152604060248601525180918160448701528686015e5f85828601015201168101030190fd5b827fa343d5e0000000000000000000000000000000000000000000000000000000005f5260045260245260445260645ffd5b5081811061144b565b837ff0ae59ab000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b61010094506113b8565b823b15153d15161661139d56",
}

// Vault is an auto generated Go binding around an Ethereum contract.
type Vault struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *Vault) GetABI() abi.ABI {
	return c.abi
}

// NewVault creates a new instance of Vault.
func NewVault() *Vault {
	parsed, err := VaultMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &Vault{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *Vault) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackConstructor is the Go binding used to pack the parameters required for
// contract deployment.
//
// Solidity: constructor(address initialOwner, address[] operators) returns()
func (vault *Vault) PackConstructor(initialOwner common.Address, operators []common.Address) []byte {
	enc, err := vault.abi.Pack("", initialOwner, operators)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackAcceptOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x79ba5097.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function acceptOwnership() returns()
func (vault *Vault) PackAcceptOwnership() []byte {
	enc, err := vault.abi.Pack("acceptOwnership")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAcceptOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x79ba5097.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function acceptOwnership() returns()
func (vault *Vault) TryPackAcceptOwnership() ([]byte, error) {
	return vault.abi.Pack("acceptOwnership")
}

// PackDeposit is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd954863c.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function deposit(bytes32 account, address token, uint256 amount) returns()
func (vault *Vault) PackDeposit(account [32]byte, token common.Address, amount *big.Int) []byte {
	enc, err := vault.abi.Pack("deposit", account, token, amount)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDeposit is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd954863c.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function deposit(bytes32 account, address token, uint256 amount) returns()
func (vault *Vault) TryPackDeposit(account [32]byte, token common.Address, amount *big.Int) ([]byte, error) {
	return vault.abi.Pack("deposit", account, token, amount)
}

// PackDepositNative is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x42ef5fbb.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function depositNative(bytes32 account) payable returns()
func (vault *Vault) PackDepositNative(account [32]byte) []byte {
	enc, err := vault.abi.Pack("depositNative", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDepositNative is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x42ef5fbb.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function depositNative(bytes32 account) payable returns()
func (vault *Vault) TryPackDepositNative(account [32]byte) ([]byte, error) {
	return vault.abi.Pack("depositNative", account)
}

// PackIsOperator is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6d70f7ae.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function isOperator(address account) view returns(bool)
func (vault *Vault) PackIsOperator(account common.Address) []byte {
	enc, err := vault.abi.Pack("isOperator", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackIsOperator is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6d70f7ae.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function isOperator(address account) view returns(bool)
func (vault *Vault) TryPackIsOperator(account common.Address) ([]byte, error) {
	return vault.abi.Pack("isOperator", account)
}

// UnpackIsOperator is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x6d70f7ae.
//
// Solidity: function isOperator(address account) view returns(bool)
func (vault *Vault) UnpackIsOperator(data []byte) (bool, error) {
	out, err := vault.abi.Unpack("isOperator", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8da5cb5b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function owner() view returns(address)
func (vault *Vault) PackOwner() []byte {
	enc, err := vault.abi.Pack("owner")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8da5cb5b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function owner() view returns(address)
func (vault *Vault) TryPackOwner() ([]byte, error) {
	return vault.abi.Pack("owner")
}

// UnpackOwner is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x8da5cb5b.
//
// Solidity: function owner() view returns(address)
func (vault *Vault) UnpackOwner(data []byte) (common.Address, error) {
	out, err := vault.abi.Unpack("owner", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackPause is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8456cb59.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function pause() returns()
func (vault *Vault) PackPause() []byte {
	enc, err := vault.abi.Pack("pause")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPause is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8456cb59.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function pause() returns()
func (vault *Vault) TryPackPause() ([]byte, error) {
	return vault.abi.Pack("pause")
}

// PackPaused is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5c975abb.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function paused() view returns(bool)
func (vault *Vault) PackPaused() []byte {
	enc, err := vault.abi.Pack("paused")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPaused is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5c975abb.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function paused() view returns(bool)
func (vault *Vault) TryPackPaused() ([]byte, error) {
	return vault.abi.Pack("paused")
}

// UnpackPaused is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x5c975abb.
//
// Solidity: function paused() view returns(bool)
func (vault *Vault) UnpackPaused(data []byte) (bool, error) {
	out, err := vault.abi.Unpack("paused", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackPendingOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe30c3978.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function pendingOwner() view returns(address)
func (vault *Vault) PackPendingOwner() []byte {
	enc, err := vault.abi.Pack("pendingOwner")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPendingOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe30c3978.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function pendingOwner() view returns(address)
func (vault *Vault) TryPackPendingOwner() ([]byte, error) {
	return vault.abi.Pack("pendingOwner")
}

// UnpackPendingOwner is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xe30c3978.
//
// Solidity: function pendingOwner() view returns(address)
func (vault *Vault) UnpackPendingOwner(data []byte) (common.Address, error) {
	out, err := vault.abi.Unpack("pendingOwner", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackRenounceOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x715018a6.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function renounceOwnership() pure returns()
func (vault *Vault) PackRenounceOwnership() []byte {
	enc, err := vault.abi.Pack("renounceOwnership")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRenounceOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x715018a6.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function renounceOwnership() pure returns()
func (vault *Vault) TryPackRenounceOwnership() ([]byte, error) {
	return vault.abi.Pack("renounceOwnership")
}

// PackRevoke is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb75c7dc6.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function revoke(bytes32 id) returns()
func (vault *Vault) PackRevoke(id [32]byte) []byte {
	enc, err := vault.abi.Pack("revoke", id)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRevoke is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb75c7dc6.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function revoke(bytes32 id) returns()
func (vault *Vault) TryPackRevoke(id [32]byte) ([]byte, error) {
	return vault.abi.Pack("revoke", id)
}

// PackSetOperator is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x558a7297.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function setOperator(address operator, bool allowed) returns()
func (vault *Vault) PackSetOperator(operator common.Address, allowed bool) []byte {
	enc, err := vault.abi.Pack("setOperator", operator, allowed)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSetOperator is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x558a7297.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function setOperator(address operator, bool allowed) returns()
func (vault *Vault) TryPackSetOperator(operator common.Address, allowed bool) ([]byte, error) {
	return vault.abi.Pack("setOperator", operator, allowed)
}

// PackSettle is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8dc32b29.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function settle(bytes32 id, address token, address to, uint256 amount) returns()
func (vault *Vault) PackSettle(id [32]byte, token common.Address, to common.Address, amount *big.Int) []byte {
	enc, err := vault.abi.Pack("settle", id, token, to, amount)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSettle is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8dc32b29.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function settle(bytes32 id, address token, address to, uint256 amount) returns()
func (vault *Vault) TryPackSettle(id [32]byte, token common.Address, to common.Address, amount *big.Int) ([]byte, error) {
	return vault.abi.Pack("settle", id, token, to, amount)
}

// PackStatus is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x52ad0d5e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function status(bytes32 id) view returns(uint8)
func (vault *Vault) PackStatus(id [32]byte) []byte {
	enc, err := vault.abi.Pack("status", id)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackStatus is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x52ad0d5e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function status(bytes32 id) view returns(uint8)
func (vault *Vault) TryPackStatus(id [32]byte) ([]byte, error) {
	return vault.abi.Pack("status", id)
}

// UnpackStatus is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x52ad0d5e.
//
// Solidity: function status(bytes32 id) view returns(uint8)
func (vault *Vault) UnpackStatus(data []byte) (uint8, error) {
	out, err := vault.abi.Unpack("status", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackTransferOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf2fde38b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transferOwnership(address newOwner) returns()
func (vault *Vault) PackTransferOwnership(newOwner common.Address) []byte {
	enc, err := vault.abi.Pack("transferOwnership", newOwner)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransferOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf2fde38b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transferOwnership(address newOwner) returns()
func (vault *Vault) TryPackTransferOwnership(newOwner common.Address) ([]byte, error) {
	return vault.abi.Pack("transferOwnership", newOwner)
}

// PackUnpause is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x3f4ba83a.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function unpause() returns()
func (vault *Vault) PackUnpause() []byte {
	enc, err := vault.abi.Pack("unpause")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackUnpause is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x3f4ba83a.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function unpause() returns()
func (vault *Vault) TryPackUnpause() ([]byte, error) {
	return vault.abi.Pack("unpause")
}

// PackWithdraw is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd9caed12.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function withdraw(address token, address to, uint256 amount) returns()
func (vault *Vault) PackWithdraw(token common.Address, to common.Address, amount *big.Int) []byte {
	enc, err := vault.abi.Pack("withdraw", token, to, amount)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackWithdraw is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd9caed12.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function withdraw(address token, address to, uint256 amount) returns()
func (vault *Vault) TryPackWithdraw(token common.Address, to common.Address, amount *big.Int) ([]byte, error) {
	return vault.abi.Pack("withdraw", token, to, amount)
}

// VaultDeposited represents a Deposited event raised by the Vault contract.
type VaultDeposited struct {
	Account [32]byte
	Token   common.Address
	From    common.Address
	Amount  *big.Int
	Raw     *types.Log // Blockchain specific contextual infos
}

const VaultDepositedEventName = "Deposited"

// ContractEventName returns the user-defined event name.
func (VaultDeposited) ContractEventName() string {
	return VaultDepositedEventName
}

// UnpackDepositedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Deposited(bytes32 indexed account, address indexed token, address indexed from, uint256 amount)
func (vault *Vault) UnpackDepositedEvent(log *types.Log) (*VaultDeposited, error) {
	event := "Deposited"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != vault.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(VaultDeposited)
	if len(log.Data) > 0 {
		if err := vault.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range vault.abi.Events[event].Inputs {
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

// VaultOperatorSet represents a OperatorSet event raised by the Vault contract.
type VaultOperatorSet struct {
	Operator common.Address
	Allowed  bool
	Raw      *types.Log // Blockchain specific contextual infos
}

const VaultOperatorSetEventName = "OperatorSet"

// ContractEventName returns the user-defined event name.
func (VaultOperatorSet) ContractEventName() string {
	return VaultOperatorSetEventName
}

// UnpackOperatorSetEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event OperatorSet(address indexed operator, bool allowed)
func (vault *Vault) UnpackOperatorSetEvent(log *types.Log) (*VaultOperatorSet, error) {
	event := "OperatorSet"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != vault.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(VaultOperatorSet)
	if len(log.Data) > 0 {
		if err := vault.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range vault.abi.Events[event].Inputs {
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

// VaultOwnershipTransferStarted represents a OwnershipTransferStarted event raised by the Vault contract.
type VaultOwnershipTransferStarted struct {
	PreviousOwner common.Address
	NewOwner      common.Address
	Raw           *types.Log // Blockchain specific contextual infos
}

const VaultOwnershipTransferStartedEventName = "OwnershipTransferStarted"

// ContractEventName returns the user-defined event name.
func (VaultOwnershipTransferStarted) ContractEventName() string {
	return VaultOwnershipTransferStartedEventName
}

// UnpackOwnershipTransferStartedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner)
func (vault *Vault) UnpackOwnershipTransferStartedEvent(log *types.Log) (*VaultOwnershipTransferStarted, error) {
	event := "OwnershipTransferStarted"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != vault.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(VaultOwnershipTransferStarted)
	if len(log.Data) > 0 {
		if err := vault.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range vault.abi.Events[event].Inputs {
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

// VaultOwnershipTransferred represents a OwnershipTransferred event raised by the Vault contract.
type VaultOwnershipTransferred struct {
	PreviousOwner common.Address
	NewOwner      common.Address
	Raw           *types.Log // Blockchain specific contextual infos
}

const VaultOwnershipTransferredEventName = "OwnershipTransferred"

// ContractEventName returns the user-defined event name.
func (VaultOwnershipTransferred) ContractEventName() string {
	return VaultOwnershipTransferredEventName
}

// UnpackOwnershipTransferredEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)
func (vault *Vault) UnpackOwnershipTransferredEvent(log *types.Log) (*VaultOwnershipTransferred, error) {
	event := "OwnershipTransferred"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != vault.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(VaultOwnershipTransferred)
	if len(log.Data) > 0 {
		if err := vault.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range vault.abi.Events[event].Inputs {
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

// VaultPaused represents a Paused event raised by the Vault contract.
type VaultPaused struct {
	Account common.Address
	Raw     *types.Log // Blockchain specific contextual infos
}

const VaultPausedEventName = "Paused"

// ContractEventName returns the user-defined event name.
func (VaultPaused) ContractEventName() string {
	return VaultPausedEventName
}

// UnpackPausedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Paused(address account)
func (vault *Vault) UnpackPausedEvent(log *types.Log) (*VaultPaused, error) {
	event := "Paused"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != vault.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(VaultPaused)
	if len(log.Data) > 0 {
		if err := vault.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range vault.abi.Events[event].Inputs {
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

// VaultRevoked represents a Revoked event raised by the Vault contract.
type VaultRevoked struct {
	Id  [32]byte
	Raw *types.Log // Blockchain specific contextual infos
}

const VaultRevokedEventName = "Revoked"

// ContractEventName returns the user-defined event name.
func (VaultRevoked) ContractEventName() string {
	return VaultRevokedEventName
}

// UnpackRevokedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Revoked(bytes32 indexed id)
func (vault *Vault) UnpackRevokedEvent(log *types.Log) (*VaultRevoked, error) {
	event := "Revoked"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != vault.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(VaultRevoked)
	if len(log.Data) > 0 {
		if err := vault.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range vault.abi.Events[event].Inputs {
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

// VaultSettled represents a Settled event raised by the Vault contract.
type VaultSettled struct {
	Id     [32]byte
	Token  common.Address
	To     common.Address
	Amount *big.Int
	Raw    *types.Log // Blockchain specific contextual infos
}

const VaultSettledEventName = "Settled"

// ContractEventName returns the user-defined event name.
func (VaultSettled) ContractEventName() string {
	return VaultSettledEventName
}

// UnpackSettledEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Settled(bytes32 indexed id, address indexed token, address indexed to, uint256 amount)
func (vault *Vault) UnpackSettledEvent(log *types.Log) (*VaultSettled, error) {
	event := "Settled"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != vault.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(VaultSettled)
	if len(log.Data) > 0 {
		if err := vault.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range vault.abi.Events[event].Inputs {
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

// VaultUnpaused represents a Unpaused event raised by the Vault contract.
type VaultUnpaused struct {
	Account common.Address
	Raw     *types.Log // Blockchain specific contextual infos
}

const VaultUnpausedEventName = "Unpaused"

// ContractEventName returns the user-defined event name.
func (VaultUnpaused) ContractEventName() string {
	return VaultUnpausedEventName
}

// UnpackUnpausedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Unpaused(address account)
func (vault *Vault) UnpackUnpausedEvent(log *types.Log) (*VaultUnpaused, error) {
	event := "Unpaused"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != vault.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(VaultUnpaused)
	if len(log.Data) > 0 {
		if err := vault.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range vault.abi.Events[event].Inputs {
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

// VaultWithdrawn represents a Withdrawn event raised by the Vault contract.
type VaultWithdrawn struct {
	Token  common.Address
	To     common.Address
	Amount *big.Int
	Raw    *types.Log // Blockchain specific contextual infos
}

const VaultWithdrawnEventName = "Withdrawn"

// ContractEventName returns the user-defined event name.
func (VaultWithdrawn) ContractEventName() string {
	return VaultWithdrawnEventName
}

// UnpackWithdrawnEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Withdrawn(address indexed token, address indexed to, uint256 amount)
func (vault *Vault) UnpackWithdrawnEvent(log *types.Log) (*VaultWithdrawn, error) {
	event := "Withdrawn"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != vault.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(VaultWithdrawn)
	if len(log.Data) > 0 {
		if err := vault.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range vault.abi.Events[event].Inputs {
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
func (vault *Vault) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], vault.abi.Errors["BadRecipient"].ID.Bytes()[:4]) {
		return vault.UnpackBadRecipientError(raw[4:])
	}
	if bytes.Equal(raw[:4], vault.abi.Errors["EnforcedPause"].ID.Bytes()[:4]) {
		return vault.UnpackEnforcedPauseError(raw[4:])
	}
	if bytes.Equal(raw[:4], vault.abi.Errors["ExpectedPause"].ID.Bytes()[:4]) {
		return vault.UnpackExpectedPauseError(raw[4:])
	}
	if bytes.Equal(raw[:4], vault.abi.Errors["IdUsed"].ID.Bytes()[:4]) {
		return vault.UnpackIdUsedError(raw[4:])
	}
	if bytes.Equal(raw[:4], vault.abi.Errors["InsufficientVaultBalance"].ID.Bytes()[:4]) {
		return vault.UnpackInsufficientVaultBalanceError(raw[4:])
	}
	if bytes.Equal(raw[:4], vault.abi.Errors["NativeTransferFailed"].ID.Bytes()[:4]) {
		return vault.UnpackNativeTransferFailedError(raw[4:])
	}
	if bytes.Equal(raw[:4], vault.abi.Errors["NotAToken"].ID.Bytes()[:4]) {
		return vault.UnpackNotATokenError(raw[4:])
	}
	if bytes.Equal(raw[:4], vault.abi.Errors["NotOperator"].ID.Bytes()[:4]) {
		return vault.UnpackNotOperatorError(raw[4:])
	}
	if bytes.Equal(raw[:4], vault.abi.Errors["NotOwnerOrOperator"].ID.Bytes()[:4]) {
		return vault.UnpackNotOwnerOrOperatorError(raw[4:])
	}
	if bytes.Equal(raw[:4], vault.abi.Errors["NothingReceived"].ID.Bytes()[:4]) {
		return vault.UnpackNothingReceivedError(raw[4:])
	}
	if bytes.Equal(raw[:4], vault.abi.Errors["OwnableInvalidOwner"].ID.Bytes()[:4]) {
		return vault.UnpackOwnableInvalidOwnerError(raw[4:])
	}
	if bytes.Equal(raw[:4], vault.abi.Errors["OwnableUnauthorizedAccount"].ID.Bytes()[:4]) {
		return vault.UnpackOwnableUnauthorizedAccountError(raw[4:])
	}
	if bytes.Equal(raw[:4], vault.abi.Errors["OwnerCannotBeOperator"].ID.Bytes()[:4]) {
		return vault.UnpackOwnerCannotBeOperatorError(raw[4:])
	}
	if bytes.Equal(raw[:4], vault.abi.Errors["OwnershipCannotBeRenounced"].ID.Bytes()[:4]) {
		return vault.UnpackOwnershipCannotBeRenouncedError(raw[4:])
	}
	if bytes.Equal(raw[:4], vault.abi.Errors["ReentrancyGuardReentrantCall"].ID.Bytes()[:4]) {
		return vault.UnpackReentrancyGuardReentrantCallError(raw[4:])
	}
	if bytes.Equal(raw[:4], vault.abi.Errors["SafeERC20FailedOperation"].ID.Bytes()[:4]) {
		return vault.UnpackSafeERC20FailedOperationError(raw[4:])
	}
	if bytes.Equal(raw[:4], vault.abi.Errors["TokenTransferFailed"].ID.Bytes()[:4]) {
		return vault.UnpackTokenTransferFailedError(raw[4:])
	}
	if bytes.Equal(raw[:4], vault.abi.Errors["UseDepositNative"].ID.Bytes()[:4]) {
		return vault.UnpackUseDepositNativeError(raw[4:])
	}
	if bytes.Equal(raw[:4], vault.abi.Errors["ZeroAccount"].ID.Bytes()[:4]) {
		return vault.UnpackZeroAccountError(raw[4:])
	}
	if bytes.Equal(raw[:4], vault.abi.Errors["ZeroAmount"].ID.Bytes()[:4]) {
		return vault.UnpackZeroAmountError(raw[4:])
	}
	if bytes.Equal(raw[:4], vault.abi.Errors["ZeroOperator"].ID.Bytes()[:4]) {
		return vault.UnpackZeroOperatorError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// VaultBadRecipient represents a BadRecipient error raised by the Vault contract.
type VaultBadRecipient struct {
	To common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error BadRecipient(address to)
func VaultBadRecipientErrorID() common.Hash {
	return common.HexToHash("0xf66e904851b37b80accff44adee209ff00dc29eeb445bb1edb327e45cf1f9315")
}

// UnpackBadRecipientError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error BadRecipient(address to)
func (vault *Vault) UnpackBadRecipientError(raw []byte) (*VaultBadRecipient, error) {
	out := new(VaultBadRecipient)
	if err := vault.abi.UnpackIntoInterface(out, "BadRecipient", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// VaultEnforcedPause represents a EnforcedPause error raised by the Vault contract.
type VaultEnforcedPause struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error EnforcedPause()
func VaultEnforcedPauseErrorID() common.Hash {
	return common.HexToHash("0xd93c0665d6c96d04a8f174024fc4ddd66c250604aff22bbec808de86dd3637e3")
}

// UnpackEnforcedPauseError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error EnforcedPause()
func (vault *Vault) UnpackEnforcedPauseError(raw []byte) (*VaultEnforcedPause, error) {
	out := new(VaultEnforcedPause)
	if err := vault.abi.UnpackIntoInterface(out, "EnforcedPause", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// VaultExpectedPause represents a ExpectedPause error raised by the Vault contract.
type VaultExpectedPause struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ExpectedPause()
func VaultExpectedPauseErrorID() common.Hash {
	return common.HexToHash("0x8dfc202bcfe9a735b559bee70674422512bc5c30f687046ae8778315fb81da44")
}

// UnpackExpectedPauseError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ExpectedPause()
func (vault *Vault) UnpackExpectedPauseError(raw []byte) (*VaultExpectedPause, error) {
	out := new(VaultExpectedPause)
	if err := vault.abi.UnpackIntoInterface(out, "ExpectedPause", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// VaultIdUsed represents a IdUsed error raised by the Vault contract.
type VaultIdUsed struct {
	Id [32]byte
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error IdUsed(bytes32 id)
func VaultIdUsedErrorID() common.Hash {
	return common.HexToHash("0x4a5854d0037f18503b144c4473eb40519f7ee5be5e05969fe4bdfea2492b845e")
}

// UnpackIdUsedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error IdUsed(bytes32 id)
func (vault *Vault) UnpackIdUsedError(raw []byte) (*VaultIdUsed, error) {
	out := new(VaultIdUsed)
	if err := vault.abi.UnpackIntoInterface(out, "IdUsed", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// VaultInsufficientVaultBalance represents a InsufficientVaultBalance error raised by the Vault contract.
type VaultInsufficientVaultBalance struct {
	Token   common.Address
	Balance *big.Int
	Amount  *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error InsufficientVaultBalance(address token, uint256 balance, uint256 amount)
func VaultInsufficientVaultBalanceErrorID() common.Hash {
	return common.HexToHash("0xa343d5e0cb7be9997485b5c7923483a959541282610e658c6b246f5dfa264cd7")
}

// UnpackInsufficientVaultBalanceError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error InsufficientVaultBalance(address token, uint256 balance, uint256 amount)
func (vault *Vault) UnpackInsufficientVaultBalanceError(raw []byte) (*VaultInsufficientVaultBalance, error) {
	out := new(VaultInsufficientVaultBalance)
	if err := vault.abi.UnpackIntoInterface(out, "InsufficientVaultBalance", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// VaultNativeTransferFailed represents a NativeTransferFailed error raised by the Vault contract.
type VaultNativeTransferFailed struct {
	To common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NativeTransferFailed(address to)
func VaultNativeTransferFailedErrorID() common.Hash {
	return common.HexToHash("0xbf7e35a320f517c5527d73ba505e480dd1f1e6ad8dde5d25a28a34d2edde2255")
}

// UnpackNativeTransferFailedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NativeTransferFailed(address to)
func (vault *Vault) UnpackNativeTransferFailedError(raw []byte) (*VaultNativeTransferFailed, error) {
	out := new(VaultNativeTransferFailed)
	if err := vault.abi.UnpackIntoInterface(out, "NativeTransferFailed", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// VaultNotAToken represents a NotAToken error raised by the Vault contract.
type VaultNotAToken struct {
	Token common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NotAToken(address token)
func VaultNotATokenErrorID() common.Hash {
	return common.HexToHash("0xf0ae59ab2305e450b7994c131d4d487b62eef4fac72f3b690bc790b01afd51f5")
}

// UnpackNotATokenError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NotAToken(address token)
func (vault *Vault) UnpackNotATokenError(raw []byte) (*VaultNotAToken, error) {
	out := new(VaultNotAToken)
	if err := vault.abi.UnpackIntoInterface(out, "NotAToken", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// VaultNotOperator represents a NotOperator error raised by the Vault contract.
type VaultNotOperator struct {
	Caller common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NotOperator(address caller)
func VaultNotOperatorErrorID() common.Hash {
	return common.HexToHash("0x76c6c93a6423c7e2cef5f93921b1d4d1a5ffb795cd7cfed2df95566b7c7f7c40")
}

// UnpackNotOperatorError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NotOperator(address caller)
func (vault *Vault) UnpackNotOperatorError(raw []byte) (*VaultNotOperator, error) {
	out := new(VaultNotOperator)
	if err := vault.abi.UnpackIntoInterface(out, "NotOperator", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// VaultNotOwnerOrOperator represents a NotOwnerOrOperator error raised by the Vault contract.
type VaultNotOwnerOrOperator struct {
	Caller common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NotOwnerOrOperator(address caller)
func VaultNotOwnerOrOperatorErrorID() common.Hash {
	return common.HexToHash("0x242e9ab749cb5cb480db36d319962c18e18da7d049358b04ba533c0d3d9f3ebc")
}

// UnpackNotOwnerOrOperatorError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NotOwnerOrOperator(address caller)
func (vault *Vault) UnpackNotOwnerOrOperatorError(raw []byte) (*VaultNotOwnerOrOperator, error) {
	out := new(VaultNotOwnerOrOperator)
	if err := vault.abi.UnpackIntoInterface(out, "NotOwnerOrOperator", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// VaultNothingReceived represents a NothingReceived error raised by the Vault contract.
type VaultNothingReceived struct {
	Token common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NothingReceived(address token)
func VaultNothingReceivedErrorID() common.Hash {
	return common.HexToHash("0x179b264dc6b15802a0d3d2cd04101376b0b7a79e002342502e001ebd262c49f1")
}

// UnpackNothingReceivedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NothingReceived(address token)
func (vault *Vault) UnpackNothingReceivedError(raw []byte) (*VaultNothingReceived, error) {
	out := new(VaultNothingReceived)
	if err := vault.abi.UnpackIntoInterface(out, "NothingReceived", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// VaultOwnableInvalidOwner represents a OwnableInvalidOwner error raised by the Vault contract.
type VaultOwnableInvalidOwner struct {
	Owner common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error OwnableInvalidOwner(address owner)
func VaultOwnableInvalidOwnerErrorID() common.Hash {
	return common.HexToHash("0x1e4fbdf7f3ef8bcaa855599e3abf48b232380f183f08f6f813d9ffa5bd585188")
}

// UnpackOwnableInvalidOwnerError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error OwnableInvalidOwner(address owner)
func (vault *Vault) UnpackOwnableInvalidOwnerError(raw []byte) (*VaultOwnableInvalidOwner, error) {
	out := new(VaultOwnableInvalidOwner)
	if err := vault.abi.UnpackIntoInterface(out, "OwnableInvalidOwner", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// VaultOwnableUnauthorizedAccount represents a OwnableUnauthorizedAccount error raised by the Vault contract.
type VaultOwnableUnauthorizedAccount struct {
	Account common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error OwnableUnauthorizedAccount(address account)
func VaultOwnableUnauthorizedAccountErrorID() common.Hash {
	return common.HexToHash("0x118cdaa7a341953d1887a2245fd6665d741c67c8c50581daa59e1d03373fa188")
}

// UnpackOwnableUnauthorizedAccountError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error OwnableUnauthorizedAccount(address account)
func (vault *Vault) UnpackOwnableUnauthorizedAccountError(raw []byte) (*VaultOwnableUnauthorizedAccount, error) {
	out := new(VaultOwnableUnauthorizedAccount)
	if err := vault.abi.UnpackIntoInterface(out, "OwnableUnauthorizedAccount", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// VaultOwnerCannotBeOperator represents a OwnerCannotBeOperator error raised by the Vault contract.
type VaultOwnerCannotBeOperator struct {
	Account common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error OwnerCannotBeOperator(address account)
func VaultOwnerCannotBeOperatorErrorID() common.Hash {
	return common.HexToHash("0x56a83e778d3eaf7730927115e13656af52d4bcf985f370ffb25106047e1b859a")
}

// UnpackOwnerCannotBeOperatorError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error OwnerCannotBeOperator(address account)
func (vault *Vault) UnpackOwnerCannotBeOperatorError(raw []byte) (*VaultOwnerCannotBeOperator, error) {
	out := new(VaultOwnerCannotBeOperator)
	if err := vault.abi.UnpackIntoInterface(out, "OwnerCannotBeOperator", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// VaultOwnershipCannotBeRenounced represents a OwnershipCannotBeRenounced error raised by the Vault contract.
type VaultOwnershipCannotBeRenounced struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error OwnershipCannotBeRenounced()
func VaultOwnershipCannotBeRenouncedErrorID() common.Hash {
	return common.HexToHash("0x2fab92ca4da7e80162387e93e02720bc4b98838c093385cac8fecf71a9b7de25")
}

// UnpackOwnershipCannotBeRenouncedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error OwnershipCannotBeRenounced()
func (vault *Vault) UnpackOwnershipCannotBeRenouncedError(raw []byte) (*VaultOwnershipCannotBeRenounced, error) {
	out := new(VaultOwnershipCannotBeRenounced)
	if err := vault.abi.UnpackIntoInterface(out, "OwnershipCannotBeRenounced", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// VaultReentrancyGuardReentrantCall represents a ReentrancyGuardReentrantCall error raised by the Vault contract.
type VaultReentrancyGuardReentrantCall struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ReentrancyGuardReentrantCall()
func VaultReentrancyGuardReentrantCallErrorID() common.Hash {
	return common.HexToHash("0x3ee5aeb571de7fc460830b4d0017439a1ca56fb0bc39062227ade4fe4a24c1ca")
}

// UnpackReentrancyGuardReentrantCallError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ReentrancyGuardReentrantCall()
func (vault *Vault) UnpackReentrancyGuardReentrantCallError(raw []byte) (*VaultReentrancyGuardReentrantCall, error) {
	out := new(VaultReentrancyGuardReentrantCall)
	if err := vault.abi.UnpackIntoInterface(out, "ReentrancyGuardReentrantCall", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// VaultSafeERC20FailedOperation represents a SafeERC20FailedOperation error raised by the Vault contract.
type VaultSafeERC20FailedOperation struct {
	Token common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error SafeERC20FailedOperation(address token)
func VaultSafeERC20FailedOperationErrorID() common.Hash {
	return common.HexToHash("0x5274afe73c98b4749fc91ffae6b7b574e7842cb2144a159e9377a5f20b32edf9")
}

// UnpackSafeERC20FailedOperationError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error SafeERC20FailedOperation(address token)
func (vault *Vault) UnpackSafeERC20FailedOperationError(raw []byte) (*VaultSafeERC20FailedOperation, error) {
	out := new(VaultSafeERC20FailedOperation)
	if err := vault.abi.UnpackIntoInterface(out, "SafeERC20FailedOperation", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// VaultTokenTransferFailed represents a TokenTransferFailed error raised by the Vault contract.
type VaultTokenTransferFailed struct {
	Token  common.Address
	Reason []byte
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error TokenTransferFailed(address token, bytes reason)
func VaultTokenTransferFailedErrorID() common.Hash {
	return common.HexToHash("0xf9466b44ecc7788c3ccbfcf5cf01965b05680bc8f1964c0b1d8d55164a985ba2")
}

// UnpackTokenTransferFailedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error TokenTransferFailed(address token, bytes reason)
func (vault *Vault) UnpackTokenTransferFailedError(raw []byte) (*VaultTokenTransferFailed, error) {
	out := new(VaultTokenTransferFailed)
	if err := vault.abi.UnpackIntoInterface(out, "TokenTransferFailed", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// VaultUseDepositNative represents a UseDepositNative error raised by the Vault contract.
type VaultUseDepositNative struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error UseDepositNative()
func VaultUseDepositNativeErrorID() common.Hash {
	return common.HexToHash("0x890a60623877f36d4bafb6c920cd9e4a7a5365943f148877b8452b89e176c594")
}

// UnpackUseDepositNativeError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error UseDepositNative()
func (vault *Vault) UnpackUseDepositNativeError(raw []byte) (*VaultUseDepositNative, error) {
	out := new(VaultUseDepositNative)
	if err := vault.abi.UnpackIntoInterface(out, "UseDepositNative", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// VaultZeroAccount represents a ZeroAccount error raised by the Vault contract.
type VaultZeroAccount struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ZeroAccount()
func VaultZeroAccountErrorID() common.Hash {
	return common.HexToHash("0xbfcf3c0bb32fe792f677ae14b5f44b9695700b5b4a64cfda8a7f506371f2d39f")
}

// UnpackZeroAccountError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ZeroAccount()
func (vault *Vault) UnpackZeroAccountError(raw []byte) (*VaultZeroAccount, error) {
	out := new(VaultZeroAccount)
	if err := vault.abi.UnpackIntoInterface(out, "ZeroAccount", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// VaultZeroAmount represents a ZeroAmount error raised by the Vault contract.
type VaultZeroAmount struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ZeroAmount()
func VaultZeroAmountErrorID() common.Hash {
	return common.HexToHash("0x1f2a2005cb66a8e145327e8814e243a0996aec9bfe1e15a495778b1236dbd485")
}

// UnpackZeroAmountError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ZeroAmount()
func (vault *Vault) UnpackZeroAmountError(raw []byte) (*VaultZeroAmount, error) {
	out := new(VaultZeroAmount)
	if err := vault.abi.UnpackIntoInterface(out, "ZeroAmount", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// VaultZeroOperator represents a ZeroOperator error raised by the Vault contract.
type VaultZeroOperator struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ZeroOperator()
func VaultZeroOperatorErrorID() common.Hash {
	return common.HexToHash("0x89961e91613b49840d0ff97d3c49f058682f235a628f47cb992df4aad1949179")
}

// UnpackZeroOperatorError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ZeroOperator()
func (vault *Vault) UnpackZeroOperatorError(raw []byte) (*VaultZeroOperator, error) {
	out := new(VaultZeroOperator)
	if err := vault.abi.UnpackIntoInterface(out, "ZeroOperator", raw); err != nil {
		return nil, err
	}
	return out, nil
}
