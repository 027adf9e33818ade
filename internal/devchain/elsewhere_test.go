package devchain_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quittance/quittance/internal/devchain"
	"github.com/quittance/quittance/internal/devstack"
	"github.com/quittance/quittance/internal/devstack/stacktest"
)

func TestSettlingInElsewhereIsDoneOnceAndFoundAgain(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "stack")
	if _, err := devchain.SettleIn(t.Context(), devchain.Elsewhere{Dir: dir}); err == nil || !strings.Contains(err.Error(), "no keys") {
		t.Fatalf("without keys: %v", err)
	}
	binaries, err := devstack.Build(t.Context(), t.Output())
	if err != nil {
		t.Fatal(err)
	}
	var geth string
	for _, path := range binaries {
		if strings.HasPrefix(filepath.Base(path), "geth") {
			geth = path
		}
	}
	dump, err := exec.CommandContext(t.Context(), geth, "--dev", "dumpgenesis").Output()
	if err != nil {
		t.Fatalf("dump genesis with %q: %v", geth, err)
	}
	path, err := devchain.Genesis(dir, bytes.NewReader(dump), 1337, 2)
	if err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := devchain.Genesis(dir, bytes.NewReader(dump), 1337, 2); err != nil {
		t.Fatal(err)
	}
	if second, err := os.ReadFile(path); err != nil || !bytes.Equal(first, second) {
		t.Errorf("the genesis changed: %v", err)
	}
	if bytes.Contains(first, []byte("bogotaTime")) {
		t.Error("the genesis still has the fork that is live nowhere")
	}
	if out, err := exec.CommandContext(t.Context(), geth, "init", "--state.scheme", "hash", "--datadir", t.TempDir(), path).CombinedOutput(); err != nil {
		t.Errorf("geth refuses the genesis: %v\n%s", err, out)
	}

	keys, err := devchain.EnsureKeys(dir, 2, devchain.Customers)
	if err != nil {
		t.Fatal(err)
	}
	var fund []string
	for _, a := range keys.Addresses() {
		if !strings.Contains(string(first), strings.ToLower(a.Hex()[2:])) {
			t.Errorf("the genesis does not fund %s", a)
		}
		fund = append(fund, a.Hex())
	}
	node := stacktest.Geth(t, devstack.GethOptions{Fund: fund})
	e := devchain.Elsewhere{Dir: dir, DatabaseURL: stacktest.Postgres(t), RPCURL: node.RPCURL, Signers: 2}
	one, err := devchain.SettleIn(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	two, err := devchain.SettleIn(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if !one.Fresh || two.Fresh || one.Site != two.Site {
		t.Errorf("first %+v (fresh %v), then %+v (fresh %v)", one.Site, one.Fresh, two.Site, two.Fresh)
	}
	vars, err := devstack.ReadEnv(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"VAULT_ADDRESS": one.Site.Vault.Hex(), "CHAIN_ID": "1337", "CHAIN_RPC_URLS": node.RPCURL,
		"DATABASE_URL": e.DatabaseURL, "KEYSTORE_DIR": keys.KeystoreDir} {
		if vars[name] != want {
			t.Errorf("env file: %s=%q, want %q", name, vars[name], want)
		}
	}
}
