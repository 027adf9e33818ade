package app

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"go.temporal.io/sdk/client"

	"github.com/quittance/quittance/activities"
	"github.com/quittance/quittance/internal/config"
	"github.com/quittance/quittance/internal/devchain"
	"github.com/quittance/quittance/internal/devstack"
	"github.com/quittance/quittance/internal/devstack/stacktest"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

const (
	alice = "alice"
	// patience bounds every wait: far above what a slow machine needs, so that only a hang meets it.
	patience = 3 * time.Minute
)

// world is a chain of its own, a database of its own, and names of its own on the shared Temporal and broker.
type world struct {
	t         *testing.T
	name      string // unique: task queues, stream, keys
	geth      *devstack.Geth
	client    *ethclient.Client
	keys      devchain.Keys
	site      devchain.Site
	ledger    *ledger.Ledger
	dsn       string
	temporal  client.Client
	endpoints []string // of the nodes that services use; the geth's own by default

	postgres  config.Postgres
	temporalC config.Temporal
	broker    config.Broker
}

type worldOptions struct {
	signers       int
	finalityDepth int
}

func newWorld(t *testing.T, o worldOptions) *world {
	t.Helper()
	var random [6]byte
	_, _ = rand.Read(random[:])
	w := &world{t: t, name: "t" + hex.EncodeToString(random[:])}
	var err error
	w.keys, err = devchain.EnsureKeys(t.TempDir(), max(o.signers, 2), []string{alice})
	w.must(err)
	var fund []string
	for _, a := range w.keys.Addresses() {
		fund = append(fund, a.Hex())
	}
	w.geth = stacktest.Geth(t, devstack.GethOptions{Fund: fund})
	w.endpoints = []string{w.geth.RPCURL}
	w.client, err = ethclient.Dial(w.geth.RPCURL)
	w.must(err)
	t.Cleanup(w.client.Close)
	w.dsn = stacktest.Postgres(t)
	w.ledger, err = ledger.Open(t.Context(), w.dsn, ledger.WithConns(4))
	w.must(err)
	t.Cleanup(w.ledger.Close)
	w.must(w.ledger.Migrate(t.Context()))
	owner, err := devchain.NewWallet(t.Context(), w.client, w.keys.Owner)
	w.must(err)
	contracts, err := devchain.Deploy(t.Context(), owner, w.keys.Signers)
	w.must(err)
	w.site, err = devchain.Register(t.Context(), w.ledger, w.client, contracts, w.keys.Signers, max(o.finalityDepth, 2))
	w.must(err)
	server := stacktest.Temporal(t)
	w.postgres = config.Postgres{DatabaseURL: w.dsn, PoolMax: 8}
	w.temporalC = config.Temporal{Address: server.Address, Namespace: server.Namespace, TaskQueue: w.name}
	w.broker = config.Broker{NATSURL: stacktest.NATS(t), Stream: w.name, Subject: w.name + "."}
	w.temporal, err = client.Dial(client.Options{HostPort: server.Address, Namespace: server.Namespace, Logger: quiet()})
	w.must(err)
	t.Cleanup(w.temporal.Close)
	_, _, err = w.ledger.CreateAccount(t.Context(), settlement.DefaultTenant, alice)
	w.must(err)
	return w
}

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// run starts a service and returns how to stop it; it is stopped at the end of the test at the latest, and a service that
// ends by itself fails the test.
func (w *world) run(name string, service func(context.Context, *slog.Logger) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(w.t.Context()))
	done := make(chan struct{})
	log := slog.New(slog.NewTextHandler(w.t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})).With("process", name)
	go func() {
		defer close(done)
		if err := service(ctx, log); err != nil && ctx.Err() == nil {
			w.t.Errorf("%s ended: %v", name, err)
		}
	}()
	stop = func() {
		cancel()
		<-done
	}
	w.t.Cleanup(stop)
	return stop
}

func (w *world) chainConfig() config.Chain {
	return config.Chain{ChainID: w.site.ChainID, RPCURLs: w.endpoints, Vault: w.site.Vault.Hex(), RPCTimeout: 5 * time.Second}
}

func (w *world) keysConfig() config.Keys {
	return config.Keys{Dir: w.keys.KeystoreDir, PasswordFile: w.keys.PasswordFile}
}

