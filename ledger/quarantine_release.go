package ledger

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// ReleaseQuarantine takes an event out of quarantine: it takes effect now, as if it had become final now, such as a deposit for
// an account that was created later. An event that took an effect when it came, such as a payout that nobody asked for, is only
// marked as looked at. What still takes no effect is Invalid, says why, and stays. On repeat it is NotFound.
func (l *Ledger) ReleaseQuarantine(ctx context.Context, id int64, actor, reason string) error {
	if actor == "" || reason == "" {
		return settlement.Invalidf("reason", "must say who releases, and why")
	}
	return l.do(ctx, "release quarantine: "+strconv.FormatInt(id, 10), func(t *Tx) error {
		f := finalizing{t: t, release: true}
		var took bool
		if err := f.readQuarantined(id, &took); err != nil {
			return err
		}
		if _, err := t.Exec(`UPDATE quarantine SET released_at = now() WHERE id = $1 AND released_at IS NULL`, id); err != nil {
			return err
		}
		if !took {
			if err := f.lock(); err != nil {
				return err
			}
			if err := f.apply(f.plan()); err != nil {
				return err
			}
			if len(f.parked) > 0 {
				return settlement.Invalidf("id", "still takes no effect: %s", f.parked[0])
			}
		}
		return journal(t, actor, "release_quarantine", fmt.Sprintf("chain/%d", f.chainID), map[string]any{
			"id": id, "reason": reason, "tx_hash": f.events[0].txHash, "tx_log_index": f.events[0].txLogIndex, "took_effect_before": took,
		})
	})
}

// readQuarantined reads the event under the cursor's lock, and whether it took an effect when it came.
func (f *finalizing) readQuarantined(id int64, took *bool) error {
	err := f.t.QueryRow(`SELECT chain_id FROM quarantine WHERE id = $1 AND released_at IS NULL`, id).Scan(&f.chainID)
	if errors.Is(err, pgx.ErrNoRows) {
		return settlement.Errorf(settlement.NotFound, "nothing in quarantine has the id %d", id)
	}
	if err != nil {
		return err
	}
	final := false
	b := &pgx.Batch{}
	lockCursor(b, f.chainID, &f.cursor)
	b.Queue(`
		SELECT e.id, e.vault, e.tx_hash, e.tx_log_index, e.name, e.event_key, e.token, e.party, COALESCE(e.amount, 0), COALESCE(e.problem, ''),
		       COALESCE((SELECT o.reversed_short FROM effects o WHERE (o.chain_id, o.tx_hash, o.tx_log_index) = (e.chain_id, e.tx_hash, e.tx_log_index)
		                    AND o.reversed_at IS NOT NULL ORDER BY o.id DESC LIMIT 1), 0), false
		  FROM quarantine q JOIN events e ON e.id = q.event_id WHERE q.id = $1 AND q.released_at IS NULL`, id).Query(func(rows pgx.Rows) (err error) {
		f.events, err = pgx.CollectRows(rows, scanEvent)
		return err
	})
	b.Queue(`SELECT b.number, b.hash, b.seen, b.final,
			EXISTS (SELECT FROM effects o WHERE (o.chain_id, o.tx_hash, o.tx_log_index) = (q.chain_id, q.tx_hash, q.tx_log_index) AND o.reversed_at IS NULL)
		  FROM quarantine q JOIN events e ON e.id = q.event_id JOIN blocks b ON b.chain_id = e.chain_id AND b.hash = e.block_hash
		 WHERE q.id = $1`, id).QueryRow(func(row pgx.Row) error {
		return row.Scan(&f.block.Number, &f.block.Hash, &f.seen, &final, took)
	})
	if err := f.t.Batch(b); err != nil {
		return err
	}
	if err := f.cursor.errStopped(); err != nil {
		return err // whether its block is final is what is in doubt
	}
	if len(f.events) == 0 || !final {
		return stale("the quarantined event %d has just been released, or its block is not final any more", id)
	}
	return nil
}
