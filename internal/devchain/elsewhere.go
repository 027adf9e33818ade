package devchain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/quittance/quittance/internal/devstack"
)

// genesisFile is where Genesis leaves its result, for a geth that shares the folder.
const genesisFile = "genesis.json"

// Genesis makes the keys below dir and, from what `geth --dev dumpgenesis` prints, a genesis that funds them; it returns
// the genesis file's path. Again, with the same dump, it writes the same genesis.
func Genesis(dir string, dump io.Reader, chainID uint64, signers int) (string, error) {
	if signers == 0 {
		signers = SignersDefault
	}
	if err := devstack.Claim(dir); err != nil {
		return "", err
	}
	keys, err := EnsureKeys(dir, signers, Customers)
	if err != nil {
		return "", err
	}
	var fund []string
	for _, a := range keys.Addresses() {
		fund = append(fund, a.Hex())
	}
	genesis, err := devstack.Genesis(dump, chainID, 0, fund)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, genesisFile)
	half := path + ".half"
	if err := os.WriteFile(half, genesis, 0o644); err != nil {
		return "", fmt.Errorf("write genesis: %w", err)
	}
	if err := os.Rename(half, path); err != nil {
		return "", fmt.Errorf("write genesis: %w", err)
	}
	return path, nil
}

// Elsewhere names servers that this project did not start, such as containers, and the folder of their keys.
type Elsewhere struct {
	Dir           string
	DatabaseURL   string
	RPCURL        string
	Signers       int
	FinalityDepth int
}

// SettleIn does what Up does once its stack runs, on servers that run elsewhere: it deploys vault and token, migrates the
// ledger, registers all of it and writes the env file into the folder. Again, it finds all that and changes nothing.
func SettleIn(ctx context.Context, e Elsewhere) (*World, error) {
	if e.Signers == 0 {
		e.Signers = SignersDefault
	}
	if e.FinalityDepth == 0 {
		e.FinalityDepth = FinalityDepthDefault
	}
	// The vault's signers are the keys that its genesis funded: new ones would be poor, so none are made here.
	if _, err := os.Stat(filepath.Join(e.Dir, signersDir)); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no keys: make them and the chain's genesis first", e.Dir)
	}
	keys, err := EnsureKeys(e.Dir, e.Signers, Customers)
	if err != nil {
		return nil, err
	}
	w := &World{Keys: keys, Stack: &devstack.Stack{Dir: e.Dir, DatabaseURL: e.DatabaseURL, ChainRPCURLs: []string{e.RPCURL}}}
	if err := devstack.SetEnv(ctx, e.Dir, map[string]string{"DATABASE_URL": e.DatabaseURL, "CHAIN_RPC_URLS": e.RPCURL}); err != nil {
		return nil, err
	}
	if err := w.settleIn(ctx, e.FinalityDepth); err != nil {
		return nil, err
	}
	w.Stack.ChainID = w.Site.ChainID
	return w, devstack.SetEnv(ctx, e.Dir, map[string]string{"CHAIN_ID": fmt.Sprint(w.Site.ChainID)})
}
