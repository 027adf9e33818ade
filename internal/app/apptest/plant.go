package apptest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/internal/devchain"
)

// SignerWallet is a signer's key in the hands of somebody else.
func (w *World) SignerWallet(i int) *devchain.Wallet {
	w.T.Helper()
	raw, err := os.ReadFile(filepath.Join(w.Keys.KeystoreDir, fmt.Sprintf("signer-%02d.json", i+1)))
	w.Must(err)
	password, err := os.ReadFile(w.Keys.PasswordFile)
	w.Must(err)
	key, err := keystore.DecryptKey(raw, strings.TrimSpace(string(password)))
	w.Must(err)
	wallet, err := devchain.NewWallet(w.T.Context(), w.Client, key.PrivateKey)
	w.Must(err)
	return wallet
}

// Clone copies the database, without its constraints, unique indexes but the primary keys, and triggers, so that a test can
// plant in it what the schema forbids. The services must be stopped; the world's own connections are closed by it.
func (w *World) Clone(t *testing.T) (dsn string) {
	t.Helper()
	w.Ledger.Close()
	w.SQL.Close()
	u, err := url.Parse(w.DSN)
	if err != nil {
		t.Fatal(err)
	}
	source, clone := strings.TrimPrefix(u.Path, "/"), ""
	u.Path = "/postgres"
	admin, err := pgx.Connect(t.Context(), u.String())
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(t.Context())
	if err := admin.QueryRow(t.Context(), `SELECT $1 || '_' || substr(md5(random()::text), 1, 8)`, source).Scan(&clone); err != nil {
		t.Fatal(err)
	}
	if _, err := admin.Exec(t.Context(), fmt.Sprintf(`CREATE DATABASE %q TEMPLATE %q`, clone, source)); err != nil {
		t.Fatal(err)
	}
	drop := u.String()
	t.Cleanup(func() { dropDatabase(t, drop, clone) })
	u.Path = "/" + clone
	conn, err := pgx.Connect(t.Context(), u.String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), dropRules); err != nil {
		t.Fatal(err)
	}
	return u.String()
}

const dropRules = `DO $$
DECLARE r record;
BEGIN
	FOR r IN SELECT conrelid::regclass AS t, conname FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid <> 0 AND contype = 'f' LOOP
		EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', r.t, r.conname);
	END LOOP;
	FOR r IN SELECT conrelid::regclass AS t, conname FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid <> 0 AND contype IN ('c', 'u') LOOP
		EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', r.t, r.conname);
	END LOOP;
	FOR r IN SELECT indexrelid::regclass AS i FROM pg_index WHERE indisunique AND NOT indisprimary AND indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace) LOOP
		EXECUTE format('DROP INDEX %s', r.i);
	END LOOP;
	FOR r IN SELECT tgrelid::regclass AS t, tgname FROM pg_trigger WHERE NOT tgisinternal AND tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace) LOOP
		EXECUTE format('DROP TRIGGER %I ON %s', r.tgname, r.t);
	END LOOP;
END $$`

func dropDatabase(t *testing.T, admin, name string) {
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, admin)
	if err != nil {
		return // the server is gone, and the database with it
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, fmt.Sprintf(`DROP DATABASE %q WITH (FORCE)`, name)); err != nil {
		t.Errorf("drop %s: %v", name, err)
	}
}
