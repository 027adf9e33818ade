package ledger_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

func TestReserveHoldsTheAmountAndTellsTheWorldOnce(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	before := w.Counts()
	s := w.Reserved("order-1", "12.5")
	cost := w.Counts()
	if commits, trips := cost.Commits-before.Commits, cost.RoundTrips-before.RoundTrips; commits != 1 || trips != 2 {
		t.Errorf("%d commits and %d round trips, want 1 and 2", commits, trips)
	}
	balance := usdcOf(t, w, ledgertest.Alice)
	if balance.Available != w.Units("USDC", "987.5") || balance.Held != w.Units("USDC", "12.5") {
		t.Errorf("available %s held %s", balance.Available, balance.Held)
	}
	if want := ledgertest.Key("order-1").OnchainID(1337, w.Chain.Vault); s.OnchainID != want {
		t.Errorf("settlement id %s, want %s", s.OnchainID, want)
	}
	if stored := w.Read("order-1"); !sameSettlement(stored, s) {
		t.Errorf("returned %+v\nstored   %+v", s, stored)
	}
	types := eventTypes(w, "settlement/order-1")
	if !slices.Equal(types, []string{"settlement.requested"}) {
		t.Errorf("events %v", types)
	}
	var told settlement.Snapshot
	raw := ledgertest.Value[[]byte](w, `SELECT payload::text::bytea FROM outbox WHERE stream = 'settlement/order-1'`)
	if err := json.Unmarshal(raw, &told); err != nil || told.Amount != "12.5" || told.AmountBase != settlement.NewAmount(12_500_000) || told.State != settlement.Requested {
		t.Errorf("payload %s: %v", raw, err)
	}
}

// sameSettlement compares what does not depend on how it was read.
func sameSettlement(a, b settlement.Settlement) bool {
	aText, _ := json.Marshal(a.Snapshot())
	bText, _ := json.Marshal(b.Snapshot())
	return a.ID == b.ID && a.Vault == b.Vault && a.RequestID == b.RequestID && a.Request == b.Request && a.CreatedAt.Equal(b.CreatedAt) && string(aText) == string(bText)
}

func usdcOf(t *testing.T, w *ledgertest.World, name string) ledger.Balance {
	t.Helper()
	a, err := w.Account(t.Context(), "", name)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range a.Balances {
		if b.Asset.Symbol == "USDC" {
			return b
		}
	}
	return ledger.Balance{}
}

func eventTypes(w *ledgertest.World, stream string) (types []string) {
	return ledgertest.Value[[]string](w, `SELECT coalesce(array_agg(type ORDER BY seq), '{}') FROM outbox WHERE stream = $1 AND destination = 'nats'`, stream)
}

func TestReserveWithTheRowsOwnRequestIDCountsNothing(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	first := w.Reserved("order-1", "1")
	again, err := w.Reserve(t.Context(), w.Reservation("order-1", "1"))
	if err != nil || !sameSettlement(first, again) {
		t.Errorf("%+v %v", again, err)
	}
	other := w.Reservation("order-1", "1")
	other.RequestID = "another run"
	if again, err = w.Reserve(t.Context(), other); err != nil || again.RequestID != first.RequestID {
		t.Errorf("request id %s %v", again.RequestID, err)
	}
	if hits := ledgertest.Value[int](w, `SELECT hits FROM idempotency_keys WHERE key = 'order-1'`); hits != 1 {
		t.Errorf("%d hits, want 1: only another request is a hit", hits)
	}
	counts, err := w.RequestCounts(t.Context())
	if err != nil || counts[ledger.OutcomeNew] != 1 || counts[ledger.OutcomeInProgress] != 1 || counts[ledger.OutcomeReplay] != 0 {
		t.Errorf("counts %v %v", counts, err)
	}
}

