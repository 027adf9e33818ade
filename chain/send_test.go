package chain

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quittance/quittance/settlement"
)

// calm is a nonce with nothing to do: at the market, known everywhere, at the head of its lane.
func calm() Facts {
	return Facts{
		Kind: settlement.AttemptPay, Fees: settlement.Fees{Cap: wei(210), Tip: wei(10)}, Nodes: []NodeView{NodeKnows, NodeKnows}, InRun: true,
		Now: 100, FirstSeen: 90, Market: Market{BaseFee: wei(100), Tip: wei(10)}, TipFloor: wei(5), CapCeiling: wei(10_000),
	}
}

func TestTheNextActFollowsFromTheFacts(t *testing.T) {
	t.Parallel()
	spike := Market{BaseFee: wei(300), Tip: wei(10)}
	for _, row := range []struct {
		name string
		have func(*Facts)
		want Step
		why  string
	}{
		{"calm", func(*Facts) {}, Step{}, "known and priced: leave it"},
		{"lost by one node", func(f *Facts) { f.Nodes[1] = NodeLacks }, Step{Send: []int{1}}, "only to the node that lacks it"},
		{"lost by all", func(f *Facts) { f.Nodes = []NodeView{NodeLacks, NodeLacks} }, Step{Send: []int{0, 1}}, "T27: bytes from the store until the nonce is consumed"},
		{"silence", func(f *Facts) { f.Nodes = []NodeView{NodeSilent, NodeSilent} }, Step{}, "no answer is not evidence"},
		{"mined", func(f *Facts) { f.Mined, f.Market, f.Nodes[0] = true, spike, NodeLacks }, Step{}, "the chain has decided"},

		{"spike", func(f *Facts) { f.Market = spike }, Step{Price: PriceAsk}, "the workflow bumps first"},
		{"spike, asked", func(f *Facts) { f.Market, f.Asked, f.AskedAt = spike, true, 98 }, Step{}, "the workflow has three blocks"},
		{"spike, unanswered", func(f *Facts) { f.Market, f.Asked, f.AskedAt = spike, true, 97 }, Step{Price: PriceRaise}, "no lane hangs on one workflow"},
		{"spike, reorg", func(f *Facts) { f.Market, f.Asked, f.AskedAt = spike, true, 105 }, Step{}, "the clock went back: wait, do not overflow"},
		{"spike, just made", func(f *Facts) { f.Market, f.FirstSeen = spike, 100 }, Step{}, "give it a block before calling it late"},
		{"spike above the head", func(f *Facts) { f.Market, f.InRun = spike, false }, Step{}, "a fee further up buys nothing"},
		{"spike at the ceiling", func(f *Facts) { f.Market, f.CapCeiling, f.Nodes[0] = spike, wei(220), NodeLacks }, Step{Send: []int{0}, Alert: AlertCeiling}, "keep re-broadcasting and alert"},
		{"cancel above the lane's ceiling", func(f *Facts) { f.Market, f.CapCeiling, f.Kind = spike, wei(220), settlement.AttemptCancel }, Step{Price: PriceAsk}, "a cancel may go a quarter above"},
		{"last step", func(f *Facts) { f.Market, f.CapCeiling = spike, wei(231) }, Step{Price: PriceAsk}, "the ceiling is exactly +10 % away"},

		{"refused as underpriced", func(f *Facts) {
			f.InRun, f.FirstSeen, f.Refusal, f.Nodes = false, 100, Underpriced, []NodeView{NodeLacks, NodeLacks}
		}, Step{Send: []int{0, 1}, Price: PriceAsk}, "replaced wherever it stands"},
		{"replacement refused", func(f *Facts) {
			f.InRun, f.Refusal, f.Nodes = false, ReplaceUnderpriced, []NodeView{NodeLacks, NodeLacks}
		}, Step{Send: []int{0, 1}, Price: PriceAsk}, "the same"},
		{"replacement refused by one", func(f *Facts) { f.InRun, f.Refusal, f.Nodes[1] = false, ReplaceUnderpriced, NodeLacks }, Step{Send: []int{1}}, "another node has it: it may be mined"},

		{"unrunnable", func(f *Facts) { f.Unrunnable, f.InRun, f.Nodes = true, false, []NodeView{NodeLacks, NodeLacks} }, Step{Send: []int{0, 1}, Price: PriceFill}, "its nonce must be consumed by a no-op"},
		{"unrunnable, filled", func(f *Facts) { f.Unrunnable, f.Kind = true, settlement.AttemptNoop }, Step{}, "the no-op is under way"},
		{"no-op in a spike", func(f *Facts) { f.Unrunnable, f.Kind, f.Market = true, settlement.AttemptNoop, spike }, Step{Price: PriceAsk}, "a no-op is bumped like anything else"},
		{"no-op rejected", func(f *Facts) {
			f.Unrunnable, f.Kind, f.Refusal, f.Nodes = true, settlement.AttemptNoop, Rejected, []NodeView{NodeLacks}
		}, Step{Send: []int{0}, Alert: AlertRejected}, "nothing that can be signed here will run"},
		{"unrunnable at a lowered ceiling", func(f *Facts) { f.Unrunnable, f.CapCeiling = true, wei(100) }, Step{Alert: AlertCeiling}, "not even a no-op may be priced"},

		{"cancel asked for", func(f *Facts) { f.Cancel, f.CancelSeen = true, 98 }, Step{}, "the workflow has three blocks"},
		{"cancel unanswered", func(f *Facts) { f.Cancel, f.CancelSeen, f.InRun = true, 97, false }, Step{Price: PriceCancel}, "no wish hangs on one workflow, at whatever position"},
		{"cancel under way", func(f *Facts) { f.Cancel, f.CancelSeen, f.Kind = true, 0, settlement.AttemptCancel }, Step{}, "an empty attempt is there"},
		{"cancel in a spike", func(f *Facts) { f.Cancel, f.CancelSeen, f.Market = true, 100, spike }, Step{}, "no higher price for what should not be paid"},
		{"cancel at the ceiling", func(f *Facts) { f.Cancel, f.CapCeiling = true, wei(100) }, Step{Alert: AlertCeiling}, "nothing may compete"},

		{"poor signer", func(f *Facts) { f.Refusal, f.Nodes = Funds, []NodeView{NodeLacks} }, Step{Send: []int{0}, Alert: AlertFunds}, "hold the nonce, tell a person"},
		{"refused signer", func(f *Facts) { f.Refusal, f.Nodes = Identity, []NodeView{NodeLacks} }, Step{Send: []int{0}, Alert: AlertIdentity}, "tell a person"},
		{"other family", func(f *Facts) { f.Refusal, f.Nodes = TypeConflict, []NodeView{NodeLacks} }, Step{Send: []int{0}, Alert: AlertConflict}, "T34"},
		{"never pooled", func(f *Facts) { f.Sends, f.Nodes = 5, []NodeView{NodeLacks} }, Step{Send: []int{0}, Alert: AlertUnpooled}, "OK does not mean pooled: K sends and nobody has it"},
		{"not pooled yet", func(f *Facts) { f.Sends, f.Nodes = 4, []NodeView{NodeLacks} }, Step{Send: []int{0}}, "one send more before the alarm"},
		{"gap", func(f *Facts) { f.Gap, f.Nodes = true, []NodeView{NodeLacks} }, Step{Send: []int{0}, Alert: AlertGap}, "nothing above a missing nonce can be mined"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			f := calm()
			row.have(&f)
			got := f.Next()
			if !slices.Equal(got.Send, row.want.Send) || got.Price != row.want.Price || got.Alert != row.want.Alert {
				t.Errorf("got %+v, want %+v: %s", got, row.want, row.why)
			}
		})
	}
}

