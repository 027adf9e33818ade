package cli_test

import (
	"net"
	"strings"
	"testing"

	"github.com/quittance/quittance/internal/devstack/stacktest"
	"github.com/quittance/quittance/ledger/ledgertest"
)

// commandsWithBooks need the ledger, and are otherwise sound.
func commandsWithBooks() [][]string {
	return [][]string{
		submission(nil), {"status", "k"}, {"wait", "k"}, {"list"}, {"import", "-"}, {"explain", "k"}, {"resume", "--all"}, {"stats"},
		{"account", "create", "a"}, {"account", "list"}, {"account", "show", "alice"}, {"audit"},
		{"chain", "list"}, {"asset", "list"}, {"signer", "list"}, {"lanes"}, {"lanes", "report", ledgertest.Signer(0).Hex()},
		{"lanes", "freeze", ledgertest.Signer(0).Hex(), "--reason", "x"}, {"stop", "--all", "--reason", "x"}, {"go", "--asset", "USDC", "--reason", "x"},
		{"asset", "budget", "USDC", "--per-hour", "1", "--reason", "x"}, {"asset", "register", "ETH", "--native"}, {"signer", "add", ledgertest.Address("signer").Hex()},
		{"chain", "register", "--vault", ledgertest.Address("vault").Hex()},
	}
}

func TestADatabaseThatWasNeverMigratedIsRefusedByEveryCommand(t *testing.T) {
	t.Parallel()
	b := &books{t: t, World: ledgertest.New(t, ledgertest.Empty()), temporal: stacktest.Temporal(t)}
	environ := b.environ("DATABASE_URL=" + stacktest.Postgres(t))
	for _, args := range commandsWithBooks() {
		run(t, environ, args...).exits(2).says("DATABASE_URL", "never migrated")
	}
	run(t, environ, "migrate").exits(0)
	run(t, environ, "account", "create", "a").exits(0)
}

func TestADatabaseThatWouldLoseCommitsIsRefusedByEveryCommand(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	b.Exec(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END $$`)
	before := b.contents()
	for _, args := range append(commandsWithBooks(), []string{"migrate"}) {
		run(t, b.environ(), args...).exits(2).says("DATABASE_URL", "not durable", "synchronous_commit is off")
	}
	if after := b.contents(); len(before) != len(after) || before["accounts"] != after["accounts"] {
		t.Errorf("refused commands changed\n%v\nto\n%v", before, after)
	}
	empty := stacktest.Postgres(t)
	fresh := &books{t: t, World: ledgertest.New(t, ledgertest.Empty()), temporal: b.temporal}
	off := fresh.environ("DATABASE_URL=" + empty + separator(empty) + "options=-c%20synchronous_commit%3Doff")
	run(t, off, "migrate").exits(2).says("synchronous_commit is off")
	run(t, fresh.environ("DATABASE_URL="+empty), "list").exits(2).says("never migrated") // nothing was written
}

func separator(dsn string) string {
	if strings.Contains(dsn, "?") {
		return "&"
	}
	return "?"
}

func TestAnotherChainIsRefused(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	geth := stacktest.SharedGeth(t) // its chain id is the registered chain's, its genesis is not
	node := "CHAIN_RPC_URLS=" + geth.RPCURL
	for _, test := range []struct {
		args    []string
		environ []string
		says    []string
	}{
		{submission(nil), []string{"CHAIN_ID=999"}, []string{"CHAIN_ID", "999"}},
		{submission(nil), []string{"CHAIN_ID="}, []string{"CHAIN_ID", "got 0"}}, // two chains: which?
		{[]string{"import", "-"}, []string{"CHAIN_ID=999"}, []string{"CHAIN_ID", "999"}},
		{[]string{"audit"}, []string{node, "CHAIN_ID=999"}, []string{"CHAIN_ID", "999", "starter chain register"}},
		{[]string{"audit"}, []string{node}, []string{"CHAIN_RPC_URLS", "genesis"}},
		{[]string{"audit"}, []string{node, "CHAIN_ID=31337"}, []string{"CHAIN_RPC_URLS", "chain id is 1337"}},
		{[]string{"audit"}, []string{node, "VAULT_ADDRESS=" + ledgertest.Address("another").Hex()}, []string{"VAULT_ADDRESS"}},
		{[]string{"signer", "add", ledgertest.Address("signer").Hex()}, []string{node}, []string{"CHAIN_RPC_URLS", "genesis"}},
		{[]string{"audit"}, nil, []string{"CHAIN_RPC_URLS", "not set"}},
		{[]string{"audit"}, []string{"CHAIN_RPC_URLS=ftp://x"}, []string{"CHAIN_RPC_URLS", "http"}},
		{[]string{"list"}, []string{"DATABASE_URL="}, []string{"DATABASE_URL", "not set"}},
		{[]string{"list"}, []string{"LOG_LEVEL=loud"}, []string{"LOG_LEVEL"}},
	} {
		run(t, b.environ(test.environ...), test.args...).exits(2).says(test.says...)
	}
}

func TestAServiceThatIsDownIsNamedInOneLineWithItsAddress(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	geth := stacktest.SharedGeth(t)
	silent := silentServer(t) // accepts and never answers
	for _, test := range []struct {
		name, variable string // in which %s is the address
		args           []string
		service        string
	}{
		{"postgres", "DATABASE_URL=postgres://user:hidden-word@%s/ledger?sslmode=disable", []string{"list"}, "postgres"},
		{"postgres for migrate", "DATABASE_URL=postgres://user:hidden-word@%s/ledger?sslmode=disable", []string{"migrate"}, "postgres"},
		{"temporal", "TEMPORAL_ADDRESS=%s", submission(nil), "temporal"},
		{"temporal for resume", "TEMPORAL_ADDRESS=%s", []string{"resume", "--all"}, "temporal"},
		{"node", "CHAIN_RPC_URLS=http://%s/v3/hidden-word", []string{"audit"}, "chain node"},
		{"node for register", "CHAIN_RPC_URLS=http://%s/v3/hidden-word", []string{"chain", "register", "--vault", ledgertest.Address("vault").Hex()}, "chain node"},
	} {
		for kind, address := range map[string]string{"closed": "127.0.0.1:9", "silent": silent} {
			t.Run(test.name+" "+kind, func(t *testing.T) {
				t.Parallel()
				environ := b.environ("CHAIN_RPC_URLS="+geth.RPCURL, "CHAIN_RPC_TIMEOUT=1s", strings.ReplaceAll(test.variable, "%s", address))
				r := run(t, environ, test.args...).exits(1).says(test.service, address, "is down")
				if lines := strings.Count(r.stderr, "\n"); lines != 1 || r.stdout != "" {
					t.Errorf("%d lines on stderr, want 1: %s%s", lines, r.stderr, r.stdout)
				}
				if strings.Contains(r.stderr, "hidden-word") {
					t.Errorf("a secret is shown: %s", r.stderr)
				}
				problem := run(t, environ, append(test.args, "-o", "json")...).exits(1).problem()
				if problem["kind"] != "down" || problem["service"] != test.service || !strings.Contains(problem["address"].(string), address) {
					t.Errorf("got %v", problem)
				}
			})
		}
	}
}

// silentServer accepts connections and never says anything.
func silentServer(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { conn.Close() })
		}
	}()
	return l.Addr().String()
}
