package cli_test

import (
	"maps"
	"testing"

	"github.com/quittance/quittance/ledger/ledgertest"
)

// unchanged runs a command that must write nothing.
func (b *books) unchanged(code int, args ...string) result {
	b.t.Helper()
	before := b.contents()
	r := run(b.t, b.environ(), args...).exits(code)
	if after := b.contents(); !maps.Equal(before, after) {
		b.t.Errorf("starter %v changed\n%v\nto\n%v", args, before, after)
	}
	return r
}

func TestStopAndGoAnswerClearlyAndARepeatWritesNothing(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	b.SetHead(10, 5)
	signer := ledgertest.Signer(0).Hex()
	for _, row := range []struct {
		what  []string
		name  string
		field string // of the object that tells the state
		stops any
		goes  any
	}{
		{[]string{"--asset", "USDC"}, "USDC", "stopped", "drill", ""},
		{[]string{"--all"}, "all payments", "stopped", "drill", ""},
		{[]string{"--signer", signer}, signer, "state", "frozen", "active"},
	} {
		stop := append([]string{"stop", "--reason", "drill", "--actor", "olga"}, row.what...)
		again := append([]string{"stop", "--reason", "another reason", "-o", "json"}, row.what...)
		goOn := append([]string{"go", "--reason", "over", "-o", "json"}, row.what...)
		b.unchanged(0, append([]string{"go", "--reason", "nothing is stopped"}, row.what...)...).shows("nothing was written")
		run(t, b.environ(), stop...).exits(0).shows(row.name, "yes")
		if o := b.unchanged(0, again...).object(); o["changed"] != false || o[row.field] != row.stops {
			t.Errorf("%v: %v, want the first stop's reason", again, o)
		}
		if o := run(t, b.environ(), goOn...).exits(0).object(); o["changed"] != true || o[row.field] != row.goes {
			t.Errorf("%v: %v", goOn, o)
		}
		if o := b.unchanged(0, goOn...).object(); o["changed"] != false {
			t.Errorf("%v: %v", goOn, o)
		}
	}
	if n := ledgertest.Value[int](b.World, `SELECT count(*) FROM journal WHERE actor = 'olga'`); n != 3 {
		t.Errorf("%d journal rows name who stopped", n)
	}
}

func TestBrakesRefuseWhatTheyCannotDoAndWriteNothing(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	signer, stranger := ledgertest.Signer(0).Hex(), ledgertest.Address("stranger").Hex()
	for _, row := range []struct {
		args []string
		says []string
	}{
		{[]string{"stop", "--reason", "x"}, []string{"--asset", "--signer", "--all"}},
		{[]string{"stop", "--all", "--asset", "USDC", "--reason", "x"}, []string{"--asset", "--all"}},
		{[]string{"stop", "--all"}, []string{"reason"}},
		{[]string{"stop", "--all", "--reason", " "}, []string{"reason", "empty"}},
		{[]string{"go", "--all", "--reason", ""}, []string{"reason", "empty"}},
		{[]string{"stop", "--asset", "GOLD", "--reason", "x"}, []string{"asset", "GOLD"}},
		{[]string{"stop", "--asset", "XDAI", "--reason", "x"}, []string{"asset", "not registered on chain 1337"}},
		{[]string{"stop", "--signer", stranger, "--reason", "x"}, []string{"signer", "no lane"}},
		{[]string{"stop", "--signer", "0x12", "--reason", "x"}, []string{"signer", "20 bytes"}},
		{[]string{"asset", "budget", "USDC", "--reason", "x"}, []string{"--per-hour"}},
		{[]string{"asset", "budget", "USDC", "--per-hour", "0", "--reason", "x"}, []string{"per_hour", "above zero"}},
		{[]string{"asset", "budget", "USDC", "--per-hour", "all", "--reason", "x"}, []string{"per_hour", "decimal"}},
		{[]string{"asset", "budget", "USDC", "--per-hour", "1.0000001", "--reason", "x"}, []string{"per_hour", "6 decimals"}},
		{[]string{"asset", "budget", "GOLD", "--per-hour", "1", "--reason", "x"}, []string{"asset", "GOLD"}},
		{[]string{"asset", "budget", "USDC", "--per-hour", "1"}, []string{"--reason"}},
		{[]string{"lanes", "freeze", signer}, []string{"--reason"}},
		{[]string{"lanes", "freeze", signer, "--reason", " "}, []string{"reason", "empty"}},
		{[]string{"lanes", "report", stranger}, []string{"signer", "no lane"}},
		{[]string{"lanes", "activate", signer, "--acknowledge", "1", "--reason", "x"}, []string{"acknowledge"}},
	} {
		b.unchanged(2, row.args...).says(row.says...)
	}
	run(t, append(b.environ(), "CHAIN_ID=999"), "stop", "--all", "--reason", "x").exits(2).says("CHAIN_ID", "999")
}

