package cli

import (
	"context"
	"fmt"
	"strconv"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// quarantineCmd is for whoever has to find out what an event means that the books could not take.
type quarantineCmd struct {
	Release quarantineReleaseCmd `cmd:"" help:"Let an event take effect now, or mark one that did as looked at."`

	List quarantineListCmd `cmd:"" help:"List the vault's events that took no effect, with the reason, oldest first."`
}

type quarantineListCmd struct {
	After int64 `help:"Go on behind this id."`
	Limit int   `default:"100" help:"At most so many."`
}

func (c *quarantineListCmd) Run(ctx context.Context, s *session) error {
	if c.Limit < 1 || c.Limit > listLimitMax {
		return settlement.Invalidf("limit", "must be between 1 and %d", listLimitMax)
	}
	l, err := s.ledger(ctx)
	if err != nil {
		return err
	}
	list, err := l.Quarantine(ctx, c.After, c.Limit)
	if err != nil {
		return err
	}
	header := []string{"ID", "CHAIN", "BLOCK", "TX", "LOG", "EVENT", "TOKEN", "BASE UNITS", "REASON"}
	return rows(s.out, list, header, func(q ledger.Quarantined) []string {
		token, amount := "", ""
		if q.Token != nil {
			token = q.Token.Hex()
		}
		if q.Amount != nil {
			amount = q.Amount.String()
		}
		return []string{strconv.FormatInt(q.ID, 10), fmt.Sprint(q.ChainID), fmt.Sprint(q.Block), q.Tx.Hex(), fmt.Sprint(q.TxLogIndex), q.Event, token, amount, q.Reason}
	})
}

// quarantineReleaseCmd is for a deposit whose account was created later, and for payouts that somebody has looked into. What
// still takes no effect is refused with the reason, and stays.
type quarantineReleaseCmd struct {
	operator
	ID     int64  `arg:"" help:"As quarantine list shows it."`
	Reason string `required:"" help:"Why, for the record."`
}

func (c *quarantineReleaseCmd) Run(ctx context.Context, s *session) error {
	l, err := s.ledger(ctx)
	if err != nil {
		return err
	}
	if err := l.ReleaseQuarantine(ctx, c.ID, c.name(), c.Reason); err != nil {
		return err
	}
	return s.out.one(map[string]any{"id": c.ID, "released": true}, [2]string{"released", strconv.FormatInt(c.ID, 10)})
}