func anyFacts() *rapid.Generator[Facts] {
	return rapid.Custom(func(t *rapid.T) Facts {
		return Facts{
			Kind: rapid.SampledFrom([]settlement.AttemptKind{settlement.AttemptPay, settlement.AttemptRevoke, settlement.AttemptCancel, settlement.AttemptNoop}).Draw(t, "kind"),
			Fees: feesUpTo(40).Draw(t, "fees"), Mined: rapid.IntRange(0, 4).Draw(t, "mined") == 0,
			Nodes:      rapid.SliceOfN(rapid.SampledFrom([]NodeView{NodeSilent, NodeLacks, NodeKnows}), 0, 3).Draw(t, "nodes"),
			Refusal:    rapid.SampledFrom(append([]Class{""}, precedence...)).Draw(t, "refusal"),
			Unrunnable: rapid.Bool().Draw(t, "unrunnable"), Sends: rapid.IntRange(0, 8).Draw(t, "sends"),
			InRun: rapid.Bool().Draw(t, "in run"), Gap: rapid.Bool().Draw(t, "gap"),
			Now: rapid.Uint64Range(0, 20).Draw(t, "now"), FirstSeen: rapid.Uint64Range(0, 20).Draw(t, "first seen"),
			Cancel: rapid.Bool().Draw(t, "cancel"), CancelSeen: rapid.Uint64Range(0, 20).Draw(t, "cancel seen"),
			Asked: rapid.Bool().Draw(t, "asked"), AskedAt: rapid.Uint64Range(0, 20).Draw(t, "asked at"),
			Market:   Market{BaseFee: amounts(40).Draw(t, "base"), Tip: amounts(40).Draw(t, "market tip")},
			TipFloor: amounts(20).Draw(t, "floor"), CapCeiling: amounts(42).Draw(t, "ceiling"),
		}
	})
}