func TestAnotherMeaningIsAConflictThatNamesTheFieldsAndWritesOnlyTheHit(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why    string
		change func(w *ledgertest.World, r *settlement.Reservation)
		fields []string
	}{
		{"another amount", func(w *ledgertest.World, r *settlement.Reservation) { r.Amount = w.Units("USDC", "2") }, []string{"amount"}},
		{"another recipient", func(w *ledgertest.World, r *settlement.Reservation) { r.To = ledgertest.Address("else") }, []string{"to"}},
		{"another account", func(w *ledgertest.World, r *settlement.Reservation) { r.Account = ledgertest.Bob }, []string{"account"}},
		{"an account that does not exist", func(w *ledgertest.World, r *settlement.Reservation) { r.Account = "nobody" }, []string{"account"}},
		{"another asset", func(w *ledgertest.World, r *settlement.Reservation) { r.Asset = w.ETH }, []string{"asset"}},
		{"several fields", func(w *ledgertest.World, r *settlement.Reservation) {
			r.To, r.Amount = ledgertest.Address("else"), w.Units("USDC", "2")
		}, []string{"amount", "to"}},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			w := ledgertest.New(t)
			w.Reserved("order-1", "1")
			before := rowsOf(w)
			r := w.Reservation("order-1", "1")
			r.RequestID = "another run"
			row.change(w, &r)
			_, err := w.Reserve(t.Context(), r)
			var e *settlement.Error
			if !asError(err, &e) || e.Kind != settlement.Conflict || !slices.Equal(e.Fields, row.fields) {
				t.Fatalf("%v", err)
			}
			if _, outcome, err := w.Answer(t.Context(), r.Request); outcome != ledger.OutcomeConflict || settlement.KindOf(err) != settlement.Conflict {
				t.Errorf("answer: %s %v", outcome, err)
			}
			if after := rowsOf(w); after != before {
				t.Errorf("rows before %s\nafter %s", before, after)
			}
			if hits := ledgertest.Value[int](w, `SELECT hits FROM idempotency_keys WHERE key = 'order-1'`); hits != 2 {
				t.Errorf("%d hits, want 2", hits)
			}
		})
	}
}

// rowsOf counts what a refused request must not add to.
func rowsOf(w *ledgertest.World) string {
	return ledgertest.Value[string](w, `SELECT format('settlements %s, keys %s, transfers %s, outbox %s, held %s', (SELECT count(*) FROM settlements),
		(SELECT count(*) FROM idempotency_keys), (SELECT count(*) FROM transfers), (SELECT count(*) FROM outbox), (SELECT sum(debits_pending) FROM balances))`)
}

func TestInsufficientBalanceFailsTheSettlementForGoodWithoutAHold(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	s, err := w.Reserve(t.Context(), w.Reservation("order-1", "1000.000001"))
	if err != nil || s.State != settlement.Failed || s.Reason != "insufficient balance" || s.Proof != settlement.ProofInsufficientBalance {
		t.Fatalf("%+v %v", s, err)
	}
	if b := usdcOf(t, w, ledgertest.Alice); !b.Held.IsZero() {
		t.Errorf("held %s", b.Held)
	}
	w.Fund(ledgertest.Alice, w.USDC, "5000")
	again, err := w.Reserve(t.Context(), w.Reservation("order-1", "1000.000001"))
	if err != nil || again.State != settlement.Failed {
		t.Errorf("a failed key must stay failed: %s %v", again.State, err)
	}
	if _, outcome, err := w.Answer(t.Context(), w.Reservation("order-1", "1000.000001").Request); outcome != ledger.OutcomeReplay || err != nil {
		t.Errorf("answer %s %v", outcome, err)
	}
	if types := eventTypes(w, "settlement/order-1"); !slices.Equal(types, []string{"settlement.failed"}) {
		t.Errorf("events %v", types)
	}
	status := ledgertest.Value[string](w, `SELECT status || ' ' || (result ->> 'state') || ' ' || (finished_at IS NOT NULL) FROM idempotency_keys`)
	if status != "failed failed true" {
		t.Errorf("key is %s", status)
	}
}

func TestTheWholeBalanceCanBeReservedAndNotOneUnitMore(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	w.Reserved("all", "1000")
	if s, err := w.Reserve(t.Context(), w.Reservation("more", "0.000001")); err != nil || s.State != settlement.Failed {
		t.Errorf("%s %v", s.State, err)
	}
	r := w.Reservation("bob", "1")
	r.Account = ledgertest.Bob
	if s, err := w.Reserve(t.Context(), r); err != nil || s.State != settlement.Failed {
		t.Errorf("a customer who never had a balance row: %s %v", s.State, err)
	}
}

