package ledger

import (
	"context"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// Quarantined is a log of a vault that took no effect, or that only of money gone which nobody asked for. What the log does not
// say, or was not understood of it, is nil.
type Quarantined struct {
	ID         int64              `json:"id"`
	At         time.Time          `json:"at"`
	ChainID    uint64             `json:"chain_id"`
	Block      uint64             `json:"block_number"`
	Tx         common.Hash        `json:"tx_hash"`
	TxLogIndex uint64             `json:"tx_log_index"`
	Vault      common.Address     `json:"vault"`
	Event      string             `json:"event"`
	Key        *common.Hash       `json:"event_key"` // settlement id or customer id
	Token      *common.Address    `json:"token"`
	Party      *common.Address    `json:"party"`
	Amount     *settlement.Amount `json:"amount_base_units"`
	Reason     string             `json:"reason"`
}

// Quarantine lists at most limit logs that nobody has released, oldest first, behind the one with the id after.
func (l *Ledger) Quarantine(ctx context.Context, after int64, limit int) ([]Quarantined, error) {
	return read(ctx, l, "list quarantine", pgx.RowToStructByPos[Quarantined], `
		SELECT q.id, q.created_at, q.chain_id, b.number, q.tx_hash, q.tx_log_index, e.vault, e.name, e.event_key, e.token, e.party, e.amount, q.reason
		  FROM quarantine q JOIN events e ON e.id = q.event_id JOIN blocks b ON b.chain_id = e.chain_id AND b.hash = e.block_hash
		 WHERE q.released_at IS NULL AND q.id > $1 ORDER BY q.id LIMIT $2`, after, limit)
}
