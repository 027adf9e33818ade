package chain

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/internal/crash"
	"github.com/quittance/quittance/settlement"
)

// AttemptStore keeps new attempts. Each method is one commit.
type AttemptStore interface {
	// AddAttempt stores an attempt that names the one it replaces. Of several, one wins; who loses gets the winner's bytes and must
	// throw its own away. Stale: the nonce is consumed, or the attempt it names is not of that transaction.
	AddAttempt(ctx context.Context, r settlement.Replacement) (winner settlement.Attempt, won bool, err error)
	// RecordRefusal notes the last refusal of an attempt. Again it overwrites the note.
	RecordRefusal(ctx context.Context, attempt common.Hash, class, text string) error
}

// Prices are what a replacement is priced by.
type Prices struct {
	Market
	TipFloor   settlement.Amount // of the chain
	CapCeiling settlement.Amount // of the lane, wei per gas
}

// Replaced is what became of a replacement.
type Replaced struct {
	Attempt   settlement.Attempt // the newest one now, and the one that was sent
	Won       bool               // it is this call's
	AtCeiling bool               // no higher price is allowed: the old attempt was sent again
	Sent      settlement.Sent
}

// Replace stores an attempt with the newest one's payload and higher fees, and sends it: same nonce, same meaning, a cancel
// stays a cancel. Twice at once, one wins and both send the winner's bytes; a crash between the commit and the send leaves
// bytes that the lane keeper sends. For a remote signer the attempt is stored without bytes and nothing is sent: SignStored follows,
// outside of here, so that whoever calls never waits for a signer.
func (s *Sender) Replace(ctx context.Context, store AttemptStore, t settlement.Transaction, p Prices) (Replaced, error) {
	return s.replace(ctx, store, t, t.Newest.Kind, t.Newest.Payload, p)
}

// Empty replaces whatever the nonce carries by a transfer of nothing to the signer itself, as a cancel or a no-op. Which of the
// attempts is mined decides; the old one winning is normal. It may replace at any position and go a quarter above the
// lane's ceiling.
func (s *Sender) Empty(ctx context.Context, store AttemptStore, t settlement.Transaction, kind settlement.AttemptKind, p Prices) (Replaced, error) {
	if !emptying(kind) {
		return Replaced{}, settlement.Errorf(settlement.Invalid, "a nonce is emptied by a cancel or a noop, not by a %s", kind)
	}
	return s.replace(ctx, store, t, kind, SelfTransfer(t.Signer), p)
}

func (s *Sender) replace(ctx context.Context, store AttemptStore, t settlement.Transaction, kind settlement.AttemptKind, payload settlement.Payload, p Prices) (Replaced, error) {
	if !t.Newest.Signed() && kind == t.Newest.Kind {
		return Replaced{Attempt: t.Newest}, nil // its signature comes before a higher price
	}
	fees, ok := Bump(t.Newest.Fees, p.Market, p.TipFloor, ceilingOf(kind, p.CapCeiling))
	if !ok {
		sent, err := s.sendStored(ctx, store, t.Newest)
		return Replaced{Attempt: t.Newest, AtCeiling: true, Sent: sent}, err
	}
	attempt, err := s.Sign(ctx, kind, payload, fees, t.Signer, t.Nonce)
	if err != nil {
		return Replaced{}, fmt.Errorf("replace attempt %s of nonce %d: %w", t.Newest.Hash, t.Nonce, err)
	}
	crash.Point("replace.before_commit")
	winner, won, err := store.AddAttempt(ctx, settlement.Replacing(t, attempt))
	if err != nil {
		return Replaced{}, fmt.Errorf("replace attempt %s of nonce %d: %w", t.Newest.Hash, t.Nonce, err)
	}
	crash.Point("replace.before_broadcast")
	sent, err := s.sendStored(ctx, store, winner)
	crash.Point("replace.after_broadcast")
	return Replaced{Attempt: winner, Won: won, Sent: sent}, err
}

// sendStored sends bytes that are in the store and notes a refusal. A winner whose remote signer has not signed yet is left to
// it.
func (s *Sender) sendStored(ctx context.Context, store AttemptStore, a settlement.Attempt) (settlement.Sent, error) {
	if !a.Signed() {
		return settlement.Sent{}, nil
	}
	sent, err := s.Broadcast(ctx, a)
	if err != nil {
		return sent, err
	}
	if sent.Outcome == settlement.SendRefused || sent.Outcome == settlement.SendUnrunnable {
		if err := store.RecordRefusal(ctx, a.Hash, sent.Class, sent.Text); err != nil {
			return sent, fmt.Errorf("note the refusal of %s: %w", a.Hash, err)
		}
	}
	return sent, nil
}
