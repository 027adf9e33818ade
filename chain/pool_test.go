package chain

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/quittance/quittance/settlement"
)

// scripted is a node that can be made to misbehave in ways that a real one does only when it is broken.
type scripted struct {
	*httptest.Server
	mu      sync.Mutex
	chainID uint64
	genesis common.Hash
	answer  func(method string) (result any, err *said, status int)
	asked   []string
	sent    []string // parameters of the sends
	opened  atomic.Int64
}

func newScripted(t testing.TB, answer func(method string) (any, *said, int)) *scripted {
	t.Helper()
	s := &scripted{chainID: 1337, genesis: common.HexToHash("0x01"), answer: answer}
	s.Server = httptest.NewUnstartedServer(s)
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.opened.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	return s
}

func (s *scripted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	type question struct {
		ID     json.RawMessage
		Method string
		Params []any
	}
	var many []question
	batch := json.Unmarshal(body, &many) == nil
	if !batch {
		many = make([]question, 1)
		if json.Unmarshal(body, &many[0]) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
	}
	answers := make([]map[string]any, len(many))
	for i, q := range many {
		if q.Method == "eth_sendRawTransaction" && len(q.Params) == 1 {
			s.took(q.Params[0])
		}
		result, said, status := s.reply(q.Method)
		if status != 0 {
			w.WriteHeader(status)
			return
		}
		answers[i] = map[string]any{"jsonrpc": "2.0", "id": q.ID, "result": result}
		if said != nil {
			answers[i] = map[string]any{"jsonrpc": "2.0", "id": q.ID, "error": map[string]any{"code": said.code, "message": said.text, "data": said.data}}
		}
	}
	w.Header().Set("Content-Type", "application/json")
	var out any = answers
	if !batch {
		out = answers[0]
	}
	if err := json.NewEncoder(w).Encode(out); err != nil {
		return
	}
}

func (s *scripted) reply(method string) (any, *said, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch method {
	case "eth_chainId":
		return hexutil.Uint64(s.chainID), nil, 0
	case "eth_getBlockByNumber":
		return map[string]any{"hash": s.genesis}, nil, 0
	}
	s.asked = append(s.asked, method)
	return s.answer(method)
}

func (s *scripted) took(raw any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, raw.(string))
}

// becomes makes the node one of another chain: its connections break, as in a restart, and the address stays.
func (s *scripted) becomes(chainID uint64, genesis common.Hash) {
	s.mu.Lock()
	s.chainID, s.genesis = chainID, genesis
	s.mu.Unlock()
	s.CloseClientConnections()
}

func (s *scripted) questions() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asked...)
}

func number(string) (any, *said, int) { return "0x7", nil, 0 }

