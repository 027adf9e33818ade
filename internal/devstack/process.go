package devstack

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// killTimeout: a process that outlives SIGKILL longer is stuck on a disk.
const killTimeout = 30 * time.Second

// process names one operating system process for good. A pid alone is not
// enough: after a reboot or some thousand forks it may be a stranger's, and
// killing that would be worse than leaking ours.
type process struct {
	PID     int    `json:"pid"`
	Birth   string `json:"birth"` // boot and start time, see birthOf
	Command string `json:"command"`
}

// alive is false for a recycled pid, and for a zombie: it holds no port.
func (p process) alive() bool {
	if p.PID <= 0 {
		return false
	}
	birth, err := birthOf(p.PID)
	return err == nil && birth == p.Birth
}

// signal does nothing to a process that is not ours any more.
func (p process) signal(sig syscall.Signal) error {
	if !p.alive() {
		return nil
	}
	if err := syscall.Kill(p.PID, sig); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("send %s to pid %d: %w", sig, p.PID, err)
	}
	return nil
}

// await returns when the process is gone.
func (p process) await(ctx context.Context) error {
	for p.alive() {
		if err := pause(ctx); err != nil {
			return fmt.Errorf("pid %d still runs: %w", p.PID, err)
		}
	}
	return nil
}

// awaitEnd is for after SIGKILL, which nobody should cancel waiting for.
func (p process) awaitEnd() error {
	ctx, cancel := context.WithTimeout(context.Background(), killTimeout)
	defer cancel()
	return p.await(ctx)
}

var errNoProcess = errors.New("no such process")

// birthOf returns a string that no other process of this machine has had.
func birthOf(pid int) (string, error) {
	if runtime.GOOS == "linux" {
		return birthLinux(pid)
	}
	out, err := exec.Command("ps", "-o", "stat=,lstart=", "-p", strconv.Itoa(pid)).Output()
	state, start, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if err != nil || state == "" || strings.HasPrefix(state, "Z") {
		return "", errNoProcess
	}
	return strings.TrimSpace(start), nil
}

func birthLinux(pid int) (string, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", errNoProcess
	}
	// The command name in parentheses may hold spaces; the fields after it are
	// state (3) up to start time in clock ticks since boot (22).
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return "", errNoProcess
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", fmt.Errorf("read boot id: %w", err)
	}
	return strings.TrimSpace(string(boot)) + " " + fields[19], nil
}

// readProcess returns the zero process when the file is missing or cut short
// by a crash; both mean that nothing of ours is known to run.
func readProcess(path string) process {
	var p process
	raw, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(raw, &p) != nil {
		return process{}
	}
	return p
}

// writeJSON replaces the file in one step: readers never see half of it.
func writeJSON(path string, v any) error {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", path, err)
	}
	return writeFile(path, append(raw, '\n'))
}

func writeFile(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(content)
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
