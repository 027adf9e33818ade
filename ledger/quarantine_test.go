package ledger_test

import (
	"testing"

	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

func TestAQuarantinedDepositTakesEffectOnceItsAccountIsThere(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	s.finalize(s.mine(s.deposit("nora", s.USDC, "5")).Number)
	list, err := s.Quarantine(t.Context(), 0, 10)
	s.ok(err)
	if len(list) != 1 {
		t.Fatalf("quarantine %+v", list)
	}
	release := func() error { return s.ReleaseQuarantine(t.Context(), list[0].ID, "olga", "the account is there now") }
	before := s.dump()
	if err := release(); settlement.KindOf(err) != settlement.Invalid {
		t.Fatalf("an account that is not there: %v", err)
	}
	if after := s.dump(); len(after["journal"]) != len(before["journal"]) || len(after["transfers"]) != len(before["transfers"]) {
		t.Error("a refused release wrote something")
	}
	_, _, err = s.CreateAccount(t.Context(), "", "nora")
	s.ok(err)
	s.ok(release())
	if got := s.balance("customer", "nora", s.USDC); got != "5000000" {
		t.Errorf("nora has %s", got)
	}
	if s.told("account/default/nora", "account.deposited") != 1 {
		t.Error("nobody was told")
	}
	if err := release(); settlement.KindOf(err) != settlement.NotFound {
		t.Errorf("again: %v", err)
	}
	if list, err = s.Quarantine(t.Context(), 0, 10); err != nil || len(list) != 0 {
		t.Errorf("quarantine %+v %v", list, err)
	}
	s.check()
}

func TestAPayoutThatNobodyAskedForIsReleasedWithoutASecondEffect(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	s.finalize(s.mine(s.stranger(settlement.Event{
		Name: settlement.EventSettled, ID: ledgertest.Hash("nobody's"), Token: s.USDC.Token, Party: ledgertest.Address("somebody"), Amount: settlement.NewAmount(40)})).Number)
	list, err := s.Quarantine(t.Context(), 0, 10)
	s.ok(err)
	if len(list) != 1 || s.balance("unexplained_payouts", "", s.USDC) != "40" {
		t.Fatalf("quarantine %+v", list)
	}
	s.ok(s.ReleaseQuarantine(t.Context(), list[0].ID, "olga", "paid by hand, on purpose"))
	if got := s.balance("unexplained_payouts", "", s.USDC); got != "40" {
		t.Errorf("unexplained payouts of %s", got)
	}
	s.check()
}
