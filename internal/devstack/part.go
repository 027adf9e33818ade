package devstack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

const (
	stopPatience = 30 * time.Second // from the stop signal to SIGKILL
	pollInterval = 50 * time.Millisecond
)

// Part is one server: a process of its own session, with a folder that holds
// its data, log, pid and ports. The process outlives the program that started
// it. All methods are safe to repeat and to call from several processes.
type Part struct {
	name       string
	dir        string
	log        io.Writer
	portNames  []string
	stopSignal syscall.Signal
	patience   time.Duration
	data       string // the argument that tells our process from others of its kind
	outside    string // a data folder that is not below dir, or empty

	setup   func(context.Context) error // makes binaries and data; safe to repeat
	command func() *exec.Cmd            // called after setup, with ports known
	probe   func(context.Context) error // nil once the server answers usefully

	transient string // log text of an early end that a later start will not meet

	mu       sync.RWMutex // guards the two below: Ready may run beside Start
	ports    map[string]int
	settings any // pointer to what was chosen when the data was made
}

// Name is the part's name in commands, folders and messages.
func (p *Part) Name() string { return p.name }

// LogPath is the file that the server's own output is appended to.
func (p *Part) LogPath() string { return filepath.Join(p.dir, "server.log") }

// PID is 0 when the part does not run.
func (p *Part) PID() int {
	if proc := p.process(); proc.alive() {
		return proc.PID
	}
	return 0
}

// Running says whether the process exists, not whether it answers.
func (p *Part) Running() bool { return p.PID() != 0 }

// Ready asks once whether the server answers usefully.
func (p *Part) Ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.probe(ctx)
}

// Start is a no-op while the part runs and answers. It keeps data and ports:
// clients may hold the old address, so a port that someone else took
// meanwhile is an error here.
func (p *Part) Start(ctx context.Context) error { return p.start(ctx, false) }

// Stop lets the server shut down cleanly, and kills it when it does not
// within half a minute. Stopping a stopped part is a no-op.
func (p *Part) Stop(ctx context.Context) error {
	unlock, err := p.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return p.stop(ctx)
}

// Kill is SIGKILL: the server gets no chance to write anything. It returns
// when the process is gone.
func (p *Part) Kill() error {
	proc := p.process()
	if err := proc.signal(syscall.SIGKILL); err != nil {
		return fmt.Errorf("kill %s: %w", p.name, err)
	}
	if err := proc.awaitEnd(); err != nil {
		return fmt.Errorf("kill %s: %w", p.name, err)
	}
	return nil
}

// Signal sends any signal, e.g. SIGSTOP and SIGCONT for a server that hangs.
func (p *Part) Signal(sig syscall.Signal) error { return p.process().signal(sig) }

// Wait returns when the process is gone.
func (p *Part) Wait(ctx context.Context) error {
	if err := p.process().await(ctx); err != nil {
		return fmt.Errorf("wait for the end of %s: %w", p.name, err)
	}
	return nil
}

// Wipe stops the part and deletes all it has.
func (p *Part) Wipe(ctx context.Context) error {
	unlock, err := p.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := p.stop(ctx); err != nil {
		return err
	}
	for _, dir := range []string{p.outside, p.dir} {
		if dir == "" {
			continue
		}
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("wipe %s: %w", p.name, err)
		}
	}
	return nil
}

func (p *Part) stop(ctx context.Context) error {
	proc := p.process()
	if err := proc.signal(p.stopSignal); err != nil {
		return fmt.Errorf("stop %s: %w", p.name, err)
	}
	waitCtx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	if err := p.Wait(waitCtx); err != nil {
		if ctx.Err() != nil {
			return err // cancelled, not out of patience: it is still stopping
		}
		fmt.Fprintf(p.log, "%s does not stop, killing it\n", p.name)
		if err := p.Kill(); err != nil {
			return err
		}
	}
	if err := os.Remove(p.pidPath()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove pid file of %s: %w", p.name, err)
	}
	return nil
}

func (p *Part) process() process     { return readProcess(p.pidPath()) }
func (p *Part) pidPath() string      { return filepath.Join(p.dir, "pid") }
func (p *Part) settingsPath() string { return filepath.Join(p.dir, "settings.json") }
func (p *Part) portsPath() string    { return filepath.Join(p.dir, "ports.json") }

func (p *Part) lock(ctx context.Context) (func(), error) {
	return lockFile(ctx, filepath.Join(p.dir, "lock"))
}

func (p *Part) addr(port string) string { return hostPort(p.ports[port]) }

// readJSON leaves v alone when the file does not exist.
func readJSON(path string, v any) error {
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return fmt.Errorf("decode %s: %w", path, err)
	}
	return nil
}

func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(pollInterval):
		return nil
	}
}

// openPart reads what is known about a part in dir; it starts nothing.
func openPart(name, dir string, log io.Writer, stop syscall.Signal, settings any, portNames ...string) (*Part, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	if log == nil {
		log = io.Discard
	}
	p := &Part{name: name, dir: dir, log: log, stopSignal: stop, patience: stopPatience, settings: settings, portNames: portNames}
	return p, p.load()
}

// load keeps the values in memory where there is no file yet.
func (p *Part) load() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return errors.Join(readJSON(p.portsPath(), &p.ports), readJSON(p.settingsPath(), p.settings))
}

// openForStop opens a part of which nothing but its process matters.
func openForStop(name, dir string, log io.Writer) *Part {
	if log == nil {
		log = io.Discard
	}
	p := &Part{name: name, dir: dir, log: log, settings: &struct{}{}, stopSignal: syscall.SIGTERM, patience: stopPatience}
	if name == "postgres" {
		p.stopSignal = syscall.SIGINT // "fast": does not wait for clients
		if pg, err := openPostgres(dir, log); err == nil {
			p.outside = pg.outside
		}
	}
	return p
}
