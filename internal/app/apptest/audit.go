package apptest

import (
	"testing"

	"github.com/quittance/quittance/internal/app"
	"github.com/quittance/quittance/internal/audit"
	"github.com/quittance/quittance/ledger"
)

// Audit proves the books in a database of this world, w.DSN or a Clone, against its chain.
func (w *World) Audit(t *testing.T, dsn string) audit.Report {
	t.Helper()
	l, err := ledger.Open(t.Context(), dsn, ledger.WithConns(2))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	site, err := app.DialChain(t.Context(), w.Chain(), l)
	if err != nil {
		t.Fatal(err)
	}
	defer site.Pool.Close()
	runs := w.Runs()
	report, err := audit.Auditor{Ledger: l, Chain: site.Config, Pool: site.Pool, Runs: &runs}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// Holds audits the world and fails its test on every row that breaks an invariant.
func (w *World) Holds() {
	w.T.Helper()
	for _, f := range w.Audit(w.T, w.DSN).Findings {
		for _, row := range f.Broken {
			w.T.Errorf("%s is broken: %s", f.Invariant, row)
		}
	}
}
