// Command devstack starts and stops the servers that Quittance needs, without
// Docker. `devstack up` returns when everything answers and leaves it running.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"github.com/quittance/quittance/internal/devchain"
	"github.com/quittance/quittance/internal/devstack"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "devstack:", err)
		stop()
		os.Exit(1)
	}
}

type cli struct {
	Dir string `help:"Folder of the stack; default .devstack at the module root." env:"DEVSTACK_DIR" placeholder:"DIR"`

	Up      upCmd      `cmd:"" help:"Start what does not run, deploy and register vault, token and signers, print the addresses."`
	Down    downCmd    `cmd:"" help:"Stop all servers; data stays."`
	Status  statusCmd  `cmd:"" help:"Show each server and whether it answers. Exit code 1 if one does not."`
	Env     envCmd     `cmd:"" help:"Print the env file."`
	Logs    logsCmd    `cmd:"" help:"Print the log of one server."`
	Deposit depositCmd `cmd:"" help:"Deposit test tokens or coins into the vault for an account of the ledger."`
	Build   buildCmd   `cmd:"" help:"Build the servers into the cache; start nothing."`

	Genesis  genesisCmd  `cmd:"" help:"Make keys, and a genesis that funds them, for a geth that runs elsewhere."`
	SettleIn settleInCmd `cmd:"" help:"Deploy, migrate and register on servers that run elsewhere."`
	Probe    probeCmd    `cmd:"" help:"Ask a service's /healthz. Exit code 1 if it is not well."`
}

// screen is where commands print: results and progress.
type screen struct{ out, progress io.Writer }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var c cli
	parser, err := kong.New(&c, kong.Name("devstack"), kong.Writers(stdout, stderr),
		kong.Description("Postgres, Temporal, geth and NATS on this machine, without Docker."), kong.UsageOnError())
	if err != nil {
		return err
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		return err
	}
	if c.Dir == "" && parsed.Command() != "build" && parsed.Command() != "probe <url>" {
		if c.Dir, err = devstack.DefaultDir(); err != nil {
			return err
		}
	}
	parsed.BindTo(ctx, (*context.Context)(nil))
	return parsed.Run(&c, screen{stdout, stderr})
}

type upCmd struct {
	ChainID     uint64        `help:"Chain id of a new chain (1337)."`
	BlockPeriod time.Duration `help:"Time between blocks of a new chain, whole seconds (1s)."`
	GasLimit    uint64        `help:"Gas limit of a block of a new chain (30000000)."`
	Fund        []string      `help:"Address that holds 1,000,000 ether in a new chain; repeatable." placeholder:"0x…"`
	Namespace   string        `help:"Namespace of a new Temporal store (default)."`
	Retention   time.Duration `help:"How long a new Temporal store keeps closed runs (168h)."`

	Signers       int `help:"Signers of a new chain's vault (8)."`
	FinalityDepth int `help:"Blocks that must follow a block of a new chain before it is final (5)."`
}

func (u *upCmd) Run(ctx context.Context, c *cli, s screen) error {
	world, err := devchain.Up(ctx, devchain.Options{
		Signers: u.Signers, FinalityDepth: u.FinalityDepth,
		Stack: devstack.Options{
			Dir: c.Dir, Namespace: u.Namespace, Retention: u.Retention, ChainID: u.ChainID,
			BlockPeriod: u.BlockPeriod, GasLimit: u.GasLimit, Fund: u.Fund, Log: s.progress,
		},
	})
	if err != nil {
		return err
	}
	return printAddresses(s.out, world.Stack)
}

type downCmd struct {
	Wipe bool `help:"Delete all data too."`
}

func (d *downCmd) Run(ctx context.Context, c *cli, s screen) error {
	if d.Wipe {
		return devstack.Wipe(ctx, c.Dir, s.progress)
	}
	return devstack.Down(ctx, c.Dir, s.progress)
}

type statusCmd struct{}

func (statusCmd) Run(ctx context.Context, c *cli, s screen) error {
	stack, err := devstack.Open(c.Dir)
	if err != nil {
		return err
	}
	return printStatus(ctx, s.out, stack)
}

type envCmd struct{}

func (envCmd) Run(c *cli, s screen) error {
	content, err := os.ReadFile(devstack.EnvPath(c.Dir))
	if err != nil {
		return fmt.Errorf("no env file yet, run up first: %w", err)
	}
	_, err = s.out.Write(content)
	return err
}

type logsCmd struct {
	Part string `arg:"" enum:"postgres,temporal,geth,nats" help:"postgres, temporal, geth or nats."`
}

func (l *logsCmd) Run(c *cli, s screen) error {
	stack, err := devstack.Open(c.Dir)
	if err != nil {
		return err
	}
	part, err := stack.Part(l.Part)
	if err != nil {
		return err
	}
	f, err := os.Open(part.LogPath())
	if err != nil {
		return fmt.Errorf("open the log: %w", err)
	}
	defer f.Close()
	_, err = io.Copy(s.out, f)
	return err
}

type depositCmd struct {
	Account string `arg:"" help:"Account of the ledger."`
	Amount  string `arg:"" help:"In the asset's own unit, such as 100."`
	Asset   string `arg:"" optional:"" default:"USDC" help:"USDC or ETH."`

	Timeout time.Duration `default:"60s" help:"How long to wait until the ledger has credited it; 0 waits for the block only."`
}

func (d *depositCmd) Run(ctx context.Context, c *cli, s screen) error {
	if d.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, d.Timeout)
		defer cancel()
	}
	done, err := devchain.Deposit(ctx, c.Dir, d.Account, d.Amount, d.Asset, d.Timeout > 0)
	if err != nil {
		return err
	}
	if done.Credited {
		fmt.Fprintf(s.out, "%s %s are in the vault, and %s has them in the ledger\n", d.Amount, d.Asset, d.Account)
		return nil
	}
	fmt.Fprintf(s.out, "%s %s are in the vault for %s, in block %d or before; a running listener credits them when that block is final\n", d.Amount, d.Asset, d.Account, done.Block)
	return nil
}

type buildCmd struct{}

func (buildCmd) Run(ctx context.Context, s screen) error {
	paths, err := devstack.Build(ctx, s.progress)
	for _, path := range paths {
		fmt.Fprintln(s.out, path)
	}
	return err
}
