package workflows

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"go.temporal.io/api/workflowservice/v1"

	"github.com/quittance/quittance/settlement"
)

// SweepBooks is what the sweeper reads and notes of the books.
type SweepBooks interface {
	Rows
	// Stuck lists settlements that have not ended and were neither changed nor swept for so long, oldest first. It only reads.
	Stuck(ctx context.Context, untouched time.Duration, limit int) ([]settlement.Key, error)
	// MarkSwept moves rows to the end of that list. Again it moves them once more.
	MarkSwept(ctx context.Context, keys []settlement.Key) error
	// ExpireSnapshots drops a bounded batch of stored answers that are past their time, and says how many. Keys stay.
	ExpireSnapshots(ctx context.Context, limit int) (int, error)
}

// Sweeper finds settlements that nobody drives, and runs that wait for nothing. It is the answer to a terminated run, a lost
// wake-up and a lost Temporal store. It also drops stored answers that are past their time. Many processes may sweep at once, each with a Sweeper of its own: every act is harmless
// when done twice.
type Sweeper struct {
	Books    SweepBooks
	Runs     Runs
	Age      time.Duration // a settlement is swept when nothing touched it for so long
	Batch    int           // settlements, and runs, per round
	Interval time.Duration // between rounds, ± 20 %
	Log      *slog.Logger

	page []byte // where the next look at the running runs begins
}

// Swept counts what one round did.
type Swept struct {
	Looked  int // settlements and runs
	Resumed int // had no running run
	Woken   int // had a running run that missed something
}

// Run sweeps until the context ends. A failed round is logged and tried again at the next interval.
func (s *Sweeper) Run(ctx context.Context) error {
	for {
		swept, err := s.RunOnce(ctx)
		if ctx.Err() != nil {
			return nil
		}
		switch {
		case err != nil:
			s.Log.Error("sweep failed", "looked", swept.Looked, "resumed", swept.Resumed, "woken", swept.Woken, "error", err)
		case swept.Resumed+swept.Woken > 0:
			s.Log.Warn("sweep found settlements without a live run", "looked", swept.Looked, "resumed", swept.Resumed, "woken", swept.Woken)
		}
		jittered := s.Interval*4/5 + rand.N(s.Interval*2/5+1)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(jittered):
		}
	}
}

// RunOnce sweeps one batch of settlements and one page of runs. One that cannot be handled does not keep the others: its
// error is returned with theirs, and it comes up again like them.
func (s *Sweeper) RunOnce(ctx context.Context) (Swept, error) {
	var swept Swept
	err := errors.Join(s.sweepSettlements(ctx, &swept), s.sweepRuns(ctx, &swept), s.expireSnapshots(ctx))
	return swept, err
}

const (
	expireBatch      = 1000 // answers per commit
	expireBatchesMax = 20   // per round: with a round each 30 s far more than can be accepted meanwhile
)

// expireSnapshots drops stored answers. A duplicate that comes later is answered from the settlement's row.
func (s *Sweeper) expireSnapshots(ctx context.Context) error {
	for range expireBatchesMax {
		dropped, err := s.Books.ExpireSnapshots(ctx, expireBatch)
		if err != nil {
			return fmt.Errorf("expire stored answers: %w", err)
		}
		if dropped < expireBatch {
			return nil
		}
	}
	return nil
}

// sweepSettlements goes from the books to Temporal.
func (s *Sweeper) sweepSettlements(ctx context.Context, swept *Swept) error {
	keys, err := s.Books.Stuck(ctx, s.Age, s.Batch)
	if err != nil {
		return fmt.Errorf("list untouched settlements: %w", err)
	}
	var problems []error
	for _, key := range keys {
		swept.Looked++
		problems = append(problems, s.sweepSettlement(ctx, key, swept))
	}
	if len(keys) > 0 {
		problems = append(problems, s.Books.MarkSwept(ctx, keys))
	}
	return errors.Join(problems...)
}

// sweepSettlement resumes a settlement without a running run. A running one is woken only if the row says that it is the
// run's turn and the run does nothing, which means that a wake-up was lost; otherwise it waits rightly, and each wake-up
// would cost it events: an outage of days would fill its history.
func (s *Sweeper) sweepSettlement(ctx context.Context, key settlement.Key, swept *Swept) error {
	row, err := s.Books.Settlement(ctx, key)
	if err != nil {
		return fmt.Errorf("sweep %s: %w", key, err)
	}
	if row.State.Terminal() {
		return nil // ended since it was listed
	}
	run, err := s.Runs.Find(ctx, key)
	switch {
	case errors.Is(err, ErrNoRun), err == nil && !run.Running:
		_, err = s.Runs.Resume(ctx, InputOf(row))
		if errors.Is(err, ErrAlreadyStarted) { // by another sweeper, or the relay
			return nil
		}
		if err == nil {
			swept.Resumed++
		}
	case err == nil && row.State == settlement.Requested && !run.Busy:
		if err = s.Runs.Wake(ctx, key); err == nil {
			swept.Woken++
		}
	}
	return err
}

// sweepRuns goes from Temporal to the books: a run that outlived its settlement, because its wake-up was lost, is woken.
func (s *Sweeper) sweepRuns(ctx context.Context, swept *Swept) error {
	page, err := s.Runs.Client.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
		PageSize: int32(s.Batch), NextPageToken: s.page,
		Query: fmt.Sprintf("WorkflowType = '%s' AND ExecutionStatus = 'Running' AND TaskQueue = '%s' AND StartTime < '%s'",
			WorkflowType, s.Runs.queues().Settle(), time.Now().Add(-s.Age).UTC().Format(time.RFC3339Nano)),
	})
	if err != nil {
		s.page = nil // a token of another server, perhaps
		return fmt.Errorf("list running runs: %w", err)
	}
	s.page = page.GetNextPageToken()
	var problems []error
	for _, run := range page.GetExecutions() {
		swept.Looked++
		problems = append(problems, s.sweepRun(ctx, run.GetExecution().GetWorkflowId(), swept))
	}
	return errors.Join(problems...)
}

func (s *Sweeper) sweepRun(ctx context.Context, id string, swept *Swept) error {
	key, err := KeyFromID(id)
	if err != nil {
		return fmt.Errorf("run %q was started by hand: %w", id, err)
	}
	row, err := s.Books.Settlement(ctx, key)
	switch {
	case settlement.KindOf(err) == settlement.NotFound:
		return nil // not accepted yet: its Reserve is still being tried
	case err != nil:
		return fmt.Errorf("sweep the run of %s: %w", key, err)
	case !row.State.Terminal():
		return nil
	}
	if err := s.Runs.Wake(ctx, key); err != nil && !errors.Is(err, ErrNoRun) {
		return err
	} else if err == nil {
		swept.Woken++
	}
	return nil
}
