package chain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/quittance/quittance/settlement"
)

// stragglerWait is how long the other nodes are waited for once one has answered, so that a hanging node delays no block.
const stragglerWait = time.Second

// nodeHeader is a header whose hash was computed from its fields: a node that names another hash contradicts itself.
type nodeHeader struct {
	settlement.BlockRef
	Parent common.Hash
}

func (h *nodeHeader) UnmarshalJSON(raw []byte) error {
	var header types.Header
	if err := json.Unmarshal(raw, &header); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	var claim struct{ Hash common.Hash }
	if err := json.Unmarshal(raw, &claim); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	if header.Number == nil || !header.Number.IsUint64() {
		return fmt.Errorf("header: the number %v is impossible", header.Number)
	}
	h.Number, h.Hash, h.Parent = header.Number.Uint64(), header.Hash(), header.ParentHash
	if claim.Hash != h.Hash {
		return fmt.Errorf("header %d: it hashes to %s, not to %s", h.Number, h.Hash, claim.Hash)
	}
	return nil
}

// view is where one node says that the chain stands.
type view struct {
	endpoint  *Endpoint
	head      nodeHeader
	at        *nodeHeader          // its block at the height that was asked for; nil if its head is below
	finalized *settlement.BlockRef // nil if it names none, or was not asked
}

// askViews asks all nodes at once, in one batch each, and returns what came in time. A node that does not answer, answers
// nonsense or is still syncing has no view.
func (f *Follower) askViews(ctx context.Context, height uint64) ([]view, error) {
	endpoints := f.pool.Endpoints()
	type outcome struct {
		of  *Endpoint
		err error
	}
	outcomes := make(chan outcome, len(endpoints))
	views, err := gather(ctx, endpoints, func(ctx context.Context, e *Endpoint) (view, error) {
		v, err := f.askView(ctx, e, height)
		outcomes <- outcome{e, err}
		return v, err
	})
	health := map[*Endpoint]error{}
	for range len(outcomes) {
		o := <-outcomes
		health[o.of] = o.err
	}
	for _, e := range endpoints {
		failure, answered := health[e]
		if !answered {
			failure = errors.New("it hangs")
		}
		f.noteHealth(ctx, e, failure)
	}
	if len(views) == 0 {
		return nil, settlement.Errorf(settlement.Transient, "where the chain stands: %w", err)
	}
	return views, nil
}

// gather asks many at once and returns what came in time: all of it, or what came until stragglerWait after the first
// answer. The error tells of those that failed.
func gather[Q, A any](ctx context.Context, whom []Q, ask func(context.Context, Q) (A, error)) ([]A, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type answer struct {
		a   A
		err error
	}
	answers := make(chan answer, len(whom))
	for _, q := range whom {
		go func() {
			a, err := ask(ctx, q)
			answers <- answer{a, err}
		}()
	}
	var got []A
	var failures []error
	var late <-chan time.Time
	for range whom {
		select {
		case a := <-answers:
			if a.err != nil {
				failures = append(failures, a.err)
				continue
			}
			if got = append(got, a.a); late == nil {
				late = time.After(stragglerWait)
			}
		case <-late:
			return got, errors.Join(failures...)
		}
	}
	return got, errors.Join(failures...)
}

// noteHealth logs a node's fall and its return, once each.
func (f *Follower) noteHealth(ctx context.Context, e *Endpoint, err error) {
	var fault *NodeFault
	if errors.As(err, &fault) { // the pool's observer saw a successful request
		e.observe(e.Name(), "read_head", 0, err)
	}
	switch down := f.down[e.Name()]; {
	case err != nil && !down:
		f.log.WarnContext(ctx, "a node has no view of the chain", "node", e.Name(), "err", err)
	case err == nil && down:
		f.log.InfoContext(ctx, "a node is back", "node", e.Name())
	}
	f.down[e.Name()] = err != nil
}

func (f *Follower) askView(ctx context.Context, e *Endpoint, height uint64) (view, error) {
	var latest, at, finalized *nodeHeader
	var syncing json.RawMessage
	items := []rpc.BatchElem{
		{Method: "eth_getBlockByNumber", Args: []any{"latest", false}, Result: &latest},
		{Method: "eth_getBlockByNumber", Args: []any{hexutil.EncodeUint64(height), false}, Result: &at},
		{Method: "eth_syncing", Result: &syncing},
	}
	if f.cfg.Finality.Tag {
		items = append(items, rpc.BatchElem{Method: "eth_getBlockByNumber", Args: []any{"finalized", false}, Result: &finalized})
	}
	if err := f.reader.batch(ctx, e, items); err != nil {
		return view{}, err
	}
	switch {
	case items[0].Error != nil:
		return view{}, faultf(e, "head: %w", items[0].Error)
	case latest == nil:
		return view{}, faultf(e, "it names no head")
	case items[2].Error == nil && string(syncing) != "false":
		return view{}, faultf(e, "it is syncing, at block %d", latest.Number)
	case latest.Number < height:
		at = nil
	case items[1].Error != nil:
		return view{}, faultf(e, "block %d: %w", height, items[1].Error)
	case at == nil || at.Number != height:
		return view{}, faultf(e, "its head is %d, and it has no block %d", latest.Number, height)
	}
	v := view{endpoint: e, head: *latest, at: at}
	if finalized != nil && items[len(items)-1].Error == nil { // geth calls a missing tag an error, others answer null
		v.finalized = &finalized.BlockRef
	}
	return v, nil
}

// headersOf asks a node for its canonical headers from..to. What it answers is linked by parent hash or cut at the first
// break, since the node's chain may change between two answers of a batch.
func (r *Reader) headersOf(ctx context.Context, e *Endpoint, from, to uint64) ([]nodeHeader, error) {
	answers := make([]*nodeHeader, to-from+1)
	items := make([]rpc.BatchElem, len(answers))
	for i := range items {
		items[i] = rpc.BatchElem{Method: "eth_getBlockByNumber", Args: []any{hexutil.EncodeUint64(from + uint64(i)), false}, Result: &answers[i]}
	}
	if err := r.batch(ctx, e, items); err != nil {
		return nil, err
	}
	headers := make([]nodeHeader, 0, len(answers))
	for i, h := range answers {
		switch {
		case items[i].Error != nil:
			return nil, faultf(e, "header %d: %w", from+uint64(i), items[i].Error)
		case h == nil: // its head fell meanwhile
			return headers, nil
		case h.Number != from+uint64(i):
			return nil, faultf(e, "asked for header %d, it answers %d", from+uint64(i), h.Number)
		case i > 0 && h.Parent != headers[i-1].Hash:
			return headers, nil
		}
		headers = append(headers, *h)
	}
	return headers, nil
}
