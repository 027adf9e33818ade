package devstack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
)

const (
	pgUser     = "quittance" // a superuser, trusted on loopback
	pgDatabase = "quittance"
)

// Postgres is a private cluster, durable like a production one: fsync,
// full_page_writes and synchronous_commit are on.
type Postgres struct {
	*Part
	URL string // DSN of the database "quittance"

	settings pgSettings
	bin      pgBinaries
	cred     *syscall.Credential
}

type pgSettings struct {
	Data string `json:"data"` // folder of the cluster, may lie outside of the part's
	Bin  string `json:"bin"`  // folder of the binaries that made it
}

// StartPostgres starts the cluster that lives in dir, or finds it running. As
// root it runs under another user, and its data moves to the folder for
// temporary files when that user cannot reach dir.
func StartPostgres(ctx context.Context, dir string, log io.Writer) (*Postgres, error) {
	p, err := openPostgres(dir, log)
	if err != nil {
		return nil, err
	}
	if err := p.start(ctx, true); err != nil {
		return nil, err
	}
	p.URL = p.DSN(pgDatabase)
	return p, nil
}

func openPostgres(dir string, log io.Writer) (*Postgres, error) {
	p := &Postgres{}
	part, err := openPart("postgres", dir, log, syscall.SIGINT, &p.settings, "tcp")
	if err != nil {
		return nil, err
	}
	p.Part = part
	part.setup = p.setup
	part.command = p.command
	part.probe = p.ready
	// The backends of a killed postmaster notice it by themselves, soon.
	part.transient = "pre-existing shared memory block"
	p.noteOutside()
	p.URL = p.DSN(pgDatabase)
	return p, nil
}

// DSN names any database of the cluster.
func (p *Postgres) DSN(database string) string {
	return fmt.Sprintf("postgres://%s@%s/%s?sslmode=disable", pgUser, p.addr("tcp"), database)
}

func (p *Postgres) setup(ctx context.Context) (err error) {
	if p.cred, err = unprivileged(); err != nil {
		return err
	}
	if p.settings.Data == "" {
		if err := p.place(); err != nil {
			return err
		}
	}
	p.data = p.settings.Data
	p.noteOutside()
	major, err := p.dataMajor()
	if err != nil {
		return err
	}
	bin, err := inspectPostgres(ctx, p.settings.Bin)
	if err != nil || !bin.fits(major) {
		if bin, err = findPostgres(ctx, major, p.log); err != nil {
			return err
		}
	}
	p.bin, p.settings.Bin = bin, bin.dir
	if major == 0 {
		return p.initCluster(ctx)
	}
	return nil
}

// place decides once where the cluster lives.
func (p *Postgres) place() error {
	if reachable(p.dir, p.cred) {
		p.settings.Data = filepath.Join(p.dir, "data")
		return nil
	}
	outside, err := outsideDir(p.dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.log, "postgres runs as uid %d, which cannot reach %s: its data goes to %s\n", p.cred.Uid, p.dir, outside)
	p.settings.Data = filepath.Join(outside, "data")
	return nil
}

// noteOutside lets a wipe find data that lives elsewhere.
func (p *Postgres) noteOutside() {
	if parent := filepath.Dir(p.settings.Data); p.settings.Data != "" && parent != p.dir {
		p.outside = parent
	}
}

// dataMajor is 0 when there is no cluster yet.
func (p *Postgres) dataMajor() (int, error) {
	raw, err := os.ReadFile(filepath.Join(p.settings.Data, "PG_VERSION"))
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read version of the cluster: %w", err)
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil {
		return 0, fmt.Errorf("read version of the cluster in %s: %w", p.settings.Data, err)
	}
	return major, nil
}

// initCluster works in a folder that gets its name last: a crash in the
// middle leaves no cluster that looks finished.
func (p *Postgres) initCluster(ctx context.Context) error {
	if err := os.MkdirAll(filepath.Dir(p.settings.Data), 0o755); err != nil {
		return fmt.Errorf("make the data folder: %w", err)
	}
	half := p.settings.Data + ".half"
	if err := os.RemoveAll(half); err != nil {
		return fmt.Errorf("clear %s: %w", half, err)
	}
	if err := os.Mkdir(half, 0o700); err != nil {
		return fmt.Errorf("make %s: %w", half, err)
	}
	if p.cred != nil {
		if err := os.Chown(half, int(p.cred.Uid), int(p.cred.Gid)); err != nil {
			return fmt.Errorf("hand over %s: %w", half, err)
		}
	}
	cmd := exec.CommandContext(ctx, filepath.Join(p.bin.dir, "initdb"), "--pgdata", half, "--username", pgUser,
		"--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync")
	p.runAs(cmd)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	if err := os.Rename(half, p.settings.Data); err != nil {
		return fmt.Errorf("name the new cluster: %w", err)
	}
	return nil
}

// runAs drops root, and starts in a folder that everyone may read: Postgres
// fails when it cannot look at its working directory.
func (p *Postgres) runAs(cmd *exec.Cmd) {
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC")
	if p.cred != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.cred}
		cmd.Env = append(cmd.Env, "HOME=/")
	}
}

func (p *Postgres) command() *exec.Cmd {
	args := []string{"-D", p.settings.Data}
	for _, setting := range []string{
		"listen_addresses=" + loopback,
		"port=" + strconv.Itoa(p.ports["tcp"]),
		"unix_socket_directories=", // TCP only: a socket's path may be too long
		"max_connections=300",
		"fsync=on",
		"full_page_writes=on",
		"synchronous_commit=on",
		"shared_buffers=256MB",
		"max_wal_size=2GB",
		"log_lock_waits=on",
		"timezone=UTC",
		"log_timezone=UTC",
	} {
		args = append(args, "-c", setting)
	}
	cmd := exec.Command(filepath.Join(p.bin.dir, "postgres"), args...)
	p.runAs(cmd)
	return cmd
}

// ready also creates the database, so that a crash between the first start
// and that cannot leave it missing.
func (p *Postgres) ready(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, p.DSN("postgres"))
	if err != nil {
		return fmt.Errorf("connect to postgres: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var exists bool
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", pgDatabase).Scan(&exists)
	if err != nil {
		return fmt.Errorf("query postgres: %w", err)
	}
	if exists {
		return nil
	}
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+pgDatabase); err != nil {
		return fmt.Errorf("create database %s: %w", pgDatabase, err)
	}
	return nil
}
