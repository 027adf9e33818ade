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
	readyTimeout  = 90 * time.Second // a cold disk and a busy machine; usually below 2 s
	stopPatience  = 30 * time.Second // from the stop signal to SIGKILL
	killTimeout   = 30 * time.Second // a kernel that needs longer is stuck on a disk
	probeTimeout  = 5 * time.Second  // one try of a readiness probe
	moveAfter     = 2 * time.Second  // before a taken port is given up
	settleTimeout = 15 * time.Second // for leftovers of a killed process to go
	pollInterval  = 50 * time.Millisecond
	maxLogBytes   = 32 << 20 // a longer log is moved to server.log.old at the next start
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
	ctx, cancel := context.WithTimeout(context.Background(), killTimeout)
	defer cancel()
	return p.Wait(ctx)
}

// Signal sends any signal, e.g. SIGSTOP and SIGCONT for a server that hangs.
func (p *Part) Signal(sig syscall.Signal) error { return p.process().signal(sig) }

// Wait returns when the process is gone.
func (p *Part) Wait(ctx context.Context) error {
	for proc := p.process(); proc.alive(); {
		if err := pause(ctx); err != nil {
			return fmt.Errorf("wait for the end of %s (pid %d): %w", p.name, proc.PID, err)
		}
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

// start with mayMove chooses new ports when a remembered one is taken.
func (p *Part) start(ctx context.Context, mayMove bool) error {
	unlock, err := p.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	// Another process may have made or moved it since we last looked.
	if err := p.load(); err != nil {
		return err
	}
	if proc := p.process(); proc.alive() {
		// One that dies while we ask was dying already: start it anew.
		if err := p.awaitReady(ctx, proc, p.logSize()); err == nil || proc.alive() {
			return err
		}
	}
	if err := p.setup(ctx); err != nil {
		return fmt.Errorf("prepare %s: %w", p.name, err)
	}
	if err := writeJSON(p.settingsPath(), p.settings); err != nil {
		return err
	}
	return p.launchRetrying(ctx, mayMove)
}

// launchRetrying tries again in the two cases that pass: leftovers of a killed
// process, and a port that is taken. A remembered port is given up late and
// only if mayMove: a dying child of the last run may still hold it.
func (p *Part) launchRetrying(ctx context.Context, mayMove bool) error {
	began := time.Now()
	for {
		waited := time.Since(began)
		err := p.choosePorts(mayMove && waited > moveAfter)
		if err == nil {
			err = p.launch(ctx)
		}
		passing := errors.Is(err, errPortTaken) || errors.Is(err, errTransient)
		if !passing || waited > settleTimeout {
			return err
		}
		if err := pause(ctx); err != nil {
			return fmt.Errorf("start %s: %w", p.name, err)
		}
	}
}

func (p *Part) launch(ctx context.Context) error {
	if p.logSize() > maxLogBytes {
		if err := os.Rename(p.LogPath(), p.LogPath()+".old"); err != nil {
			return fmt.Errorf("rotate log of %s: %w", p.name, err)
		}
	}
	out, err := os.OpenFile(p.LogPath(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("open log of %s: %w", p.name, err)
	}
	defer out.Close()
	from := p.logSize()

	cmd := p.command()
	cmd.Stdout, cmd.Stderr = out, out
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setsid = true // Ctrl-C in our terminal is not meant for it
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s (%s): %w", p.name, cmd.Path, err)
	}
	birth, err := birthOf(cmd.Process.Pid)
	go cmd.Wait() // reaps it if it ends before us; a zombie would keep its pid
	if err != nil {
		return fmt.Errorf("start %s: it ended at once\n%s", p.name, p.tail(from))
	}
	proc := process{PID: cmd.Process.Pid, Birth: birth, Command: cmd.Path}
	if err := writeJSON(p.pidPath(), proc); err != nil {
		return errors.Join(err, proc.signal(syscall.SIGKILL))
	}
	if err := p.awaitReady(ctx, proc, from); err != nil {
		return errors.Join(err, p.Kill())
	}
	return nil
}

// awaitReady polls the probe. The error carries the log's last lines: they
// nearly always name the cause.
func (p *Part) awaitReady(ctx context.Context, proc process, logFrom int64) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		err := p.Ready(ctx)
		switch {
		case !proc.alive():
			tail := p.tail(logFrom)
			return fmt.Errorf("%s ended before it was ready: %w; its log %s says:\n%s", p.name, p.endedBy(tail), p.LogPath(), tail)
		case err == nil:
			return nil
		}
		if pauseErr := pause(ctx); pauseErr != nil {
			return fmt.Errorf("%s is not ready (%w): %w; its log %s says:\n%s", p.name, err, pauseErr, p.LogPath(), p.tail(logFrom))
		}
	}
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

// choosePorts keeps remembered ports, so that addresses survive a restart.
func (p *Part) choosePorts(move bool) error {
	chosen := map[string]int{}
	for _, name := range p.portNames {
		port := p.ports[name]
		if port != 0 && !portFree(port) {
			if !move {
				return fmt.Errorf("start %s: %w: %s port %d", p.name, errPortTaken, name, port)
			}
			port = 0
		}
		if port == 0 {
			var err error
			if port, err = freePort(); err != nil {
				return fmt.Errorf("start %s: %w", p.name, err)
			}
		}
		chosen[name] = port
	}
	p.mu.Lock()
	p.ports = chosen
	p.mu.Unlock()
	return writeJSON(p.portsPath(), chosen)
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
