package devstack_test

import (
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/internal/devstack"
)

func TestPostgresNeverRunsAsRoot(t *testing.T) {
	t.Parallel()
	// Others cannot enter this folder: the project may lie in /root.
	closed := filepath.Join(t.TempDir(), "closed")
	if err := os.Mkdir(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	p, err := devstack.StartPostgres(t.Context(), filepath.Join(closed, "postgres"), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Wipe(context.Background()) }() // the test is over: what stays is a folder
	uid, err := exec.Command("ps", "-o", "uid=", "-p", strconv.Itoa(p.PID())).Output()
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(string(uid)) == "0" {
		t.Error("postgres runs as root")
	}
	conn, err := pgx.Connect(t.Context(), p.URL)
	if err != nil {
		t.Fatal(err)
	}
	var data string
	if err := conn.QueryRow(t.Context(), "SHOW data_directory").Scan(&data); err != nil {
		t.Fatal(err)
	}
	conn.Close(t.Context())
	if inside := strings.HasPrefix(data, closed); inside == (os.Getuid() == 0) {
		t.Errorf("uid %d: data in %s", os.Getuid(), data)
	}
	if err := p.Wipe(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(data); !os.IsNotExist(err) {
		t.Errorf("data outside of the folder survived the wipe: %v", err)
	}
}

func TestFailedStartShowsTheEndOfTheLogAndLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "temporal")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "temporal.db"), []byte(strings.Repeat("this is no database ", 300)), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := devstack.StartTemporal(t.Context(), dir, devstack.TemporalOptions{Log: os.Stderr})
	if err == nil || !strings.Contains(err.Error(), "file is not a database") || !strings.Contains(err.Error(), "server.log") {
		t.Errorf("the error does not say why: %v", err)
	}
}

func TestAPortThatWasTakenMeanwhileMovesOnUpOnly(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "nats")
	n, err := devstack.StartNATS(t.Context(), dir, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = n.Wipe(context.Background()) }() // the test is over: what stays is a folder
	if err := n.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	squatter, err := net.Listen("tcp", strings.TrimPrefix(n.URL, "nats://"))
	if err != nil {
		t.Fatal(err)
	}
	defer squatter.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := n.Start(ctx); err == nil {
		t.Error("started on a port that is taken")
	}
	moved, err := devstack.StartNATS(t.Context(), dir, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	if moved.URL == n.URL {
		t.Errorf("still at %s", moved.URL)
	}
}

func TestAServerWhoseFolderWasDeletedIsReplaced(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "nats")
	lost, err := devstack.StartNATS(t.Context(), dir, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	pid := lost.PID()
	if err := os.RemoveAll(dir); err != nil { // as "git clean" does
		t.Fatal(err)
	}
	n, err := devstack.StartNATS(t.Context(), dir, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = n.Wipe(context.Background()) }() // the test is over: what stays is a folder
	if n.PID() == pid || !gone(pid) {
		t.Errorf("the old server (pid %d) still runs beside the new one (pid %d)", pid, n.PID())
	}
}
