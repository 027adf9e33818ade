package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// teller writes a story for people: a heading per part, one line per thing that happened.
type teller struct {
	w     io.Writer
	table *tabwriter.Writer
}

func (t *teller) part(name string) {
	_ = t.table.Flush() // the last Flush reports what went wrong: a writer that failed once keeps its error
	fmt.Fprintf(t.w, "\n%s\n", name)
}

func (t *teller) line(cells ...string) {
	fmt.Fprintln(t.table, "  "+strings.Join(cells, "\t"))
}

func (v story) tell(w io.Writer) error {
	t := &teller{w: w, table: tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)}
	fmt.Fprintf(w, "%s is %s\n", v.Snapshot.Key, v.State)
	v.request(t)
	v.money(t)
	v.slot(t)
	v.attempts(t)
	v.onChain(t)
	v.told(t)
	v.journal(t)
	v.ran(t)
	if len(v.Notes) > 0 {
		t.part("notes")
		for _, note := range v.Notes {
			t.line(note)
		}
	}
	return t.table.Flush()
}

func (v story) request(t *teller) {
	t.part("request")
	t.line(v.CreatedAt, fmt.Sprintf("pay %s %s from %s to %s", v.Amount, v.Asset, v.Account, v.To))
	if v.RetryOf != "" {
		t.line("", "retry of "+v.RetryOf)
	}
	t.line("", fmt.Sprintf("vault %s on chain %d, settlement id %s", v.Vault, v.ChainID, v.OnchainID))
	answer := v.Story.Key.Status // of the key: what did not pay has failed, for whatever cause
	if v.State == settlement.Cancelled {
		answer = string(v.State)
	}
	t.line("", fmt.Sprintf("request id %s, key %s, asked for again: %d", v.Story.Key.RequestID, answer, v.Story.Key.Duplicates))
	if v.Story.Key.FinishedAt != nil {
		t.line(stamp(*v.Story.Key.FinishedAt), "answered "+answer)
	}
	if v.Reason != "" {
		t.line(v.ChangedAt, fmt.Sprintf("%s: %s", v.State, v.Reason))
	}
	if v.Proof != "" {
		t.line("", "proof: "+string(v.Proof))
	}
}

func (v story) money(t *teller) {
	t.part("transfers")
	for _, m := range v.Transfers {
		t.line(stamp(m.At), m.Leg, m.Phase, m.Amount.Units(m.Decimals)+" "+m.Asset, m.Debit+" → "+m.Credit)
	}
	if len(v.Transfers) == 0 {
		t.line("none")
	}
}

func (v story) slot(t *teller) {
	t.part("queue and slot")
	switch q := v.Queue; {
	case q == nil && len(v.Nonces) == 0:
		t.line("not in the queue, no nonce")
	case q == nil:
		t.line("not in the queue")
	case q.Lane == nil:
		t.line(stamp(q.EnqueuedAt), fmt.Sprintf("in the queue behind %d others", q.Ahead))
	default:
		t.line(stamp(q.EnqueuedAt), fmt.Sprintf("in the queue, a slot of %s granted in block %s", q.Lane, number(q.GrantedBlock)))
	}
	for _, n := range v.Nonces {
		state := "live"
		if !n.Live {
			state = fmt.Sprintf("%s: consumed in block %s by %s", n.Outcome, number(n.ConsumedBlock), hash(n.ConsumedHash))
		}
		if n.LaneState != string(settlement.LaneActive) {
			state += fmt.Sprintf("; its lane is %s: %s", n.LaneState, n.LaneReason)
		}
		t.line(stamp(n.At), fmt.Sprintf("nonce %d of %s to %s, %s", n.Nonce, n.Signer, n.Kind, state))
	}
}

func (v story) attempts(t *teller) {
	t.part("attempts")
	for _, n := range v.Nonces {
		for i, a := range n.Attempts {
			what := a.Kind
			if i > 0 {
				what += " (replaces the one before)"
			}
			t.line(stamp(a.At), fmt.Sprintf("nonce %d", n.Nonce), what, hash(a.Hash), fmt.Sprintf("cap %s gwei, tip %s gwei, gas limit %d", a.Cap.Units(9), a.Tip.Units(9), a.GasLimit))
			if a.Refusal != "" {
				t.line("", "", "refused by a node: "+a.Refusal)
			}
		}
		if n.BumpAskedFor != nil {
			t.line("", fmt.Sprintf("nonce %d", n.Nonce), fmt.Sprintf("higher fees were asked for %s in block %s", n.BumpAskedFor, number(n.BumpAskedAt)))
		}
		if n.Unrunnable != "" {
			t.line("", fmt.Sprintf("nonce %d", n.Nonce), "can never run: "+n.Unrunnable)
		}
	}
	if len(v.Nonces) == 0 {
		t.line("none")
	}
}

