package audit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/contracts"
	"github.com/quittance/quittance/internal/app/apptest"
	"github.com/quittance/quittance/internal/audit"
	"github.com/quittance/quittance/internal/devchain"
	"github.com/quittance/quittance/settlement"
)

func finding(t *testing.T, r audit.Report, invariant string) audit.Finding {
	t.Helper()
	i := slices.IndexFunc(r.Findings, func(f audit.Finding) bool { return f.Invariant == invariant })
	if i < 0 {
		t.Fatalf("the report has no %s", invariant)
	}
	return r.Findings[i]
}

// holds fails on every broken row.
func holds(t *testing.T, r audit.Report) {
	t.Helper()
	for _, f := range r.Findings {
		for _, row := range f.Broken {
			t.Errorf("%s is broken: %s", f.Invariant, row)
		}
	}
}

// eventful makes a world in which everything happened that an audit must understand, and stops its services:
//
//	usdc, coin   settled
//	poor         failed for its balance
//	refused      failed for its recipient, without a nonce
//	revoked      failed by a Revoked event
//	waits        waits for vault liquidity
//	flying       submitted, and not seen in a block
//
// and beside them deposits, one of them for nobody, a withdrawal, a payout that nobody asked for, and a transaction that
// somebody else made with a signer's key.
func eventful(t *testing.T) *apptest.World {
	t.Helper()
	w := apptest.New(t, apptest.Options{})
	stopWorker, stopListener, stopRelay := w.Worker(), w.Listener(), w.Relay()
	vault, owner, bob := contracts.NewVault(), w.Owner(), w.Wallet(apptest.Bob)
	call := func(wallet *devchain.Wallet, data []byte) {
		t.Helper()
		_, err := wallet.Do(t.Context(), devchain.Call{To: &w.Site.Vault, Data: data})
		w.Must(err)
	}
	w.Deposit(apptest.Alice, "100")
	w.Must(w.Site.DepositCoin(t.Context(), w.Wallet(apptest.Alice), settlement.CustomerID("", apptest.Alice), units(t, "1", 18).Big()))
	w.Must(w.Site.DepositToken(t.Context(), bob, settlement.CustomerID("", "nobody"), units(t, "3", 6).Big()))
	strange, err := devchain.Deploy(t.Context(), owner, nil)
	w.Must(err)
	w.Eventually("the coins are credited", func() bool { return count(w, `SELECT count(*) FROM effects WHERE kind = 'deposited'`) == 2 })

	w.Start(w.Request("usdc", apptest.Alice, "12.5"))
	coin := w.Request("coin", apptest.Alice, "0")
	coin.Asset, coin.Amount = w.Site.Ether, units(t, "0.1", 18)
	w.Start(coin)
	w.Start(w.Request("poor", apptest.Bob, "5"))
	refused := coin
	refused.Key, refused.To = w.Key("refused"), strange.Token // a contract that takes no coins
	w.Start(refused)
	w.Await("usdc", settlement.Settled)
	w.Await("coin", settlement.Settled)
	w.Await("poor", settlement.Failed)
	w.Await("refused", settlement.Failed)

	call(owner, vault.PackWithdraw(w.Site.Token, owner.Address(), units(t, "70", 6).Big()))
	w.Eventually("the vault's balance is read", func() bool {
		return count(w, `SELECT count(*) FROM asset_liquidity WHERE balance = 20500000`) == 1
	})
	w.Start(w.Request("waits", apptest.Alice, "60"))
	w.Start(w.Request("revoked", apptest.Alice, "21"))
	w.Await("waits", settlement.Waiting)
	revoked := w.Await("revoked", settlement.Waiting)
	call(owner, vault.PackSetOperator(bob.Address(), true))
	call(bob, vault.PackRevoke(revoked.OnchainID))
	call(bob, vault.PackSettle(crypto.Keccak256Hash([]byte("nobody asked")), w.Site.Token, apptest.Payee("a stranger"), units(t, "1", 6).Big()))
	thief := w.SignerWallet(1)
	self := thief.Address()
	_, err = thief.Do(t.Context(), devchain.Call{To: &self})
	w.Must(err)
	w.Await("revoked", settlement.Failed)
	w.Eventually("all of it is final", func() bool {
		return count(w, `SELECT count(*) FROM effects WHERE kind IN ('unexplained', 'withdrawn')`) == 2 &&
			count(w, `SELECT count(*) FROM journal WHERE action = 'foreign_transaction_final'`) == 1 && count(w, `SELECT count(*) FROM quarantine`) == 2
	})
	stopListener()
	w.Start(w.Request("flying", apptest.Alice, "1"))
	w.Await("flying", settlement.Submitted)
	w.Eventually("all is published", func() bool {
		return count(w, `SELECT count(*) FROM outbox WHERE published_at IS NULL AND skipped_at IS NULL`) == 0
	})
	stopWorker()
	stopRelay()
	w.Exec(`UPDATE settlements SET changed_at = now() - interval '1 hour' WHERE state IN ('waiting', 'submitted')`) // older than what may just begin
	return w
}

