package devstack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

const (
	readyTimeout  = 90 * time.Second // a cold disk and a busy machine; usually below 2 s
	probeTimeout  = 5 * time.Second  // one try of a readiness probe
	moveAfter     = 2 * time.Second  // before a taken port is given up
	settleTimeout = 15 * time.Second // for leftovers of a killed process to go
	maxLogBytes   = 32 << 20         // a longer log is moved to server.log.old at the next start
)

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
	if err := p.endStrays(p.command()); err != nil {
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
	go func() { _ = cmd.Wait() }() // reaps it if it ends before us; a zombie would keep its pid
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