func (v story) onChain(t *teller) {
	t.part("blocks")
	for _, b := range v.Blocks {
		t.line(stamp(b.MinedAt), fmt.Sprintf("block %d", b.Number), standing(b.Canonical, b.Final), mined(b))
	}
	if len(v.Blocks) == 0 {
		t.line("none holds a nonce of it")
	}
	t.part("events")
	for _, e := range v.Events {
		t.line(fmt.Sprintf("block %d", e.Number), fmt.Sprintf("%s, log %d of %s", e.Name, e.TxLogIndex, e.Tx), effectOf(e))
	}
	if len(v.Events) == 0 {
		t.line("none names its id")
	}
}

func standing(canonical, final bool) string {
	switch {
	case final:
		return "final"
	case canonical:
		return "not final"
	}
	return "orphaned by a reorg"
}

func mined(b ledger.StoryBlock) string {
	whose, how := "attempt", "succeeded"
	if !b.Ours {
		whose = "somebody else's transaction"
	}
	if !b.OK {
		how = "reverted"
	}
	fee, _ := b.GasPrice.Mul(settlement.NewAmount(b.GasUsed)) // a chain's whole supply is below 2^128 wei
	text := fmt.Sprintf("%s %s %s, gas %d at %s gwei, fee %s wei", whose, b.Tx, how, b.GasUsed, b.GasPrice.Units(9), fee)
	if b.Seen > 1 {
		text += fmt.Sprintf(", canonical %d times", b.Seen)
	}
	return text
}

func effectOf(e ledger.StoryEvent) string {
	switch {
	case e.Reversed:
		return "effect " + e.Effect + ", reversed"
	case e.Quarantine != "":
		return strings.TrimSpace(e.Effect + " in quarantine: " + e.Quarantine)
	case e.Effect != "":
		return "effect: " + e.Effect
	case !e.Canonical:
		return "no effect: orphaned by a reorg"
	}
	return "no effect yet: not final"
}

func (v story) told(t *teller) {
	t.part("outbox deliveries")
	for _, d := range v.Deliveries {
		state := "not published yet"
		switch {
		case d.PublishedAt != nil:
			state = "published " + stamp(*d.PublishedAt)
		case d.SkippedAt != nil:
			state = "skipped " + stamp(*d.SkippedAt)
		}
		if d.Retries > 0 {
			state += fmt.Sprintf(", %d retries", d.Retries)
		}
		if d.LastError != "" {
			state += ", last error: " + d.LastError
		}
		t.line(stamp(d.At), fmt.Sprintf("%s #%d", d.Destination, d.Seq), d.Type, state)
	}
	for _, s := range v.Streams {
		if s.Parked != "" {
			t.line("", s.Destination, "parked: "+s.Parked)
		}
	}
	if len(v.Deliveries) == 0 {
		t.line("none")
	}
}

// journal says who asked for something, when and why, also when it came to nothing: a cancel that a payment outran.
func (v story) journal(t *teller) {
	t.part("journal")
	for _, n := range v.Journal {
		t.line(stamp(n.At), n.Actor, strings.ReplaceAll(n.Action, "_", " to "), details(n.Details))
	}
	if len(v.Journal) == 0 {
		t.line("nobody did anything about it by hand")
	}
}

func details(of map[string]any) string {
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		texts = append(texts, fmt.Sprintf("%s: %v", name, of[name]))
	}
	return strings.Join(texts, ", ")
}

func (v story) ran(t *teller) {
	t.part("workflow runs")
	for _, r := range v.Runs {
		end := ""
		if r.ClosedAt != "" {
			end = " until " + r.ClosedAt
		}
		t.line(r.StartedAt, fmt.Sprintf("run %s %s%s, %d history events", r.RunID, r.Status, end, r.Events))
		for _, s := range r.Steps {
			t.line("", fmt.Sprintf("%s, attempt %d %s", s.Activity, s.Attempt, s.Failure))
		}
		if r.Failure != "" {
			t.line("", r.Failure)
		}
		if r.URL != "" {
			t.line("", r.URL)
		}
	}
	if len(v.Runs) == 0 {
		t.line("none that Temporal remembers")
	}
}

func number(n *uint64) string {
	if n == nil {
		return "unknown"
	}
	return fmt.Sprint(*n)
}

func hash(h *common.Hash) string {
	if h == nil {
		return "not signed yet"
	}
	return h.Hex()
}
