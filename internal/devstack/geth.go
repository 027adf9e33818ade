package devstack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

const (
	defaultChainID  = 1337
	defaultPeriod   = time.Second
	defaultGasLimit = 30_000_000
	socketPathMax   = 100 // the kernel's limit is 104 on macOS, 108 on Linux
)

// GethOptions are fixed when the chain is made. Starting an existing chain
// with other values is an error; the zero value takes what is there.
type GethOptions struct {
	ChainID     uint64        // default 1337
	BlockPeriod time.Duration // whole seconds; default 1 s
	GasLimit    uint64        // of a block; default 30 million
	Fund        []string      // addresses that hold 1,000,000 ether at block 0
	Log         io.Writer     // progress lines; default none
}

// Geth is one geth in dev mode: an archive node that seals its own blocks. A
// SIGKILL loses about the last seven blocks but no balance before them, which
// is a deep reorganisation to those who watch; Stop loses nothing.
type Geth struct {
	*Part
	RPCURL  string // HTTP, with the debug, admin and txpool namespaces
	WSURL   string
	IPCPath string
	ChainID uint64

	settings gethSettings
	binary   string
}

type gethSettings struct {
	ChainID  uint64        `json:"chain_id"`
	Period   time.Duration `json:"period"`
	GasLimit uint64        `json:"gas_limit"`
	Fund     []string      `json:"fund"`
}

// StartGeth starts the chain that lives in dir, or finds it running. A new
// chain takes about two seconds: it is ready when its first block is sealed.
func StartGeth(ctx context.Context, dir string, opts GethOptions) (*Geth, error) {
	g, err := openGeth(dir, opts.Log)
	if err != nil {
		return nil, err
	}
	if err := g.adopt(opts); err != nil {
		return nil, fmt.Errorf("geth in %s: %w", dir, err)
	}
	if err := g.start(ctx, true); err != nil {
		return nil, err
	}
	if err := g.adopt(opts); err != nil { // another process may have made the chain first
		return nil, fmt.Errorf("geth in %s: %w", dir, err)
	}
	g.describe()
	return g, nil
}

func openGeth(dir string, log io.Writer) (*Geth, error) {
	g := &Geth{}
	part, err := openPart("geth", dir, log, syscall.SIGTERM, &g.settings, "http", "ws", "authrpc")
	if err != nil {
		return nil, err
	}
	g.Part = part
	part.data = filepath.Join(part.dir, "data")
	part.setup = g.setup
	part.command = g.command
	part.probe = g.ready
	g.describe()
	return g, nil
}

// adopt takes the options for a new chain and compares them with an old one.
func (g *Geth) adopt(opts GethOptions) error {
	fund, err := normalAddresses(opts.Fund)
	if err != nil {
		return err
	}
	if opts.BlockPeriod%time.Second != 0 || opts.BlockPeriod < 0 {
		return fmt.Errorf("block period %s is not a number of whole seconds", opts.BlockPeriod)
	}
	s := &g.settings
	if s.ChainID == 0 {
		*s = gethSettings{
			ChainID:  orDefault(opts.ChainID, defaultChainID),
			Period:   orDefault(opts.BlockPeriod, defaultPeriod),
			GasLimit: orDefault(opts.GasLimit, defaultGasLimit),
			Fund:     fund,
		}
		return nil
	}
	const cure = "wipe it to make a new chain"
	if opts.ChainID != 0 && opts.ChainID != s.ChainID {
		return fmt.Errorf("its chain id is %d, not %d: %s", s.ChainID, opts.ChainID, cure)
	}
	if opts.BlockPeriod != 0 && opts.BlockPeriod != s.Period {
		return fmt.Errorf("its block period is %s, not %s: %s", s.Period, opts.BlockPeriod, cure)
	}
	if opts.GasLimit != 0 && opts.GasLimit != s.GasLimit {
		return fmt.Errorf("its gas limit is %d, not %d: %s", s.GasLimit, opts.GasLimit, cure)
	}
	for _, address := range fund {
		if !slices.Contains(s.Fund, address) {
			return fmt.Errorf("its genesis does not fund %s: %s", address, cure)
		}
	}
	return nil
}

