package chain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/settlement"
)

// KeeperStore is what the lane keeper needs of the ledger. Each method is one commit.
type KeeperStore interface {
	AttemptStore
	// Unmined lists every nonce that no canonical block holds, in any order.
	Unmined(ctx context.Context, chainID uint64) ([]settlement.Unmined, error)
	// AskBump asks the settlement's workflow to replace an attempt. Again for the same attempt it wakes again.
	AskBump(ctx context.Context, lease settlement.Lease, transactionID int64, attempt common.Hash, block uint64) error
	// MarkUnrunnable notes that a payload can never run. Again it changes nothing.
	MarkUnrunnable(ctx context.Context, transactionID int64, text string) error
}

// KeeperConfig is what a keeper is told once.
type KeeperConfig struct {
	TipFloor settlement.Amount // of the chain
	Log      *slog.Logger
	Observe  func(Report) // for metrics; may be nil
}

// Keeper keeps the lanes of one chain moving: every unmined nonce is known to the nodes, priced by the market, and able to run.
// It needs no workflow for that. What it remembers between blocks (how long it has seen an attempt, how often it sent it) only
// delays; a new keeper decides the same a few blocks later. Only one may run at a time for one chain: its asks carry the
// listener's lease, and its sends are of committed bytes, which a second keeper could only repeat.
type Keeper struct {
	store  KeeperStore
	sender *Sender
	config KeeperConfig
	memory map[common.Hash]*memo
}

// memo is what is remembered of a newest attempt.
type memo struct {
	firstSeen uint64
	cancel    uint64 // the block at which the wish to cancel was first seen, plus one; 0: there is none
	sends     int    // since a node last knew it
	refusal   Class
	alert     Alert
}

// NewKeeper makes a keeper of the sender's chain.
func NewKeeper(store KeeperStore, sender *Sender, config KeeperConfig) *Keeper {
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	return &Keeper{store: store, sender: sender, config: config, memory: map[common.Hash]*memo{}}
}

// Report is what one look at the lanes found and did.
type Report struct {
	Block   uint64
	Unmined int
	Unknown int // to at least one node that answered
	Sent    int // attempts offered again
	Asked   int // bumps asked of workflows
	Raised  int // replacements made here
	Filled  int // no-ops put in place of payloads that cannot run
	Silent  int // nodes that gave no answer

	Cancelled int // cancels put in place of payments, which the workflows did not
	Alerts    []AlertAt
}

// AlertAt is one alert's place.
type AlertAt struct {
	Signer  common.Address
	Nonce   uint64
	Attempt common.Hash
	Alert   Alert
}

// kept is one nonce under way through RunOnce.
type kept struct {
	settlement.Unmined
	facts Facts
	memo  *memo
}

// RunOnce looks at every unmined nonce once. Call it once per recorded block. It goes on past the failure of one nonce and returns
// the failures joined, but stops at once when the lease is lost. Interrupted anywhere, the next call does the rest.
func (k *Keeper) RunOnce(ctx context.Context, lease settlement.Lease, head settlement.Head) (Report, error) {
	report := Report{Block: head.Number}
	unmined, err := k.store.Unmined(ctx, k.sender.pool.ChainID())
	if err != nil {
		return report, fmt.Errorf("keep lanes at block %d: %w", head.Number, err)
	}
	lanes := k.gather(unmined, head)
	report.Unmined = len(lanes)
	report.Silent = k.look(ctx, lanes)
	sendErr := k.resend(ctx, lanes, &report)
	if errors.Is(sendErr, settlement.ErrLeaseLost) {
		return report, sendErr
	}
	priceErr := k.reprice(ctx, lease, lanes, &report)
	if k.config.Observe != nil {
		k.config.Observe(report)
	}
	return report, errors.Join(sendErr, priceErr)
}

// gather sorts lane by lane, head first, and forgets attempts that are no longer anybody's newest. A nonce whose bytes are not
// there yet (a remote signer has not signed) holds its place in the lane: it is neither sent nor priced, but it may be cancelled.
func (k *Keeper) gather(unmined []settlement.Unmined, head settlement.Head) []*kept {
	slices.SortFunc(unmined, func(a, b settlement.Unmined) int {
		return cmp.Or(a.Signer.Cmp(b.Signer), cmp.Compare(a.Nonce, b.Nonce))
	})
	memory := make(map[common.Hash]*memo, len(unmined))
	lanes := make([]*kept, 0, len(unmined))
	for _, u := range unmined {
		m := k.memory[memoryOf(u.Newest)]
		if m == nil {
			m = &memo{firstSeen: head.Number, refusal: Class(u.Refusal)}
		}
		m.firstSeen = min(m.firstSeen, head.Number)
		cancel := u.Wish == settlement.WishCancel && u.Kind == settlement.KindPay
		if cancel && m.cancel == 0 {
			m.cancel = head.Number + 1
		}
		memory[memoryOf(u.Newest)] = m
		lanes = append(lanes, &kept{Unmined: u, memo: m, facts: Facts{
			Kind: u.Newest.Kind, Fees: u.Newest.Fees, Unrunnable: u.Unrunnable != "", Mined: u.Nonce < u.MinedNonce, Unsigned: !u.Newest.Signed(),
			Cancel: cancel, CancelSeen: max(m.cancel, 1) - 1,
			Now: head.Number, FirstSeen: m.firstSeen,
			Asked: u.AskedFor != nil && *u.AskedFor == u.Newest.Hash, AskedAt: u.AskedBlock,
			Market: MarketOf(head), TipFloor: k.config.TipFloor, CapCeiling: u.CapCeiling,
		}})
	}
	k.memory = memory
	return lanes
}

