package cli_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/internal/app/apptest"
	"github.com/quittance/quittance/internal/devchain"
	"github.com/quittance/quittance/internal/devstack/stacktest"
)

func TestARegistryIsBuiltFromTheCommandLineAndAsksTheChain(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	environ := w.Environ("DATABASE_URL="+stacktest.Postgres(t), "CHAIN_ID=", "VAULT_ADDRESS=")
	run(t, environ, "migrate").exits(0)
	run(t, environ, "migrate", "-o", "json").exits(0).object() // again, nothing to do
	strange, err := devchain.Deploy(t.Context(), w.Owner(), nil)
	w.Must(err)

	vault, nobody := w.Site.Vault.Hex(), apptest.Payee("nobody").Hex()
	badChains(t, environ, w)
	run(t, append(environ, "CHAIN_ID=999"), "chain", "register", "--vault", vault).exits(2).says("CHAIN_ID", "1337")
	run(t, environ, "asset", "register", "ETH", "--native").exits(2) // no chain yet
	if found := run(t, environ, "chain", "list", "-o", "json").exits(0).objects(); len(found) != 0 {
		t.Fatalf("refused chains were registered: %v", found)
	}

	registered := run(t, environ, "chain", "register", "--vault", vault, "--finality-depth", "5", "-o", "json").exits(0).object()
	if registered["start_block"] != float64(w.Site.Block) || registered["chain_id"] != 1337.0 || registered["vault"] != vault {
		t.Errorf("registered %v, want the vault of block %d", registered, w.Site.Block)
	}
	environ = append(environ, "CHAIN_ID=1337", "VAULT_ADDRESS="+vault)
	run(t, environ, "chain", "register", "--finality-depth", "5").exits(0) // again
	for _, again := range [][]string{{"--finality-depth", "6"}, {"--finality", "tag"}} {
		run(t, environ, append([]string{"chain", "register"}, again...)...).exits(3).says("registered already", "finality")
	}
	run(t, environ, "chain", "register", "--tip-floor-gwei", "2").exits(3).says("registered already", "tip floor")
	if again := run(t, environ, "chain", "register", "-o", "json").exits(0).object(); !maps.Equal(again, registered) {
		t.Errorf("without flags it answered %v, registered is %v", again, registered)
	}

	badAssets(t, environ, w, strange)
	run(t, environ, "signer", "add", w.Keys.Signers[0].Hex()).exits(2).says("native coin")
	run(t, environ, "asset", "register", "ETH", "--native").exits(0)
	token := run(t, environ, "asset", "register", "USDC", "--token", w.Site.Token.Hex(), "-o", "json").exits(0).object()
	if token["decimals"] != 6.0 || token["symbol"] != "USDC" {
		t.Errorf("registered %v, want the token's own 6 decimals", token)
	}
	run(t, environ, "asset", "register", "USDC", "--token", w.Site.Token.Hex(), "--fee-ceiling", "0.1").exits(0)
	if again := run(t, environ, "asset", "register", "USDC", "--token", w.Site.Token.Hex(), "-o", "json").exits(0).object(); again["fee_ceiling_wei"] != "100000000000000000" {
		t.Errorf("without a fee ceiling it answered %v, want the ceiling that was given before", again)
	}
	run(t, environ, "asset", "register", "DAI", "--token", w.Site.Token.Hex()).exits(3).says("registered already")
	run(t, environ, "asset", "register", "USDC", "--token", strange.Token.Hex()).exits(3).says("registered already")
	if found := run(t, environ, "asset", "list", "-o", "json").exits(0).objects(); len(found) != 2 || found[1]["fee_ceiling_wei"] != "100000000000000000" {
		t.Errorf("assets %v, want ETH and USDC with the new ceiling", found)
	}

	for _, bad := range []struct{ address, says string }{
		{vault, "vault"}, {w.Site.Token.Hex(), "registered token"}, {strange.Token.Hex(), "no code"}, {common.Address{}.Hex(), "zero address"},
	} {
		run(t, environ, "signer", "add", bad.address).exits(2).says("signer", bad.says)
	}
	added := run(t, environ, "signer", "add", w.Keys.Signers[0].Hex(), "-o", "json").exits(0).object()
	balance, err := w.Client.BalanceAt(t.Context(), w.Keys.Signers[0], nil)
	w.Must(err)
	if added["operator"] != true || added["balance_wei"] != balance.String() || added["next_nonce"] != 0.0 || added["state"] != "active" {
		t.Errorf("added %v, want an operator with %s wei and no nonce used", added, balance)
	}
	run(t, environ, "signer", "add", w.Keys.Signers[0].Hex(), "--cap-ceiling-gwei", "500", "--in-flight-max", "16", "--custody", "keystore").exits(0) // again
	if r := run(t, environ, "signer", "add", w.Keys.Signers[0].Hex()).exits(0); r.stderr != "" {
		t.Errorf("an operator with a key is warned of: %s", r.stderr)
	}
	run(t, environ, "signer", "add", w.Keys.Signers[0].Hex(), "--cap-ceiling-gwei", "7").exits(3).says("registered already", "cap ceiling")
	run(t, environ, "signer", "add", nobody, "--cap-ceiling-gwei", "7", "--in-flight-max", "3").exits(0).shows("the vault's owner must allow it").
		says("warning", "no operator of the vault", "no key file of "+nobody+" is in KEYSTORE_DIR")
	again := run(t, environ, "signer", "add", nobody, "-o", "json").exits(0)
	if lane := again.object(); lane["cap_ceiling_wei"] != "7000000000" || lane["in_flight_max"] != 3.0 || again.stderr != "" {
		t.Errorf("without flags it answered %v and %q, want the lane as it was added", lane, again.stderr)
	}
	if found := run(t, environ, "signer", "list", "-o", "json").exits(0).objects(); len(found) != 2 || found[1]["operator"] != false {
		t.Errorf("signers %v, want two, the second no operator", found)
	}
	for _, list := range []string{"chain", "asset", "signer"} {
		run(t, environ, list, "list").exits(0)
	}
}

