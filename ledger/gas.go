package ledger

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// booking is what one mined transaction took from a lane's float, in the native coin.
type booking struct {
	txHash        common.Hash
	debit, credit int64
	asset         int64
	amount        settlement.Amount // zero: nothing to book
	leg           string
}

// bookGas decides the booking of a consumed nonce: gas of ours, whatever the attempt did, becomes gas expense; what a
// foreign transaction took, value and gas, goes to suspense. A transaction is booked once, in whatever block it is final.
func (f *finalizing) bookGas(m minedRow, lane laneRow) booking {
	native := f.assets[settlement.NativeToken]
	if m.booked || native == nil {
		return booking{}
	}
	gas := booking{txHash: m.Hash, debit: f.system[kindGasExpense], credit: lane.floatAccount, asset: native.ID, amount: m.GasCost(), leg: "gas"}
	if m.attempt != "" {
		return gas
	}
	gas.debit, gas.leg = f.system[kindSuspense], "foreign"
	if m.OK && (m.To == nil || *m.To != m.From) {
		gas.amount = sumOrMax(gas.amount, m.Value)
	}
	return gas
}

// sumOrMax saturates: no chain moves more than 2^256-1 wei, and what claims to is refused by the books.
func sumOrMax(a, b settlement.Amount) settlement.Amount {
	sum, overflow := a.Add(b)
	if overflow {
		sum, _ = settlement.AmountFromBig(new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1)))
	}
	return sum
}

// writeBookings queues the transfers and marks the transactions as booked.
func writeBookings(b *pgx.Batch, chainID uint64, block common.Hash, bookings []booking) {
	var due []booking
	for _, g := range bookings {
		if !g.amount.IsZero() {
			due = append(due, g)
		}
	}
	if len(due) == 0 {
		return
	}
	b.Queue(`
		WITH u AS MATERIALIZED (
			SELECT u.*, nextval(pg_get_serial_sequence('transfers', 'id')) AS id
			  FROM unnest($3::bytea[], $4::bigint[], $5::bigint[], $6::bigint[], $7::numeric[], $8::text[]) AS u (tx_hash, debit, credit, asset_id, amount, leg)
		), booked AS (
			UPDATE mined_transactions m SET gas_transfer = u.id FROM u WHERE m.chain_id = $1 AND m.block_hash = $2 AND m.tx_hash = u.tx_hash
		)
		INSERT INTO transfers (id, debit_account, credit_account, asset_id, amount, phase, leg) OVERRIDING SYSTEM VALUE
		SELECT id, debit, credit, asset_id, amount, 'posted', leg FROM u ORDER BY id`,
		chainID, block,
		column(due, func(g booking) []byte { return g.txHash.Bytes() }), column(due, func(g booking) int64 { return g.debit }),
		column(due, func(g booking) int64 { return g.credit }), column(due, func(g booking) int64 { return g.asset }),
		nums(column(due, func(g booking) settlement.Amount { return g.amount })), column(due, func(g booking) string { return g.leg }))
}
