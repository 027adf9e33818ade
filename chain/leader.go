package chain

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/quittance/quittance/settlement"
)

// LeaseStore is the part of the ledger that decides who acts. Only the database's clock counts in it.
type LeaseStore interface {
	// AcquireLease takes a free or expired lease with a token above every earlier one; ok is false while somebody holds it.
	AcquireLease(ctx context.Context, name, holder string, ttl time.Duration) (lease settlement.Lease, ok bool, err error)
	// RenewLease prolongs it by ttl from now, or fails with settlement.ErrLeaseLost once somebody else took it.
	RenewLease(ctx context.Context, lease settlement.Lease, ttl time.Duration) error
	// ReleaseLease lets the next holder in at once; it changes nothing if somebody else holds it by now.
	ReleaseLease(ctx context.Context, lease settlement.Lease) error
}

// leaseTTLDefault is how long a killed listener keeps the next one waiting.
const leaseTTLDefault = 5 * time.Second

// Leader lets one of several processes act at a time. What keeps a late one from writing is the lease's token, checked by
// the store in every write; the clock here only makes it stop early.
type Leader struct {
	Store  LeaseStore
	Name   string        // of the lease, one per chain
	Holder string        // this process, for people; unique
	TTL    time.Duration // 0: 5 s
	Log    *slog.Logger
}

// ListenerLease names the lease of a chain's acting listener.
func ListenerLease(chainID uint64) string { return fmt.Sprintf("listener/%d", chainID) }

// Run waits for the lease, acts under it, and again after each loss, until ctx ends or act fails for a reason of its own. The
// context of act ends as soon as the lease is lost or in doubt, and act must return then. On the way out the lease is
// released, so that the next process acts at once; after a kill it does within the TTL and a fifth of it.
func (l *Leader) Run(ctx context.Context, act func(ctx context.Context, lease settlement.Lease) error) error {
	ttl := l.TTL
	if ttl <= 0 {
		ttl = leaseTTLDefault
	}
	for {
		lease, since, err := l.acquire(ctx, ttl)
		if err != nil {
			return err
		}
		l.Log.InfoContext(ctx, "acting", "lease", lease.Name, "token", lease.Token)
		err = l.hold(ctx, lease, since, ttl, act)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if !errors.Is(err, settlement.ErrLeaseLost) {
			return err
		}
		l.Log.WarnContext(ctx, "not acting any more", "lease", lease.Name, "token", lease.Token, "err", err)
	}
}

// acquire tries five times per TTL. since is from when on the lease certainly runs.
func (l *Leader) acquire(ctx context.Context, ttl time.Duration) (lease settlement.Lease, since time.Time, err error) {
	ticker := time.NewTicker(ttl / 5)
	defer ticker.Stop()
	for {
		since = time.Now()
		lease, ok, err := l.tryAcquire(ctx, ttl)
		if err != nil && ctx.Err() == nil {
			l.Log.WarnContext(ctx, "cannot ask for the lease", "lease", l.Name, "err", err)
		}
		if err == nil && ok {
			return lease, since, nil
		}
		select {
		case <-ctx.Done():
			return settlement.Lease{}, since, context.Cause(ctx)
		case <-ticker.C:
		}
	}
}

func (l *Leader) tryAcquire(ctx context.Context, ttl time.Duration) (settlement.Lease, bool, error) {
	ctx, cancel := context.WithTimeout(ctx, ttl/2)
	defer cancel()
	return l.Store.AcquireLease(ctx, l.Name, l.Holder, ttl)
}

// hold acts while the lease is renewed, and releases it.
func (l *Leader) hold(ctx context.Context, lease settlement.Lease, since time.Time, ttl time.Duration, act func(context.Context, settlement.Lease) error) error {
	acting, stop := context.WithCancelCause(ctx)
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		l.renew(acting, lease, since, ttl, stop)
	}()
	err := act(acting, lease)
	cause := context.Cause(acting)
	stop(nil)
	<-renewed
	release, cancel := context.WithTimeout(context.WithoutCancel(ctx), ttl)
	defer cancel()
	if releaseErr := l.Store.ReleaseLease(release, lease); releaseErr != nil {
		l.Log.WarnContext(ctx, "cannot release the lease; it expires by itself", "lease", lease.Name, "err", releaseErr)
	}
	if errors.Is(cause, settlement.ErrLeaseLost) {
		return cause
	}
	return err
}

// renew prolongs the lease at a third of its time. If nobody could be asked until it may have expired, it counts as lost:
// the store would still refuse a late write, but two walks at once would be wasted work.
func (l *Leader) renew(ctx context.Context, lease settlement.Lease, since time.Time, ttl time.Duration, stop context.CancelCauseFunc) {
	ticker := time.NewTicker(ttl / 3)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		asked := time.Now()
		err := l.tryRenew(ctx, lease, ttl)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			since = asked
		case errors.Is(err, settlement.ErrLeaseLost):
			stop(err)
			return
		case time.Since(since) >= ttl-ttl/3:
			stop(fmt.Errorf("%w: it could not be renewed for %s: %w", settlement.ErrLeaseLost, time.Since(since).Round(time.Millisecond), err))
			return
		default:
			l.Log.WarnContext(ctx, "cannot renew the lease yet", "lease", lease.Name, "err", err)
		}
	}
}

func (l *Leader) tryRenew(ctx context.Context, lease settlement.Lease, ttl time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, ttl/3)
	defer cancel()
	return l.Store.RenewLease(ctx, lease, ttl)
}
