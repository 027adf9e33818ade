package chain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/gorilla/websocket"
)

const (
	// callTimeout bounds one request to one node, connecting and checking the chain included.
	callTimeout = 10 * time.Second
	// batchItemsMax bounds one batch: geth refuses more than 1,000 items, some providers fewer.
	batchItemsMax = 500
	// idleConnectionsMax keeps enough HTTP connections open that a busy worker need not dial, and check, a new one.
	idleConnectionsMax = 64
)

// Endpoint is one node. Chain id and genesis are checked for every connection, also for those that its client opens by
// itself later.
type Endpoint struct {
	name    string
	pinned  identity
	timeout time.Duration
	observe Observer
	pauses  func(endpoint string, paused bool)
	breaker *breaker

	connecting sync.Mutex
	open       func(context.Context) (*rpc.Client, error)
	client     atomic.Pointer[rpc.Client]
	dials      atomic.Uint64 // websocket connections opened so far; 0 for clients whose connections prove themselves
	checked    atomic.Uint64 // dials at the last successful check, plus one; 0: never
}

// Observer is told of every request to a node. err is nil, a node's verdict, or a failure to get one.
type Observer func(endpoint, method string, took time.Duration, err error)

// repeatable lets the HTTP client ask again when a kept connection turns out to be closed, as after a node's restart: reads
// change nothing, and a send repeats the same bytes. The empty value is a mark for net/http and is not sent.
var repeatable = rpc.WithHeaders(http.Header{"Idempotency-Key": {}})

func unobserved(string, string, time.Duration, error) {}
func unpaused(string, bool)                           {}

// newEndpoint opens no connection. Only http and websocket URLs are taken: reconnects of an IPC client cannot be seen.
func newEndpoint(raw string, pinned identity) (*Endpoint, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return nil, errors.New("a node URL must look like http://host:port or ws://host:port")
	}
	e := &Endpoint{name: u.Scheme + "://" + u.Host, pinned: pinned, timeout: callTimeout, observe: unobserved, pauses: unpaused}
	switch u.Scheme {
	case "http", "https":
		e.open = func(ctx context.Context) (*rpc.Client, error) {
			return rpc.DialOptions(ctx, raw, repeatable, rpc.WithHTTPClient(&http.Client{
				Transport:     pinnedTransport(u, pinned, e.timeout),
				CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			}))
		}
	case "ws", "wss":
		dialer := &net.Dialer{Timeout: callTimeout, KeepAlive: 30 * time.Second}
		e.open = func(ctx context.Context) (*rpc.Client, error) {
			return rpc.DialOptions(ctx, raw, rpc.WithWebsocketDialer(websocket.Dialer{
				HandshakeTimeout: e.timeout,
				NetDialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
					e.dials.Add(1)
					return dialer.DialContext(ctx, network, addr)
				},
			}))
		}
	default:
		return nil, fmt.Errorf("node %s: scheme %q is not http, https, ws or wss", e.name, u.Scheme)
	}
	return e, nil
}

// Name is the endpoint's scheme, host and port: paths and queries of providers' URLs hold keys and are never shown.
func (e *Endpoint) Name() string { return e.name }

// Call asks this node. The error is a *CallError; IsVerdict tells a node's answer from the lack of one.
func (e *Endpoint) Call(ctx context.Context, result any, method string, args ...any) error {
	err := e.breaker.ask(func() error {
		ctx, cancel := context.WithTimeout(ctx, e.timeout)
		defer cancel()
		start := time.Now()
		var answer json.RawMessage // decoded only once the connection is known to be of our chain
		err := e.pinnedDo(ctx, func(ctx context.Context, c *rpc.Client) error { return c.CallContext(ctx, &answer, method, args...) })
		if err == nil && result != nil {
			if decodeErr := json.Unmarshal(answer, result); decodeErr != nil {
				err = fmt.Errorf("decode the answer: %w", decodeErr)
			}
		}
		e.observe(e.name, method, time.Since(start), err)
		return err
	})
	if err != nil {
		return &CallError{Endpoint: e.name, Method: method, Err: err}
	}
	return nil
}

