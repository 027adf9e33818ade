package ledger

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// Stats reads the state of everything in one snapshot. It counts the settlements' whole table, so its cost grows with the
// ledger: whoever polls it must bound the share of time that it takes.
func (l *Ledger) Stats(ctx context.Context) (settlement.Stats, error) {
	var s settlement.Stats
	err := pgx.BeginTxFunc(ctx, l.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		s = settlement.Stats{Requests: map[string]int64{}}
		for _, outcome := range []Outcome{OutcomeNew, OutcomeReplay, OutcomeInProgress, OutcomeConflict, OutcomeInvalid} {
			s.Requests[string(outcome)] = 0
		}
		b := &pgx.Batch{}
		b.Queue(`SELECT outcome, sum(n)::bigint FROM request_counts GROUP BY outcome`).Query(func(rows pgx.Rows) error {
			var outcome string
			var n int64
			_, err := pgx.ForEachRow(rows, []any{&outcome, &n}, func() error { s.Requests[outcome] = n; return nil })
			return err
		})
		b.Queue(`SELECT count(*) FROM attempts WHERE replaces IS NOT NULL`).QueryRow(func(row pgx.Row) error { return row.Scan(&s.Bumps) })
		list(b, &s.Outbox, outboxLag, outboxLagSQL)
		list(b, &s.States, stateStats, stateStatsSQL, settlement.States)
		list(b, &s.Waiting, pgx.RowToStructByPos[settlement.WaitingStats], `
			SELECT split_part(reason, ': ', 1), count(*) FROM settlements WHERE state = 'waiting' GROUP BY 1 ORDER BY 1`)
		list(b, &s.Chains, chainStats, chainStatsSQL)
		list(b, &s.Lanes, laneStats, laneStatsSQL)
		list(b, &s.Assets, assetStats, selectAssets+` ORDER BY a.id`)
		l.counts.roundTrips.Add(3)
		l.counts.reads.Add(1)
		return tx.SendBatch(ctx, b).Close()
	})
	if err != nil {
		return settlement.Stats{}, classify("stats", err)
	}
	return s, nil
}

func list[T any](b *pgx.Batch, into *[]T, to pgx.RowToFunc[T], sql string, args ...any) {
	b.Queue(sql, args...).Query(func(rows pgx.Rows) (err error) {
		*into, err = pgx.CollectRows(rows, to)
		return err
	})
}

const stateStatsSQL = `
SELECT x.state, count(s.id),
       coalesce(greatest(now() - min(s.created_at) FILTER (WHERE s.state NOT IN ('settled', 'failed', 'cancelled')), interval '0'), interval '0')
  FROM unnest($1::text[]) WITH ORDINALITY AS x (state, n) LEFT JOIN settlements s ON s.state = x.state
 GROUP BY x.state, x.n ORDER BY x.n`

func stateStats(row pgx.CollectableRow) (s settlement.StateStats, err error) {
	err = row.Scan(&s.State, &s.Count, &s.Oldest)
	return s, err
}

const chainStatsSQL = `
SELECT c.chain_id, coalesce(h.head_number, 0), coalesce(h.final_number, 0), coalesce(greatest(now() - h.updated_at, interval '0'), interval '0'),
       q.n, coalesce(greatest(now() - q.oldest, interval '0'), interval '0'),
       (SELECT count(*) FROM quarantine x WHERE x.chain_id = c.chain_id AND x.released_at IS NULL),
       coalesce((SELECT greatest(sum(b.debits_posted - b.credits_posted), 0) FROM accounts a
                   JOIN balances b ON b.account_id = a.id JOIN assets n ON n.id = b.asset_id
                  WHERE a.kind = 'gas_expense' AND n.chain_id = c.chain_id), 0),
       coalesce(h.vault_paused, false), h.stopped IS NOT NULL, coalesce(c.stopped, '')
  FROM chains c
  LEFT JOIN heads h USING (chain_id)
 CROSS JOIN LATERAL (SELECT count(*) AS n, min(q.enqueued_at) AS oldest FROM queue q JOIN assets a ON a.id = q.asset_id
                      WHERE a.chain_id = c.chain_id AND q.lane_id IS NULL) q
 ORDER BY c.chain_id`

func chainStats(row pgx.CollectableRow) (c settlement.ChainStats, err error) {
	err = row.Scan(&c.ChainID, &c.Head, &c.Final, &c.SinceHead, &c.Queued, &c.OldestQueued, &c.Quarantined, &c.FeesSpent, &c.Paused, &c.Stopped, &c.Halted)
	return c, err
}

func assetStats(row pgx.CollectableRow) (settlement.AssetStats, error) {
	a, err := toAsset(row)
	return settlement.AssetStats{Asset: a.Asset, Stopped: a.Stopped, RevertsInRow: int64(a.RevertsInRow), HourlyBudget: a.HourlyBudget, Spent: a.Spent}, err
}

const laneStatsSQL = `
SELECT l.chain_id, l.signer, l.state, greatest(l.next_nonce - l.mined_nonce, 0) + g.n, l.in_flight_max, g.n,
       coalesce((SELECT greatest(now() - t.created_at, interval '0') FROM transactions t
                  WHERE t.lane_id = l.id AND t.live AND t.nonce >= l.mined_nonce ORDER BY t.nonce LIMIT 1), interval '0'),
       l.balance, l.operator, owed.n, coalesce(greatest(now() - owed.since, interval '0'), interval '0'), ` + settlementsLeft + `
  FROM lanes l CROSS JOIN LATERAL (SELECT count(*) AS n FROM queue q WHERE q.lane_id = l.id) g
 CROSS JOIN LATERAL (SELECT count(*) AS n, min(n.created_at) AS since FROM attempts n JOIN transactions t ON t.id = n.transaction_id
                      WHERE n.hash IS NULL AND t.lane_id = l.id AND t.live AND NOT EXISTS (SELECT FROM attempts o WHERE o.replaces = n.id)) owed
 ORDER BY l.chain_id, l.id`

func laneStats(row pgx.CollectableRow) (g settlement.LaneStats, err error) {
	err = row.Scan(&g.ChainID, &g.Signer, &g.State, &g.InFlight, &g.InFlightMax, &g.Granted, &g.HeadOfLine, &g.Balance, &g.Operator, &g.Unsigned, &g.UnsignedFor, &g.Left)
	return g, err
}
