package chain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"strings"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/quittance/quittance/settlement"
)

// Watched is what a listener looks for on its chain.
type Watched struct {
	Vault    common.Address     // whose readings are taken: new settlements are paid from it
	Vaults   []common.Address   // whose events are taken: Vault, and every earlier one
	Signers  []common.Address   // whose transactions are taken, and their readings: every lane that was ever added
	Keyless  []common.Address   // those of Signers that nobody here can sign for
	Assets   []settlement.Asset // whose vault balances are read
	TipFloor settlement.Amount  // wei per gas; the suggested tip is never reported below it
}

// receiptsEachMaxDefault is an Ethereum block or two; a batch holds 500 questions.
const receiptsEachMaxDefault = 400

// NodeFault is an answer that cannot be true of the block asked for, or none for a block that other nodes know. It says
// something about the node and nothing about the chain: the next node is asked.
type NodeFault struct {
	Endpoint string
	Err      error
}

func (f *NodeFault) Error() string { return fmt.Sprintf("node %s: %v", f.Endpoint, f.Err) }
func (f *NodeFault) Unwrap() error { return notVerdict{f.Err} }

func faultf(e *Endpoint, format string, args ...any) error {
	return &NodeFault{Endpoint: e.Name(), Err: fmt.Errorf(format, args...)}
}

// Reader reads blocks by hash and believes a node only as far as the hash proves it: the header hashes to the block's
// hash, transactions and receipts hash to the header's roots, and what those do not cover (indices, gas used, the price of
// gas) is computed from them instead of taken from the answer. A chain whose headers or transactions this build cannot
// encode can therefore not be read.
type Reader struct {
	pool *Pool
	log  *slog.Logger
	// receiptsEachMax is up to how many transactions a block may have for its receipts to be asked one by one from a node
	// without eth_getBlockReceipts: all of them together are proven by the root. Above it, only the signers' are asked.
	receiptsEachMax int

	mu         sync.Mutex
	noReceipts map[string]bool // endpoints that lack eth_getBlockReceipts
}

// NewReader reads through the nodes of the pool.
func NewReader(pool *Pool, log *slog.Logger) *Reader {
	return &Reader{pool: pool, log: log, receiptsEachMax: receiptsEachMaxDefault, noReceipts: map[string]bool{}}
}

// ReadBlock reads one block in one batch to one node (more only if that node lacks eth_getBlockReceipts), and asks the next
// node if the answer is missing, truncated or inconsistent. Fresh readings are taken at the block's own state, which most
// nodes keep for recent blocks only: ask for them only at the head. They are hints: what of them cannot be read, or is
// not asked for, keeps the last tip and pause, leaves the maps' entries out, and never fails the block.
func (r *Reader) ReadBlock(ctx context.Context, watched Watched, hash common.Hash, last settlement.ChainReads, fresh bool) (settlement.Block, error) {
	var block settlement.Block
	err := r.pool.oneOf(ctx, func(e *Endpoint) error {
		start := time.Now()
		var err error
		if block, err = r.readFrom(ctx, e, watched, hash, last, fresh); err != nil {
			r.log.WarnContext(ctx, "a node cannot serve a block", "node", e.Name(), "block", hash, "err", err)
			e.observe(e.Name(), "read_block", time.Since(start), err)
		}
		return err
	})
	if err != nil {
		return settlement.Block{}, settlement.Errorf(settlement.Transient, "read block %s: %w", hash, err)
	}
	return block, nil
}

