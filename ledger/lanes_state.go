package ledger

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// laneMoves are the operator's moves, by target: from which states.
var laneMoves = map[settlement.LaneState][]settlement.LaneState{
	settlement.LaneFrozen:   {settlement.LaneActive, settlement.LaneDraining},
	settlement.LaneDraining: {settlement.LaneActive, settlement.LaneFrozen},
	settlement.LaneActive:   {settlement.LaneDraining, settlement.LaneFrozen},
}

// FreezeLane stops new nonces of a lane at once and takes its unused grants back in the same commit. What is out stays
// supervised. On repeat it is Stale: the lane is frozen, perhaps for another reason.
func (l *Ledger) FreezeLane(ctx context.Context, chainID uint64, signer common.Address, actor, why string) error {
	return l.moveLane(ctx, "freeze lane", chainID, signer, settlement.LaneFrozen, actor, why)
}

// DrainLane does the same by an operator's wish, before a lane is to be removed.
func (l *Ledger) DrainLane(ctx context.Context, chainID uint64, signer common.Address, actor, why string) error {
	return l.moveLane(ctx, "drain lane", chainID, signer, settlement.LaneDraining, actor, why)
}

// ThawLane lets a lane take nonces again, and grants every free slot of the chain in the same commit.
func (l *Ledger) ThawLane(ctx context.Context, chainID uint64, signer common.Address, actor, why string) error {
	return l.moveLane(ctx, "thaw lane", chainID, signer, settlement.LaneActive, actor, why)
}

func (l *Ledger) moveLane(ctx context.Context, unit string, chainID uint64, signer common.Address, to settlement.LaneState, actor, why string) error {
	if why == "" {
		return settlement.Invalidf("why", "must not be empty")
	}
	return l.do(ctx, unit+": "+signer.Hex(), func(t *Tx) error {
		b := &pgx.Batch{}
		b.Queue(`SELECT 1 FROM queue WHERE lane_id IN (SELECT id FROM lanes WHERE chain_id = $1 AND signer = $2) ORDER BY settlement_id FOR UPDATE`, chainID, signer)
		b.Queue(laneSQL, chainID)
		if err := t.Batch(b); err != nil {
			return err
		}
		moved, err := t.Exec(`UPDATE lanes SET state = $3, state_reason = $4 WHERE chain_id = $1 AND signer = $2 AND state = ANY($5)`,
			chainID, signer, to, orNull(map[bool]string{false: clip(why)}[to == settlement.LaneActive]), laneMoves[to])
		if err != nil {
			return err
		}
		if moved == 0 {
			return stale("lane %s of chain %d is not %s: it does not exist or moved first", signer, chainID, laneMoves[to])
		}
		if to != settlement.LaneActive {
			if _, err := t.Exec(`UPDATE queue SET lane_id = NULL, granted_block = NULL
				WHERE lane_id = (SELECT id FROM lanes WHERE chain_id = $1 AND signer = $2)`, chainID, signer); err != nil {
				return err
			}
		} else if err := grantNow(t, chainID, settlement.WaitLane); err != nil {
			return err
		}
		return journal(t, actor, unit, signerStream(signer), map[string]string{"why": why})
	})
}

// grantNow grants every free slot of a chain between two blocks, and makes due at the next block what waits for one of these
// words. The caller holds the lanes' locks.
func grantNow(t *Tx, chainID uint64, words ...string) error {
	var head uint64
	if err := t.QueryRow(`SELECT coalesce((SELECT head_number FROM heads WHERE chain_id = $1), (SELECT start_block FROM chains WHERE chain_id = $1))`, chainID).Scan(&head); err != nil {
		return fmt.Errorf("read head of chain %d: %w", chainID, err)
	}
	wakes := keySet{}
	b := &pgx.Batch{}
	grantSlots(b, chainID, head, wakes)
	dueNow(b, chainID, head, words, nil)
	if err := t.Batch(b); err != nil {
		return err
	}
	wake(t, wakes.sorted()...)
	return nil
}