func badChains(t *testing.T, environ []string, w *apptest.World) {
	t.Helper()
	vault, nobody := w.Site.Vault.Hex(), apptest.Payee("nobody").Hex()
	for _, bad := range []struct {
		args []string
		says []string
		why  string
	}{
		{[]string{"--vault", nobody}, []string{"vault", "is no contract"}, "an account without code"},
		{[]string{"--vault", w.Site.Token.Hex()}, []string{"vault", "does not answer like a vault"}, "a contract of another kind"},
		{[]string{"--vault", "0x1234"}, []string{"vault", "20 bytes"}, "no address"},
		{[]string{"--vault", vault, "--start-block", fmt.Sprint(w.Site.Block + 1)}, []string{"start_block", "deployment"}, "events before it would be missed"},
		{[]string{"--vault", vault, "--start-block", "999999999"}, []string{"start_block", "head"}, "a block that is not there yet"},
		{[]string{"--vault", vault, "--tip-floor-gwei", "1e3"}, []string{"tip_floor_gwei", "decimal"}, "no number"},
		{[]string{"--vault", vault, "--finality-depth", "0"}, []string{"finality_depth"}, "nothing would ever be final, or all at once"},
	} {
		run(t, environ, append([]string{"chain", "register"}, bad.args...)...).exits(2).says(bad.says...)
	}
}

func badAssets(t *testing.T, environ []string, w *apptest.World, strange devchain.Contracts) {
	t.Helper()
	for _, bad := range []struct {
		args []string
		code int
		says []string
	}{
		{[]string{"USDC", "--token", apptest.Payee("nobody").Hex()}, 2, []string{"token", "is no contract"}},
		{[]string{"USDC", "--token", w.Site.Vault.Hex()}, 2, []string{"token", "vault"}},
		{[]string{"usdc", "--token", w.Site.Token.Hex()}, 2, []string{"symbol"}},
		{[]string{"USDC"}, 2, []string{"--token", "--native"}},
		{[]string{"ETH", "--token", common.Address{}.Hex()}, 2, []string{"token", "--native"}},
		{[]string{"USDC", "--token", w.Site.Token.Hex(), "--fee-ceiling", "0"}, 2, []string{"fee_ceiling"}},
		{[]string{"USDC", "--token", strange.Vault.Hex()}, 2, []string{"token", "decimals()"}},
	} {
		run(t, environ, append([]string{"asset", "register"}, bad.args...)...).exits(bad.code).says(bad.says...)
	}
}

func TestVersionNeedsNoServiceAndNoConfiguration(t *testing.T) {
	t.Parallel()
	v := run(t, []string{"DEVSTACK_DIR=" + t.TempDir()}, "version", "-o", "json").exits(0).object()
	if v["schema_version"] != 1.0 || v["go"] == "" {
		t.Errorf("got %v", v)
	}
}