func dialScripted(t testing.TB, nodes ...*scripted) *Pool {
	t.Helper()
	var urls []string
	for _, n := range nodes {
		urls = append(urls, n.URL+"/secret-key")
	}
	pool, err := Dial(t.Context(), urls, 1337, common.HexToHash("0x01"), WithTimeout(5*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// T41, https://github.com/golemfactory/yagna/issues/3445.
func TestT41ANodeOfAnotherChainIsRefusedAtTheStart(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		chainID uint64
		genesis common.Hash
		want    string
	}{
		{1, common.HexToHash("0x01"), "its chain id is 1, not 1337"},
		{1337, common.HexToHash("0x02"), "its genesis is"},
	} {
		good, bad := newScripted(t, number), newScripted(t, number)
		bad.chainID, bad.genesis = row.chainID, row.genesis
		_, err := Dial(t.Context(), []string{good.URL, bad.URL + "/secret-key?k=secret"}, 1337, common.HexToHash("0x01"))
		if settlement.KindOf(err) != settlement.Invalid || !errors.Is(err, ErrWrongChain) || !strings.Contains(err.Error(), row.want) {
			t.Errorf("got %v, want %q", err, row.want)
		}
		if err != nil && (!strings.Contains(err.Error(), bad.URL) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%v must name the node and not its key", err)
		}
	}
}

func TestT41ANodeThatBecomesOneOfAnotherChainIsNeverAskedAgain(t *testing.T) {
	t.Parallel()
	for _, becomes := range []identity{{1, common.HexToHash("0x01")}, {1337, common.HexToHash("0x02")}} {
		node := newScripted(t, number)
		pool := dialScripted(t, node)
		var got hexutil.Uint64
		if err := pool.Call(t.Context(), &got, "eth_gasPrice"); err != nil || got != 7 {
			t.Fatalf("got %d, %v", got, err)
		}
		before := len(node.questions())
		node.becomes(becomes.chainID, becomes.genesis)
		if err := pool.Call(t.Context(), &got, "eth_gasPrice"); !errors.Is(err, ErrWrongChain) {
			t.Errorf("got %v", err)
		}
		for _, answer := range pool.Send(t.Context(), []byte{1}) {
			if v := Classify(answer.Err); v.Class != PossiblySent {
				t.Errorf("a send to another chain is %s", v.Class)
			}
		}
		if after := node.questions(); len(after) != before {
			t.Errorf("the other chain was asked %v", after[before:])
		}
		node.becomes(1337, common.HexToHash("0x01"))
		if err := pool.Call(t.Context(), &got, "eth_gasPrice"); err != nil {
			t.Errorf("the right chain is back: %v", err)
		}
	}
}

func TestEveryNewConnectionProvesTheChainAndOldOnesAreKept(t *testing.T) {
	t.Parallel()
	node := newScripted(t, number)
	pool := dialScripted(t, node)
	for range 20 {
		if err := pool.Call(t.Context(), nil, "eth_gasPrice"); err != nil {
			t.Fatal(err)
		}
	}
	if opened := node.opened.Load(); opened != 1 {
		t.Errorf("21 requests one after the other opened %d connections", opened)
	}
	if got := pool.Counts(); got["eth_gasPrice"] != 20 || len(got) != 1 {
		t.Errorf("counted %v", got)
	}
}

func TestANodeWithoutAnAnswerIsPassedOverAndAVerdictIsNot(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		answer func(string) (any, *said, int)
		passed bool
		why    string
	}{
		{func(string) (any, *said, int) { return nil, nil, http.StatusBadGateway }, true, "an HTTP error"},
		{func(string) (any, *said, int) { return nil, nil, http.StatusTooManyRequests }, true, "a rate limit"},
		{func(string) (any, *said, int) { return nil, &said{code: -32005, text: "limit exceeded"}, 0 }, true, "a rate limit as a JSON-RPC error"},
		{func(string) (any, *said, int) { return nil, &said{code: 3, text: "execution reverted", data: "0x"}, 0 }, false, "a revert is an answer"},
		{func(string) (any, *said, int) { return nil, &said{code: -32000, text: "header not found"}, 0 }, false, "so is this: who needs more asks all"},
	} {
		first, second := newScripted(t, row.answer), newScripted(t, number)
		pool := dialScripted(t, first, second)
		var got hexutil.Uint64
		err := pool.Call(t.Context(), &got, "eth_gasPrice")
		if passed := err == nil && got == 7; passed != row.passed {
			t.Errorf("%s: got %d, %v", row.why, got, err)
		}
		if row.passed {
			if err := pool.Call(t.Context(), &got, "eth_gasPrice"); err != nil || len(first.questions()) != 1 {
				t.Errorf("%s: the node was asked again first: %v, %v", row.why, first.questions(), err)
			}
			continue
		}
		var call *CallError
		if !errors.As(err, &call) || call.Endpoint != first.URL || call.Method != "eth_gasPrice" || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v must name node and method, and no key", err)
		}
	}
}

