// Command demo runs the main job on real parts: deposits on a real chain credit the ledger, a payouts file is settled by
// workflows while processes are killed, and the books are proved against the chain. It exits 0 only if all came out right.
// Running it again shows the other half: every line of the file is answered, none is paid again.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/quittance/quittance/internal/devchain"
	"github.com/quittance/quittance/internal/devstack"
	"github.com/quittance/quittance/internal/fleet"
)

// patience bounds the whole demo on a slow machine; builds come before it begins to count.
const patience = 25 * time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "\ndemo: FAILED:", err)
		os.Exit(1)
	}
}

// demo is one run.
type demo struct {
	*fleet.Fleet
	world *devchain.World
	tag   string // makes the keys of this run new
}

func run(ctx context.Context) (err error) {
	say("Building the services with crash points, and starting Postgres, Temporal, geth and NATS")
	world, err := devchain.Up(ctx, devchain.Options{Stack: devstack.Options{Log: os.Stderr}})
	if err != nil {
		return err
	}
	if os.Getenv("CI") == "true" {
		defer func() { err = errors.Join(err, world.Stack.Down(context.WithoutCancel(ctx))) }()
	}
	services, err := fleet.New(world)
	if err != nil {
		return err
	}
	if err := services.Vacant(ctx); err != nil { // said before the build
		return err
	}
	if err := services.Build(ctx, true); err != nil {
		return err
	}
	d := &demo{Fleet: services, world: world, tag: fmt.Sprintf("%d", time.Now().Unix())}
	defer d.StopAll()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, step := range []func(context.Context) error{
		d.startServices, d.deposit, d.importWhileKilling, d.sameRequestTwiceAtOnce, d.killRelay, d.costs, d.report, d.audit,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	d.farewell()
	return nil
}

func (d *demo) farewell() {
	say("All came out right")
	fmt.Printf("  Every settlement is a workflow in Temporal's Web UI: %s\n", d.world.Stack.TemporalUIURL)
	if os.Getenv("CI") != "true" {
		fmt.Println("  The stack stays up: bin/starter list, bin/starter explain payout-0001, bin/starter audit. `make down` ends it.")
	}
}

func say(format string, args ...any) {
	fmt.Printf("\n\033[1m%s\033[0m\n", fmt.Sprintf(format, args...))
}

func note(format string, args ...any) { fmt.Printf("  "+format+"\n", args...) }
