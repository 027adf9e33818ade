package stacktest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/internal/devstack"
)

const (
	dbPrefix       = "test_"
	templatePrefix = "template_"
	// leftoverAge is when a database whose test never cleaned up, because its
	// process was killed, is dropped by a later one.
	leftoverAge = 2 * time.Hour
	sqlTimeout  = 2 * time.Minute // a clone waits for the other clones of a busy machine
)

var sweepOnce sync.Once

// Postgres returns the DSN of a fresh, empty database on the shared cluster.
// It is dropped at the end of the test, whoever is still connected.
func Postgres(t testing.TB) string {
	t.Helper()
	return freshDatabase(t, sharedPostgres(t), "")
}

// PostgresTemplate returns the DSN of a fresh copy of a database that build
// has filled, e.g. with migrations. build runs once per key on the cluster,
// whatever processes ask at the same time, so the key must change with what
// build does: a hash of the migration files. A build that fails is not kept.
// build must close all its connections.
func PostgresTemplate(t testing.TB, key string, build func(dsn string) error) string {
	t.Helper()
	cluster := sharedPostgres(t)
	sum := sha256.Sum256([]byte(key))
	template := templatePrefix + hex.EncodeToString(sum[:10])
	if err := ensureTemplate(cluster, template, build); err != nil {
		t.Fatalf("template database for %q: %v", key, err)
	}
	return freshDatabase(t, cluster, " TEMPLATE "+template)
}

func freshDatabase(t testing.TB, cluster *devstack.Postgres, clause string) string {
	t.Helper()
	sweepOnce.Do(func() {
		if err := admin(cluster, sweep); err != nil {
			t.Logf("leftover databases stay: %v", err)
		}
	})
	name := fmt.Sprintf("%s%d_%s", dbPrefix, time.Now().Unix(), strings.ToLower(rand.Text()[:10]))
	if err := admin(cluster, exec("CREATE DATABASE "+name+clause)); err != nil {
		t.Fatalf("fresh database: %v", err)
	}
	t.Cleanup(func() {
		if err := admin(cluster, exec("DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")); err != nil {
			t.Errorf("drop database: %v", err)
		}
	})
	return cluster.DSN(name)
}

// ensureTemplate fills a database under another name and renames it last, so
// the template's existence means that its build was finished.
func ensureTemplate(cluster *devstack.Postgres, template string, build func(string) error) error {
	return admin(cluster, func(ctx context.Context, conn *pgx.Conn) error {
		// Held until the connection closes, i.e. also if this process dies.
		if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(hashtextextended($1, 0))", template); err != nil {
			return fmt.Errorf("wait for the turn to build it: %w", err)
		}
		var exists bool
		err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", template).Scan(&exists)
		if err != nil || exists {
			return err
		}
		half := template + "_half"
		for _, sql := range []string{"DROP DATABASE IF EXISTS " + half + " WITH (FORCE)", "CREATE DATABASE " + half} {
			if err := exec(sql)(ctx, conn); err != nil {
				return err
			}
		}
		if err := build(cluster.DSN(half)); err != nil {
			return fmt.Errorf("build: %w", err)
		}
		return exec("ALTER DATABASE "+half+" RENAME TO "+template)(ctx, conn)
	})
}

// sweep drops what killed test processes left behind.
func sweep(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, "SELECT datname FROM pg_database WHERE datname LIKE $1", dbPrefix+"%")
	if err != nil {
		return fmt.Errorf("list databases: %w", err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("list databases: %w", err)
	}
	for _, name := range names {
		stamp, _, _ := strings.Cut(strings.TrimPrefix(name, dbPrefix), "_")
		born, err := strconv.ParseInt(stamp, 10, 64)
		if err != nil || time.Since(time.Unix(born, 0)) < leftoverAge {
			continue
		}
		if err := exec("DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")(ctx, conn); err != nil {
			return err
		}
	}
	return nil
}

func admin(cluster *devstack.Postgres, do func(context.Context, *pgx.Conn) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), sqlTimeout)
	defer cancel()
	conn, err := pgx.Connect(ctx, cluster.DSN("postgres"))
	if err != nil {
		return fmt.Errorf("connect to the shared cluster: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return do(ctx, conn)
}

func exec(sql string) func(context.Context, *pgx.Conn) error {
	return func(ctx context.Context, conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
		return nil
	}
}
