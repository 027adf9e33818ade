package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// Starter runs one command and decodes its JSON object; an exit code above 1 is an answer, not an error.
func (f *Fleet) Starter(ctx context.Context, into any, args ...string) (code int, err error) {
	cmd := f.Command(ctx, append(args, "-o", "json")...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		return -1, fmt.Errorf("starter %v: %w", args, err)
	}
	code = cmd.ProcessState.ExitCode()
	if into != nil && stdout.Len() > 0 {
		if err := json.Unmarshal(stdout.Bytes(), into); err != nil {
			return code, fmt.Errorf("starter %v printed %q: %w", args, stdout.String(), err)
		}
	}
	if code == 1 || into != nil && stdout.Len() == 0 {
		return code, fmt.Errorf("starter %v: exit %d: %s", args, code, bytes.TrimSpace(stderr.Bytes()))
	}
	return code, nil
}

// Show runs one command with its output on ours; any exit code but 0 is an error.
func (f *Fleet) Show(ctx context.Context, args ...string) error {
	cmd := f.Command(ctx, args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("starter %v: %w", args, err)
	}
	return nil
}

// Command is a starter that has not been run yet.
func (f *Fleet) Command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, f.bin("starter"), args...)
	cmd.Env = f.env()
	return cmd
}

// Stats is what `starter stats` prints, as far as it is looked at here.
type Stats struct {
	DuplicateHitRate float64 `json:"duplicate_hit_rate"`
	States           map[string]int64
	Outbox           []struct {
		Destination string
		LagSeconds  float64 `json:"lag_seconds"`
		RetryRate   float64 `json:"retry_rate"`
		Published   int64
		Retries     int64
	}
}
