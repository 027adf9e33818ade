// Package stacktest gives tests the real servers: Postgres, Temporal, NATS and
// geth, without Docker. The first test that asks for a server starts it, in
// the folder .devstack-test of the module or in $QUITTANCE_TEST_STACK; it is
// left running for the next package, since `go test ./...` runs packages as
// processes of their own, in parallel. `make test` stops it at the end.
//
// A server that cannot be started fails the test and says what to install.
// Nothing here ever skips. It may be imported by tests only.
package stacktest

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/quittance/quittance/internal/devstack"
)

// EnvDir names the folder of the shared servers.
const EnvDir = "QUITTANCE_TEST_STACK"

// startTimeout includes a first build of the servers, some minutes.
const startTimeout = 20 * time.Minute

var (
	postgres = once(devstack.StartPostgres)
	nats     = once(devstack.StartNATS)
	temporal = once(func(ctx context.Context, dir string, log io.Writer) (*devstack.Temporal, error) {
		return devstack.StartTemporal(ctx, dir, devstack.TemporalOptions{Log: log})
	})
)

// ServersOrFail starts all shared servers and fails the test, with advice,
// for the first that does not come up. A TestMain-like setup can use it to
// pay for the builds in one visible place.
func ServersOrFail(t testing.TB) {
	t.Helper()
	sharedPostgres(t)
	Temporal(t)
	NATS(t)
	SharedGeth(t)
}

// TemporalServer is where the shared Temporal server listens. All tests share
// its namespace: use workflow ids and task queues of your own.
type TemporalServer struct {
	Address, Namespace, UIURL string
}

// Temporal returns the shared Temporal server.
func Temporal(t testing.TB) TemporalServer {
	t.Helper()
	s, err := temporal("temporal")
	if err != nil {
		t.Fatalf("shared temporal: %v", err)
	}
	return TemporalServer{Address: s.Address, Namespace: s.Namespace, UIURL: s.UIURL}
}

// NATS returns the URL of the shared broker, which has JetStream. All tests
// share its streams: use stream names of your own.
func NATS(t testing.TB) string {
	t.Helper()
	s, err := nats("nats")
	if err != nil {
		t.Fatalf("shared nats: %v", err)
	}
	return s.URL
}

func sharedPostgres(t testing.TB) *devstack.Postgres {
	t.Helper()
	s, err := postgres("postgres")
	if err != nil {
		t.Fatalf("shared postgres: %v", err)
	}
	return s
}

// Dir is the folder of the shared servers.
func Dir() (string, error) {
	if dir := os.Getenv(EnvDir); dir != "" {
		return filepath.Abs(dir)
	}
	root, err := devstack.ModuleRoot()
	if err != nil {
		return "", err
	}
	return filepath.Join(root, ".devstack-test"), nil
}

// once starts a server at most once per process; other processes find it
// running under the server's own lock.
func once[S any](start func(context.Context, string, io.Writer) (S, error)) func(name string) (S, error) {
	var (
		mu    sync.Mutex
		ready bool
		got   S
	)
	return func(name string) (S, error) {
		mu.Lock()
		defer mu.Unlock()
		if ready {
			return got, nil
		}
		dir, err := Dir()
		if err != nil {
			return got, err
		}
		if err := devstack.Claim(dir); err != nil {
			return got, err
		}
		ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
		defer cancel()
		got, err = start(ctx, filepath.Join(dir, name), os.Stderr)
		ready = err == nil
		return got, err
	}
}
