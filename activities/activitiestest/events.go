package activitiestest

import (
	"context"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/settlement"
)

// Change edits a row, as the listener's or an operator's commit would. It panics if there is no such row.
func (b *Books) Change(key settlement.Key, edit func(*settlement.Settlement)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s, found := b.rows[key.Canonical()]
	if !found {
		panic("activitiestest: no row for " + key.Canonical())
	}
	edit(s)
}

// Free changes the number of free slots and the reason to wait.
func (b *Books) Free(slots int, hold string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.Slots, b.Hold = slots, hold
}

// Row returns a copy of a row.
func (b *Books) Row(key settlement.Key) (settlement.Settlement, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s, found := b.rows[key.Canonical()]
	if !found {
		return settlement.Settlement{}, false
	}
	return clone(s), true
}

// Calls counts the units of work of a method; "hit" counts replays of a key by another request.
func (b *Books) Calls(method string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.calls[method]
}

// Breaches lists the promises that were broken.
func (b *Books) Breaches() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.breaches...)
}

// What the listener's commits do to a row.

// Mined puts the payment into a block that is not final.
func Mined(s *settlement.Settlement) {
	hash, number := s.Live.Newest.Hash, uint64(100)
	s.State, s.TxHash, s.BlockNumber = settlement.Mined, &hash, &number
}

// Unmined is a reorg: the block is gone.
func Unmined(s *settlement.Settlement) {
	s.State, s.TxHash, s.BlockNumber = settlement.Submitted, nil, nil
}

// Settled makes the payment final.
func Settled(s *settlement.Settlement) {
	Mined(s)
	s.State, s.Live = settlement.Settled, nil
}

// Reverted makes a revert final: the nonce is consumed without payment.
func Reverted(s *settlement.Settlement) {
	s.State, s.Live, s.TxHash, s.BlockNumber = settlement.Requested, nil, nil, nil
}

// Granted frees the settlement from the queue or from waiting; the next Submit uses it.
func Granted(s *settlement.Settlement) { s.State, s.Reason = settlement.Requested, "" }

// BumpAsked is the lane keeper's request for higher fees.
func BumpAsked(s *settlement.Settlement) { s.Live.BumpAsked = true }

// CancelAsked is an operator's wish.
func CancelAsked(s *settlement.Settlement) {
	s.Wish, s.WishReason = settlement.WishCancel, "olga: changed their mind"
}

// RevokeAsked is the stronger one.
func RevokeAsked(s *settlement.Settlement) {
	s.Wish, s.WishReason = settlement.WishRevoke, "olga: bytes were lost"
}

// Revoked ends the settlement by a final Revoked event.
func Revoked(s *settlement.Settlement) {
	s.State, s.Live, s.Reason, s.Proof = settlement.Cancelled, nil, "cancelled by an operator", settlement.ProofRevoked
}

func (b *Books) checkBroadcast(s settlement.Settlement, hash common.Hash) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.stored[hash] {
		b.breaches = append(b.breaches, "bytes broadcast that were never stored: "+hash.Hex())
	}
	if row := b.rows[s.Key.Canonical()]; row == nil || row.NoncesAllocated == 0 {
		b.breaches = append(b.breaches, "broadcast for a settlement without a nonce: "+s.Key.Canonical())
	}
}

// Stuck lists what has not ended and was not swept yet.
func (b *Books) Stuck(_ context.Context, _ time.Duration, limit int) (keys []settlement.Key, err error) {
	err = b.do("Stuck", func() error {
		for _, s := range b.rows {
			if !s.State.Terminal() && !b.swept[s.Key.Canonical()] && len(keys) < limit {
				keys = append(keys, s.Key)
			}
		}
		return nil
	})
	return keys, err
}

// MarkSwept hides rows from Stuck until Unsweep.
func (b *Books) MarkSwept(_ context.Context, keys []settlement.Key) error {
	return b.do("MarkSwept", func() error {
		for _, key := range keys {
			b.swept[key.Canonical()] = true
		}
		return nil
	})
}

// ExpireSnapshots counts Expired down: the model keeps no answers besides its rows.
func (b *Books) ExpireSnapshots(_ context.Context, limit int) (dropped int, err error) {
	err = b.do("ExpireSnapshots", func() error {
		dropped = min(limit, b.Expired)
		b.Expired -= dropped
		return nil
	})
	return dropped, err
}

// Unsweep lets time pass: every open row is stuck again.
func (b *Books) Unsweep() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.swept)
}

// Forget loses a row, as books that were set back to an older backup do.
func (b *Books) Forget(key settlement.Key) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.rows, key.Canonical())
}
