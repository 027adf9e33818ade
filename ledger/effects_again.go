package ledger

import (
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// writeAgain queues what a payment means that is final again after a deep reorg: the books stand, and the settlement names the
// effect and the block that prove it now.
func (f *finalizing) writeAgain(b *pgx.Batch, effects []*effect) {
	var again []*effect
	for _, e := range effects {
		if e.again {
			again = append(again, e)
		}
	}
	if len(again) == 0 {
		return
	}
	b.Queue(`
		UPDATE settlements s SET effect_id = o.id, tx_hash = o.tx_hash, block_number = $3
		  FROM unnest($1::bigint[], $2::bigint[]) AS u (id, event_id) JOIN effects o ON o.event_id = u.event_id AND o.reversed_at IS NULL
		 WHERE s.id = u.id AND s.state = 'settled'`,
		column(again, func(e *effect) int64 { return e.fact.ID }), column(again, func(e *effect) int64 { return e.event.id }),
		f.block.Number).Exec(exactly(len(again), "payments to prove anew"))
	b.Queue(`
		UPDATE idempotency_keys k SET result = u.result FROM unnest($1::text[], $2::text[], $3::jsonb[]) AS u (tenant, key, result)
		 WHERE k.tenant = u.tenant AND k.key = u.key AND k.result IS NOT NULL`,
		column(again, func(e *effect) string { return e.fact.Key.Tenant }), column(again, func(e *effect) string { return e.fact.Key.Value }),
		column(again, func(e *effect) string {
			raw, err := json.Marshal(f.snapshotAgain(e))
			if err != nil {
				panic("ledger: a snapshot of strings does not encode: " + err.Error()) // unreachable: its fields are fixed
			}
			return string(raw)
		}))
}

// snapshotAgain is the settled settlement with the place where its payment is now.
func (f *finalizing) snapshotAgain(e *effect) settlement.Snapshot {
	s := e.fact.Settlement
	s.TxHash, s.BlockNumber = &e.event.txHash, &f.block.Number
	return s.Snapshot()
}

// writeRepaid queues that a deposit which came back first repays what suspense paid when it vanished.
func (f *finalizing) writeRepaid(b *pgx.Batch, effects []*effect) {
	var repaid []*effect
	for _, e := range effects {
		if e.repay != nil {
			repaid = append(repaid, e)
		}
	}
	if len(repaid) == 0 {
		return
	}
	b.Queue(`INSERT INTO transfers (debit_account, credit_account, asset_id, amount, phase, leg)
		SELECT debit, credit, asset_id, amount, 'posted', 'correction' FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::numeric[])
			WITH ORDINALITY AS u (debit, credit, asset_id, amount, ord) ORDER BY ord`,
		column(repaid, func(e *effect) int64 { return e.repay.debit }), column(repaid, func(e *effect) int64 { return e.repay.credit }),
		column(repaid, func(e *effect) int64 { return e.asset.ID }), nums(column(repaid, func(e *effect) settlement.Amount { return e.repay.amount })))
}
