package fleet

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
)

// service is a running process with its log.
type service struct {
	cmd    *exec.Cmd
	log    *os.File
	exited chan struct{} // closed once it has ended
	err    error         // of Wait
}

// Armed is the environment in which a service that was built with crash points kills itself at one of them.
func Armed(point string) []string { return []string{crash.Variable + "=" + point} }

// Start runs a program of the stack; its log is appended to a file in the stack's folder. It returns before the program is
// healthy. It must not run under that name already.
func (f *Fleet) Start(name string, extraEnv []string, args ...string) error {
	dir := filepath.Join(f.World.Stack.Dir, "log")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	log, err := os.OpenFile(filepath.Join(dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	s := &service{cmd: exec.Command(f.bin(name), args...), log: log, exited: make(chan struct{})}
	s.cmd.Env, s.cmd.Stdout, s.cmd.Stderr = f.env(extraEnv...), log, log
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is ours to pass on
	if err := s.cmd.Start(); err != nil {
		return errors.Join(fmt.Errorf("start %s: %w", name, err), log.Close())
	}
	go func() {
		s.err = s.cmd.Wait()
		close(s.exited)
	}()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.services[name] = s
	return nil
}

// StartServices runs worker, listener and relay and waits until they are healthy. Where others listen already it starts none: they
// would answer in the name of processes that cannot start.
func (f *Fleet) StartServices(ctx context.Context) error {
	if err := f.Vacant(ctx); err != nil {
		return err
	}
	for _, name := range Services {
		if err := f.Start(name, nil); err != nil {
			return err
		}
	}
	for _, name := range Services {
		if err := f.Healthy(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// StartConsumer runs the example consumer.
func (f *Fleet) StartConsumer() error {
	return f.Start("consumer", nil, "-database", f.World.Stack.DatabaseURL, "-nats", f.World.Stack.NATSURL)
}

func (f *Fleet) service(name string) *service {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.services[name]
}

// PID of a running service, 0 if there is none.
func (f *Fleet) PID(name string) int {
	if s := f.service(name); s != nil {
		return s.cmd.Process.Pid
	}
	return 0
}

// LogPath is where a running service writes its log.
func (f *Fleet) LogPath(name string) string { return f.service(name).log.Name() }

// Kill ends a service as a crash does.
func (f *Fleet) Kill(name string) error {
	s := f.service(name)
	if err := s.cmd.Process.Kill(); err != nil {
		return fmt.Errorf("kill %s: %w", name, err)
	}
	<-s.exited
	return nil
}

// Stop ends a service as a deploy does. One that has ended already, or never ran, is fine.
func (f *Fleet) Stop(name string) {
	s := f.service(name)
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
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.services, name)
}

// StopAll ends every service.
func (f *Fleet) StopAll() {
	f.mu.Lock()
	names := make([]string, 0, len(f.services))
	for name := range f.services {
		names = append(names, name)
	}
	f.mu.Unlock()
	for _, name := range names {
		f.Stop(name)
	}
}

// CrashesItself waits until an armed service has killed itself.
func (f *Fleet) CrashesItself(ctx context.Context, name, point string) error {
	s := f.service(name)
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