func orDefault[T comparable](v, fallback T) T {
	var zero T
	if v == zero {
		return fallback
	}
	return v
}

func (g *Geth) describe() {
	g.RPCURL = "http://" + g.addr("http")
	g.WSURL = "ws://" + g.addr("ws")
	g.IPCPath = filepath.Join(g.dir, "geth.ipc")
	if len(g.IPCPath) > socketPathMax {
		sum := sha256.Sum256([]byte(g.dir))
		g.IPCPath = filepath.Join(os.TempDir(), "quittance-"+hex.EncodeToString(sum[:6])+".ipc")
		g.outside = g.IPCPath
	}
	g.ChainID = g.settings.ChainID
}

// setup makes the chain under another name first: a crash between "geth init"
// and the rename makes it start over.
func (g *Geth) setup(ctx context.Context) (err error) {
	if g.binary, err = serverBinary(ctx, "geth", g.log); err != nil {
		return err
	}
	if _, err := os.Stat(g.data); err == nil {
		return nil
	} else if !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("look for the chain: %w", err)
	}
	genesis, err := makeGenesis(ctx, g.binary, g.settings)
	if err != nil {
		return err
	}
	genesisPath := filepath.Join(g.dir, "genesis.json")
	if err := writeFile(genesisPath, genesis); err != nil {
		return err
	}
	half := g.data + ".half"
	if err := os.RemoveAll(half); err != nil {
		return fmt.Errorf("clear %s: %w", half, err)
	}
	cmd := exec.CommandContext(ctx, g.binary, "init", "--state.scheme", "hash", "--datadir", half, genesisPath)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("geth init: %w\n%s", err, out)
	}
	if err := os.Rename(half, g.data); err != nil {
		return fmt.Errorf("name the new chain: %w", err)
	}
	return nil
}

// command keeps the hash scheme and archive mode together: with them a killed
// node finds the state of an older block, without them it starts at block 0.
func (g *Geth) command() *exec.Cmd {
	num := func(n any) string { return fmt.Sprint(n) }
	return exec.Command(g.binary,
		"--datadir", g.data, "--state.scheme", "hash", "--gcmode", "archive",
		"--dev", "--dev.period", num(int(g.settings.Period.Seconds())),
		"--networkid", num(g.settings.ChainID), "--miner.gaslimit", num(g.settings.GasLimit),
		"--txpool.nolocals",
		"--port", "0", "--nodiscover", "--maxpeers", "0", "--nat", "none",
		"--authrpc.addr", loopback, "--authrpc.port", num(g.ports["authrpc"]),
		"--http", "--http.addr", loopback, "--http.port", num(g.ports["http"]), "--http.api", "eth,net,web3,debug,txpool,admin,miner",
		"--ws", "--ws.addr", loopback, "--ws.port", num(g.ports["ws"]), "--ws.api", "eth,net,web3,debug,txpool,admin,miner",
		"--ipcpath", g.IPCPath,
		"--rpc.batch-request-limit", "5000", "--rpc.batch-response-max-size", "200000000",
		"--cache", "128", "--verbosity", "3")
}

// ready asks for the chain id and for a sealed block.
func (g *Geth) ready(ctx context.Context) error {
	url := "http://" + g.addr("http")
	id, err := rpcNumber(ctx, url, "eth_chainId")
	if err != nil {
		return err
	}
	if id != g.settings.ChainID {
		return fmt.Errorf("the node at %s has chain id %d, not %d", url, id, g.settings.ChainID)
	}
	head, err := rpcNumber(ctx, url, "eth_blockNumber")
	if err != nil {
		return err
	}
	if head == 0 {
		return errors.New("no block is sealed yet")
	}
	return nil
}
