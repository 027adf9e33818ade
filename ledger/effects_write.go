package ledger

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/quittance/quittance/settlement"
)

// writeEffects queues the effects and what they do to the books: four statements, however many effects there are.
func (f *finalizing) writeEffects(b *pgx.Batch, effects []*effect) {
	if len(effects) == 0 {
		return
	}
	b.Queue(effectsSQL,
		column(effects, func(e *effect) int64 { return e.event.id }),
		column(effects, func(e *effect) string { return string(e.kind) }),
		column(effects, func(e *effect) *int64 { return e.settlementID() }),
		column(effects, func(e *effect) *int64 { return e.accountID() }),
		column(effects, func(e *effect) *int64 { return orNull(e.moved().debit) }),
		column(effects, func(e *effect) *int64 { return orNull(e.moved().credit) }),
		column(effects, func(e *effect) *int64 { return e.assetID() }),
		nums(column(effects, func(e *effect) settlement.Amount { return e.moved().amount })),
		column(effects, func(e *effect) string { return e.moved().phase }),
		column(effects, func(e *effect) string { return e.moved().leg }),
		column(effects, func(e *effect) *int64 { return orNull(e.moved().pendingID) }))
	f.writeEndings(b, effects)
	f.writeAgain(b, effects)
	f.writeRepaid(b, effects)
}

// effectsSQL writes each effect and, where money moves, the one transfer that it makes.
const effectsSQL = `
	WITH u AS (
		SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::numeric[], $9::text[], $10::text[], $11::bigint[])
			WITH ORDINALITY AS u (event_id, kind, settlement_id, account_id, debit, credit, asset_id, amount, phase, leg, pending_id, ord)
	), written AS (
		INSERT INTO effects (chain_id, tx_hash, tx_log_index, event_id, block_hash, kind, vault, event_key, token, party, amount, settlement_id, account_id)
		SELECT e.chain_id, e.tx_hash, e.tx_log_index, e.id, e.block_hash, u.kind, e.vault, e.event_key, e.token, e.party, e.amount, u.settlement_id, u.account_id
		  FROM u JOIN events e ON e.id = u.event_id ORDER BY u.ord
		RETURNING id, event_id
	)
	INSERT INTO transfers (debit_account, credit_account, asset_id, amount, phase, leg, pending_id, settlement_id, effect_id)
	SELECT u.debit, u.credit, u.asset_id, u.amount, u.phase, u.leg, u.pending_id, u.settlement_id, w.id
	  FROM u JOIN written w USING (event_id) WHERE u.debit IS NOT NULL ORDER BY u.ord`

// writeEndings queues the settlements that end, with the answers of their keys. They are locked: each statement must touch
// exactly the rows that were decided on.
func (f *finalizing) writeEndings(b *pgx.Batch, effects []*effect) {
	var ends []*effect
	for _, e := range effects {
		if e.end != nil {
			ends = append(ends, e)
		}
	}
	if len(ends) == 0 {
		return
	}
	ids := column(ends, func(e *effect) int64 { return e.fact.ID })
	b.Queue(`
		UPDATE settlements s SET state = u.state, reason = NULLIF(u.reason, ''), proof = NULLIF(u.proof, ''), wake_block = NULL,
		       effect_id = CASE WHEN u.state = 'settled' THEN o.id END,
		       tx_hash = CASE WHEN u.state = 'settled' THEN o.tx_hash END, block_number = CASE WHEN u.state = 'settled' THEN $6::bigint END
		  FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[]) AS u (id, event_id, state, reason, proof)
		  JOIN effects o ON o.event_id = u.event_id AND o.reversed_at IS NULL
		 WHERE s.id = u.id AND s.state NOT IN ('settled', 'failed', 'cancelled')`,
		ids, column(ends, func(e *effect) int64 { return e.event.id }), column(ends, func(e *effect) string { return string(e.end.state) }),
		column(ends, func(e *effect) string { return e.end.reason }), column(ends, func(e *effect) string { return string(e.end.proof) }),
		f.block.Number).Exec(exactly(len(ends), "settlements to end"))
	b.Queue(`
		UPDATE idempotency_keys k SET status = u.status, result = u.result, finished_at = clock_timestamp(), expires_at = clock_timestamp() + $5::interval
		  FROM unnest($1::text[], $2::text[], $3::text[], $4::jsonb[]) AS u (tenant, key, status, result)
		 WHERE k.tenant = u.tenant AND k.key = u.key AND k.status = 'in_progress'`,
		column(ends, func(e *effect) string { return e.fact.Key.Tenant }), column(ends, func(e *effect) string { return e.fact.Key.Value }),
		column(ends, func(e *effect) string {
			if e.end.state == settlement.Settled {
				return "completed"
			}
			return "failed"
		}),
		column(ends, f.result), snapshotKept).Exec(exactly(len(ends), "idempotency keys to finish"))
	b.Queue(`DELETE FROM queue WHERE settlement_id = ANY($1)`, ids)
}

