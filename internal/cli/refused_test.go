package cli_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"

	"github.com/quittance/quittance/internal/devstack/stacktest"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

// books is a registered ledger without services: what is refused needs none.
type books struct {
	*ledgertest.World
	t        *testing.T
	temporal stacktest.TemporalServer
}

func newBooks(t *testing.T) *books {
	t.Helper()
	b := &books{World: ledgertest.New(t), t: t, temporal: stacktest.Temporal(t)}
	other := ledger.ChainConfig{ChainID: 31337, Genesis: ledgertest.Hash("another genesis"), Vault: ledgertest.Address("another vault"), Finality: ledger.FinalityDepth, FinalityDepth: 5}
	if err := b.RegisterChain(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	if _, err := b.RegisterAsset(t.Context(), settlement.Asset{ChainID: 31337, Symbol: "XDAI", Decimals: 18}, settlement.NewAmount(1e18)); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *books) environ(more ...string) []string {
	return append([]string{"DEVSTACK_DIR=" + b.t.TempDir(), "DATABASE_URL=" + b.DSN, "CHAIN_ID=1337", "TEMPORAL_ADDRESS=" + b.temporal.Address,
		"TEMPORAL_NAMESPACE=" + b.temporal.Namespace, "TEMPORAL_TASK_QUEUE=nobody-listens"}, more...)
}

// contents is every table's rows, but for the counters of refused requests.
func (b *books) contents() map[string]string {
	b.t.Helper()
	rows, err := b.SQL.Query(b.t.Context(), `SELECT format('SELECT %L, count(*) || '' '' || coalesce(md5(string_agg(t::text, ''|'' ORDER BY t::text)), '''') FROM %I t', table_name, table_name)
		FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> 'request_counts'`)
	if err != nil {
		b.t.Fatal(err)
	}
	statements, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(statements) < 20 {
		b.t.Fatalf("%d tables: %v", len(statements), err)
	}
	found := map[string]string{}
	rows, err = b.SQL.Query(b.t.Context(), strings.Join(statements, " UNION ALL "))
	if err != nil {
		b.t.Fatal(err)
	}
	var table, content string
	if _, err := pgx.ForEachRow(rows, []any{&table, &content}, func() error { found[table] = content; return nil }); err != nil {
		b.t.Fatal(err)
	}
	return found
}

// submission is a sound submit command of which a test changes one flag.
func submission(change map[string]string) []string {
	flags := map[string]string{"key": "k1", "account": "alice", "to": ledgertest.Address("payee").Hex(), "asset": "USDC", "amount": "1"}
	maps.Copy(flags, change)
	args := []string{"submit"}
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		args = append(args, "--"+name+"="+flags[name])
	}
	return args
}

func TestBadInputIsRefusedByFieldAndRuleAndNothingIsWritten(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	for _, key := range []string{"open", "paid", "unpaid"} {
		b.Reserved(key, "1")
	}
	if err := b.FailUnpaid(t.Context(), b.Read("unpaid").ID, "a test", settlement.UnpaidProof{}); err != nil {
		t.Fatal(err)
	}
	payee := ledgertest.Address("payee").Hex()
	wrongCase := strings.Map(swapFirst(), payee[2:])
	before := b.contents()
	for _, test := range []struct {
		flag, value string
		field, rule string
	}{
		{"amount", "0", "amount", "above zero"},
		{"amount", "0.0", "amount", "above zero"},
		{"amount", "-1", "amount", "plain decimal"},
		{"amount", "+1", "amount", "plain decimal"},
		{"amount", "1e3", "amount", "plain decimal"},
		{"amount", " 5", "amount", "plain decimal"},
		{"amount", "5 ", "amount", "plain decimal"},
		{"amount", "1,5", "amount", "plain decimal"},
		{"amount", "0x10", "amount", "plain decimal"},
		{"amount", ".5", "amount", "plain decimal"},
		{"amount", "5.", "amount", "plain decimal"},
		{"amount", "５", "amount", "plain decimal"},
		{"amount", "", "amount", "plain decimal"},
		{"amount", "NaN", "amount", "plain decimal"},
		{"amount", "Infinity", "amount", "plain decimal"},
		{"amount", "007", "amount", "leading zeros"},
		{"amount", "1.0000001", "amount", "at most 6 decimals"},
		{"amount", "115792089237316195423570985008687907853269984665640564039457584007913129639936", "amount", "at most 2^256-1"},
		{"amount", "115792089237316195423570985008687907853269984665640564039457584007913129.639936", "amount", "at most 2^256-1"},
		{"to", payee[:40], "to", "20 bytes, has 19"},
		{"to", payee + "00", "to", "20 bytes, has 21"},
		{"to", payee[:41], "to", "hexadecimal"},
		{"to", payee[2:], "to", "begin with 0x"},
		{"to", "0x" + wrongCase, "to", "EIP-55 checksum"},
		{"to", "", "to", "begin with 0x"},
		{"to", "payee.eth", "to", "begin with 0x"},
		{"to", common.Address{}.Hex(), "to", "zero address"},
		{"to", ledgertest.Address("vault").Hex(), "to", "vault"},
		{"to", ledgertest.Signer(1).Hex(), "to", "signers"},
		{"to", ledgertest.Address("usdc").Hex(), "to", "registered token"},
		{"to", "0x0000000000000000000000000000000000000001", "to", "precompiled"},
		{"key", "", "key", "empty"},
		{"key", strings.Repeat("k", 201), "key", "at most 200 bytes, has 201"},
		{"key", "a\nb", "key", "printable"},
		{"key", "a\x00b", "key", "printable"},
		{"key", "@tenant/k", "key", "begin with @"},
		{"key", "k1 ", "key", "end with a space"},
		{"key", "k\xff", "key", "UTF-8"},
		{"tenant", "Not Good", "tenant", "must match"},
		{"account", "nobody", "account", "unknown"},
		{"account", "", "account", "empty"},
		{"account", "Alice", "account", "unknown"},
		{"account", "al ice", "account", "visible ASCII"},
		{"tenant", "another", "account", "unknown"}, // alice is not that tenant's
		{"asset", "DOGE", "asset", "not registered"},
		{"asset", "usdc", "asset", "not registered"},
		{"asset", "", "asset", "empty"},
		{"asset", "XDAI", "asset", "registered on chain 31337"},
		{"retry-of", "k1", "retry_of", "another key"},
		{"retry-of", "never-seen", "retry_of", "none has the key"},
		{"retry-of", "open", "retry_of", "ended without payment, open is requested"},
		{"timeout", "-1s", "timeout", "negative"},
	} {
		t.Run(test.flag+"="+strings.ToValidUTF8(test.value, "�"), func(t *testing.T) {
			args := submission(map[string]string{test.flag: test.value})
			refused(t, run(t, b.environ(), append(args, "-o", "json")...), test.field, test.rule)
			run(t, b.environ(), args...).exits(2).says("starter: "+test.field+": ", test.rule)
		})
	}
	if after := b.contents(); !reflect.DeepEqual(before, after) {
		t.Errorf("refused requests changed\n%v\nto\n%v", before, after)
	}
	b.noRun("k1")
	b.noRun("@another/k1")
}

