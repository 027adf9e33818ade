package ledger

import (
	"context"
	"fmt"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// Signs makes the attempt for a nonce. It is called inside the commit that allocates the nonce: it must be pure computation,
// may be called again for another nonce, and must check that its signature recovers to the signer. For a remote signer it
// returns the attempt unsigned, with its signing hash, and StoreBytes follows.
type Signs = func(signer common.Address, nonce uint64) (settlement.Attempt, error)

// Allocate is the border: the commit behind which only the chain decides. Under the locks of settlement, queue row, liquidity
// and lane, in that order, it checks everything again, takes the nonce, and stores the bytes with it.
//
// On repeat, and by whoever comes second, it returns the live nonce and its newest attempt (AllocatedLive): bytes to send
// again, never a second nonce. Without a slot it leaves a queue row, without funds and the like a waiting state; both are
// committed when it returns. A crash before the commit leaves nothing; after it, the bytes are stored and somebody else may
// broadcast them. A settlement that ended, or that an operator asked to end, is Stale.
func (l *Ledger) Allocate(ctx context.Context, a settlement.Allocation, sign Signs) (settlement.Allocated, error) {
	var out settlement.Allocated
	err := l.do(ctx, "allocate: settlement "+strconv.FormatInt(a.SettlementID, 10), func(t *Tx) error {
		out = settlement.Allocated{}
		f := allocation{Allocation: a, t: t}
		if err := f.lock(); err != nil {
			return err
		}
		if err := f.check(); err != nil {
			return err
		}
		switch verdict := f.decide(); {
		case f.s.Live != nil && f.s.Live.Kind == settlement.KindPay:
			out = settlement.Allocated{Outcome: settlement.AllocatedLive, Transaction: f.s.Live}
			return nil
		case verdict.wait != "":
			out = settlement.Allocated{Outcome: settlement.AllocatedWait, Reason: verdict.wait}
			return moveToWaiting(t, f.s, verdict.wait)
		case verdict.lane == nil:
			out = settlement.Allocated{Outcome: settlement.AllocatedQueue}
			return f.enqueue(verdict.dropGrant)
		default:
			return f.take(verdict.lane.ID, sign, &out)
		}
	})
	return out, err
}

// allocation is one Allocate under way.
type allocation struct {
	settlement.Allocation
	t *Tx

	// read under locks
	s          settlement.Settlement
	queued     bool
	grant      *int64 // the lane that granted a slot
	balance    settlement.Amount
	inFlight   settlement.Amount
	asset      Asset
	paused     bool
	stopped    string // the listener
	halted     string // payments of the whole chain, by an operator
	othersWait bool   // somebody without a grant queues already
	reverts    int    // final ones of this settlement's own payments
	lastRevert uint64 // block of the newest of them
	head       uint64
	lanes      []laneFacts
	cost       settlement.Amount // gas limit x cap + value
}

// lock takes the locks in the design's order, each in a statement of its own, and then reads. One round trip.
func (f *allocation) lock() error {
	b := &pgx.Batch{}
	b.Queue(`SELECT 1 FROM settlements WHERE id = $1 FOR NO KEY UPDATE`, f.SettlementID).QueryRow(func(row pgx.Row) error {
		var one int
		return row.Scan(&one)
	})
	b.Queue(`SELECT lane_id FROM queue WHERE settlement_id = $1 FOR UPDATE`, f.SettlementID).Query(func(rows pgx.Rows) error {
		grants, err := pgx.CollectRows(rows, pgx.RowTo[*int64])
		if f.queued = len(grants) == 1; f.queued {
			f.grant = grants[0]
		}
		return err
	})
	b.Queue(`SELECT balance, in_flight FROM asset_liquidity WHERE asset_id = (SELECT asset_id FROM settlements WHERE id = $1) FOR NO KEY UPDATE`,
		f.SettlementID).QueryRow(func(row pgx.Row) error { return row.Scan(&f.balance, &f.inFlight) })
	queueSettlement(b, &f.s, ` WHERE s.id = $1`, f.SettlementID)
	b.Queue(selectAssets+` WHERE a.id = (SELECT asset_id FROM settlements WHERE id = $1)`, f.SettlementID).Query(func(rows pgx.Rows) (err error) {
		f.asset, err = pgx.CollectExactlyOneRow(rows, toAsset)
		return err
	})
	b.Queue(`SELECT coalesce(h.vault_paused, false), coalesce(h.stopped, ''), coalesce((SELECT c.stopped FROM chains c WHERE c.chain_id = s.chain_id), ''),
		        EXISTS (SELECT 1 FROM queue q JOIN assets a ON a.id = q.asset_id
		                 WHERE a.chain_id = s.chain_id AND a.stopped IS NULL AND q.lane_id IS NULL AND q.settlement_id <> s.id),
		        r.n, coalesce(r.last, 0), coalesce(h.head_number, 0)
		   FROM settlements s LEFT JOIN heads h ON h.chain_id = s.chain_id
		  CROSS JOIN LATERAL (SELECT count(*) AS n, max(t.mined_block) AS last FROM transaction_items i JOIN transactions t ON t.id = i.transaction_id
		                       WHERE i.settlement_id = s.id AND i.pays AND t.outcome = 'reverted') r
		  WHERE s.id = $1`, f.SettlementID).QueryRow(func(row pgx.Row) error {
		return row.Scan(&f.paused, &f.stopped, &f.halted, &f.othersWait, &f.reverts, &f.lastRevert, &f.head)
	})
	b.Queue(selectLaneFacts+` WHERE l.chain_id = (SELECT chain_id FROM settlements WHERE id = $1) ORDER BY l.id`, f.SettlementID).Query(func(rows pgx.Rows) (err error) {
		f.lanes, err = pgx.CollectRows(rows, toLaneFacts)
		f.lanes = f.holding(f.lanes)
		return err
	})
	return f.t.Batch(b)
}

// check refuses a settlement that may not have another paying nonce.
func (f *allocation) check() error {
	gas, over := settlement.NewAmount(f.GasLimit).Mul(f.Cap)
	cost, over2 := gas.Add(f.Value)
	if over || over2 || cost.Cmp(f.MaxCost) > 0 {
		return settlement.Invalidf("max cost", "is below gas limit x cap + value: %s", f.MaxCost)
	}
	f.cost = cost
	switch {
	case f.s.Live != nil && f.s.Live.Kind == settlement.KindPay:
		return nil
	case f.s.Wish != "":
		return stale("settlement %s is to end by an operator's wish (%s): it gets no paying nonce any more", f.s.Key, f.s.Wish)
	case !f.s.State.BeforeNonce():
		return stale("settlement %s is %s: it gets no nonce", f.s.Key, f.s.State)
	}
	return nil
}

// verdict is what the locked facts allow: a lane, a reason to wait, or neither, which is to queue.
type verdict struct {
	lane      *laneFacts
	wait      string
	dropGrant bool
}

// decide is pure: facts in, verdict out.
func (f *allocation) decide() verdict {
	free, short := f.balance.Sub(f.inFlight)
	switch {
	case f.stopped != "":
		return verdict{wait: settlement.WaitDoubtful + ": the listener is stopped: " + f.stopped}
	case f.halted != "":
		return verdict{wait: settlement.WaitStopped + ": everything: " + f.halted}
	case f.asset.Stopped != "":
		return verdict{wait: settlement.WaitStopped + ": " + f.asset.Symbol + ": " + f.asset.Stopped}
	case f.paused:
		return verdict{wait: settlement.WaitPaused}
	case f.head < f.patientUntil():
		return verdict{wait: fmt.Sprintf("%s: %d of its payments were simulated well and reverted, the next may be sent from block %d on",
			settlement.WaitDoubtful, f.reverts, f.patientUntil())}
	case f.overBudget():
		return verdict{wait: fmt.Sprintf("%s: %s %s an hour, of which %s are spent", settlement.WaitBudget,
			f.asset.HourlyBudget.Units(f.asset.Decimals), f.asset.Symbol, f.asset.Spent.Units(f.asset.Decimals))}
	case short || free.Cmp(f.s.Amount) < 0:
		return verdict{wait: settlement.WaitLiquidity}
	case f.cost.Cmp(f.asset.FeeCeiling) > 0:
		return verdict{wait: settlement.WaitFees + ": " + f.cost.String() + " wei at most"}
	}
	if f.grant != nil {
		return decideGrant(f.lanes, *f.grant, f.cost, f.Cap)
	}
	return decideLane(f.lanes, f.cost, f.Cap, f.queued || f.othersWait)
}

const (
	revertsFree       = 3  // payments of one settlement that may revert before it must be patient: an ordinary one, and two for want of gas
	revertPatience    = 64 // blocks after the third, doubled by each that follows
	revertPatienceMax = 1 << 16
)

// patientUntil is the block before which a settlement whose payments keep reverting gets no nonce. A recipient can pass every
// simulation and refuse every payment; without patience it would burn gas for ever, as long as others' payments of the asset
// go through between its own. What it costs grows with the logarithm of the time.
func (f *allocation) patientUntil() uint64 {
	if f.reverts < revertsFree {
		return 0
	}
	return f.lastRevert + min(uint64(revertPatience)<<min(f.reverts-revertsFree, 16), revertPatienceMax)
}

// enqueue leaves a queue row at the end of the line. Again it changes nothing: the row keeps its place.
func (f *allocation) enqueue(dropGrant bool) error {
	if dropGrant {
		f.t.AtCommitOne("the grant was taken back", `UPDATE queue SET lane_id = NULL, granted_block = NULL WHERE settlement_id = $1 AND lane_id = $2`,
			f.s.ID, *f.grant)
	}
	if !f.queued {
		f.t.AtCommit(`INSERT INTO queue (settlement_id, asset_id) VALUES ($1, $2)`, f.s.ID, f.s.Asset.ID)
	}
	if f.s.State != settlement.Queued {
		f.t.AtCommitOne("the settlement moved", `UPDATE settlements SET state = 'queued', reason = NULL, wait_rounds = 0, wake_block = NULL WHERE id = $1 AND state = $2`,
			f.s.ID, f.s.State)
	}
	return nil
}

// take locks the lane, looks at it again, signs, and queues the writes for the round trip of COMMIT.
func (f *allocation) take(laneID int64, sign Signs, out *settlement.Allocated) error {
	lane, err := f.lockLane(laneID)
	if err != nil {
		return err
	}
	attempt, err := sign(lane.Signer, lane.NextNonce)
	if err != nil {
		return fmt.Errorf("sign nonce %d of %s: %w", lane.NextNonce, lane.Signer, err)
	}
	if err := checkAttempt(&attempt, f.s.Asset.ChainID, lane.Signer, lane.NextNonce); err != nil {
		return err
	}
	if attempt.Kind != settlement.AttemptPay || !samePayload(attempt.Payload, f.Payload) || attempt.Fees != f.Fees {
		return settlement.Invalidf("attempt", "is not the payment that was estimated")
	}
	transaction := &settlement.Transaction{LaneID: lane.ID, Signer: lane.Signer, Nonce: lane.NextNonce, Kind: settlement.KindPay, Newest: attempt}
	f.t.AtCommit(takeNonceSQL, f.s.ID, f.s.State, f.s.NoncesAllocated, f.s.Asset.ID, num(f.s.Amount), lane.ID, lane.NextNonce, f.grant, f.queued,
		attempt.To, num(attempt.Value), calldata(attempt.Data), attempt.GasLimit, num(attempt.Cap), num(attempt.Tip), attempt.SigningHash,
		orNull(attempt.Hash), attempt.Raw).QueryRow(func(row pgx.Row) error {
		var ok bool
		return row.Scan(&transaction.ID, &ok)
	})
	f.s.State, f.s.Reason = settlement.Submitted, ""
	emit(f.t, event{
		Tenant: f.s.Key.Tenant, Stream: settlementStream(f.s.Key), Type: TypeSubmitted, Cause: attempt.SigningHash.Bytes(), Payload: f.s.Snapshot(),
	})
	*out = settlement.Allocated{Outcome: settlement.AllocatedNonce, Transaction: transaction}
	return nil
}

// takeNonceSQL moves everything at once, each with its old state in the WHERE; must ends the unit if any did not move. The
// nonce, the one live payment, and the hash are unique by index besides.
const takeNonceSQL = `
	WITH moved AS (
		UPDATE settlements SET state = 'submitted', nonces_allocated = nonces_allocated + 1, reason = NULL, wait_rounds = 0, wake_block = NULL
		 WHERE id = $1 AND state = $2 AND state IN ('requested', 'queued', 'waiting') AND nonces_allocated = $3 AND wish IS NULL
		   AND NOT EXISTS (SELECT 1 FROM transaction_items i WHERE i.settlement_id = $1 AND i.live AND i.pays)
		RETURNING id
	), granted AS (
		DELETE FROM queue WHERE settlement_id = $1 AND lane_id IS NOT DISTINCT FROM $8 RETURNING 1
	), reserved AS (
		UPDATE asset_liquidity SET in_flight = in_flight + $5 WHERE asset_id = $4 AND balance >= in_flight + $5 RETURNING 1
	), lane AS (
		UPDATE lanes SET next_nonce = next_nonce + 1 WHERE id = $6 AND next_nonce = $7 AND state = 'active' AND operator
		RETURNING id, chain_id, signer
	), transaction AS (
		INSERT INTO transactions (chain_id, lane_id, signer, nonce, kind, pays) SELECT chain_id, id, signer, $7, 'pay', true FROM lane RETURNING id
	), item AS (
		INSERT INTO transaction_items (transaction_id, position, settlement_id, pays)
		SELECT transaction.id, 0, moved.id, true FROM transaction, moved RETURNING 1
	), attempt AS (
		INSERT INTO attempts (transaction_id, kind, to_address, value, data, gas_limit, fee_cap, fee_tip, signing_hash, hash, raw)
		SELECT id, 'pay', $10, $11, $12, $13, $14, $15, $16, $17, $18 FROM transaction RETURNING 1
	)
	SELECT (SELECT id FROM transaction),
	       must((SELECT count(*) FROM item) = 1 AND (SELECT count(*) FROM attempt) = 1 AND (SELECT count(*) FROM reserved) = 1
	            AND (SELECT count(*) FROM granted) = $9::boolean::int, 'the settlement, its grant, the liquidity or the lane moved')`
