package chain

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/quittance/quittance/settlement"
)

// HeadHook is called after each walk that recorded a block, with the newest one: the lane keeper's turn. It runs beside the
// walk and one at a time, so a slow one delays no block and skips to the newest head. Its error is logged and stops nothing.
type HeadHook func(ctx context.Context, lease settlement.Lease, head settlement.BlockRef) error

// LoopConfig says how a walk is repeated. Zero values take the defaults.
type LoopConfig struct {
	Interval   time.Duration                          // between two runs that found nothing; 500 ms
	BackoffMax time.Duration                          // the longest pause after failed runs; 10 s
	RunTimeout time.Duration                          // bounds one run; 2 min
	Hook       HeadHook                               // may be nil
	Hint       <-chan struct{}                        // wakes the loop early; may be nil
	OnRun      func(context.Context, Progress, error) // told of every run, for metrics; may be nil
}

func (c LoopConfig) withDefaults() LoopConfig {
	if c.Interval <= 0 {
		c.Interval = 500 * time.Millisecond
	}
	if c.BackoffMax <= 0 {
		c.BackoffMax = 10 * time.Second
	}
	if c.RunTimeout <= 0 {
		c.RunTimeout = 2 * time.Minute
	}
	if c.OnRun == nil {
		c.OnRun = func(context.Context, Progress, error) {}
	}
	return c
}

// Run repeats RunOnce under a lease until the context ends or a write says that the lease is lost. Every other error is
// logged and tried again after a growing pause: a node, the database or an operator will change the cause.
func (f *Follower) Run(ctx context.Context, lease settlement.Lease, cfg LoopConfig) error {
	cfg = cfg.withDefaults()
	ctx, cancel := context.WithCancel(ctx)
	heads := make(chan settlement.BlockRef, 1)
	hooked := make(chan struct{})
	go func() {
		defer close(hooked)
		f.runHooks(ctx, lease, cfg.Hook, heads)
	}()
	defer func() { cancel(); <-hooked }()
	failures := 0
	for {
		progress, err := f.runBounded(ctx, lease, cfg.RunTimeout)
		cfg.OnRun(ctx, progress, err)
		if progress.Recorded > 0 {
			offerNewest(heads, progress.Cursor)
		}
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, settlement.ErrLeaseLost):
			return err
		case err != nil:
			failures++
			f.log.ErrorContext(ctx, "following the chain failed", "block", progress.Cursor.Number, "failures", failures, "err", err)
		default:
			failures = 0
		}
		if err == nil && progress.More {
			continue
		}
		if err := pause(ctx, cfg, failures); err != nil {
			return err
		}
	}
}

func (f *Follower) runBounded(ctx context.Context, lease settlement.Lease, timeout time.Duration) (Progress, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return f.RunOnce(ctx, lease)
}

func (f *Follower) runHooks(ctx context.Context, lease settlement.Lease, hook HeadHook, heads <-chan settlement.BlockRef) {
	for {
		select {
		case <-ctx.Done():
			return
		case head := <-heads:
			if hook == nil {
				continue
			}
			if err := hook(ctx, lease, head); err != nil && ctx.Err() == nil {
				f.log.ErrorContext(ctx, "the work of a new head failed", "block", head.Number, "err", err)
			}
		}
	}
}

// offerNewest replaces a head that nobody took yet. There is one sender.
func offerNewest(heads chan settlement.BlockRef, head settlement.BlockRef) {
	select {
	case <-heads:
	default:
	}
	heads <- head
}

// pause waits for the interval, doubled for each failure in a row, give or take a fifth so that listeners and nodes do not
// fall into step. A hint ends it early, unless the last run failed.
func pause(ctx context.Context, cfg LoopConfig, failures int) error {
	wait := cfg.Interval
	for range failures {
		if wait *= 2; wait >= cfg.BackoffMax {
			wait = cfg.BackoffMax
			break
		}
	}
	timer := time.NewTimer(time.Duration(float64(wait) * (0.8 + 0.4*rand.Float64())))
	defer timer.Stop()
	hint := cfg.Hint
	if failures > 0 {
		hint = nil
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
	case <-hint:
	}
	return nil
}
