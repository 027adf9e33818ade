package ledger

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// settlementsLeft is how many settlements a lane's balance still pays: less what is committed to unmined nonces, divided by the
// gas of the chain's last payments at the head's price. Before the first payment a payment to a new holder counts, which is the
// dearest. NULL before the first block.
const settlementsLeft = `(SELECT (greatest(l.balance::numeric - committed.cost, 0) / nullif(paid.gas * (h.base_fee::numeric + h.tip::numeric), 0))::double precision
	FROM heads h,
	     LATERAL (SELECT coalesce(sum(dearest.cost), 0) AS cost FROM transactions t
	               CROSS JOIN LATERAL (SELECT max(n.value + n.gas_limit * n.fee_cap) AS cost FROM attempts n WHERE n.transaction_id = t.id) dearest
	               WHERE t.lane_id = l.id AND t.live AND t.mined_hash IS NULL) committed,
	     LATERAL (SELECT coalesce(avg(m.gas_used), 85000) AS gas FROM (
	               SELECT t.consumed_hash, t.consumed_block FROM transactions t WHERE t.chain_id = l.chain_id AND t.outcome = 'paid' ORDER BY t.id DESC LIMIT 100) t
	               JOIN mined_transactions m ON m.chain_id = l.chain_id AND m.block_hash = t.consumed_block AND m.tx_hash = t.consumed_hash) paid
	WHERE h.chain_id = l.chain_id)`

// Forecast tells of each lane of a chain that may send how long its balance lasts.
func (l *Ledger) Forecast(ctx context.Context, chainID uint64) ([]settlement.LaneStats, error) {
	return read(ctx, l, "forecast", func(row pgx.CollectableRow) (g settlement.LaneStats, err error) {
		err = row.Scan(&g.ChainID, &g.Signer, &g.State, &g.Balance, &g.Left)
		return g, err
	}, `SELECT l.chain_id, l.signer, l.state, l.balance, `+settlementsLeft+` FROM lanes l WHERE l.chain_id = $1 AND l.state <> 'removed' ORDER BY l.id`, chainID)
}
