package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"

	"github.com/quittance/quittance/internal/config"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/outbox"
	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

// Relay publishes the outbox to Temporal and to the broker until the context ends, and deletes what was published long ago. It
// may run many times: rows are leased. Each destination has a loop of its own, so that none delays another.
func Relay(ctx context.Context, log *slog.Logger, c config.Relay) error {
	page, err := openPage(c.HTTPAddress, log)
	if err != nil {
		return err
	}
	l, err := await(ctx, log, func(ctx context.Context) (*ledger.Ledger, error) { return OpenLedger(ctx, c.Postgres) })
	if err != nil {
		return err
	}
	defer l.Close()
	if err := page.ledger(l, log); err != nil {
		return err
	}
	temporal, err := await(ctx, log, func(ctx context.Context) (client.Client, error) { return DialTemporal(ctx, c.Temporal, log) })
	if err != nil {
		return err
	}
	defer temporal.Close()
	page.temporal(temporal)
	broker, err := await(ctx, log, func(ctx context.Context) (*outbox.NATS, error) { return dialNATS(ctx, c.Broker, log) })
	if err != nil {
		return err
	}
	defer broker.Close()
	page.health.Add("broker", broker.Ping)

	group, ctx := errgroup.WithContext(ctx)
	for _, sink := range []outbox.Sink{outbox.NewTemporal(waker{workflows.Runs{Client: temporal, Queues: workflows.Queues(c.TaskQueue)}, l}, l), broker} {
		options := outbox.DefaultConfig()
		options.Lease, options.PublishTimeout, options.Log = c.LeaseTTL, c.LeaseTTL*2/5, log
		options.Observe = page.relayed
		if sink.Destination() == settlement.DestinationTemporal {
			options.RetriesMax = 0 // a parked wake-up is a settlement that sleeps: try for ever
			options.Merge = true   // after an outage one signal wakes a run, whatever number of wake-ups piled up
		}
		relay, err := outbox.New(l, sink, options)
		if err != nil {
			return err
		}
		group.Go(func() error { return relay.Run(ctx) })
	}
	group.Go(func() error { return outbox.Clean(ctx, l, c.Retention, log) })
	group.Go(func() error { return page.serve(ctx) })
	log.Info("relay is up")
	return group.Wait()
}

// dialNATS connects and waits for one answer; later the connection mends itself.
func dialNATS(ctx context.Context, c config.Broker, log *slog.Logger) (*outbox.NATS, error) {
	broker, err := outbox.NewNATS(outbox.NATSConfig{URL: c.NATSURL, Stream: c.Stream, SubjectPrefix: c.Subject, Log: log})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	if err := broker.Await(ctx); err != nil {
		broker.Close()
		return nil, &Down{"broker", broker.Address(), err}
	}
	return broker, nil
}

// waker lets the relay wake and resume runs.
type waker struct {
	runs workflows.Runs
	rows workflows.Rows
}

var _ outbox.Waker = waker{}

func (w waker) Wake(ctx context.Context, key settlement.Key) error {
	err := w.runs.Wake(ctx, key)
	switch {
	case errors.Is(err, workflows.ErrNoRun):
		return fmt.Errorf("%w: %w", outbox.ErrNoRun, err)
	case workflows.Unreachable(err):
		return outbox.Down(err)
	}
	return err
}

func (w waker) Resume(ctx context.Context, key settlement.Key) error {
	err := w.runs.ResumeRow(ctx, w.rows, key)
	if workflows.Unreachable(err) {
		return outbox.Down(err)
	}
	return err
}
