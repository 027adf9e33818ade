package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/quittance/quittance/internal/payouts"
	"github.com/quittance/quittance/settlement"
)

type importCmd struct {
	File    string        `arg:"" help:"CSV file with the header key,account,to,asset,amount; - reads stdin."`
	Tenant  string        `default:"default" help:"Owner of the keys."`
	Wait    bool          `default:"true" negatable:"" help:"Wait for the ends; --no-wait returns once all are accepted."`
	Timeout time.Duration `default:"30m" help:"How long to go on."`
	AtOnce  int           `default:"32" help:"Submissions at once."`
}

func (c *importCmd) Run(ctx context.Context, s *session) error {
	if c.Timeout < 0 {
		return badTimeout()
	}
	if c.AtOnce < 1 {
		return settlement.Invalidf("at_once", "must be above zero")
	}
	if _, err := settlement.ParseKey(c.Tenant, "any"); err != nil { // once, not for each line
		return err
	}
	desk, err := s.desk(ctx)
	if err != nil {
		return err
	}
	lines, err := c.read(s.stdin, func(from io.Reader) ([]payouts.Line, error) { return payouts.Read(ctx, from, desk, c.Tenant) })
	if err != nil {
		return refusedFile(c.File, err)
	}
	in, err := s.intake(ctx, desk)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	progress, finish := s.bar(len(lines))
	summary := payouts.Settle(ctx, in, lines, payouts.Options{AtOnce: c.AtOnce, Wait: c.Wait, Progress: progress})
	finish()
	if err := s.out.summary(summary); err != nil {
		return err
	}
	return importOutcome(summary)
}

func (c *importCmd) read(stdin io.Reader, parse func(io.Reader) ([]payouts.Line, error)) ([]payouts.Line, error) {
	if c.File == "-" {
		return parse(stdin)
	}
	f, err := os.Open(c.File)
	if err != nil {
		return nil, usage(fmt.Errorf("open payouts file: %w", err))
	}
	defer f.Close()
	return parse(f)
}

// refusedFile keeps the list of bad lines for scripts.
func refusedFile(name string, err error) error {
	var refused *payouts.Refused
	if !errors.As(err, &refused) {
		return err
	}
	return usage(fmt.Errorf("%s is refused, nothing was written:\n%w", name, refused))
}

func importOutcome(s payouts.Summary) error {
	switch {
	case len(s.Conflicts) > 0:
		return outcome{exitConflict, fmt.Sprintf("%d lines conflict with an earlier use of their key", len(s.Conflicts))}
	case len(s.NotSettled) > 0:
		return outcome{exitNotSettled, fmt.Sprintf("%d settlements ended without payment", len(s.NotSettled))}
	case len(s.Unknown) > 0:
		return outcome{exitUnknown, fmt.Sprintf("%d settlements have not ended yet: run the same import again", len(s.Unknown))}
	}
	return nil
}

// troublesShown bounds what a person is shown; scripts get all.
const troublesShown = 20

func (p printer) summary(s payouts.Summary) error {
	if p.json {
		return p.object(s)
	}
	err := p.one(s,
		[2]string{"lines", fmt.Sprint(s.Lines)}, [2]string{"settlements", fmt.Sprint(s.Settlements)},
		[2]string{"repeated lines", fmt.Sprint(s.Duplicates)}, [2]string{"settled", fmt.Sprint(s.Settled)},
		[2]string{"accepted", fmt.Sprint(s.Accepted)}, [2]string{"not settled", fmt.Sprint(len(s.NotSettled))},
		[2]string{"conflicts", fmt.Sprint(len(s.Conflicts))}, [2]string{"still unknown", fmt.Sprint(len(s.Unknown))})
	for _, kind := range []struct {
		name string
		list []payouts.Trouble
	}{{"conflict", s.Conflicts}, {"not settled", s.NotSettled}, {"unknown", s.Unknown}} {
		for i, t := range kind.list {
			if i == troublesShown {
				fmt.Fprintf(p.w, "  … and %d more (-o json lists all)\n", len(kind.list)-i)
				break
			}
			detail := t.Reason
			if len(t.Fields) > 0 {
				detail = fmt.Sprintf("another %v", t.Fields)
			}
			fmt.Fprintf(p.w, "  %s: line %d, %s: %s\n", kind.name, t.Line, t.Key, detail)
		}
	}
	return err
}

// bar shows progress on a terminal only.
func (s *session) bar(total int) (progress func(int), finish func()) {
	f, ok := s.progress.(*os.File)
	if !ok || !isatty.IsTerminal(f.Fd()) {
		return func(int) {}, func() {}
	}
	bars := mpb.New(mpb.WithOutput(f), mpb.WithWidth(60))
	bar := bars.AddBar(int64(total), mpb.PrependDecorators(decor.CountersNoUnit("%d of %d ")), mpb.AppendDecorators(decor.AverageSpeed(0, "%.0f/s "), decor.AverageETA(decor.ET_STYLE_GO)))
	return func(ended int) { bar.SetCurrent(int64(ended)) }, func() {
		bar.Abort(false)
		bars.Wait()
	}
}
