package telemetry

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/otlptranslator"
	"go.opentelemetry.io/otel/attribute"
	exporter "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/metric"
	sdk "go.opentelemetry.io/otel/sdk/metric"
)

// Metrics are one process's metrics. What this process did itself is counted here and starts at 0 with it; what Postgres
// knows comes from ServeStats and is the same in every process: aggregate it with max, never with sum.
//
// All recording methods may be called from any goroutine, never block and never fail.
type Metrics struct {
	provider *sdk.MeterProvider
	registry *prometheus.Registry
	meter    metric.Meter

	leaseLosses metric.Int64Counter
	reorgs      metric.Int64Counter
	rpcErrors   metric.Int64Counter
	rpcSeconds  metric.Float64Histogram
	laneAlerts  metric.Int64Counter

	mu      sync.Mutex
	deepest map[uint64]int64 // reorg depth by chain
	sinkUp  map[string]bool  // by destination
}

// NewMetrics makes an empty set, with the Go runtime's own metrics in it.
func NewMetrics() (*Metrics, error) {
	m := &Metrics{registry: prometheus.NewRegistry(), deepest: map[uint64]int64{}, sinkUp: map[string]bool{}}
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	// Names are written out in full and exported as they are: they are a contract.
	reader, err := exporter.New(exporter.WithRegisterer(m.registry), exporter.WithoutTargetInfo(), exporter.WithoutScopeInfo(),
		exporter.WithTranslationStrategy(otlptranslator.UnderscoreEscapingWithoutSuffixes))
	if err != nil {
		return nil, fmt.Errorf("make the metrics exporter: %w", err)
	}
	m.provider = sdk.NewMeterProvider(sdk.WithReader(reader))
	m.meter = m.provider.Meter("github.com/quittance/quittance")
	if err := m.instruments(); err != nil {
		return nil, fmt.Errorf("make the metrics: %w", err)
	}
	return m, nil
}

func (m *Metrics) instruments() error {
	b := builder{meter: m.meter}
	m.leaseLosses = b.counter("quittance_lease_losses_total", "leases that were lost while they were used, by lease")
	m.reorgs = b.counter("quittance_reorgs_total", "reorgs seen, by chain")
	m.rpcErrors = b.counter("quittance_rpc_errors_total", "requests to nodes without a verdict or with a refusal, by class")
	m.laneAlerts = b.counter("quittance_lane_alerts_total", "what the lane keeper could not mend alone, by kind")
	m.rpcSeconds = b.histogram("quittance_rpc_seconds", "how long requests to nodes took", 0.001, 0.005, 0.02, 0.1, 0.5, 2, 10)
	depth := b.gauge("quittance_reorg_depth_blocks", "the deepest reorg seen since this process started")
	up := b.gauge("quittance_outbox_destination_up", "0 while the destination is down")
	if b.err != nil {
		return b.err
	}
	_, err := m.meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		m.mu.Lock()
		defer m.mu.Unlock()
		for chain, n := range m.deepest {
			o.ObserveFloat64(depth, float64(n), with(chainLabel(chain)))
		}
		for destination, isUp := range m.sinkUp {
			o.ObserveFloat64(up, boolean(isUp), with(label(KeyDestination, destination)))
		}
		return nil
	}, depth, up)
	return err
}

// Provider lets libraries (Temporal's SDK) add their metrics to the same page.
func (m *Metrics) Provider() metric.MeterProvider { return m.provider }

// Handler serves the page.
func (m *Metrics) Handler() http.Handler {
	return promhttp.InstrumentMetricHandler(m.registry, promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
}

// Close ends collecting.
func (m *Metrics) Close(ctx context.Context) error { return m.provider.Shutdown(ctx) }

// LeaseLost counts n uses of a lease that somebody else had taken over.
func (m *Metrics) LeaseLost(lease string, n int) {
	if n > 0 {
		m.leaseLosses.Add(context.Background(), int64(n), with(label("lease", lease)))
	}
}

// Reorg counts a reorg and how many blocks it took back.
func (m *Metrics) Reorg(chainID uint64, depth uint64) {
	m.reorgs.Add(context.Background(), 1, with(chainLabel(chainID)))
	m.mu.Lock()
	defer m.mu.Unlock()
	m.deepest[chainID] = max(m.deepest[chainID], int64(depth))
}

// RPC counts one request to a node. class is empty for an answer, else what kind of error it was. endpoint must be a name
// without credentials.
func (m *Metrics) RPC(endpoint, method, class string, took time.Duration) {
	ctx := context.Background()
	m.rpcSeconds.Record(ctx, took.Seconds(), with(label("endpoint", endpoint), label("method", method)))
	if class != "" {
		m.rpcErrors.Add(ctx, 1, with(label("endpoint", endpoint), label("class", class)))
	}
}

// LaneAlert counts what the lane keeper reports to people.
func (m *Metrics) LaneAlert(kind string) {
	m.laneAlerts.Add(context.Background(), 1, with(label("kind", kind)))
}

// Destination says whether an outbox destination takes rows.
func (m *Metrics) Destination(name string, up bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sinkUp[name] = up
}

// builder keeps the first error of many instruments.
type builder struct {
	meter metric.Meter
	err   error
}

func keep[T any](b *builder, instrument T, err error) T {
	if b.err == nil {
		b.err = err
	}
	return instrument
}

func (b *builder) counter(name, help string) metric.Int64Counter {
	c, err := b.meter.Int64Counter(name, metric.WithDescription(help))
	return keep(b, c, err)
}

func (b *builder) histogram(name, help string, bounds ...float64) metric.Float64Histogram {
	h, err := b.meter.Float64Histogram(name, metric.WithDescription(help), metric.WithExplicitBucketBoundaries(bounds...))
	return keep(b, h, err)
}

func (b *builder) gauge(name, help string) metric.Float64ObservableGauge {
	g, err := b.meter.Float64ObservableGauge(name, metric.WithDescription(help))
	return keep(b, g, err)
}

// total is a counter whose value somebody else keeps.
func (b *builder) total(name, help string) metric.Float64ObservableCounter {
	c, err := b.meter.Float64ObservableCounter(name, metric.WithDescription(help))
	return keep(b, c, err)
}

func label(key, value string) attribute.KeyValue { return attribute.String(key, value) }

func chainLabel(id uint64) attribute.KeyValue { return attribute.String(KeyChain, fmt.Sprint(id)) }

func with(labels ...attribute.KeyValue) metric.MeasurementOption {
	return metric.WithAttributes(labels...)
}

func boolean(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
