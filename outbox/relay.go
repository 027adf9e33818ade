// Package outbox carries committed events to where they are wanted: each at least once, in order within a stream. It owns
// the relay loop, the event envelope and the sinks; it may import settlement and reads the rows through its own interface
// Store. It must never hold a transaction open while it talks to a destination, and never decide that an event need not be
// delivered: what cannot be delivered is parked for a person.
package outbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/quittance/quittance/internal/crash"
	"github.com/quittance/quittance/settlement"
)

// Relay serves one destination. Any number of relays may serve the same one at the same time, in one process or in many.
// A relay keeps nothing that a crash could lose: killed after publishing and before marking, its rows are published again
// when the lease runs out, and consumers tell copies by event id.
type Relay struct {
	store Store
	sink  Sink
	cfg   Config
	log   *slog.Logger
	hint  chan struct{}
	pace  pace
	after string // the stream at which the last claim ended
}

// Crash points of the relay, in the order in which it passes them.
const (
	CrashBeforePublish = "outbox.before_publish"
	CrashAfterPublish  = "outbox.after_publish" // published, not marked
	CrashAfterMark     = "outbox.after_mark"
)

// New refuses a configuration that could publish a row while another relay may claim it.
func New(store Store, sink Sink, cfg Config) (*Relay, error) {
	if err := cfg.Check(); err != nil {
		return nil, fmt.Errorf("relay to %s: %w", sink.Destination(), err)
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Observe == nil {
		cfg.Observe = func(Round) {}
	}
	return &Relay{
		store: store, sink: sink, cfg: cfg,
		log:  cfg.Log.With("destination", sink.Destination()),
		hint: make(chan struct{}, 1),
		pace: newPace(cfg),
	}, nil
}

// Hint says that this process has just committed rows, so that an idle relay need not wait for its next poll. It never
// blocks, and a lost hint costs PollMax at most.
func (r *Relay) Hint() {
	select {
	case r.hint <- struct{}{}:
	default:
	}
}

// Run publishes until ctx ends. Then it lets the sink's current call finish, writes its outcome and gives the rest of the
// batch back, which takes PublishTimeout at most.
func (r *Relay) Run(ctx context.Context) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	<-timer.C
	for ctx.Err() == nil {
		wait, hinted := r.pace.after(r.RunOnce(ctx))
		if wait == 0 {
			continue
		}
		hint := r.hint
		if !hinted {
			hint = nil
		}
		timer.Reset(wait)
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-hint:
		}
	}
	return nil
}

// probeMax is the batch while the destination is down. It is not one row: if a sink took a poisoned row's error for the
// destination's, that row alone would be tried for ever.
const probeMax = 8

// RunOnce claims one batch, publishes it and writes the outcome of each row. While the destination is down batches are
// small.
func (r *Relay) RunOnce(ctx context.Context) Round {
	round := Round{Destination: r.sink.Destination()}
	limit := r.cfg.BatchMax
	if r.pace.down() {
		limit = min(limit, probeMax)
	}
	// The lease begins later, on Postgres's clock: from here on the local clock errs on the safe side.
	lastStart := time.Now().Add(r.cfg.Lease - r.cfg.PublishTimeout)
	claim, err := r.claim(ctx, limit)
	if err != nil {
		if ctx.Err() == nil {
			round.Err = fmt.Errorf("claim: %w", err)
			r.report(round)
		}
		return round
	}
	if round.Claimed = len(claim.Rows); round.Claimed == 0 {
		return round
	}
	d := newDelivery(r, claim)
	round.Down = d.publish(ctx, lastStart)
	crash.Point(CrashAfterPublish)
	crash.Point(CrashAfterPublish + "/" + round.Destination)
	settle, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.cfg.PublishTimeout)
	defer cancel()
	round.Err = d.settle(settle, &round)
	crash.Point(CrashAfterMark)
	r.report(round)
	return round
}

// claim goes on behind the last claim's streams, and begins anew when it finds nothing up to the last stream.
func (r *Relay) claim(ctx context.Context, limit int) (settlement.OutboxClaim, error) {
	for {
		claim, err := r.store.ClaimOutbox(ctx, r.sink.Destination(), limit, r.cfg.Lease, r.after)
		if err != nil {
			return claim, err
		}
		ended := r.after != "" && claim.Next == ""
		if r.after = claim.Next; len(claim.Rows) > 0 || !ended {
			return claim, nil
		}
	}
}

// report logs what changed: a destination that stays down is one line, not one a second.
func (r *Relay) report(round Round) {
	switch {
	case round.Err != nil:
		r.log.Error("outbox rows could not be claimed or settled", "err", round.Err)
	case round.Down != nil && !r.pace.down():
		r.log.Warn("destination is down, rows wait", "err", round.Down)
	case round.Down == nil && r.pace.down() && round.Claimed > 0:
		r.log.Info("destination answers again")
	}
	if round.Lost > 0 {
		r.log.Warn("lease ran out before the outcome was written, rows may be published again", "rows", round.Lost)
	}
	r.cfg.Observe(round)
}

// deadlines says that every row failed because time ran out: that is the destination, not the rows.
func deadlines(errs []error) bool {
	for _, err := range errs {
		if !errors.Is(err, context.DeadlineExceeded) {
			return false
		}
	}
	return len(errs) > 0
}
