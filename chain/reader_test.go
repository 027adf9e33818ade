package chain

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/quittance/quittance/settlement"
)

// busyBlock holds a payment, a deposit, a revert and a cancel of ours, and strangers' transactions between them.
type busyBlock struct {
	*sealed
	ref                              settlement.BlockRef
	payment, deposit, revert, cancel *types.Transaction
}

func newBusyBlock(t testing.TB) *busyBlock {
	t.Helper()
	b := &busyBlock{sealed: newSealed(t)}
	b.payment = b.settle("order-1", 125)
	b.deposit = b.sealed.deposit("alice", 77)
	b.revert = b.settle("order-1", 125) // the id is used
	b.cancel = b.send(b.operator, &b.operator.addr, 0, nil)
	b.send(b.owner, &b.customer.addr, 5, nil)
	b.ref = b.commit()
	return b
}

func (b *busyBlock) read(t testing.TB, pool *Pool) settlement.Block {
	t.Helper()
	block, err := NewReader(pool, quiet()).ReadBlock(context.Background(), b.watched(), b.ref.Hash, settlement.ChainReads{}, true)
	if err != nil {
		t.Fatal(err)
	}
	return block
}

func TestABlockIsReadWithOurTransactionsAndTheVaultsEvents(t *testing.T) {
	t.Parallel()
	b := newBusyBlock(t)
	block := b.read(t, b.pool(nil))
	header, err := b.eth.HeaderByHash(context.Background(), b.ref.Hash)
	if err != nil {
		t.Fatal(err)
	}
	if block.BlockRef != b.ref || block.Parent != header.ParentHash || uint64(block.Time.Unix()) != header.Time ||
		block.BaseFee.Big().Cmp(header.BaseFee) != 0 || block.GasLimit != header.GasLimit {
		t.Errorf("block is %+v, the header says %+v", block, header)
	}
	if len(block.Transactions) != 3 {
		t.Fatalf("%d transactions are ours, want 3: %+v", len(block.Transactions), block.Transactions)
	}
	for i, want := range []struct {
		tx *types.Transaction
		ok bool
	}{{b.payment, true}, {b.revert, false}, {b.cancel, true}} {
		got, receipt := block.Transactions[i], b.receipt(want.tx)
		if got.Hash != want.tx.Hash() || got.OK != want.ok || got.From != b.operator.addr || *got.To != *want.tx.To() || got.Nonce != want.tx.Nonce() {
			t.Errorf("transaction %d is %+v", i, got)
		}
		if got.GasUsed != receipt.GasUsed || got.GasPrice.Big().Cmp(receipt.EffectiveGasPrice) != 0 || got.GasLimit != want.tx.Gas() || got.Index != uint64(receipt.TransactionIndex) {
			t.Errorf("transaction %d: used %d of %d at %s in place %d, the receipt says %+v", i, got.GasUsed, got.GasLimit, got.GasPrice, got.Index, receipt)
		}
	}
	b.wantEvents(t, block)
}

func (b *busyBlock) wantEvents(t *testing.T, block settlement.Block) {
	t.Helper()
	if len(block.Events) != 2 {
		t.Fatalf("%d events, want 2: %+v", len(block.Events), block.Events)
	}
	for _, want := range []struct {
		tx    *types.Transaction
		event settlement.Event
	}{
		{b.payment, settlement.Event{Name: settlement.EventSettled, ID: idOf("order-1"), Token: b.token, Party: testPayee, Amount: settlement.NewAmount(125)}},
		{b.deposit, settlement.Event{Name: settlement.EventDeposited, ID: idOf("alice"), Token: b.token, Party: b.customer.addr, Amount: settlement.NewAmount(77)}},
	} {
		got := eventOf(t, block, want.tx.Hash())
		if got.Name != want.event.Name || got.ID != want.event.ID || got.Token != want.event.Token || got.Party != want.event.Party || got.Amount != want.event.Amount {
			t.Errorf("event is %+v, want %+v", got, want.event)
		}
		log := vaultLogOf(t, b.receipt(want.tx), b.vault)
		if first := b.receipt(want.tx).Logs[0].Index; got.LogIndex != uint64(log.Index) || got.TxLogIndex != uint64(log.Index-first) {
			t.Errorf("%s is at %d, %d in its transaction; the receipt has it at %d of a transaction that begins at %d", got.Name, got.LogIndex, got.TxLogIndex, log.Index, first)
		}
	}
	if got := eventOf(t, block, b.deposit.Hash()).TxLogIndex; got == 0 {
		t.Error("the token's own log comes before the deposit's: this test must see an index above 0")
	}
}

