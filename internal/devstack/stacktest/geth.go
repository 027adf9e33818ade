package stacktest

import (
	"context"
	"crypto/ecdsa"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/quittance/quittance/internal/devstack"
)

// funderHex is a key for the shared chain only. It is public: it must never
// hold anything on another chain.
const funderHex = "59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"

var sharedGeth = once(func(ctx context.Context, dir string, log io.Writer) (*devstack.Geth, error) {
	_, address := Funder()
	return devstack.StartGeth(ctx, dir, devstack.GethOptions{Fund: []string{address.Hex()}, Log: log})
})

// Funder is the account that the shared chain's genesis funds. Its nonce is
// contended by parallel tests: use it only to fund accounts of your own.
func Funder() (*ecdsa.PrivateKey, common.Address) {
	key, err := crypto.HexToECDSA(funderHex)
	if err != nil {
		panic(fmt.Sprintf("stacktest: the funder's key is malformed: %v", err))
	}
	return key, crypto.PubkeyToAddress(key.PublicKey)
}

// SharedGeth returns the chain that all tests share. Never reorganise, stop
// or kill it, and fund accounts from Funder; a test of those faults takes a
// chain of its own from Geth.
func SharedGeth(t testing.TB) *devstack.Geth {
	t.Helper()
	g, err := sharedGeth("geth")
	if err != nil {
		t.Fatalf("shared geth: %v", err)
	}
	return g
}

// Geth starts a chain of the test's own, in about two seconds. The test may
// Kill, Stop, Signal and Start it; it is killed and deleted at the end.
func Geth(t testing.TB, opts devstack.GethOptions) *devstack.Geth {
	t.Helper()
	return own(t, "geth", func(ctx context.Context, dir string, log io.Writer) (*devstack.Geth, error) {
		if opts.Log == nil {
			opts.Log = log
		}
		return devstack.StartGeth(ctx, dir, opts)
	})
}

var reapOnce sync.Once

// privateDir is below the shared folder and names its owner: if this process
// is killed, the next test process or a Down of the folder stops what it left.
func privateDir(name string) (string, error) {
	shared, err := Dir()
	if err != nil {
		return "", err
	}
	reapOnce.Do(func() {
		err = errors.Join(devstack.Claim(shared), devstack.ReapOrphans(context.Background(), shared))
	})
	if err != nil {
		return "", err
	}
	dir := filepath.Join(shared, devstack.PrivateDir, fmt.Sprintf("%s-%s", name, strings.ToLower(rand.Text()[:8])))
	return dir, devstack.Own(dir)
}
