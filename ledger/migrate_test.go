package ledger_test

import (
	"errors"
	"io/fs"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/quittance/quittance/internal/devstack/stacktest"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/migrations"
)

func TestSeveralProcessesMigrateOneDatabaseAtOnce(t *testing.T) {
	t.Parallel()
	dsn := stacktest.Postgres(t)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			l, err := ledger.Open(t.Context(), dsn)
			if err != nil {
				t.Error(err)
				return
			}
			defer l.Close()
			if err := l.Migrate(t.Context()); err != nil {
				t.Error(err)
			}
			if err := l.CheckServer(t.Context()); err != nil {
				t.Error(err)
			}
			if err := l.Migrate(t.Context()); err != nil {
				t.Errorf("again: %v", err)
			}
		})
	}
	wg.Wait()
}

func TestLatestIsTheNumberOfTheLastMigration(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	number, _, _ := strings.Cut(names[len(names)-1], "_")
	if latest, err := strconv.Atoi(number); err != nil || latest != migrations.Latest {
		t.Errorf("the last file is %s, Latest is %d", names[len(names)-1], migrations.Latest)
	}
}

func TestCheckServerRefusesWhatCouldLoseOrForkTheBooks(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why     string
		dsn     func(t *testing.T) string
		prepare string
		want    error
		says    string
	}{
		{"a database that nobody migrated", func(t *testing.T) string { return stacktest.Postgres(t) }, "", ledger.ErrSchema, "never migrated"},
		{"an older schema", func(t *testing.T) string { return ledgertest.DSN(t) }, `UPDATE goose_db_version SET version_id = 0`, ledger.ErrSchema, "version 0"},
		{"a newer schema, after a rollback of the program", func(t *testing.T) string { return ledgertest.DSN(t) }, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, true)`, ledger.ErrSchema, "version 999"},
		{"commits that may vanish", func(t *testing.T) string { return withOption(t, ledgertest.DSN(t), "synchronous_commit", "off") }, "", ledger.ErrNotDurable, "synchronous_commit is off"},
		{"a restore into another cluster", func(t *testing.T) string { return ledgertest.DSN(t) }, `UPDATE cluster SET system_identifier = '1'`, ledger.ErrRestored, "recorded system 1 "},
		{"a promoted standby", func(t *testing.T) string { return ledgertest.DSN(t) }, `UPDATE cluster SET timeline = timeline + 1`, ledger.ErrRestored, "timeline 2, found"},
		{"a migration that was never finished", func(t *testing.T) string { return ledgertest.DSN(t) }, `DELETE FROM cluster`, nil, "check cluster"},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			l, err := ledger.Open(t.Context(), row.dsn(t))
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			if row.prepare != "" {
				err := l.Do(t.Context(), "prepare", func(tx *ledger.Tx) error {
					_, err := tx.Exec(row.prepare)
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			err = l.CheckServer(t.Context())
			if err == nil || row.want != nil && !errors.Is(err, row.want) || !strings.Contains(err.Error(), row.says) {
				t.Errorf("%v", err)
			}
		})
	}
}

func withOption(t *testing.T, dsn, name, value string) string {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set(name, value)
	u.RawQuery = q.Encode()
	return u.String()
}

func TestAnAcceptedRestoreRaisesTheEpochOnce(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	w.Exec(`UPDATE cluster SET system_identifier = '1'`)
	for range 2 {
		if err := w.AcceptCluster(t.Context(), "operator", "restored from the backup of last night"); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.CheckServer(t.Context()); err != nil {
		t.Error(err)
	}
	w.Reserved("order-1", "1")
	got := ledgertest.Value[string](w, `SELECT format('%s %s %s', (SELECT epoch FROM cluster), (SELECT max(epoch) FROM outbox), (SELECT count(*) FROM journal))`)
	if got != "2 2 1" {
		t.Errorf("cluster epoch, outbox epoch, journal rows: %s", got)
	}
}

func TestOpenSaysWhatIsWrongWithTheURLOrTheServer(t *testing.T) {
	t.Parallel()
	for _, dsn := range []string{"postgres://%zz", "postgres://nobody@127.0.0.1:1/none?connect_timeout=2"} {
		if l, err := ledger.Open(t.Context(), dsn); err == nil {
			l.Close()
			t.Errorf("%s opened", dsn)
		}
	}
}
