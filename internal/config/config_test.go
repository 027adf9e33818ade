package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEveryProblemIsReportedAtOnceAndNamesItsVariable(t *testing.T) {
	t.Setenv(FileVariable, "")
	dir := t.TempDir()
	_, err := LoadWorker([]string{DirVariable + "=" + dir, "LOG_LEVEL=loud", "CHAIN_RPC_URLS=ftp://x", "WORKER_SLOTS=0"})
	if err == nil {
		t.Fatal("an empty configuration was accepted")
	}
	for _, name := range []string{"DATABASE_URL", "CHAIN_ID", "CHAIN_RPC_URLS", "KEYSTORE_DIR", "KEYSTORE_PASSWORD_FILE", "LOG_LEVEL", "WORKER_SLOTS"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("the error does not name %s: %v", name, err)
		}
	}
}

func TestAVariableThatIsSetWinsOverTheEnvFile(t *testing.T) {
	dir := t.TempDir()
	file := "DATABASE_URL=postgres://file\nNATS_URL=nats://file\nLOG_FORMAT=json\n"
	if err := os.WriteFile(filepath.Join(dir, "env"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := LoadRelay([]string{DirVariable + "=" + dir, "DATABASE_URL=postgres://set"})
	if err != nil {
		t.Fatal(err)
	}
	if c.DatabaseURL != "postgres://set" || c.NATSURL != "nats://file" || c.Format != "json" {
		t.Errorf("got database %q, broker %q, format %q", c.DatabaseURL, c.NATSURL, c.Format)
	}
}

func TestANamedEnvFileThatIsMissingIsAnError(t *testing.T) {
	_, err := LoadStarter([]string{FileVariable + "=" + filepath.Join(t.TempDir(), "absent")})
	if err == nil || !strings.Contains(err.Error(), "absent") {
		t.Errorf("got %v", err)
	}
}
