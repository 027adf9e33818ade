package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

const (
	headerTimeout   = 5 * time.Second
	writeTimeout    = time.Minute
	idleTimeout     = 2 * time.Minute
	shutdownTimeout = 10 * time.Second
)

// Server is a small HTTP server that stops gracefully.
type Server struct {
	listener net.Listener
	server   *http.Server
}

// Page routes /metrics and /healthz; add further routes to it as needed.
func Page(m *Metrics, h *Health) *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.Handler())
	mux.Handle("GET /healthz", h)
	return mux
}

// Listen takes the address at once, so that a port in use is an error at start, and serves nothing until Run. Port 0 takes a
// free one: ask Addr.
func Listen(address string, handler http.Handler, log *slog.Logger) (*Server, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	return &Server{listener, &http.Server{
		Handler: handler, ReadHeaderTimeout: headerTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}}, nil
}

// Addr is host:port.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Run serves until ctx ends, and then lets requests under way finish for a while.
func (s *Server) Run(ctx context.Context) error {
	failed := make(chan error, 1)
	go func() { failed <- s.server.Serve(s.listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve http on %s: %w", s.Addr(), err)
	case <-ctx.Done():
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if err := s.server.Shutdown(ctx); err != nil {
		return errors.Join(fmt.Errorf("stop http on %s: %w", s.Addr(), err), s.server.Close())
	}
	return nil
}