// swapFirst changes the case of the first letter that it meets.
func swapFirst() func(rune) rune {
	done := false
	return func(r rune) rune {
		swapped := r
		switch {
		case r >= 'a' && r <= 'f':
			swapped = r - 'a' + 'A'
		case r >= 'A' && r <= 'F':
			swapped = r - 'A' + 'a'
		}
		if done || swapped == r {
			return r
		}
		done = true
		return swapped
	}
}

// refused checks the answer that scripts get: exit 2, one object on stderr that names field and rule, nothing on stdout.
func refused(t *testing.T, r result, field, rule string) {
	t.Helper()
	problem := r.exits(2).problem()
	if problem["kind"] != "invalid" || problem["field"] != field || !strings.Contains(fmt.Sprint(problem["rule"]), rule) {
		t.Errorf("got %v, want field %s and rule %q", problem, field, rule)
	}
	if r.stdout != "" {
		t.Errorf("stdout is not empty: %s", r.stdout)
	}
}

// noRun checks that no workflow was started.
func (b *books) noRun(id string) {
	b.t.Helper()
	c, err := client.Dial(client.Options{HostPort: b.temporal.Address, Namespace: b.temporal.Namespace})
	if err != nil {
		b.t.Fatal(err)
	}
	defer c.Close()
	_, err = c.DescribeWorkflow(b.t.Context(), id, "")
	var none *serviceerror.NotFound
	if !errors.As(err, &none) {
		b.t.Errorf("workflow %s was started: %v", id, err)
	}
}

func TestCommandsThatDoNotFitAreRefused(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	before := b.contents()
	for _, test := range []struct {
		args []string
		says []string
	}{
		{[]string{}, []string{"expected one of"}},
		{[]string{"pay"}, []string{"pay"}},
		{[]string{"submit", "--key", "k"}, []string{"--account", "--amount", "--asset", "--to"}},
		{[]string{"submit", "--colour", "red"}, []string{"--colour"}},
		{[]string{"list", "--state", "happy"}, []string{"state", "happy"}},
		{[]string{"list", "--limit", "0"}, []string{"limit"}},
		{[]string{"list", "-o", "xml"}, []string{"xml"}},
		{[]string{"status", "never-seen"}, []string{"no settlement", "never-seen"}},
		{[]string{"wait", "never-seen"}, []string{"no settlement", "never-seen"}},
		{[]string{"wait", "never-seen", "--timeout", "soon"}, []string{"timeout"}},
		{[]string{"resume"}, []string{"key", "--all"}},
		{[]string{"resume", "k", "--all"}, []string{"key", "--all"}},
		{[]string{"resume", "never-seen"}, []string{"no settlement"}},
		{[]string{"account", "create", "with space"}, []string{"account"}},
		{[]string{"account", "create", "bob", "--tenant", "@"}, []string{"tenant"}},
		{[]string{"account", "show", "nobody"}, []string{"nobody"}},
		{[]string{"import", filepath.Join(t.TempDir(), "absent.csv")}, []string{"absent.csv"}},
		{[]string{"import", "x.csv", "--tenant", "@"}, []string{"tenant"}},
		{[]string{"import", "x.csv", "--at-once", "0"}, []string{"at_once"}},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			run(t, b.environ(), test.args...).exits(2).says(test.says...)
		})
	}
	if after := b.contents(); !reflect.DeepEqual(before, after) {
		t.Errorf("refused commands changed\n%v\nto\n%v", before, after)
	}
}

