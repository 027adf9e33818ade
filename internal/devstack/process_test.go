package devstack

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// child starts a process that ends when the test does, or when killed.
func child(t *testing.T, script string) process {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	birth, err := birthOf(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(done)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-done
	})
	return process{PID: cmd.Process.Pid, Birth: birth, Command: "sh"}
}

func testPart(t *testing.T, proc process) *Part {
	t.Helper()
	p, err := openPart("test", t.TempDir(), nil, syscall.SIGTERM, &struct{}{})
	if err != nil {
		t.Fatal(err)
	}
	if err := writeJSON(p.pidPath(), proc); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAProcessThatReusesThePidIsNeverSignalled(t *testing.T) {
	t.Parallel()
	stranger := child(t, "sleep 60")
	ours := stranger
	ours.Birth += "0" // another start time: the pid file is older than the process
	p := testPart(t, ours)
	if p.Running() {
		t.Error("a stranger's process counts as ours")
	}
	if err := p.Kill(); err != nil {
		t.Error(err)
	}
	if err := p.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if !stranger.alive() {
		t.Error("the stranger was killed")
	}
	if _, err := os.Stat(p.pidPath()); !os.IsNotExist(err) {
		t.Errorf("the stale pid file stays: %v", err)
	}
}

func TestAServerThatIgnoresTheStopSignalIsKilled(t *testing.T) {
	t.Parallel()
	ready := filepath.Join(t.TempDir(), "ready")
	proc := child(t, "trap '' TERM; : > "+ready+"; while :; do sleep 0.05; done")
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for _, err := os.Stat(ready); err != nil; _, err = os.Stat(ready) {
		if err := pause(ctx); err != nil {
			t.Fatal(err)
		}
	}
	p := testPart(t, proc)
	p.patience = 100 * time.Millisecond
	if err := p.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if proc.alive() {
		t.Error("it still runs")
	}
}

func TestAZombieDoesNotCountAsRunning(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("true")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Wait() }() // only now is it reaped
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for {
		if _, err := birthOf(cmd.Process.Pid); err != nil {
			return
		}
		if err := pause(ctx); err != nil {
			t.Fatal("a process that ended still counts as running")
		}
	}
}

func TestPidFileThatIsCutShortMeansNotRunning(t *testing.T) {
	t.Parallel()
	p := testPart(t, process{})
	if err := os.WriteFile(p.pidPath(), []byte(`{"pid": 12`), 0o644); err != nil {
		t.Fatal(err)
	}
	if p.Running() {
		t.Error("running")
	}
}

func TestOwnProcessIsAliveAndKeepsItsBirth(t *testing.T) {
	t.Parallel()
	first, err := birthOf(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if second, err := birthOf(os.Getpid()); err != nil || second != first {
		t.Errorf("births %q and %q, %v", first, second, err)
	}
	if parent, err := birthOf(os.Getppid()); err != nil || parent == first {
		t.Errorf("the parent has birth %q, we %q, %v", parent, first, err)
	}
}

func TestLockIsHeldByOneAndSurvivesADeletedFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sub", "lock")
	unlock, err := lockFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(t.Context(), 3*lockPoll)
	defer cancel()
	if _, err := lockFile(short, path); err == nil {
		t.Fatal("locked twice")
	}
	// A wipe deletes the file while others wait on it.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	second, err := lockFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	short, cancel = context.WithTimeout(t.Context(), 3*lockPoll)
	defer cancel()
	if _, err := lockFile(short, path); err == nil {
		t.Fatal("the old holder's release freed the new lock")
	}
	second()
	third, err := lockFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	third()
}
