package ledger

import (
	"context"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// spentSQL is what counts of an asset's budget: whole minutes, until all of each is an hour old. The schema counts by the same
// clock and refuses what is above, in the commit that allocates.
const spentSQL = `coalesce((SELECT sum(p.amount) FROM asset_spending p WHERE p.asset_id = a.id AND p.minute > clock_timestamp() - interval '61 minutes'), 0)`

// overBudget: a settlement that is above the whole budget waits until an operator raises it.
func (f *allocation) overBudget() bool {
	if f.asset.HourlyBudget == nil {
		return false
	}
	total, over := f.asset.Spent.Add(f.s.Amount)
	return over || total.Cmp(*f.asset.HourlyBudget) > 0
}

// SetBudget bounds what nonces may be allocated for within an hour; nil takes the bound away. A first budget counts what was
// allocated in the hour before. Whoever waits for room, and has some now, is woken in the same commit. The same again changes
// nothing.
func (l *Ledger) SetBudget(ctx context.Context, assetID int64, perHour *settlement.Amount, actor, why string) (changed bool, err error) {
	if err := said(actor, why); err != nil {
		return false, err
	}
	if perHour != nil && perHour.IsZero() {
		return false, settlement.Invalidf("per_hour", "must be above zero: `starter stop --asset` stops an asset")
	}
	err = l.do(ctx, "set budget: asset "+strconv.FormatInt(assetID, 10), func(t *Tx) error {
		changed = false
		asset, err := brake{t}.lockAsset(assetID)
		if err != nil {
			return err
		}
		before, after := text(asset.HourlyBudget), text(perHour)
		if before == after {
			return nil
		}
		changed = true
		b := &pgx.Batch{}
		b.Queue(`UPDATE assets SET hourly_budget = $2::text::numeric WHERE id = $1`, assetID, orNull(after))
		switch {
		case perHour == nil:
			b.Queue(`DELETE FROM asset_spending WHERE asset_id = $1`, assetID)
		case asset.HourlyBudget == nil:
			b.Queue(rememberSpendingSQL, assetID)
		}
		if err := t.Batch(b); err != nil {
			return err
		}
		if err := wakeNow(t, asset.ChainID, func(b *pgx.Batch, head uint64, _ keySet) { dueBudget(b, asset.ChainID, head, []int64{assetID}) }); err != nil {
			return err
		}
		return journal(t, actor, "set budget", assetSubject(asset.Asset), map[string]string{"why": clip(why), "before": before, "after": after})
	})
	return changed, err
}

func text(a *settlement.Amount) string {
	if a == nil {
		return ""
	}
	return a.String()
}

// rememberSpendingSQL counts what was allocated before there was a budget. Ids rise with time: it reads back two hours, not the
// whole table.
const rememberSpendingSQL = `
	INSERT INTO asset_spending (asset_id, minute, amount)
	SELECT s.asset_id, date_trunc('minute', t.created_at, 'UTC'), sum(s.amount)
	  FROM transactions t JOIN transaction_items i ON i.transaction_id = t.id JOIN settlements s ON s.id = i.settlement_id
	 WHERE i.pays AND s.asset_id = $1 AND t.created_at > now() - interval '61 minutes'
	   AND t.id > coalesce((SELECT o.id FROM transactions o WHERE o.created_at < now() - interval '2 hours' ORDER BY o.id DESC LIMIT 1), 0)
	 GROUP BY 1, 2`

// forgetSpending queues, under the locks of liquidity, the end of minutes that are an hour old, and says of which assets.
func forgetSpending(b *pgx.Batch, chainID uint64, assets *[]int64) {
	b.Queue(`
		WITH old AS (
			DELETE FROM asset_spending WHERE asset_id IN (SELECT id FROM assets WHERE chain_id = $1) AND minute <= clock_timestamp() - interval '61 minutes'
			RETURNING asset_id)
		SELECT DISTINCT asset_id FROM old ORDER BY asset_id`, chainID).Query(func(rows pgx.Rows) (err error) {
		*assets, err = pgx.CollectRows(rows, pgx.RowTo[int64])
		return err
	})
}

// dueBudget makes settlements due that wait for room in the budget of one of these assets, oldest first, as far as it reaches.
// The bounds are those of dueNow.
func dueBudget(b *pgx.Batch, chainID, head uint64, assets []int64) {
	if len(assets) == 0 {
		return
	}
	b.Queue(`
		WITH room AS (
			SELECT a.id, a.hourly_budget - `+spentSQL+` AS free FROM assets a WHERE a.id = ANY($3) AND a.stopped IS NULL
		), fits AS (
			SELECT s.id, room.free, sum(s.amount) OVER (PARTITION BY s.asset_id ORDER BY s.id) AS need
			  FROM settlements s JOIN room ON room.id = s.asset_id
			 WHERE s.state = 'waiting' AND s.chain_id = $1 AND split_part(s.reason, ': ', 1) = $4 AND (room.free IS NULL OR s.amount <= room.free)
		)
		UPDATE settlements SET wake_block = $2 WHERE id IN (
			SELECT s.id FROM settlements s JOIN fits USING (id)
			 WHERE (fits.free IS NULL OR fits.need <= fits.free) AND s.wake_block > $2 ORDER BY s.id LIMIT $5 FOR NO KEY UPDATE OF s SKIP LOCKED)`,
		chainID, head, assets, settlement.WaitBudget, duesMax)
}
