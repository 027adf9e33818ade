package ledger_test

import (
	"encoding/json"
	"testing"

	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

func TestAPaymentIsMinedAndSettledOnceItsBlockIsFinal(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	x := s.reserve("k1", "USDC", "100")
	n := s.submit(x)
	block := s.mine(s.pays(x, n))
	got := s.wantState(x, settlement.Mined)
	if *got.TxHash != n.Newest.Hash || *got.BlockNumber != block.Number {
		t.Errorf("mined by %s in %d", got.TxHash, *got.BlockNumber)
	}
	s.check()
	if s.balance("vault", "", s.USDC) != "1000000000" || s.wakes(x) != 0 {
		t.Errorf("a block that is not final posted %s and woke %d", s.balance("vault", "", s.USDC), s.wakes(x))
	}
	s.finalize(block.Number)
	got = s.wantState(x, settlement.Settled)
	if got.Live != nil || *got.TxHash != n.Newest.Hash || *got.BlockNumber != block.Number {
		t.Errorf("settled: %+v", got)
	}
	for what, have := range map[string][2]string{
		"vault": {s.balance("vault", "", s.USDC), "900000000"}, "alice": {s.balance("customer", ledgertest.Alice, s.USDC), "900000000"},
		"gas":   {s.balance("gas_expense", "", s.ETH), "120000000000000"},
		"float": {s.balance("signer_float", "", s.ETH), "99999880000000000000"},
	} {
		if have[0] != have[1] {
			t.Errorf("%s: %s, want %s", what, have[0], have[1])
		}
	}
	stream := "settlement/k1"
	for _, kind := range []string{"settlement.requested", "settlement.submitted", "settlement.mined", "settlement.settled"} {
		if n := s.told(stream, kind); n != 1 {
			t.Errorf("%s was told %d times", kind, n)
		}
	}
	if s.wakes(x) != 1 {
		t.Errorf("%d wake-ups", s.wakes(x))
	}
	var snapshot settlement.Snapshot
	s.ok(json.Unmarshal([]byte(ledgertest.Value[string](s.World, `SELECT result::text FROM idempotency_keys WHERE key = 'k1' AND status = 'completed'`)), &snapshot))
	if want := got.Snapshot(); snapshot.Key != "k1" || snapshot.State != settlement.Settled || snapshot.Amount != "100" || *snapshot.TxHash != *want.TxHash || *snapshot.BlockNumber != *want.BlockNumber {
		t.Errorf("the stored answer %+v is not %+v", snapshot, want)
	}
	s.check()
}
