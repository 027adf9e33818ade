package payouts

import (
	"context"
	"slices"
	"sync"

	"github.com/quittance/quittance/internal/intake"
	"github.com/quittance/quittance/settlement"
)

// watcher reads the rows of submitted groups, many per round trip, until they have ended (or are there, without Wait).
type watcher struct {
	in      *intake.Intake
	options Options

	slots chan struct{} // bounds the groups that are submitted and not finished

	mu   sync.Mutex
	open []*group
	done int // lines
}

// enter waits for a slot; it reports false if the context ended first.
func (w *watcher) enter(ctx context.Context) bool {
	select {
	case w.slots <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// add hands a submitted group over; from then on only the watcher touches it.
func (w *watcher) add(g *group) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.finished(g) {
		w.leave(g)
		return
	}
	w.open = append(w.open, g)
}

// leave frees the slots of finished groups; the lock is held.
func (w *watcher) leave(finished ...*group) {
	for _, g := range finished {
		<-w.slots
		w.done += len(g.lines)
	}
	if len(finished) > 0 {
		w.options.Progress(w.done)
	}
}

func (w *watcher) finished(g *group) bool {
	return g.refused || g.problem != nil || g.state.Terminal() || g.accepted && !w.options.Wait
}

// run ends when all groups are submitted and finished, or with the context.
func (w *watcher) run(ctx context.Context, submitted <-chan struct{}) {
	for wait := pollMin; ; {
		all := false
		select {
		case <-submitted:
			all = true
		default:
		}
		ended, open := w.look(ctx)
		if all && open == 0 {
			return
		}
		wait = min(2*wait, pollMax)
		if ended > 0 {
			wait = pollMin
		}
		if !pause(ctx, wait) {
			return
		}
	}
}

// look reads every open group once and returns how many ended and how many stay open.
func (w *watcher) look(ctx context.Context) (ended, stay int) {
	w.mu.Lock()
	open := w.open
	w.open = nil
	w.mu.Unlock()
	for page := range slices.Chunk(open, readPage) {
		w.page(ctx, page)
	}
	var left, finished []*group
	for _, g := range open {
		if w.finished(g) {
			finished = append(finished, g)
		} else {
			left = append(left, g)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.leave(finished...)
	w.open = append(w.open, left...)
	return len(finished), len(w.open)
}

// page reads the rows of some groups in one round trip.
func (w *watcher) page(ctx context.Context, page []*group) {
	keys := make([]string, len(page))
	for i, g := range page {
		keys[i] = g.lines[0].Request.Key.Value
	}
	rows, err := w.in.Ledger.SettlementsOf(ctx, page[0].lines[0].Request.Key.Tenant, keys)
	if err != nil {
		return // Postgres is away: look again
	}
	found := make(map[string]settlement.Settlement, len(rows))
	for _, s := range rows {
		found[s.Key.Value] = s
	}
	for _, g := range page {
		first := g.lines[0]
		if s, ok := found[first.Request.Key.Value]; ok {
			if _, err := intake.Compare(s, first.Request, g.requestID); settlement.KindOf(err) == settlement.Conflict {
				g.refused = true
				g.conflict(first, err)
			} else {
				g.see(s)
			}
		}
	}
}
