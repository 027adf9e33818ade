package chain

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/ethereum/go-ethereum/trie"
)

// factsOfReceipts takes the answer to eth_getBlockReceipts.
func factsOfReceipts(body *blockBody, raw json.RawMessage) (*blockFacts, error) {
	var receipts []*types.Receipt
	if err := json.Unmarshal(raw, &receipts); err != nil {
		return nil, fmt.Errorf("receipts: %w", err)
	}
	return provenFacts(body, receipts)
}

// provenFacts checks all receipts of a block against the header's receipts root. The root covers status, cumulative gas and
// the logs' content and order, so the place of each log and the gas of each transaction are counted here, and what the
// node says of them does not matter.
func provenFacts(body *blockBody, receipts []*types.Receipt) (*blockFacts, error) {
	if len(receipts) != len(body.txs) {
		return nil, fmt.Errorf("%d receipts for %d transactions", len(receipts), len(body.txs))
	}
	for i, receipt := range receipts {
		if receipt == nil || slices.Contains(receipt.Logs, nil) {
			return nil, fmt.Errorf("the receipt of transaction %d, or a log of it, is null", i)
		}
		receipt.Type = body.txs[i].Type()
	}
	if root := types.DeriveSha(types.Receipts(receipts), trie.NewStackTrie(nil)); root != body.header.ReceiptHash {
		return nil, fmt.Errorf("%d receipts have the root %s, the header says %s", len(receipts), root, body.header.ReceiptHash)
	}
	facts := &blockFacts{blockBody: body, outcomes: make([]txFacts, len(receipts))}
	var cumulative uint64
	var index uint
	for i, receipt := range receipts {
		if receipt.CumulativeGasUsed < cumulative {
			return nil, fmt.Errorf("the cumulative gas falls at transaction %d", i)
		}
		for _, log := range receipt.Logs {
			log.TxHash, log.TxIndex, log.BlockHash, log.Index = body.txs[i].Hash(), uint(i), body.hash, index
			index++
		}
		facts.outcomes[i] = txFacts{
			receipt: true, ok: receipt.Status == types.ReceiptStatusSuccessful,
			gasUsed: receipt.CumulativeGasUsed - cumulative, logs: receipt.Logs,
		}
		cumulative = receipt.CumulativeGasUsed
	}
	return facts, nil
}

// factsWithoutBlockReceipts asks a node that lacks eth_getBlockReceipts for every receipt, or in a block with very many
// transactions for the receipts of what signers sent or got, and all logs of the block.
func (r *Reader) factsWithoutBlockReceipts(ctx context.Context, e *Endpoint, body *blockBody, watched Watched) (*blockFacts, error) {
	if len(body.txs) <= r.receiptsEachMax {
		all := make([]int, len(body.txs))
		for i := range all {
			all[i] = i
		}
		receipts, err := r.receiptsOf(ctx, e, body, all)
		if err != nil {
			return nil, err
		}
		return provenFacts(body, receipts)
	}
	var ours []int
	for i := range body.txs {
		from, err := body.senderOf(i, watched)
		if err != nil {
			return nil, err
		}
		if slices.Contains(watched.Signers, from) || body.tops(i, from, watched) {
			ours = append(ours, i)
		}
	}
	var logs []*types.Log
	items := []rpc.BatchElem{{Method: "eth_getLogs", Args: []any{map[string]any{"blockHash": body.hash}}, Result: &logs}}
	if err := r.batch(ctx, e, items); err != nil {
		return nil, err
	}
	if items[0].Error != nil {
		return nil, fmt.Errorf("logs: %w", items[0].Error)
	}
	receipts, err := r.receiptsOf(ctx, e, body, ours)
	if err != nil {
		return nil, err
	}
	facts, err := bloomedFacts(body, logs)
	if err != nil {
		return nil, err
	}
	return facts, facts.addReceipts(ours, receipts)
}

// receiptsOf asks for the receipts of some transactions, each by its hash. A node answers from the block it now holds
// canonical, so one of another block is refused.
func (r *Reader) receiptsOf(ctx context.Context, e *Endpoint, body *blockBody, which []int) ([]*types.Receipt, error) {
	receipts := make([]*types.Receipt, len(which))
	items := make([]rpc.BatchElem, len(which))
	for at, i := range which {
		items[at] = rpc.BatchElem{Method: "eth_getTransactionReceipt", Args: []any{body.txs[i].Hash()}, Result: &receipts[at]}
	}
	if len(items) == 0 {
		return receipts, nil
	}
	if err := r.batch(ctx, e, items); err != nil {
		return nil, err
	}
	for at, i := range which {
		switch {
		case items[at].Error != nil:
			return nil, fmt.Errorf("receipt of transaction %s: %w", body.txs[i].Hash(), items[at].Error)
		case receipts[at] == nil:
			return nil, fmt.Errorf("the receipt of transaction %s is null", body.txs[i].Hash())
		case receipts[at].BlockHash != body.hash:
			return nil, fmt.Errorf("the receipt of transaction %s is of block %s", body.txs[i].Hash(), receipts[at].BlockHash)
		}
	}
	return receipts, nil
}

// bloomedFacts groups all logs of a block by transaction. Without the receipts there is no root to check, but the header's
// bloom filter: a log dropped or added changes it, unless it sets only bits that other logs set as well.
func bloomedFacts(body *blockBody, logs []*types.Log) (*blockFacts, error) {
	facts := &blockFacts{blockBody: body, outcomes: make([]txFacts, len(body.txs))}
	var last uint
	for i, log := range logs {
		switch {
		case log == nil:
			return nil, fmt.Errorf("log %d is null", i)
		case log.Removed:
			return nil, fmt.Errorf("log %d is flagged as removed", i)
		case log.BlockHash != body.hash:
			return nil, fmt.Errorf("log %d is of block %s", i, log.BlockHash)
		case log.Index != uint(i):
			return nil, fmt.Errorf("log %d has the index %d", i, log.Index)
		case log.TxIndex < last || log.TxIndex >= uint(len(body.txs)) || log.TxHash != body.txs[log.TxIndex].Hash():
			return nil, fmt.Errorf("log %d is of transaction %d %s, which the block does not hold there", i, log.TxIndex, log.TxHash)
		}
		last = log.TxIndex
		facts.outcomes[log.TxIndex].logs = append(facts.outcomes[log.TxIndex].logs, log)
	}
	if bloom := types.CreateBloom(&types.Receipt{Logs: logs}); bloom != body.header.Bloom {
		return nil, errors.New("the logs do not make the header's bloom filter")
	}
	return facts, nil
}

// addReceipts compares the receipts with the logs that were read apart from them.
func (f *blockFacts) addReceipts(which []int, receipts []*types.Receipt) error {
	for at, i := range which {
		receipt, outcome := receipts[at], &f.outcomes[i]
		outcome.receipt, outcome.ok, outcome.gasUsed = true, receipt.Status == types.ReceiptStatusSuccessful, receipt.GasUsed
		if !slices.EqualFunc(receipt.Logs, outcome.logs, sameLog) {
			return fmt.Errorf("the receipt of transaction %s has other logs than the block", f.txs[i].Hash())
		}
		if !outcome.ok && len(outcome.logs) > 0 {
			return fmt.Errorf("transaction %s failed and has logs", f.txs[i].Hash())
		}
	}
	return nil
}

func sameLog(a, b *types.Log) bool {
	return a != nil && b != nil && a.Address == b.Address && a.Index == b.Index && slices.EqualFunc(a.Topics, b.Topics, func(x, y common.Hash) bool { return x == y }) &&
		bytes.Equal(a.Data, b.Data)
}
