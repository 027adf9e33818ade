package outbox_test

import (
	"fmt"
	"testing"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/outbox"

	"github.com/jackc/pgx/v5/pgxpool"
)

// BenchmarkRelay publishes rows to a sink that takes no time: what is measured is claiming and marking.
func BenchmarkRelay(b *testing.B) {
	for _, streams := range []int{1, 100, 100_000} {
		for _, batch := range []int{16, 256, 1000} {
			b.Run(fmt.Sprintf("streams=%d/batch=%d", streams, batch), func(b *testing.B) {
				dsn := ledgertest.DSN(b)
				pool, err := pgxpool.New(b.Context(), dsn)
				if err != nil {
					b.Fatal(err)
				}
				defer pool.Close()
				l, err := ledger.Open(b.Context(), dsn)
				if err != nil {
					b.Fatal(err)
				}
				defer l.Close()
				for _, sql := range []string{
					fmt.Sprintf(`INSERT INTO outbox_counters SELECT 'settlement/' || i %% %d, 'nats', count(*) FROM generate_series(1, %d) i GROUP BY 1`, streams, b.N),
					fmt.Sprintf(`INSERT INTO outbox (event_id, tenant, stream, destination, seq, epoch, type, payload)
						SELECT sha256(i::text::bytea), 'default', 'settlement/' || i %% %d, 'nats', 1 + (i - 1) / %d, 1, 'settlement.settled', '{"amount": "1"}'
						  FROM generate_series(1, %d) i`, streams, streams, b.N),
					`ANALYZE outbox`,
				} {
					if _, err := pool.Exec(b.Context(), sql); err != nil {
						b.Fatal(err)
					}
				}
				cfg := outbox.DefaultConfig()
				cfg.BatchMax = batch
				relay, err := outbox.New(l, &listSink{destination: "nats"}, cfg)
				if err != nil {
					b.Fatal(err)
				}
				b.ResetTimer()
				published := 0
				for published < b.N {
					round := relay.RunOnce(b.Context())
					if round.Err != nil || round.Claimed == 0 {
						b.Fatalf("%d of %d published: %+v", published, b.N, round)
					}
					published += round.Published
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
			})
		}
	}
}
