package chain

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/ethereum/go-ethereum/rpc"

	"github.com/quittance/quittance/settlement"
)

// withoutBlockReceipts is a node that lacks the method, and lies as told in the rest.
func withoutBlockReceipts(t *testing.T, b *busyBlock, refusal rpcError, lie func(method string, truth any) any) *Reader {
	t.Helper()
	node := newLiar(t, b.rpc)
	node.lies(func(method string, _ []any, truth any) any {
		if method == "eth_getBlockReceipts" {
			return refusal
		}
		return lie(method, truth)
	})
	return NewReader(b.pool(map[string]*rpc.Client{"old node": node.client}), quiet())
}

func honestly(_ string, truth any) any { return truth }

func TestANodeWithoutBlockReceiptsIsReadReceiptByReceiptOrByItsLogs(t *testing.T) {
	t.Parallel()
	b := newBusyBlock(t)
	truth := b.read(t, b.pool(nil))
	for _, tc := range []struct {
		name    string
		refusal rpcError
		each    int
		why     string
	}{
		{"all receipts", rpcError{-32601, "the method eth_getBlockReceipts does not exist/is not available"}, receiptsEachMaxDefault, "the root is checked"},
		{"our receipts and all logs", rpcError{-32601, "the method eth_getBlockReceipts does not exist/is not available"}, 0, "too many transactions"},
		{"another code", rpcError{-32600, "Unsupported method: eth_getBlockReceipts"}, 0, "providers answer in their own words"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			reader := withoutBlockReceipts(t, b, tc.refusal, honestly)
			reader.receiptsEachMax = tc.each
			for range 2 { // the second time the reader knows the node
				got, err := reader.ReadBlock(context.Background(), b.watched(), b.ref.Hash, settlement.ChainReads{}, true)
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got, truth) {
					t.Errorf("read %+v\nwant %+v", got, truth)
				}
			}
			if got := reader.pool.Counts()["eth_getBlockReceipts"]; got != 1 {
				t.Errorf("the missing method was asked for %d times", got)
			}
		})
	}
}

func TestLogsAndReceiptsReadApartMustFitTheHeaderAndOneAnother(t *testing.T) {
	t.Parallel()
	b := newBusyBlock(t)
	for _, tc := range []struct {
		name, method string
		lie          func(truth any) any
		why          string
	}{
		{"T45: no logs", "eth_getLogs", func(any) any { return []any{} }, "an unindexed block has none"},
		{"null logs", "eth_getLogs", func(any) any { return nil }, "no answer"},
		{"the last log is missing", "eth_getLogs", func(truth any) any { return truth.([]any)[:len(truth.([]any))-1] }, "the bloom filter tells"},
		{"a log in between is missing", "eth_getLogs", func(truth any) any { return truth.([]any)[1:] }, "the indices tell"},
		{"a log is null", "eth_getLogs", func(truth any) any { truth.([]any)[0] = nil; return truth }, "must not crash us"},
		{"T50: a removed log", "eth_getLogs", func(truth any) any { truth.([]any)[0].(map[string]any)["removed"] = true; return truth }, "it belongs to no block"},
		{"a log of another transaction", "eth_getLogs", func(truth any) any {
			truth.([]any)[0].(map[string]any)["transactionHash"] = testEventID.Hex()
			return truth
		}, "the block does not hold it"},
		{"a log of another block", "eth_getLogs", func(truth any) any {
			truth.([]any)[0].(map[string]any)["blockHash"] = testEventID.Hex()
			return truth
		}, "T44: by number it could come from another branch"},
		{"a null receipt", "eth_getTransactionReceipt", func(any) any { return nil }, "the transaction is in the block"},
		{"a receipt of another block", "eth_getTransactionReceipt", func(truth any) any {
			truth.(map[string]any)["blockHash"] = testEventID.Hex()
			return truth
		}, "the node's chain changed meanwhile"},
		{"a receipt without its logs", "eth_getTransactionReceipt", func(truth any) any {
			truth.(map[string]any)["logs"] = []any{}
			return truth
		}, "the block's logs say otherwise"},
		{"a payment called failed", "eth_getTransactionReceipt", func(truth any) any {
			truth.(map[string]any)["status"] = "0x0"
			return truth
		}, "a failed transaction has no logs"},
		{"more gas than the limit", "eth_getTransactionReceipt", func(truth any) any {
			truth.(map[string]any)["gasUsed"] = "0xffffffff"
			return truth
		}, "impossible"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			reader := withoutBlockReceipts(t, b, rpcError{-32601, "method not found"}, func(method string, truth any) any {
				if method == tc.method {
					return tc.lie(truth)
				}
				return truth
			})
			reader.receiptsEachMax = 0
			_, err := reader.ReadBlock(context.Background(), b.watched(), b.ref.Hash, settlement.ChainReads{}, false)
			var fault *NodeFault
			if !errors.As(err, &fault) {
				t.Fatalf("error is %v, want a fault of the node (%s)", err, tc.why)
			}
		})
	}
}
