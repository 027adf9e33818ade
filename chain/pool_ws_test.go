package chain

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
)

// ethService is the part of a node's eth namespace that these tests need.
type ethService struct {
	chainID uint64
	genesis common.Hash
	asked   chan struct{}
}

func (e *ethService) ChainId() hexutil.Uint64 { return hexutil.Uint64(e.chainID) } //nolint:revive // the name is the method's on the wire

func (e *ethService) GetBlockByNumber(string, bool) map[string]any {
	return map[string]any{"hash": e.genesis}
}

func (e *ethService) GasPrice() hexutil.Uint64 {
	e.asked <- struct{}{}
	return 7
}

// serveWS is a node with a websocket at an address; stop breaks every connection.
func serveWS(t *testing.T, address string, service *ethService) (url string, stop func()) {
	t.Helper()
	server := rpc.NewServer()
	if err := server.RegisterName("eth", service); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	web := &httptest.Server{Listener: listener, Config: &http.Server{Handler: server.WebsocketHandler([]string{"*"})}}
	web.Start()
	stop = func() {
		server.Stop()
		web.Close()
	}
	return "ws://" + listener.Addr().String(), stop
}

// T41: a websocket client reconnects by itself, and what it then reaches may be another chain.
func TestT41AWebsocketThatReconnectsToAnotherChainIsNotBelieved(t *testing.T) {
	t.Parallel()
	genesis := common.HexToHash("0x01")
	ours := &ethService{1337, genesis, make(chan struct{}, 10)}
	url, stop := serveWS(t, "127.0.0.1:0", ours)
	pool, err := Dial(t.Context(), []string{url}, 1337, genesis)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	ask := func() error {
		var got hexutil.Uint64
		return pool.Call(t.Context(), &got, "eth_gasPrice")
	}
	if err := ask(); err != nil {
		t.Fatal(err)
	}
	address := strings.TrimPrefix(url, "ws://")
	for _, other := range []*ethService{{1, genesis, make(chan struct{}, 10)}, {1337, common.HexToHash("0x02"), make(chan struct{}, 10)}} {
		stop()
		_, stop = serveWS(t, address, other)
		if err := untilChanged(t, ask); !errors.Is(err, ErrWrongChain) {
			t.Errorf("got %v", err)
		}
	}
	stop()
	_, stop = serveWS(t, address, ours)
	defer stop()
	if err := untilChanged(t, ask); err != nil {
		t.Errorf("our chain is back: %v", err)
	}
}

// untilChanged asks until the answer is no longer that of a broken or of the previous connection: success, or another chain.
func untilChanged(t *testing.T, ask func() error) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), stageDeadline)
	defer cancel()
	last := ask()
	for ctx.Err() == nil {
		err := ask()
		if (err == nil || errors.Is(err, ErrWrongChain)) && (last == nil) == (err == nil) && (err == nil || err.Error() == last.Error()) {
			return err
		}
		last = err
	}
	return errors.Join(ctx.Err(), last)
}
