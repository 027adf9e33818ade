package devstack

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// endStrays kills servers of ours that no pid file names: the folder was
// deleted under a running server (git clean), or we were killed between a
// start and the note of it. Such a server holds the data, or a port, for ever.
// It is told by its program's name and the data path among its arguments.
func (p *Part) endStrays(cmd *exec.Cmd) error {
	if p.data == "" {
		return nil
	}
	for _, pid := range commandLines() {
		if filepath.Base(pid.args[0]) != filepath.Base(cmd.Path) || !slices.Contains(pid.args[1:], p.data) {
			continue
		}
		birth, err := birthOf(pid.pid)
		if err != nil {
			continue // it ended by itself
		}
		fmt.Fprintf(p.log, "%s: killing pid %d, which still runs on %s\n", p.name, pid.pid, p.data)
		stray := process{PID: pid.pid, Birth: birth}
		if err := stray.signal(syscall.SIGKILL); err != nil {
			return fmt.Errorf("end a stray %s: %w", p.name, err)
		}
		if err := stray.awaitEnd(); err != nil {
			return fmt.Errorf("end a stray %s: %w", p.name, err)
		}
	}
	return nil
}

type commandLine struct {
	pid  int
	args []string // never empty
}

// commandLines lists all processes that we may see.
func commandLines() []commandLine {
	if runtime.GOOS != "linux" {
		return commandLinesPS()
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var all []commandLine
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		raw, err := os.ReadFile(filepath.Join("/proc", entry.Name(), "cmdline"))
		if err != nil || len(raw) == 0 {
			continue // ended, or a thread of the kernel
		}
		all = append(all, commandLine{pid, strings.Split(string(bytes.TrimRight(raw, "\x00")), "\x00")})
	}
	return all
}

// commandLinesPS cannot tell an argument with a space from two; such a data
// path is then not recognised, which only means that no stray is ended.
func commandLinesPS() []commandLine {
	out, err := exec.Command("ps", "-axww", "-o", "pid=,args=").Output()
	if err != nil {
		return nil
	}
	var all []commandLine
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		if pid, err := strconv.Atoi(fields[0]); err == nil {
			all = append(all, commandLine{pid, fields[1:]})
		}
	}
	return all
}
