package telemetry

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/metric"
)

// PostgresCounts is what one process has asked of Postgres since it started.
type PostgresCounts struct {
	Commits    int64 // of units that wrote
	Reads      int64 // transactions of one reading statement
	RoundTrips int64
	Retries    int64 // of units
}

// ServePostgres exports the counts. Call it once.
func (m *Metrics) ServePostgres(counts func() PostgresCounts) error {
	b := &builder{meter: m.meter}
	transactions := b.total("quittance_postgres_transactions_total", "transactions of this process, by kind: commit or read")
	trips := b.total("quittance_postgres_round_trips_total", "round trips of this process to Postgres")
	retries := b.total("quittance_postgres_retries_total", "units of work that ran again after a deadlock, a serialization failure or a lost connection")
	if b.err != nil {
		return fmt.Errorf("make the postgres metrics: %w", b.err)
	}
	_, err := m.meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		c := counts()
		o.ObserveFloat64(transactions, float64(c.Commits), with(label("kind", "commit")))
		o.ObserveFloat64(transactions, float64(c.Reads), with(label("kind", "read")))
		o.ObserveFloat64(trips, float64(c.RoundTrips))
		o.ObserveFloat64(retries, float64(c.Retries))
		return nil
	}, transactions, trips, retries)
	if err != nil {
		return fmt.Errorf("serve the postgres metrics: %w", err)
	}
	return nil
}
