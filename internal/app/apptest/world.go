// Package apptest gives tests a whole installation: a chain of its own, a database of its own, names of its own on the shared
// Temporal and broker, and the services as they ship. It may import anything of this project, and may be imported by tests
// only.
package apptest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.temporal.io/sdk/client"

	"github.com/quittance/quittance/activities"
	"github.com/quittance/quittance/internal/app"
	"github.com/quittance/quittance/internal/config"
	"github.com/quittance/quittance/internal/devchain"
	"github.com/quittance/quittance/internal/devstack"
	"github.com/quittance/quittance/internal/devstack/stacktest"
	"github.com/quittance/quittance/internal/liar"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

// Customers of every world; each has a wallet with coins.
const (
	Alice = "alice"
	Bob   = "bob"
)

// patience bounds every wait: far above what a slow machine needs, so that only a hang meets it.
const patience = 4 * time.Minute

// World is one installation. Services run only once they are started.
type World struct {
	T        *testing.T
	Name     string // unique: task queue, broker stream, keys
	Geth     *devstack.Geth
	Client   *ethclient.Client
	Keys     devchain.Keys
	Site     devchain.Site
	Ledger   *ledger.Ledger
	DSN      string
	SQL      *pgxpool.Pool // past the ledger: to look, and to plant what must be found
	Temporal client.Client

	server  stacktest.TemporalServer
	natsURL string
	parts   map[string]*devstack.Part

	Nodes []*liar.Node // what the services take for their nodes, if there are any
}

// Options of New; zero values take the defaults.
type Options struct {
	Signers       int    // 2
	FinalityDepth int    // 2
	Own           string // "postgres", "temporal" or "nats": a server of the test's own, which it may stop. geth always is.
	Nodes         int    // so many proxies stand between the services and geth, honest until the test makes them lie; 0: none
}

// New starts a chain and registers all of it in a fresh ledger.
func New(t *testing.T, o Options) *World {
	t.Helper()
	var random [6]byte
	_, _ = rand.Read(random[:]) // never fails
	w := &World{T: t, Name: "t" + hex.EncodeToString(random[:])}
	w.servers(o.Own)
	var err error
	w.Keys, err = devchain.EnsureKeys(t.TempDir(), max(o.Signers, 2), []string{Alice, Bob})
	w.Must(err)
	var fund []string
	for _, a := range w.Keys.Addresses() {
		fund = append(fund, a.Hex())
	}
	w.Geth = stacktest.Geth(t, devstack.GethOptions{Fund: fund})
	w.parts["geth"] = w.Geth.Part
	for range o.Nodes {
		node, err := liar.Start(w.Geth.RPCURL)
		w.Must(err)
		t.Cleanup(func() { _ = node.Close() })
		w.Nodes = append(w.Nodes, node)
	}
	w.Client, err = ethclient.Dial(w.Geth.RPCURL)
	w.Must(err)
	t.Cleanup(w.Client.Close)
	w.Ledger, err = ledger.Open(t.Context(), w.DSN, ledger.WithConns(4))
	w.Must(err)
	t.Cleanup(w.Ledger.Close)
	w.Must(w.Ledger.Migrate(t.Context()))
	w.SQL, err = pgxpool.New(t.Context(), w.DSN)
	w.Must(err)
	t.Cleanup(w.SQL.Close)
	contracts, err := devchain.Deploy(t.Context(), w.Owner(), w.Keys.Signers)
	w.Must(err)
	w.Site, err = devchain.Register(t.Context(), w.Ledger, w.Client, contracts, w.Keys.Signers, max(o.FinalityDepth, 2))
	w.Must(err)
	w.Temporal, err = app.DialTemporal(t.Context(), config.Temporal{Address: w.server.Address, Namespace: w.server.Namespace}, slog.New(slog.DiscardHandler))
	w.Must(err)
	t.Cleanup(w.Temporal.Close)
	for _, name := range []string{Alice, Bob} {
		_, _, err = w.Ledger.CreateAccount(t.Context(), settlement.DefaultTenant, name)
		w.Must(err)
	}
	return w
}

