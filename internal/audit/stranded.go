package audit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

// settleTime is how long an open settlement may be without a run: its start, or its sweep, is under way.
const settleTime = 2 * time.Minute

// nobodyStranded: I12. What waits for a stated reason, or in the queue, the ledger wakes; all else needs a run.
func (x *examination) nobodyStranded(ctx context.Context, f *Finding) error {
	f.Invariant, f.Title = "I12", "every open settlement has a running workflow or a stated wait"
	rows, err := x.tx.Query(ctx, `
		SELECT tenant, key, state, coalesce(reason, ''), EXISTS (SELECT 1 FROM queue q WHERE q.settlement_id = s.id),
		       EXISTS (SELECT 1 FROM transaction_items i JOIN transactions t ON t.id = i.transaction_id WHERE i.settlement_id = s.id AND t.live)
		  FROM settlements s WHERE chain_id = $1 AND state NOT IN ('settled', 'failed', 'cancelled') AND changed_at < now() - $2::interval ORDER BY id`, x.Chain.ChainID, settleTime)
	if err != nil {
		return err
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (o openRow, err error) {
		err = row.Scan(&o.key.Tenant, &o.key.Value, &o.state, &o.reason, &o.queued, &o.live)
		return o, err
	})
	if err != nil {
		return err
	}
	unasked := 0
	for _, o := range found {
		f.Checked++
		stated, problem := o.stated()
		if problem != "" {
			f.tell("%s is %s and %s", o.key, o.state, problem)
		}
		switch {
		case stated:
		case x.Runs == nil:
			unasked++
		default:
			if err := x.needsRun(ctx, f, o); err != nil {
				return err
			}
		}
	}
	if unasked > 0 {
		x.note("whether %d open settlements have a running workflow was not looked at", unasked)
	}
	return x.broken(ctx, f, `SELECT format('settlement %s stands in the queue and is %s', s.id, s.state) FROM queue q JOIN settlements s ON s.id = q.settlement_id
		WHERE s.state <> 'queued'`)
}

type openRow struct {
	key          settlement.Key
	state        settlement.State
	reason       string
	queued, live bool
}

// stated says whether the ledger itself knows what the settlement waits for, and what about that cannot be.
func (o openRow) stated() (stated bool, problem string) {
	switch o.state {
	case settlement.Waiting:
		if o.reason == "" {
			return false, "says not for what"
		}
		return true, ""
	case settlement.Queued:
		if !o.queued {
			return false, "stands in no queue"
		}
		return true, ""
	case settlement.Submitted, settlement.Mined:
		if !o.live {
			return false, "has no live nonce"
		}
	case settlement.Requested, settlement.Settled, settlement.Failed, settlement.Cancelled:
	}
	return false, ""
}

func (x *examination) needsRun(ctx context.Context, f *Finding, o openRow) error {
	run, err := x.Runs.Find(ctx, o.key)
	switch {
	case errors.Is(err, workflows.ErrNoRun), err == nil && !run.Running:
		f.tell("%s is %s and has no running workflow: `starter resume %s` starts one", o.key, o.state, o.key)
	case err != nil:
		return fmt.Errorf("find the run of %s: %w", o.key, err)
	}
	return nil
}
