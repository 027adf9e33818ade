package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/quittance/quittance/internal/fleet"
)

// report is what one run came to.
type report struct {
	empty, calls float64 // ceilings, per second
	cost         fleet.Cost
	load         load
	latency      latency
}

func (r report) print(to io.Writer) {
	row := func(what, format string, args ...any) {
		fmt.Fprintf(to, "| %-58s | %-34s |\n", what, fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(to, "| %-58s | %-34s |\n|%s|%s|\n", "measured", "", strings.Repeat("-", 60), strings.Repeat("-", 36))
	row("settlements, import to posted", "%.1f per second (steady %.1f)", r.load.rate(), r.load.steady())
	row("ceiling: same workflow, empty steps", "%.1f per second", r.empty)
	row("ceiling: pre-signed vault calls, straight to the node", "%.1f per second", r.calls)
	row("most nonces in flight, of all slots", "%d of %d", r.load.inFlight, r.load.slots)
	row("samples in which a settlement waited for a slot", "%d of %d", r.load.full, r.load.samples)
	for _, p := range []float64{0.5, 0.9, 0.99} {
		row(fmt.Sprintf("request to broadcast, p%.0f, at %.0f per second", 100*p, r.latency.perSecond), "%v", percentile(r.latency.broadcast, p))
	}
	for _, p := range []float64{0.5, 0.9, 0.99} {
		row(fmt.Sprintf("block final to hold posted, p%.0f", 100*p), "%v", percentile(r.latency.posted, p))
	}
	row("history events, median and most", "%d, %d", r.cost.EventsMid, r.cost.EventsMax)
	row("Postgres transactions of a settlement's own steps", "%.1f", r.ownTransactions())
	row("RPC calls of a settlement's own steps", "%.1f", r.cost.Estimates+r.cost.Sends)
	row("gas, mean", "%d", r.cost.Gas)
	fmt.Fprintln(to)
	r.printWindows(to)
}

// ownTransactions are the commits, which are all a settlement's own, and its two reads: the worker's other reads serve all
// settlements at once.
func (r report) ownTransactions() float64 { return r.cost.Commits + min(r.cost.Reads, 2) }

// printWindows shows growth, if there is any: each line is a tenth of the import.
func (r report) printWindows(to io.Writer) {
	names := slices.Sorted(maps.Keys(r.load.windows[0].used))
	fmt.Fprintf(to, "| settled | per second | commits | reads | RPC | CPU ms | %s |\n", strings.Join(names, " MB | ")+" MB")
	fmt.Fprintf(to, "|%s\n", strings.Repeat("---|", 6+len(names)))
	for i, w := range r.load.windows[1:] {
		last := r.load.windows[i]
		n := float64(w.settled - last.settled)
		from := later(last.ended, r.load.began)
		fmt.Fprintf(to, "| %d | %.1f | %.2f | %.2f | %.2f | %.1f |", w.settled, n/w.ended.Sub(from).Seconds(),
			(w.commits-last.commits)/n, (w.reads-last.reads)/n, (w.calls-last.calls)/n, 1000*(cpu(w)-cpu(last))/n)
		for _, name := range names {
			fmt.Fprintf(to, " %d |", w.used[name].Memory>>20)
		}
		fmt.Fprintln(to)
	}
}

func cpu(w window) (seconds float64) {
	for _, u := range w.used {
		seconds += u.CPUSeconds
	}
	return seconds
}

// The design's budget for the happy path.
const (
	eventsMax = 18
	ownMax    = 4
	callsMax  = 2
)

// judge looks at counts only: how fast the machine was is nobody's fault.
func (r report) judge(payments int) error {
	var problems []error
	if r.cost.EventsMid > eventsMax {
		problems = append(problems, fmt.Errorf("half of the settlements took %d history events or more, the design allows %d", r.cost.EventsMid, eventsMax))
	}
	if own := r.ownTransactions(); own > ownMax+0.05 {
		problems = append(problems, fmt.Errorf("a settlement took %.1f Postgres transactions, the design allows %d", own, ownMax))
	}
	if calls := r.cost.Estimates + r.cost.Sends; calls > callsMax+0.05 {
		problems = append(problems, fmt.Errorf("a settlement took %.1f RPC calls, the design allows %d", calls, callsMax))
	}
	if first, second := r.load.halves(); second > 1.1*first {
		problems = append(problems, fmt.Errorf("a settlement took %.2f commits and calls of the worker in the first half of %d, and %.2f in the second", first, payments, second))
	}
	return errors.Join(problems...)
}

// halves is what the worker asked of Postgres and of the node per settlement, in the first and in the second half of the import.
func (l load) halves() (first, second float64) {
	from, to := l.windows[0], l.windows[len(l.windows)-1]
	middle := l.windows[len(l.windows)/2]
	per := func(a, b window) float64 { return (b.own - a.own) / float64(b.settled-a.settled) }
	return per(from, middle), per(middle, to)
}
