package apptest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/quittance/quittance/internal/devstack"
)

// Main runs a package's tests and deletes the services that they built: `func TestMain(m *testing.M) { os.Exit(apptest.Main(m)) }`
// belongs into every package that starts a Process.
func Main(m *testing.M) int {
	defer func() { _ = os.RemoveAll(binaries.dir) }() // what stays is in the folder for temporary files
	return m.Run()
}

// binaries are the services as they ship, built once per test process.
var binaries struct {
	once sync.Once
	dir  string
	err  error
}

func build() (dir string, err error) {
	binaries.once.Do(func() {
		root, err := devstack.ModuleRoot()
		if err == nil {
			binaries.dir, err = os.MkdirTemp("", "quittance-services-")
		}
		if err != nil {
			binaries.err = err
			return
		}
		cmd := exec.Command("go", "build", "-o", binaries.dir+string(filepath.Separator), "./worker", "./listener", "./relay")
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			binaries.err = fmt.Errorf("build the services: %w\n%s", err, out)
		}
	})
	return binaries.dir, binaries.err
}

// Process is a service as the operating system runs it.
type Process struct {
	t    *testing.T
	name string
	cmd  *exec.Cmd
	done chan struct{} // closed once it has ended

	mu    sync.Mutex
	log   bytes.Buffer
	asked bool // to end
}

// Process starts worker, listener or relay with this installation's environment. It gets SIGTERM at the end of the test at the
// latest and must then exit with 0; one that ends unasked fails the test.
func (w *World) Process(name string, more ...string) *Process {
	w.T.Helper()
	p := w.launch(name, more, func(p *Process) {
		if !p.ending() {
			w.T.Errorf("%s ended by itself: %s\n%s", name, p.cmd.ProcessState, p.Log())
		}
	})
	w.T.Cleanup(p.Stop)
	return p
}

// Refusal starts a service that must end by itself, and returns its exit code and what it wrote to stderr.
func (w *World) Refusal(name string, more ...string) (code int, stderr string) {
	w.T.Helper()
	p := w.launch(name, more, func(*Process) {})
	select {
	case <-p.done:
	case <-time.After(patience):
		p.Kill()
		w.T.Errorf("%s was not refused within %s:\n%s", name, patience, p.Log())
	}
	return p.cmd.ProcessState.ExitCode(), p.Log()
}

func (w *World) launch(name string, more []string, ended func(*Process)) *Process {
	w.T.Helper()
	dir, err := build()
	w.Must(err)
	p := &Process{t: w.T, name: name, cmd: exec.Command(filepath.Join(dir, name)), done: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), w.Environ(more...)...)
	p.cmd.Stdout, p.cmd.Stderr = p, p
	w.Must(p.cmd.Start())
	go func() {
		_ = p.cmd.Wait() // ProcessState says it
		ended(p)
		close(p.done)
	}()
	return p
}

// Write keeps what the process logs. It is for the process's output alone.
func (p *Process) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.Write(b)
}

// Log is what it has written so far.
func (p *Process) Log() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

func (p *Process) ending() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked
}

// PID names it to the operating system.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Kill ends it as a crash does.
func (p *Process) Kill() {
	p.t.Helper()
	p.end(syscall.SIGKILL)
}

// Stop ends it as a deploy does; its exit code must be 0.
func (p *Process) Stop() {
	p.t.Helper()
	if p.ending() {
		return
	}
	p.end(syscall.SIGTERM)
	if p.t.Failed() || p.cmd.ProcessState.ExitCode() != 0 {
		p.t.Logf("%s wrote:\n%s", p.name, p.Log())
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 0 {
		p.t.Errorf("%s exited with %d (%s) after SIGTERM, want 0", p.name, code, p.cmd.ProcessState)
	}
}

func (p *Process) end(signal syscall.Signal) {
	p.t.Helper()
	p.mu.Lock()
	p.asked = true
	p.mu.Unlock()
	if err := p.cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Errorf("signal %s: %v", p.name, err)
	}
	<-p.done
}
