package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

func TestALeaseHasOneHolderAndItsTokenRises(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t, ledgertest.Empty())
	acquire := func(holder string, ttl time.Duration) (settlement.Lease, bool) {
		t.Helper()
		lease, ok, err := w.AcquireLease(t.Context(), "listener/1", holder, ttl)
		if err != nil {
			t.Fatal(err)
		}
		return lease, ok
	}
	a, ok := acquire("a", time.Hour)
	if !ok {
		t.Fatal("a free lease was refused")
	}
	if _, ok := acquire("b", time.Hour); ok {
		t.Error("b took a lease that a holds")
	}
	if _, ok := acquire("a", time.Hour); ok {
		t.Error("a namesake of the holder took the lease: two processes may have one name")
	}
	if err := w.RenewLease(t.Context(), a, -time.Second); err != nil { // as if it had expired
		t.Fatal(err)
	}
	if err := w.RenewLease(t.Context(), a, -time.Second); err != nil {
		t.Errorf("an expired lease that nobody took: %v", err)
	}
	b, ok := acquire("b", time.Hour)
	if !ok || b.Token <= a.Token {
		t.Fatalf("b got %+v %v after %+v", b, ok, a)
	}
	wantErr(t, w.RenewLease(t.Context(), a, time.Hour), ledger.ErrLeaseLost)
	wantErr(t, w.RenewLease(t.Context(), a, time.Hour), settlement.ErrLeaseLost)
	if err := w.ReleaseLease(t.Context(), a); err != nil {
		t.Error(err)
	}
	if _, ok := acquire("c", time.Hour); ok {
		t.Error("a released the lease that b holds")
	}
	if err := w.ReleaseLease(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if c, ok := acquire("c", time.Hour); !ok || c.Token <= b.Token {
		t.Errorf("c got %+v %v after %+v", c, ok, b)
	}
}

// A listener whose block takes longer to book than its lease lasts would lose it, undo the block, and never get past it.
func TestARenewalDoesNotWaitForAWriteUnderTheSameLease(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t, ledgertest.Empty())
	a, ok, err := w.AcquireLease(t.Context(), "listener/1", "a", time.Hour)
	if err != nil || !ok {
		t.Fatalf("%v %v", ok, err)
	}
	write, err := w.SQL.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := write.Exec(t.Context(), `SELECT FROM leases WHERE name = $1 AND token = $2 FOR SHARE`, a.Name, a.Token); err != nil {
		t.Fatal(err)
	}
	if err := w.RenewLease(t.Context(), a, time.Hour); err != nil { // would run into the lock timeout
		t.Errorf("while a write is under way: %v", err)
	}
	if waited := w.Counts().Retries; waited != 0 {
		t.Errorf("the renewal waited for the write and tried %d times again", waited)
	}
	if err := write.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.RenewLease(t.Context(), a, -time.Second); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := w.AcquireLease(t.Context(), "listener/1", "b", time.Hour); err != nil || !ok {
		t.Errorf("after the write the lease is prolonged as before: %v %v", ok, err)
	}
	wantErr(t, w.RenewLease(t.Context(), a, time.Hour), ledger.ErrLeaseLost)
}

// https://github.com/worldcoin/world-id-protocol/issues/495 (T26): two replicas with one key.
func TestAListenerThatLostItsLeaseWritesNothing(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x := s.reserve("k1", "USDC", "100")
	n := s.submit(x)
	first := s.mine()
	paying := s.mine(s.pays(x, n))
	y := s.reserve("k2", "USDC", "1")
	m := s.submit(y)

	late := s.lease
	s.ok(s.RenewLease(t.Context(), late, -time.Second))
	s.lease = s.acquire("listener b")
	before := s.dump()
	for name, write := range map[string]func() error{
		"record block": func() error { return s.RecordBlock(t.Context(), late, 1337, s.next(s.pays(y, m))) },
		"rewind":       func() error { return s.Rewind(t.Context(), late, 1337, first.BlockRef) },
		"finalize":     func() error { return s.Finalize(t.Context(), late, 1337, paying.Number) },
		"ask bump":     func() error { return s.AskBump(t.Context(), late, m.ID, m.Newest.Hash, paying.Number) },
		"another lease's token": func() error {
			return s.Finalize(t.Context(), settlement.Lease{Name: "listener/1", Token: s.lease.Token}, 1337, paying.Number)
		},
	} {
		err := write()
		wantErr(t, err, ledger.ErrLeaseLost)
		wantErr(t, err, settlement.ErrLeaseLost)
		if diff := cmp.Diff(before, s.dump()); diff != "" {
			t.Errorf("%s by a late listener changed:\n%s", name, diff)
		}
	}
	s.finalize(paying.Number)
	s.wantState(x, settlement.Settled)
	s.check()
}

// dump is every row of the tables that a listener writes.
func (s *chainSim) dump() map[string][]string {
	s.t.Helper()
	out := map[string][]string{}
	for _, table := range []string{
		"blocks", "heads", "lanes", "mined_transactions", "events", "effects", "quarantine", "transactions", "transaction_items", "attempts",
		"settlements", "idempotency_keys", "queue", "transfers", "balances", "asset_liquidity", "assets", "outbox", "outbox_counters", "journal",
	} {
		rows, err := s.SQL.Query(s.t.Context(), fmt.Sprintf(`SELECT t::text FROM %s t ORDER BY 1`, table))
		s.ok(err)
		for rows.Next() {
			var row string
			s.ok(rows.Scan(&row))
			out[table] = append(out[table], row)
		}
		s.ok(rows.Err())
	}
	return out
}
