// Consumer shows how a service takes Quittance's events: it follows the JetStream stream durably and lets each event take
// effect once in its own Postgres, although events arrive at least once. Its effect is a counter per type; kill it at any
// moment, start it again, and the counts are right.
//
//	go run ./examples/consumer -database postgres://… -nats nats://127.0.0.1:4222 -idle 2s
//
// It prints its counts as one JSON object when it ends: by SIGINT or SIGTERM, or after -idle without events. An event id
// that comes back with another payload is an alarm: it changes no count, and the exit code is 1.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"
)

type options struct {
	database, nats, stream, name string
	idle                         time.Duration
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "consumer:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var o options
	flags := flag.NewFlagSet("consumer", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.database, "database", "", "URL of the consumer's own Postgres database")
	flags.StringVar(&o.nats, "nats", "nats://127.0.0.1:4222", "URL of the broker")
	flags.StringVar(&o.stream, "stream", "QUITTANCE", "JetStream stream")
	flags.StringVar(&o.name, "name", "example-counter", "name of the durable consumer")
	flags.DurationVar(&o.idle, "idle", 0, "end after so long without events; 0 never ends")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.database == "" {
		return errors.New("-database is not set")
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	books, err := openBooks(ctx, o.database, o.name)
	if err != nil {
		return err
	}
	defer books.pool.Close()
	if err := follow(ctx, o, books, log); err != nil {
		return err
	}
	report, err := books.report(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	if err := json.NewEncoder(stdout).Encode(report); err != nil {
		return fmt.Errorf("print the counts: %w", err)
	}
	if report.Alarms > 0 {
		return fmt.Errorf("%d events came back with another payload", report.Alarms)
	}
	return nil
}
