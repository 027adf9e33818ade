package contracts_test

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/eth/ethconfig"
	"github.com/ethereum/go-ethereum/ethclient/simulated"
	"github.com/ethereum/go-ethereum/node"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/quittance/quittance/contracts"
)

// txGas is the gas limit of every test transaction: enough for all of them, so that none fails for want of gas.
const txGas = 3_000_000

var (
	chainID = big.NewInt(1337) // the simulated backend knows no other
	native  = common.Address{}

	vaultABI = contracts.NewVault()
	tokenABI = contracts.NewTestToken()
)

// fataler is the part of testing.TB that the harness needs, and that rapid's T has as well.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// account is an externally owned account with coins.
type account struct {
	key  *ecdsa.PrivateKey
	addr common.Address
}

// chain is a real geth in this process that makes a block when told to.
type chain struct {
	backend *simulated.Backend
	client  simulated.Client

	owner, operator, second, stranger account
}

// chainConfig is that of the backend without the future fork that geth activates in dev mode: it prices gas differently
// from any chain that exists.
func chainConfig() *params.ChainConfig {
	config := *params.AllDevChainProtocolChanges
	config.BogotaTime = nil
	return &config
}

// newChain starts a chain with four rich accounts.
func newChain(t testing.TB) *chain {
	t.Helper()
	c := &chain{}
	alloc := types.GenesisAlloc{}
	for _, a := range []*account{&c.owner, &c.operator, &c.second, &c.stranger} {
		key, err := crypto.GenerateKey()
		if err != nil {
			t.Fatalf("make a key: %v", err)
		}
		*a = account{key: key, addr: crypto.PubkeyToAddress(key.PublicKey)}
		alloc[a.addr] = types.Account{Balance: ether(1_000_000)}
	}
	c.backend, c.client = startBackend(t, alloc)
	return c
}

func startBackend(t testing.TB, alloc types.GenesisAlloc) (*simulated.Backend, simulated.Client) {
	t.Helper()
	backend := simulated.NewBackend(alloc, func(_ *node.Config, conf *ethconfig.Config) {
		conf.Genesis.Config = chainConfig()
	})
	t.Cleanup(func() {
		if err := backend.Close(); err != nil {
			t.Errorf("close the chain: %v", err)
		}
	})
	return backend, backend.Client()
}

// outcome is what became of one transaction: its receipt, and the revert data if it failed.
type outcome struct {
	receipt *types.Receipt
	revert  []byte
}

// do runs a call as eth_call for its revert data and then as a transaction in a block of its own, and insists that the two agree.
func (c *chain) do(t fataler, from account, to *common.Address, value *big.Int, data []byte) outcome {
	t.Helper()
	ctx := context.Background()
	_, callErr := c.client.CallContract(ctx, ethereum.CallMsg{From: from.addr, To: to, Gas: txGas, Value: value, Data: data}, nil)
	receipt := c.send(t, from, to, value, data)
	if failed := receipt.Status == types.ReceiptStatusFailed; failed != (callErr != nil) {
		t.Fatalf("the call says %v, the receipt says status %d", callErr, receipt.Status)
	}
	if callErr == nil {
		return outcome{receipt: receipt}
	}
	if len(receipt.Logs) != 0 {
		t.Fatalf("a reverted transaction has %d logs", len(receipt.Logs))
	}
	return outcome{receipt: receipt, revert: revertData(t, callErr)}
}

// send signs a transaction, puts it into a block of its own and returns the receipt, whatever its status.
func (c *chain) send(t fataler, from account, to *common.Address, value *big.Int, data []byte) *types.Receipt {
	t.Helper()
	ctx := context.Background()
	nonce, err := c.client.NonceAt(ctx, from.addr, nil)
	if err != nil {
		t.Fatalf("nonce of %s: %v", from.addr, err)
	}
	tx, err := types.SignNewTx(from.key, types.LatestSignerForChainID(chainID), &types.DynamicFeeTx{
		ChainID:   chainID,
		Nonce:     nonce,
		GasTipCap: big.NewInt(params.GWei),
		GasFeeCap: big.NewInt(100 * params.GWei),
		Gas:       txGas,
		To:        to,
		Value:     value,
		Data:      data,
	})
	if err != nil {
		t.Fatalf("sign: %v", err)
	}
	if err := c.client.SendTransaction(ctx, tx); err != nil {
		t.Fatalf("send: %v", err)
	}
	c.backend.Commit()
	receipt, err := c.client.TransactionReceipt(ctx, tx.Hash())
	if err != nil {
		t.Fatalf("receipt of %s: %v", tx.Hash(), err)
	}
	return receipt
}

