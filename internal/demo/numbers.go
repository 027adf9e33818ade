package main

import (
	"context"
	"fmt"
	"os"

	"github.com/quittance/quittance/internal/fleet"
	"github.com/quittance/quittance/settlement"
)

const measured = 20 // settlements, one after the other submitted, nothing killed meanwhile

// costs says what a settlement costs, by the services' own counters over a quiet stretch.
func (d *demo) costs(ctx context.Context) error {
	say("Counting what %d quiet settlements cost", measured)
	var payments [][]string
	for i := range measured {
		payments = append(payments, d.payment(fmt.Sprintf("cost-%d", i), "carol", "0.5"))
	}
	cost, err := d.Cost(ctx, payments)
	if err != nil {
		return err
	}
	cost.Print(os.Stdout)
	return nil
}

// report shows what an operator would look at.
func (d *demo) report(ctx context.Context) error {
	say("Outcomes")
	var s fleet.Stats
	if _, err := d.Starter(ctx, &s, "stats"); err != nil {
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
	return d.Show(ctx, "audit")
}
