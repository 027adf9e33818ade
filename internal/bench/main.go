// Command bench measures one installation on real parts: settlements per second from the import of a file to the posted
// books, beside two ceilings of the same run on the same machine (the same workflow with empty steps, and pre-signed vault
// calls straight to the node), latencies, memory, and what a settlement costs. It exits 0 only if every payment settled, a
// settlement cost what the design allows, from the first thousand to the last, and the audit holds; how fast it was is
// reported, never judged.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/quittance/quittance/internal/devchain"
	"github.com/quittance/quittance/internal/devstack"
	"github.com/quittance/quittance/internal/fleet"
)

// sizes of the phases.
type sizes struct {
	payments int // of the import
	paced    int // for the latencies
	empty    int // workflows with empty steps
	calls    int // of the vault, straight to the node
}

func main() {
	var s sizes
	flag.IntVar(&s.payments, "payments", 10_000, "settlements of the import")
	flag.IntVar(&s.paced, "paced", 500, "settlements at half the measured rate, for the latencies")
	flag.IntVar(&s.empty, "empty", 3_000, "workflows with empty steps")
	flag.IntVar(&s.calls, "calls", 4_000, "pre-signed vault calls (a node keeps about 5,000)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := run(ctx, s)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "\nbench: FAILED:", err)
		os.Exit(1)
	}
}

// patience bounds the measurements on a slow machine.
const patience = time.Hour

// bench is one run.
type bench struct {
	*fleet.Fleet
	sizes
	world   *devchain.World
	clients clients
}

// run uses a stack of its own, made afresh: figures of a ledger with another history cannot be compared.
func run(ctx context.Context, s sizes) (err error) {
	say("Starting a fresh stack, building the services")
	dir, err := stackDir()
	if err != nil {
		return err
	}
	if err := devstack.Wipe(ctx, dir, os.Stderr); err != nil {
		return err
	}
	world, err := devchain.Up(ctx, devchain.Options{Stack: devstack.Options{Dir: dir, Log: os.Stderr}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, world.Stack.Down(context.WithoutCancel(ctx))) }()
	programs, err := fleet.New(world)
	if err != nil {
		return err
	}
	if err := programs.Build(ctx, false); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	b := &bench{Fleet: programs, sizes: s, world: world}
	if b.clients, err = b.connect(ctx); err != nil {
		return err
	}
	defer b.clients.close()
	defer b.StopAll()
	return b.phases(ctx)
}

func (b *bench) phases(ctx context.Context) error {
	note("%d CPUs, %s/%s, %d signers, block period 1 s, finality %d blocks", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH,
		len(b.world.Keys.Signers), devchain.FinalityDepthDefault)
	var r report
	var err error
	say("Ceiling: %d workflows of the same shape with empty steps", b.empty)
	if r.empty, err = b.emptyWorkflows(ctx); err != nil {
		return err
	}
	note("%.0f per second", r.empty)
	say("Ceiling: %d pre-signed vault calls straight to the node", b.calls)
	if r.calls, err = b.vaultCalls(ctx); err != nil {
		return err
	}
	note("%.0f per second", r.calls)

	say("Funding the accounts, and counting what %d quiet settlements cost", quiet)
	if err := b.StartServices(ctx); err != nil {
		return err
	}
	if err := b.fund(ctx); err != nil {
		return err
	}
	if r.cost, err = b.Cost(ctx, b.quietPayments()); err != nil {
		return err
	}
	r.cost.Print(os.Stdout)
	say("Importing %d payments", b.payments)
	if r.load, err = b.importPayments(ctx); err != nil {
		return err
	}
	rate := r.load.rate() / 2
	say("Sending %d payments at %.0f per second, half of that rate", b.paced, rate)
	if r.latency, err = b.pacedPayments(ctx, rate); err != nil {
		return err
	}
	say("Results")
	r.print(os.Stdout)
	if err := r.judge(b.payments); err != nil {
		return err
	}
	say("Proving the books against the chain")
	return b.Show(ctx, "audit")
}

func stackDir() (string, error) {
	if dir := os.Getenv("QUITTANCE_BENCH_STACK"); dir != "" {
		return filepath.Abs(dir)
	}
	root, err := devstack.ModuleRoot()
	return filepath.Join(root, ".devstack-bench"), err
}

func say(format string, args ...any) {
	fmt.Printf("\n\033[1m%s\033[0m\n", fmt.Sprintf(format, args...))
}

func note(format string, args ...any) { fmt.Printf("  "+format+"\n", args...) }