func TestReserveRefusesWhatItDoesNotKnowAndWritesNothing(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	before := rowsOf(w)
	for _, row := range []struct {
		why, field string
		change     func(r *settlement.Reservation)
	}{
		{"accounts are never made by a request", "account", func(r *settlement.Reservation) { r.Account = "nobody" }},
		{"an account of another tenant is unknown in this one", "account", func(r *settlement.Reservation) { r.Key.Tenant = "acme" }},
		{"only registered assets touch the ledger", "asset", func(r *settlement.Reservation) { r.Asset.Token = ledgertest.Address("other token") }},
		{"an asset of another chain", "asset", func(r *settlement.Reservation) { r.Asset.ChainID = 1 }},
		{"a vault that the chain never had", "vault", func(r *settlement.Reservation) { r.Vault = ledgertest.Address("no vault") }},
		{"the zero address", "to", func(r *settlement.Reservation) { r.To = settlement.NativeToken }},
		{"the vault would pay itself", "to", func(r *settlement.Reservation) { r.To = w.Chain.Vault }},
		{"a token contract keeps what it gets", "to", func(r *settlement.Reservation) { r.To = w.USDC.Token }},
		{"a signer's float is not for customers", "to", func(r *settlement.Reservation) { r.To = w.Lanes[1].Signer }},
		{"nothing to pay", "amount", func(r *settlement.Reservation) { r.Amount = settlement.Amount{} }},
		{"a key that could pass for another tenant's", "key", func(r *settlement.Reservation) { r.Key.Value = "@acme/1" }},
		{"no request id, so no repeat could be told from a duplicate", "request_id", func(r *settlement.Reservation) { r.RequestID = "" }},
	} {
		r := w.Reservation("order-1", "1")
		row.change(&r)
		_, err := w.Reserve(t.Context(), r)
		var e *settlement.Error
		if !asError(err, &e) || e.Kind != settlement.Invalid || e.Field != row.field {
			t.Errorf("%s: %v", row.why, err)
		}
	}
	if after := rowsOf(w); after != before {
		t.Errorf("rows before %s\nafter %s", before, after)
	}
}

// https://github.com/formancehq/stack/pull/1638: a key that is unique globally lets one tenant block another.
func TestTwoTenantsMayUseTheSameKey(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	w.Reserved("order-1", "1")
	if _, _, err := w.CreateAccount(t.Context(), "acme", ledgertest.Alice); err != nil {
		t.Fatal(err)
	}
	r := w.Reservation("order-1", "2")
	r.Key.Tenant = "acme"
	s, err := w.Reserve(t.Context(), r)
	if err != nil || s.State != settlement.Failed || s.Reason != "insufficient balance" {
		t.Fatalf("acme's alice has no balance of her own: %+v %v", s, err)
	}
	if s.OnchainID == w.Read("order-1").OnchainID {
		t.Error("two tenants share a settlement id")
	}
}

// https://github.com/rudderlabs/rudder-server/pull/4241, https://github.com/oxidecomputer/omicron/issues/1168: DO NOTHING
// RETURNING returns nothing to the losers of a race.
// https://github.com/formancehq/ledger/pull/921: and their conflict surfaces as an internal error.
func TestOneKeyReservedByThirtyTwoAtOnceIsOneSettlement(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t, ledgertest.WithConns(32))
	const racers = 32
	settlements, errs := make([]settlement.Settlement, racers), make([]error, racers)
	var wg sync.WaitGroup
	for i := range racers {
		wg.Go(func() {
			r := w.Reservation("order-1", "10")
			r.RequestID = fmt.Sprintf("run %d", i)
			settlements[i], errs[i] = w.Reserve(t.Context(), r)
		})
	}
	wg.Wait()
	for i := range racers {
		if errs[i] != nil || settlements[i].ID != settlements[0].ID || settlements[i].State != settlement.Requested || settlements[i].RequestID != settlements[0].RequestID {
			t.Errorf("racer %d: %+v %v", i, settlements[i], errs[i])
		}
	}
	if b := usdcOf(t, w, ledgertest.Alice); b.Held != w.Units("USDC", "10") {
		t.Errorf("held %s", b.Held)
	}
	if hits := ledgertest.Value[int](w, `SELECT hits FROM idempotency_keys`); hits != racers-1 {
		t.Errorf("%d hits, want %d", hits, racers-1)
	}
	counts, err := w.RequestCounts(t.Context())
	if err != nil || counts[ledger.OutcomeNew] != 1 || counts[ledger.OutcomeInProgress] != racers-1 {
		t.Errorf("counts %v %v", counts, err)
	}
}

