package devstack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// lockPoll is how often a busy lock is tried again. flock has no timeout of
// its own, and a blocked flock could not be cancelled.
const lockPoll = 25 * time.Millisecond

// lockFile takes an exclusive lock that dies with the process, so a crash
// never leaves it held. The returned function releases it. It notices when
// the holder deleted the file (a wipe) and locks the new one instead.
func lockFile(ctx context.Context, path string) (unlock func(), err error) {
	for {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		f, err := tryLock(path)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("lock %s, held by another process: %w", path, context.Cause(ctx))
		case <-time.After(lockPoll):
		}
	}
}

func tryLock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	held, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	if named, err := os.Stat(path); err != nil || !os.SameFile(held, named) {
		f.Close()
		return nil, syscall.EWOULDBLOCK // deleted while we waited
	}
	return f, nil
}
