// Package fleet runs this project's programs as processes on a dev stack, and asks them how they are: what the demo and the
// benchmark need to do to a real installation what the world does to it. It may import anything of this project; no shipped
// program may import it.
package fleet

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/quittance/quittance/internal/devchain"
	"github.com/quittance/quittance/internal/devstack"
)

// Fleet is the programs of one stack. Stop all of it before the stack goes down.
type Fleet struct {
	Root  string // of the module
	World *devchain.World

	mu       sync.Mutex
	services map[string]*service
}

// New makes a fleet without processes.
func New(world *devchain.World) (*Fleet, error) {
	root, err := devstack.ModuleRoot()
	if err != nil {
		return nil, err
	}
	return &Fleet{Root: root, World: world, services: map[string]*service{}}, nil
}

// Services that make up an installation.
var Services = []string{"worker", "listener", "relay"}

// Build makes the services (with their crash points, if asked) and the example consumer for the stack, and the starter in the
// module's bin/, for a look around afterwards.
func (f *Fleet) Build(ctx context.Context, crashPoints bool) error {
	tags := ""
	if crashPoints {
		tags = "crashpoints"
	}
	for _, name := range Services {
		if err := f.build(ctx, f.bin(name), "./"+name, tags); err != nil {
			return err
		}
	}
	if err := f.build(ctx, f.bin("consumer"), "./examples/consumer", ""); err != nil {
		return err
	}
	return f.build(ctx, f.bin("starter"), "./starter", "")
}

func (f *Fleet) build(ctx context.Context, out, pkg, tags string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-tags", tags, "-o", out, pkg)
	cmd.Dir, cmd.Stderr = f.Root, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("build %s: %w", pkg, err)
	}
	return nil
}

func (f *Fleet) bin(name string) string {
	if name == "starter" {
		return filepath.Join(f.Root, "bin", name)
	}
	return filepath.Join(f.World.Stack.Dir, "bin", name)
}

func (f *Fleet) env(extra ...string) []string {
	return append(os.Environ(), append([]string{"QUITTANCE_ENV_FILE=" + devstack.EnvPath(f.World.Stack.Dir)}, extra...)...)
}

// Until polls a condition; what it waits for is said when it waits in vain.
func Until(ctx context.Context, what string, done func() (bool, error)) error {
	for {
		ok, err := done()
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		if ok {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waited in vain until %s: %w", what, context.Cause(ctx))
		case <-time.After(200 * time.Millisecond):
		}
	}
}
