package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"go.temporal.io/sdk/client"

	"github.com/quittance/quittance/chain"
	"github.com/quittance/quittance/internal/telemetry"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// page is what a service shows of itself: /metrics and /healthz.
type page struct {
	metrics *telemetry.Metrics
	health  *telemetry.Health
	server  *telemetry.Server
	log     *slog.Logger
}

// openPage takes the port before anything else is open, so that a busy one is noticed at start.
func openPage(address string, log *slog.Logger) (*page, error) {
	metrics, err := telemetry.NewMetrics()
	if err != nil {
		return nil, err
	}
	health := &telemetry.Health{}
	server, err := telemetry.Listen(address, telemetry.Page(metrics, health), log)
	if err != nil {
		return nil, err
	}
	log.Info("metrics and health", "url", "http://"+server.Addr())
	return &page{metrics, health, server, log}, nil
}

// serve shows the page until the context ends.
func (p *page) serve(ctx context.Context) error {
	defer func() { _ = p.metrics.Close(context.WithoutCancel(ctx)) }() // nothing is pushed: closing loses nothing
	return p.server.Run(ctx)
}

// ledger adds the states of the books to the metrics and Postgres to the health.
func (p *page) ledger(l *ledger.Ledger, log *slog.Logger) error {
	p.health.Add("postgres", func(ctx context.Context) error { return l.Ping(ctx) })
	if err := p.metrics.ServePostgres(func() telemetry.PostgresCounts { return telemetry.PostgresCounts(l.Counts()) }); err != nil {
		return err
	}
	return p.metrics.ServeStats(l, log)
}

func (p *page) temporal(t client.Client) {
	p.health.Add("temporal", func(ctx context.Context) error {
		_, err := t.CheckHealth(ctx, &client.CheckHealthRequest{})
		return err
	})
}

func (p *page) chain(pool *chain.Pool) {
	p.health.Add("chain", func(ctx context.Context) error {
		var number string
		return pool.Call(ctx, &number, "eth_blockNumber")
	})
}

// rpc counts calls to the nodes and their errors by class.
func (p *page) rpc() chain.PoolOption {
	watch := p.watchRPC()
	return func(e *chain.Endpoint) {
		watch(e)
		chain.WithPauses(func(endpoint string, paused bool) {
			if paused {
				p.log.Warn("a node is left alone for some seconds", "node", endpoint, "err", chain.ErrPaused)
			} else {
				p.log.Info("a node is asked again", "node", endpoint)
			}
		})(e)
	}
}

func (p *page) watchRPC() chain.PoolOption {
	return chain.WithObserver(func(endpoint, method string, took time.Duration, err error) {
		class := ""
		if err != nil {
			class = "transport"
			if chain.IsVerdict(err) {
				class = string(chain.Classify(err).Class)
			}
		}
		p.metrics.RPC(endpoint, method, class, took)
	})
}

// walked reports what a run of the follower found.
func (p *page) walked(chainID uint64) func(context.Context, chain.Progress, error) {
	return func(_ context.Context, progress chain.Progress, err error) {
		if progress.Rewound > 0 {
			p.metrics.Reorg(chainID, progress.Rewound)
		}
		if errors.Is(err, settlement.ErrLeaseLost) {
			p.metrics.LeaseLost(chain.ListenerLease(chainID), 1)
		}
	}
}

// kept reports what a look at the lanes found.
func (p *page) kept(report chain.Report) {
	for _, alert := range report.Alerts {
		p.metrics.LaneAlert(string(alert.Alert))
	}
}
