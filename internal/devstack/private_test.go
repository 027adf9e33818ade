package devstack

import (
	"os"
	"path/filepath"
	"testing"
)

// privatePart makes a private part with a running process, owned by owner.
func privatePart(t *testing.T, stack, name string, owner process) (string, process) {
	t.Helper()
	dir := filepath.Join(stack, PrivateDir, name)
	if err := Own(dir); err != nil {
		t.Fatal(err)
	}
	if err := writeJSON(filepath.Join(dir, ownerFile), owner); err != nil {
		t.Fatal(err)
	}
	server := child(t, "sleep 60")
	if err := writeJSON(filepath.Join(dir, "pid"), server); err != nil {
		t.Fatal(err)
	}
	return dir, server
}

func TestServersOfATestProcessThatWasKilledAreReaped(t *testing.T) {
	t.Parallel()
	stack := t.TempDir()
	birth, err := birthOf(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	us := process{PID: os.Getpid(), Birth: birth}
	dead := process{PID: os.Getpid(), Birth: "another boot 1"}
	kept, ours := privatePart(t, stack, "ours", us)
	left, orphan := privatePart(t, stack, "orphan", dead)
	if err := ReapOrphans(t.Context(), stack); err != nil {
		t.Fatal(err)
	}
	if orphan.alive() {
		t.Error("the orphan still runs")
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("the orphan's folder stays: %v", err)
	}
	if !ours.alive() {
		t.Error("the server of a live test was killed")
	}
	if err := Down(t.Context(), stack, nil); err != nil {
		t.Fatal(err)
	}
	if ours.alive() {
		t.Error("a private server survived down")
	}
	if _, err := os.Stat(kept); !os.IsNotExist(err) {
		t.Errorf("its folder survived down: %v", err)
	}
}
