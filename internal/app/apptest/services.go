package apptest

import (
	"context"
	"log/slog"
	"time"

	"github.com/quittance/quittance/internal/app"
	"github.com/quittance/quittance/internal/config"
)

// Worker starts a worker with this installation's environment.
func (w *World) Worker() (stop func()) { return w.WorkerOf() }

// WorkerOf starts a worker of which the environment differs.
func (w *World) WorkerOf(more ...string) (stop func()) {
	w.T.Helper()
	c, err := config.LoadWorker(w.Environ(more...))
	w.Must(err)
	return w.Service("worker", func(ctx context.Context, log *slog.Logger) error { return app.Worker(ctx, log, c) })
}

// Listener starts a listener.
func (w *World) Listener() (stop func()) { return w.ListenerOf() }

// ListenerOf starts a listener of which the environment differs.
func (w *World) ListenerOf(more ...string) (stop func()) {
	w.T.Helper()
	c, err := config.LoadListener(w.Environ(more...))
	w.Must(err)
	return w.Service("listener", func(ctx context.Context, log *slog.Logger) error { return app.Listener(ctx, log, c) })
}

// Relay starts a relay.
func (w *World) Relay() (stop func()) {
	w.T.Helper()
	c, err := config.LoadRelay(w.Environ())
	w.Must(err)
	return w.Service("relay", func(ctx context.Context, log *slog.Logger) error { return app.Relay(ctx, log, c) })
}

// Services starts one of each.
func (w *World) Services() {
	w.T.Helper()
	w.Worker()
	w.Listener()
	w.Relay()
}

// AtSettled calls act once so many settlements are settled.
func (w *World) AtSettled(n int, act func()) {
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(context.WithoutCancel(w.T.Context()))
	w.T.Cleanup(func() {
		cancel()
		<-done
	})
	go func() {
		defer close(done)
		defer act()
		for settled := 0; settled < n; {
			if err := w.SQL.QueryRow(ctx, `SELECT count(*) FROM settlements WHERE state = 'settled'`).Scan(&settled); err != nil {
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
}
