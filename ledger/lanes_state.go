package ledger

import (
	"context"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// LaneMove is what an operator does to a lane.
type LaneMove struct {
	ChainID uint64
	Signer  common.Address
	Actor   string
	Why     string
	Seen    *int // how many foreign transactions the operator has read of in the lane's report; nil: none was read
}

// laneVerb is one of the operator's moves.
type laneVerb struct {
	unit string // also the journal's action
	from []settlement.LaneState
	to   settlement.LaneState
}

var (
	laneFreeze   = laneVerb{"freeze lane", []settlement.LaneState{settlement.LaneActive, settlement.LaneDraining}, settlement.LaneFrozen}
	laneDrain    = laneVerb{"drain lane", []settlement.LaneState{settlement.LaneActive, settlement.LaneFrozen}, settlement.LaneDraining}
	laneThaw     = laneVerb{"thaw lane", []settlement.LaneState{settlement.LaneFrozen}, settlement.LaneActive}
	laneActivate = laneVerb{"activate lane", []settlement.LaneState{settlement.LaneDraining, settlement.LaneRemoved}, settlement.LaneActive}
	laneRemove   = laneVerb{"remove lane", []settlement.LaneState{settlement.LaneActive, settlement.LaneDraining, settlement.LaneFrozen}, settlement.LaneRemoved}
)

// FreezeLane stops new nonces of a lane at once and takes its unused grants back in the same commit. What is out stays
// supervised. A lane that is in the wanted state already keeps its reason: nothing is written. So do all of these moves.
func (l *Ledger) FreezeLane(ctx context.Context, m LaneMove) (changed bool, err error) {
	return l.moveLane(ctx, laneFreeze, m)
}

// DrainLane does the same by an operator's wish, before a lane is to be removed.
func (l *Ledger) DrainLane(ctx context.Context, m LaneMove) (changed bool, err error) {
	return l.moveLane(ctx, laneDrain, m)
}

// ThawLane lets a frozen lane take nonces again, grants every free slot of the chain and wakes who waits for a lane, in the
// same commit. While somebody else's transaction of its signer is not final, or a nonce that it took is not given up by proof,
// the operator must have seen the report.
func (l *Ledger) ThawLane(ctx context.Context, m LaneMove) (changed bool, err error) {
	return l.moveLane(ctx, laneThaw, m)
}

// ActivateLane does the same for a lane that drains or was removed.
func (l *Ledger) ActivateLane(ctx context.Context, m LaneMove) (changed bool, err error) {
	return l.moveLane(ctx, laneActivate, m)
}

// RemoveLane ends the use of a lane of which no nonce is out. Its transactions and events stay watched, and foreign use of its
// key is found as before.
func (l *Ledger) RemoveLane(ctx context.Context, m LaneMove) (changed bool, err error) {
	return l.moveLane(ctx, laneRemove, m)
}

func (l *Ledger) moveLane(ctx context.Context, v laneVerb, m LaneMove) (changed bool, err error) {
	if err := said(m.Actor, m.Why); err != nil {
		return false, err
	}
	err = l.do(ctx, v.unit+": "+m.Signer.Hex(), func(t *Tx) error {
		changed = false
		lane, err := m.lock(t)
		if err != nil || lane.state == v.to && v.to != settlement.LaneActive {
			return err
		}
		if lane.state == v.to {
			return m.checkCount(t)
		}
		if !slices.Contains(v.from, lane.state) {
			return settlement.Invalidf("signer", "is %s: %s is for a lane that is %s", lane.state, v.unit, v.states())
		}
		details := map[string]any{"chain_id": m.ChainID, "why": clip(m.Why), "before": lane.state}
		if v.to == settlement.LaneActive {
			if details["foreign"], err = m.checkForeign(t); err != nil {
				return err
			}
		}
		if v.to == settlement.LaneRemoved {
			if err := checkIdle(t, lane); err != nil {
				return err
			}
		}
		changed = true
		return m.write(t, v, lane, details)
	})
	return changed, err
}

// states names the states that a verb begins with.
func (v laneVerb) states() string {
	text := ""
	for i, s := range v.from {
		switch {
		case i > 0 && i == len(v.from)-1:
			text += " or "
		case i > 0:
			text += ", "
		}
		text += string(s)
	}
	return text
}

// lock takes the locks of the lane's grants and of all lanes, and returns the lane.
func (m LaneMove) lock(t *Tx) (lane laneRow, err error) {
	b := &pgx.Batch{}
	b.Queue(`SELECT 1 FROM queue WHERE lane_id IN (SELECT id FROM lanes WHERE chain_id = $1 AND signer = $2) ORDER BY settlement_id FOR UPDATE`, m.ChainID, m.Signer)
	var lanes []laneRow
	b.Queue(laneSQL, m.ChainID).Query(func(rows pgx.Rows) (err error) {
		lanes, err = pgx.CollectRows(rows, scanLane)
		return err
	})
	if err := t.Batch(b); err != nil {
		return lane, err
	}
	i := slices.IndexFunc(lanes, func(l laneRow) bool { return l.signer == m.Signer })
	if i < 0 {
		return lane, settlement.Invalidf("signer", "has no lane on chain %d: %s", m.ChainID, m.Signer)
	}
	return lanes[i], nil
}

// write moves the lane. A lane that takes no nonces gives its unused grants back; one that does gets its share of the queue.
func (m LaneMove) write(t *Tx, v laneVerb, lane laneRow, details map[string]any) error {
	reason := clip(m.Why)
	if v.to == settlement.LaneActive {
		reason = ""
	}
	if _, err := t.Exec(`UPDATE lanes SET state = $2, state_reason = $3 WHERE id = $1`, lane.id, v.to, orNull(reason)); err != nil {
		return err
	}
	if v.to == settlement.LaneActive {
		if err := grantNow(t, m.ChainID); err != nil {
			return err
		}
	} else {
		t.AtCommit(`UPDATE queue SET lane_id = NULL, granted_block = NULL WHERE lane_id = $1`, lane.id)
	}
	return journal(t, m.Actor, v.unit, signerStream(m.Signer), details)
}

// checkForeign refuses to use a signer again of whose foreign transactions one is in doubt, unless the operator has seen as
// many as there are: one that came after the report makes it out of date.
func (m LaneMove) checkForeign(t *Tx) (int, error) {
	found, err := foreignOf(t, m.ChainID, m.Signer)
	if err != nil {
		return 0, err
	}
	open := 0
	for _, f := range found {
		if f.Open() {
			open++
		}
	}
	switch {
	case m.Seen != nil && *m.Seen != len(found):
		return 0, settlement.Invalidf("acknowledge", "is not the number of foreign transactions in the lane's report")
	case m.Seen == nil && open > 0:
		return 0, settlement.Invalidf("acknowledge", "must give the number of foreign transactions in the lane's report: %s, or what it took is not given up by proof yet",
			fmt.Sprintf("%d of %d are not final", open, len(found)))
	}
	return len(found), nil
}

// checkCount refuses a wrong number also where there is nothing to do.
func (m LaneMove) checkCount(t *Tx) error {
	if m.Seen == nil {
		return nil
	}
	_, err := m.checkForeign(t)
	return err
}

// checkIdle refuses to remove a lane of which something is out, which the schema refuses besides.
func checkIdle(t *Tx, lane laneRow) error {
	var live int64
	if err := t.QueryRow(`SELECT count(*) FROM transactions WHERE lane_id = $1 AND live`, lane.id).Scan(&live); err != nil {
		return err
	}
	if live > 0 {
		return settlement.Invalidf("signer", "has %d nonces that no final block has consumed: drain the lane, and remove it when they are", live)
	}
	return nil
}
