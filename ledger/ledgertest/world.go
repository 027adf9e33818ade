// Package ledgertest gives tests a ledger on a fresh database of a real Postgres, with a registered chain, two assets, lanes
// and customers. It may be imported by tests only.
package ledgertest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/quittance/quittance/internal/devstack/stacktest"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/migrations"
	"github.com/quittance/quittance/settlement"
)

// World is a ledger with something in it. Its chain exists in the database only.
type World struct {
	*ledger.Ledger
	T     testing.TB
	DSN   string
	SQL   *pgxpool.Pool // past the ledger: to look, and to attack the schema
	Chain ledger.ChainConfig
	USDC  settlement.Asset // 6 decimals
	ETH   settlement.Asset // 18 decimals, native
	Lanes []ledger.Lane
}

// Names of the two customers that New makes. Alice has 1,000 USDC and 10 ETH; Bob has nothing.
const (
	Alice = "alice"
	Bob   = "bob"
)

type options struct {
	lanes, inFlightMax, conns int
	empty                     bool
	ledger                    []ledger.Option
}

// Option changes what New makes.
type Option func(*options)

// WithLanes asks for n lanes (default 2) of so many slots (default 16).
func WithLanes(n, inFlightMax int) Option {
	return func(o *options) { o.lanes, o.inFlightMax = n, inFlightMax }
}

// WithConns bounds the pool (default 8: the tests of a package share a server).
func WithConns(n int) Option { return func(o *options) { o.conns = n } }

// WithLedger passes options to ledger.Open.
func WithLedger(opts ...ledger.Option) Option {
	return func(o *options) { o.ledger = append(o.ledger, opts...) }
}

// Empty asks for the migrated schema and nothing in it.
func Empty() Option { return func(o *options) { o.empty = true } }

// DSN makes a fresh migrated database.
func DSN(t testing.TB) string {
	t.Helper()
	return stacktest.PostgresTemplate(t, "ledger "+schemaDigest(t), func(dsn string) error {
		l, err := ledger.Open(context.Background(), dsn)
		if err != nil {
			return err
		}
		defer l.Close()
		return l.Migrate(context.Background())
	})
}

// schemaDigest changes with every change of a migration.
func schemaDigest(t testing.TB) string {
	t.Helper()
	names, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	for _, name := range names {
		text, err := migrations.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(h, "%s %d\n%s", name, len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// New makes a world of its own for one test.
func New(t testing.TB, opts ...Option) *World {
	t.Helper()
	o := options{lanes: 2, inFlightMax: 16, conns: 8}
	for _, opt := range opts {
		opt(&o)
	}
	w := &World{T: t, DSN: DSN(t)}
	ctx := context.Background()
	var err error
	if w.Ledger, err = ledger.Open(ctx, w.DSN, append([]ledger.Option{ledger.WithConns(o.conns)}, o.ledger...)...); err != nil {
		t.Fatalf("open ledger: %v", err)
	}
	t.Cleanup(w.Close)
	if w.SQL, err = pgxpool.New(ctx, w.DSN); err != nil {
		t.Fatalf("open pool: %v", err)
	}
	t.Cleanup(w.SQL.Close)
	if !o.empty {
		w.register(o)
	}
	return w
}

func (w *World) register(o options) {
	w.T.Helper()
	ctx := context.Background()
	w.Chain = ledger.ChainConfig{
		ChainID: 1337, Genesis: Hash("genesis"), Vault: Address("vault"), StartBlock: 1,
		Finality: ledger.FinalityDepth, FinalityDepth: 5, TipFloor: settlement.NewAmount(10_000_000),
	}
	w.must(w.RegisterChain(ctx, w.Chain))
	var err error
	ceiling := settlement.NewAmount(1e18)
	w.USDC, err = w.RegisterAsset(ctx, settlement.Asset{ChainID: 1337, Symbol: "USDC", Token: Address("usdc"), Decimals: 6}, ceiling)
	w.must(err)
	w.ETH, err = w.RegisterAsset(ctx, settlement.Asset{ChainID: 1337, Symbol: "ETH", Decimals: 18}, ceiling)
	w.must(err)
	for i := range o.lanes {
		lane, _, err := w.AddLane(ctx, ledger.LaneConfig{
			ChainID: 1337, Signer: Signer(i), Custody: ledger.CustodyKeystore, InFlightMax: o.inFlightMax,
			CapCeiling: settlement.NewAmount(500e9), Balance: w.Units("ETH", "100"), Operator: true,
		})
		w.must(err)
		w.Lanes = append(w.Lanes, lane)
	}
	for _, name := range []string{Alice, Bob} {
		_, _, err := w.CreateAccount(ctx, "", name)
		w.must(err)
	}
	w.Fund(Alice, w.USDC, "1000")
	w.Fund(Alice, w.ETH, "10")
	w.Liquidity(w.USDC, "1000000")
	w.Liquidity(w.ETH, "1000")
}

func (w *World) must(err error) {
	w.T.Helper()
	if err != nil {
		w.T.Fatalf("world: %v", err)
	}
}

// Exec runs raw SQL and fails the test when it fails.
func (w *World) Exec(sql string, args ...any) {
	w.T.Helper()
	if _, err := w.SQL.Exec(context.Background(), sql, args...); err != nil {
		w.T.Fatalf("%s: %v", sql, err)
	}
}

// Value reads one value by raw SQL.
func Value[T any](w *World, sql string, args ...any) (v T) {
	w.T.Helper()
	if err := w.SQL.QueryRow(context.Background(), sql, args...).Scan(&v); err != nil {
		w.T.Fatalf("%s: %v", sql, err)
	}
	return v
}

// Hash and Address make values that are easy to tell apart.
func Hash(name string) common.Hash { return crypto.Keccak256Hash([]byte(name)) }

// Address of a name.
func Address(name string) common.Address {
	return common.BytesToAddress(crypto.Keccak256([]byte(name)))
}

// Units reads a person's number in USDC or ETH.
func (w *World) Units(symbol, units string) settlement.Amount {
	w.T.Helper()
	decimals := map[string]uint8{"USDC": 6, "ETH": 18}[symbol]
	a, err := settlement.ParseUnits(units, decimals)
	w.must(err)
	return a
}