func eventOf(t testing.TB, block settlement.Block, tx common.Hash) settlement.Event {
	t.Helper()
	for _, event := range block.Events {
		if event.TxHash == tx {
			return event
		}
	}
	t.Fatalf("no event of transaction %s in %+v", tx, block.Events)
	return settlement.Event{}
}

func vaultLogOf(t testing.TB, receipt *types.Receipt, vault common.Address) *types.Log {
	t.Helper()
	for _, log := range receipt.Logs {
		if log.Address == vault {
			return log
		}
	}
	t.Fatalf("no log of the vault in %+v", receipt)
	return nil
}

func TestTheReadingsAreOfTheBlockThatWasReadNotOfTheHead(t *testing.T) {
	t.Parallel()
	b := newBusyBlock(t)
	b.settle("order-2", 1000)
	b.send(b.owner, &b.vault, 0, vaultABI.PackPause())
	later := b.commit()
	pool := b.pool(nil)
	before := b.read(t, pool).Reads
	b.ref = later
	after := b.read(t, pool).Reads

	want := settlement.Signer{Nonce: b.cancel.Nonce() + 1, Operator: true, Balance: before.Signers[b.operator.addr].Balance}
	if got := before.Signers[b.operator.addr]; got != want || got.Balance.IsZero() {
		t.Errorf("signer is %+v, want %+v", got, want)
	}
	if got := after.Signers[b.operator.addr]; got.Nonce != want.Nonce+1 || got.Balance.Cmp(want.Balance) >= 0 {
		t.Errorf("signer is %+v a payment later", got)
	}
	if before.VaultPaused || !after.VaultPaused {
		t.Errorf("paused: %t, then %t", before.VaultPaused, after.VaultPaused)
	}
	if difference, _ := before.VaultBalances[2].Sub(after.VaultBalances[2]); difference != settlement.NewAmount(1000) {
		t.Errorf("the vault's tokens went from %s to %s", before.VaultBalances[2], after.VaultBalances[2])
	}
	if before.VaultBalances[1] != settlement.NewAmount(1_000_000_000) {
		t.Errorf("the vault has %s wei", before.VaultBalances[1])
	}
	if before.Tip.Cmp(b.watched().TipFloor) < 0 {
		t.Errorf("tip %s is below the floor", before.Tip)
	}
}

func TestABlockCostsOneRequestWithItsReceiptsAndReadings(t *testing.T) {
	t.Parallel()
	b := newBusyBlock(t)
	node := newLiar(t, b.rpc)
	pool := b.pool(map[string]*rpc.Client{"node": node.client})
	before := node.seen()
	b.read(t, pool)
	if got := node.seen() - before; got != 1 {
		t.Errorf("reading one block took %d requests", got)
	}
}

func TestReadingsThatCannotBeTakenLeaveTheBlockWholeAndTheLastOnesStanding(t *testing.T) {
	t.Parallel()
	b := newBusyBlock(t)
	node := newLiar(t, b.rpc)
	node.lies(func(method string, _ []any, truth any) any {
		switch method {
		case "eth_call", "eth_getBalance", "eth_maxPriorityFeePerGas":
			return rpcError{-32000, "missing trie node"}
		}
		return truth
	})
	last := settlement.ChainReads{Tip: settlement.NewAmount(20_000_000), VaultPaused: true}
	block, err := NewReader(b.pool(map[string]*rpc.Client{"node": node.client}), quiet()).ReadBlock(context.Background(), b.watched(), b.ref.Hash, last, true)
	if err != nil {
		t.Fatal(err)
	}
	b.wantEvents(t, block)
	if block.Reads.Tip != last.Tip || !block.Reads.VaultPaused {
		t.Errorf("readings are %+v, want the last tip and pause", block.Reads)
	}
	if len(block.Reads.VaultBalances) != 0 || len(block.Reads.Signers) != 0 {
		t.Errorf("readings that failed count as read: %+v", block.Reads)
	}
}

