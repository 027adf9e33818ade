package liar

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// Lie is one kind of misbehaviour. Name is for reports.
type Lie struct {
	Name string
	fits func(request) bool
	tell func(ctx context.Context, n *Node, r request) (response, error)
}

// httpStatus is answered instead of JSON-RPC.
type httpStatus int

func (s httpStatus) Error() string { return fmt.Sprintf("HTTP status %d", int(s)) }

// Of limits a lie to some methods.
func (l Lie) Of(methods ...string) Lie {
	fits := l.fits
	l.fits = func(r request) bool { return slices.Contains(methods, r.Method) && fits(r) }
	l.Name += " of " + strings.Join(methods, ", ")
	return l
}

func anything(request) bool { return true }

func method(names ...string) func(request) bool {
	return func(r request) bool { return slices.Contains(names, r.Method) }
}

const send = "eth_sendRawTransaction"

// LoseResponse forwards the request and cuts the connection instead of answering.
func LoseResponse() Lie {
	return Lie{"response lost", anything, func(ctx context.Context, n *Node, r request) (response, error) {
		if _, err := n.forward(ctx, r); err != nil {
			return response{}, err
		}
		return response{}, errCut
	}}
}

// DropRequest cuts the connection without forwarding.
func DropRequest() Lie {
	return Lie{"request dropped", anything, func(context.Context, *Node, request) (response, error) { return response{}, errCut }}
}

// Late forwards at once and answers after a while, or when the client has given up.
func Late(by time.Duration) Lie {
	return Lie{"answered late", anything, func(ctx context.Context, n *Node, r request) (response, error) {
		a, err := n.forward(ctx, r)
		select {
		case <-ctx.Done():
			return response{}, errCut
		case <-time.After(by):
		}
		return a, err
	}}
}

// Status answers with a status of HTTP, such as 429 or 503, and forwards nothing.
func Status(code int) Lie {
	return Lie{fmt.Sprintf("HTTP %d", code), anything, func(context.Context, *Node, request) (response, error) { return response{}, httpStatus(code) }}
}

// Refuse answers with an error of JSON-RPC. If through, the request reached the node all the same.
func Refuse(code int, text string, through bool) Lie {
	name := fmt.Sprintf("refused with %d %q", code, text)
	if through {
		name += " after it went through"
	}
	return Lie{name, anything, func(ctx context.Context, n *Node, r request) (response, error) {
		if through {
			if _, err := n.forward(ctx, r); err != nil {
				return response{}, err
			}
		}
		return fail(r, code, text), nil
	}}
}

// RateLimit refuses as metered providers do.
func RateLimit() Lie {
	return Refuse(-32005, "daily request count exceeded, request rate limited", false)
}

// LogRange refuses every query of logs over more than one block, with a hint that does not help.
func LogRange(code int, text string) Lie {
	l := Refuse(code, text, false)
	l.Name = "log range limited"
	l.fits = func(r request) bool {
		return r.Method == "eth_getLogs" && len(r.Params) > 0 && !bytes.Contains(r.Params[0], []byte("blockHash"))
	}
	return l
}

// Accepted says that a transaction was taken, and forwards nothing.
func Accepted() Lie {
	return Lie{"send swallowed", method(send), func(_ context.Context, _ *Node, r request) (response, error) {
		return result(r, hexutil.Encode(make([]byte, 32))), nil
	}}
}

// Null answers null, as nodes do for what they do not know (yet).
func Null(methods ...string) Lie {
	return Lie{"null for " + strings.Join(methods, ", "), method(methods...), func(_ context.Context, _ *Node, r request) (response, error) {
		return result(r, nil), nil
	}}
}

// ChainID claims another chain.
func ChainID(id uint64) Lie {
	return Lie{"another chain id", method("eth_chainId", "net_version"), func(_ context.Context, _ *Node, r request) (response, error) {
		return result(r, hexutil.Uint64(id)), nil
	}}
}

// Genesis claims another block 0.
func Genesis() Lie {
	l := edit("another genesis", func(block map[string]any) {
		block["hash"] = "0x" + strings.Repeat("ab", 32)
	}, "eth_getBlockByNumber")
	fits := l.fits
	l.fits = func(r request) bool { return fits(r) && tagOf(r) == "0x0" }
	return l
}

// Syncing says that the node is still catching up.
func Syncing() Lie {
	return Lie{"syncing", method("eth_syncing"), func(_ context.Context, _ *Node, r request) (response, error) {
		return result(r, map[string]any{"startingBlock": "0x0", "currentBlock": "0x1", "highestBlock": "0xffff"}), nil
	}}
}

func result(r request, value any) response {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("liar: %v", err)) // only our own values come here
	}
	return response{Version: "2.0", ID: r.ID, Result: raw}
}

func fail(r request, code int, text string) response {
	raw, err := json.Marshal(map[string]any{"code": code, "message": text})
	if err != nil {
		panic(fmt.Sprintf("liar: %v", err))
	}
	return response{Version: "2.0", ID: r.ID, Error: raw}
}
