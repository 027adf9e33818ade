package ledger_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

// https://github.com/logos-blockchain/logos-execution-zone/issues/555 (T9): a deposit minted again after finality.
// https://github.com/formancehq/payments/pull/750 (W4): a delta applied on each redelivery.
func TestFinalizingTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x := s.reserve("k1", "USDC", "100")
	payment := s.pays(x, s.submit(x))
	block := s.mine(payment, s.deposit(ledgertest.Bob, s.USDC, "5"))
	s.finalize(block.Number)
	before := s.dump()
	for range 3 {
		s.finalize(block.Number)
	}
	s.finalize(0)
	if diff := cmp.Diff(before, s.dump()); diff != "" {
		t.Error(diff)
	}
	wantErr(t, s.Finalize(t.Context(), s.lease, 1337, block.Number+1), ledger.ErrDiscontinuous)
}

// https://github.com/JiRaska/open-bank-oss/pull/528 (O53): a double reversal under a race.
func TestManyAtOnceFinalizeABlockOnce(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x := s.reserve("k1", "USDC", "100")
	block := s.mine(s.pays(x, s.submit(x)), s.deposit(ledgertest.Bob, s.USDC, "5"))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := s.Finalize(t.Context(), s.lease, 1337, block.Number); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s.wantState(x, settlement.Settled)
	if got := s.balance("customer", ledgertest.Bob, s.USDC); got != "5000000" {
		t.Errorf("bob has %s", got)
	}
	s.check()
}

func TestFinalizeCatchesUpOneCommitPerBlock(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	for range 5 {
		s.mine(s.deposit(ledgertest.Bob, s.USDC, "1"))
	}
	before := s.Counts().Commits
	s.finalize(5)
	if commits := s.Counts().Commits - before; commits != 5 {
		t.Errorf("%d commits for 5 blocks", commits)
	}
	if got := s.balance("customer", ledgertest.Bob, s.USDC); got != "5000000" {
		t.Errorf("bob has %s", got)
	}
	s.check()
}

func TestADepositCreditsTheCustomerAndTellsItsStream(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	if _, _, err := s.CreateAccount(t.Context(), "acme", "carol"); err != nil {
		t.Fatal(err)
	}
	tx := s.deposit(ledgertest.Bob, s.ETH, "1.5")
	tx.events[0].ID = settlement.CustomerID("acme", "carol")
	block := s.mine(tx)
	s.finalize(block.Number)
	a, err := s.Account(t.Context(), "acme", "carol")
	s.ok(err)
	if len(a.Balances) != 1 || a.Balances[0].Available != s.Units("ETH", "1.5") {
		t.Errorf("balances %+v", a.Balances)
	}
	var told ledger.DepositPayload
	s.ok(json.Unmarshal([]byte(ledgertest.Value[string](s.World, `SELECT payload::text FROM outbox WHERE stream = 'account/acme/carol' AND tenant = 'acme' AND type = 'account.deposited'`)), &told))
	want := ledger.DepositPayload{
		Tenant: "acme", Account: "carol", ChainID: 1337, Asset: "ETH", Amount: "1.5", AmountBase: s.Units("ETH", "1.5"),
		From: ledgertest.Address("payer").Hex(), TxHash: tx.hash, BlockNumber: block.Number,
	}
	if diff := cmp.Diff(want, told, cmp.AllowUnexported(settlement.Amount{})); diff != "" {
		t.Error(diff)
	}
	s.check()
}