func TestADownNodeIsKeptAndAskedWhenItComesBack(t *testing.T) {
	t.Parallel()
	up, down := newScripted(t, number), newScripted(t, number)
	address := down.Listener.Addr().String()
	down.Close()
	pool := dialScripted(t, up, down)
	if errs := pool.Send(t.Context(), []byte{1}); errs[0].Err != nil || IsVerdict(errs[1].Err) {
		t.Fatalf("sends answered %v", errs)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	again := &scripted{chainID: 1337, genesis: common.HexToHash("0x01"), answer: number}
	again.Server = &httptest.Server{Listener: listener, Config: &http.Server{Handler: again}}
	again.Start()
	t.Cleanup(again.Close)
	if errs := pool.Send(t.Context(), []byte{1}); errs[0].Err != nil || errs[1].Err != nil {
		t.Fatalf("sends answered %v", errs)
	}
	if got := pool.Counts()["eth_sendRawTransaction"]; got != 2 {
		t.Errorf("two fan-outs counted as %d calls", got)
	}
}

func TestNoNodeAtAllAndNoURLAtAllAreToldApart(t *testing.T) {
	t.Parallel()
	gone := newScripted(t, number)
	gone.Close()
	if _, err := Dial(t.Context(), []string{gone.URL}, 1337, common.Hash{}); settlement.KindOf(err) != settlement.Transient || !strings.Contains(err.Error(), gone.URL) {
		t.Errorf("nobody answers: %v", err)
	}
	for _, urls := range [][]string{nil, {"/tmp/geth.ipc"}, {"ftp://node"}, {"http://%"}} {
		if _, err := Dial(t.Context(), urls, 1337, common.Hash{}); settlement.KindOf(err) != settlement.Invalid {
			t.Errorf("%v: %v", urls, err)
		}
	}
}

func TestAHangingNodeCostsOneTimeout(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	hanging := newScripted(t, func(string) (any, *said, int) { <-release; return "0x7", nil, 0 })
	t.Cleanup(func() { close(release) })
	healthy := newScripted(t, number)
	pool, err := Dial(t.Context(), []string{hanging.URL, healthy.URL}, 1337, common.HexToHash("0x01"), WithTimeout(300*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	answers := pool.Send(t.Context(), []byte{1})
	if answers[1].Err != nil || !errors.Is(answers[0].Err, context.DeadlineExceeded) || IsVerdict(answers[0].Err) {
		t.Errorf("got %v", answers)
	}
	if v := ClassifyAll(answers); v.Class != Accepted {
		t.Errorf("one took it, all in all it is %s", v.Class)
	}
}

// The timeout is an hour: a send that waited for the hanging node would end this test by its own deadline.
func TestAHangingNodeHoldsUpNoSendThatAnotherNodeTook(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	hanging := newScripted(t, func(string) (any, *said, int) { <-release; return "0x7", nil, 0 })
	healthy := newScripted(t, func(string) (any, *said, int) { return nil, &said{code: -32000, text: "already known"}, 0 })
	pool, err := Dial(t.Context(), []string{hanging.URL, healthy.URL}, 1337, common.HexToHash("0x01"), WithTimeout(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	t.Cleanup(func() { close(release) })
	answers := pool.Send(t.Context(), []byte{1})
	if v := ClassifyAll(answers); v.Class != AcceptedBefore || Classify(answers[0].Err).Class != PossiblySent {
		t.Errorf("got %v", answers)
	}
}

func TestABatchIsCutToTheNodesLimitAndItsItemsKeepTheirErrors(t *testing.T) {
	t.Parallel()
	node := newScripted(t, func(method string) (any, *said, int) {
		if method == "eth_bad" {
			return nil, &said{code: -32601, text: "no such method"}, 0
		}
		return "0x7", nil, 0
	})
	pool := dialScripted(t, node)
	items := make([]rpc.BatchElem, 2*batchItemsMax+1)
	got := make([]hexutil.Uint64, len(items))
	for i := range items {
		items[i] = rpc.BatchElem{Method: "eth_gasPrice", Result: &got[i]}
	}
	items[batchItemsMax].Method = "eth_bad"
	if err := pool.Batch(t.Context(), items); err != nil {
		t.Fatal(err)
	}
	for i, item := range items {
		if bad := item.Method == "eth_bad"; bad != (item.Error != nil) || bad == (got[i] == 7) {
			t.Fatalf("item %d, %s: %d, %v", i, item.Method, got[i], item.Error)
		}
	}
	if got := pool.Counts(); got["eth_gasPrice"] != 2*batchItemsMax || got["eth_bad"] != 1 {
		t.Errorf("counted %v", got)
	}
}

func TestObserversSeeEveryRequest(t *testing.T) {
	t.Parallel()
	node := newScripted(t, func(string) (any, *said, int) { return nil, &said{code: -32000, text: "nonce too low"}, 0 })
	var seen atomic.Int64
	pool, err := Dial(t.Context(), []string{node.URL}, 1337, common.HexToHash("0x01"), WithObserver(func(endpoint, method string, _ time.Duration, err error) {
		if endpoint == node.URL && method == "eth_sendRawTransaction" && Classify(err).Class == NonceUsed {
			seen.Add(1)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	pool.Send(t.Context(), []byte{1})
	if seen.Load() != 1 {
		t.Errorf("saw %d", seen.Load())
	}
}
