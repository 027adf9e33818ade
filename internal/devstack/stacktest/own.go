package stacktest

import (
	"context"
	"io"
	"os"
	"testing"

	"github.com/quittance/quittance/internal/devstack"
)

// OwnPostgres starts a cluster of the test's own, which it may Stop, Kill and Start. Its database is empty.
func OwnPostgres(t testing.TB) *devstack.Postgres {
	t.Helper()
	return own(t, "postgres", devstack.StartPostgres)
}

// OwnTemporal starts a Temporal server of the test's own, which it may Stop, Kill and Start.
func OwnTemporal(t testing.TB) *devstack.Temporal {
	t.Helper()
	return own(t, "temporal", func(ctx context.Context, dir string, log io.Writer) (*devstack.Temporal, error) {
		return devstack.StartTemporal(ctx, dir, devstack.TemporalOptions{Log: log})
	})
}

// OwnNATS starts a broker of the test's own, which it may Stop, Kill and Start.
func OwnNATS(t testing.TB) *devstack.NATS {
	t.Helper()
	return own(t, "nats", devstack.StartNATS)
}

// server is the part of a devstack server that ends with the test.
type server interface {
	Tail() string
	Kill() error
	Wipe(ctx context.Context) error
}

// own starts a server in a folder of its own and deletes both at the end of the test.
func own[S server](t testing.TB, name string, start func(ctx context.Context, dir string, log io.Writer) (S, error)) S {
	t.Helper()
	dir, err := privateDir(name)
	if err != nil {
		t.Fatalf("own %s: %v", name, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
	defer cancel()
	s, err := start(ctx, dir, os.Stderr)
	if err != nil {
		t.Fatalf("own %s: %v", name, err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the last lines of %s:\n%s", name, s.Tail())
		}
		// Nobody will read its data again, so a clean stop is wasted time.
		if err := s.Kill(); err != nil {
			t.Errorf("kill own %s: %v", name, err)
		}
		if err := s.Wipe(context.Background()); err != nil {
			t.Errorf("delete own %s: %v", name, err)
		}
	})
	return s
}

// Clef starts a remote signer of the test's own, which it may Stop, Kill and Start.
func Clef(t testing.TB, opts devstack.ClefOptions) *devstack.Clef {
	t.Helper()
	return own(t, "clef", func(ctx context.Context, dir string, log io.Writer) (*devstack.Clef, error) {
		if opts.Log == nil {
			opts.Log = log
		}
		return devstack.StartClef(ctx, dir, opts)
	})
}