func TestNoFactsLeadToAnActThatTheRulesForbid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := anyFacts().Draw(t, "facts")
		step := f.Next()
		if f.Mined && (len(step.Send) > 0 || step.Price != PriceKeep || step.Alert != AlertNone) {
			t.Fatalf("a mined nonce gets %+v", step)
		}
		for i, view := range f.Nodes {
			if !f.Mined && slices.Contains(step.Send, i) != (view == NodeLacks) {
				t.Fatalf("node %d, which is %d, is in %v", i, view, step.Send)
			}
		}
		switch step.Price {
		case PriceFill:
			if !f.Unrunnable || f.empties() {
				t.Fatalf("a payload that may run, or is empty already, is filled: %+v", f)
			}
		case PriceCancel:
			if !f.Cancel || f.empties() || f.Now < f.CancelSeen+bumpDeadline {
				t.Fatalf("a cancel that nobody asked for, or too early: %+v", f)
			}
		case PriceAsk, PriceRaise:
			if _, ok := Bump(f.Fees, f.Market, f.TipFloor, f.ceiling()); !ok {
				t.Fatalf("a bump is wanted that cannot be priced: %+v", f)
			}
			if !f.InRun && f.Refusal != Underpriced && f.Refusal != ReplaceUnderpriced {
				t.Fatalf("a nonce outside of the run is bumped: %+v", f)
			}
			if step.Price == PriceRaise && (!f.Asked || f.Now < f.AskedAt+bumpDeadline) {
				t.Fatalf("the workflow was not given its blocks: %+v", f)
			}
		case PriceKeep:
		}
		// Doing it again changes nothing: the facts alone decide.
		if again := f.Next(); again.Price != step.Price || again.Alert != step.Alert {
			t.Fatalf("%+v, then %+v", step, again)
		}
	})
}

// Whoever is bumped is in the contiguous run from the head: for every lane, the nonces in the run are a prefix without a hole.
func TestTheRunBeginsAtTheHeadAndHasNoHoles(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		mined := rapid.Uint64Range(0, 5).Draw(t, "mined nonce")
		nonces := slices.Sorted(slices.Values(rapid.SliceOfNDistinct(rapid.Uint64Range(0, 12), 1, 8, rapid.ID[uint64]).Draw(t, "nonces")))
		lane := make([]*Facts, len(nonces))
		for i := range lane {
			f := anyFacts().Draw(t, "facts")
			f.Mined = nonces[i] < mined
			lane[i] = &f
		}
		markRun(lane, nonces, mined)
		run, want := true, mined
		for i, f := range lane {
			if f.Mined {
				continue
			}
			hole := nonces[i] != want
			if f.Gap != hole {
				t.Fatalf("nonce %d of %v above %d: gap %v", nonces[i], nonces, mined, f.Gap)
			}
			if run = run && !hole; f.InRun != run {
				t.Fatalf("nonce %d of %v above %d: in run %v, want %v", nonces[i], nonces, mined, f.InRun, run)
			}
			run = run && BelowMarket(f.Fees, f.Market, f.TipFloor)
			want = nonces[i] + 1
		}
	})
}
