// Relayd is a relay process that crash tests kill: it publishes one ledger's outbox to one stream until it is told to
// stop.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/quittance/quittance/internal/crash"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/outbox"
)

func main() {
	database := flag.String("database", "", "")
	url := flag.String("nats", "", "")
	stream := flag.String("stream", "", "")
	prefix := flag.String("prefix", "", "")
	lease := flag.Duration("lease", time.Second, "")
	batch := flag.Int("batch", 16, "")
	up := flag.String("up", "", "")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if !crash.Enabled {
		fmt.Fprintln(os.Stderr, "relayd was built without crash points")
		os.Exit(1)
	}
	if err := run(ctx, *database, outbox.NATSConfig{URL: *url, Stream: *stream, SubjectPrefix: *prefix}, *lease, *batch, *up); err != nil {
		fmt.Fprintln(os.Stderr, "relayd:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, database string, broker outbox.NATSConfig, lease time.Duration, batch int, up string) error {
	l, err := ledger.Open(ctx, database)
	if err != nil {
		return err
	}
	defer l.Close()
	sink, err := outbox.NewNATS(broker)
	if err != nil {
		return err
	}
	defer sink.Close()
	cfg := outbox.DefaultConfig()
	cfg.Lease, cfg.PublishTimeout, cfg.BatchMax = lease, lease/2, batch
	cfg.PollMax, cfg.DownMin, cfg.DownMax = 20*time.Millisecond, 10*time.Millisecond, 100*time.Millisecond
	cfg.Log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	relay, err := outbox.New(l, sink, cfg)
	if err != nil {
		return err
	}
	if err := os.WriteFile(up, nil, 0o600); err != nil {
		return err
	}
	return relay.Run(ctx)
}
