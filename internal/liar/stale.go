package liar

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// StaleHead is a node that stands still: everything that names the head is answered as of so many blocks ago, consistently.
func StaleHead(by uint64) Lie {
	return Lie{fmt.Sprintf("head %d blocks old", by), func(r request) bool {
		return r.Method == "eth_blockNumber" || slices.Contains([]string{"latest", "pending", "safe"}, tagOf(r))
	}, func(ctx context.Context, n *Node, r request) (response, error) { return n.asOf(ctx, r, "latest", by) }}
}

// StaleNonce answers the count of an account's transactions as of so many blocks ago.
func StaleNonce(by uint64) Lie {
	return Lie{fmt.Sprintf("nonce %d blocks old", by), func(r request) bool {
		return r.Method == "eth_getTransactionCount" && tagOf(r) != ""
	}, func(ctx context.Context, n *Node, r request) (response, error) { return n.asOf(ctx, r, "latest", by) }}
}

// OlderTag answers an older block for a tag, such as a finalized one that goes backwards.
func OlderTag(tag string, by uint64) Lie {
	return Lie{fmt.Sprintf("%s %d blocks old", tag, by), func(r request) bool { return tagOf(r) == tag },
		func(ctx context.Context, n *Node, r request) (response, error) { return n.asOf(ctx, r, tag, by) }}
}

// NoTag is a node that does not know a tag.
func NoTag(tag string) Lie {
	l := Refuse(-39001, "unknown block", false)
	l.Name = "no tag " + tag
	l.fits = func(r request) bool { return tagOf(r) == tag }
	return l
}

// asOf replaces a tag by the number of an older block.
func (n *Node) asOf(ctx context.Context, r request, tag string, by uint64) (response, error) {
	block, err := n.forward(ctx, request{ID: r.ID, Method: "eth_getBlockByNumber", Params: []json.RawMessage{quote(tag), []byte("false")}})
	if err != nil {
		return response{}, err
	}
	var head struct{ Number hexutil.Uint64 }
	if err := json.Unmarshal(block.Result, &head); err != nil {
		return response{}, err
	}
	older := hexutil.Uint64(max(uint64(head.Number), by) - by)
	if r.Method == "eth_blockNumber" {
		return result(r, older), nil
	}
	i, ok := tagPosition(r)
	if !ok || i >= len(r.Params) {
		return n.forward(ctx, r)
	}
	r.Params = slices.Clone(r.Params)
	r.Params[i] = quote(older.String())
	return n.forward(ctx, r)
}

func quote(s string) json.RawMessage { return json.RawMessage(`"` + s + `"`) }

// tagPosition is where a method takes its block.
func tagPosition(r request) (int, bool) {
	switch r.Method {
	case "eth_getBlockByNumber", "eth_getBlockReceipts", "eth_getHeaderByNumber":
		return 0, true
	case "eth_getBalance", "eth_getTransactionCount", "eth_getCode", "eth_call", "eth_estimateGas":
		return 1, true
	case "eth_getStorageAt":
		return 2, true
	}
	return 0, false
}

// tagOf is the block that a request names, if it is text: "" otherwise.
func tagOf(r request) string {
	i, ok := tagPosition(r)
	if !ok || i >= len(r.Params) {
		return ""
	}
	var tag string
	if json.Unmarshal(r.Params[i], &tag) != nil {
		return ""
	}
	return tag
}
