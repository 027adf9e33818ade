package outbox

import (
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Config bounds one relay. DefaultConfig is a good start.
type Config struct {
	BatchMax       int           // rows per claim
	Lease          time.Duration // how long a dead relay's rows stay out of reach
	PublishTimeout time.Duration // one call of the sink
	PollMin        time.Duration // after a round that found little
	PollMax        time.Duration // after many rounds that found nothing
	RetryMin       time.Duration // a row's first delay after a failure of its own; doubled each time
	RetryMax       time.Duration
	RetriesMax     int           // then the stream is parked; 0 tries for ever
	DownMin        time.Duration // the first pause when the destination is down; doubled each time
	DownMax        time.Duration

	// Merge says that the rows of a stream all say the same, so that delivering the oldest delivers the whole run of a claim:
	// wake-ups, which hold no facts. Each was committed before the claim, and so before the signal that stands for it.
	Merge bool

	Log     *slog.Logger // nil discards
	Observe func(Round)  // called after each round that claimed rows or failed; nil if nobody listens
}

// DefaultConfig retries a failing row for about 16 hours before it parks its stream.
func DefaultConfig() Config {
	return Config{
		BatchMax:       256,
		Lease:          10 * time.Second,
		PublishTimeout: 4 * time.Second,
		PollMin:        5 * time.Millisecond,
		PollMax:        250 * time.Millisecond,
		RetryMin:       500 * time.Millisecond,
		RetryMax:       15 * time.Minute,
		RetriesMax:     80,
		DownMin:        100 * time.Millisecond,
		DownMax:        15 * time.Second,
	}
}

// Check reports every problem at once.
func (c Config) Check() error {
	var problems []error
	positive := func(name string, ok bool) {
		if !ok {
			problems = append(problems, fmt.Errorf("%s must be above zero", name))
		}
	}
	positive("BatchMax", c.BatchMax > 0)
	positive("PublishTimeout", c.PublishTimeout > 0)
	positive("PollMin", c.PollMin > 0)
	positive("RetryMin", c.RetryMin > 0)
	positive("DownMin", c.DownMin > 0)
	if c.RetriesMax < 0 {
		problems = append(problems, errors.New("RetriesMax must not be negative"))
	}
	if c.Lease < 2*c.PublishTimeout {
		problems = append(problems, fmt.Errorf("the Lease %v must be at least twice the PublishTimeout %v: a row must not be claimed by another while it is being published",
			c.Lease, c.PublishTimeout))
	}
	for _, p := range []struct {
		name     string
		min, max time.Duration
	}{{"Poll", c.PollMin, c.PollMax}, {"Retry", c.RetryMin, c.RetryMax}, {"Down", c.DownMin, c.DownMax}} {
		if p.max < p.min {
			problems = append(problems, fmt.Errorf("%sMax %v must not be below %sMin %v", p.name, p.max, p.name, p.min))
		}
	}
	return errors.Join(problems...)
}

// Round is what one round did.
type Round struct {
	Destination string
	Claimed     int
	Published   int
	Failed      int // backed off
	Parked      int // streams
	Released    int // given back untried, or refused by a destination that is down
	Lost        int // no longer ours when their outcome was to be written: someone else decides
	Down        error
	Err         error // of the store
}
