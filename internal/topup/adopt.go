package topup

import (
	"context"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// Adopt books what a transaction brought to our signers by other means than a plain transfer, which the listener books by itself. It
// asks the chain at the transaction's own block, which must be final in the ledger. Again it answers with what was booked. signer
// may be zero: then the one signer whose balance rose in that block is meant.
func (d Desk) Adopt(ctx context.Context, tx common.Hash, signer common.Address, actor string) (t ledger.TopUp, existed bool, err error) {
	at, err := d.minedAt(ctx, tx)
	if err != nil {
		return t, false, err
	}
	refused, err := d.Ledger.Refused(ctx, d.Config.ChainID)
	if err != nil {
		return t, false, err
	}
	candidates := refused.Signers
	if signer != (common.Address{}) {
		candidates = []common.Address{signer}
	}
	last := settlement.Invalidf("transaction", "brought nothing to any signer of chain %d: %s", d.Config.ChainID, tx)
	for _, candidate := range candidates {
		rise, err := d.rise(ctx, candidate, at)
		if err != nil {
			return t, false, err
		}
		t, existed, err = d.Ledger.AdoptTopUp(ctx, ledger.TopUp{ChainID: d.Config.ChainID, Signer: candidate, TxHash: tx, Actor: actor}, rise)
		if settlement.KindOf(err) != settlement.Invalid || err == nil {
			return t, existed, err
		}
		if signer != (common.Address{}) || rise.After.Cmp(rise.Before) > 0 {
			last = err
		}
	}
	return t, false, last
}

// minedAt is the block that holds the transaction, which must have succeeded and be final in the ledger.
func (d Desk) minedAt(ctx context.Context, tx common.Hash) (settlement.BlockRef, error) {
	var receipt *struct {
		Status      hexutil.Uint64
		BlockNumber hexutil.Uint64
		BlockHash   common.Hash
	}
	if err := d.Pool.Call(ctx, &receipt, "eth_getTransactionReceipt", tx); err != nil {
		return settlement.BlockRef{}, settlement.Errorf(settlement.Transient, "ask receipt of %s: %w", tx, err)
	}
	head, err := d.Ledger.Head(ctx, d.Config.ChainID)
	switch {
	case err != nil:
		return settlement.BlockRef{}, err
	case receipt == nil:
		return settlement.BlockRef{}, settlement.Invalidf("transaction", "is in no block that the node knows: %s", tx)
	case receipt.Status != 1:
		return settlement.BlockRef{}, settlement.Invalidf("transaction", "failed: it moved nothing: %s", tx)
	case uint64(receipt.BlockNumber) > head.Final.Number:
		return settlement.BlockRef{}, settlement.Invalidf("transaction", "is in block %d, which is not final yet: the last final one is %d", uint64(receipt.BlockNumber), head.Final.Number)
	}
	return settlement.BlockRef{Number: uint64(receipt.BlockNumber), Hash: receipt.BlockHash}, nil
}

func (d Desk) rise(ctx context.Context, signer common.Address, at settlement.BlockRef) (ledger.Rise, error) {
	var block *struct{ ParentHash common.Hash }
	if err := d.Pool.Call(ctx, &block, "eth_getBlockByHash", at.Hash, false); err != nil {
		return ledger.Rise{}, settlement.Errorf(settlement.Transient, "ask block %s: %w", at.Hash, err)
	}
	if block == nil {
		return ledger.Rise{}, settlement.Errorf(settlement.Transient, "ask block %s: the node does not know it", at.Hash)
	}
	var before, after hexutil.Big
	items := []rpc.BatchElem{
		{Method: "eth_getBalance", Args: []any{signer, map[string]any{"blockHash": block.ParentHash}}, Result: &before},
		{Method: "eth_getBalance", Args: []any{signer, map[string]any{"blockHash": at.Hash}}, Result: &after},
	}
	if err := d.Pool.Batch(ctx, items); err != nil {
		return ledger.Rise{}, settlement.Errorf(settlement.Transient, "ask balances of %s: %w", signer, err)
	}
	rise := ledger.Rise{Block: at}
	for i, into := range []*settlement.Amount{&rise.Before, &rise.After} {
		if items[i].Error != nil {
			return ledger.Rise{}, settlement.Errorf(settlement.Transient, "ask balance of %s at block %d, which a node may have forgotten: %w", signer, at.Number, items[i].Error)
		}
		wei, err := settlement.AmountFromBig(items[i].Result.(*hexutil.Big).ToInt())
		if err != nil {
			return ledger.Rise{}, err
		}
		*into = wei
	}
	return rise, nil
}