func TestAnotherNodeTakesTheReadingsThatOneCannot(t *testing.T) {
	t.Parallel()
	b := newBusyBlock(t)
	pruned := newLiar(t, b.rpc)
	pruned.lies(func(method string, _ []any, truth any) any {
		if method == "eth_call" {
			return rpcError{-32000, "missing trie node"}
		}
		return truth
	})
	reads := b.read(t, b.pool(map[string]*rpc.Client{"a": pruned.client, "b": b.rpc})).Reads
	if !reads.Signers[b.operator.addr].Operator || len(reads.VaultBalances) != 2 {
		t.Errorf("readings are %+v", reads)
	}
}

// lies are answers that cannot be true of the block. T44 https://github.com/ethereum/go-ethereum/issues/24078 and T45
// https://github.com/filecoin-project/lotus/issues/13749 are nodes that answer with nothing for what they have not indexed.
var blockLies = []struct {
	name, method string
	lie          func(b *busyBlock, truth any) any
	why          string
}{
	{"T44: no such block", "eth_getBlockByHash", func(*busyBlock, any) any { return nil }, "a node behind its balancer does not have it yet"},
	{"T45: no receipts", "eth_getBlockReceipts", func(*busyBlock, any) any { return []any{} }, "blocks are served before they are indexed"},
	{"null receipts", "eth_getBlockReceipts", func(*busyBlock, any) any { return nil }, "null is no evidence"},
	{"a receipt is dropped", "eth_getBlockReceipts", func(_ *busyBlock, truth any) any { return truth.([]any)[1:] }, "truncated"},
	{"a receipt is null", "eth_getBlockReceipts", func(_ *busyBlock, truth any) any { truth.([]any)[0] = nil; return truth }, "must not crash us"},
	{"the receipts' logs are empty", "eth_getBlockReceipts", func(_ *busyBlock, truth any) any {
		for _, receipt := range truth.([]any) {
			receipt.(map[string]any)["logs"] = []any{}
		}
		return truth
	}, "T45 again, log by log"},
	{"a log is null", "eth_getBlockReceipts", func(b *busyBlock, truth any) any {
		b.receiptIn(truth, b.payment)["logs"].([]any)[0] = nil
		return truth
	}, "must not crash us"},
	{"an amount is changed", "eth_getBlockReceipts", func(b *busyBlock, truth any) any {
		b.vaultLogIn(truth, b.payment)["data"] = common.BytesToHash(word(999)).Hex()
		return truth
	}, "the root covers it"},
	{"a failure is called success", "eth_getBlockReceipts", func(b *busyBlock, truth any) any {
		b.receiptIn(truth, b.revert)["status"] = "0x1"
		return truth
	}, "the root covers it"},
	{"a log is flagged as removed", "eth_getBlockReceipts", func(b *busyBlock, truth any) any {
		b.vaultLogIn(truth, b.payment)["removed"] = true
		return truth
	}, "T50: it belongs to no block"},
	{"a transaction is dropped", "eth_getBlockByHash", func(_ *busyBlock, truth any) any {
		block := truth.(map[string]any)
		block["transactions"] = block["transactions"].([]any)[1:]
		return truth
	}, "the transactions root covers it"},
	{"a stranger's transaction is changed", "eth_getBlockByHash", func(b *busyBlock, truth any) any {
		for _, tx := range truth.(map[string]any)["transactions"].([]any) {
			if strings.EqualFold(tx.(map[string]any)["from"].(string), b.owner.addr.Hex()) {
				tx.(map[string]any)["value"] = "0x6"
			}
		}
		return truth
	}, "the transactions root covers it, and the receipts root does not"},
	{"another block", "eth_getBlockByHash", func(b *busyBlock, _ any) any {
		var other any
		if err := b.rpc.Call(&other, "eth_getBlockByNumber", "0x1", true); err != nil {
			panic(err)
		}
		return other
	}, "its header hashes to another hash"},
	{"a header field is changed", "eth_getBlockByHash", func(_ *busyBlock, truth any) any {
		truth.(map[string]any)["parentHash"] = common.HexToHash("0x01").Hex()
		return truth
	}, "a forged parent would look like a reorg"},
	{"a sender is changed", "eth_getBlockByHash", func(b *busyBlock, truth any) any {
		for _, tx := range truth.(map[string]any)["transactions"].([]any) {
			if tx.(map[string]any)["hash"] == b.payment.Hash().Hex() {
				tx.(map[string]any)["from"] = b.customer.addr.Hex()
			}
		}
		return truth
	}, "it would hide our transaction"},
	{"an error", "eth_getBlockReceipts", func(*busyBlock, any) any { return rpcError{-32603, "internal error"} }, "no answer"},
}

