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

// CallbackTokenMetaData contains all meta data concerning the CallbackToken contract.
var CallbackTokenMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"allowance\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"needed\",\"type\":\"uint256\"}],\"name\":\"ERC20InsufficientAllowance\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"balance\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"needed\",\"type\":\"uint256\"}],\"name\":\"ERC20InsufficientBalance\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"approver\",\"type\":\"address\"}],\"name\":\"ERC20InvalidApprover\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"receiver\",\"type\":\"address\"}],\"name\":\"ERC20InvalidReceiver\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"}],\"name\":\"ERC20InvalidSender\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"}],\"name\":\"ERC20InvalidSpender\",\"type\":\"error\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"Approval\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"Transfer\",\"type\":\"event\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"}],\"name\":\"allowance\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"answer\",\"outputs\":[{\"internalType\":\"bytes\",\"name\":\"\",\"type\":\"bytes\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"approve\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"balanceOf\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"target_\",\"type\":\"address\"},{\"internalType\":\"bytes\",\"name\":\"data_\",\"type\":\"bytes\"}],\"name\":\"callBack\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"calls\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"decimals\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"mint\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"name\",\"outputs\":[{\"internalType\":\"string\",\"name\":\"\",\"type\":\"string\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"succeeded\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"symbol\",\"outputs\":[{\"internalType\":\"string\",\"name\":\"\",\"type\":\"string\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"totalSupply\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"transfer\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"transferFrom\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"}]",
	ID:  "CallbackToken",
	Bin: "0x60806040523461032757604080519081016001600160401b0381118282101761022f576040908152600882526743616c6c6261636b60c01b602083015280519081016001600160401b0381118282101761022f57604052600381526243424b60e81b602082015281516001600160401b03811161022f57600354600181811c9116801561031d575b602082101461021157601f81116102af575b50602092601f821160011461024e57928192935f92610243575b50508160011b915f199060031b1c1916176003555b80516001600160401b03811161022f57600454600181811c91168015610225575b602082101461021157601f81116101a3575b50602091601f8211600114610143579181925f92610138575b50508160011b915f199060031b1c1916176004555b6040516113ae908161032c8239f35b015190505f80610114565b601f1982169260045f52805f20915f5b85811061018b57508360019510610173575b505050811b01600455610129565b01515f1960f88460031b161c191690555f8080610165565b91926020600181928685015181550194019201610153565b818111156100fb5760045f52601f820160051c7f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b60208410610209575b81601f9101920160051c03905f5b8281106101fc5750506100fb565b5f828201556001016101ee565b5f91506101e0565b634e487b7160e01b5f52602260045260245ffd5b90607f16906100e9565b634e487b7160e01b5f52604160045260245ffd5b015190505f806100b3565b601f1982169360035f52805f20915f5b868110610297575083600195961061027f575b505050811b016003556100c8565b01515f1960f88460031b161c191690555f8080610271565b9192602060018192868501518155019401920161025e565b818111156100995760035f52601f820160051c7fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b60208410610315575b81601f9101920160051c03905f5b828110610308575050610099565b5f828201556001016102fa565b5f91506102ec565b90607f1690610087565b5f80fdfe6080806040526004361015610012575f80fd5b5f3560e01c90816306fdde03146109e757508063095ea7b31461093a57806318160ddd146108ff57806323b872dd1461076b578063305f72b714610730578063313ce567146106f757806340c10f191461066957806370a082311461060757806385bb7d6914610544578063934152501461050457806395d89b41146103e6578063a9059cbb14610397578063ba22bba0146101465763dd62ed3e146100b6575f80fd5b346101425760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610142576100ed610aea565b73ffffffffffffffffffffffffffffffffffffffff61010a610b0d565b91165f52600160205273ffffffffffffffffffffffffffffffffffffffff60405f2091165f52602052602060405f2054604051908152f35b5f80fd5b346101425760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101425761017d610aea565b6024359067ffffffffffffffff821161014257366023830112156101425781600401359067ffffffffffffffff82116101425736602483850101116101425773ffffffffffffffffffffffffffffffffffffffff167fffffffffffffffffffffffff00000000000000000000000000000000000000006005541617600555610206600654610b30565b601f8111610329575b505f601f821160011461026e57819061025b935f92610260575b50507fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8260011b9260031b1c19161790565b600655005b602492500101358380610229565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe08216927ff652222313e28459528d920b65115c16c04f3efc82aaedc97be59f3f377c0d3f915f5b85811061030e575083600195106102d3575b505050811b01600655005b01602401357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff600384901b60f8161c191690558280806102c8565b909260206001819260248787010135815501940191016102b6565b8181111561020f5760065f52601f820160051c7ff652222313e28459528d920b65115c16c04f3efc82aaedc97be59f3f377c0d3f6020841061038f575b81601f9101920160051c03905f5b82811061038257505061020f565b5f82820155600101610374565b5f9150610366565b346101425760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610142576103db6103d1610aea565b6024359033610c4e565b602060405160018152f35b34610142575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610142576040515f60045461042481610b30565b80845290600181169081156104c25750600114610464575b6104608361044c81850382610b81565b604051918291602083526020830190610aa7565b0390f35b91905060045f527f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b915f905b8082106104a85750909150810160200161044c61043c565b919260018160209254838588010152019101909291610490565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001660208086019190915291151560051b8401909101915061044c905061043c565b34610142575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261014257602060ff600754166040519015158152f35b34610142575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610142576040515f60085461058281610b30565b80845290600181169081156104c257506001146105a9576104608361044c81850382610b81565b91905060085f527ff3f7a9fe364faab93b216da50a3214154f22a0a2b415b23a84c8169e8b636ee3915f905b8082106105ed5750909150810160200161044c61043c565b9192600181602092548385880101520191019092916105d5565b346101425760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101425773ffffffffffffffffffffffffffffffffffffffff610653610aea565b165f525f602052602060405f2054604051908152f35b346101425760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610142576106a0610aea565b73ffffffffffffffffffffffffffffffffffffffff8116156106cb576106c99060243590610cbf565b005b7fec442f05000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b34610142575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261014257602060405160128152f35b34610142575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610142576020600954604051908152f35b346101425760607ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610142576107a2610aea565b6107aa610b0d565b6044359073ffffffffffffffffffffffffffffffffffffffff831692835f52600160205260405f2073ffffffffffffffffffffffffffffffffffffffff33165f5260205260405f20547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8110610826575b506103db9350610c4e565b8381106108cb57841561089f573315610873576103db945f52600160205260405f2073ffffffffffffffffffffffffffffffffffffffff33165f526020528360405f20910390558461081b565b7f94280d62000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b7fe602df05000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b83907ffb8f41b2000000000000000000000000000000000000000000000000000000005f523360045260245260445260645ffd5b34610142575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610142576020600254604051908152f35b346101425760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261014257610971610aea565b60243590331561089f5773ffffffffffffffffffffffffffffffffffffffff1690811561087357335f52600160205260405f20825f526020528060405f20556040519081527f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92560203392a3602060405160018152f35b34610142575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112610142575f600354610a2281610b30565b80845290600181169081156104c25750600114610a49576104608361044c81850382610b81565b91905060035f527fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b915f905b808210610a8d5750909150810160200161044c61043c565b919260018160209254838588010152019101909291610a75565b907fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f602080948051918291828752018686015e5f8582860101520116010190565b6004359073ffffffffffffffffffffffffffffffffffffffff8216820361014257565b6024359073ffffffffffffffffffffffffffffffffffffffff8216820361014257565b90600182811c92168015610b77575b6020831014610b4a57565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602260045260245ffd5b91607f1691610b3f565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff821117610bc257604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b90601f8211610bfc575050565b808211610c07575050565b60085f5260205f206020601f830160051c9210610c46575b81601f9101920160051c03905f5b828110610c3957505050565b5f82820155600101610c2d565b5f9150610c1f565b919073ffffffffffffffffffffffffffffffffffffffff831615610c935773ffffffffffffffffffffffffffffffffffffffff8116156106cb57610c919261104b565b565b7f96c6fd1e000000000000000000000000000000000000000000000000000000005f525f60045260245ffd5b600254828101809111610eab57602073ffffffffffffffffffffffffffffffffffffffff5f937fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef936002551693841584146110365780600254036002555b604051908152a373ffffffffffffffffffffffffffffffffffffffff600554168015801561102e575b61102b576040515f600654610d5a81610b30565b9060018116908115610ff85750600114610fa9575b5091815f809493819403925af1903d15610fa1573d9167ffffffffffffffff8311610bc25760405192610dca60207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f8401160185610b81565b83523d5f602085013e5b825167ffffffffffffffff8111610bc257610df981610df4600854610b30565b610bef565b6020601f8211600114610ee3578190610e469394955f92610ed85750507fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8260011b9260031b1c19161790565b6008555b60ff7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff006007541691151516176007556009547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8114610eab57600101600955565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b015190505f80610229565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe082169060085f527ff3f7a9fe364faab93b216da50a3214154f22a0a2b415b23a84c8169e8b636ee3915f5b818110610f8957509583600195969710610f52575b505050811b01600855610e4a565b01517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff60f88460031b161c191690555f8080610f44565b9192602060018192868b015181550194019201610f2f565b606091610dd4565b905060065f527ff652222313e28459528d920b65115c16c04f3efc82aaedc97be59f3f377c0d3f5f905b828210610fe4575050810181610d6f565b600181602092548487015201910190610fd3565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0016845250801515028201905081610d6f565b50565b506001610d46565b84845283825260408420818154019055610d1d565b73ffffffffffffffffffffffffffffffffffffffff1680159291831561131b5760025490838201809211610eab5773ffffffffffffffffffffffffffffffffffffffff6020917fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef936002555b1693846113065780600254036002555b604051908152a373ffffffffffffffffffffffffffffffffffffffff600554169081159081156112fe575b5061102b576040515f60065461110781610b30565b90600181169081156112cb575060011461127c575b5091815f809493819403925af1903d15611274573d9167ffffffffffffffff8311610bc2576040519261117760207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f8401160185610b81565b83523d5f602085013e5b825167ffffffffffffffff8111610bc2576111a181610df4600854610b30565b6020601f82116001146111ee578190610e469394955f92610ed85750507fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8260011b9260031b1c19161790565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe082169060085f527ff3f7a9fe364faab93b216da50a3214154f22a0a2b415b23a84c8169e8b636ee3915f5b81811061125c57509583600195969710610f5257505050811b01600855610e4a565b9192602060018192868b01518155019401920161123a565b606091611181565b905060065f527ff652222313e28459528d920b65115c16c04f3efc82aaedc97be59f3f377c0d3f5f905b8282106112b757505081018161111c565b6001816020925484870152019101906112a6565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001684525080151502820190508161111c565b90505f6110f2565b845f525f825260405f208181540190556110c7565b815f525f60205260405f205483811061137a5773ffffffffffffffffffffffffffffffffffffffff7fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef9285602093865f525f85520360405f20556110b7565b9190507fe450d38c000000000000000000000000000000000000000000000000000000005f5260045260245260445260645ffd",
}

