package ledger_test

import (
	"errors"
	"flag"
	"os"
	"testing"

	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

// TestMain lets more tests run at once than there are cores: they wait for Postgres's disk, not for a core.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		_ = f.Value.Set("4")
	}
	os.Exit(m.Run())
}

func TestAFreshWorldHasWhatItSays(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	a, err := w.Account(t.Context(), "", ledgertest.Alice)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Balances) != 2 || a.Balances[0].Available != w.Units("USDC", "1000") || a.Balances[1].Available != w.Units("ETH", "10") {
		t.Errorf("balances %+v", a.Balances)
	}
	if err := w.CheckServer(t.Context()); err != nil {
		t.Error(err)
	}
	if r, err := w.Refused(t.Context(), 1337); err != nil || len(r.Tokens) != 2 || len(r.Signers) != 2 {
		t.Errorf("%+v %v", r, err)
	}
}

func asError(err error, target **settlement.Error) bool { return errors.As(err, target) }