// servers finds the shared servers, or starts one of the test's own.
func (w *World) servers(own string) {
	w.T.Helper()
	w.parts = map[string]*devstack.Part{}
	if own == "postgres" {
		p := stacktest.OwnPostgres(w.T)
		w.DSN, w.parts[own] = p.URL, p.Part
	} else {
		w.DSN = stacktest.Postgres(w.T)
	}
	if own == "temporal" {
		s := stacktest.OwnTemporal(w.T)
		w.server, w.parts[own] = stacktest.TemporalServer{Address: s.Address, Namespace: s.Namespace, UIURL: s.UIURL}, s.Part
	} else {
		w.server = stacktest.Temporal(w.T)
	}
	if own == "nats" {
		n := stacktest.OwnNATS(w.T)
		w.natsURL, w.parts[own] = n.URL, n.Part
	} else {
		w.natsURL = stacktest.NATS(w.T)
	}
}

// Part is a server that is this world's own, to stop and start.
func (w *World) Part(name string) *devstack.Part {
	w.T.Helper()
	p := w.parts[name]
	if p == nil {
		w.T.Fatalf("this world has no %s of its own", name)
	}
	return p
}

// Must fails the test on an error.
func (w *World) Must(err error) {
	w.T.Helper()
	if err != nil {
		w.T.Fatal(err)
	}
}

// Exec runs raw SQL and fails the test if it changed nothing.
func (w *World) Exec(sql string, args ...any) {
	w.T.Helper()
	tag, err := w.SQL.Exec(w.T.Context(), sql, args...)
	w.Must(err)
	if (tag.Insert() || tag.Update() || tag.Delete()) && tag.RowsAffected() == 0 {
		w.T.Fatalf("no row was touched by: %s", sql)
	}
}

// Owner is the vault owner's wallet.
func (w *World) Owner() *devchain.Wallet {
	w.T.Helper()
	wallet, err := devchain.NewWallet(w.T.Context(), w.Client, w.Keys.Owner)
	w.Must(err)
	return wallet
}

// Wallet is a customer's.
func (w *World) Wallet(customer string) *devchain.Wallet {
	w.T.Helper()
	wallet, err := devchain.NewWallet(w.T.Context(), w.Client, w.Keys.Customers[customer])
	w.Must(err)
	return wallet
}

// Environ is what a process of this installation finds in its environment.
func (w *World) Environ(more ...string) []string {
	return append([]string{
		"DEVSTACK_DIR=" + w.T.TempDir(), "DATABASE_URL=" + w.DSN, "DATABASE_POOL_MAX=8",
		"TEMPORAL_ADDRESS=" + w.server.Address, "TEMPORAL_NAMESPACE=" + w.server.Namespace, "TEMPORAL_TASK_QUEUE=" + w.Name,
		fmt.Sprintf("CHAIN_ID=%d", w.Site.ChainID), "CHAIN_RPC_URLS=" + strings.Join(w.rpcURLs(), ","), "VAULT_ADDRESS=" + w.Site.Vault.Hex(),
		"NATS_URL=" + w.natsURL, "NATS_STREAM=" + w.Name, "NATS_SUBJECT_PREFIX=" + w.Name + ".",
		"KEYSTORE_DIR=" + w.Keys.KeystoreDir, "KEYSTORE_PASSWORD_FILE=" + w.Keys.PasswordFile, "LOG_LEVEL=warn",
		"WORKER_HTTP_ADDRESS=127.0.0.1:0", "LISTENER_HTTP_ADDRESS=127.0.0.1:0", "RELAY_HTTP_ADDRESS=127.0.0.1:0",
		"SWEEP_INTERVAL=2s", "LISTENER_POLL_INTERVAL=100ms", "LISTENER_LEASE_TTL=2s", "RELAY_LEASE_TTL=5s",
	}, more...)
}

// Variable is one of Environ's.
func (w *World) Variable(name string) string {
	for _, pair := range w.Environ() {
		if value, is := strings.CutPrefix(pair, name+"="); is {
			return value
		}
	}
	w.T.Fatalf("%s is not in the environment", name)
	return ""
}

// Runs starts and finds this installation's workflow runs.
func (w *World) Runs() workflows.Runs {
	return workflows.Runs{Client: w.Temporal, Queues: workflows.Queues(w.Name)}
}

// Namespace is Temporal's, which all worlds share.
func (w *World) Namespace() string { return w.server.Namespace }

func (w *World) rpcURLs() []string {
	if len(w.Nodes) == 0 {
		return []string{w.Geth.RPCURL}
	}
	var urls []string
	for _, n := range w.Nodes {
		urls = append(urls, n.URL)
	}
	return urls
}

