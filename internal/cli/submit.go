package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/quittance/quittance/internal/intake"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

// acceptTimeout is how long submit waits for Reserve when it was not told to wait for the end.
const acceptTimeout = 15 * time.Second

type submitCmd struct {
	Key     string        `required:"" help:"Idempotency key: unique per tenant, for ever."`
	Account string        `required:"" help:"Ledger account that pays."`
	To      string        `required:"" help:"Recipient, 0x and 20 bytes." placeholder:"0x…"`
	Asset   string        `required:"" help:"Symbol of a registered asset."`
	Amount  string        `required:"" help:"In the asset's own unit, such as 12.5."`
	Tenant  string        `default:"default" help:"Owner of the key."`
	RetryOf string        `help:"Key of the failed settlement that this one tries again."`
	Wait    bool          `help:"Wait until the settlement has ended."`
	Timeout time.Duration `help:"How long to wait (60s with --wait, else 15s)."`
}

func (c *submitCmd) Run(ctx context.Context, s *session) error {
	if c.Timeout < 0 {
		return badTimeout()
	}
	desk, err := s.desk(ctx)
	if err != nil {
		return err
	}
	r, err := desk.Request(ctx, intake.Spec{Tenant: c.Tenant, Key: c.Key, Account: c.Account, To: c.To, Asset: c.Asset, Amount: c.Amount, RetryOf: c.RetryOf})
	if err != nil {
		return errors.Join(err, s.countInvalid(ctx, err))
	}
	in, err := s.intake(ctx, desk)
	if err != nil {
		return err
	}
	timeout := c.Timeout
	if timeout == 0 {
		timeout = acceptTimeout
		if c.Wait {
			timeout = waitTimeout
		}
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	answer, err := in.Submit(ctx, r)
	if err != nil {
		return err
	}
	if !c.Wait {
		if err := s.out.settlement(answer.Settlement); err != nil {
			return err
		}
		return failedOnly(answer.Settlement)
	}
	return s.waitFor(ctx, in, answer.Settlement)
}

func badTimeout() error { return settlement.Invalidf("timeout", "must not be negative") }

// countInvalid counts a refused request for the metrics; that it could not is worth telling, but changes no answer.
func (s *session) countInvalid(ctx context.Context, err error) error {
	if settlement.KindOf(err) != settlement.Invalid {
		return nil
	}
	if err := s.books.Count(ctx, ledger.OutcomeInvalid); err != nil {
		s.log.Warn("an invalid request was not counted", "err", err)
	}
	return nil
}

const waitTimeout = 60 * time.Second

type waitCmd struct {
	Key     string        `arg:"" help:"The settlement's key."`
	Tenant  string        `default:"default" help:"Owner of the key."`
	Timeout time.Duration `default:"60s" help:"How long to wait."`
}

func (c *waitCmd) Run(ctx context.Context, s *session) error {
	if c.Timeout < 0 {
		return badTimeout()
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	found, err := s.find(ctx, c.Tenant, c.Key)
	for isUnknown(err) { // it waits in Temporal: its row may come at any time
		select {
		case <-ctx.Done():
			return err
		case <-time.After(rowPause):
		}
		var again settlement.Settlement
		if again, err = s.find(ctx, c.Tenant, c.Key); err == nil {
			found = again
		}
	}
	if err != nil {
		return err
	}
	return s.waitFor(ctx, &intake.Intake{Ledger: s.books}, found)
}

// rowPause is between two looks for a row that is not there yet.
const rowPause = 250 * time.Millisecond

func isUnknown(err error) bool { return err != nil && settlement.KindOf(err) == settlement.Unknown }

// waitFor prints the settlement once it has ended or the time has run out, and says which by the exit code.
func (s *session) waitFor(ctx context.Context, in *intake.Intake, found settlement.Settlement) error {
	last, err := in.Ended(ctx, found)
	if err != nil && settlement.KindOf(err) != settlement.Unknown {
		return err
	}
	if printErr := s.out.settlement(last); printErr != nil {
		return printErr
	}
	if err != nil {
		return outcome{exitUnknown, err.Error()}
	}
	return failedOnly(last)
}

// failedOnly is the outcome of a settlement that ended without payment.
func failedOnly(s settlement.Settlement) error {
	if s.State == settlement.Failed || s.State == settlement.Cancelled {
		return outcome{exitNotSettled, fmt.Sprintf("%s is %s: %s", s.Key, s.State, s.Reason)}
	}
	return nil
}

type statusCmd struct {
	Key    string `arg:"" help:"The settlement's key."`
	Tenant string `default:"default" help:"Owner of the key."`
}

func (c *statusCmd) Run(ctx context.Context, s *session) error {
	found, err := s.find(ctx, c.Tenant, c.Key)
	if err != nil {
		return err
	}
	return s.out.settlement(found)
}

func (s *session) find(ctx context.Context, tenant, key string) (settlement.Settlement, error) {
	k, err := parseKey(tenant, key)
	if err != nil {
		return settlement.Settlement{}, err
	}
	l, err := s.ledger(ctx)
	if err != nil {
		return settlement.Settlement{}, err
	}
	found, err := l.Settlement(ctx, k)
	if settlement.KindOf(err) == settlement.NotFound {
		return found, s.notFound(ctx, k)
	}
	return found, err
}

// notFound tells a key that nobody used from one whose request waits in Temporal and may be accepted, and paid, at any time.
func (s *session) notFound(ctx context.Context, key settlement.Key) error {
	runs, err := s.runs(ctx)
	if err != nil {
		return err
	}
	run, err := runs.Find(ctx, key)
	switch {
	case errors.Is(err, workflows.ErrNoRun):
		return noSettlement(key)
	case err != nil:
		return err
	case !run.Running:
		return noSettlement(key)
	}
	why := runs.Stuck(ctx, run)
	if why == "" {
		why = "its run has begun"
	}
	return settlement.Errorf(settlement.Unknown, "%s is not accepted yet and may be at any time: %s", key, why)
}

// parseKey reads a key as a person wrote it, or as lists and workflow IDs show it: @tenant/key.
func parseKey(tenant, key string) (settlement.Key, error) {
	if strings.HasPrefix(key, "@") && tenant == settlement.DefaultTenant {
		return settlement.KeyFromCanonical(key)
	}
	return settlement.ParseKey(tenant, key)
}

func noSettlement(key settlement.Key) error {
	return settlement.Errorf(settlement.NotFound, "no settlement has the key %q", key)
}
