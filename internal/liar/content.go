package liar

import (
	"context"
	"encoding/json"
)

// EmptyReceipts answers a block's receipts with none.
func EmptyReceipts() Lie {
	return list("receipts empty", func([]any) []any { return []any{} }, "eth_getBlockReceipts")
}

// TruncatedReceipts leaves a block's last receipt out.
func TruncatedReceipts() Lie { return list("receipts truncated", butLast, "eth_getBlockReceipts") }

// EmptyLogs answers a query of logs with none, as a node does that has not indexed the block yet.
func EmptyLogs() Lie { return list("logs empty", func([]any) []any { return []any{} }, "eth_getLogs") }

// TruncatedLogs leaves the last log out.
func TruncatedLogs() Lie { return list("logs truncated", butLast, "eth_getLogs") }

// RemovedLogs marks every log as removed by a reorg, in queries and in receipts.
func RemovedLogs() Lie {
	return list("logs removed", func(all []any) []any {
		for _, one := range all {
			m, ok := one.(map[string]any)
			if !ok {
				continue
			}
			if logs, ok := m["logs"].([]any); ok { // a receipt
				for _, log := range logs {
					if l, ok := log.(map[string]any); ok {
						l["removed"] = true
					}
				}
				continue
			}
			m["removed"] = true
		}
		return all
	}, "eth_getLogs", "eth_getBlockReceipts")
}

// WithoutLogs answers receipts without their logs: the receipts root tells.
func WithoutLogs() Lie {
	return list("receipts without logs", func(all []any) []any {
		for _, one := range all {
			if m, ok := one.(map[string]any); ok {
				m["logs"] = []any{}
			}
		}
		return all
	}, "eth_getBlockReceipts")
}

// OtherStatus turns success into failure, and failure into success, in every receipt.
func OtherStatus() Lie {
	flip := func(receipt map[string]any) {
		if receipt["status"] == "0x1" {
			receipt["status"] = "0x0"
		} else {
			receipt["status"] = "0x1"
		}
	}
	l := list("receipts with the other status", func(all []any) []any {
		for _, one := range all {
			if m, ok := one.(map[string]any); ok {
				flip(m)
			}
		}
		return all
	}, "eth_getBlockReceipts")
	return l
}

func butLast(all []any) []any {
	if len(all) == 0 {
		return all
	}
	return all[:len(all)-1]
}

// edit changes the object that the node answered.
func edit(name string, change func(map[string]any), methods ...string) Lie {
	return rewrite(name, func(raw json.RawMessage) (any, bool) {
		var object map[string]any
		if json.Unmarshal(raw, &object) != nil || object == nil {
			return nil, false
		}
		change(object)
		return object, true
	}, methods...)
}

// list changes the list that the node answered.
func list(name string, change func([]any) []any, methods ...string) Lie {
	return rewrite(name, func(raw json.RawMessage) (any, bool) {
		var all []any
		if json.Unmarshal(raw, &all) != nil || all == nil {
			return nil, false
		}
		return change(all), true
	}, methods...)
}

// rewrite forwards and changes the result; what it cannot read it leaves alone.
func rewrite(name string, change func(json.RawMessage) (any, bool), methods ...string) Lie {
	return Lie{name, method(methods...), func(ctx context.Context, n *Node, r request) (response, error) {
		a, err := n.forward(ctx, r)
		if err != nil || len(a.Error) > 0 {
			return a, err
		}
		if changed, ok := change(a.Result); ok {
			return result(r, changed), nil
		}
		return a, nil
	}}
}
