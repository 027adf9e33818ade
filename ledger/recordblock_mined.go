package ledger

import (
	"encoding/binary"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// minedPayment is a settlement that this block pays, if it stays.
type minedPayment struct {
	settlementID int64
	txHash       common.Hash
	txLogIndex   uint64
}

// lockCandidates queues the locks of the settlements that this block may mine.
func (r *recording) lockCandidates(b *pgx.Batch) {
	r.candidate, r.ours = map[int64]settlement.Settlement{}, map[common.Hash]bool{}
	if len(r.block.Transactions) == 0 {
		return
	}
	sent := hashes(column(r.block.Transactions, func(m settlement.MinedTransaction) common.Hash { return m.Hash }))
	b.Queue(`SELECT hash FROM attempts WHERE hash = ANY($1)`, sent).Query(func(rows pgx.Rows) error {
		var hash common.Hash
		_, err := pgx.ForEachRow(rows, []any{&hash}, func() error { r.ours[hash] = true; return nil })
		return err
	})
	b.Queue(factSQL+` WHERE s.state = 'submitted' AND s.id IN (
			SELECT i.settlement_id FROM attempts a JOIN transaction_items i USING (transaction_id) WHERE a.hash = ANY($1) AND i.live AND i.pays)
		ORDER BY s.id FOR UPDATE OF s`, sent).Query(func(rows pgx.Rows) error {
		facts, err := pgx.CollectRows(rows, scanFact)
		for _, f := range facts {
			r.candidate[f.ID] = f.Settlement
		}
		return err
	})
}

// writeMined queues which of our nonces this block holds, and which settlements it pays: only by a successful attempt of
// theirs with an event of which vault, id, token, recipient and amount are all the settlement's.
func (r *recording) writeMined(b *pgx.Batch) {
	if len(r.block.Transactions) == 0 {
		return
	}
	b.Queue(`
		UPDATE transactions t SET mined_hash = m.tx_hash, mined_block = $3
		  FROM mined_transactions m
		 WHERE m.chain_id = $1 AND m.block_hash = $2 AND t.live
		   AND t.chain_id = m.chain_id AND t.signer = m.signer AND t.nonce = m.nonce`, r.chainID, r.block.Hash, r.block.Number)
	b.Queue(`
		UPDATE settlements s SET state = 'mined', tx_hash = e.tx_hash, block_number = $3
		  FROM mined_transactions m
		  JOIN attempts a ON a.id = m.attempt_id
		  JOIN transaction_items i ON i.transaction_id = a.transaction_id AND i.live AND i.pays
		  JOIN events e ON e.chain_id = m.chain_id AND e.block_hash = m.block_hash AND e.tx_hash = m.tx_hash AND e.name = 'Settled'
		 WHERE m.chain_id = $1 AND m.block_hash = $2 AND m.ok AND s.id = i.settlement_id AND s.state = 'submitted'
		   AND (e.event_key, e.vault, e.token, e.party, e.amount) = (s.onchain_id, s.vault, s.token, s.destination, s.amount)
		RETURNING s.id, e.tx_hash, e.tx_log_index`, r.chainID, r.block.Hash, r.block.Number).Query(func(rows pgx.Rows) (err error) {
		r.mined, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (m minedPayment, err error) {
			err = row.Scan(&m.settlementID, &m.txHash, &m.txLogIndex)
			if _, locked := r.candidate[m.settlementID]; err == nil && !locked {
				err = stale("settlement %d was submitted while its block was recorded", m.settlementID)
			}
			return m, err
		})
		return err
	})
}

// txCause and logCause name an occurrence on chain for an event's id.
func txCause(block, tx common.Hash) []byte { return append(block.Bytes(), tx.Bytes()...) }

func logCause(block, tx common.Hash, txLogIndex uint64) []byte {
	return binary.BigEndian.AppendUint64(txCause(block, tx), txLogIndex)
}

// foreign lists the transactions of a lane's signer that are no attempt of ours. What the signer did before it became a lane
// is not ours to judge: it is in the balance that was booked when the lane was added.
func (r *recording) foreign(lane laneRow) []settlement.MinedTransaction {
	var out []settlement.MinedTransaction
	for _, m := range r.block.Transactions {
		if m.From == lane.signer && bigint(m.Nonce) >= lane.firstNonce && !r.ours[m.Hash] {
			out = append(out, m)
		}
	}
	return out
}

// Types of alarms on a signer's stream.
const (
	TypeForeign    = "signer.foreign_transaction"
	TypeSignerCode = "signer.has_code"
)

// ForeignPayload tells that somebody else used a signer's key.
type ForeignPayload struct {
	ChainID     uint64            `json:"chain_id"`
	Signer      string            `json:"signer"`
	Nonce       uint64            `json:"nonce"`
	TxHash      common.Hash       `json:"tx_hash"`
	Value       settlement.Amount `json:"value_wei"`
	BlockNumber uint64            `json:"block_number"`
	BlockHash   common.Hash       `json:"block_hash"`
}

// tellLane alarms about foreign use and about code at a signer, and keeps the finding.
func (r *recording) tellLane(lane laneRow) error {
	alarm := func(kind, action string, cause []byte, payload any) error {
		emit(r.t, event{
			Tenant: settlement.DefaultTenant, Stream: signerStream(lane.signer), Type: kind, Cause: cause, N: r.seen - 1, Payload: payload,
		})
		return journal(r.t, "listener", action, signerStream(lane.signer), payload)
	}
	for _, m := range r.foreign(lane) {
		payload := ForeignPayload{
			ChainID: r.chainID, Signer: lane.signer.Hex(), Nonce: m.Nonce, TxHash: m.Hash, Value: m.Value,
			BlockNumber: r.block.Number, BlockHash: r.block.Hash,
		}
		if err := alarm(TypeForeign, "foreign_transaction_mined", txCause(r.block.Hash, m.Hash), payload); err != nil {
			return fmt.Errorf("foreign transaction %s: %w", m.Hash, err)
		}
	}
	if lane.frozenForCode {
		payload := map[string]any{"chain_id": r.chainID, "signer": lane.signer.Hex(), "block_number": r.block.Number, "block_hash": r.block.Hash}
		if err := alarm(TypeSignerCode, "signer_has_code", r.block.Hash.Bytes(), payload); err != nil {
			return fmt.Errorf("signer %s has code: %w", lane.signer, err)
		}
	}
	return nil
}