// memoryOf names an attempt also while it has no bytes, and so no hash.
func memoryOf(a settlement.Attempt) common.Hash {
	if a.Signed() {
		return a.Hash
	}
	return a.SigningHash
}

// signed reports whether there are bytes to send.
func (k *kept) signed() bool { return k.Newest.Signed() }

// laneEnd finds where the lane that begins at from ends, in what gather sorted.
func laneEnd(all []*kept, from int) int {
	end := from
	for end < len(all) && all[end].Signer == all[from].Signer {
		end++
	}
	return end
}

// reprice decides every lane from its head and acts in nonce order, so that a bump never waits behind one above it.
func (k *Keeper) reprice(ctx context.Context, lease settlement.Lease, all []*kept, report *Report) error {
	var failures []error
	for from := 0; from < len(all); {
		end := laneEnd(all, from)
		lane := all[from:end]
		from = end
		markLane(lane)
		for _, n := range lane {
			if err := k.act(ctx, lease, n, report); err != nil {
				failures = append(failures, fmt.Errorf("keep nonce %d of %s: %w", n.Nonce, n.Signer, err))
				if errors.Is(err, settlement.ErrLeaseLost) || ctx.Err() != nil {
					return errors.Join(failures...)
				}
			}
		}
	}
	return errors.Join(failures...)
}

func markLane(lane []*kept) {
	facts, nonces := make([]*Facts, len(lane)), make([]uint64, len(lane))
	for i, n := range lane {
		facts[i], nonces[i] = &n.facts, n.Nonce
	}
	markRun(facts, nonces, lane[0].MinedNonce)
}

// act carries out what the facts call for. Stale answers are not failures: a workflow, another keeper or a block was faster.
func (k *Keeper) act(ctx context.Context, lease settlement.Lease, n *kept, report *Report) error {
	step := n.facts.Next()
	k.raise(n, step.Alert, report)
	prices := Prices{Market: n.facts.Market, TipFloor: n.facts.TipFloor, CapCeiling: n.CapCeiling}
	var err error
	switch step.Price {
	case PriceAsk:
		if err = k.store.AskBump(ctx, lease, n.ID, n.Newest.Hash, n.facts.Now); err == nil {
			report.Asked++
		}
	case PriceRaise:
		if err = k.replaced(k.sender.Replace(ctx, k.store, n.Transaction, prices)); err == nil {
			report.Raised++
		}
	case PriceFill:
		if err = k.replaced(k.sender.Empty(ctx, k.store, n.Transaction, settlement.AttemptNoop, prices)); err == nil {
			report.Filled++
		}
	case PriceCancel:
		if err = k.replaced(k.sender.Empty(ctx, k.store, n.Transaction, settlement.AttemptCancel, prices)); err == nil {
			report.Cancelled++
		}
	case PriceKeep:
	}
	if settlement.KindOf(err) == settlement.Stale {
		return nil
	}
	return err
}

// replaced logs a replacement; a remote signer's has no hash yet. That no node answered its send is no failure here: it is committed, and the next look sends it.
func (k *Keeper) replaced(r Replaced, err error) error {
	if r.Attempt.Hash == (common.Hash{}) && r.Attempt.SigningHash == (common.Hash{}) {
		return err
	}
	k.config.Log.Info("attempt replaced", "attempt", r.Attempt.Hash, "signed", r.Attempt.Signed(), "kind", r.Attempt.Kind, "cap", r.Attempt.Cap.String(), "tip", r.Attempt.Tip.String(),
		"won", r.Won, "outcome", r.Sent.Outcome, "class", r.Sent.Class, "error", err)
	return nil
}

// raise reports an alert at every look and logs it when it begins and when it ends.
func (k *Keeper) raise(n *kept, alert Alert, report *Report) {
	if alert != AlertNone {
		report.Alerts = append(report.Alerts, AlertAt{n.Signer, n.Nonce, n.Newest.Hash, alert})
	}
	if alert == n.memo.alert {
		return
	}
	fields := []any{"settlement", n.Key.Canonical(), "signer", n.Signer, "nonce", n.Nonce, "attempt", n.Newest.Hash, "block", n.facts.Now, "refusal", n.facts.Refusal}
	if alert == AlertNone {
		k.config.Log.Info("lane alert over", append(fields, "alert", n.memo.alert)...)
	} else {
		k.config.Log.Warn("lane alert", append(fields, "alert", alert)...)
	}
	n.memo.alert = alert
}
