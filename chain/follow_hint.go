package chain

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/ethereum/go-ethereum/rpc"
)

// hintRetry is the pause before a node is asked for its heads again.
const hintRetry = 5 * time.Second

// Hints wakes the walk when a node announces a head, until the context ends. It is a hint only: announcements may come late,
// twice or never, and a subscription may die without a sign (T52), so the walk never waits for one longer than its own
// interval. Nodes without subscriptions are left alone.
func Hints(ctx context.Context, pool *Pool) <-chan struct{} {
	hints := make(chan struct{}, 1)
	for _, e := range pool.Endpoints() {
		go hintFrom(ctx, e, hints)
	}
	return hints
}

func hintFrom(ctx context.Context, e *Endpoint, hints chan<- struct{}) {
	for ctx.Err() == nil {
		heads := make(chan json.RawMessage, 16)
		sub, err := e.Subscribe(ctx, heads, "newHeads")
		if errors.Is(err, rpc.ErrNotificationsUnsupported) {
			return
		}
		if err == nil {
			forward(ctx, sub, heads, hints)
			sub.Unsubscribe()
		}
		select {
		case <-ctx.Done():
		case <-time.After(hintRetry):
		}
	}
}

func forward(ctx context.Context, sub *rpc.ClientSubscription, heads <-chan json.RawMessage, hints chan<- struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-sub.Err(): //nolint:errcheck // whatever ended it, it is asked for again
			return
		case <-heads:
			select {
			case hints <- struct{}{}:
			default:
			}
		}
	}
}