func units(t *testing.T, text string, decimals uint8) settlement.Amount {
	t.Helper()
	a, err := settlement.ParseUnits(text, decimals)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func count(w *apptest.World, sql string) (n int) {
	w.T.Helper()
	w.Must(w.SQL.QueryRow(w.T.Context(), sql).Scan(&n))
	return n
}

func TestAnEventfulSystemHoldsAndEveryPlantedViolationIsNamedByItsInvariant(t *testing.T) {
	t.Parallel()
	w := eventful(t)
	clean := w.Audit(t, w.DSN)
	holds(t, clean)
	for _, f := range clean.Findings {
		if f.Checked == 0 {
			t.Errorf("%s looked at nothing", f.Invariant)
		}
	}
	if len(clean.Findings) != 12 {
		t.Errorf("%d findings, want 12", len(clean.Findings))
	}
	notes := strings.Join(clean.Notes, "\n")
	for _, want := range []string{"vault: 3 USDC more on chain", "1 payouts on chain are unexplained", "2 events are in quarantine"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note says %q:\n%s", want, notes)
		}
	}
	if t.Failed() {
		return
	}
	for _, p := range append(plants, harmless...) {
		t.Run(strings.TrimSpace(p.invariant+" "+p.says+p.why), func(t *testing.T) {
			dsn := w.Clone(t)
			p.plant(t, dsn, w.Name)
			report := w.Audit(t, dsn)
			if p.invariant == "" {
				holds(t, report)
				return
			}
			f := finding(t, report, p.invariant)
			if !slices.ContainsFunc(f.Broken, func(row string) bool { return strings.Contains(row, p.says) }) {
				t.Errorf("%s says %q, want %q", p.invariant, f.Broken, p.says)
			}
			if report.Holds() {
				t.Error("the report holds")
			}
		})
	}
	t.Run("I12 has no running workflow", func(t *testing.T) {
		w.Must(w.Temporal.TerminateWorkflow(t.Context(), w.Key("flying").Value, "", "a test"))
		f := finding(t, w.Audit(t, w.DSN), "I12")
		if want := fmt.Sprintf("%s is submitted and has no running workflow", w.Key("flying")); len(f.Broken) != 1 || !strings.HasPrefix(f.Broken[0], want) {
			t.Errorf("got %q, want %q", f.Broken, want)
		}
	})
}

// plant runs the SQL past all rules, with %K as the world's prefix of keys.
func (p planted) plant(t *testing.T, dsn, name string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for _, sql := range p.sql {
		tag, err := conn.Exec(t.Context(), strings.ReplaceAll(sql, "%K", name))
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		if tag.RowsAffected() == 0 {
			t.Fatalf("nothing was planted by: %s", sql)
		}
	}
}

func TestASecondPaymentByHandIsNamed(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	w.Services()
	w.Deposit(apptest.Alice, "100")
	w.Start(w.Request("one", apptest.Alice, "10"))
	paid := w.Await("one", settlement.Settled)
	holds(t, w.Audit(t, w.DSN))

	// The vault pays an id once for ever, so the second payment needs a second vault.
	bob := w.Wallet(apptest.Bob)
	second, err := devchain.Deploy(t.Context(), w.Owner(), []common.Address{bob.Address()})
	w.Must(err)
	w.Exec(`INSERT INTO vaults (chain_id, vault) VALUES ($1, $2)`, w.Site.ChainID, second.Vault.Bytes())
	token, vault := contracts.NewTestToken(), contracts.NewVault()
	_, err = bob.Do(t.Context(), devchain.Call{To: &w.Site.Token, Data: token.PackMint(second.Vault, units(t, "10", 6).Big())},
		devchain.Call{To: &second.Vault, Data: vault.PackSettle(paid.OnchainID, w.Site.Token, apptest.Payee("one"), units(t, "10", 6).Big())})
	w.Must(err)
	head, err := w.Client.BlockNumber(t.Context())
	w.Must(err)
	w.Eventually("the second payment is final", func() bool {
		h, err := w.Ledger.Head(t.Context(), w.Site.ChainID)
		return err == nil && h.Final.Number >= head
	})

	r := w.Audit(t, w.DSN)
	for invariant, says := range map[string]string{"I2": "id " + paid.OnchainID.Hex() + ": Settled in", "I8": "took effect 0 times", "I11": "no settled settlement and no unexplained payout"} {
		if f := finding(t, r, invariant); len(f.Broken) == 0 || !strings.Contains(f.Broken[0], says) {
			t.Errorf("%s says %q, want %q", invariant, f.Broken, says)
		}
	}
}