// https://github.com/interledger-deprecated/five-bells-ledger/issues/402: a serialization failure reported as insufficient
// funds. https://github.com/blnkfinance/blnk/issues/181: holds that do not count let a balance go negative.
func TestThirtyTwoAtOnceOnABalanceForTenHoldTenAndFailTwentyTwo(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t, ledgertest.WithConns(32))
	const racers = 32
	errs, states := make([]error, racers), make([]settlement.State, racers)
	var wg sync.WaitGroup
	for i := range racers {
		wg.Go(func() {
			s, err := w.Reserve(t.Context(), w.Reservation(fmt.Sprintf("order-%d", i), "100"))
			states[i], errs[i] = s.State, err
		})
	}
	wg.Wait()
	held, failed := 0, 0
	for i := range racers {
		switch {
		case errs[i] != nil:
			t.Errorf("racer %d: %v", i, errs[i])
		case states[i] == settlement.Requested:
			held++
		case states[i] == settlement.Failed:
			failed++
		}
	}
	if held != 10 || failed != 22 {
		t.Errorf("%d held and %d failed, want 10 and 22", held, failed)
	}
	if b := usdcOf(t, w, ledgertest.Alice); !b.Available.IsZero() || b.Held != w.Units("USDC", "1000") {
		t.Errorf("available %s held %s", b.Available, b.Held)
	}
}

// https://github.com/aws-samples/sample-agentcore-cloudfront-x402-payments/issues/40 (T6): a failure, tried again twice, pays twice.
func TestWhatFailedIsTriedAgainByOneKeyAtATime(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	end := func(s settlement.Settlement) {
		t.Helper()
		if err := w.FailUnpaid(t.Context(), s.ID, "refused", settlement.UnpaidProof{}); err != nil {
			t.Fatal(err)
		}
	}
	retry := func(key, of string) (settlement.Settlement, error) {
		r := w.Reservation(key, "1")
		r.RetryOf = of
		return w.Reserve(t.Context(), r)
	}
	open, failed := w.Reserved("open", "1"), w.Reserved("failed", "1")
	end(failed)
	first, err := retry("first", "failed")
	if err != nil || first.RetryOf != "failed" {
		t.Fatalf("%+v %v", first, err)
	}
	for _, row := range []struct{ why, of, key string }{
		{"it may still be paid", open.Key.Value, "again"},
		{"there is no such settlement", "never seen", "again"},
		{"another key tries it again", "failed", "second"},
	} {
		_, err := retry(row.key, row.of)
		var rule *settlement.Error
		if !errors.As(err, &rule) || rule.Kind != settlement.Invalid || rule.Field != "retry_of" {
			t.Errorf("%s: %v", row.why, err)
		}
		if _, err := w.Settlement(t.Context(), ledgertest.Key(row.key)); settlement.KindOf(err) != settlement.NotFound {
			t.Errorf("%s: it was written all the same: %v", row.why, err)
		}
	}
	if again, err := retry("first", "failed"); err != nil || again.ID != first.ID {
		t.Errorf("the same request again: %+v %v", again, err)
	}
	end(first)
	const racers = 8
	won := make([]bool, racers)
	var wg sync.WaitGroup
	for i := range racers {
		wg.Go(func() {
			_, err := retry(fmt.Sprintf("racer-%d", i), "failed")
			if won[i] = err == nil; err != nil && settlement.KindOf(err) != settlement.Invalid {
				t.Errorf("racer %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	if n := ledgertest.Value[int](w, `SELECT count(*) FROM settlements WHERE retry_of = 'failed' AND state <> 'failed'`); n != 1 || !slices.Contains(won, true) {
		t.Errorf("%d keys try it again at once, want one", n)
	}
}