// must runs a call that has to succeed.
func (c *chain) must(t fataler, from account, to common.Address, value *big.Int, data []byte) *types.Receipt {
	t.Helper()
	got := c.do(t, from, &to, value, data)
	if got.receipt.Status != types.ReceiptStatusSuccessful {
		t.Fatalf("reverted with %s", contracts.RevertText(got.revert))
	}
	return got.receipt
}

// refused runs a call that has to revert with the error of this name, and returns the revert data.
func (c *chain) refused(t fataler, from account, to common.Address, value *big.Int, data []byte, want string) []byte {
	t.Helper()
	got := c.do(t, from, &to, value, data)
	if got.receipt.Status == types.ReceiptStatusSuccessful {
		t.Fatalf("succeeded, want a revert with %s", want)
	}
	if name, ok := contracts.RevertName(got.revert); !ok || name != want {
		t.Fatalf("reverted with %s, want %s", contracts.RevertText(got.revert), want)
	}
	return got.revert
}

// deploy creates a contract from its creation code and packed constructor arguments.
func (c *chain) deploy(t fataler, from account, bin string, args []byte) common.Address {
	t.Helper()
	got := c.do(t, from, nil, nil, append(common.FromHex(bin), args...))
	if got.receipt.Status != types.ReceiptStatusSuccessful {
		t.Fatalf("deployment reverted with %s", contracts.RevertText(got.revert))
	}
	return got.receipt.ContractAddress
}

// view runs a call that changes nothing and returns what it answers.
func (c *chain) view(t fataler, to common.Address, data []byte) []byte {
	t.Helper()
	out, err := c.client.CallContract(context.Background(), ethereum.CallMsg{To: &to, Data: data}, nil)
	if err != nil {
		t.Fatalf("view of %s: %v", to, err)
	}
	return out
}

// balance returns what an account holds of a token or of the native coin.
func (c *chain) balance(t fataler, token, holder common.Address) *big.Int {
	t.Helper()
	if token == native {
		held, err := c.client.BalanceAt(context.Background(), holder, nil)
		if err != nil {
			t.Fatalf("balance of %s: %v", holder, err)
		}
		return held
	}
	held, err := tokenABI.UnpackBalanceOf(c.view(t, token, tokenABI.PackBalanceOf(holder)))
	if err != nil {
		t.Fatalf("balance of %s in %s: %v", holder, token, err)
	}
	return held
}

// revertData digs the data out of a failed eth_call. An error without data is one of the node, not of a contract, unless
// the contract reverted with nothing.
func revertData(t fataler, err error) []byte {
	t.Helper()
	var withData rpc.DataError
	if !errors.As(err, &withData) {
		return nil
	}
	text, ok := withData.ErrorData().(string)
	if !ok {
		return nil
	}
	data, decodeErr := hexutil.Decode(text)
	if decodeErr != nil {
		t.Fatalf("revert data %q: %v", text, decodeErr)
	}
	return data
}

func ether(n int64) *big.Int { return new(big.Int).Mul(big.NewInt(n), big.NewInt(params.Ether)) }

// freshAddress is an address nobody has used on any chain of these tests.
func freshAddress(t fataler) common.Address {
	t.Helper()
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatalf("make a key: %v", err)
	}
	return crypto.PubkeyToAddress(key.PublicKey)
}

// idOf makes a settlement id (or an account) out of a word.
func idOf(word string) [32]byte { return crypto.Keccak256Hash([]byte(word)) }
