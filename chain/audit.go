package chain

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/quittance/quittance/settlement"
)

// AuditQuery asks for all that an audit compares, at one block.
type AuditQuery struct {
	From         uint64 // the first block whose events count
	At           settlement.BlockRef
	Vaults       []common.Address
	Tokens       []common.Address // NativeToken for the coin
	Signers      []common.Address
	Transactions []common.Hash
}

// Audited is the node's answer.
type Audited struct {
	Events       []settlement.Event
	VaultHolds   map[common.Address]settlement.Amount // by token, over all vaults
	Signers      []AuditedSigner
	Transactions map[common.Hash]AuditedTransaction // those that the node knows
}

// AuditedSigner is a signer at the block.
type AuditedSigner struct {
	Address common.Address
	Nonce   uint64
	Balance settlement.Amount
}

// AuditedTransaction is a mined transaction as the node's own index has it.
type AuditedTransaction struct {
	settlement.MinedTransaction
	Block settlement.BlockRef
}

const auditRangeMax = 2_000 // blocks per eth_getLogs; halved when a node calls it too wide

// Audit reads every event of the vaults up to the block, balances and nonces at it, and transactions by their hash, from one
// node. It reads logs by range and transactions by the node's index, which the listener never does: so it does not share the
// listener's mistakes. The block must still be canonical before and after, or the ranges would be another chain's.
func Audit(ctx context.Context, pool *Pool, q AuditQuery) (Audited, error) {
	var a Audited
	err := pool.oneOf(ctx, func(e *Endpoint) error {
		a = Audited{VaultHolds: map[common.Address]settlement.Amount{}, Transactions: map[common.Hash]AuditedTransaction{}}
		if err := canonicalAt(ctx, e, q.At); err != nil {
			return err
		}
		if err := a.readEvents(ctx, e, q); err != nil {
			return err
		}
		if err := a.readBalances(ctx, e, q); err != nil {
			return err
		}
		if err := a.readTransactions(ctx, e, q.Transactions); err != nil {
			return err
		}
		return canonicalAt(ctx, e, q.At)
	})
	return a, err
}

func canonicalAt(ctx context.Context, e *Endpoint, at settlement.BlockRef) error {
	var block *struct{ Hash common.Hash }
	if err := e.Call(ctx, &block, "eth_getBlockByNumber", hexutil.Uint64(at.Number), false); err != nil {
		return err
	}
	if block == nil || block.Hash != at.Hash {
		return faultf(e, "block %d is not %s here: the books are of another branch, or the node is behind", at.Number, at.Hash)
	}
	return nil
}

func (a *Audited) readEvents(ctx context.Context, e *Endpoint, q AuditQuery) error {
	firsts := map[common.Hash]uint64{}
	width := uint64(auditRangeMax)
	for from := q.From; from <= q.At.Number; {
		to := min(from+width-1, q.At.Number)
		var logs []types.Log
		err := e.Call(ctx, &logs, "eth_getLogs", map[string]any{"fromBlock": hexutil.Uint64(from), "toBlock": hexutil.Uint64(to), "address": q.Vaults})
		if err != nil && LogRangeTooWide(err) && width > 1 {
			width /= 2
			continue
		}
		if err != nil {
			return err
		}
		if err := firstLogs(ctx, e, logs, firsts); err != nil {
			return err
		}
		for i := range logs {
			first := firsts[logs[i].TxHash]
			if logs[i].Removed || uint64(logs[i].Index) < first {
				return faultf(e, "log %d of block %d is removed, or before the first of its transaction", logs[i].Index, logs[i].BlockNumber)
			}
			a.Events = append(a.Events, decodeLog(&logs[i], uint64(logs[i].Index)-first))
		}
		from = to + 1
	}
	return nil
}

// firstLogs asks for the receipts of the logs' transactions: the index within the transaction counts from its first log,
// whoever wrote it.
func firstLogs(ctx context.Context, e *Endpoint, logs []types.Log, firsts map[common.Hash]uint64) error {
	var items []rpc.BatchElem
	blocks := map[common.Hash]common.Hash{}
	for _, l := range logs {
		if _, known := firsts[l.TxHash]; !known {
			firsts[l.TxHash], blocks[l.TxHash] = 0, l.BlockHash
			items = append(items, rpc.BatchElem{Method: "eth_getTransactionReceipt", Args: []any{l.TxHash}, Result: new(*types.Receipt)})
		}
	}
	if err := e.Batch(ctx, items); err != nil {
		return err
	}
	for _, item := range items {
		receipt := *item.Result.(**types.Receipt)
		if item.Error != nil || receipt == nil || len(receipt.Logs) == 0 || receipt.BlockHash != blocks[receipt.TxHash] {
			return faultf(e, "no receipt of %v in the block whose log it gave: %v", item.Args[0], item.Error)
		}
		firsts[receipt.TxHash] = uint64(receipt.Logs[0].Index)
	}
	return nil
}

