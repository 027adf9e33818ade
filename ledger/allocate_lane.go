package ledger

import (
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// laneFacts is what choosing a lane needs.
type laneFacts struct {
	ID          int64
	Signer      common.Address
	Active      bool
	Held        bool // the caller holds its key
	Operator    bool
	NextNonce   uint64
	InFlight    int // allocated at or above the chain's count, and grants
	InFlightMax int
	Balance     settlement.Amount // wei
	Committed   settlement.Amount // what its unmined transactions may cost at most
	CapCeiling  settlement.Amount
}

// selectLaneFacts counts grants and costs by subqueries: read after the lane's lock, in a statement of its own, they are
// exact. A mined transaction's cost is in the balance already.
const selectLaneFacts = `
	SELECT l.id, l.signer, l.state = 'active', l.operator, l.next_nonce,
	       greatest(l.next_nonce - l.mined_nonce, 0) + (SELECT count(*) FROM queue q WHERE q.lane_id = l.id), l.in_flight_max, l.balance,
	       least((SELECT coalesce(sum(dearest.cost), 0) FROM transactions t
	         CROSS JOIN LATERAL (SELECT max(n.value + n.gas_limit * n.fee_cap) AS cost FROM attempts n WHERE n.transaction_id = t.id) dearest
	         WHERE t.lane_id = l.id AND t.live AND t.mined_hash IS NULL), 2::numeric ^ 256 - 1), l.cap_ceiling
	  FROM lanes l`

func toLaneFacts(row pgx.CollectableRow) (l laneFacts, err error) {
	err = row.Scan(&l.ID, &l.Signer, &l.Active, &l.Operator, &l.NextNonce, &l.InFlight, &l.InFlightMax, &l.Balance, &l.Committed, &l.CapCeiling)
	return l, err
}

func (l laneFacts) funded(cost settlement.Amount) bool {
	total, over := l.Committed.Add(cost)
	return !over && l.Balance.Cmp(total) >= 0
}

// holding marks the lanes whose keys the caller holds. A lane may be added before every process has its key, or be kept by a
// signer that this process does not reach: it must not draw the settlements of the others to itself, being the emptiest.
func (f *allocation) holding(lanes []laneFacts) []laneFacts {
	for i := range lanes {
		lanes[i].Held = len(f.Signers) == 0 || slices.Contains(f.Signers, lanes[i].Signer)
	}
	return lanes
}

// decideLane picks the least loaded lane that may send, can pay, and has a free slot.
func decideLane(lanes []laneFacts, cost, feeCap settlement.Amount, othersWait bool) verdict {
	active, operators, cheap, funded := 0, 0, 0, 0
	var best *laneFacts
	for i, l := range lanes {
		if !l.Active || !l.Held {
			continue
		}
		active++
		if !l.Operator {
			continue
		}
		operators++
		if feeCap.Cmp(l.CapCeiling) > 0 {
			continue
		}
		cheap++
		if !l.funded(cost) {
			continue
		}
		funded++
		if l.InFlight < l.InFlightMax && (best == nil || l.InFlight < best.InFlight) {
			best = &lanes[i]
		}
	}
	switch {
	case active == 0:
		return verdict{wait: settlement.WaitLane}
	case operators == 0:
		return verdict{wait: settlement.WaitOperator}
	case cheap == 0:
		return verdict{wait: settlement.WaitFees + ": " + feeCap.String() + " wei per gas are above every lane's ceiling"}
	case funded == 0:
		return verdict{wait: settlement.WaitSignerFunds}
	case othersWait:
		return verdict{}
	}
	return verdict{lane: best}
}

// decideGrant looks at the lane that granted a slot: the grant is counted in its load. A lane that may not send any more
// gives the settlement back to the queue. One whose key the caller lacks would grant the same again in the next block: it is
// the settlement's turn, so any other free slot will do.
func decideGrant(lanes []laneFacts, grant int64, cost, feeCap settlement.Amount) verdict {
	for i, l := range lanes {
		switch {
		case l.ID != grant:
		case !l.Held:
			other := decideLane(lanes, cost, feeCap, false)
			other.dropGrant = other.lane == nil
			return other
		case !l.Active || !l.Operator || l.InFlight > l.InFlightMax:
			return verdict{dropGrant: true}
		case feeCap.Cmp(l.CapCeiling) > 0:
			return verdict{wait: settlement.WaitFees + ": " + feeCap.String() + " wei per gas are above the lane's ceiling"}
		case !l.funded(cost):
			return verdict{wait: settlement.WaitSignerFunds}
		default:
			return verdict{lane: &lanes[i]}
		}
	}
	return verdict{dropGrant: true}
}

// errLaneMoved makes the unit run again: the lane filled up, or was frozen, between the look and the lock. That is a race
// lost, not an answer.
var errLaneMoved = errors.New("the lane changed before it was locked")

// lockLane locks the lane that decide chose and looks again, one round trip.
func (f *allocation) lockLane(id int64) (lane laneFacts, err error) {
	b := &pgx.Batch{}
	b.Queue(`SELECT 1 FROM lanes WHERE id = $1 FOR NO KEY UPDATE`, id)
	b.Queue(selectLaneFacts+` WHERE l.id = $1`, id).Query(func(rows pgx.Rows) (err error) {
		lane, err = pgx.CollectExactlyOneRow(rows, toLaneFacts)
		return err
	})
	if err := f.t.Batch(b); err != nil {
		return lane, err
	}
	locked := f.holding([]laneFacts{lane})
	again := decideLane(locked, f.cost, f.Cap, false)
	if f.grant != nil && *f.grant == id {
		again = decideGrant(locked, *f.grant, f.cost, f.Cap)
	}
	if again.lane == nil {
		return lane, errLaneMoved
	}
	return lane, nil
}
