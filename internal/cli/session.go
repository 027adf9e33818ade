package cli

import (
	"context"
	"io"
	"log/slog"

	"go.temporal.io/sdk/client"

	"github.com/quittance/quittance/internal/app"
	"github.com/quittance/quittance/internal/config"
	"github.com/quittance/quittance/internal/intake"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

// session opens what a command needs when it needs it, and closes it at the end.
type session struct {
	config   config.Starter
	log      *slog.Logger
	out      printer
	stdin    io.Reader
	progress io.Writer

	books    *ledger.Ledger
	temporal client.Client
	site     *app.Site
}

func (s *session) close() {
	if s.site != nil {
		s.site.Pool.Close()
	}
	if s.temporal != nil {
		s.temporal.Close()
	}
	if s.books != nil {
		s.books.Close()
	}
}

// ledger opens the books and checks server and schema.
func (s *session) ledger(ctx context.Context) (*ledger.Ledger, error) {
	if s.books != nil {
		return s.books, nil
	}
	l, err := app.OpenLedger(ctx, s.config.Postgres)
	s.books = l
	return l, err
}

// blame names Postgres where it went away after the command had reached it.
func (s *session) blame(err error) error {
	if downOf(err) == nil && settlement.KindOf(err) == settlement.Transient && ledger.ServerGone(err) {
		return app.PostgresDown(s.config.Postgres, err)
	}
	return err
}

func (s *session) runs(ctx context.Context) (workflows.Runs, error) {
	if s.temporal == nil {
		if err := s.config.Temporal.Check(); err != nil {
			return workflows.Runs{}, usage(err)
		}
		t, err := app.DialTemporal(ctx, s.config.Temporal, quietly(s.log))
		if err != nil {
			return workflows.Runs{}, err
		}
		s.temporal = t
	}
	return workflows.Runs{Client: s.temporal, Queues: workflows.Queues(s.config.TaskQueue)}, nil
}

func (s *session) chain(ctx context.Context) (app.Site, error) {
	if s.site != nil {
		return *s.site, nil
	}
	l, err := s.ledger(ctx)
	if err != nil {
		return app.Site{}, err
	}
	if err := s.config.Chain.Check(); err != nil {
		return app.Site{}, usage(err)
	}
	site, err := app.DialChain(ctx, s.config.Chain, l)
	if err != nil {
		return site, err
	}
	s.site = &site
	return site, nil
}

// desk reads the registry; it needs no chain and no Temporal, so invalid input is refused without them.
func (s *session) desk(ctx context.Context) (*intake.Desk, error) {
	l, err := s.ledger(ctx)
	if err != nil {
		return nil, err
	}
	desk, err := intake.OpenDesk(ctx, l, s.config.ChainID)
	if err != nil {
		return nil, err
	}
	return desk, app.CheckVault(s.config.Chain, desk.Vault)
}

func (s *session) intake(ctx context.Context, desk *intake.Desk) (*intake.Intake, error) {
	runs, err := s.runs(ctx)
	if err != nil {
		return nil, err
	}
	return &intake.Intake{Ledger: s.books, Runs: runs, Desk: desk}, nil
}
