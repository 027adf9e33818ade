package ledger

import (
	"context"
	"errors"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// Custody says where a lane's key is.
type Custody string

const (
	CustodyKeystore Custody = "keystore" // in this process: signs within the commit
	CustodyRemote   Custody = "remote"   // elsewhere: signs between two commits
)

// LaneConfig is what an operator and the chain say of a signer when it is added.
type LaneConfig struct {
	ChainID     uint64
	Signer      common.Address
	Custody     Custody
	InFlightMax int               // 0: 16, geth's accountslots
	CapCeiling  settlement.Amount // wei per gas; cancels and no-ops may use 1.25 x
	Block       uint64            // at which the chain said:
	Nonce       uint64            // the count
	Balance     settlement.Amount // wei
	Operator    bool              // the vault lets it settle
}

// Lane is one signer's sequence of nonces, as it was read.
type Lane struct {
	ID int64
	LaneConfig
	State        settlement.LaneState
	Keyless      bool // the listener cannot sign for it
	StateReason  string
	NextNonce    uint64
	MinedNonce   uint64 // the chain's count at the last block
	Granted      int    // queue grants, which count as in flight
	FloatAccount int64
	CreatedAt    time.Time
}

// InFlight counts the allocated nonces at or above the chain's count, and grants.
func (l Lane) InFlight() int { return max(0, int(l.NextNonce)-int(l.MinedNonce)) + l.Granted }

const inFlightDefault = 16 // geth's txpool.accountslots

const selectLanes = `SELECT l.id, l.chain_id, l.signer, l.custody, l.in_flight_max, l.cap_ceiling, l.added_block, l.first_nonce, l.balance, l.operator,
		l.keyless, l.state, coalesce(l.state_reason, ''), l.next_nonce, l.mined_nonce, (SELECT count(*) FROM queue q WHERE q.lane_id = l.id), l.float_account, l.created_at
	FROM lanes l`

func toLane(row pgx.CollectableRow) (l Lane, err error) {
	err = row.Scan(&l.ID, &l.ChainID, &l.Signer, &l.Custody, &l.InFlightMax, &l.CapCeiling, &l.Block, &l.Nonce, &l.Balance, &l.Operator,
		&l.Keyless, &l.State, &l.StateReason, &l.NextNonce, &l.MinedNonce, &l.Granted, &l.FloatAccount, &l.CreatedAt)
	return l, err
}

// AddLane adds a signer and books its balance from funding. A signer that was added before is returned as it is: its first
// booking happened once.
func (l *Ledger) AddLane(ctx context.Context, c LaneConfig) (lane Lane, existed bool, err error) {
	if c.InFlightMax == 0 {
		c.InFlightMax = inFlightDefault
	}
	err = l.do(ctx, "add lane: "+c.Signer.Hex(), func(t *Tx) error {
		existed = false
		var native int64
		err := t.QueryRow(`SELECT id FROM assets WHERE chain_id = $1 AND token = $2`, c.ChainID, settlement.NativeToken).Scan(&native)
		if errors.Is(err, pgx.ErrNoRows) {
			return &settlement.Error{Kind: settlement.Invalid, Field: "chain", Rule: errNoNativeAsset.Error()}
		}
		if err != nil {
			return err
		}
		float, err := systemAccount(t, kindFloat, floatAccountName(c.ChainID, c.Signer))
		if err != nil {
			return err
		}
		inserted, err := t.Exec(`INSERT INTO lanes (chain_id, signer, custody, first_nonce, next_nonce, mined_nonce, in_flight_max, balance, operator, cap_ceiling, float_account, added_block)
			VALUES ($1, $2, $3, $4, $4, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (chain_id, signer) DO NOTHING`,
			c.ChainID, c.Signer, c.Custody, c.Nonce, c.InFlightMax, num(c.Balance), c.Operator, num(c.CapCeiling), float, c.Block)
		if err != nil {
			return err
		}
		existed = inserted == 0
		if !existed && !c.Balance.IsZero() {
			funding, err := systemAccount(t, kindFunding, chainAccountName(c.ChainID))
			if err != nil {
				return err
			}
			if _, err := t.Exec(`INSERT INTO transfers (debit_account, credit_account, asset_id, amount, phase, leg) VALUES ($1, $2, $3, $4, 'posted', 'float')`,
				float, funding, native, num(c.Balance)); err != nil {
				return err
			}
		}
		found, err := collect(t, toLane, selectLanes+` WHERE l.chain_id = $1 AND l.signer = $2`, c.ChainID, c.Signer)
		if err == nil {
			lane = found[0]
		}
		return err
	})
	return lane, existed, err
}

// Lanes lists the lanes of one chain, or of all chains with chainID 0.
func (l *Ledger) Lanes(ctx context.Context, chainID uint64) ([]Lane, error) {
	return read(ctx, l, "list lanes", toLane, selectLanes+` WHERE $1 = 0 OR l.chain_id = $1 ORDER BY l.id`, int64(chainID))
}
