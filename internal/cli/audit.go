package cli

import (
	"context"
	"fmt"

	"github.com/quittance/quittance/internal/app"
	"github.com/quittance/quittance/internal/audit"
)

type auditCmd struct {
	NoTemporal bool `help:"Do not look at workflows."`
}

func (c *auditCmd) Run(ctx context.Context, s *session) error {
	site, err := s.chain(ctx)
	if err != nil {
		return err
	}
	report, err := c.audit(ctx, s, site)
	if err != nil {
		return err
	}
	if err := s.out.audit(report); err != nil {
		return err
	}
	if !report.Holds() {
		return outcome{exitDifference, "the audit found a difference"}
	}
	return nil
}

func (c *auditCmd) audit(ctx context.Context, s *session, site app.Site) (audit.Report, error) {
	a := audit.Auditor{Ledger: s.books, Chain: site.Config, Pool: site.Pool}
	if !c.NoTemporal {
		runs, err := s.runs(ctx)
		if err != nil {
			return audit.Report{}, err
		}
		a.Runs = &runs
	}
	return a.Run(ctx)
}

func (p printer) audit(r audit.Report) error {
	if p.json {
		return p.object(struct {
			audit.Report
			Holds bool `json:"holds"`
		}{r, r.Holds()})
	}
	fmt.Fprintf(p.w, "chain %d at final block %d %s\n", r.ChainID, r.Block, r.Hash)
	err := rows(p, r.Findings, []string{"", "INVARIANT", "CHECKED", ""}, func(f audit.Finding) []string {
		verdict := "holds"
		if len(f.Broken) > 0 {
			verdict = "BROKEN"
		}
		title := f.Title
		if f.ByTest != "" {
			title += " (by test only: " + f.ByTest + ")"
		}
		return []string{verdict, f.Invariant, fmt.Sprint(f.Checked), title}
	})
	for _, f := range r.Findings {
		for _, row := range f.Broken {
			fmt.Fprintf(p.w, "  %s broken: %s\n", f.Invariant, row)
		}
	}
	for _, note := range r.Notes {
		fmt.Fprintf(p.w, "  note: %s\n", note)
	}
	return err
}
