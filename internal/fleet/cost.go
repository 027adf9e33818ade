package fleet

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/jackc/pgx/v5"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"github.com/quittance/quittance/settlement"
)

// Cost is what one settlement took, on the average of a quiet stretch, by the worker's own counters, Temporal's histories and
// the chain's receipts.
type Cost struct {
	Settlements            int
	EventsMax, EventsMid   int
	Commits, Reads         float64 // a settlement's own two each; reads also of what all settlements share
	Estimates, Sends, Rest float64 // calls to nodes; the rest is shared, too
	Gas                    int64
}

// Cost settles payments, each with the arguments of a `starter submit`, one submitted after the other. Nothing else may run
// meanwhile, or it is counted too.
func (f *Fleet) Cost(ctx context.Context, payments [][]string) (Cost, error) {
	if err := f.Healthy(ctx, "worker"); err != nil {
		return Cost{}, err
	}
	before, err := f.Scrape(ctx, "worker")
	if err != nil {
		return Cost{}, err
	}
	var keys []string
	for _, payment := range payments {
		var s settlement.Snapshot
		if _, err := f.Starter(ctx, &s, payment...); err != nil {
			return Cost{}, err
		}
		keys = append(keys, s.Key)
	}
	for _, key := range keys {
		if code, err := f.Starter(ctx, nil, "wait", key, "--timeout", "5m"); err != nil || code != 0 {
			return Cost{}, fmt.Errorf("wait for %s: exit code %d: %w", key, code, err)
		}
	}
	after, err := f.Scrape(ctx, "worker")
	if err != nil {
		return Cost{}, err
	}
	n := len(payments)
	per := func(name string) float64 { return (after[name] - before[name]) / float64(n) }
	c := Cost{
		Settlements: n, Commits: per("quittance_postgres_transactions_total/commit"), Reads: per("quittance_postgres_transactions_total/read"),
		Estimates: per("quittance_rpc_seconds/eth_estimateGas"), Sends: per("quittance_rpc_seconds/eth_sendRawTransaction"),
	}
	c.Rest = per("quittance_rpc_seconds") - c.Estimates - c.Sends
	events, err := f.historyEvents(ctx, keys)
	if err != nil {
		return Cost{}, err
	}
	c.EventsMax, c.EventsMid = slices.Max(events), events[len(events)/2]
	c.Gas, err = f.gas(ctx, keys)
	return c, err
}

// Print writes the counts as lines of a table.
func (c Cost) Print(to io.Writer) {
	row := func(what, format string, args ...any) {
		fmt.Fprintf(to, "  %-34s %s\n", what, fmt.Sprintf(format, args...))
	}
	row("history events", "%d (median %d)", c.EventsMax, c.EventsMid)
	row("commits of the worker", "%.1f", c.Commits)
	row("reads of the worker", "%.1f (a settlement's own two, and shared readings)", c.Reads)
	row("RPC calls of the worker", "%.1f estimate, %.1f send, %.1f shared readings", c.Estimates, c.Sends, c.Rest)
	row("gas (mean)", "%d", c.Gas)
}

// Temporal connects to the stack's, quietly.
func (f *Fleet) Temporal(ctx context.Context) (client.Client, error) {
	c, err := client.DialContext(ctx, client.Options{HostPort: f.World.Stack.TemporalAddress, Namespace: f.World.Stack.TemporalNamespace, Logger: silent{}})
	if err != nil {
		return nil, fmt.Errorf("connect to Temporal: %w", err)
	}
	return c, nil
}

func (f *Fleet) historyEvents(ctx context.Context, keys []string) ([]int, error) {
	t, err := f.Temporal(ctx)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	var events []int
	for _, key := range keys {
		n := 0
		history := t.GetWorkflowHistory(ctx, key, "", true, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for history.HasNext() {
			if _, err := history.Next(); err != nil {
				return nil, fmt.Errorf("read the history of %s: %w", key, err)
			}
			n++
		}
		events = append(events, n)
	}
	slices.Sort(events)
	return events, nil
}

func (f *Fleet) gas(ctx context.Context, keys []string) (mean int64, err error) {
	db, err := pgx.Connect(ctx, f.World.Stack.DatabaseURL)
	if err != nil {
		return 0, fmt.Errorf("ask for the gas: %w", err)
	}
	defer db.Close(context.WithoutCancel(ctx))
	err = db.QueryRow(ctx, `SELECT avg(m.gas_used)::bigint FROM settlements s JOIN mined_transactions m ON m.tx_hash = s.tx_hash WHERE s.key = ANY($1)`, keys).Scan(&mean)
	return mean, err
}

// silent keeps the SDK's chatter out of the story.
type silent struct{}

func (silent) Debug(string, ...any) {}
func (silent) Info(string, ...any)  {}
func (silent) Warn(string, ...any)  {}
func (silent) Error(string, ...any) {}