func TestADepositThatNamesNobodyWeKnowIsKeptAndNotBooked(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, why, want string
		edit            func(s *chainSim, e *settlement.Event)
	}{
		{"customer", "an operator must find out whose it is; the vault shows a surplus", "customer id", func(_ *chainSim, e *settlement.Event) { e.ID = ledgertest.Hash("nobody") }},
		{"token", "anybody may deposit a token of his own", "is not registered", func(_ *chainSim, e *settlement.Event) { e.Token = ledgertest.Address("mine") }},
		{"amount", "the vault never emits zero", "amount is zero", func(_ *chainSim, e *settlement.Event) { e.Amount = settlement.Amount{} }},
		{"vault", "a vault that we never registered", "vault", func(_ *chainSim, e *settlement.Event) { e.Vault = ledgertest.Address("other vault") }},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newSim(t, 1, 16)
			tx := s.deposit(ledgertest.Alice, s.USDC, "5")
			row.edit(s, &tx.events[0])
			s.finalize(s.mine(tx).Number)
			if got := s.quarantined(); len(got) != 1 || !strings.Contains(got[0], row.want) {
				t.Errorf("quarantine %q, want one with %q", got, row.want)
			}
			if got := s.balance("vault", "", s.USDC); got != "1000000000" {
				t.Errorf("the vault's books moved to %s", got)
			}
			s.check()
		})
	}
}

// A hostile token may make the vault emit 2^256-1 as often as it likes. No token has a supply above that.
func TestAnImpossibleSumIsRefusedByTheBooksAndParked(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	evil, err := s.RegisterAsset(t.Context(), settlement.Asset{ChainID: 1337, Symbol: "EVIL", Token: ledgertest.Address("evil"), Decimals: 18}, settlement.NewAmount(1e18))
	s.ok(err)
	most, _ := settlement.AmountFromDecimal("115792089237316195423570985008687907853269984665640564039457584007913129639935")
	deposit := func() simTx {
		tx := s.deposit(ledgertest.Bob, evil, "0")
		tx.events[0].Amount = most
		return tx
	}
	x := s.reserve("k1", "USDC", "100")
	block := s.mine(deposit(), s.deposit(ledgertest.Bob, s.USDC, "1"), deposit(), s.pays(x, s.submit(x)), deposit())
	s.finalize(block.Number)
	s.wantState(x, settlement.Settled)
	if got := s.balance("vault", "", evil); got != most.String() {
		t.Errorf("the vault's books hold %s", got)
	}
	got := s.quarantined()
	if len(got) != 2 {
		t.Fatalf("quarantine %q", got)
	}
	for _, reason := range got {
		if !strings.Contains(reason, "balances_possible") {
			t.Errorf("parked without the database's words: %q", reason)
		}
	}
	s.check()
}

func TestOneRefusedEffectHarmsNoNeighbour(t *testing.T) {
	t.Parallel()
	s := newSim(t, 2, 16)
	s.Exec(`ALTER TABLE transfers ADD CONSTRAINT unlucky CHECK (leg <> 'deposit' OR amount <> 13)`)
	var txs []simTx
	var paid []settlement.Settlement
	for i := range 20 {
		x := s.reserve(fmt.Sprintf("k%d", i), "USDC", "1")
		paid = append(paid, x)
		txs = append(txs, s.pays(x, s.submit(x)), s.deposit(ledgertest.Bob, s.USDC, "0.000001"))
		if i == 7 || i == 8 {
			txs = append(txs, s.deposit(ledgertest.Bob, s.USDC, "0.000013"))
		}
	}
	block := s.mine(txs...)
	before := s.Counts()
	s.finalize(block.Number)
	if trips := s.Counts().RoundTrips - before.RoundTrips; trips > 30 {
		t.Errorf("%d round trips to find 2 of 62 effects", trips)
	}
	for _, x := range paid {
		s.wantState(x, settlement.Settled)
	}
	if got := s.balance("customer", ledgertest.Bob, s.USDC); got != "20" {
		t.Errorf("bob has %s base units", got)
	}
	if got := s.quarantined(); len(got) != 2 || !strings.Contains(got[0], "unlucky") {
		t.Errorf("quarantine %q", got)
	}
	if told := s.told("account/default/bob", "account.deposited"); told != 20 {
		t.Errorf("%d deposits told: what was undone must not be", told)
	}
	s.check()
}