func (r *Reader) readFrom(ctx context.Context, e *Endpoint, watched Watched, hash common.Hash, last settlement.ChainReads, fresh bool) (settlement.Block, error) {
	var rawBlock, rawReceipts json.RawMessage
	items := []rpc.BatchElem{{Method: "eth_getBlockByHash", Args: []any{hash, true}, Result: &rawBlock}}
	whole := !r.lacksReceipts(e)
	if whole {
		items = append(items, rpc.BatchElem{Method: "eth_getBlockReceipts", Args: []any{hash}, Result: &rawReceipts})
	}
	var reads *readingsBatch
	if fresh {
		reads = newReadings(watched, hash)
		items = append(items, reads.items...)
	}
	if err := r.batch(ctx, e, items); err != nil {
		return settlement.Block{}, err
	}
	if items[0].Error != nil {
		return settlement.Block{}, faultf(e, "block %s: %w", hash, items[0].Error)
	}
	body, err := parseBlock(rawBlock, hash)
	if err != nil {
		return settlement.Block{}, faultf(e, "block %s: %w", hash, err)
	}
	var facts *blockFacts
	switch {
	case whole && items[1].Error == nil:
		facts, err = factsOfReceipts(body, rawReceipts)
	case whole && !lacksMethod(items[1].Error):
		err = fmt.Errorf("receipts: %w", items[1].Error)
	default:
		r.markLacksReceipts(e)
		facts, err = r.factsWithoutBlockReceipts(ctx, e, body, watched)
	}
	if err != nil {
		return settlement.Block{}, faultf(e, "block %d %s: %w", body.header.Number, hash, err)
	}
	block, err := facts.block(watched)
	if err != nil {
		return settlement.Block{}, faultf(e, "block %d %s: %w", body.header.Number, hash, err)
	}
	block.Reads = settlement.ChainReads{Tip: last.Tip, VaultPaused: last.VaultPaused}
	if fresh {
		copy(reads.items, items[len(items)-len(reads.items):]) // the batch wrote each item's error into its own copy
		block.Reads = r.takeReadings(ctx, e, reads, watched, last, block.BlockRef)
	}
	return block, nil
}

// takeReadings asks the other nodes as well if this one could not answer everything, and settles for the fullest answer.
func (r *Reader) takeReadings(ctx context.Context, served *Endpoint, reads *readingsBatch, watched Watched, last settlement.ChainReads, at settlement.BlockRef) settlement.ChainReads {
	best, missing, err := reads.take(watched.TipFloor, last)
	for _, e := range r.pool.Endpoints() {
		if missing == 0 || e == served {
			continue
		}
		again := newReadings(watched, at.Hash)
		if batchErr := r.batch(ctx, e, again.items); batchErr != nil {
			continue
		}
		if other, left, otherErr := again.take(watched.TipFloor, last); left < missing {
			best, missing, err = other, left, otherErr
		}
	}
	if missing > 0 {
		r.log.WarnContext(ctx, "some readings of a block cannot be taken", "block", at.Number, "hash", at.Hash, "missing", missing, "err", err)
	}
	return best
}

// batch counts what it asks: a request on an endpoint is not counted by the pool.
func (r *Reader) batch(ctx context.Context, e *Endpoint, items []rpc.BatchElem) error {
	for _, item := range items {
		r.pool.Count(item.Method, 1)
	}
	return e.Batch(ctx, items)
}

func (r *Reader) lacksReceipts(e *Endpoint) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.noReceipts[e.Name()]
}

func (r *Reader) markLacksReceipts(e *Endpoint) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.noReceipts[e.Name()] = true
}

// codeMethodNotFound is JSON-RPC's; some providers answer with another code and one of the texts.
const codeMethodNotFound = -32601

// lacksMethod tells a node that does not offer a method from one that failed at it.
func lacksMethod(err error) bool {
	var said rpc.Error
	if !errors.As(err, &said) {
		return false
	}
	if said.ErrorCode() == codeMethodNotFound {
		return true
	}
	text := strings.ToLower(said.Error())
	for _, part := range []string{"method not found", "does not exist/is not available", "method is not supported", "method not supported", "unsupported method"} {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// gasPrice is what the transaction paid per gas. It follows from the transaction and the block's base fee alone; the
// receipts root does not cover what a receipt says about it.
func gasPrice(tx *types.Transaction, header *types.Header) (settlement.Amount, error) {
	if header.BaseFee == nil {
		return settlement.AmountFromBig(tx.GasPrice())
	}
	tip, err := tx.EffectiveGasTip(header.BaseFee)
	if err != nil {
		return settlement.Amount{}, fmt.Errorf("price of gas: %w", err)
	}
	return settlement.AmountFromBig(new(big.Int).Add(tip, header.BaseFee))
}
