package cli

import (
	"context"
	"errors"

	"github.com/quittance/quittance/internal/app"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/migrations"
)

type migrateCmd struct{}

// Run applies what is missing. Many at once: one applies, the others wait for it.
func (c *migrateCmd) Run(ctx context.Context, s *session) error {
	l, err := app.ConnectLedger(ctx, s.config.Postgres)
	if err != nil {
		return err
	}
	s.books = l
	if err := app.CheckLedger(ctx, l); errors.Is(err, ledger.ErrNotDurable) { // before anything is written
		return err
	}
	if err := l.Migrate(ctx); err != nil {
		return err
	}
	if err := app.CheckLedger(ctx, l); err != nil {
		return err
	}
	return s.out.one(map[string]any{"schema_version": migrations.Latest}, [2]string{"schema", "is up to date"})
}
