package devchain

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"

	"github.com/quittance/quittance/internal/devstack"
	"github.com/quittance/quittance/ledger"
)

const (
	// SignersDefault lanes allow 128 nonces in flight, about three blocks' worth of what one machine settles.
	SignersDefault = 8
	// FinalityDepthDefault is deep enough for a chain of one node that is stopped by SIGTERM. Where it may die by SIGKILL it
	// must be 64: geth then loses recent blocks.
	FinalityDepthDefault = 5

	vaultVariable, tokenVariable, startVariable = "VAULT_ADDRESS", "TOKEN_ADDRESS", "VAULT_BLOCK"
)

// Customers own the example accounts and deposit for them.
var Customers = []string{"alice", "bob", "carol", "dave", "erin"}

// Options of Up; zero values take the defaults.
type Options struct {
	Stack         devstack.Options
	Signers       int
	FinalityDepth int
}

// World is a running stack with keys, and a chain that the ledger knows.
type World struct {
	Stack *devstack.Stack
	Keys  Keys
	Site  Site
	Fresh bool // contracts were deployed by this call
}

// Up starts the stack, makes keys, deploys vault and token, migrates the ledger, registers all of it and writes the env
// file. Again, it finds all that and changes nothing. A chain or a database that the user brought by a variable is left
// alone: then only the rest is done, and the env file says where things are.
func Up(ctx context.Context, o Options) (*World, error) {
	if o.Signers == 0 {
		o.Signers = SignersDefault
	}
	if o.FinalityDepth == 0 {
		o.FinalityDepth = FinalityDepthDefault
	}
	if o.Stack.Dir == "" {
		dir, err := devstack.DefaultDir()
		if err != nil {
			return nil, err
		}
		o.Stack.Dir = dir
	}
	if err := devstack.Claim(o.Stack.Dir); err != nil {
		return nil, err
	}
	keys, err := EnsureKeys(o.Stack.Dir, o.Signers, Customers)
	if err != nil {
		return nil, err
	}
	for _, a := range keys.Addresses() {
		o.Stack.Fund = append(o.Stack.Fund, a.Hex())
	}
	stack, err := devstack.Up(ctx, o.Stack)
	if err != nil {
		return nil, err
	}
	w := &World{Stack: stack, Keys: keys}
	if stack.Geth == nil || stack.Postgres == nil {
		return w, nil
	}
	if err := w.settleIn(ctx, o.FinalityDepth); err != nil {
		return nil, err
	}
	return w, w.writePorts(ctx)
}

// settleIn deploys and registers what is not there yet.
func (w *World) settleIn(ctx context.Context, finalityDepth int) error {
	client, err := ethclient.DialContext(ctx, w.Stack.ChainRPCURLs[0])
	if err != nil {
		return fmt.Errorf("connect to geth: %w", err)
	}
	defer client.Close()
	c, err := w.ensureContracts(ctx, client)
	if err != nil {
		return err
	}
	l, err := ledger.Open(ctx, w.Stack.DatabaseURL, ledger.WithConns(2))
	if err != nil {
		return err
	}
	defer l.Close()
	if err := l.Migrate(ctx); err != nil {
		return err
	}
	if w.Site, err = Register(ctx, l, client, c, w.Keys.Signers, finalityDepth); err != nil {
		return err
	}
	return w.writeEnv(ctx)
}

// ensureContracts finds the contracts that the env file names, or deploys new ones.
func (w *World) ensureContracts(ctx context.Context, client *ethclient.Client) (Contracts, error) {
	vars, err := devstack.ReadEnv(w.Stack.Dir)
	if err != nil {
		return Contracts{}, err
	}
	block, err := strconv.ParseUint(vars[startVariable], 10, 64)
	if err == nil {
		found := Contracts{Vault: common.HexToAddress(vars[vaultVariable]), Token: common.HexToAddress(vars[tokenVariable]), Block: block}
		there, err := Deployed(ctx, client, found.Vault)
		if err != nil || there {
			return found, err
		}
		return Contracts{}, fmt.Errorf("vault %s is not on the chain, but the env file in %s names it: `make down WIPE=1` starts afresh", found.Vault, w.Stack.Dir)
	}
	owner, err := NewWallet(ctx, client, w.Keys.Owner)
	if err != nil {
		return Contracts{}, err
	}
	c, err := Deploy(ctx, owner, w.Keys.Signers)
	if err != nil {
		return Contracts{}, err
	}
	w.Fresh = true
	return c, devstack.SetEnv(ctx, w.Stack.Dir, map[string]string{
		vaultVariable: c.Vault.Hex(), tokenVariable: c.Token.Hex(), startVariable: strconv.FormatUint(c.Block, 10)})
}

// writeEnv tells the services where their keys are.
func (w *World) writeEnv(ctx context.Context) error {
	return devstack.SetEnv(ctx, w.Stack.Dir, map[string]string{
		"KEYSTORE_DIR":           absolute(w.Keys.KeystoreDir),
		"KEYSTORE_PASSWORD_FILE": absolute(w.Keys.PasswordFile),
	})
}

// writePorts chooses the services' HTTP ports once per stack, so that two stacks can run side by side.
func (w *World) writePorts(ctx context.Context) error {
	vars, err := devstack.ReadEnv(w.Stack.Dir)
	if err != nil {
		return err
	}
	add := map[string]string{}
	for _, name := range []string{"WORKER_HTTP_ADDRESS", "LISTENER_HTTP_ADDRESS", "RELAY_HTTP_ADDRESS"} {
		if vars[name] != "" {
			continue
		}
		if add[name], err = freeAddress(); err != nil {
			return err
		}
	}
	return devstack.SetEnv(ctx, w.Stack.Dir, add)
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().String(), nil
}
