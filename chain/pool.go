package chain

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/quittance/quittance/settlement"
)

// Pool is the nodes of one chain. Single questions go to one node and, only if that one gives no verdict, to the next; what
// needs agreement asks the Endpoints one by one. Sends go to all.
type Pool struct {
	pinned    identity
	endpoints []*Endpoint
	preferred atomic.Uint32 // where single questions go first: the last one that answered

	mu     sync.Mutex
	counts map[string]uint64
}

// PoolOption changes what Dial and PoolOf make.
type PoolOption func(*Endpoint)

// WithTimeout bounds each request to each node.
func WithTimeout(d time.Duration) PoolOption { return func(e *Endpoint) { e.timeout = d } }

// WithObserver has every request reported, for metrics. It is called from many goroutines and must not block.
func WithObserver(o Observer) PoolOption { return func(e *Endpoint) { e.observe = o } }

// WithPauses has it reported when a node is left alone for a while, and when it is asked again. It must not block.
func WithPauses(told func(endpoint string, paused bool)) PoolOption {
	return func(e *Endpoint) { e.pauses = told }
}

// Dial fails if any URL answers for another chain, which is a mistake in the configuration, or if no node answers at
// all. A node that is down is kept and checked when it comes back.
func Dial(ctx context.Context, urls []string, chainID uint64, genesis common.Hash, opts ...PoolOption) (*Pool, error) {
	endpoints := make([]*Endpoint, 0, len(urls))
	for _, u := range urls {
		e, err := newEndpoint(u, identity{chainID, genesis})
		if err != nil {
			return nil, settlement.Errorf(settlement.Invalid, "%w", err)
		}
		endpoints = append(endpoints, e)
	}
	return newPool(ctx, endpoints, identity{chainID, genesis}, opts)
}

// PoolOf makes a pool of clients that are connected already and never reconnect, such as those of an in-process node. The
// names must differ; they appear in errors.
func PoolOf(ctx context.Context, clients map[string]*rpc.Client, chainID uint64, genesis common.Hash, opts ...PoolOption) (*Pool, error) {
	var endpoints []*Endpoint
	for _, name := range slices.Sorted(maps.Keys(clients)) {
		client := clients[name]
		e := &Endpoint{name: name, pinned: identity{chainID, genesis}, timeout: callTimeout, observe: unobserved, pauses: unpaused}
		e.client.Store(client)
		endpoints = append(endpoints, e)
	}
	return newPool(ctx, endpoints, identity{chainID, genesis}, opts)
}

func newPool(ctx context.Context, endpoints []*Endpoint, pinned identity, opts []PoolOption) (*Pool, error) {
	if len(endpoints) == 0 {
		return nil, settlement.Errorf(settlement.Invalid, "no node URL is given")
	}
	for _, e := range endpoints {
		for _, opt := range opts {
			opt(e)
		}
	}
	if len(endpoints) > 1 {
		for _, e := range endpoints {
			e.breaker = newBreaker(e.name, e.pauses)
		}
	}
	p := &Pool{pinned: pinned, endpoints: endpoints, counts: map[string]uint64{}}
	failures := p.each(func(_ int, e *Endpoint) error {
		ctx, cancel := context.WithTimeout(ctx, e.timeout)
		defer cancel()
		client, err := e.connect(ctx)
		if err == nil {
			err = e.check(ctx, client)
		}
		if err != nil {
			return fmt.Errorf("node %s: %w", e.name, err)
		}
		return nil
	})
	down := 0
	for _, err := range failures {
		if errors.Is(err, ErrWrongChain) {
			p.Close()
			return nil, settlement.Errorf(settlement.Invalid, "%w", err)
		}
		if err != nil {
			down++
		}
	}
	if down == len(endpoints) {
		p.Close()
		return nil, settlement.Errorf(settlement.Transient, "no node answers: %w", errors.Join(failures...))
	}
	return p, nil
}

// ChainID is the pinned chain id.
func (p *Pool) ChainID() uint64 { return p.pinned.chainID }

// Genesis is the pinned genesis hash.
func (p *Pool) Genesis() common.Hash { return p.pinned.genesis }

