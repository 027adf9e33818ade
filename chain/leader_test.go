package chain

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/quittance/quittance/settlement"
)

// memLeases keeps one lease by this machine's clock.
type memLeases struct {
	mu      sync.Mutex
	token   int64
	holder  string
	expires time.Time
	fails   bool // nobody can be asked
	renewed int
}

var errDown = errors.New("the database is down")

func (m *memLeases) AcquireLease(_ context.Context, name, holder string, ttl time.Duration) (settlement.Lease, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fails {
		return settlement.Lease{}, false, errDown
	}
	if time.Now().Before(m.expires) {
		return settlement.Lease{}, false, nil
	}
	m.token++
	m.holder, m.expires = holder, time.Now().Add(ttl)
	return settlement.Lease{Name: name, Token: m.token}, true, nil
}

func (m *memLeases) RenewLease(_ context.Context, lease settlement.Lease, ttl time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fails {
		return errDown
	}
	if lease.Token != m.token {
		return settlement.ErrLeaseLost
	}
	m.expires = time.Now().Add(ttl)
	m.renewed++
	return nil
}

func (m *memLeases) ReleaseLease(_ context.Context, lease settlement.Lease) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if lease.Token == m.token {
		m.expires = time.Time{}
	}
	return nil
}

func (m *memLeases) set(f func(*memLeases)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f(m)
}

// candidate is one process that wants to act.
type candidate struct {
	acting chan settlement.Lease // each time it begins to
	ended  chan error            // each time it has stopped
	stop   context.CancelFunc
	done   chan error // Run's answer
}

func newCandidate(t *testing.T, store LeaseStore, holder string, ttl time.Duration) *candidate {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	c := &candidate{acting: make(chan settlement.Lease, 10), ended: make(chan error, 10), stop: cancel, done: make(chan error, 1)}
	leader := &Leader{Store: store, Name: ListenerLease(readChainID), Holder: holder, TTL: ttl, Log: quiet()}
	go func() {
		c.done <- leader.Run(ctx, func(ctx context.Context, lease settlement.Lease) error {
			c.acting <- lease
			<-ctx.Done()
			c.ended <- context.Cause(ctx)
			return ctx.Err()
		})
	}()
	t.Cleanup(cancel)
	return c
}

// soon receives with a generous deadline.
func soon[T any](t *testing.T, what string, from <-chan T) T {
	t.Helper()
	select {
	case got := <-from:
		return got
	case <-time.After(30 * time.Second):
		t.Fatalf("it never came about that %s", what)
		panic("unreachable")
	}
}

func TestOneActsAndAReleaseLetsTheOtherInWithAHigherToken(t *testing.T) {
	t.Parallel()
	store := &memLeases{}
	const ttl = time.Hour // the second can only come in by a release; it asks every 12 minutes, so it starts afterwards
	first := newCandidate(t, store, "first", ttl)
	one := soon(t, "the first acts", first.acting)
	first.stop()
	if err := soon(t, "the first returns", first.done); !errors.Is(err, context.Canceled) {
		t.Errorf("the first returned %v", err)
	}
	second := newCandidate(t, store, "second", ttl)
	if two := soon(t, "the second acts", second.acting); two.Token <= one.Token || two.Name != one.Name {
		t.Errorf("leases are %+v and then %+v", one, two)
	}
}

func TestARenewedLeaseIsKeptAndTheOtherWaits(t *testing.T) {
	t.Parallel()
	store := &memLeases{}
	first := newCandidate(t, store, "first", 300*time.Millisecond)
	soon(t, "the first acts", first.acting)
	second := newCandidate(t, store, "second", 300*time.Millisecond)
	eventually(t, "the lease is renewed often", func() bool {
		store.mu.Lock()
		defer store.mu.Unlock()
		return store.renewed > 8
	})
	select {
	case lease := <-second.acting:
		t.Errorf("the second acts under %+v", lease)
	default:
	}
	first.stop()
	soon(t, "the second acts once the first is gone", second.acting)
}

func TestAKilledHolderIsSucceededWhenItsLeaseExpires(t *testing.T) {
	t.Parallel()
	store := &memLeases{token: 7, holder: "killed", expires: time.Now().Add(200 * time.Millisecond)}
	heir := newCandidate(t, store, "heir", 200*time.Millisecond)
	if lease := soon(t, "the heir acts", heir.acting); lease.Token != 8 {
		t.Errorf("the heir's lease is %+v", lease)
	}
}

func TestALeaseTakenByAnotherStopsTheActingOneWhichThenQueuesAgain(t *testing.T) {
	t.Parallel()
	store := &memLeases{}
	first := newCandidate(t, store, "first", 150*time.Millisecond)
	soon(t, "the first acts", first.acting)
	store.set(func(m *memLeases) { // as if this process had been suspended
		m.token++
		m.holder, m.expires = "other", time.Now().Add(400*time.Millisecond)
	})
	if cause := soon(t, "the first stops", first.ended); !errors.Is(cause, settlement.ErrLeaseLost) {
		t.Errorf("it stopped for %v", cause)
	}
	if lease := soon(t, "the first acts again", first.acting); lease.Token != 3 {
		t.Errorf("it acts again under %+v", lease)
	}
}

func TestAHolderThatCannotRenewStopsBeforeItsLeaseExpires(t *testing.T) {
	t.Parallel()
	store := &memLeases{}
	const ttl = 600 * time.Millisecond
	first := newCandidate(t, store, "first", ttl)
	soon(t, "the first acts", first.acting)
	store.set(func(m *memLeases) { m.fails = true })
	if cause := soon(t, "the first stops", first.ended); !errors.Is(cause, settlement.ErrLeaseLost) || !errors.Is(cause, errDown) {
		t.Errorf("it stopped for %v", cause)
	}
	store.set(func(m *memLeases) { m.fails = false })
	soon(t, "the first acts again when the database is back", first.acting)
}

func TestAnActThatFailsByItselfEndsTheRunAndReleasesTheLease(t *testing.T) {
	t.Parallel()
	store := &memLeases{}
	broken := errors.New("broken")
	leader := &Leader{Store: store, Name: "l", Holder: "h", TTL: time.Hour, Log: quiet()}
	if err := leader.Run(context.Background(), func(context.Context, settlement.Lease) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("run returned %v", err)
	}
	if _, ok, _ := store.AcquireLease(context.Background(), "l", "next", time.Hour); !ok {
		t.Error("the lease is still held")
	}
}
