package chain

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/trie"

	"github.com/quittance/quittance/settlement"
)

// blockBody is a header and the transactions that its root proves.
type blockBody struct {
	hash   common.Hash
	header *types.Header
	txs    []*types.Transaction
	claims []common.Address // the senders, as the node says; senderOf checks those that matter
}

// parseBlock checks a node's answer to eth_getBlockByHash against the hash that was asked for.
func parseBlock(raw json.RawMessage, hash common.Hash) (*blockBody, error) {
	var header *types.Header
	if err := json.Unmarshal(raw, &header); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if header == nil {
		return nil, errors.New("the node does not know it")
	}
	if got := header.Hash(); got != hash {
		return nil, fmt.Errorf("the header hashes to %s", got)
	}
	var answer struct{ Transactions []claimedTransaction }
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, fmt.Errorf("transactions: %w", err)
	}
	body := &blockBody{hash: hash, header: header}
	for _, tx := range answer.Transactions {
		body.txs = append(body.txs, tx.tx)
		body.claims = append(body.claims, tx.from)
	}
	if root := types.DeriveSha(types.Transactions(body.txs), trie.NewStackTrie(nil)); root != header.TxHash {
		return nil, fmt.Errorf("%d transactions have the root %s, the header says %s", len(body.txs), root, header.TxHash)
	}
	return body, nil
}

// claimedTransaction keeps the sender that the node names: recovering it from the signature is work, and needed for few.
type claimedTransaction struct {
	tx   *types.Transaction
	from common.Address
}

func (c *claimedTransaction) UnmarshalJSON(raw []byte) error {
	var claim struct{ From common.Address }
	if err := json.Unmarshal(raw, &claim); err != nil {
		return err
	}
	c.from, c.tx = claim.From, new(types.Transaction)
	return c.tx.UnmarshalJSON(raw)
}

// senderOf recovers the sender of every transaction that could be a signer's: one that the node says is, and one to a vault
// or to a signer, which are all the destinations that signers use. Of a signer's transaction to anywhere else, which a
// lying node could hide this way, the signer's nonce would still tell.
func (b *blockBody) senderOf(i int, watched Watched) (common.Address, error) {
	tx, claim := b.txs[i], b.claims[i]
	near := tx.To() != nil && (slices.Contains(watched.Vaults, *tx.To()) || slices.Contains(watched.Signers, *tx.To()))
	if !near && !slices.Contains(watched.Signers, claim) {
		return claim, nil
	}
	from, err := types.Sender(types.LatestSignerForChainID(tx.ChainId()), tx)
	if err != nil {
		return claim, fmt.Errorf("sender of transaction %s: %w", tx.Hash(), err)
	}
	if from != claim {
		return claim, fmt.Errorf("transaction %s was sent by %s, not by %s", tx.Hash(), from, claim)
	}
	return from, nil
}

// txFacts is what became of one transaction. Without a receipt, logs are all that is known.
type txFacts struct {
	receipt bool
	ok      bool
	gasUsed uint64
	logs    []*types.Log // all of its receipt, in order
}

// blockFacts is a block with what became of its transactions, proven as far as the answers allowed.
type blockFacts struct {
	*blockBody
	outcomes []txFacts // by transaction index
}

// block picks what is ours.
func (f *blockFacts) block(watched Watched) (settlement.Block, error) {
	baseFee := settlement.Amount{}
	if f.header.BaseFee != nil {
		var err error
		if baseFee, err = settlement.AmountFromBig(f.header.BaseFee); err != nil {
			return settlement.Block{}, fmt.Errorf("base fee: %w", err)
		}
	}
	block := settlement.Block{
		BlockRef: settlement.BlockRef{Number: f.header.Number.Uint64(), Hash: f.hash},
		Parent:   f.header.ParentHash,
		Time:     time.Unix(int64(f.header.Time), 0).UTC(),
		BaseFee:  baseFee,
		GasLimit: f.header.GasLimit,
	}
	for i, tx := range f.txs {
		events, err := decodeReceipt(f.outcomes[i].logs, watched.Vaults)
		if err != nil {
			return settlement.Block{}, err
		}
		block.Events = append(block.Events, events...)
		from, err := f.senderOf(i, watched)
		if err != nil {
			return settlement.Block{}, err
		}
		if f.tops(i, from, watched) {
			if !f.outcomes[i].receipt {
				return settlement.Block{}, fmt.Errorf("transaction %s: its receipt was not read", tx.Hash())
			}
			value, err := settlement.AmountFromBig(tx.Value())
			if err != nil {
				return settlement.Block{}, fmt.Errorf("transaction %s: value: %w", tx.Hash(), err)
			}
			if f.outcomes[i].ok {
				block.Incoming = append(block.Incoming, settlement.Incoming{TxHash: tx.Hash(), Signer: *tx.To(), Amount: value})
			}
		}
		if !slices.Contains(watched.Signers, from) {
			continue
		}
		mined, err := f.mined(i, tx, from)
		if err != nil {
			return settlement.Block{}, fmt.Errorf("transaction %s: %w", tx.Hash(), err)
		}
		block.Transactions = append(block.Transactions, mined)
	}
	return block, nil
}

// tops reports whether a transaction, if it succeeded, brought coins to a signer of ours.
func (b *blockBody) tops(i int, from common.Address, watched Watched) bool {
	tx := b.txs[i]
	return tx.To() != nil && *tx.To() != from && tx.Value().Sign() > 0 && slices.Contains(watched.Signers, *tx.To())
}

func (f *blockFacts) mined(i int, tx *types.Transaction, from common.Address) (settlement.MinedTransaction, error) {
	outcome := f.outcomes[i]
	if !outcome.receipt {
		return settlement.MinedTransaction{}, errors.New("its receipt was not read")
	}
	if outcome.gasUsed > tx.Gas() {
		return settlement.MinedTransaction{}, fmt.Errorf("gas used is %d of a limit of %d", outcome.gasUsed, tx.Gas())
	}
	price, err := gasPrice(tx, f.header)
	if err != nil {
		return settlement.MinedTransaction{}, err
	}
	value, err := settlement.AmountFromBig(tx.Value())
	if err != nil {
		return settlement.MinedTransaction{}, fmt.Errorf("value: %w", err)
	}
	return settlement.MinedTransaction{
		Hash: tx.Hash(), Index: uint64(i), From: from, To: tx.To(), Nonce: tx.Nonce(), Value: value,
		OK: outcome.ok, GasUsed: outcome.gasUsed, GasLimit: tx.Gas(), GasPrice: price,
	}, nil
}