// Batch asks this node many questions in as few requests as its limits allow. Like rpc.Client's, an error of one item is in
// that item; the returned error means that no answer of the batch may be used, also if some items were answered.
func (e *Endpoint) Batch(ctx context.Context, items []rpc.BatchElem) error {
	for first := 0; first < len(items); first += batchItemsMax {
		part := items[first:min(first+batchItemsMax, len(items))]
		if err := e.batchPart(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

func (e *Endpoint) batchPart(ctx context.Context, part []rpc.BatchElem) error {
	err := e.breaker.ask(func() error {
		ctx, cancel := context.WithTimeout(ctx, e.timeout)
		defer cancel()
		start := time.Now()
		err := e.pinnedDo(ctx, func(ctx context.Context, c *rpc.Client) error { return c.BatchCallContext(ctx, part) })
		for _, item := range part {
			itemErr := err
			if itemErr == nil {
				itemErr = item.Error
			}
			e.observe(e.name, item.Method, time.Since(start), itemErr)
		}
		return err
	})
	if err != nil {
		return &CallError{Endpoint: e.name, Method: "batch", Err: err}
	}
	return nil
}

// Subscribe works on websocket endpoints alone. What it delivers is a hint: it may stall, repeat itself, or come from
// another chain after a reconnect.
func (e *Endpoint) Subscribe(ctx context.Context, channel any, args ...any) (*rpc.ClientSubscription, error) {
	var sub *rpc.ClientSubscription
	err := e.pinnedDo(ctx, func(ctx context.Context, c *rpc.Client) (err error) {
		sub, err = c.EthSubscribe(ctx, channel, args...)
		return err
	})
	if err != nil {
		return nil, &CallError{Endpoint: e.name, Method: "eth_subscribe", Err: err}
	}
	return sub, nil
}

// pinnedDo checks the chain before a request, and once more after it if the client reconnected meanwhile: then the answer
// may have come from whatever listens there now.
func (e *Endpoint) pinnedDo(ctx context.Context, request func(context.Context, *rpc.Client) error) error {
	client, err := e.connect(ctx)
	if err != nil {
		return err
	}
	if err := e.check(ctx, client); err != nil {
		return err
	}
	before := e.dials.Load()
	err = redactError(request(ctx, client))
	if e.dials.Load() == before {
		return err
	}
	if checkErr := e.check(ctx, client); checkErr != nil {
		return checkErr
	}
	return err
}

func (e *Endpoint) connect(ctx context.Context) (*rpc.Client, error) {
	if client := e.client.Load(); client != nil {
		return client, nil
	}
	e.connecting.Lock()
	defer e.connecting.Unlock()
	if client := e.client.Load(); client != nil {
		return client, nil
	}
	client, err := e.open(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", redactError(err))
	}
	e.client.Store(client)
	return client, nil
}

// check asks for chain id and genesis unless the present connection was checked already. Concurrent callers share one check.
func (e *Endpoint) check(ctx context.Context, client *rpc.Client) error {
	if e.checked.Load() == e.dials.Load()+1 {
		return nil
	}
	e.connecting.Lock()
	defer e.connecting.Unlock()
	before := e.dials.Load()
	if e.checked.Load() == before+1 {
		return nil
	}
	var id hexutil.Uint64
	var genesis *block0
	items := []rpc.BatchElem{
		{Method: "eth_chainId", Result: &id},
		{Method: "eth_getBlockByNumber", Args: []any{"0x0", false}, Result: &genesis},
	}
	if err := client.BatchCallContext(ctx, items); err != nil {
		return fmt.Errorf("check the chain: %w", redactError(err))
	}
	for _, item := range items {
		if item.Error != nil {
			return fmt.Errorf("check the chain: %s: %w", item.Method, notVerdict{item.Error})
		}
	}
	if err := e.pinned.matches(uint64(id), genesis); err != nil {
		return err
	}
	if e.dials.Load() != before {
		return errors.New("check the chain: the connection was lost meanwhile")
	}
	e.checked.Store(before + 1)
	return nil
}

func (e *Endpoint) close() {
	e.connecting.Lock()
	defer e.connecting.Unlock()
	if client := e.client.Load(); client != nil {
		client.Close()
	}
}

// redactError drops the URL that the HTTP client puts into its errors.
func redactError(err error) error {
	var withURL *url.Error
	if errors.As(err, &withURL) {
		return withURL.Err
	}
	return err
}
