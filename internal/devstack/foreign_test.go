package devstack_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quittance/quittance/internal/devstack"
)

func TestServersThatTheUserBringsAreNotStarted(t *testing.T) {
	t.Parallel()
	theirs, err := devstack.StartGeth(t.Context(), filepath.Join(t.TempDir(), "geth"), devstack.GethOptions{ChainID: 99, Log: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = theirs.Wipe(context.Background()) }() // the test is over: what stays is a folder
	const dead = "postgres://someone:secret@127.0.0.1:1/theirs"
	set := map[string]string{
		"DATABASE_URL":     dead,
		"TEMPORAL_ADDRESS": "127.0.0.1:1",
		"CHAIN_RPC_URLS":   theirs.RPCURL + ",http://127.0.0.1:2",
		"VAULT_ADDRESS":    "theirs",
	}
	var log strings.Builder
	opts := devstack.Options{
		Dir: t.TempDir(), Env: map[string]string{"VAULT_ADDRESS": "ours", "OTHER": "ours"}, Log: &log,
		LookupEnv: func(name string) (string, bool) { v, ok := set[name]; return v, ok },
	}
	s := up(t, opts)
	if s.Postgres != nil || s.Temporal != nil || s.Geth != nil || s.NATS == nil {
		t.Errorf("parts of ours: %v", pids(s))
	}
	if s.DatabaseURL != dead || s.ChainID != 99 || len(s.ChainRPCURLs) != 2 {
		t.Errorf("the stack is %+v", s)
	}
	if out := log.String(); !strings.Contains(out, "unset DATABASE_URL") || strings.Contains(out, "secret") {
		t.Errorf("the log does not warn of the dead database, or shows its password: %s", out)
	}
	env, err := devstack.ReadEnv(opts.Dir)
	if err != nil || env["DATABASE_URL"] != dead || env["VAULT_ADDRESS"] != "theirs" || env["OTHER"] != "ours" || env["CHAIN_ID"] != "99" {
		t.Errorf("env file: %v, %v", env, err)
	}

	// People source the env file: our own address in a variable is still ours.
	set = map[string]string{"NATS_URL": s.NATSURL, "DATABASE_URL": dead, "TEMPORAL_ADDRESS": "127.0.0.1:1", "CHAIN_RPC_URLS": theirs.RPCURL}
	if err := s.NATS.Kill(); err != nil {
		t.Fatal(err)
	}
	if s = up(t, opts); s.NATS == nil || !s.NATS.Running() {
		t.Error("our own broker was taken for theirs")
	}
}
