package ledger

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// AllocateRevoke takes a nonce for the vault's revoke of a settlement's id and stores its bytes, in one commit, if an operator
// asked for it. It may go above a lane's number of nonces in flight and a quarter above its ceiling: it ends a doubt. On
// repeat, and by whoever comes second, it returns the live revoke. Stale: the settlement has ended, or nobody asked. Without a
// lane that can send it the error is Transient and nothing is written.
func (l *Ledger) AllocateRevoke(ctx context.Context, a settlement.Allocation, sign Signs) (settlement.Allocated, error) {
	var out settlement.Allocated
	err := l.do(ctx, "allocate revoke: settlement "+strconv.FormatInt(a.SettlementID, 10), func(t *Tx) error {
		out = settlement.Allocated{}
		r := revocation{allocation: allocation{Allocation: a, t: t}}
		if err := r.lock(); err != nil {
			return err
		}
		switch {
		case r.live != nil:
			out = settlement.Allocated{Outcome: settlement.AllocatedLive, Transaction: r.live}
			return nil
		case r.s.State.Terminal() || r.s.Wish != settlement.WishRevoke:
			return stale("settlement %s is %s, and its revoke is not asked for", r.s.Key, r.s.State)
		}
		lane := r.choose()
		if lane == nil {
			return settlement.Errorf(settlement.Transient, "settlement %s: no active lane with an operator's key and %s wei can send its revoke", r.s.Key, r.cost)
		}
		return r.take(lane.ID, sign, &out)
	})
	return out, err
}

// revocation is one AllocateRevoke under way.
type revocation struct {
	allocation
	live *settlement.Transaction // the revoke that is out
}

func (r *revocation) lock() error {
	gas, over := settlement.NewAmount(r.GasLimit).Mul(r.Cap)
	if over || gas.Cmp(r.MaxCost) > 0 {
		return settlement.Invalidf("max cost", "is below gas limit x cap: %s", r.MaxCost)
	}
	r.cost = gas
	b := &pgx.Batch{}
	b.Queue(`SELECT 1 FROM settlements WHERE id = $1 FOR NO KEY UPDATE`, r.SettlementID)
	queueSettlement(b, &r.s, ` WHERE s.id = $1`, r.SettlementID)
	b.Queue(liveTransactionSQL+` JOIN transaction_items i ON i.transaction_id = t.id WHERE i.settlement_id = $1 AND i.live AND NOT i.pays`, r.SettlementID).Query(func(rows pgx.Rows) error {
		found, err := pgx.CollectRows(rows, scanLive)
		if len(found) == 1 {
			r.live = found[0]
		}
		return err
	})
	b.Queue(selectLaneFacts+` WHERE l.chain_id = (SELECT chain_id FROM settlements WHERE id = $1) ORDER BY l.id`, r.SettlementID).Query(func(rows pgx.Rows) (err error) {
		r.lanes, err = pgx.CollectRows(rows, toLaneFacts)
		r.lanes = r.holding(r.lanes)
		return err
	})
	return r.t.Batch(b)
}

func (r *revocation) choose() *laneFacts {
	var best *laneFacts
	for i, l := range r.lanes {
		if r.fits(l) && (best == nil || l.InFlight < best.InFlight) {
			best = &r.lanes[i]
		}
	}
	return best
}

// fits: the ceiling is a quarter higher, as for whatever frees others.
func (r *revocation) fits(l laneFacts) bool {
	ceiling, over := l.CapCeiling.Mul(settlement.NewAmount(5))
	limit, over2 := r.Cap.Mul(settlement.NewAmount(4))
	return l.Active && l.Held && l.Operator && l.funded(r.cost) && !over2 && (over || limit.Cmp(ceiling) <= 0)
}

func (r *revocation) take(laneID int64, sign Signs, out *settlement.Allocated) error {
	b := &pgx.Batch{}
	var lane laneFacts
	b.Queue(`SELECT 1 FROM lanes WHERE id = $1 FOR NO KEY UPDATE`, laneID)
	b.Queue(selectLaneFacts+` WHERE l.id = $1`, laneID).Query(func(rows pgx.Rows) (err error) {
		lane, err = pgx.CollectExactlyOneRow(rows, toLaneFacts)
		return err
	})
	if err := r.t.Batch(b); err != nil {
		return err
	}
	lane = r.holding([]laneFacts{lane})[0]
	if !r.fits(lane) {
		return errLaneMoved
	}
	attempt, err := sign(lane.Signer, lane.NextNonce)
	if err != nil {
		return fmt.Errorf("sign nonce %d of %s: %w", lane.NextNonce, lane.Signer, err)
	}
	if err := checkAttempt(&attempt, r.s.Asset.ChainID, lane.Signer, lane.NextNonce); err != nil {
		return err
	}
	if attempt.Kind != settlement.AttemptRevoke || !samePayload(attempt.Payload, r.Payload) || attempt.Fees != r.Fees {
		return settlement.Invalidf("attempt", "is not the revoke that was asked for")
	}
	transaction := &settlement.Transaction{LaneID: lane.ID, Signer: lane.Signer, Nonce: lane.NextNonce, Kind: settlement.KindRevoke, Newest: attempt}
	r.t.AtCommit(takeRevokeSQL, r.s.ID, lane.ID, lane.NextNonce, attempt.To, num(attempt.Value), calldata(attempt.Data), attempt.GasLimit,
		num(attempt.Cap), num(attempt.Tip), attempt.SigningHash, orNull(attempt.Hash), attempt.Raw).QueryRow(func(row pgx.Row) error {
		var ok bool
		return row.Scan(&transaction.ID, &ok)
	})
	*out = settlement.Allocated{Outcome: settlement.AllocatedNonce, Transaction: transaction}
	return nil
}

// takeRevokeSQL takes the nonce only while the wish stands and no revoke is live, which an index holds besides.
const takeRevokeSQL = `
	WITH asked AS (
		SELECT id FROM settlements WHERE id = $1 AND wish = 'revoke' AND state NOT IN ('settled', 'failed', 'cancelled')
	), lane AS (
		UPDATE lanes SET next_nonce = next_nonce + 1 WHERE id = $2 AND next_nonce = $3 AND state = 'active' AND operator RETURNING id, chain_id, signer
	), transaction AS (
		INSERT INTO transactions (chain_id, lane_id, signer, nonce, kind, pays) SELECT chain_id, id, signer, $3, 'revoke', false FROM lane RETURNING id
	), item AS (
		INSERT INTO transaction_items (transaction_id, position, settlement_id, pays) SELECT transaction.id, 0, asked.id, false FROM transaction, asked RETURNING 1
	), attempt AS (
		INSERT INTO attempts (transaction_id, kind, to_address, value, data, gas_limit, fee_cap, fee_tip, signing_hash, hash, raw)
		SELECT id, 'revoke', $4, $5, $6, $7, $8, $9, $10, $11, $12 FROM transaction RETURNING 1
	)
	SELECT (SELECT id FROM transaction),
	       must((SELECT count(*) FROM item) = 1 AND (SELECT count(*) FROM attempt) = 1, 'the settlement or the lane moved')`
