package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/quittance/quittance/internal/intake"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// endCmd asks that a settlement end unpaid. Exit code 0: it is cancelled, or the wish is noted and, without --wait, what is
// mined decides; 4: it ended otherwise, by payment most likely; 5: not decided when the time ran out.
type endCmd struct {
	operator
	Key     string        `arg:"" help:"The settlement's key."`
	Reason  string        `required:"" help:"Why, for the record and for the settlement's answer."`
	Tenant  string        `default:"default" help:"Owner of the key."`
	Wait    bool          `help:"Wait for the end."`
	Timeout time.Duration `default:"60s" help:"With --wait, how long."`
}

// cancelCmd: without a nonce the settlement is cancelled at once; with one, an empty transaction competes for it.
type cancelCmd struct{ endCmd }

// revokeCmd: the vault marks the id as used, so that no bytes of ours, also none that were lost, can ever pay it.
type revokeCmd struct{ endCmd }

func (c *cancelCmd) Run(ctx context.Context, s *session) error {
	return c.run(ctx, s, settlement.WishCancel)
}
func (c *revokeCmd) Run(ctx context.Context, s *session) error {
	return c.run(ctx, s, settlement.WishRevoke)
}

func (c *endCmd) run(ctx context.Context, s *session, wish settlement.Wish) error {
	if c.Timeout < 0 {
		return badTimeout()
	}
	if strings.TrimSpace(c.Reason) == "" {
		return settlement.Invalidf("reason", "must not be empty")
	}
	key, err := parseKey(c.Tenant, c.Key)
	if err != nil {
		return err
	}
	l, err := s.ledger(ctx)
	if err != nil {
		return err
	}
	row, err := l.AskEnd(ctx, key, ledger.Wished{Wish: wish, Actor: c.name(), Reason: c.Reason})
	if settlement.KindOf(err) == settlement.NotFound {
		return s.notFound(ctx, key)
	}
	if err != nil {
		return err
	}
	var waited error
	if c.Wait {
		ctx, cancel := context.WithTimeout(ctx, c.Timeout)
		defer cancel()
		row, waited = (&intake.Intake{Ledger: l}).Ended(ctx, row)
		if waited != nil && settlement.KindOf(waited) != settlement.Unknown {
			return waited
		}
	}
	if err := s.out.settlement(row); err != nil {
		return err
	}
	switch {
	case waited != nil:
		return outcome{exitUnknown, waited.Error()}
	case row.State.Terminal() && row.State != settlement.Cancelled:
		return outcome{exitNotSettled, fmt.Sprintf("%s is not cancelled: it is %s", row.Key, row.State)}
	case !row.State.Terminal():
		s.log.Info("asked: what a final block holds decides", "key", row.Key.Canonical(), "state", row.State, "wish", row.Wish)
	}
	return nil
}
