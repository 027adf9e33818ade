package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quittance/quittance/internal/app/apptest"
	"github.com/quittance/quittance/internal/devstack/stacktest"
)

// What the operator must mend ends a service at once, with 2, in words that say where to look, and before it has written anything.
func TestAServiceThatIsConfiguredWronglyIsRefused(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	wrong := filepath.Join(t.TempDir(), "wrong-password")
	w.Must(os.WriteFile(wrong, []byte("not the password\n"), 0o600))
	signing := []string{"worker", "listener"}
	for _, test := range []struct {
		why      string
		services []string
		change   string
		says     []string
	}{
		{"the keystore has another password", signing, "KEYSTORE_PASSWORD_FILE=" + wrong, []string{"wrong password", "KEYSTORE_PASSWORD_FILE", wrong, "signer-01.json"}},
		{"there is no password", signing, "KEYSTORE_PASSWORD_FILE=" + wrong + "-absent", []string{"KEYSTORE_PASSWORD_FILE", wrong + "-absent", "no such file"}},
		{"there are no keys", signing, "KEYSTORE_DIR=" + t.TempDir(), []string{"KEYSTORE_DIR", "no key file"}},
		{"the ledger does not know the chain", signing, "CHAIN_ID=999", []string{"CHAIN_ID", "999", "starter chain register"}},
		{"the ledger pays from another vault", signing, "VAULT_ADDRESS=" + apptest.Payee("another vault").Hex(), []string{"VAULT_ADDRESS"}},
		{"the database was never migrated", []string{"worker", "listener", "relay"}, "DATABASE_URL=" + stacktest.Postgres(t), []string{"DATABASE_URL", "never migrated"}},
	} {
		for _, service := range test.services {
			t.Run(service+" "+test.why, func(t *testing.T) {
				before := contents(w)
				code, stderr := w.Refusal(service, test.change)
				if code != 2 {
					t.Errorf("exit %d, want 2", code)
				}
				for _, text := range test.says {
					if !strings.Contains(stderr, text) {
						t.Errorf("stderr does not name %q: %s", text, stderr)
					}
				}
				if strings.Contains(stderr, "not the password") {
					t.Errorf("the password is shown: %s", stderr)
				}
				if after := contents(w); after != before {
					t.Errorf("something was written:\n%s\nwas\n%s", after, before)
				}
			})
		}
	}
}

// contents is a digest of every table.
func contents(w *apptest.World) (digests string) {
	w.T.Helper()
	w.Must(w.SQL.QueryRow(w.T.Context(), `
		SELECT string_agg(c.relname || (xpath('/row/d/text()', query_to_xml(format('SELECT md5(string_agg(t::text, ''|'' ORDER BY t::text)) AS d FROM %I t', c.relname), true, true, '')))[1]::text, E'\n' ORDER BY c.relname)
		  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`).Scan(&digests))
	return digests
}
