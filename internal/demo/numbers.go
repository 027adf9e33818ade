package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/jackc/pgx/v5"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"github.com/quittance/quittance/settlement"
)

const measured = 20 // settlements, one after the other submitted, nothing killed meanwhile

// costs says what a settlement costs, by the services' own counters over a quiet stretch.
func (d *demo) costs(ctx context.Context) error {
	say("Counting what %d quiet settlements cost", measured)
	if err := d.healthy(ctx, "WORKER_HTTP_ADDRESS"); err != nil {
		return err
	}
	worker, err := d.scrape(ctx, "WORKER_HTTP_ADDRESS")
	if err != nil {
		return err
	}
	var keys []string
	for i := range measured {
		var s settlement.Snapshot
		if _, err := d.starter(ctx, &s, d.payment(fmt.Sprintf("cost-%d", i), "carol", "0.5")...); err != nil {
			return err
		}
		keys = append(keys, s.Key)
	}
	for _, key := range keys {
		if code, err := d.starter(ctx, nil, "wait", key, "--timeout", "5m"); err != nil || code != 0 {
			return fmt.Errorf("wait for %s: exit code %d: %w", key, code, err)
		}
	}
	after, err := d.scrape(ctx, "WORKER_HTTP_ADDRESS")
	if err != nil {
		return err
	}
	per := func(name string) float64 { return (after[name] - worker[name]) / measured }
	events, err := d.historyEvents(ctx, keys)
	if err != nil {
		return err
	}
	gas, err := d.gas(ctx, keys)
	if err != nil {
		return err
	}
	note("%-34s %d (median %d)", "history events", slices.Max(events), events[len(events)/2])
	note("%-34s %.1f", "commits of the worker", per("quittance_postgres_transactions_total/commit"))
	note("%-34s %.1f (a settlement's own two, and shared readings)", "reads of the worker", per("quittance_postgres_transactions_total/read"))
	note("%-34s %.1f estimate, %.1f send", "RPC calls of the worker", per("quittance_rpc_seconds/eth_estimateGas"), per("quittance_rpc_seconds/eth_sendRawTransaction"))
	note("%-34s %d", "gas (mean)", gas)
	return nil
}

func (d *demo) historyEvents(ctx context.Context, keys []string) ([]int, error) {
	t, err := client.DialContext(ctx, client.Options{HostPort: d.world.Stack.TemporalAddress, Namespace: d.world.Stack.TemporalNamespace, Logger: silent{}})
	if err != nil {
		return nil, fmt.Errorf("connect to Temporal: %w", err)
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

func (d *demo) gas(ctx context.Context, keys []string) (mean int64, err error) {
	db, err := pgx.Connect(ctx, d.world.Stack.DatabaseURL)
	if err != nil {
		return 0, fmt.Errorf("ask for the gas: %w", err)
	}
	defer db.Close(context.WithoutCancel(ctx))
	err = db.QueryRow(ctx, `SELECT avg(m.gas_used)::bigint FROM settlements s JOIN mined_transactions m ON m.tx_hash = s.tx_hash WHERE s.key = ANY($1)`, keys).Scan(&mean)
	return mean, err
}

// report shows what an operator would look at.
func (d *demo) report(ctx context.Context) error {
	say("Outcomes")
	var s stats
	if _, err := d.starter(ctx, &s, "stats"); err != nil {
		return err
	}
	for _, state := range settlement.States {
		if n := s.States[string(state)]; n > 0 {
			note("%-12s %d", state, n)
		}
	}
	note("duplicate hit rate %.4f", s.DuplicateHitRate)
	for _, o := range s.Outbox {
		note("outbox to %-9s published %d, retries %d (rate %.4f), lag %.1f s", o.Destination, o.Published, o.Retries, o.RetryRate, o.LagSeconds)
	}
	return nil
}

// audit must pass: nothing was paid twice, and the books equal the chain.
func (d *demo) audit(ctx context.Context) error {
	say("Proving the books against the chain")
	return d.show(ctx, "audit")
}

func (d *demo) show(ctx context.Context, args ...string) error {
	cmd := d.command(ctx, args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("starter %v: %w", args, err)
	}
	return nil
}

// silent keeps the SDK's chatter out of the story.
type silent struct{}

func (silent) Debug(string, ...any) {}
func (silent) Info(string, ...any)  {}
func (silent) Warn(string, ...any)  {}
func (silent) Error(string, ...any) {}