func TestAPaymentThatIsNotWhatWasAskedForIsUnexplained(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, why, want, booked string
		edit                    func(s *chainSim, e *settlement.Event)
	}{
		{"amount", "less than asked", "another amount", "99", func(s *chainSim, e *settlement.Event) { e.Amount = settlement.NewAmount(99) }},
		{"recipient", "somebody else was paid", "another recipient", "100000000", func(_ *chainSim, e *settlement.Event) { e.Party = ledgertest.Address("thief") }},
		{"token", "in a coin that we do not know: nothing to book", "another token", "0", func(_ *chainSim, e *settlement.Event) { e.Token = ledgertest.Address("mine") }},
		{"id", "an id that no settlement has", "is unknown", "100000000", func(_ *chainSim, e *settlement.Event) { e.ID = ledgertest.Hash("nothing") }},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newSim(t, 1, 16)
			x := s.reserve("k1", "USDC", "100")
			n := s.submit(x)
			tx := s.pays(x, n)
			row.edit(s, &tx.events[0])
			s.finalize(s.mine(tx).Number)
			if got := s.quarantined(); len(got) != 1 || !strings.Contains(got[0], row.want) {
				t.Errorf("quarantine %q, want %q", got, row.want)
			}
			if got := s.balance("unexplained_payouts", "", s.USDC); got != row.booked {
				t.Errorf("unexplained payouts of %s, want %s", got, row.booked)
			}
			if got := ledgertest.Value[int](s.World, `SELECT count(*) FROM effects WHERE kind = 'unexplained'`); got != 1 {
				t.Errorf("%d unexplained effects: every Settled event has one or settles", got)
			}
			if got := s.wantState(x, settlement.Requested); got.Live != nil || s.wakes(x) != 1 {
				t.Errorf("the settlement lost its nonce and must be woken: %+v, %d wake-ups", got, s.wakes(x))
			}
			if got := ledgertest.Value[string](s.World, `SELECT outcome FROM transactions WHERE id = $1`, n.ID); got != "reverted" {
				t.Errorf("outcome %s", got)
			}
			s.check()
		})
	}
}

func TestAPaymentIsFoundByItsIDWhateverTheSettlementWaitsFor(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name string
		why  string
		move func(s *chainSim, x settlement.Settlement)
	}{
		{"requested", "another operator of the vault paid it", func(*chainSim, settlement.Settlement) {}},
		{"waiting", "it waits for a reason that is over", func(s *chainSim, x settlement.Settlement) {
			s.ok(s.Wait(s.t.Context(), x.ID, settlement.WaitDoubtful))
		}},
		{"queued", "it has a place in the queue, which it leaves", func(s *chainSim, x settlement.Settlement) {
			s.queue(x)
		}},
		{"submitted", "its own nonce is still out, and stays supervised", func(s *chainSim, x settlement.Settlement) { s.submit(x) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newSim(t, 1, 1)
			x := s.reserve("k1", "USDC", "100")
			row.move(s, x)
			s.wantState(x, settlement.State(row.name))
			s.finalize(s.mine(s.stranger(s.settled(x))).Number)
			got := s.wantState(x, settlement.Settled)
			if live := got.Live != nil; live != (row.name == "submitted") {
				t.Errorf("live nonce: %v", live)
			}
			if n := ledgertest.Value[int](s.World, `SELECT count(*) FROM queue WHERE settlement_id = $1`, x.ID); n != 0 {
				t.Error("it still queues")
			}
			s.check()
		})
	}
}

// queue fills the only slot of a one-lane world with another settlement, and queues this one.
func (s *chainSim) queue(x settlement.Settlement) {
	s.t.Helper()
	s.submit(s.reserve("first", "USDC", "1"))
	out, err := s.allocate(x)
	s.ok(err)
	if out.Outcome != settlement.AllocatedQueue {
		s.t.Fatalf("%s %s, want queued", out.Outcome, out.Reason)
	}
}