// Endpoints lists the nodes in the order they were given. Requests made on them are not in Counts: Count them.
func (p *Pool) Endpoints() []*Endpoint { return p.endpoints }

// Call asks one node, and the next one only if there was no verdict: a revert or "not found" is an answer, not a fault.
// Never send with it: a request that got no answer may have been carried out.
func (p *Pool) Call(ctx context.Context, result any, method string, args ...any) error {
	p.Count(method, 1)
	return p.oneOf(ctx, func(e *Endpoint) error { return e.Call(ctx, result, method, args...) })
}

// Batch asks one node all the questions, so that the answers are of one view of the chain; the next node is asked all of
// them again if the first gives none. Errors of items are in the items, as with rpc.Client.
func (p *Pool) Batch(ctx context.Context, items []rpc.BatchElem) error {
	for _, item := range items {
		p.Count(item.Method, 1)
	}
	return p.oneOf(ctx, func(e *Endpoint) error {
		for i := range items {
			items[i].Error = nil
		}
		return e.Batch(ctx, items)
	})
}

// SendAnswer is what one node said to a transaction.
type SendAnswer struct {
	Endpoint string
	Err      error // nil: accepted, which does not mean pooled
}

// sendGrace is how long a send waits for the other nodes once one has the bytes: a node that hangs must not hold up every
// payment for a whole timeout.
const sendGrace = time.Second

// errStillAsked stands for a node that had not answered when Send returned. The request goes on until its own timeout.
var errStillAsked = errors.New("no answer yet, and another node has the bytes")

// Send hands raw bytes to every node at once. It waits for all answers, at most one timeout, or until a short while after the
// first acceptance. It counts as one call. The caller must have committed the bytes.
func (p *Pool) Send(ctx context.Context, raw []byte) []SendAnswer {
	const method = "eth_sendRawTransaction"
	p.Count(method, 1)
	type numbered struct {
		i   int
		err error
	}
	text, heard := hexutil.Encode(raw), make(chan numbered, len(p.endpoints))
	answers := make([]SendAnswer, len(p.endpoints))
	for i, e := range p.endpoints {
		answers[i] = SendAnswer{Endpoint: e.name, Err: &CallError{Endpoint: e.name, Method: method, Err: errStillAsked}}
		go func() { heard <- numbered{i, e.Call(ctx, nil, method, text)} }()
	}
	var enough <-chan time.Time
	for range p.endpoints {
		select {
		case answer := <-heard:
			answers[answer.i].Err = answer.err
			if enough == nil && Classify(answer.err).Accepted() {
				enough = time.After(sendGrace)
			}
		case <-enough:
			return answers
		}
	}
	return answers
}

// each runs f for all endpoints at once and returns the errors in the endpoints' order.
func (p *Pool) each(f func(int, *Endpoint) error) []error {
	errs := make([]error, len(p.endpoints))
	var wg sync.WaitGroup
	for i, e := range p.endpoints {
		wg.Go(func() { errs[i] = f(i, e) })
	}
	wg.Wait()
	return errs
}

func (p *Pool) oneOf(ctx context.Context, ask func(*Endpoint) error) error {
	first := int(p.preferred.Load())
	var failures []error
	for i := range p.endpoints {
		at := (first + i) % len(p.endpoints)
		err := ask(p.endpoints[at])
		if err == nil || IsVerdict(err) {
			p.preferred.Store(uint32(at))
			return err
		}
		failures = append(failures, err)
		if ctx.Err() != nil {
			break
		}
	}
	if len(failures) == 1 {
		return failures[0]
	}
	return errors.Join(failures...)
}

// Count adds to the calls of a method.
func (p *Pool) Count(method string, n uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts[method] += n
}

// Counts is how many calls were made, by method: items of a batch count each, a fan-out once, checks of a connection's
// chain not at all.
func (p *Pool) Counts() map[string]uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.counts)
}

// Close drops all connections; requests in flight fail.
func (p *Pool) Close() {
	for _, e := range p.endpoints {
		e.close()
	}
}
