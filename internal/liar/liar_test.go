package liar

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/quittance/quittance/internal/devstack"
	"github.com/quittance/quittance/internal/devstack/stacktest"
)

type world struct {
	*testing.T
	liar     *Node
	truth    *ethclient.Client
	lies     *ethclient.Client
	funder   common.Address
	transfer func() *types.Transaction // signed, not sent
}

// newWorld puts a liar before a chain of its own, with a transfer already mined.
func newWorld(t *testing.T) *world {
	t.Helper()
	key, funder := stacktest.Funder()
	geth := stacktest.Geth(t, devstack.GethOptions{Fund: []string{funder.Hex()}})
	node, err := Start(geth.RPCURL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = node.Close() })
	w := &world{T: t, liar: node, funder: funder}
	for url, into := range map[string]**ethclient.Client{geth.RPCURL: &w.truth, node.URL: &w.lies} {
		if *into, err = ethclient.Dial(url); err != nil {
			t.Fatal(err)
		}
		t.Cleanup((*into).Close)
	}
	nonce := uint64(0)
	w.transfer = func() *types.Transaction {
		tx, err := types.SignNewTx(key, types.LatestSignerForChainID(new(big.Int).SetUint64(geth.ChainID)), &types.DynamicFeeTx{
			ChainID: new(big.Int).SetUint64(geth.ChainID), Nonce: nonce, GasTipCap: big.NewInt(params.GWei), GasFeeCap: big.NewInt(10 * params.GWei),
			Gas: 21_000, To: &funder, Value: big.NewInt(1)})
		if err != nil {
			t.Fatal(err)
		}
		nonce++
		return tx
	}
	if err := w.lies.SendTransaction(t.Context(), w.transfer()); err != nil {
		t.Fatalf("an honest proxy must forward: %v", err)
	}
	w.until("the transfer is mined", func() bool {
		n, err := w.truth.NonceAt(t.Context(), funder, nil)
		return err == nil && n == 1
	})
	return w
}

func (w *world) until(what string, done func() bool) {
	w.Helper()
	deadline, look := time.After(time.Minute), time.NewTicker(20*time.Millisecond)
	defer look.Stop()
	for !done() {
		select {
		case <-deadline:
			w.Fatal("waited in vain until", what)
		case <-look.C:
		}
	}
}

func TestASendMayGoThroughWhateverIsAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rows := []struct {
		lie     Lie
		through bool
		says    string // "": no error
		why     string
	}{
		{LoseResponse(), true, "EOF", "the node took it before the connection broke"},
		{DropRequest(), false, "EOF", "the same error, and nothing was taken"},
		{Refuse(-32000, "nonce too low", true), true, "nonce too low", "a refusal is no proof"},
		{Refuse(-32603, "nonce too low", false), false, "nonce too low", "nor is it a lie each time"},
		{Accepted(), false, "", "OK does not mean pooled"},
		{Status(429), false, "429", "rate limits are answered below JSON-RPC, too"},
	}
	for _, row := range rows {
		tx := w.transfer()
		w.liar.TellOnce(row.lie.Of(send))
		err := w.lies.SendTransaction(t.Context(), tx)
		if row.says == "" && err != nil || row.says != "" && (err == nil || !strings.Contains(err.Error(), row.says)) {
			t.Errorf("%s: error %v, want %q (%s)", row.lie.Name, err, row.says, row.why)
		}
		if _, _, err := w.truth.TransactionByHash(t.Context(), tx.Hash()); (err == nil) != row.through {
			t.Errorf("%s: known to the node: %v, want %v (%s)", row.lie.Name, err == nil, row.through, row.why)
		}
		if !row.through { // or its successors are gapped
			if err := w.lies.SendTransaction(t.Context(), tx); err != nil {
				t.Fatalf("a lie told once must not be told again: %v", err)
			}
		}
	}
}

func TestReadsLieAsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.until("there are some blocks", func() bool { n, err := w.truth.BlockNumber(t.Context()); return err == nil && n >= 6 })
	receipt := w.minedIn()
	rows := []struct {
		lie    Lie
		method string
		args   []any
		want   func(truth, lie string) bool
		why    string
	}{
		{StaleHead(3), "eth_blockNumber", nil, differ, "a node that stands still"},
		{StaleHead(3), "eth_getBlockByNumber", []any{"latest", false}, differ, "and its block with it"},
		{StaleNonce(100), "eth_getTransactionCount", []any{w.funder, "latest"}, func(_, lie string) bool { return lie == `"0x0"` }, "as of block 0"},
		{OlderTag("finalized", 100), "eth_getBlockByNumber", []any{"finalized", false}, func(_, lie string) bool { return strings.Contains(lie, `"number":"0x0"`) }, "a tag goes backwards"},
		{NoTag("finalized"), "eth_getBlockByNumber", []any{"finalized", false}, func(_, lie string) bool { return strings.Contains(lie, "unknown block") }, "older nodes"},
		{Null("eth_getTransactionReceipt"), "eth_getTransactionReceipt", []any{receipt.TxHash}, func(_, lie string) bool { return lie == "null" }, "not indexed yet"},
		{EmptyReceipts(), "eth_getBlockReceipts", []any{receipt.BlockHash}, func(_, lie string) bool { return lie == "[]" }, ""},
		{TruncatedReceipts(), "eth_getBlockReceipts", []any{receipt.BlockHash}, func(_, lie string) bool { return lie == "[]" }, "there is one"},
		{OtherStatus(), "eth_getBlockReceipts", []any{receipt.BlockHash}, func(_, lie string) bool { return strings.Contains(lie, `"status":"0x0"`) }, ""},
		{ChainID(5), "eth_chainId", nil, func(_, lie string) bool { return lie == `"0x5"` }, ""},
		{Genesis(), "eth_getBlockByNumber", []any{"0x0", false}, func(_, lie string) bool { return strings.Contains(lie, `"hash":"0xabab`) }, ""},
		{Syncing(), "eth_syncing", nil, func(_, lie string) bool { return strings.Contains(lie, "highestBlock") }, ""},
		{RateLimit(), "eth_gasPrice", nil, func(_, lie string) bool { return strings.Contains(lie, "rate limited") }, ""},
		{LogRange(-32602, "too wide"), "eth_getLogs", []any{map[string]string{"fromBlock": "0x0", "toBlock": "0x1"}}, func(_, lie string) bool { return lie == "too wide" }, ""},
		{LogRange(-32602, "too wide"), "eth_getLogs", []any{map[string]any{"blockHash": receipt.BlockHash}}, same, "one block is never too wide"},
	}
	for _, row := range rows {
		truth := w.ask(w.truth, row.method, row.args)
		takeBack := w.liar.Tell(row.lie)
		lie := w.ask(w.lies, row.method, row.args)
		takeBack()
		if !row.want(truth, lie) {
			t.Errorf("%s: %s answered %s (%s)", row.lie.Name, row.method, lie, row.why)
		}
		if row.method == "eth_chainId" && w.ask(w.lies, row.method, row.args) != truth {
			t.Errorf("%s: the lie was told after it was taken back", row.lie.Name)
		}
	}
}

func differ(truth, lie string) bool { return truth != lie }
func same(truth, lie string) bool   { return truth == lie }

// minedIn finds the first transfer's receipt.
func (w *world) minedIn() *types.Receipt {
	w.Helper()
	for n := range int64(1000) {
		block, err := w.truth.BlockByNumber(w.Context(), big.NewInt(n))
		if err != nil {
			w.Fatal(err)
		}
		if len(block.Transactions()) > 0 {
			receipt, err := w.truth.TransactionReceipt(w.Context(), block.Transactions()[0].Hash())
			if err != nil {
				w.Fatal(err)
			}
			return receipt
		}
	}
	return nil
}

// ask returns the result, or the error's text.
func (w *world) ask(c *ethclient.Client, method string, args []any) string {
	var raw json.RawMessage
	if err := c.Client().CallContext(w.Context(), &raw, method, args...); err != nil {
		return err.Error()
	}
	return string(raw)
}

func TestTheSameSeedTellsTheSameLies(t *testing.T) {
	t.Parallel()
	draw := func(seed uint64) (names []string) {
		n := &Node{calls: map[string]int{}}
		n.Moody(seed, 0.5, Everything()...)
		for range 200 {
			names = append(names, n.choose([]request{{Method: send}})[0].Name)
		}
		return names
	}
	if a, b := draw(7), draw(7); strings.Join(a, ",") != strings.Join(b, ",") {
		t.Error("two draws of one seed differ")
	}
	if a, b := draw(7), draw(8); strings.Join(a, ",") == strings.Join(b, ",") {
		t.Error("two seeds draw the same")
	}
}

func TestABatchIsLiedToRequestByRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.liar.Tell(Null("eth_gasPrice"))
	var id, price json.RawMessage
	batch := []rpc.BatchElem{{Method: "eth_chainId", Result: &id}, {Method: "eth_gasPrice", Result: &price}}
	if err := w.lies.Client().BatchCallContext(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	if string(id) == "null" || len(id) == 0 || string(price) != "null" {
		t.Errorf("chain id %s, gas price %s: want a number and null", id, price)
	}
	if w.liar.Calls("eth_gasPrice") != 1 {
		t.Errorf("calls are not counted")
	}
}