func TestASecondPaymentOfOneIDIsUnexplained(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x := s.reserve("k1", "USDC", "100")
	block := s.mine(s.pays(x, s.submit(x)), s.stranger(s.settled(x)))
	later := s.mine(s.stranger(s.settled(x)))
	s.finalize(block.Number)
	s.finalize(later.Number)
	s.wantState(x, settlement.Settled)
	if got := s.balance("customer", ledgertest.Alice, s.USDC); got != "900000000" {
		t.Errorf("alice has %s: she pays once", got)
	}
	if got := s.balance("unexplained_payouts", "", s.USDC); got != "200000000" {
		t.Errorf("unexplained payouts of %s", got)
	}
	if got := s.quarantined(); len(got) != 2 {
		t.Errorf("quarantine %q", got)
	}
	s.check()
}

func TestAFinalRevokeGivesTheMoneyBack(t *testing.T) {
	t.Parallel()
	revoked := func(x settlement.Settlement) settlement.Event {
		return settlement.Event{Name: settlement.EventRevoked, ID: x.OnchainID}
	}
	for _, row := range []struct {
		name, why string
		before    func(s *chainSim, x settlement.Settlement)
		want      settlement.State
	}{
		{"by somebody", "an operator key acted on chain", func(*chainSim, settlement.Settlement) {}, settlement.Failed},
		{"by us", "our own revoke was committed: an operator asked for it", func(s *chainSim, x settlement.Settlement) {
			s.Exec(`UPDATE settlements SET wish = 'revoke', wish_reason = 'ops: test' WHERE id = $1`, x.ID)
		}, settlement.Cancelled},
		{"while a payment is out", "the payment can only revert from now on", func(s *chainSim, x settlement.Settlement) { s.submit(x) }, settlement.Failed},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newSim(t, 1, 16)
			x := s.reserve("k1", "USDC", "100")
			row.before(s, x)
			s.finalize(s.mine(s.stranger(revoked(x))).Number)
			got := s.wantState(x, row.want)
			if got.Proof != settlement.ProofRevoked || got.Reason == "" || s.wakes(x) != 1 {
				t.Errorf("%+v, %d wake-ups", got, s.wakes(x))
			}
			a, err := s.Account(t.Context(), "", ledgertest.Alice)
			s.ok(err)
			if a.Balances[0].Available != s.Units("USDC", "1000") || !a.Balances[0].Held.IsZero() {
				t.Errorf("alice %+v", a.Balances[0])
			}
			if told := s.told("settlement/k1", "settlement."+string(row.want)); told != 1 {
				t.Errorf("told %d times", told)
			}
			s.check()
			if got.Live != nil { // the payment reverts later, and nothing but its gas is booked
				s.finalize(s.mine(s.reverts(*got.Live)).Number)
				s.wantState(x, row.want)
				if n := ledgertest.Value[int](s.World, `SELECT reverts_in_row FROM assets WHERE id = $1`, s.USDC.ID); n != 0 {
					t.Error("a revert that was to be expected counts against the asset")
				}
				s.check()
			}
		})
	}
}

func TestARevokeThatCannotBeIsKept(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x := s.reserve("k1", "USDC", "100")
	revoked := settlement.Event{Name: settlement.EventRevoked, ID: x.OnchainID}
	unknown := settlement.Event{Name: settlement.EventRevoked, ID: ledgertest.Hash("nothing")}
	s.finalize(s.mine(s.pays(x, s.submit(x)), s.stranger(revoked), s.stranger(unknown)).Number)
	s.finalize(s.mine(s.stranger(revoked)).Number)
	s.wantState(x, settlement.Settled)
	if got := s.quarantined(); len(got) != 3 || !strings.Contains(got[0], "although it is paid") || !strings.Contains(got[1], "unknown") {
		t.Errorf("quarantine %q", got)
	}
	s.check()
}

func TestAWithdrawalGoesToFunding(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	s.finalize(s.mine(s.stranger(settlement.Event{Name: settlement.EventWithdrawn, Token: s.USDC.Token, Party: ledgertest.Address("owner"), Amount: settlement.NewAmount(40)})).Number)
	if vault, funding := s.balance("vault", "", s.USDC), s.balance("funding", "", s.USDC); vault != "999999960" || funding != "40" {
		t.Errorf("vault %s funding %s", vault, funding)
	}
	s.check()
}
