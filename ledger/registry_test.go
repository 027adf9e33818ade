package ledger_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

func TestRegisteringAgainChangesNothingAndSomethingElseIsAConflict(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	if err := w.RegisterChain(t.Context(), w.Chain); err != nil {
		t.Errorf("again: %v", err)
	}
	other := w.Chain
	other.Genesis, other.FinalityDepth = ledgertest.Hash("another chain"), 64
	var e *settlement.Error
	if err := w.RegisterChain(t.Context(), other); !asError(err, &e) || e.Kind != settlement.Conflict || !slices.Equal(e.Fields, []string{"finality", "genesis"}) {
		t.Errorf("another chain under the same id: %v", err)
	}
	if got, err := w.Ledger.Chain(t.Context(), 1337); err != nil || got != w.Chain {
		t.Errorf("%+v %v", got, err)
	}
	if _, err := w.Ledger.Chain(t.Context(), 1); settlement.KindOf(err) != settlement.NotFound {
		t.Errorf("an unknown chain: %v", err)
	}
	again, err := w.RegisterAsset(t.Context(), w.USDC, settlement.NewAmount(7))
	if err != nil || again != w.USDC {
		t.Errorf("%+v %v", again, err)
	}
	for why, a := range map[string]settlement.Asset{
		"other decimals":                  {ChainID: 1337, Symbol: "USDC", Token: w.USDC.Token, Decimals: 18},
		"another token under its symbol":  {ChainID: 1337, Symbol: "USDC", Token: ledgertest.Address("fake"), Decimals: 6},
		"its token under another symbol":  {ChainID: 1337, Symbol: "USDT", Token: w.USDC.Token, Decimals: 6},
		"the symbol of one, token of two": {ChainID: 1337, Symbol: "ETH", Token: w.USDC.Token, Decimals: 6},
	} {
		if _, err := w.RegisterAsset(t.Context(), a, settlement.NewAmount(1)); settlement.KindOf(err) != settlement.Conflict {
			t.Errorf("%s: %v", why, err)
		}
	}
	for why, a := range map[string]settlement.Asset{
		"a chain that nobody registered":  {ChainID: 1, Symbol: "USDC", Token: w.USDC.Token, Decimals: 6},
		"a symbol that no flag can spell": {ChainID: 1337, Symbol: "us dc", Token: ledgertest.Address("x"), Decimals: 6},
		"more decimals than digits":       {ChainID: 1337, Symbol: "X", Token: ledgertest.Address("x"), Decimals: 78},
	} {
		if _, err := w.RegisterAsset(t.Context(), a, settlement.NewAmount(1)); settlement.KindOf(err) != settlement.Invalid {
			t.Errorf("%s: %s %v", why, settlement.KindOf(err), err)
		}
	}
	assets, err := w.Assets(t.Context(), 1337)
	if err != nil || len(assets) != 2 || assets[0].FeeCeiling != settlement.NewAmount(7) || assets[0].Balance != w.Units("USDC", "1000000") {
		t.Errorf("%+v %v", assets, err)
	}
	if a, err := w.Asset(t.Context(), 1337, "USDC"); err != nil || a != w.USDC {
		t.Errorf("%+v %v", a, err)
	}
	if _, err := w.Asset(t.Context(), 1, "USDC"); settlement.KindOf(err) != settlement.NotFound {
		t.Errorf("an asset of another chain: %v", err)
	}
}

func TestASignersBalanceIsBookedOnceFromFunding(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t, ledgertest.WithLanes(0, 16))
	c := ledger.LaneConfig{
		ChainID: 1337, Signer: ledgertest.Signer(0), Custody: ledger.CustodyKeystore, CapCeiling: settlement.NewAmount(1e9),
		Block: 12, Nonce: 41, Balance: w.Units("ETH", "2.5"), Operator: true,
	}
	var wg sync.WaitGroup
	added := make([]bool, 4)
	for i := range added {
		wg.Go(func() {
			lane, existed, err := w.AddLane(t.Context(), c)
			if err != nil || lane.NextNonce != 41 || lane.MinedNonce != 41 || lane.InFlightMax != 16 || lane.InFlight() != 0 {
				t.Errorf("%+v %v", lane, err)
			}
			added[i] = !existed
		})
	}
	wg.Wait()
	if n := len(slices.DeleteFunc(added, func(a bool) bool { return !a })); n != 1 {
		t.Errorf("added %d times", n)
	}
	booked := ledgertest.Value[string](w, `SELECT string_agg(format('%s %s', a.kind, b.debits_posted - b.credits_posted), ', ' ORDER BY a.kind)
		FROM balances b JOIN accounts a ON a.id = b.account_id WHERE a.kind IN ('signer_float', 'funding')`)
	if booked != "funding -2500000000000000000, signer_float 2500000000000000000" {
		t.Errorf("booked %s", booked)
	}
	if err := checkBooks(w); err != nil {
		t.Error(err)
	}
	c.ChainID = 1
	if _, _, err := w.AddLane(t.Context(), c); settlement.KindOf(err) != settlement.Invalid {
		t.Errorf("a lane of a chain without its coin: %v", err)
	}
}

