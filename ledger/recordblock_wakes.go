package ledger

import (
	"cmp"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// keySet collects whom to wake: once each, in an order that does not depend on a map.
type keySet map[settlement.Key]struct{}

func (s keySet) add(keys ...settlement.Key) {
	for _, key := range keys {
		s[key] = struct{}{}
	}
}

func (s keySet) sorted() []settlement.Key {
	return slices.SortedFunc(maps.Keys(s), func(a, b settlement.Key) int {
		return cmp.Or(cmp.Compare(a.Tenant, b.Tenant), cmp.Compare(a.Value, b.Value))
	})
}

// collect adds the (tenant, key) rows of a queued statement when the batch is read.
func (s keySet) collect(q *pgx.QueuedQuery) {
	q.Query(func(rows pgx.Rows) error {
		var key settlement.Key
		_, err := pgx.ForEachRow(rows, []any{&key.Tenant, &key.Value}, func() error { s.add(key); return nil })
		return err
	})
}

// writeWakes queues the wake-ups of waiting settlements: those whose block has come, and those whose reason just passed.
func (r *recording) writeWakes(b *pgx.Batch) {
	var words []string
	if r.cursor.Paused && !r.paused() {
		words = append(words, settlement.WaitPaused)
	}
	for _, before := range r.lanes {
		now := r.reading(before)
		if before.frozenFor != "" || before.state != settlement.LaneActive {
			continue
		}
		if now.balance.Cmp(before.balance) > 0 {
			words = append(words, settlement.WaitSignerFunds)
		}
		if now.operator && !before.operator {
			words = append(words, settlement.WaitOperator)
		}
	}
	var risen []int64
	for id, before := range r.liquidity {
		if now, read := r.block.Reads.VaultBalances[id]; read && now.Cmp(before) > 0 {
			risen = append(risen, id)
		}
	}
	slices.Sort(risen)
	dueNow(b, r.chainID, r.block.Number, words, risen)
	dueBudget(b, r.chainID, r.block.Number, r.aged)
	wakeDue(b, r.chainID, r.block.Number, r.wakes)
}

const (
	// wakesMax bounds how many waiting settlements one block wakes; the others stay due for the next one. A paused vault may
	// leave tens of thousands waiting, and each wake-up costs a simulation.
	wakesMax = 500
	// duesMax bounds how many one block makes due: more would make its commit as long as the line of those who wait, up to
	// the statement timeout, and a block that cannot be recorded stops the listener. The rest have blocks of their own, no
	// further away than waitBlocksMax.
	duesMax = 10 * wakesMax
	// rewakeBlocks after a wake-up the settlement is woken again if it still waits and set no block of its own.
	rewakeBlocks = 64
)

// dueNow makes waiting settlements due: those that wait for one of the words, and those that wait for liquidity of a risen
// asset, oldest first, as far as it reaches; those beyond duesMax wait for their own blocks. Rows that somebody else holds are left to their own wake-up block: the row
// locks of settlements come first in the lock order, so nothing here may wait for one.
func dueNow(b *pgx.Batch, chainID, head uint64, words []string, risen []int64) {
	if len(words) > 0 {
		b.Queue(`
			UPDATE settlements SET wake_block = $2 WHERE id IN (
				SELECT id FROM settlements
				 WHERE state = 'waiting' AND chain_id = $1 AND wake_block > $2 AND split_part(reason, ': ', 1) = ANY($3)
				 ORDER BY id LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED)`, chainID, head, words, duesMax)
	}
	if len(risen) > 0 {
		b.Queue(`
			WITH fits AS (
				SELECT s.id, sum(s.amount) OVER (PARTITION BY s.asset_id ORDER BY s.id) AS need, l.balance - l.in_flight AS room
				  FROM settlements s JOIN asset_liquidity l USING (asset_id)
				 WHERE s.state = 'waiting' AND s.chain_id = $1 AND s.asset_id = ANY($3) AND split_part(s.reason, ': ', 1) = $4
				   AND s.amount <= l.balance - l.in_flight
			)
			UPDATE settlements SET wake_block = $2 WHERE id IN (
				SELECT s.id FROM settlements s JOIN fits USING (id)
				 WHERE fits.need <= fits.room AND s.wake_block > $2 ORDER BY s.id LIMIT $5 FOR NO KEY UPDATE OF s SKIP LOCKED)`,
			chainID, head, risen, settlement.WaitLiquidity, duesMax)
	}
}

// wakeDue queues the wake-up of at most wakesMax waiting settlements whose block has come, longest due first.
func wakeDue(b *pgx.Batch, chainID, head uint64, into keySet) {
	into.collect(b.Queue(`
		UPDATE settlements s SET wake_block = $2 + $4 FROM (
			SELECT id FROM settlements WHERE state = 'waiting' AND chain_id = $1 AND wake_block <= $2
			 ORDER BY wake_block, id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED) due
		 WHERE s.id = due.id RETURNING s.tenant, s.key`, chainID, head, wakesMax, rewakeBlocks))
}
