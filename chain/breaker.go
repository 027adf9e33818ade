package chain

import (
	"context"
	"errors"
	"time"

	"github.com/sony/gobreaker/v2"
)

const (
	// breakAfter so many requests in a row without a verdict a node is left alone.
	breakAfter = 5
	// breakFor is how long; then one request tries it again.
	breakFor = 5 * time.Second
)

// ErrPaused is the answer for a node that is not asked at the moment, because it gave no verdict several times in a row: with
// other nodes there, waiting for its timeout would hold up everything. It is no evidence of anything.
var ErrPaused = errors.New("not asked for some seconds, since it gave no answer several times in a row")

// breaker is a node's, and nil for the only node of a pool, which is asked always.
type breaker struct {
	circuit *gobreaker.TwoStepCircuitBreaker[struct{}]
}

func newBreaker(endpoint string, changed func(endpoint string, paused bool)) *breaker {
	return &breaker{gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
		Name: endpoint, MaxRequests: 1, Timeout: breakFor,
		ReadyToTrip:  func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= breakAfter },
		IsSuccessful: IsVerdict,
		IsExcluded:   func(err error) bool { return errors.Is(err, context.Canceled) }, // the caller's doing, not the node's
		OnStateChange: func(_ string, _, to gobreaker.State) {
			changed(endpoint, to == gobreaker.StateOpen)
		},
	})}
}

// ask carries a request out unless the node is paused.
func (b *breaker) ask(request func() error) error {
	if b == nil {
		return request()
	}
	done, err := b.circuit.Allow()
	if err != nil {
		return ErrPaused
	}
	err = request()
	done(err)
	return err
}
