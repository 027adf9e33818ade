package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/quittance/quittance/internal/config"
	"github.com/quittance/quittance/internal/telemetry"
)

// Main runs a service until SIGINT or SIGTERM and returns its exit code: 0 after a clean stop, 2 for a configuration that
// the operator must mend, 1 for anything else. The error is printed once, in one line, to stderr.
func Main[C any](name string, load func(environ []string) (C, error), run func(ctx context.Context, log *slog.Logger, c C) error) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	environ, err := config.Process()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		return 2
	}
	logConfig, err := config.LoadLog(environ)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		return 2
	}
	c, err := load(environ)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		return 2
	}
	log := telemetry.NewLogger(os.Stderr, logConfig.Format, logConfig.Level).With("process", name)
	err = run(ctx, log, c)
	switch {
	case err == nil, ctx.Err() != nil && errors.Is(err, context.Canceled):
		log.Info("stopped")
		return 0
	case invalid(err):
		log.Error("cannot start", "err", err)
		return 2
	}
	log.Error("ended", "err", err)
	return 1
}
