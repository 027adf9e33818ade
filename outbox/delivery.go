package outbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/quittance/quittance/internal/crash"
	"github.com/quittance/quittance/settlement"
)

// delivery is one claimed batch. Rows of one stream are a run: each is published only after the one before it was
// accepted, and the rest of a run whose row failed is given back. One bad row strands no other stream's.
type delivery struct {
	r     *Relay
	token string
	runs  [][]settlement.OutboxRow // by stream, what is still to be published

	published []int64
	failed    []settlement.OutboxFailure
	parked    []verdict
	released  []int64
}

type verdict struct {
	row    settlement.OutboxRow
	reason string
}

func newDelivery(r *Relay, claim settlement.OutboxClaim) *delivery {
	d := &delivery{r: r, token: claim.Token}
	index := map[string]int{}
	for _, row := range claim.Rows {
		i, known := index[row.Stream]
		if !known {
			i = len(d.runs)
			index[row.Stream] = i
			d.runs = append(d.runs, nil)
		}
		d.runs[i] = append(d.runs[i], row)
	}
	for _, run := range d.runs {
		slices.SortFunc(run, func(a, b settlement.OutboxRow) int { return int(a.Seq - b.Seq) })
	}
	return d
}

// publish goes in waves: the first rows of all runs, then the second ones. It starts no wave after lastStart, when another
// relay may soon claim the rows, or after ctx ended; and it ends at once when the destination is down.
func (d *delivery) publish(ctx context.Context, lastStart time.Time) (down error) {
	for down == nil && len(d.runs) > 0 && ctx.Err() == nil && time.Now().Before(lastStart) {
		wave := make([]settlement.OutboxRow, len(d.runs))
		for i, run := range d.runs {
			wave[i] = run[0]
		}
		crash.Point(CrashBeforePublish)
		down = d.judge(wave, d.r.publish(context.WithoutCancel(ctx), wave))
	}
	for _, run := range d.runs {
		d.release(run)
	}
	d.runs = nil
	return down
}

// judge sorts a wave's rows by their outcome and advances the runs.
func (d *delivery) judge(wave []settlement.OutboxRow, errs []error) (down error) {
	if deadlines(errs) {
		down = errs[0]
	}
	var next [][]settlement.OutboxRow
	for i, run := range d.runs {
		row, err := wave[i], errs[i]
		switch {
		case err == nil:
			if d.r.cfg.Merge {
				d.publishedRun(run)
				continue
			}
			d.published = append(d.published, row.ID)
			if len(run) > 1 {
				next = append(next, run[1:])
			}
			continue
		case errors.Is(err, ErrDown) || down != nil:
			if down == nil {
				down = err
			}
			d.release(run)
			continue
		case errors.Is(err, ErrPermanent):
			d.parked = append(d.parked, verdict{row, err.Error()})
		case d.r.cfg.RetriesMax > 0 && row.Retries >= d.r.cfg.RetriesMax:
			d.parked = append(d.parked, verdict{row, fmt.Sprintf("gave up after %d retries: %v", row.Retries, err)})
		default:
			delay := d.r.pace.jitter(doubled(d.r.cfg.RetryMin, d.r.cfg.RetryMax, row.Retries))
			d.failed = append(d.failed, settlement.OutboxFailure{ID: row.ID, Error: err.Error(), Delay: delay})
			d.r.log.Warn("row was refused, its stream waits", "stream", row.Stream, "event", row.EventID, "retries", row.Retries, "delay", delay, "err", err)
		}
		d.release(run[1:])
	}
	d.runs = next
	return down
}

func (d *delivery) publishedRun(rows []settlement.OutboxRow) {
	for _, row := range rows {
		d.published = append(d.published, row.ID)
	}
}

func (d *delivery) release(rows []settlement.OutboxRow) {
	for _, row := range rows {
		d.released = append(d.released, row.ID)
	}
}

// settle writes every outcome that it can: an error of one statement leaves only its own rows to the lease.
func (d *delivery) settle(ctx context.Context, round *Round) error {
	var problems []error
	count := func(into *int, want int, act string, n int, err error) {
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", act, err))
			return
		}
		*into += n
		round.Lost += want - n
	}
	if len(d.published) > 0 {
		n, err := d.r.store.MarkPublished(ctx, d.token, d.published)
		count(&round.Published, len(d.published), "mark published", n, err)
	}
	if len(d.failed) > 0 {
		n, err := d.r.store.MarkFailed(ctx, d.token, d.failed)
		count(&round.Failed, len(d.failed), "mark failed", n, err)
	}
	for _, v := range d.parked {
		held, err := d.r.store.Park(ctx, d.token, v.row.ID, v.reason)
		if held {
			count(&round.Parked, 1, "park", 1, err)
			d.r.log.Error("row can never be delivered, its stream is parked", "stream", v.row.Stream, "event", v.row.EventID, "err", v.reason)
			continue
		}
		count(&round.Parked, 1, "park", 0, err)
	}
	if len(d.released) > 0 {
		n, err := d.r.store.ReleaseOutbox(ctx, d.token, d.released)
		count(&round.Released, len(d.released), "release", n, err)
	}
	return errors.Join(problems...)
}

// publish calls the sink within its time. A panic is a poisoned row, but not which: then every row is tried alone, so that
// the one is parked and the others are delivered.
func (r *Relay) publish(ctx context.Context, rows []settlement.OutboxRow) []error {
	ctx, cancel := context.WithTimeout(ctx, r.cfg.PublishTimeout)
	defer cancel()
	errs, panicked := r.guarded(ctx, rows)
	if panicked == nil {
		return errs
	}
	if len(rows) == 1 {
		return []error{Permanent(panicked)}
	}
	errs = nil
	for i := range rows {
		errs = append(errs, r.publish(ctx, rows[i:i+1])...)
	}
	return errs
}

func (r *Relay) guarded(ctx context.Context, rows []settlement.OutboxRow) (errs []error, panicked error) {
	defer func() {
		if p := recover(); p != nil {
			panicked = fmt.Errorf("the sink panicked: %v", p)
		}
	}()
	errs = r.sink.Publish(ctx, rows)
	if len(errs) != len(rows) {
		panic(fmt.Sprintf("the sink answered %d rows of %d", len(errs), len(rows)))
	}
	return errs, nil
}
