package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/quittance/quittance/settlement"
)

// Down says that a service did not answer, with the address that a person would check.
type Down struct {
	Service string
	Address string
	Err     error
}

func (d *Down) Error() string {
	return fmt.Sprintf("%s at %s is down: %v", d.Service, d.Address, d.Err)
}

func (d *Down) Unwrap() error { return d.Err }

// dependencyWait is how long a service waits for what it needs at start, before it exits and leaves the rest to whoever
// supervises it.
const dependencyWait = 60 * time.Second

// await repeats open while it fails because a service is down, and logs that once per service by name; also when one that had
// answered goes away in the middle of it. Any other error, a wrong chain or an old schema, will not pass by waiting and is
// returned at once.
func await[T any](ctx context.Context, log *slog.Logger, open func(context.Context) (T, error)) (T, error) {
	told := ""
	return backoff.Retry(ctx, func() (T, error) {
		v, err := open(ctx)
		var down *Down
		switch {
		case err == nil:
			return v, nil
		case !errors.As(err, &down):
			if settlement.KindOf(err) == settlement.Transient {
				return v, err
			}
			return v, backoff.Permanent(err)
		case down.Service != told:
			told = down.Service
			log.WarnContext(ctx, "waiting for a service", "service", down.Service, "address", down.Address, "err", down.Err)
		}
		return v, err
	}, backoff.WithMaxElapsedTime(dependencyWait), backoff.WithBackOff(&backoff.ExponentialBackOff{
		InitialInterval: 250 * time.Millisecond, RandomizationFactor: 0.2, Multiplier: 1.5, MaxInterval: 5 * time.Second}))
}

// invalid reports whether an error is the operator's to mend: waiting does not help.
func invalid(err error) bool { return settlement.KindOf(err) == settlement.Invalid }
