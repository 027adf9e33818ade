package cli_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/math"

	"github.com/quittance/quittance/contracts"
	"github.com/quittance/quittance/contracts/hostile"
	"github.com/quittance/quittance/internal/app/apptest"
	"github.com/quittance/quittance/internal/devchain"
	"github.com/quittance/quittance/settlement"
)

// A token's word is all that a Deposited event has: this one says the largest number there is, again and again.
func TestAHostileTokenStopsNothingAndAnOperatorSeesWhatItAnnounced(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	w.Services()
	environ := w.Environ()
	w.Deposit(apptest.Alice, "10")
	deployed, err := w.Owner().Do(t.Context(), devchain.Call{Data: common.FromHex(hostile.LyingTokenMetaData.Bin)})
	w.Must(err)
	token := deployed[0].ContractAddress
	announce := func(customer string) {
		t.Helper()
		_, err := w.Wallet(apptest.Bob).Do(t.Context(), devchain.Call{To: &token, Data: hostile.NewLyingToken().PackLie(new(big.Int), math.MaxBig256)},
			devchain.Call{To: &w.Site.Vault, Data: contracts.NewVault().PackDeposit(settlement.CustomerID("", customer), token, big.NewInt(1))})
		w.Must(err)
	}
	quarantined := func(n int) (list []map[string]any) {
		t.Helper()
		w.Eventually("the events are in quarantine", func() bool {
			list = run(t, environ, "quarantine", "list", "-o", "json").exits(0).objects()
			return len(list) >= n
		})
		if len(list) != n {
			t.Errorf("%d events are in quarantine, want %d: %v", len(list), n, list)
		}
		return list
	}

	run(t, environ, "quarantine", "list", "-o", "json").exits(0)
	run(t, environ, "asset", "register", "LIE", "--token", token.Hex()).exits(2).says("token", "like an ERC-20")
	announce(apptest.Alice) // nobody registered it
	quarantined(1)

	_, err = w.Ledger.RegisterAsset(t.Context(), settlement.Asset{ChainID: w.Site.ChainID, Symbol: "LIE", Token: token, Decimals: 18}, settlement.NewAmount(1e18))
	w.Must(err)
	announce(apptest.Alice) // fits the books, just
	announce(apptest.Alice) // does not fit alice's account
	announce(apptest.Bob)   // does not fit the vault's
	list := quarantined(3)
	for i, reason := range []string{"not registered", "refused by the database", "refused by the database"} {
		o := list[i]
		if o["event"] != "Deposited" || o["amount_base_units"] != math.MaxBig256.String() || !strings.EqualFold(o["token"].(string), token.Hex()) ||
			o["chain_id"] != float64(w.Site.ChainID) || o["tx_hash"] == nil || o["block_number"].(float64) <= 0 || !strings.Contains(o["reason"].(string), reason) {
			t.Errorf("event %d: got %v, want a reason that names %q", i, o, reason)
		}
	}
	run(t, environ, "quarantine", "list").exits(0).shows("REASON", token.Hex(), math.MaxBig256.String(), "not registered")
	if rest := run(t, environ, "quarantine", "list", "--limit", "1", "--after", number(list[0]["id"]), "-o", "json").exits(0).objects(); len(rest) != 1 || rest[0]["id"] != list[1]["id"] {
		t.Errorf("one behind the first: got %v", rest)
	}
	run(t, environ, "stats").exits(0).shows("quarantine 3")
	run(t, environ, "account", "show", "alice").exits(0).shows("LIE")

	w.Deposit(apptest.Alice, "5")
	run(t, environ, pay(w, "after", "12", "--wait", "--timeout", "4m")...).exits(0)
	if got := w.Received("after"); got.Int64() != 12_000_000 {
		t.Errorf("the recipient holds %s base units, want 12000000", got)
	}
	if got := w.Available(apptest.Alice).Units(6); got != "3" {
		t.Errorf("alice has %s left, want 3", got)
	}
	w.Holds()
}

// number prints a JSON number as a command line takes it.
func number(v any) string { return big.NewInt(int64(v.(float64))).String() }
