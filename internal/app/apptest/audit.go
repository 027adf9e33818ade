package apptest

import (
	"github.com/quittance/quittance/internal/app"
	"github.com/quittance/quittance/internal/audit"
	"github.com/quittance/quittance/ledger"
)

// Audit proves the books in a database of this world against its chain. The world's own database is w.DSN.
func (w *World) Audit(dsn string) audit.Report {
	w.T.Helper()
	l, err := ledger.Open(w.T.Context(), dsn, ledger.WithConns(2))
	w.Must(err)
	defer l.Close()
	site, err := app.DialChain(w.T.Context(), w.Chain(), l)
	w.Must(err)
	defer site.Pool.Close()
	runs := w.Runs()
	report, err := audit.Auditor{Ledger: l, Chain: site.Config, Pool: site.Pool, Runs: &runs}.Run(w.T.Context())
	w.Must(err)
	return report
}

// Holds fails the test on every row that breaks an invariant.
func (w *World) Holds() {
	w.T.Helper()
	for _, f := range w.Audit(w.DSN).Findings {
		for _, row := range f.Broken {
			w.T.Errorf("%s is broken: %s", f.Invariant, row)
		}
	}
}
