//go:build !crashpoints

// The tests build both variants themselves, so one build of them is enough.

package crash_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/quittance/quittance/internal/crash"
)

func TestAPointKillsOnlyTheBuildWithTheTag(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why, tags, at string
		lines         int
		killed        bool
	}{
		{"production ignores the variable", "", "middle", 3, false},
		{"a point that is not named is passed", "crashpoints", "elsewhere", 3, false},
		{"nothing named, nothing killed", "crashpoints", "", 3, false},
		{"the first pass kills by default", "crashpoints", "middle", 1, true},
		{"the second pass, if asked for", "crashpoints", "middle:2", 2, true},
		{"more passes than happen", "crashpoints", "middle:9", 3, false},
	} {
		t.Run(row.why, func(t *testing.T) {
			binary := filepath.Join(t.TempDir(), "looper")
			if out, err := exec.Command("go", "build", "-tags", row.tags, "-o", binary, "./testdata/looper").CombinedOutput(); err != nil {
				t.Fatalf("build: %v\n%s", err, out)
			}
			cmd := exec.Command(binary)
			cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s", crash.Variable, row.at))
			out, err := cmd.Output()
			if lines := strings.Count(string(out), "\n"); lines != row.lines {
				t.Errorf("printed %d lines, want %d", lines, row.lines)
			}
			if killed := signalOf(err) == syscall.SIGKILL; killed != row.killed {
				t.Errorf("killed = %v (%v), want %v", killed, err, row.killed)
			}
		})
	}
}

func TestAMisspeltPassNumberStopsTheProgramAtOnce(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("go", "run", "-tags", "crashpoints", "./testdata/looper")
	cmd.Env = append(os.Environ(), crash.Variable+"=middle:x")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "N above zero") {
		t.Errorf("err = %v, output %q", err, out)
	}
}

func signalOf(err error) syscall.Signal {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.Sys().(syscall.WaitStatus).Signal()
	}
	return 0
}