// errMismatch counts as a refusal of the database: the rows are not as they were decided on.
var errMismatch = errors.New("a guarded statement did not touch the rows it had to")

// exactly checks how many rows a statement touched.
func exactly(n int, what string) func(pgconn.CommandTag) error {
	return func(ct pgconn.CommandTag) error {
		if ct.RowsAffected() != int64(n) {
			return fmt.Errorf("%d %s, but %d matched: %w", n, what, ct.RowsAffected(), errMismatch)
		}
		return nil
	}
}

// snapshot is the settlement as it will be once the effect is written.
func (f *finalizing) snapshot(e *effect) settlement.Snapshot {
	s := e.fact.Settlement
	s.State, s.Reason, s.Proof, s.TxHash, s.BlockNumber = e.end.state, e.end.reason, e.end.proof, nil, nil
	if s.State == settlement.Settled {
		s.TxHash, s.BlockNumber = &e.event.txHash, &f.block.Number
	}
	return s.Snapshot()
}

// result is the stored answer of the settlement's key.
func (f *finalizing) result(e *effect) string {
	raw, err := json.Marshal(f.snapshot(e))
	if err != nil {
		panic("ledger: a snapshot of strings does not encode: " + err.Error()) // unreachable: its fields are fixed
	}
	return string(raw)
}

func (e *effect) moved() movement {
	if e.transfer == nil {
		return movement{}
	}
	return *e.transfer
}

func (e *effect) settlementID() *int64 {
	if e.fact == nil {
		return nil
	}
	return &e.fact.ID
}

func (e *effect) accountID() *int64 {
	if e.account == nil {
		return nil
	}
	return &e.account.id
}

func (e *effect) assetID() *int64 {
	if e.asset == nil {
		return nil
	}
	return &e.asset.ID
}

// DepositPayload tells a customer's stream of money that came in.
type DepositPayload struct {
	Tenant      string            `json:"tenant"`
	Account     string            `json:"account"`
	ChainID     uint64            `json:"chain_id"`
	Asset       string            `json:"asset"`
	Amount      string            `json:"amount"` // in the asset's own unit
	AmountBase  settlement.Amount `json:"amount_base_units"`
	From        string            `json:"from"`
	TxHash      common.Hash       `json:"tx_hash"`
	BlockNumber uint64            `json:"block_number"`
}

// tellEffect emits what a written effect means, and moves the settlement that it ended in memory.
func (f *finalizing) tellEffect(e *effect) {
	cause := logCause(f.block.Hash, e.event.txHash, e.event.txLogIndex)
	if e.alarm != "" {
		f.quarantine(e.event, e.alarm)
	}
	if e.end != nil {
		kind := map[settlement.State]string{settlement.Settled: TypeSettled, settlement.Failed: TypeFailed, settlement.Cancelled: TypeCancelled}[e.end.state]
		emit(f.t, event{
			Tenant: e.fact.Key.Tenant, Stream: settlementStream(e.fact.Key), Type: kind, Cause: cause, N: f.seen - 1, Payload: f.snapshot(e),
		})
		wake(f.t, e.fact.Key)
	}
	if e.again {
		emit(f.t, event{
			Tenant: e.fact.Key.Tenant, Stream: settlementStream(e.fact.Key), Type: TypeMoved, Cause: cause, N: f.seen - 1, Payload: f.snapshotAgain(e),
		})
	}
	if e.kind == effectDeposited {
		emit(f.t, event{
			Tenant: e.account.tenant, Stream: accountStream(e.account.tenant, e.account.name), Type: TypeDeposited, Cause: cause, N: f.seen - 1,
			Payload: DepositPayload{
				Tenant: e.account.tenant, Account: e.account.name, ChainID: f.chainID, Asset: e.asset.Symbol,
				Amount: e.event.amount.Units(e.asset.Decimals), AmountBase: e.event.amount,
				From: e.event.party.Hex(), TxHash: e.event.txHash, BlockNumber: f.block.Number,
			},
		})
	}
}
