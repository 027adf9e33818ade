package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/quittance/quittance/internal/devstack"
)

// devstackCmd runs the command as main would and returns what it printed.
func devstackCmd(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, progress bytes.Buffer
	err = run(t.Context(), args, &out, &progress)
	return out.String(), progress.String(), err
}

func TestCommandsFromUpToWipe(t *testing.T) {
	// All but the broker are brought by the user, so this test needs few seconds.
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`))
	}))
	defer node.Close()
	dir := t.TempDir()
	for name, value := range map[string]string{
		devstack.EnvDir:     dir,
		"DATABASE_URL":      "postgres://u@127.0.0.1:1/theirs",
		"TEMPORAL_ADDRESS":  "127.0.0.1:1",
		"CHAIN_RPC_URLS":    node.URL,
		"CHAIN_ID":          "",
		"NATS_URL":          "",
		"TEMPORAL_UI_URL":   "",
		"CHAIN_WS_URL":      "",
		devstack.EnvServers: os.Getenv(devstack.EnvServers),
	} {
		t.Setenv(name, value)
	}

	if _, _, err := devstackCmd(t, "status"); err == nil || !strings.Contains(err.Error(), "run up first") {
		t.Errorf("status before up: %v", err)
	}
	out, _, err := devstackCmd(t, "up")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"postgres://u@127.0.0.1:1/theirs", node.URL, "id 31337", "nats://127.0.0.1:"} {
		if !strings.Contains(out, want) {
			t.Errorf("up does not print %q:\n%s", want, out)
		}
	}
	if out, _, err := devstackCmd(t, "status"); err != nil || !strings.Contains(out, "answers") {
		t.Errorf("status: %v\n%s", err, out)
	}
	if out, _, err := devstackCmd(t, "env"); err != nil || !strings.Contains(out, "CHAIN_ID=31337\n") {
		t.Errorf("env: %v\n%s", err, out)
	}
	if out, _, err := devstackCmd(t, "logs", "nats"); err != nil || !strings.Contains(out, "Server is ready") {
		t.Errorf("logs nats: %v\n%s", err, out)
	}
	if _, _, err := devstackCmd(t, "logs", "geth"); err == nil || !strings.Contains(err.Error(), "no geth of its own") {
		t.Errorf("logs of a server that the user brought: %v", err)
	}
	if _, progress, err := devstackCmd(t, "down"); err != nil || progress != "nats stopped\n" {
		t.Errorf("down: %v, %q", err, progress)
	}
	if out, _, err := devstackCmd(t, "status"); err == nil || !strings.Contains(out, "down") {
		t.Errorf("status after down: %v\n%s", err, out)
	}
	if _, _, err := devstackCmd(t, "down", "--wipe"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder survived: %v", err)
	}
}
