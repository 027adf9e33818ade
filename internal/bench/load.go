package main

import (
	"context"
	"fmt"
	"time"

	"github.com/quittance/quittance/internal/fleet"
	"github.com/quittance/quittance/internal/payouts"
	"github.com/quittance/quittance/settlement"
)

// window is what a stretch of the import cost.
type window struct {
	settled int // at its end
	ended   time.Time
	commits float64 // of all three services, ever
	reads   float64
	calls   float64 // to the node, of worker and listener, ever
	own     float64 // commits, estimates and sends of the worker, ever: what does not depend on how long it took
	used    map[string]fleet.Usage
}

// load is the import as it was watched.
type load struct {
	began    time.Time
	windows  []window // the first is the state before
	samples  int
	full     int   // samples in which a settlement waited for a slot
	inFlight int64 // the most nonces and grants at once
	slots    int64 // of all lanes
	summary  payouts.Summary
}

// rate is settlements per second, from the start of the import until the last one was posted.
func (l load) rate() float64 {
	last := l.windows[len(l.windows)-1]
	return float64(last.settled-l.windows[0].settled) / last.ended.Sub(l.began).Seconds()
}

// steady is the rate between the first and the last window, without the import's first and last seconds, in which the chain's
// finality is waited for.
func (l load) steady() float64 {
	if len(l.windows) < 4 {
		return l.rate()
	}
	from, to := l.windows[1], l.windows[len(l.windows)-2]
	return float64(to.settled-from.settled) / to.ended.Sub(from.ended).Seconds()
}

const (
	samplePause = 250 * time.Millisecond
	windows     = 10
)

// importPayments runs the import as a user would and watches it.
func (b *bench) importPayments(ctx context.Context) (load, error) {
	path, err := b.writePayouts()
	if err != nil {
		return load{}, err
	}
	first, before, err := b.sample(ctx)
	if err != nil {
		return load{}, err
	}
	l := load{began: time.Now(), windows: []window{first}}
	for _, lane := range before.Lanes {
		l.slots += int64(lane.InFlightMax)
	}
	done := make(chan error, 1)
	go func() {
		code, err := b.Starter(ctx, &l.summary, "import", path, "--timeout", "1h")
		if err == nil && code != 0 {
			err = fmt.Errorf("the import ended with exit code %d: %+v", code, l.summary)
		}
		done <- err
	}()
	if err := b.watch(ctx, &l, done); err != nil {
		return l, err
	}
	if l.summary.Settled != b.payments {
		return l, fmt.Errorf("the import settled %d of %d", l.summary.Settled, b.payments)
	}
	return l, nil
}

// watch samples until the import has ended.
func (b *bench) watch(ctx context.Context, l *load, done <-chan error) error {
	tick := time.NewTicker(samplePause)
	defer tick.Stop()
	for {
		ended := false
		select {
		case err := <-done:
			if err != nil {
				return err
			}
			ended = true
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
		stats, err := b.clients.books.Stats(ctx)
		if err != nil {
			return err
		}
		l.see(stats)
		last := l.windows[len(l.windows)-1]
		if ended || settled(stats)-last.settled >= b.payments/windows {
			now, _, err := b.sample(ctx)
			if err != nil {
				return err
			}
			if now.settled > last.settled {
				l.windows = append(l.windows, now)
				note("%6d settled, %5.0f s, %5.1f per second", now.settled-l.windows[0].settled, now.ended.Sub(l.began).Seconds(),
					float64(now.settled-last.settled)/now.ended.Sub(later(last.ended, l.began)).Seconds())
			}
		}
		if ended {
			return nil
		}
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (l *load) see(s settlement.Stats) {
	var inFlight int64
	for _, lane := range s.Lanes {
		inFlight += lane.InFlight
	}
	l.samples++
	l.inFlight = max(l.inFlight, inFlight)
	if s.Chains[0].Queued > 0 {
		l.full++
	}
}

func settled(s settlement.Stats) int {
	for _, state := range s.States {
		if state.State == settlement.Settled {
			return int(state.Count)
		}
	}
	return 0
}

// sample reads every counter once.
func (b *bench) sample(ctx context.Context) (window, settlement.Stats, error) {
	stats, err := b.clients.books.Stats(ctx)
	if err != nil {
		return window{}, stats, err
	}
	w := window{settled: settled(stats), ended: time.Now()}
	for _, name := range fleet.Services {
		m, err := b.Scrape(ctx, name)
		if err != nil {
			return window{}, stats, err
		}
		w.commits += m["quittance_postgres_transactions_total/commit"]
		w.reads += m["quittance_postgres_transactions_total/read"]
		w.calls += m["quittance_rpc_seconds"]
		if name == "worker" {
			w.own = m["quittance_postgres_transactions_total/commit"] + m["quittance_rpc_seconds/eth_estimateGas"] + m["quittance_rpc_seconds/eth_sendRawTransaction"]
		}
	}
	w.used, err = b.Usage(ctx)
	return w, stats, err
}
