package ledger

import (
	"context"
	"math/rand/v2"

	"github.com/jackc/pgx/v5"
)

// Outcome of a request, as quittance_requests_total counts it.
type Outcome string

// Outcomes. The duplicate hit rate is (replay + in progress + conflict) / all but invalid.
const (
	OutcomeNew        Outcome = "new"         // counted by the Reserve that wrote the row
	OutcomeReplay     Outcome = "replay"      // the same request again, after its end
	OutcomeInProgress Outcome = "in_progress" // the same request again, before its end
	OutcomeConflict   Outcome = "conflict"    // the key with another meaning
	OutcomeInvalid    Outcome = "invalid"     // refused before the key was looked at; counted by Count alone
)

// requestShards spreads a counter over rows: one row per outcome would be the hottest of all.
const requestShards = 16

const countSQL = `INSERT INTO request_counts AS r (outcome, shard, n) VALUES ($1, $2, 1)
	ON CONFLICT (day, outcome, shard) DO UPDATE SET n = r.n + 1`

// countRequest counts in the unit's own commit, as its last lock but the outbox's counters.
func countRequest(t *Tx, outcome Outcome) { t.last.Queue(countSQL, outcome, rand.N(requestShards)) }

// Count counts a request that neither Reserve nor Answer saw: invalid input, or a duplicate answered from the memo alone. It
// is not idempotent.
func (l *Ledger) Count(ctx context.Context, outcome Outcome) error {
	return l.do(ctx, "count request", func(t *Tx) error {
		countRequest(t, outcome)
		return nil
	})
}

// RequestCounts sums the requests by outcome since the ledger's first day. Outcomes that never happened are there, with 0.
func (l *Ledger) RequestCounts(ctx context.Context) (map[Outcome]int64, error) {
	type count struct {
		Outcome Outcome
		N       int64
	}
	rows, err := read(ctx, l, "count requests", pgx.RowToStructByPos[count], `SELECT outcome, sum(n)::bigint FROM request_counts GROUP BY outcome`)
	if err != nil {
		return nil, err
	}
	counts := map[Outcome]int64{OutcomeNew: 0, OutcomeReplay: 0, OutcomeInProgress: 0, OutcomeConflict: 0, OutcomeInvalid: 0}
	for _, row := range rows {
		counts[row.Outcome] = row.N
	}
	return counts, nil
}
