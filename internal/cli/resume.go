package cli

import (
	"context"
	"errors"
	"strconv"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

type resumeCmd struct {
	Key    string `arg:"" optional:"" help:"One settlement."`
	All    bool   `help:"All that have not ended, of the tenant."`
	Tenant string `default:"default" help:"Owner of the keys."`
}

const resumePage = 500

// Run starts a run for each settlement that has none; one that runs, and one that has ended, is left alone.
func (c *resumeCmd) Run(ctx context.Context, s *session) error {
	if c.All == (c.Key != "") {
		return settlement.Invalidf("key", "must be given, or --all instead")
	}
	l, err := s.ledger(ctx)
	if err != nil {
		return err
	}
	runs, err := s.runs(ctx)
	if err != nil {
		return err
	}
	if c.Key != "" {
		found, err := s.find(ctx, c.Tenant, c.Key)
		if err != nil {
			return err
		}
		if err := runs.ResumeRow(ctx, l, found.Key); err != nil {
			return err
		}
		return s.out.settlement(found)
	}
	looked, resumed, err := resumeAll(ctx, l, runs, c.Tenant)
	if err != nil {
		return err
	}
	return s.out.one(map[string]any{"looked": looked, "resumed": resumed},
		[2]string{"not ended", strconv.Itoa(looked)}, [2]string{"resumed", strconv.Itoa(resumed)})
}

// resumeAll starts what has no running run, and leaves the others alone: Temporal refuses a second run of an ID.
func resumeAll(ctx context.Context, l *ledger.Ledger, runs workflows.Runs, tenant string) (looked, resumed int, err error) {
	open := ledger.Filter{Tenant: tenant}
	for _, state := range settlement.States {
		if !state.Terminal() {
			open.States = append(open.States, state)
		}
	}
	for before := int64(0); ; {
		page, err := l.Settlements(ctx, open, before, resumePage)
		if err != nil {
			return looked, resumed, err
		}
		for _, one := range page {
			looked++
			_, err := runs.Resume(ctx, workflows.InputOf(one))
			switch {
			case err == nil:
				resumed++
			case !errors.Is(err, workflows.ErrAlreadyStarted):
				return looked, resumed, err
			}
		}
		if len(page) < resumePage {
			return looked, resumed, nil
		}
		before = page[len(page)-1].ID
	}
}
