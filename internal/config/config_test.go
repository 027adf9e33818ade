package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
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

func TestWhatCannotBeReadNamesItsVariableAndRuleAndNeverItsValue(t *testing.T) {
	t.Parallel()
	sound := map[string]string{
		DirVariable: t.TempDir(), "DATABASE_URL": "postgres://user@host/ledger", "CHAIN_ID": "1337", "CHAIN_RPC_URLS": "http://node:8545",
		"KEYSTORE_DIR": "/keys", "KEYSTORE_PASSWORD_FILE": "/password", "NATS_URL": "nats://broker:4222,tls://other:4222",
	}
	load := func(bad map[string]string) Problems {
		var environ []string
		for name, value := range sound {
			if other, changed := bad[name]; changed {
				value = other
			}
			environ = append(environ, name+"="+value)
		}
		for name, value := range bad {
			if _, known := sound[name]; !known {
				environ = append(environ, name+"="+value)
			}
		}
		var found Problems
		for _, err := range []error{second(LoadWorker(environ)), second(LoadListener(environ)), second(LoadRelay(environ))} {
			var problems Problems
			if err != nil && !errors.As(err, &problems) {
				t.Errorf("with %v: %v is no list of problems", bad, err)
			}
			if err != nil && (strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "s3cret")) {
				t.Errorf("with %v: %q tells a value, or needs more than a line", bad, err)
			}
			found = found.with(problems)
		}
		return found
	}
	if found := load(nil); len(found) > 0 {
		t.Fatalf("a sound configuration is refused: %v", found)
	}
	for _, bad := range []struct{ variable, value, rule, why string }{
		{"CHAIN_ID", "s3cret", "whole number", "no number"},
		{"CHAIN_ID", "-1", "not negative", "a sign"},
		{"DATABASE_POOL_MAX", "3000000000", "32 bits", "too large for its type"},
		{"WORKER_SLOTS", "many", "whole number", "no number"},
		{"CHAIN_RPC_TIMEOUT", "10", "duration", "a number without a unit"},
		{"DATABASE_URL", "s3cret", "Postgres URL", "neither a URL nor pairs"},
		{"DATABASE_URL", "postgres://u:s3cret@host:port/ledger", "Postgres URL", "no port"},
		{"NATS_URL", "s3cret", "nats", "no scheme"},
		{"NATS_URL", "nats://broker:4222,s3cret", "nats", "the second is none"},
		{"TEMPORAL_ADDRESS", "s3cret", "host:port", "no port"},
		{"CHAIN_RPC_URLS", "tp://s3cret", "http", "part of a scheme's name"},
		{"VAULT_ADDRESS", "s3cret", "20-byte address", "no address"},
		{"REMOTE_SIGNER_URL", "s3cret", "socket", "neither a URL nor a path"},
		{"WORKER_HTTP_ADDRESS", "s3cret", "host:port", "no port"},
		{"LISTENER_HTTP_ADDRESS", "127.0.0.1:99999", "host:port", "a port above all"},
		{"RELAY_HTTP_ADDRESS", "127.0.0.1:", "host:port", "an empty port"},
	} {
		found := load(map[string]string{bad.variable: bad.value})
		if len(found) != 1 || found[0].Variable != bad.variable || !strings.Contains(found[0].Rule, bad.rule) {
			t.Errorf("%s, %s: got %v, want the rule %q", bad.variable, bad.why, found, bad.rule)
		}
	}
	all := load(map[string]string{"CHAIN_ID": "x", "SWEEP_INTERVAL": "x", "OUTBOX_RETENTION": "x", "NATS_URL": "x"})
	if len(all) != 4 {
		t.Errorf("got %v, want four problems at once", all)
	}
}

func second[T any](_ T, err error) error { return err }

func TestEveryVariableSaysWhatItMeansAndIsFoundByItsField(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct {
		variables []Variable
		config    reflect.Type
	}{
		"starter": {Variables[Starter](), reflect.TypeFor[Starter]()}, "worker": {Variables[Worker](), reflect.TypeFor[Worker]()},
		"listener": {Variables[Listener](), reflect.TypeFor[Listener]()}, "relay": {Variables[Relay](), reflect.TypeFor[Relay]()},
	} {
		if len(of.variables) < 10 {
			t.Errorf("%s reads %d variables", name, len(of.variables))
		}
		for _, v := range of.variables {
			if v.Meaning == "" {
				t.Errorf("%s of %s has no help", v.Name, name)
			}
			if slices.Contains([]string{FileVariable, DirVariable}, v.Name) {
				continue
			}
			var fields []string
			for _, f := range reflect.VisibleFields(of.config) {
				if f.Tag.Get("env") == v.Name {
					fields = append(fields, f.Name)
				}
			}
			if len(fields) != 1 {
				t.Errorf("%s of %s is read into %v", v.Name, name, fields)
			} else if f, ok := of.config.FieldByName(fields[0]); !ok || f.Tag.Get("env") != v.Name {
				t.Errorf("field %s of %s does not lead to %s", fields[0], name, v.Name)
			}
		}
	}
}
