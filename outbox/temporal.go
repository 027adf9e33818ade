package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/quittance/quittance/settlement"
)

// ErrNoRun is a Waker's answer when no run of that settlement's workflow is open.
var ErrNoRun = errors.New("no run of the workflow is open")

// Waker reaches workflows. Its errors are the row's own unless it marks them with Down, as it must when Temporal cannot be
// reached: then no attempt is counted.
type Waker interface {
	// Wake signals the open run. Waking twice is harmless: signals carry no facts. Without an open run it is ErrNoRun.
	Wake(ctx context.Context, key settlement.Key) error
	// Resume starts a run that continues from the stored state. A run that is open already is success.
	Resume(ctx context.Context, key settlement.Key) error
}

// Settlements is what the sink asks the ledger.
type Settlements interface {
	// Terminal says whether the settlement has ended.
	Terminal(ctx context.Context, key settlement.Key) (bool, error)
}

// Temporal delivers wake-ups to workflows. A run that was terminated by hand or lost with Temporal's store is resumed, so
// that no settlement waits for a signal that nobody can receive.
type Temporal struct {
	waker       Waker
	settlements Settlements
}

// wakesAtOnce bounds the signals in flight: Temporal on one box handles about a hundred settlements a second.
const wakesAtOnce = 32

// NewTemporal makes the sink of wake-ups.
func NewTemporal(waker Waker, settlements Settlements) *Temporal {
	return &Temporal{waker, settlements}
}

// Destination is "temporal".
func (s *Temporal) Destination() string { return settlement.DestinationTemporal }

// Publish wakes all rows' workflows, some at a time.
func (s *Temporal) Publish(ctx context.Context, rows []settlement.OutboxRow) []error {
	errs := make([]error, len(rows))
	var group errgroup.Group
	group.SetLimit(wakesAtOnce)
	for i, row := range rows {
		group.Go(func() error {
			errs[i] = s.deliver(ctx, row)
			return nil
		})
	}
	_ = group.Wait()
	return errs
}

func (s *Temporal) deliver(ctx context.Context, row settlement.OutboxRow) (err error) {
	defer func() { // in its own goroutine a panic would end the process
		if p := recover(); p != nil {
			err = Permanent(fmt.Errorf("waking panicked: %v", p))
		}
	}()
	var payload struct {
		Key string `json:"key"`
	}
	if err := json.Unmarshal(row.Payload, &payload); err != nil {
		return Permanent(fmt.Errorf("payload of a wake-up: %w", err))
	}
	key, err := settlement.KeyFromCanonical(payload.Key)
	if err != nil {
		return Permanent(fmt.Errorf("payload of a wake-up: %w", err))
	}
	return s.wake(ctx, key)
}

// wake takes "nobody there" as delivered only when nobody needs to be there.
func (s *Temporal) wake(ctx context.Context, key settlement.Key) error {
	err := s.waker.Wake(ctx, key)
	if !errors.Is(err, ErrNoRun) {
		return err
	}
	ended, err := s.settlements.Terminal(ctx, key)
	switch {
	case settlement.KindOf(err) == settlement.NotFound:
		return Permanent(fmt.Errorf("wake %s: there is no such settlement: %w", key, err))
	case err != nil:
		return fmt.Errorf("read whether %s has ended: %w", key, err)
	case ended:
		return nil
	}
	if err := s.waker.Resume(ctx, key); err != nil {
		return fmt.Errorf("resume %s: %w", key, err)
	}
	return s.waker.Wake(ctx, key)
}