func (b *busyBlock) receiptIn(truth any, tx *types.Transaction) map[string]any {
	for _, receipt := range truth.([]any) {
		if receipt.(map[string]any)["transactionHash"] == tx.Hash().Hex() {
			return receipt.(map[string]any)
		}
	}
	panic("no such receipt")
}

func (b *busyBlock) vaultLogIn(truth any, tx *types.Transaction) map[string]any {
	for _, log := range b.receiptIn(truth, tx)["logs"].([]any) {
		if strings.EqualFold(log.(map[string]any)["address"].(string), b.vault.Hex()) {
			return log.(map[string]any)
		}
	}
	panic("no such log")
}

func TestAnAnswerThatCannotBeTrueIsTheNodesFaultAndTheNextNodeIsAsked(t *testing.T) {
	t.Parallel()
	b := newBusyBlock(t)
	truth := b.read(t, b.pool(nil))
	for _, tc := range blockLies {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			node := newLiar(t, b.rpc)
			node.lies(func(method string, _ []any, answer any) any {
				if method == tc.method {
					return tc.lie(b, answer)
				}
				return answer
			})
			alone := NewReader(b.pool(map[string]*rpc.Client{"liar": node.client}), quiet())
			_, err := alone.ReadBlock(context.Background(), b.watched(), b.ref.Hash, settlement.ChainReads{}, false)
			var fault *NodeFault
			if !errors.As(err, &fault) || fault.Endpoint != "liar" || settlement.KindOf(err) != settlement.Transient {
				t.Fatalf("error is %v, want a fault of the node (%s)", err, tc.why)
			}
			if got := b.read(t, b.pool(map[string]*rpc.Client{"a liar": node.client, "honest": b.rpc})); !reflect.DeepEqual(got, truth) {
				t.Errorf("with an honest node beside it: %+v\nwant %+v", got, truth)
			}
		})
	}
}

func TestWhatTheRootsDoNotCoverIsComputedAndNotBelieved(t *testing.T) {
	t.Parallel()
	b := newBusyBlock(t)
	truth := b.read(t, b.pool(nil))
	node := newLiar(t, b.rpc)
	node.lies(func(method string, _ []any, answer any) any {
		if method != "eth_getBlockReceipts" {
			return answer
		}
		for _, receipt := range answer.([]any) {
			r := receipt.(map[string]any)
			r["gasUsed"], r["effectiveGasPrice"], r["transactionIndex"] = "0x1", "0x1", "0x63"
			for _, log := range r["logs"].([]any) {
				log.(map[string]any)["logIndex"] = "0x0"
				log.(map[string]any)["transactionHash"] = common.HexToHash("0x02").Hex()
			}
		}
		return answer
	})
	if got := b.read(t, b.pool(map[string]*rpc.Client{"liar": node.client})); !reflect.DeepEqual(got, truth) {
		t.Errorf("read %+v\nwant %+v", got, truth)
	}
}
