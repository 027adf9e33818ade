package telemetry

import (
	"context"
	"log/slog"
	"math/big"
	"strconv"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/quittance/quittance/settlement"
)

// Stats is where the state of the books comes from; the ledger is one. Reading it has no side effect.
type Stats interface {
	Stats(ctx context.Context) (settlement.Stats, error)
}

const (
	statsTimeout = 10 * time.Second
	statsAgeMin  = 2 * time.Second
	// statsShare bounds the time that reading may take of a database's day to one part in so many, however often and by
	// however many the page is scraped.
	statsShare = 20
)

// ServeStats adds the state of the books to the page. While they cannot be read their metrics are absent, not old, and
// quittance_stats_up is 0.
func (m *Metrics) ServeStats(source Stats, log *slog.Logger) error {
	b := &builder{meter: m.meter}
	up := b.gauge("quittance_stats_up", "0 while the state of the books cannot be read")
	all := statsGauges(b)
	if b.err != nil {
		return b.err
	}
	instruments := []metric.Observable{up}
	for _, g := range all {
		instruments = append(instruments, g.instrument)
	}
	cache := &statsCache{source: source, log: log, now: time.Now}
	_, err := m.meter.RegisterCallback(func(ctx context.Context, o metric.Observer) error {
		s, ok := cache.read(ctx)
		o.ObserveFloat64(up, boolean(ok))
		if !ok {
			return nil
		}
		for _, g := range all {
			g.observe(s, func(value float64, labels ...attribute.KeyValue) {
				o.ObserveFloat64(g.instrument, value, with(labels...))
			})
		}
		return nil
	}, instruments...)
	return err
}

// statsCache answers from its last reading while that is young, measured by what it cost.
type statsCache struct {
	source Stats
	log    *slog.Logger
	now    func() time.Time

	mu      sync.Mutex
	next    time.Time
	stats   settlement.Stats
	failing bool
}

func (c *statsCache) read(ctx context.Context) (settlement.Stats, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	began := c.now()
	if began.Before(c.next) {
		return c.stats, !c.failing
	}
	ctx, cancel := context.WithTimeout(ctx, statsTimeout)
	defer cancel()
	stats, err := c.source.Stats(ctx)
	ended := c.now()
	c.next = ended.Add(max(statsAgeMin, statsShare*ended.Sub(began)))
	if err != nil && !c.failing { // one line per outage
		c.log.Warn("the state of the books cannot be read for the metrics", KeyErr, err)
	}
	c.stats, c.failing = stats, err != nil
	return c.stats, !c.failing
}

// emitFunc gives one value of one series.
type emitFunc func(value float64, labels ...attribute.KeyValue)

// statsGauge is one metric of the books.
type statsGauge struct {
	instrument metric.Float64Observable
	observe    func(settlement.Stats, emitFunc)
}

// units shows base units as people write them; it loses digits like wei.
func units(a settlement.Amount, decimals uint8) float64 {
	f, _ := strconv.ParseFloat(a.Units(decimals), 64) // of our own making: at most 78 digits
	return f
}

// wei loses digits beyond the 15th: metrics are for people and alarms, the books are in Postgres.
func wei(a settlement.Amount) float64 {
	f, _ := new(big.Float).SetInt(a.Big()).Float64()
	return f
}