// CallbackToken is an auto generated Go binding around an Ethereum contract.
type CallbackToken struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *CallbackToken) GetABI() abi.ABI {
	return c.abi
}

// NewCallbackToken creates a new instance of CallbackToken.
func NewCallbackToken() *CallbackToken {
	parsed, err := CallbackTokenMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &CallbackToken{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *CallbackToken) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackAllowance is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdd62ed3e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function allowance(address owner, address spender) view returns(uint256)
func (callbackToken *CallbackToken) PackAllowance(owner common.Address, spender common.Address) []byte {
	enc, err := callbackToken.abi.Pack("allowance", owner, spender)
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
func (callbackToken *CallbackToken) TryPackAllowance(owner common.Address, spender common.Address) ([]byte, error) {
	return callbackToken.abi.Pack("allowance", owner, spender)
}

// UnpackAllowance is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xdd62ed3e.
//
// Solidity: function allowance(address owner, address spender) view returns(uint256)
func (callbackToken *CallbackToken) UnpackAllowance(data []byte) (*big.Int, error) {
	out, err := callbackToken.abi.Unpack("allowance", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackAnswer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x85bb7d69.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function answer() view returns(bytes)
func (callbackToken *CallbackToken) PackAnswer() []byte {
	enc, err := callbackToken.abi.Pack("answer")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAnswer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x85bb7d69.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function answer() view returns(bytes)
func (callbackToken *CallbackToken) TryPackAnswer() ([]byte, error) {
	return callbackToken.abi.Pack("answer")
}

// UnpackAnswer is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x85bb7d69.
//
// Solidity: function answer() view returns(bytes)
func (callbackToken *CallbackToken) UnpackAnswer(data []byte) ([]byte, error) {
	out, err := callbackToken.abi.Unpack("answer", data)
	if err != nil {
		return *new([]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([]byte)).(*[]byte)
	return out0, nil
}

// PackApprove is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x095ea7b3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function approve(address spender, uint256 value) returns(bool)
func (callbackToken *CallbackToken) PackApprove(spender common.Address, value *big.Int) []byte {
	enc, err := callbackToken.abi.Pack("approve", spender, value)
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
func (callbackToken *CallbackToken) TryPackApprove(spender common.Address, value *big.Int) ([]byte, error) {
	return callbackToken.abi.Pack("approve", spender, value)
}

// UnpackApprove is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x095ea7b3.
//
// Solidity: function approve(address spender, uint256 value) returns(bool)
func (callbackToken *CallbackToken) UnpackApprove(data []byte) (bool, error) {
	out, err := callbackToken.abi.Unpack("approve", data)
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
func (callbackToken *CallbackToken) PackBalanceOf(account common.Address) []byte {
	enc, err := callbackToken.abi.Pack("balanceOf", account)
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
func (callbackToken *CallbackToken) TryPackBalanceOf(account common.Address) ([]byte, error) {
	return callbackToken.abi.Pack("balanceOf", account)
}

// UnpackBalanceOf is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x70a08231.
//
// Solidity: function balanceOf(address account) view returns(uint256)
func (callbackToken *CallbackToken) UnpackBalanceOf(data []byte) (*big.Int, error) {
	out, err := callbackToken.abi.Unpack("balanceOf", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackCallBack is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xba22bba0.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function callBack(address target_, bytes data_) returns()
func (callbackToken *CallbackToken) PackCallBack(target common.Address, data []byte) []byte {
	enc, err := callbackToken.abi.Pack("callBack", target, data)
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
func (callbackToken *CallbackToken) TryPackCallBack(target common.Address, data []byte) ([]byte, error) {
	return callbackToken.abi.Pack("callBack", target, data)
}

// PackCalls is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x305f72b7.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function calls() view returns(uint256)
func (callbackToken *CallbackToken) PackCalls() []byte {
	enc, err := callbackToken.abi.Pack("calls")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackCalls is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x305f72b7.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function calls() view returns(uint256)
func (callbackToken *CallbackToken) TryPackCalls() ([]byte, error) {
	return callbackToken.abi.Pack("calls")
}

// UnpackCalls is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x305f72b7.
//
// Solidity: function calls() view returns(uint256)
func (callbackToken *CallbackToken) UnpackCalls(data []byte) (*big.Int, error) {
	out, err := callbackToken.abi.Unpack("calls", data)
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
func (callbackToken *CallbackToken) PackDecimals() []byte {
	enc, err := callbackToken.abi.Pack("decimals")
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
func (callbackToken *CallbackToken) TryPackDecimals() ([]byte, error) {
	return callbackToken.abi.Pack("decimals")
}

// UnpackDecimals is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x313ce567.
//
// Solidity: function decimals() view returns(uint8)
func (callbackToken *CallbackToken) UnpackDecimals(data []byte) (uint8, error) {
	out, err := callbackToken.abi.Unpack("decimals", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackMint is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x40c10f19.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function mint(address to, uint256 amount) returns()
func (callbackToken *CallbackToken) PackMint(to common.Address, amount *big.Int) []byte {
	enc, err := callbackToken.abi.Pack("mint", to, amount)
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
func (callbackToken *CallbackToken) TryPackMint(to common.Address, amount *big.Int) ([]byte, error) {
	return callbackToken.abi.Pack("mint", to, amount)
}

// PackName is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x06fdde03.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function name() view returns(string)
func (callbackToken *CallbackToken) PackName() []byte {
	enc, err := callbackToken.abi.Pack("name")
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
func (callbackToken *CallbackToken) TryPackName() ([]byte, error) {
	return callbackToken.abi.Pack("name")
}

// UnpackName is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x06fdde03.
//
// Solidity: function name() view returns(string)
func (callbackToken *CallbackToken) UnpackName(data []byte) (string, error) {
	out, err := callbackToken.abi.Unpack("name", data)
	if err != nil {
		return *new(string), err
	}
	out0 := *abi.ConvertType(out[0], new(string)).(*string)
	return out0, nil
}

// PackSucceeded is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x93415250.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function succeeded() view returns(bool)
func (callbackToken *CallbackToken) PackSucceeded() []byte {
	enc, err := callbackToken.abi.Pack("succeeded")
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
func (callbackToken *CallbackToken) TryPackSucceeded() ([]byte, error) {
	return callbackToken.abi.Pack("succeeded")
}

// UnpackSucceeded is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x93415250.
//
// Solidity: function succeeded() view returns(bool)
func (callbackToken *CallbackToken) UnpackSucceeded(data []byte) (bool, error) {
	out, err := callbackToken.abi.Unpack("succeeded", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackSymbol is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x95d89b41.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function symbol() view returns(string)
func (callbackToken *CallbackToken) PackSymbol() []byte {
	enc, err := callbackToken.abi.Pack("symbol")
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
func (callbackToken *CallbackToken) TryPackSymbol() ([]byte, error) {
	return callbackToken.abi.Pack("symbol")
}

// UnpackSymbol is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x95d89b41.
//
// Solidity: function symbol() view returns(string)
func (callbackToken *CallbackToken) UnpackSymbol(data []byte) (string, error) {
	out, err := callbackToken.abi.Unpack("symbol", data)
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
func (callbackToken *CallbackToken) PackTotalSupply() []byte {
	enc, err := callbackToken.abi.Pack("totalSupply")
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
func (callbackToken *CallbackToken) TryPackTotalSupply() ([]byte, error) {
	return callbackToken.abi.Pack("totalSupply")
}

// UnpackTotalSupply is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x18160ddd.
//
// Solidity: function totalSupply() view returns(uint256)
func (callbackToken *CallbackToken) UnpackTotalSupply(data []byte) (*big.Int, error) {
	out, err := callbackToken.abi.Unpack("totalSupply", data)
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
func (callbackToken *CallbackToken) PackTransfer(to common.Address, value *big.Int) []byte {
	enc, err := callbackToken.abi.Pack("transfer", to, value)
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
func (callbackToken *CallbackToken) TryPackTransfer(to common.Address, value *big.Int) ([]byte, error) {
	return callbackToken.abi.Pack("transfer", to, value)
}

// UnpackTransfer is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xa9059cbb.
//
// Solidity: function transfer(address to, uint256 value) returns(bool)
func (callbackToken *CallbackToken) UnpackTransfer(data []byte) (bool, error) {
	out, err := callbackToken.abi.Unpack("transfer", data)
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
func (callbackToken *CallbackToken) PackTransferFrom(from common.Address, to common.Address, value *big.Int) []byte {
	enc, err := callbackToken.abi.Pack("transferFrom", from, to, value)
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
func (callbackToken *CallbackToken) TryPackTransferFrom(from common.Address, to common.Address, value *big.Int) ([]byte, error) {
	return callbackToken.abi.Pack("transferFrom", from, to, value)
}

// UnpackTransferFrom is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x23b872dd.
//
// Solidity: function transferFrom(address from, address to, uint256 value) returns(bool)
func (callbackToken *CallbackToken) UnpackTransferFrom(data []byte) (bool, error) {
	out, err := callbackToken.abi.Unpack("transferFrom", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// CallbackTokenApproval represents a Approval event raised by the CallbackToken contract.
type CallbackTokenApproval struct {
	Owner   common.Address
	Spender common.Address
	Value   *big.Int
	Raw     *types.Log // Blockchain specific contextual infos
}

const CallbackTokenApprovalEventName = "Approval"

// ContractEventName returns the user-defined event name.
func (CallbackTokenApproval) ContractEventName() string {
	return CallbackTokenApprovalEventName
}

// UnpackApprovalEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Approval(address indexed owner, address indexed spender, uint256 value)
func (callbackToken *CallbackToken) UnpackApprovalEvent(log *types.Log) (*CallbackTokenApproval, error) {
	event := "Approval"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != callbackToken.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(CallbackTokenApproval)
	if len(log.Data) > 0 {
		if err := callbackToken.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range callbackToken.abi.Events[event].Inputs {
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

// CallbackTokenTransfer represents a Transfer event raised by the CallbackToken contract.
type CallbackTokenTransfer struct {
	From  common.Address
	To    common.Address
	Value *big.Int
	Raw   *types.Log // Blockchain specific contextual infos
}

const CallbackTokenTransferEventName = "Transfer"

// ContractEventName returns the user-defined event name.
func (CallbackTokenTransfer) ContractEventName() string {
	return CallbackTokenTransferEventName
}

// UnpackTransferEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Transfer(address indexed from, address indexed to, uint256 value)
func (callbackToken *CallbackToken) UnpackTransferEvent(log *types.Log) (*CallbackTokenTransfer, error) {
	event := "Transfer"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != callbackToken.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(CallbackTokenTransfer)
	if len(log.Data) > 0 {
		if err := callbackToken.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range callbackToken.abi.Events[event].Inputs {
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
func (callbackToken *CallbackToken) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], callbackToken.abi.Errors["ERC20InsufficientAllowance"].ID.Bytes()[:4]) {
		return callbackToken.UnpackERC20InsufficientAllowanceError(raw[4:])
	}
	if bytes.Equal(raw[:4], callbackToken.abi.Errors["ERC20InsufficientBalance"].ID.Bytes()[:4]) {
		return callbackToken.UnpackERC20InsufficientBalanceError(raw[4:])
	}
	if bytes.Equal(raw[:4], callbackToken.abi.Errors["ERC20InvalidApprover"].ID.Bytes()[:4]) {
		return callbackToken.UnpackERC20InvalidApproverError(raw[4:])
	}
	if bytes.Equal(raw[:4], callbackToken.abi.Errors["ERC20InvalidReceiver"].ID.Bytes()[:4]) {
		return callbackToken.UnpackERC20InvalidReceiverError(raw[4:])
	}
	if bytes.Equal(raw[:4], callbackToken.abi.Errors["ERC20InvalidSender"].ID.Bytes()[:4]) {
		return callbackToken.UnpackERC20InvalidSenderError(raw[4:])
	}
	if bytes.Equal(raw[:4], callbackToken.abi.Errors["ERC20InvalidSpender"].ID.Bytes()[:4]) {
		return callbackToken.UnpackERC20InvalidSpenderError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// CallbackTokenERC20InsufficientAllowance represents a ERC20InsufficientAllowance error raised by the CallbackToken contract.
type CallbackTokenERC20InsufficientAllowance struct {
	Spender   common.Address
	Allowance *big.Int
	Needed    *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)
func CallbackTokenERC20InsufficientAllowanceErrorID() common.Hash {
	return common.HexToHash("0xfb8f41b23e99d2101d86da76cdfa87dd51c82ed07d3cb62cbc473e469dbc75c3")
}

// UnpackERC20InsufficientAllowanceError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)
func (callbackToken *CallbackToken) UnpackERC20InsufficientAllowanceError(raw []byte) (*CallbackTokenERC20InsufficientAllowance, error) {
	out := new(CallbackTokenERC20InsufficientAllowance)
	if err := callbackToken.abi.UnpackIntoInterface(out, "ERC20InsufficientAllowance", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// CallbackTokenERC20InsufficientBalance represents a ERC20InsufficientBalance error raised by the CallbackToken contract.
type CallbackTokenERC20InsufficientBalance struct {
	Sender  common.Address
	Balance *big.Int
	Needed  *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)
func CallbackTokenERC20InsufficientBalanceErrorID() common.Hash {
	return common.HexToHash("0xe450d38cd8d9f7d95077d567d60ed49c7254716e6ad08fc9872816c97e0ffec6")
}

// UnpackERC20InsufficientBalanceError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)
func (callbackToken *CallbackToken) UnpackERC20InsufficientBalanceError(raw []byte) (*CallbackTokenERC20InsufficientBalance, error) {
	out := new(CallbackTokenERC20InsufficientBalance)
	if err := callbackToken.abi.UnpackIntoInterface(out, "ERC20InsufficientBalance", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// CallbackTokenERC20InvalidApprover represents a ERC20InvalidApprover error raised by the CallbackToken contract.
type CallbackTokenERC20InvalidApprover struct {
	Approver common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InvalidApprover(address approver)
func CallbackTokenERC20InvalidApproverErrorID() common.Hash {
	return common.HexToHash("0xe602df05cc75712490294c6c104ab7c17f4030363910a7a2626411c6d3118847")
}

// UnpackERC20InvalidApproverError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InvalidApprover(address approver)
func (callbackToken *CallbackToken) UnpackERC20InvalidApproverError(raw []byte) (*CallbackTokenERC20InvalidApprover, error) {
	out := new(CallbackTokenERC20InvalidApprover)
	if err := callbackToken.abi.UnpackIntoInterface(out, "ERC20InvalidApprover", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// CallbackTokenERC20InvalidReceiver represents a ERC20InvalidReceiver error raised by the CallbackToken contract.
type CallbackTokenERC20InvalidReceiver struct {
	Receiver common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InvalidReceiver(address receiver)
func CallbackTokenERC20InvalidReceiverErrorID() common.Hash {
	return common.HexToHash("0xec442f055133b72f3b2f9f0bb351c406b178527de2040a7d1feb4e058771f613")
}

// UnpackERC20InvalidReceiverError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InvalidReceiver(address receiver)
func (callbackToken *CallbackToken) UnpackERC20InvalidReceiverError(raw []byte) (*CallbackTokenERC20InvalidReceiver, error) {
	out := new(CallbackTokenERC20InvalidReceiver)
	if err := callbackToken.abi.UnpackIntoInterface(out, "ERC20InvalidReceiver", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// CallbackTokenERC20InvalidSender represents a ERC20InvalidSender error raised by the CallbackToken contract.
type CallbackTokenERC20InvalidSender struct {
	Sender common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InvalidSender(address sender)
func CallbackTokenERC20InvalidSenderErrorID() common.Hash {
	return common.HexToHash("0x96c6fd1edd0cd6ef7ff0ecc0facdf53148dc0048b57fe58af65755250a7a96bd")
}

// UnpackERC20InvalidSenderError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InvalidSender(address sender)
func (callbackToken *CallbackToken) UnpackERC20InvalidSenderError(raw []byte) (*CallbackTokenERC20InvalidSender, error) {
	out := new(CallbackTokenERC20InvalidSender)
	if err := callbackToken.abi.UnpackIntoInterface(out, "ERC20InvalidSender", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// CallbackTokenERC20InvalidSpender represents a ERC20InvalidSpender error raised by the CallbackToken contract.
type CallbackTokenERC20InvalidSpender struct {
	Spender common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InvalidSpender(address spender)
func CallbackTokenERC20InvalidSpenderErrorID() common.Hash {
	return common.HexToHash("0x94280d62c347d8d9f4d59a76ea321452406db88df38e0c9da304f58b57b373a2")
}

// UnpackERC20InvalidSpenderError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InvalidSpender(address spender)
func (callbackToken *CallbackToken) UnpackERC20InvalidSpenderError(raw []byte) (*CallbackTokenERC20InvalidSpender, error) {
	out := new(CallbackTokenERC20InvalidSpender)
	if err := callbackToken.abi.UnpackIntoInterface(out, "ERC20InvalidSpender", raw); err != nil {
		return nil, err
	}
	return out, nil
}
