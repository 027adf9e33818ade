package devstack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// PrivateDir is the folder, below a stack's, of parts that belong to one
// process: each subfolder holds one part and an owner file.
const PrivateDir = "private"

const ownerFile = "owner"

// Own makes a private part's folder and notes that this process owns it.
func Own(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make %s: %w", dir, err)
	}
	birth, err := birthOf(os.Getpid())
	if err != nil {
		return fmt.Errorf("own %s: %w", dir, err)
	}
	return writeJSON(filepath.Join(dir, ownerFile), process{PID: os.Getpid(), Birth: birth, Command: os.Args[0]})
}

// ReapOrphans kills and deletes the private parts below a stack's folder
// whose owners are gone: a test process that was killed cleans up nothing.
func ReapOrphans(ctx context.Context, stackDir string) error {
	return reapPrivate(ctx, stackDir, func(dir string) bool {
		return readProcess(filepath.Join(dir, ownerFile)).alive()
	})
}

func reapPrivate(ctx context.Context, stackDir string, keep func(dir string) bool) error {
	owners, err := filepath.Glob(filepath.Join(stackDir, PrivateDir, "*", ownerFile))
	if err != nil {
		return fmt.Errorf("list private parts of %s: %w", stackDir, err)
	}
	var errs []error
	for _, owner := range owners {
		dir := filepath.Dir(owner)
		if keep(dir) {
			continue
		}
		part, err := openPart("private part", dir, nil, syscall.SIGKILL, &struct{}{})
		if err == nil {
			err = part.Wipe(ctx)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
