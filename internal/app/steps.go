package app

import (
	"context"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/activities"
	"github.com/quittance/quittance/chain"
	"github.com/quittance/quittance/internal/crash"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// chainSteps serves the workflow's steps with one chain. It adds to the sender what a step must not ask for itself: the
// shared readings.
type chainSteps struct {
	site   Site
	ledger *ledger.Ledger
	sender *chain.Sender
	board  *Board
}

var (
	_ activities.Chain    = (*chainSteps)(nil)
	_ activities.Replacer = (*chainSteps)(nil)
	_ activities.Ledger   = (*ledger.Ledger)(nil)
)

func newChainSteps(site Site, l *ledger.Ledger, board *Board, keys *chain.Keyring) *chainSteps {
	return &chainSteps{site: site, ledger: l, sender: chain.NewSender(site.Pool, keys), board: board}
}

// Estimate implements activities.Chain.
func (c *chainSteps) Estimate(ctx context.Context, s settlement.Settlement) (settlement.Estimate, error) {
	now, err := c.board.look(ctx)
	if err != nil {
		return settlement.Estimate{}, err
	}
	return c.sender.Estimate(ctx, s, now.terms(c.site.Config, s.Asset.ID))
}

// Sign implements activities.Chain. The context cannot matter: keys of a keystore sign in memory, remote ones not at all.
func (c *chainSteps) Sign(_ settlement.Settlement, e settlement.Estimate, signer common.Address, nonce uint64) (settlement.Attempt, error) {
	return c.sender.Sign(context.Background(), settlement.AttemptPay, e.Payload, e.Fees, signer, nonce)
}

// SignStored implements activities.Chain.
func (c *chainSteps) SignStored(ctx context.Context, t settlement.Transaction) (settlement.Attempt, error) {
	if _, err := c.board.look(ctx); err != nil { // which lanes are remote
		return settlement.Attempt{}, err
	}
	return c.sender.SignStored(ctx, t)
}

// complete gets, stores and sends the bytes that a remote signer owes. Whoever stores first wins, and all send what is stored.
func (c *chainSteps) complete(ctx context.Context, t settlement.Transaction) error {
	crash.Point("replace.before_sign")
	signed, err := c.sender.SignStored(ctx, t)
	if err != nil {
		return err
	}
	stored, _, err := c.ledger.StoreBytes(ctx, t.ID, signed)
	if err != nil || !stored.Signed() {
		return err
	}
	_, err = c.sender.Broadcast(ctx, stored)
	return err
}

// replaced goes on with what a replacement left: a remote signer's attempt is stored and has no bytes.
func (c *chainSteps) replaced(ctx context.Context, t settlement.Transaction, r chain.Replaced, err error) error {
	if err != nil || r.Attempt.Signed() {
		return err
	}
	t.Newest = r.Attempt
	return c.complete(ctx, t)
}

// Broadcast implements activities.Chain.
func (c *chainSteps) Broadcast(ctx context.Context, _ settlement.Settlement, attempt settlement.Attempt) (settlement.Sent, error) {
	return c.sender.Broadcast(ctx, attempt)
}

// Unpaid implements activities.Chain: it asks at the newest block whose effects the ledger has booked.
func (c *chainSteps) Unpaid(ctx context.Context, s settlement.Settlement) (settlement.BlockRef, bool, error) {
	head, err := c.ledger.Head(ctx, c.site.Config.ChainID)
	if err != nil {
		return settlement.BlockRef{}, false, err
	}
	unpaid, err := c.sender.Unpaid(ctx, s, head.Final)
	return head.Final, unpaid, err
}

// Replace implements activities.Replacer.
func (c *chainSteps) Replace(ctx context.Context, chainID uint64, t settlement.Transaction) error {
	prices, err := c.prices(ctx, chainID, t)
	if err != nil {
		return err
	}
	r, err := c.sender.Replace(ctx, c.ledger, t, prices)
	return c.replaced(ctx, t, r, err)
}

// Cancel implements activities.Replacer.
func (c *chainSteps) Cancel(ctx context.Context, chainID uint64, t settlement.Transaction) error {
	prices, err := c.prices(ctx, chainID, t)
	if err != nil {
		return err
	}
	r, err := c.sender.Empty(ctx, c.ledger, t, settlement.AttemptCancel, prices)
	return c.replaced(ctx, t, r, err)
}

func (c *chainSteps) prices(ctx context.Context, chainID uint64, t settlement.Transaction) (chain.Prices, error) {
	now, err := c.board.look(ctx)
	if err != nil {
		return chain.Prices{}, err
	}
	lane, known := now.all[t.Signer]
	if !known || chainID != c.site.Config.ChainID {
		return chain.Prices{}, settlement.Errorf(settlement.Invalid, "replace nonce %d: signer %s is no lane of chain %d", t.Nonce, t.Signer, chainID)
	}
	return chain.Prices{Market: chain.MarketOf(now.head), TipFloor: c.site.Config.TipFloor, CapCeiling: lane.CapCeiling}, nil
}

// Revoke implements activities.Replacer.
func (c *chainSteps) Revoke(ctx context.Context, s settlement.Settlement) error {
	now, err := c.board.look(ctx)
	if err != nil {
		return err
	}
	e, err := c.sender.EstimateRevoke(ctx, s, now.terms(c.site.Config, s.Asset.ID))
	if err != nil {
		return err
	}
	allocated, err := c.ledger.AllocateRevoke(ctx, settlement.Allocation{SettlementID: s.ID, Payload: e.Payload, Fees: e.Fees, MaxCost: e.MaxCost, Signers: e.Signers},
		func(signer common.Address, nonce uint64) (settlement.Attempt, error) {
			return c.sender.Sign(context.WithoutCancel(ctx), settlement.AttemptRevoke, e.Payload, e.Fees, signer, nonce)
		})
	if err != nil {
		return err
	}
	if !allocated.Transaction.Newest.Signed() {
		return c.complete(ctx, *allocated.Transaction)
	}
	crash.Point("revoke.before_broadcast")
	_, err = c.sender.Broadcast(ctx, allocated.Transaction.Newest)
	return err
}
