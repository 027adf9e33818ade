package apptest

import (
	"context"
	"log/slog"

	"github.com/quittance/quittance/internal/app"
	"github.com/quittance/quittance/internal/config"
)

// Worker starts a worker with this installation's environment.
func (w *World) Worker() (stop func()) {
	w.T.Helper()
	c, err := config.LoadWorker(w.Environ())
	w.Must(err)
	return w.service("worker", func(ctx context.Context, log *slog.Logger) error { return app.Worker(ctx, log, c) })
}

// Listener starts a listener.
func (w *World) Listener() (stop func()) {
	w.T.Helper()
	c, err := config.LoadListener(w.Environ())
	w.Must(err)
	return w.service("listener", func(ctx context.Context, log *slog.Logger) error { return app.Listener(ctx, log, c) })
}

// Relay starts a relay.
func (w *World) Relay() (stop func()) {
	w.T.Helper()
	c, err := config.LoadRelay(w.Environ())
	w.Must(err)
	return w.service("relay", func(ctx context.Context, log *slog.Logger) error { return app.Relay(ctx, log, c) })
}

// Services starts one of each.
func (w *World) Services() {
	w.T.Helper()
	w.Worker()
	w.Listener()
	w.Relay()
}