func TestAccountsAreMadeOncePerTenantAndPagedInOrder(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	first, existed, err := w.CreateAccount(t.Context(), "acme", "carol")
	if err != nil || existed || first.CustomerID != settlement.CustomerID("acme", "carol") {
		t.Errorf("%+v %v %v", first, existed, err)
	}
	again, existed, err := w.CreateAccount(t.Context(), "acme", "carol")
	if err != nil || !existed || again.ID != first.ID || !again.CreatedAt.Equal(first.CreatedAt) {
		t.Errorf("%+v %v %v", again, existed, err)
	}
	for _, bad := range [][2]string{{"Acme", "carol"}, {"acme", ""}, {"acme", "car ol"}, {"a/b", "carol"}} {
		if _, _, err := w.CreateAccount(t.Context(), bad[0], bad[1]); settlement.KindOf(err) != settlement.Invalid {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if _, err := w.Account(t.Context(), "", "carol"); settlement.KindOf(err) != settlement.NotFound {
		t.Errorf("another tenant's account: %v", err)
	}
	var names []string
	after := int64(0)
	for {
		page, err := w.Accounts(t.Context(), after, 2)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, a := range page {
			names, after = append(names, a.Name), a.ID
		}
	}
	if !slices.Equal(names, []string{"alice", "bob", "carol"}) {
		t.Errorf("paged %v", names)
	}
}

func TestTheOperatorsGoStartsAnAssetGrantsItsQueueAndWakesItsWaiters(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t, ledgertest.WithLanes(1, 1))
	w.SetHead(100, 95)
	queued := w.Reserved("queued", "1")
	w.Exec(`UPDATE settlements SET state = 'queued' WHERE id = $1`, queued.ID)
	w.Exec(`INSERT INTO queue (settlement_id, asset_id) VALUES ($1, $2)`, queued.ID, w.USDC.ID)
	if _, err := w.StopAsset(t.Context(), w.USDC.ID, "operator", "token misbehaves"); err != nil {
		t.Fatal(err)
	}
	waiting, other := w.Reserved("waiting", "1"), w.Reserved("other", "1")
	if err := w.Wait(t.Context(), waiting.ID, settlement.WaitStopped+": token misbehaves"); err != nil {
		t.Fatal(err)
	}
	if err := w.Wait(t.Context(), other.ID, settlement.WaitPaused); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := w.StartAsset(t.Context(), w.USDC.ID, "operator", "mended"); err != nil {
			t.Fatal(err)
		}
	}
	woken := ledgertest.Value[[]string](w, `SELECT array_agg(stream ORDER BY stream) FROM outbox WHERE destination = 'temporal'`)
	if !slices.Equal(woken, []string{"wake/queued", "wake/waiting"}) {
		t.Errorf("woken %v: a chain may be long without a block", woken)
	}
	granted := ledgertest.Value[[]string](w, `SELECT array_agg(s.key) FROM queue q JOIN settlements s ON s.id = q.settlement_id WHERE q.lane_id IS NOT NULL`)
	if !slices.Equal(granted, []string{"queued"}) {
		t.Errorf("granted %v", granted)
	}
	if n := ledgertest.Value[int](w, `SELECT count(*) FROM journal`); n != 2 {
		t.Errorf("%d journal rows: a stop and a go", n)
	}
	if _, err := w.StopAsset(t.Context(), w.USDC.ID, "operator", ""); settlement.KindOf(err) != settlement.Invalid {
		t.Errorf("a stop for no reason: %v", err)
	}
}