// A stop holds payments back, not the people who want to end one.
func TestWhileAllIsStoppedASettlementIsCancelledAndStatsShowTheStop(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	b.Reserved("one", "1")
	run(t, b.environ(), "stop", "--all", "--reason", "the key is stolen").exits(0)
	run(t, b.environ(), "stop", "--asset", "ETH", "--reason", "no coins").exits(0)
	run(t, b.environ(), "go", "--asset", "USDC", "--reason", "x").exits(0).shows("all payments are stopped: the key is stolen")
	run(t, b.environ(), "asset", "budget", "USDC", "--per-hour", "1500.5", "--reason", "policy").exits(0).shows("1500.5, spent 0")
	if o := b.unchanged(0, "asset", "budget", "USDC", "--per-hour", "1500.50", "--reason", "again", "-o", "json").object(); o["changed"] != false || o["hourly_budget"] != "1500.5" {
		t.Errorf("got %v", o)
	}
	run(t, b.environ(), "stats").exits(0).shows("all payments stopped: the key is stolen", "stopped: no coins", "spent 0 of 1500.5 an hour")
	o := run(t, b.environ(), "stats", "-o", "json").exits(0).object()
	chain, assets := list(t, o, "chains")[0].(map[string]any), list(t, o, "assets")
	if usdc := assets[0].(map[string]any); chain["payments_stopped"] != "the key is stolen" || usdc["hourly_budget"] != "1500.5" || usdc["stopped"] != "" ||
		assets[1].(map[string]any)["stopped"] != "no coins" {
		t.Errorf("got %v and %v", chain, assets)
	}
	run(t, b.environ(), "asset", "list").exits(0).shows("1500.5, spent 0", "no coins")
	run(t, b.environ(), "cancel", "one", "--reason", "changed their mind").exits(0)
	run(t, b.environ(), "wait", "one").exits(4).says("changed their mind")
}

func TestLanesShowAndMoveAndThawAfterAReport(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	b.SetHead(10, 5)
	x := b.Submitted("one", "1")
	signer := x.Live.Signer.Hex()
	b.FinalBlock()
	b.Exec(`INSERT INTO blocks (chain_id, number, hash, parent, mined_at, base_fee, gas_limit) VALUES (1337, 7, $1, $2, now(), 1, 30000000)`,
		ledgertest.Hash("block 7").Bytes(), ledgertest.Hash("block 6").Bytes())
	lane := func(args ...string) result {
		t.Helper()
		return run(t, b.environ(), append([]string{"lanes"}, args...)...)
	}
	o := lane("-o", "json").exits(0).objects()[0] // lanes alone lists
	if o["signer"] != signer || o["state"] != "active" || o["in_flight"] != 1.0 || o["live"] != 1.0 || o["next_nonce"] != 1.0 || o["mined_nonce"] != 0.0 ||
		o["foreign_transactions"] != 0.0 || o["committed_wei"] == "0" || o["custody"] != "keystore" {
		t.Errorf("got %v", o)
	}
	lane("list").exits(0).shows("SIGNER", "OLDEST", signer)
	b.unchanged(2, "lanes", "remove", signer, "--reason", "x").says("signer", "1 nonces", "drain")

	// Somebody else takes the nonce.
	b.Exec(`INSERT INTO mined_transactions (chain_id, block_hash, tx_hash, tx_index, signer, nonce, to_address, value, ok, gas_used, gas_limit, gas_price)
		VALUES (1337, $1, $2, 0, $3, 0, $4, 5000000000000000000, true, 21000, 21000, 1)`,
		ledgertest.Hash("block 7").Bytes(), ledgertest.Hash("theft").Bytes(), x.Live.Signer.Bytes(), ledgertest.Address("thief").Bytes())
	lane("freeze", signer, "--reason", "stolen", "--actor", "olga").exits(0).shows("frozen: stolen")
	lane("report", signer).exits(0).shows("foreign transactions: 1", ledgertest.Hash("theft").Hex(), "mined", "5", "one: submitted", "not given up by proof", "freeze lane", "olga")
	report := lane("report", signer, "-o", "json").exits(0).object()
	theft := list(t, report, "foreign")[0].(map[string]any)
	if report["foreign_open"] != 1.0 || theft["nonce"] != 0.0 || theft["block_number"] != 7.0 || theft["value_wei"] != "5000000000000000000" || theft["ours"] != "pay" ||
		list(t, theft, "losers")[0].(map[string]any)["key"] != "one" || len(list(t, report, "journal")) != 1 {
		t.Errorf("got %v", report)
	}
	for _, args := range [][]string{
		{"lanes", "thaw", signer, "--reason", "x"}, {"lanes", "thaw", signer, "--reason", "x", "--acknowledge", "0"},
		{"lanes", "thaw", signer, "--reason", "x", "--acknowledge", "2"},
	} {
		b.unchanged(2, args...).says("acknowledge")
	}
	b.unchanged(2, "go", "--signer", signer, "--reason", "x").says("lanes report "+signer, "lanes thaw")
	b.unchanged(2, "lanes", "activate", signer, "--reason", "x").says("is frozen", "draining")
	if o := lane("thaw", signer, "--reason", "seen", "--acknowledge", "1", "-o", "json").exits(0).object(); o["state"] != "active" || o["changed"] != true {
		t.Errorf("got %v", o)
	}
	lane("drain", signer, "--reason", "to be removed").exits(0).shows("draining: to be removed")
	b.unchanged(0, "lanes", "drain", signer, "--reason", "again").shows("nothing was written")
	lane("activate", signer, "--reason", "after all", "--acknowledge", "1").exits(0).shows("active")
	idle := ledgertest.Signer(1).Hex()
	lane("remove", idle, "--reason", "no longer needed").exits(0).shows("removed: no longer needed")
	lane("list").exits(0).shows("removed: no longer needed")
	b.unchanged(2, "lanes", "freeze", idle, "--reason", "x").says("is removed")
	run(t, b.environ(), "lanes", "--help").exits(0).shows("report", "thaw")
	run(t, b.environ(), "signer", "--help").exits(0).shows("'lanes'")
}
