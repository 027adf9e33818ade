package chain

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/internal/crash"
	"github.com/quittance/quittance/settlement"
)

// UnsignedStore is what the signatory needs of the ledger.
type UnsignedStore interface {
	// Unsigned lists the nonces whose newest attempt has no bytes, head first per lane.
	Unsigned(ctx context.Context, chainID uint64) ([]settlement.Unsigned, error)
	// StoreBytes is a remote signer's second commit. Who comes second gets the stored bytes with won = false.
	StoreBytes(ctx context.Context, transactionID int64, signed settlement.Attempt) (stored settlement.Attempt, won bool, err error)
}

// Signatory asks remote signers for what their lanes owe, so that no lane hangs on one workflow: the step that took a nonce may
// have crashed between its two commits, or found the signer away. It sends nothing: the lane keeper finds the bytes at its next
// look. Several may run, also beside the steps: the first bytes are stored and the others are thrown away. It runs beside the
// listener's walk and never within it, since a signer may wait for a person.
type Signatory struct {
	Store  UnsignedStore
	Sender *Sender
	Look   func(context.Context) error // learns which lanes are remote; may be nil
	Every  time.Duration               // between two looks
	Age    time.Duration               // younger attempts are left to the step that made them
	Log    *slog.Logger

	now     func() time.Time // for tests
	waiting map[common.Address]backOff
}

// backOff is how long a signer is left alone after it failed.
type backOff struct {
	until time.Time
	next  time.Duration
	why   string
}

const (
	backOffMin = time.Second
	backOffMax = 30 * time.Second
)

// Signed is what one look did.
type Signed struct {
	Owed   int
	Stored int // by this call
}

// Run looks until the context ends.
func (s *Signatory) Run(ctx context.Context) error {
	ticker := time.NewTicker(s.Every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
		}
		if _, err := s.RunOnce(ctx); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "what remote signers owe cannot be read", "err", err)
		}
	}
}

// RunOnce asks each signer for its unsigned attempts, the lowest nonce first, all signers side by side. The first failure of a
// signer ends its turn, and it is left alone for a while: a person may have to act.
func (s *Signatory) RunOnce(ctx context.Context) (Signed, error) {
	owed, err := s.Store.Unsigned(ctx, s.Sender.pool.ChainID())
	if err != nil {
		return Signed{}, fmt.Errorf("list unsigned attempts: %w", err)
	}
	if s.now == nil {
		s.now = time.Now
	}
	if len(owed) > 0 && s.Look != nil {
		if err := s.Look(ctx); err != nil {
			return Signed{}, fmt.Errorf("look for the keys of unsigned attempts: %w", err)
		}
	}
	lanes := map[common.Address][]settlement.Unsigned{}
	for _, u := range owed {
		if s.now().Sub(u.Since) >= s.Age && !s.now().Before(s.waiting[u.Signer].until) {
			lanes[u.Signer] = append(lanes[u.Signer], u)
		}
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	report, ends := Signed{Owed: len(owed)}, map[common.Address]error{}
	for signer, lane := range lanes {
		wg.Go(func() {
			stored, err := s.lane(ctx, lane)
			mu.Lock()
			defer mu.Unlock()
			report.Stored += stored
			ends[signer] = err
		})
	}
	wg.Wait()
	for signer, err := range ends {
		s.note(ctx, signer, err)
	}
	return report, nil
}

func (s *Signatory) lane(ctx context.Context, lane []settlement.Unsigned) (stored int, err error) {
	for _, u := range lane {
		signed, err := s.Sender.SignStored(ctx, u.Transaction)
		if err != nil {
			return stored, err
		}
		crash.Point("signatory.before_store")
		_, won, err := s.Store.StoreBytes(ctx, u.ID, signed)
		switch {
		case settlement.KindOf(err) == settlement.Stale: // consumed, or replaced: nothing is owed
		case err != nil:
			return stored, fmt.Errorf("store the bytes of nonce %d of %s: %w", u.Nonce, u.Signer, err)
		case won:
			stored++
		}
	}
	return stored, nil
}

// note logs when a signer begins to fail, says something else, and is well again.
func (s *Signatory) note(ctx context.Context, signer common.Address, err error) {
	if s.waiting == nil {
		s.waiting = map[common.Address]backOff{}
	}
	before, failing := s.waiting[signer]
	switch {
	case err == nil && failing:
		delete(s.waiting, signer)
		s.Log.InfoContext(ctx, "a remote signer signs again", "signer", signer)
	case err == nil, ctx.Err() != nil:
	default:
		wait := min(max(before.next, backOffMin), backOffMax)
		s.waiting[signer] = backOff{until: s.now().Add(wait), next: 2 * wait, why: err.Error()}
		if before.why != err.Error() {
			s.Log.WarnContext(ctx, "a remote signer does not sign: its lane waits", "signer", signer, "refused", errors.Is(err, ErrSignerRefused), "err", err)
		}
	}
}
