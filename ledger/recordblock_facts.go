package ledger

import (
	"math"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// writeFacts queues the block, its transactions of our signers, and its events as they are, whatever they say. A block that
// returns after a reorg finds its rows: it becomes canonical again and counts once more as seen.
func (r *recording) writeFacts(b *pgx.Batch) {
	block, genesis := r.block, r.block.Number == 0 // the genesis block is final by definition, and holds no transaction
	b.Queue(`
		INSERT INTO blocks AS o (chain_id, number, hash, parent, mined_at, base_fee, gas_limit, canonical, final)
		VALUES ($1, $2, $3, $4, $5, $6, $7, true, $8)
		ON CONFLICT (chain_id, hash) DO UPDATE SET canonical = true, seen = o.seen + 1
		RETURNING seen`,
		r.chainID, block.Number, block.Hash, block.Parent, storable(block.Time), num(block.BaseFee), max(bigint(block.GasLimit), 1), genesis,
	).QueryRow(func(row pgx.Row) error { return row.Scan(&r.seen) })
	if len(block.Transactions) > 0 {
		b.Queue(insertMinedSQL, minedArgs(r.chainID, block)...)
	}
	if len(block.Incoming) > 0 {
		b.Queue(`INSERT INTO incoming (chain_id, block_hash, tx_hash, signer, amount)
			SELECT $1, $2, u.tx_hash, u.signer, u.amount FROM unnest($3::bytea[], $4::bytea[], $5::numeric[]) AS u (tx_hash, signer, amount) ON CONFLICT DO NOTHING`,
			r.chainID, block.Hash,
			column(block.Incoming, func(i settlement.Incoming) []byte { return i.TxHash.Bytes() }),
			column(block.Incoming, func(i settlement.Incoming) []byte { return i.Signer.Bytes() }),
			nums(column(block.Incoming, func(i settlement.Incoming) settlement.Amount { return i.Amount })))
	}
	if len(block.Events) > 0 {
		b.Queue(insertEventsSQL, eventArgs(r.chainID, block)...)
	}
	b.Queue(`
		INSERT INTO heads AS h (chain_id, head_number, head_hash, final_number, final_hash, base_fee, gas_limit, tip, vault_paused)
		SELECT chain_id, $2, $3, $4, $5, $6, $7, GREATEST($8::numeric, tip_floor), $9 FROM chains WHERE chain_id = $1
		ON CONFLICT (chain_id) DO UPDATE SET head_number = excluded.head_number, head_hash = excluded.head_hash,
			base_fee = excluded.base_fee, gas_limit = excluded.gas_limit, tip = excluded.tip, vault_paused = excluded.vault_paused,
			updated_at = clock_timestamp()`,
		r.chainID, block.Number, block.Hash, max(block.Number, 1)-1, firstFinal(block),
		num(block.BaseFee), max(bigint(block.GasLimit), 1), num(r.tip()), r.paused())
}

// firstFinal is the hash of the block below the first one recorded, which is taken as final: nothing of ours is in it.
func firstFinal(block settlement.Block) common.Hash {
	if block.Number == 0 {
		return block.Hash
	}
	return block.Parent
}

const insertMinedSQL = `
	INSERT INTO mined_transactions AS m (chain_id, block_hash, tx_hash, tx_index, signer, nonce, to_address, value, ok, gas_used, gas_limit, gas_price, attempt_id)
	SELECT $1::bigint, $2::bytea, u.tx_hash, u.tx_index, u.signer, u.nonce, u.to_address, u.value, u.ok, u.gas_used, u.gas_limit, u.gas_price, a.id
	  FROM unnest($3::bytea[], $4::int[], $5::bytea[], $6::bigint[], $7::bytea[], $8::numeric[], $9::boolean[], $10::bigint[], $11::bigint[], $12::numeric[])
	       AS u (tx_hash, tx_index, signer, nonce, to_address, value, ok, gas_used, gas_limit, gas_price)
	  LEFT JOIN attempts a ON a.hash = u.tx_hash
	ON CONFLICT (chain_id, block_hash, tx_hash) DO UPDATE SET attempt_id = COALESCE(m.attempt_id, excluded.attempt_id)`

func minedArgs(chainID uint64, block settlement.Block) []any {
	txs := block.Transactions
	return []any{
		chainID, block.Hash,
		column(txs, func(m settlement.MinedTransaction) []byte { return m.Hash.Bytes() }),
		column(txs, func(m settlement.MinedTransaction) int32 { return integer(m.Index) }),
		column(txs, func(m settlement.MinedTransaction) []byte { return m.From.Bytes() }),
		column(txs, func(m settlement.MinedTransaction) int64 { return bigint(m.Nonce) }),
		column(txs, func(m settlement.MinedTransaction) []byte {
			if m.To == nil {
				return nil
			}
			return m.To.Bytes()
		}),
		nums(column(txs, func(m settlement.MinedTransaction) settlement.Amount { return m.Value })),
		column(txs, func(m settlement.MinedTransaction) bool { return m.OK }),
		column(txs, func(m settlement.MinedTransaction) int64 { return bigint(m.GasUsed) }),
		column(txs, func(m settlement.MinedTransaction) int64 { return bigint(m.GasLimit) }),
		nums(column(txs, func(m settlement.MinedTransaction) settlement.Amount { return m.GasPrice })),
	}
}

// insertEventsSQL writes a field only where the event has it. An array of arrays cannot be ragged, so topics come joined.
const insertEventsSQL = `
	INSERT INTO events (chain_id, block_hash, tx_hash, log_index, tx_log_index, vault, name, event_key, token, party, amount, topics, data, problem)
	SELECT $1::bigint, $2::bytea, u.tx_hash, u.log_index, u.tx_log_index, u.vault, u.name,
	       CASE WHEN u.name IN ('Settled', 'Deposited', 'Revoked') THEN u.event_key END,
	       CASE WHEN u.name IN ('Settled', 'Deposited', 'Withdrawn') THEN u.token END,
	       CASE WHEN u.name IN ('Settled', 'Deposited', 'Withdrawn') THEN u.party END,
	       CASE WHEN u.name IN ('Settled', 'Deposited', 'Withdrawn') THEN u.amount END,
	       ARRAY(SELECT substr(u.topics, 1 + 32 * i, 32) FROM generate_series(0, length(u.topics) / 32 - 1) AS i ORDER BY i), u.data, NULLIF(u.problem, '')
	  FROM unnest($3::bytea[], $4::int[], $5::int[], $6::bytea[], $7::text[], $8::bytea[], $9::bytea[], $10::bytea[], $11::numeric[], $12::bytea[], $13::bytea[], $14::text[])
	       WITH ORDINALITY AS u (tx_hash, log_index, tx_log_index, vault, name, event_key, token, party, amount, topics, data, problem, ord)
	 ORDER BY u.ord
	ON CONFLICT DO NOTHING`

func eventArgs(chainID uint64, block settlement.Block) []any {
	events := block.Events
	return []any{
		chainID, block.Hash,
		column(events, func(e settlement.Event) []byte { return e.TxHash.Bytes() }),
		column(events, func(e settlement.Event) int32 { return integer(e.LogIndex) }),
		column(events, func(e settlement.Event) int32 { return integer(e.TxLogIndex) }),
		column(events, func(e settlement.Event) []byte { return e.Vault.Bytes() }),
		column(events, func(e settlement.Event) string { return eventName(e.Name) }),
		column(events, func(e settlement.Event) []byte { return e.ID.Bytes() }),
		column(events, func(e settlement.Event) []byte { return e.Token.Bytes() }),
		column(events, func(e settlement.Event) []byte { return e.Party.Bytes() }),
		nums(column(events, func(e settlement.Event) settlement.Amount { return e.Amount })),
		column(events, func(e settlement.Event) []byte {
			joined := []byte{}
			for _, topic := range e.Topics {
				joined = append(joined, topic[:]...)
			}
			return joined
		}),
		column(events, func(e settlement.Event) []byte { return append([]byte{}, e.Data...) }),
		column(events, func(e settlement.Event) string { return clip(e.Problem) }),
	}
}

// eventName makes a name of tomorrow an unknown one of today.
func eventName(name settlement.EventName) string {
	switch name {
	case settlement.EventSettled, settlement.EventDeposited, settlement.EventRevoked, settlement.EventWithdrawn, settlement.EventOther:
		return string(name)
	default:
		return string(settlement.EventUnknown)
	}
}

// column turns rows into the array of one column.
func column[R, C any](rows []R, of func(R) C) []C {
	out := make([]C, len(rows))
	for i, row := range rows {
		out[i] = of(row)
	}
	return out
}

// bigint and integer clamp what a chain may say and Postgres cannot hold: a gas limit of 2^64-1 is as good as 2^63-1.
func bigint(v uint64) int64  { return int64(min(v, math.MaxInt64)) }
func integer(v uint64) int32 { return int32(min(v, math.MaxInt32)) }

// storable clamps a block's time to what timestamptz holds: a header may carry any 64-bit number of seconds.
func storable(at time.Time) time.Time {
	latest := time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	if at.After(latest) {
		return latest
	}
	if earliest := time.Unix(0, 0); at.Before(earliest) {
		return earliest
	}
	return at
}
