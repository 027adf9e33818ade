package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/quittance/quittance/migrations"
)

const (
	lockPeriodSeconds = 1
	lockTriesMax      = 120
)

// Migrate brings the schema to this build's version and records which cluster this is, if nobody did before. On repeat it
// does nothing; several processes at once take turns by an advisory lock of their session.
func (l *Ledger) Migrate(ctx context.Context) error {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(lockPeriodSeconds, lockTriesMax))
	if err != nil {
		return fmt.Errorf("make the migration lock: %w", err)
	}
	db := stdlib.OpenDBFromPool(l.pool)
	defer db.Close()
	provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations.Files,
		goose.WithSessionLocker(locker), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	l.pool.Reset() // connections that are older than the schema do not know its domains
	return l.recordCluster(ctx)
}

// currentCluster reads the timeline from the WAL's position: the control file's lags behind a promotion.
const currentCluster = `SELECT system_identifier::text, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int FROM pg_control_system()`

func (l *Ledger) recordCluster(ctx context.Context) error {
	return l.do(ctx, "record cluster", func(t *Tx) error {
		_, err := t.Exec(`INSERT INTO cluster (system_identifier, timeline) ` + currentCluster + ` ON CONFLICT DO NOTHING`)
		return err
	})
}

// serverSettings that a crash-safe ledger cannot do without, and the values that it refuses.
var serverSettings = []struct{ name, refused string }{
	{"fsync", "off"},
	{"full_page_writes", "off"},
	{"synchronous_commit", "off"},
}

const serverVersionMin = 150000 // NULLS NOT DISTINCT, MERGE: Postgres 15

// CheckServer refuses a server on which a commit may be lost or which is not the one that the ledger was written to. It
// reports all problems at once: match them with ErrSchema, ErrNotDurable and ErrRestored. It writes nothing.
func (l *Ledger) CheckServer(ctx context.Context) error {
	var problems []error
	settings, err := read(ctx, l, "check server", pgx.RowToMap,
		`SELECT current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS standby,
		        current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
		        current_setting('synchronous_commit') AS synchronous_commit, to_regclass('cluster') IS NOT NULL AS migrated`)
	if err != nil {
		return err
	}
	is := settings[0]
	if version := is["version"].(int32); version < serverVersionMin {
		problems = append(problems, fmt.Errorf("postgres 15 or newer is needed, server_version_num is %d", version))
	}
	for _, s := range serverSettings {
		if is[s.name] == s.refused {
			problems = append(problems, fmt.Errorf("%w: %s is %s", ErrNotDurable, s.name, s.refused))
		}
	}
	switch {
	case is["standby"] == true:
		problems = append(problems, errors.New("the server is a standby: it cannot be written"))
	case is["migrated"] == false:
		problems = append(problems, fmt.Errorf("%w: the database was never migrated, this build needs version %d", ErrSchema, migrations.Latest))
	default:
		problems = append(problems, l.checkVersion(ctx), l.checkCluster(ctx))
	}
	return errors.Join(problems...)
}

func (l *Ledger) checkVersion(ctx context.Context) error {
	version, err := readOne(ctx, l, "check schema", pgx.RowTo[int64], `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`)
	if err == nil && version != migrations.Latest {
		err = fmt.Errorf("%w: the database has version %d, this build needs %d", ErrSchema, version, migrations.Latest)
	}
	return err
}

// Cluster says which server holds the ledger. Epoch rises with every accepted restore.
type Cluster struct {
	SystemIdentifier string
	Timeline         int32
	Epoch            int32
}

func (l *Ledger) checkCluster(ctx context.Context) error {
	type both struct {
		Cluster
		NowIdentifier string
		NowTimeline   int32
	}
	c, err := readOne(ctx, l, "check cluster", pgx.RowToStructByPos[both],
		`SELECT c.system_identifier, c.timeline, c.epoch, n.* FROM cluster c, (`+currentCluster+`) n`)
	if err != nil {
		return err
	}
	if c.SystemIdentifier != c.NowIdentifier || c.Timeline != c.NowTimeline {
		return fmt.Errorf("%w: recorded system %s timeline %d, found system %s timeline %d",
			ErrRestored, c.SystemIdentifier, c.Timeline, c.NowIdentifier, c.NowTimeline)
	}
	return nil
}

// AcceptCluster records the cluster that is there now and raises the epoch, after a reconciliation found the books and the
// chain to agree. On repeat it changes nothing. Two operators at once: one row, one of them raises the epoch.
func (l *Ledger) AcceptCluster(ctx context.Context, actor, why string) error {
	return l.do(ctx, "accept cluster", func(t *Tx) error {
		changed, err := t.Exec(`UPDATE cluster c SET system_identifier = n.id, timeline = n.timeline, epoch = c.epoch + 1, recorded_at = now()
			FROM (` + currentCluster + `) n (id, timeline) WHERE (c.system_identifier, c.timeline) IS DISTINCT FROM (n.id, n.timeline)`)
		if err != nil || changed == 0 {
			return err
		}
		return journal(t, actor, "accept cluster", "cluster", map[string]string{"why": why})
	})
}