func (a *Audited) readBalances(ctx context.Context, e *Endpoint, q AuditQuery) error {
	at := map[string]any{"blockHash": q.At.Hash}
	for _, token := range q.Tokens {
		for _, vault := range q.Vaults {
			held, err := auditedBalance(ctx, e, token, vault, at)
			if err != nil {
				return fmt.Errorf("balance of vault %s in %s: %w", vault, token, err)
			}
			sum, overflow := a.VaultHolds[token].Add(held)
			if overflow {
				return faultf(e, "the vaults hold more than 2^256-1 of %s", token)
			}
			a.VaultHolds[token] = sum
		}
	}
	for _, signer := range q.Signers {
		balance, err := auditedBalance(ctx, e, settlement.NativeToken, signer, at)
		if err != nil {
			return fmt.Errorf("balance of signer %s: %w", signer, err)
		}
		var nonce hexutil.Uint64
		if err := e.Call(ctx, &nonce, "eth_getTransactionCount", signer, at); err != nil {
			return fmt.Errorf("nonce of signer %s: %w", signer, err)
		}
		a.Signers = append(a.Signers, AuditedSigner{signer, uint64(nonce), balance})
	}
	return nil
}

func auditedBalance(ctx context.Context, e *Endpoint, token, who common.Address, at any) (settlement.Amount, error) {
	if token == settlement.NativeToken {
		var wei hexutil.Big
		if err := e.Call(ctx, &wei, "eth_getBalance", who, at); err != nil {
			return settlement.Amount{}, err
		}
		return settlement.AmountFromBig(wei.ToInt())
	}
	var answer hexutil.Bytes
	if err := e.Call(ctx, &answer, "eth_call", callTo(token, erc20.PackBalanceOf(who)), at); err != nil {
		return settlement.Amount{}, err
	}
	balance, err := erc20.UnpackBalanceOf(answer)
	if err != nil {
		return settlement.Amount{}, faultf(e, "balanceOf: %w", err)
	}
	return settlement.AmountFromBig(balance)
}

// auditedReceipt and auditedBody are the parts of a receipt and of a transaction that are compared.
type auditedReceipt struct {
	BlockHash         common.Hash
	BlockNumber       hexutil.Uint64
	Status            hexutil.Uint64
	GasUsed           hexutil.Uint64
	EffectiveGasPrice hexutil.Big
}

type auditedBody struct {
	From  common.Address
	To    *common.Address
	Nonce hexutil.Uint64
	Value hexutil.Big
}

// readTransactions leaves out what the node does not know: it may keep an index of younger blocks alone.
func (a *Audited) readTransactions(ctx context.Context, e *Endpoint, hashes []common.Hash) error {
	var items []rpc.BatchElem
	for _, hash := range hashes {
		items = append(items, rpc.BatchElem{Method: "eth_getTransactionReceipt", Args: []any{hash}, Result: new(*auditedReceipt)},
			rpc.BatchElem{Method: "eth_getTransactionByHash", Args: []any{hash}, Result: new(*auditedBody)})
	}
	if err := e.Batch(ctx, items); err != nil {
		return err
	}
	for i, hash := range hashes {
		asked := items[2*i : 2*i+2]
		for _, item := range asked {
			if item.Error != nil {
				return faultf(e, "%s of %s: %w", item.Method, hash, item.Error)
			}
		}
		receipt, body := *asked[0].Result.(**auditedReceipt), *asked[1].Result.(**auditedBody)
		if receipt == nil || body == nil {
			continue
		}
		price, err := settlement.AmountFromBig(receipt.EffectiveGasPrice.ToInt())
		if err != nil {
			return faultf(e, "gas price of %s: %w", hash, err)
		}
		value, err := settlement.AmountFromBig(body.Value.ToInt())
		if err != nil {
			return faultf(e, "value of %s: %w", hash, err)
		}
		a.Transactions[hash] = AuditedTransaction{Block: settlement.BlockRef{Number: uint64(receipt.BlockNumber), Hash: receipt.BlockHash},
			MinedTransaction: settlement.MinedTransaction{Hash: hash, From: body.From, To: body.To, Nonce: uint64(body.Nonce), Value: value,
				OK: receipt.Status == 1, GasUsed: uint64(receipt.GasUsed), GasPrice: price}}
	}
	return nil
}