// Chain is how the services reach the node.
func (w *World) Chain() config.Chain {
	return config.Chain{ChainID: w.Site.ChainID, RPCURLs: w.rpcURLs(), Vault: w.Site.Vault.Hex(), RPCTimeout: 10 * time.Second}
}

// Key is a key that no other world on the shared Temporal has.
func (w *World) Key(name string) settlement.Key {
	return settlement.Key{Tenant: settlement.DefaultTenant, Value: w.Name + "-" + name}
}

// Payee is the recipient that a request of that name pays.
func Payee(name string) common.Address {
	return common.BytesToAddress(crypto.Keccak256([]byte("payee " + name)))
}

// Request pays units of the token from a customer to Payee(name).
func (w *World) Request(name, account, units string) settlement.Request {
	w.T.Helper()
	amount, err := settlement.ParseUnits(units, w.Site.USDC.Decimals)
	w.Must(err)
	return settlement.Request{Key: w.Key(name), Account: account, Asset: w.Site.USDC, To: Payee(name), Amount: amount}
}

// Start starts the request's run.
func (w *World) Start(r settlement.Request) client.WorkflowRun {
	w.T.Helper()
	run, err := w.Runs().Start(w.T.Context(), activities.NewRequest(settlement.Reservation{Request: r, RequestID: "request of " + r.Key.Value, Vault: w.Site.Vault}))
	w.Must(err)
	return run
}

// Await waits until the settlement is in one of the states.
func (w *World) Await(name string, states ...settlement.State) settlement.Settlement {
	w.T.Helper()
	var s settlement.Settlement
	w.Eventually(fmt.Sprintf("%s is %v", name, states), func() bool {
		var err error
		s, err = w.Ledger.Settlement(w.T.Context(), w.Key(name))
		if settlement.KindOf(err) == settlement.NotFound {
			return false
		}
		w.Must(err)
		for _, state := range states {
			if s.State == state {
				return true
			}
		}
		return false
	})
	return s
}

// Eventually waits until done says so.
func (w *World) Eventually(what string, done func() bool) {
	w.T.Helper()
	deadline := time.Now().Add(patience)
	for !done() {
		if time.Now().After(deadline) {
			w.T.Fatalf("waited %s in vain until %s", patience, what)
		}
		select {
		case <-w.T.Context().Done():
			w.T.Fatal("the test ended while waiting until", what)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Deposit pays units of the token into the vault for a customer and waits until the ledger credited them.
func (w *World) Deposit(customer, units string) {
	w.T.Helper()
	amount, err := settlement.ParseUnits(units, w.Site.USDC.Decimals)
	w.Must(err)
	before := w.Available(customer)
	w.Must(w.Site.DepositToken(w.T.Context(), w.Wallet(customer), settlement.CustomerID("", customer), amount.Big()))
	w.Eventually("the deposit is credited", func() bool {
		gained, under := w.Available(customer).Sub(before)
		return !under && gained.Cmp(amount) >= 0
	})
}

// Available is what a customer can spend of the token.
func (w *World) Available(customer string) settlement.Amount {
	w.T.Helper()
	a, err := w.Ledger.Account(w.T.Context(), settlement.DefaultTenant, customer)
	w.Must(err)
	for _, b := range a.Balances {
		if b.Asset.ID == w.Site.USDC.ID {
			return b.Available
		}
	}
	return settlement.Amount{}
}

// Received is what Payee(name) holds of the token on chain.
func (w *World) Received(name string) *big.Int {
	w.T.Helper()
	balance, err := w.Site.BalanceOf(w.T.Context(), w.Client, Payee(name))
	w.Must(err)
	return balance
}

// Service runs until it is stopped, at the end of the test at the latest; one that ends by itself fails the test.
func (w *World) Service(name string, run func(context.Context, *slog.Logger) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(w.T.Context()))
	done := make(chan struct{})
	log := slog.New(slog.NewTextHandler(w.T.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})).With("process", name)
	go func() {
		defer close(done)
		if err := run(ctx, log); err != nil && ctx.Err() == nil && !strings.Contains(err.Error(), context.Canceled.Error()) {
			w.T.Errorf("%s ended: %v", name, err)
		}
	}()
	stop = func() {
		cancel()
		<-done
	}
	w.T.Cleanup(stop)
	return stop
}
