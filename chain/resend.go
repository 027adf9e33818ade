package chain

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/quittance/quittance/settlement"
)

// look asks every node, in one batch each, which of the newest attempts it knows. An item that failed, or a whole batch, is
// silence: neither evidence nor reason to send.
func (k *Keeper) look(ctx context.Context, all []*kept) (silent int) {
	endpoints := k.sender.pool.Endpoints()
	for _, n := range all {
		n.facts.Nodes = make([]NodeView, len(endpoints))
	}
	var asked []*kept
	for _, n := range all {
		if n.signed() {
			asked = append(asked, n)
		}
	}
	if len(asked) == 0 {
		return 0
	}
	k.sender.pool.Count("eth_getTransactionByHash", uint64(len(asked)))
	failures := k.sender.pool.each(func(i int, e *Endpoint) error {
		found := make([]*struct{ Hash common.Hash }, len(asked))
		items := make([]rpc.BatchElem, len(asked))
		for j, n := range asked {
			items[j] = rpc.BatchElem{Method: "eth_getTransactionByHash", Args: []any{n.Newest.Hash}, Result: &found[j]}
		}
		if err := e.Batch(ctx, items); err != nil {
			return err
		}
		for j, n := range asked {
			n.facts.Nodes[i] = viewOf(items[j].Error, found[j], n.Newest.Hash)
		}
		return nil
	})
	for _, err := range failures {
		if err != nil {
			silent++
			k.config.Log.Warn("a node did not say which attempts it knows", "error", err)
		}
	}
	return silent
}

func viewOf(err error, found *struct{ Hash common.Hash }, want common.Hash) NodeView {
	switch {
	case err != nil:
		return NodeSilent
	case found == nil:
		return NodeLacks
	case found.Hash == want:
		return NodeKnows
	}
	return NodeSilent // an answer to another question
}

// resend offers each newest attempt to the nodes that lack it, the lowest nonce of a lane first, in one ordered batch per node:
// a node that sees a higher nonce first may drop it. What the nodes say becomes part of the facts.
func (k *Keeper) resend(ctx context.Context, all []*kept, report *Report) error {
	endpoints := k.sender.pool.Endpoints()
	perNode := make([][]*kept, len(endpoints))
	var sent []*kept
	for _, n := range all {
		if anyKnows(n.facts.Nodes) {
			n.memo.sends, n.memo.refusal = 0, ""
		}
		n.facts.Refusal, n.facts.Sends = n.memo.refusal, n.memo.sends
		nodes := n.facts.Next().Send
		if len(nodes) == 0 {
			continue
		}
		report.Unknown++
		if err := k.sender.checkStored(n.Newest); err != nil {
			k.config.Log.Error("stored bytes are not sent", "attempt", n.Newest.Hash, "error", err)
			continue
		}
		for _, i := range nodes {
			perNode[i] = append(perNode[i], n)
		}
		sent = append(sent, n)
	}
	if len(sent) == 0 {
		return nil
	}
	report.Sent += len(sent)
	k.sender.pool.Count("eth_sendRawTransaction", uint64(len(sent)))
	answers := make([]map[*kept]error, len(endpoints))
	k.sender.pool.each(func(i int, e *Endpoint) error {
		answers[i] = sendBatch(ctx, e, perNode[i])
		return nil
	})
	var failures []error
	for _, n := range sent {
		if err := k.heard(ctx, n, answersFor(n, endpoints, answers)); err != nil {
			failures = append(failures, err)
		}
	}
	return errors.Join(failures...)
}

func anyKnows(views []NodeView) bool {
	for _, view := range views {
		if view == NodeKnows {
			return true
		}
	}
	return false
}

func sendBatch(ctx context.Context, e *Endpoint, batch []*kept) map[*kept]error {
	if len(batch) == 0 {
		return nil
	}
	items := make([]rpc.BatchElem, len(batch))
	for i, n := range batch {
		items[i] = rpc.BatchElem{Method: "eth_sendRawTransaction", Args: []any{hexutil.Encode(n.Newest.Raw)}}
	}
	err := e.Batch(ctx, items)
	said := make(map[*kept]error, len(batch))
	for i, n := range batch {
		if said[n] = items[i].Error; err != nil {
			said[n] = err
		}
	}
	return said
}

func answersFor(n *kept, endpoints []*Endpoint, answers []map[*kept]error) []SendAnswer {
	var mine []SendAnswer
	for i, said := range answers {
		if err, asked := said[n]; asked {
			mine = append(mine, SendAnswer{Endpoint: endpoints[i].Name(), Err: err})
		}
	}
	return mine
}

// heard notes what the nodes that lacked an attempt said to it. A refusal counts only while no node has it: "replacement
// underpriced" from one node is no news about an attempt that another one pooled. A refusal is stored when it changes, not
// at every block.
func (k *Keeper) heard(ctx context.Context, n *kept, answers []SendAnswer) error {
	v := ClassifyAll(answers)
	n.memo.sends++
	n.facts.Sends = n.memo.sends
	if v.Accepted() || v.Class == PossiblySent || anyKnows(n.facts.Nodes) {
		n.memo.refusal, n.facts.Refusal = "", ""
		return nil
	}
	before := n.memo.refusal
	n.memo.refusal, n.facts.Refusal = v.Class, v.Class
	if v.Class == Rejected && n.Unrunnable == "" && !n.facts.empties() {
		if err := k.store.MarkUnrunnable(ctx, n.ID, v.Text); err != nil {
			return staleIsFine(fmt.Errorf("mark nonce %d of %s unrunnable: %w", n.Nonce, n.Signer, err))
		}
		n.Unrunnable, n.facts.Unrunnable = v.Text, true
	}
	if v.Class == before && n.Refusal == string(before) {
		return nil
	}
	k.config.Log.Info("attempt refused", "settlement", n.Key.Canonical(), "signer", n.Signer, "nonce", n.Nonce, "attempt", n.Newest.Hash,
		"class", v.Class, "node", v.Endpoint, "text", v.Text)
	if err := k.store.RecordRefusal(ctx, n.Newest.Hash, string(v.Class), v.Text); err != nil {
		return staleIsFine(fmt.Errorf("note the refusal of %s: %w", n.Newest.Hash, err))
	}
	return nil
}

func staleIsFine(err error) error {
	if settlement.KindOf(err) == settlement.Stale {
		return nil
	}
	return err
}
