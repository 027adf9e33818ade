package app

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"

	"github.com/quittance/quittance/activities"
	"github.com/quittance/quittance/internal/config"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/workflows"
)

// Worker runs the settlement workflows and their steps, and the sweeper, until the context ends. It may run many times;
// steps under way get time to finish.
func Worker(ctx context.Context, log *slog.Logger, c config.Worker) error {
	keys, err := OpenKeys(c.Keys)
	if err != nil {
		return err
	}
	defer keys.Close()
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
	site, err := await(ctx, log, func(ctx context.Context) (Site, error) { return DialChain(ctx, c.Chain, l, page.rpc()) })
	if err != nil {
		return err
	}
	defer site.Pool.Close()
	page.chain(site.Pool)
	temporal, err := await(ctx, log, func(ctx context.Context) (client.Client, error) { return DialTemporal(ctx, c.Temporal, log) })
	if err != nil {
		return err
	}
	defer temporal.Close()
	page.temporal(temporal)

	steps := newChainSteps(site, l, NewBoard(l, site.Config, keys), keys)
	options := workflows.DefaultWorkerOptions()
	options.Queues = workflows.Queues(c.TaskQueue)
	options.Submissions, options.ShortSteps = c.Slots, int(c.PoolMax)
	workers, err := workflows.NewWorkers(temporal, &activities.Activities{Ledger: l, Chain: steps, Replacer: steps}, options)
	if err != nil {
		return fmt.Errorf("make workers: %w", err)
	}
	sweeper := &workflows.Sweeper{Books: l, Runs: workflows.Runs{Client: temporal, Queues: workflows.Queues(c.TaskQueue)}, Age: sweepAge, Batch: sweepBatch, Interval: c.SweepInterval, Log: log}
	log.Info("worker is up", "keys", len(keys.Addresses()), "chain", site.Config.ChainID)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return workers.Run(ctx) })
	group.Go(func() error { return sweeper.Run(ctx) })
	group.Go(func() error { return keys.Watch(ctx, c.Reread, log) })
	group.Go(func() error { return page.serve(ctx) })
	return group.Wait()
}

const (
	sweepAge   = 30 * time.Second // a settlement that nothing touched for so long is looked at
	sweepBatch = 200
)