// Scripts get field and rule also where the command line itself, or the configuration, does not fit.
func TestWhatTheParserOrTheConfigurationRefusesNamesFieldAndRule(t *testing.T) {
	t.Parallel()
	absent := t.TempDir() // no database is reached
	end := []string{"cancel", "k", "--reason", "ordered twice"}
	for _, test := range []struct {
		args        []string
		change      string
		field, rule string
	}{
		{[]string{"pay"}, "", "command", "unexpected argument pay"},
		{[]string{}, "", "command", "expected one of"},
		{[]string{"status"}, "", "key", "expected"},
		{[]string{"list", "--limit", "x"}, "", "limit", "64 bit int"},
		{[]string{"list", "--state", "happy"}, "", "state", "must be one of [requested queued"},
		{[]string{"submit", "--colour", "red"}, "", "colour", "unknown flag"},
		{[]string{"submit", "--key", "k", "--to", "x", "--asset", "A", "--amount", "1"}, "", "account", "missing flags"},
		{[]string{"submit", "--retry-of"}, "", "retry_of", "expected string"},
		{[]string{"cancel", "k", "--reason", "a\nb"}, "", "reason", "one line"},
		{[]string{"cancel", "k", "--reason=a\u2028b"}, "", "reason", "one line"},
		{append(end, "--actor", "olga\x1b[2J"), "", "actor", "one line"},
		{append(end, "--actor=olga\r"), "", "actor", "one line"},
		{[]string{"status", "k"}, "DATABASE_URL=nonsense", "DATABASE_URL", "Postgres URL"},
		{[]string{"status", "k"}, "LOG_LEVEL=loud", "LOG_LEVEL", "debug"},
		{[]string{"status", "k"}, "CHAIN_ID=mainnet", "CHAIN_ID", "whole number"},
	} {
		environ := append([]string{"DEVSTACK_DIR=" + absent, "DATABASE_URL=postgres://nobody@127.0.0.1:9/none"}, strings.Fields(test.change)...)
		refused(t, run(t, environ, append(test.args, "-o", "json")...), test.field, test.rule)
	}
}

func TestARequestForAnotherVaultThanTheLedgersIsRefused(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	before := b.contents()
	for _, vault := range []string{ledgertest.Address("another vault").Hex(), "nonsense"} {
		refused(t, run(t, b.environ("VAULT_ADDRESS="+vault), append(submission(nil), "-o", "json")...), "VAULT_ADDRESS", ledgertest.Address("vault").Hex())
	}
	if after := b.contents(); !reflect.DeepEqual(before, after) {
		t.Errorf("a request for another vault changed\n%v\nto\n%v", before, after)
	}
	b.noRun("k1")
}

func TestAPayoutsFileWithOneBadLineWritesNothing(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	before := b.contents()
	payee := ledgertest.Address("payee").Hex()
	file := filepath.Join(t.TempDir(), "payouts.csv")
	content := "key,account,to,asset,amount\ngood,alice," + payee + ",USDC,1\nbad,alice," + payee + ",USDC,1e3\nworse,nobody,0x12,USDC,1\nworst,nobody," + payee + ",USDC,1\n"
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, b.environ(), "import", file).exits(2).says("nothing was written", "line 3: amount: ", "line 4: to: ", "line 5: account: is unknown")
	r := run(t, b.environ(), "import", file, "-o", "json").exits(2)
	if lines := list(t, r.problem(), "lines"); len(lines) != 3 || lines[0].(map[string]any)["line"] != 3.0 || lines[0].(map[string]any)["field"] != "amount" {
		t.Errorf("bad lines %v, want 3 of which the first is line 3", lines)
	}
	if after := b.contents(); !reflect.DeepEqual(before, after) {
		t.Errorf("a refused file changed\n%v\nto\n%v", before, after)
	}
	b.noRun("good")
}

// problem decodes the error object on stderr, which must be its last line.
func (r result) problem() map[string]any {
	r.t.Helper()
	lines := strings.Split(strings.TrimSpace(r.stderr), "\n")
	var o struct{ Error map[string]any }
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &o); err != nil || o.Error == nil {
		r.t.Fatalf("starter %s: stderr is no error object: %q: %v", strings.Join(r.args, " "), r.stderr, err)
	}
	return o.Error
}
