package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/quittance/quittance/internal/crash"
	"github.com/quittance/quittance/internal/devchain"
	"github.com/quittance/quittance/internal/devstack"
)

// demo is one run.
type demo struct {
	root     string
	world    *devchain.World
	tag      string // makes the keys of this run new
	services map[string]*service
}

// service is a running process with its log.
type service struct {
	cmd    *exec.Cmd
	log    *os.File
	exited chan struct{} // closed once it has ended
	err    error         // of Wait
}

func (d *demo) bin(name string) string { return filepath.Join(d.world.Stack.Dir, "bin", name) }

// build makes the services with their crash points, and the starter both here and in bin/, for a look around afterwards.
func (d *demo) build(ctx context.Context) error {
	for _, b := range []struct{ out, tags, pkg string }{
		{d.bin("worker"), "crashpoints", "./worker"}, {d.bin("listener"), "crashpoints", "./listener"}, {d.bin("relay"), "crashpoints", "./relay"},
		{d.bin("consumer"), "", "./examples/consumer"}, {filepath.Join(d.root, "bin", "starter"), "", "./starter"},
	} {
		cmd := exec.CommandContext(ctx, "go", "build", "-tags", b.tags, "-o", b.out, b.pkg)
		cmd.Dir, cmd.Stderr = d.root, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("build %s: %w", b.pkg, err)
		}
	}
	return nil
}

func (d *demo) env(extra ...string) []string {
	return append(os.Environ(), append([]string{"QUITTANCE_ENV_FILE=" + devstack.EnvPath(d.world.Stack.Dir)}, extra...)...)
}

// start runs a service; its log is appended to a file in the stack's folder.
func (d *demo) start(name string, extraEnv []string, args ...string) error {
	dir := filepath.Join(d.world.Stack.Dir, "log")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	log, err := os.OpenFile(filepath.Join(dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	s := &service{cmd: exec.Command(d.bin(name), args...), log: log, exited: make(chan struct{})}
	s.cmd.Env, s.cmd.Stdout, s.cmd.Stderr = d.env(extraEnv...), log, log
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is ours to pass on
	if err := s.cmd.Start(); err != nil {
		return errors.Join(fmt.Errorf("start %s: %w", name, err), log.Close())
	}
	go func() {
		s.err = s.cmd.Wait()
		close(s.exited)
	}()
	d.services[name] = s
	return nil
}

func (d *demo) startServices(ctx context.Context) error {
	say("Starting worker, listener, relay and an example consumer as processes")
	for _, name := range []string{"worker", "listener", "relay"} {
		if err := d.start(name, nil); err != nil {
			return err
		}
		note("%s: pid %d, log %s", name, d.services[name].cmd.Process.Pid, d.services[name].log.Name())
	}
	for _, name := range []string{"WORKER", "LISTENER", "RELAY"} {
		if err := d.healthy(ctx, name+"_HTTP_ADDRESS"); err != nil {
			return err
		}
	}
	return d.start("consumer", nil, "-database", d.world.Stack.DatabaseURL, "-nats", d.world.Stack.NATSURL)
}

// kill ends a service as a crash does.
func (d *demo) kill(name string) error {
	s := d.services[name]
	if err := s.cmd.Process.Kill(); err != nil {
		return fmt.Errorf("kill %s: %w", name, err)
	}
	<-s.exited
	return nil
}

// stop ends a service as a deploy does.
func (d *demo) stop(name string) {
	s := d.services[name]
	if s == nil {
		return
	}
	_ = s.cmd.Process.Signal(syscall.SIGTERM) // it may have ended already
	select {
	case <-s.exited:
	case <-time.After(time.Minute):
		_ = s.cmd.Process.Kill()
		<-s.exited
	}
	_ = s.log.Close() // nobody writes to it any more
	delete(d.services, name)
}

func (d *demo) stopAll() {
	for name := range d.services {
		d.stop(name)
	}
}

// crashesItself waits until an armed service has killed itself.
func (d *demo) crashesItself(ctx context.Context, name, point string) error {
	s := d.services[name]
	select {
	case <-s.exited:
	case <-ctx.Done():
		return fmt.Errorf("%s did not reach %s: %w", name, point, context.Cause(ctx))
	}
	status, ok := s.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() || status.Signal() != syscall.SIGKILL {
		return fmt.Errorf("%s did not end by SIGKILL at %s (see %s): %w", name, point, s.log.Name(), errors.Join(s.err, errNotKilled))
	}
	return nil
}

// errNotKilled: the service ended by itself.
var errNotKilled = errors.New("it ended by itself")

func armed(point string) []string { return []string{crash.Variable + "=" + point} }
