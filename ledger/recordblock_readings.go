package ledger

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// laneRow is a lane under its lock.
type laneRow struct {
	id                                int64
	signer                            common.Address
	state                             settlement.LaneState
	firstNonce, nextNonce, minedNonce int64
	balance                           settlement.Amount
	operator, keyless                 bool
	floatAccount                      int64

	frozenFor     string // why this block freezes it; empty if it does not
	frozenForCode bool
}

const laneSQL = `
	SELECT id, signer, state, first_nonce, next_nonce, mined_nonce, balance, operator, keyless, float_account FROM lanes
	 WHERE chain_id = $1 ORDER BY id FOR NO KEY UPDATE`

func scanLane(row pgx.CollectableRow) (l laneRow, err error) {
	err = row.Scan(&l.id, &l.signer, &l.state, &l.firstNonce, &l.nextNonce, &l.minedNonce, &l.balance, &l.operator, &l.keyless, &l.floatAccount)
	return l, err
}

// takesNonces says that a freeze would change the lane.
func (l laneRow) takesNonces() bool {
	return l.state == settlement.LaneActive || l.state == settlement.LaneDraining
}

// lockLanes queues the locks of liquidity and lanes, and before them those of the grants that a freeze would take back.
func (r *recording) lockLanes(b *pgx.Batch) {
	var suspects []common.Address // signers that this block may freeze
	for _, m := range r.block.Transactions {
		suspects = append(suspects, m.From)
	}
	for signer, reading := range r.block.Reads.Signers {
		if reading.HasCode {
			suspects = append(suspects, signer)
		}
	}
	if len(suspects) > 0 {
		b.Queue(`SELECT FROM queue WHERE lane_id IN (SELECT id FROM lanes WHERE chain_id = $1 AND signer = ANY($2))
			ORDER BY settlement_id FOR UPDATE`, r.chainID, addresses(suspects))
	}
	r.liquidity, r.lanes = map[int64]settlement.Amount{}, nil
	b.Queue(`SELECT asset_id, balance FROM asset_liquidity WHERE asset_id IN (SELECT id FROM assets WHERE chain_id = $1)
		ORDER BY asset_id FOR NO KEY UPDATE`, r.chainID).Query(func(rows pgx.Rows) error {
		var asset int64
		var balance settlement.Amount
		_, err := pgx.ForEachRow(rows, []any{&asset, &balance}, func() error { r.liquidity[asset] = balance; return nil })
		return err
	})
	forgetSpending(b, r.chainID, &r.aged)
	b.Queue(laneSQL, r.chainID).Query(func(rows pgx.Rows) (err error) {
		r.lanes, err = pgx.CollectRows(rows, scanLane)
		return err
	})
}

// noReadings: a listener that catches up may leave the readings out; what was read last then stands.
func (r *recording) noReadings() bool {
	return r.block.Reads.Signers == nil && r.block.Reads.VaultBalances == nil
}

func (r *recording) tip() settlement.Amount {
	if r.block.Reads.Tip.IsZero() {
		return r.cursor.Tip
	}
	return r.block.Reads.Tip
}

func (r *recording) paused() bool {
	if r.noReadings() {
		return r.cursor.Paused
	}
	return r.block.Reads.VaultPaused
}

// writeReadings queues what the chain says of the vault and the lanes at this block, and freezes lanes of which the key was
// used by somebody else or of which the signer has code. A freeze takes the lane's unused grants back.
func (r *recording) writeReadings(b *pgx.Batch) {
	var assets []int64
	var balances []settlement.Amount
	for id := range r.liquidity {
		if reading, read := r.block.Reads.VaultBalances[id]; read {
			assets, balances = append(assets, id), append(balances, reading)
		}
	}
	if len(assets) > 0 {
		b.Queue(`
			UPDATE asset_liquidity l SET balance = u.balance, balance_block = $3
			  FROM unnest($1::bigint[], $2::numeric[]) AS u (asset_id, balance) WHERE l.asset_id = u.asset_id`,
			assets, nums(balances), r.block.Number)
	}
	var frozen []int64
	for i := range r.lanes {
		r.judge(&r.lanes[i])
		if r.lanes[i].frozenFor != "" {
			frozen = append(frozen, r.lanes[i].id)
		}
	}
	if len(r.lanes) == 0 {
		return
	}
	now := column(r.lanes, r.reading)
	b.Queue(`
		UPDATE lanes l SET mined_nonce = u.nonce, balance = u.balance, operator = u.operator, keyless = u.keyless,
		       state = CASE WHEN u.frozen_for <> '' THEN 'frozen' ELSE l.state END, state_reason = COALESCE(NULLIF(u.frozen_for, ''), l.state_reason)
		  FROM unnest($1::bigint[], $2::bigint[], $3::numeric[], $4::boolean[], $5::boolean[], $6::text[]) AS u (id, nonce, balance, operator, keyless, frozen_for)
		 WHERE l.id = u.id`,
		column(now, func(l laneRow) int64 { return l.id }), column(now, func(l laneRow) int64 { return l.minedNonce }),
		nums(column(now, func(l laneRow) settlement.Amount { return l.balance })), column(now, func(l laneRow) bool { return l.operator }),
		column(now, func(l laneRow) bool { return l.keyless }),
		column(now, func(l laneRow) string { return l.frozenFor }))
	if len(frozen) > 0 {
		b.Queue(`UPDATE queue SET lane_id = NULL, granted_block = NULL WHERE lane_id = ANY($1)`, frozen)
	}
}

// judge says whether this block freezes a lane that still takes nonces.
func (r *recording) judge(lane *laneRow) {
	if !lane.takesNonces() {
		return
	}
	if foreign := r.foreign(*lane); len(foreign) > 0 {
		lane.frozenFor = fmt.Sprintf("foreign transaction %s took nonce %d in block %d", foreign[0].Hash, foreign[0].Nonce, r.block.Number)
	}
	if r.block.Reads.Signers[lane.signer].HasCode {
		lane.frozenForCode = true
		lane.frozenFor = fmt.Sprintf("the signer has code since block %d or earlier", r.block.Number)
	}
}

// reading is the lane at this block. Its count is never below what the block itself holds of the signer (the reading may
// come from a node that lags), nor below the count that it was added with (the block may be older than that).
func (r *recording) reading(lane laneRow) laneRow {
	if reading, read := r.block.Reads.Signers[lane.signer]; read {
		lane.minedNonce, lane.balance, lane.operator, lane.keyless = max(bigint(reading.Nonce), lane.firstNonce), reading.Balance, reading.Operator, reading.Keyless
	}
	for _, m := range r.block.Transactions {
		if m.From == lane.signer {
			lane.minedNonce = max(lane.minedNonce, bigint(m.Nonce)+1)
		}
	}
	return lane
}