func (w *world) worker() (stop func()) {
	return w.run("worker", func(ctx context.Context, log *slog.Logger) error {
		return Worker(ctx, log, config.Worker{Postgres: w.postgres, Temporal: w.temporalC, Chain: w.chainConfig(), Keys: w.keysConfig(),
			HTTPAddress: "127.0.0.1:0", Slots: 16, SweepInterval: 2 * time.Second})
	})
}

func (w *world) listener() (stop func()) {
	return w.run("listener", func(ctx context.Context, log *slog.Logger) error {
		return Listener(ctx, log, config.Listener{Postgres: w.postgres, Chain: w.chainConfig(), Keys: w.keysConfig(),
			HTTPAddress: "127.0.0.1:0", PollInterval: 100 * time.Millisecond, LeaseTTL: 2 * time.Second})
	})
}

func (w *world) relay() (stop func()) {
	return w.run("relay", func(ctx context.Context, log *slog.Logger) error {
		return Relay(ctx, log, config.Relay{Postgres: w.postgres, Temporal: w.temporalC, Broker: w.broker,
			HTTPAddress: "127.0.0.1:0", LeaseTTL: 5 * time.Second, Retention: time.Hour})
	})
}

// deposit pays units of the token into the vault for alice and waits until the ledger credited her.
func (w *world) deposit(units string) {
	w.t.Helper()
	amount, err := settlement.ParseUnits(units, w.site.USDC.Decimals)
	w.must(err)
	wallet, err := devchain.NewWallet(w.t.Context(), w.client, w.keys.Customers[alice])
	w.must(err)
	before := w.available()
	w.must(w.site.DepositToken(w.t.Context(), wallet, settlement.CustomerID("", alice), amount.Big()))
	w.eventually("the deposit is credited", func() bool {
		gained, under := w.available().Sub(before)
		return !under && gained.Cmp(amount) >= 0
	})
}

func (w *world) available() settlement.Amount {
	w.t.Helper()
	a, err := w.ledger.Account(w.t.Context(), settlement.DefaultTenant, alice)
	w.must(err)
	for _, b := range a.Balances {
		if b.Asset.ID == w.site.USDC.ID {
			return b.Available
		}
	}
	return settlement.Amount{}
}

func (w *world) key(name string) settlement.Key {
	return settlement.Key{Tenant: settlement.DefaultTenant, Value: w.name + "-" + name}
}

func (w *world) request(name, units string) settlement.Request {
	w.t.Helper()
	amount, err := settlement.ParseUnits(units, w.site.USDC.Decimals)
	w.must(err)
	return settlement.Request{Key: w.key(name), Account: alice, Asset: w.site.USDC, To: payee(name), Amount: amount}
}

func payee(name string) common.Address {
	return common.BytesToAddress(crypto.Keccak256([]byte("payee " + name)))
}

func (w *world) runs() workflows.Runs {
	return workflows.Runs{Client: w.temporal, Queues: workflows.Queues(w.name)}
}

func (w *world) start(r settlement.Request) client.WorkflowRun {
	w.t.Helper()
	run, err := w.runs().Start(w.t.Context(), activities.NewRequest(settlement.Reservation{Request: r, RequestID: r.Key.Value, Vault: w.site.Vault}))
	w.must(err)
	return run
}

// await waits until the settlement is in one of the states.
func (w *world) await(name string, states ...settlement.State) settlement.Settlement {
	w.t.Helper()
	var s settlement.Settlement
	w.eventually(fmt.Sprintf("%s is %v", name, states), func() bool {
		var err error
		s, err = w.ledger.Settlement(w.t.Context(), w.key(name))
		if settlement.KindOf(err) == settlement.NotFound {
			return false
		}
		w.must(err)
		for _, state := range states {
			if s.State == state {
				return true
			}
		}
		return false
	})
	return s
}

func (w *world) eventually(what string, done func() bool) {
	w.t.Helper()
	deadline := time.Now().Add(patience)
	for !done() {
		if time.Now().After(deadline) {
			w.t.Fatalf("waited %s in vain until %s", patience, what)
		}
		select {
		case <-w.t.Context().Done():
			w.t.Fatal("the test ended while waiting until", what)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// received is what the recipient holds on chain.
func (w *world) received(name string) *big.Int {
	w.t.Helper()
	balance, err := w.site.BalanceOf(w.t.Context(), w.client, payee(name))
	w.must(err)
	return balance
}
