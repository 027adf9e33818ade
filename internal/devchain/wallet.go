package devchain

import (
	"context"
	"crypto/ecdsa"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/params"
)

// Wallet sends transactions of people who are not this project's signers: the vault's owner, depositing customers. One
// Wallet per key at a time: it takes its nonce from the node's pending count.
type Wallet struct {
	key     *ecdsa.PrivateKey
	client  *ethclient.Client
	chainID *big.Int
}

// NewWallet makes a wallet on a chain.
func NewWallet(ctx context.Context, client *ethclient.Client, key *ecdsa.PrivateKey) (*Wallet, error) {
	id, err := client.ChainID(ctx)
	if err != nil {
		return nil, fmt.Errorf("ask chain id: %w", err)
	}
	return &Wallet{key: key, client: client, chainID: id}, nil
}

// Address is the wallet's account.
func (w *Wallet) Address() common.Address { return crypto.PubkeyToAddress(w.key.PublicKey) }

// Call is one transaction to send; a nil To creates a contract.
type Call struct {
	To    *common.Address
	Value *big.Int
	Data  []byte
}

// Do sends the calls with consecutive nonces and waits until all are mined; a revert is an error.
func (w *Wallet) Do(ctx context.Context, calls ...Call) ([]*types.Receipt, error) {
	nonce, err := w.client.PendingNonceAt(ctx, w.Address())
	if err != nil {
		return nil, fmt.Errorf("ask nonce of %s: %w", w.Address(), err)
	}
	head, err := w.client.HeaderByNumber(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("ask head: %w", err)
	}
	tip := big.NewInt(params.GWei)
	feeCap := new(big.Int).Add(new(big.Int).Mul(head.BaseFee, big.NewInt(4)), tip)
	sent := make([]*types.Transaction, len(calls))
	for i, c := range calls {
		tx, err := types.SignNewTx(w.key, types.LatestSignerForChainID(w.chainID), &types.DynamicFeeTx{
			ChainID: w.chainID, Nonce: nonce + uint64(i), GasTipCap: tip, GasFeeCap: feeCap, Gas: gasOf(c), To: c.To, Value: c.Value, Data: c.Data})
		if err != nil {
			return nil, fmt.Errorf("sign transaction of %s: %w", w.Address(), err)
		}
		if err := w.client.SendTransaction(ctx, tx); err != nil {
			return nil, fmt.Errorf("send transaction %s of %s: %w", tx.Hash(), w.Address(), err)
		}
		sent[i] = tx
	}
	receipts := make([]*types.Receipt, len(calls))
	for i, tx := range sent {
		if receipts[i], err = bind.WaitMined(ctx, w.client, tx.Hash()); err != nil {
			return nil, fmt.Errorf("wait for transaction %s: %w", tx.Hash(), err)
		}
		if receipts[i].Status != types.ReceiptStatusSuccessful {
			return nil, fmt.Errorf("transaction %s of %s reverted", tx.Hash(), w.Address())
		}
	}
	return receipts, nil
}

// gasOf is generous: later calls of a sequence cannot be estimated before the earlier ones are mined.
func gasOf(c Call) uint64 {
	if c.To == nil {
		return 3_000_000
	}
	return 300_000
}
