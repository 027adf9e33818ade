package ledger

import (
	"context"
	"strconv"

	"github.com/quittance/quittance/settlement"
)

// Wished is an operator's wish that a settlement end unpaid.
type Wished struct {
	Wish   settlement.Wish
	Actor  string
	Reason string
}

// AskEnd records the wish, with the wake-up of its workflow, in one commit. A settlement that never had a nonce ends in that
// commit, cancelled, whichever the wish: the guarded update is the proof. From the commit on no new paying nonce is allocated;
// what is out already stays supervised and may win. It returns the row as it is afterwards. Again, for a revoke that was asked
// for, or after the end, it writes nothing: the row says what became of it. A cancel may become a revoke, never the reverse.
func (l *Ledger) AskEnd(ctx context.Context, key settlement.Key, w Wished) (settlement.Settlement, error) {
	if w.Reason == "" || w.Actor == "" {
		return settlement.Settlement{}, settlement.Invalidf("reason", "must say who asks, and why")
	}
	s, err := l.Settlement(ctx, key)
	if err != nil {
		return s, err
	}
	err = l.do(ctx, "ask to "+string(w.Wish)+": settlement "+strconv.FormatInt(s.ID, 10), func(t *Tx) error {
		e := unpaidEnding{t: t, end: settlement.Cancelled, reason: clip(w.Actor + ": " + w.Reason)}
		if err := e.lock(s.ID); err != nil {
			return err
		}
		defer func() { s = e.s }()
		if e.s.State.Terminal() || e.s.Wish == w.Wish || e.s.Wish == settlement.WishRevoke {
			return nil
		}
		if err := journal(t, w.Actor, "ask_"+string(w.Wish), settlementStream(key), map[string]any{"reason": w.Reason, "state": e.s.State}); err != nil {
			return err
		}
		if e.nonces.total == 0 && e.s.State.BeforeNonce() {
			e.proof = settlement.ProofNeverAllocated
			return e.write()
		}
		e.wish(w.Wish)
		return nil
	})
	return s, err
}

// wish queues the note and the wake-up. A place in the queue, and a grant, are given back.
func (e *unpaidEnding) wish(w settlement.Wish) {
	before := e.s.State
	e.s.Wish, e.s.WishReason = w, e.reason
	if before.BeforeNonce() {
		e.s.State, e.s.Reason = settlement.Requested, ""
		e.t.AtCommit(`DELETE FROM queue WHERE settlement_id = $1`, e.s.ID)
		e.t.AtCommitOne("the settlement moved", `UPDATE settlements SET wish = $2, wish_reason = $3, state = 'requested', reason = NULL, wait_rounds = 0, wake_block = NULL
			WHERE id = $1 AND state = $4`, e.s.ID, w, e.reason, before)
	} else {
		e.t.AtCommitOne("the settlement moved", `UPDATE settlements SET wish = $2, wish_reason = $3 WHERE id = $1 AND state = $4`, e.s.ID, w, e.reason, before)
	}
	wake(e.t, e.s.Key)
}
