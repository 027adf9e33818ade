package audit

import (
	"context"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// keysAndSettlements: I1.
func (x *examination) keysAndSettlements(ctx context.Context, f *Finding) error {
	f.Invariant, f.Title = "I1", "a key has one settlement, for ever"
	if err := x.count(ctx, f, `SELECT count(*) FROM idempotency_keys`); err != nil {
		return err
	}
	return x.broken(ctx, f,
		`SELECT format('key %s/%s has %s settlements', k.tenant, k.key, count(s.id)) FROM idempotency_keys k
		   LEFT JOIN settlements s ON s.tenant = k.tenant AND s.key = k.key GROUP BY k.tenant, k.key HAVING count(s.id) <> 1`,
		`SELECT format('settlement %s (%s/%s) has no idempotency row', s.id, s.tenant, s.key) FROM settlements s
		  WHERE NOT EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.tenant = s.tenant AND k.key = s.key)`)
}

// sameAnswer: I10. A key's fingerprint must be that of its settlement, or a repeated request would be called a conflict and
// another one a repetition; and the stored answer must be what the settlement says.
func (x *examination) sameAnswer(ctx context.Context, f *Finding) error {
	f.Invariant, f.Title = "I10", "a key means what its settlement means, and its stored answer is the settlement's"
	f.ByTest = "that a duplicate writes nothing but its count"
	if err := x.fingerprints(ctx, f); err != nil {
		return err
	}
	return x.broken(ctx, f,
		`SELECT format('key %s/%s answers %s, its settlement is %s', k.tenant, k.key, k.result, to_jsonb(s)) FROM idempotency_keys k
		   JOIN settlements s ON s.tenant = k.tenant AND s.key = k.key JOIN accounts c ON c.id = s.account_id
		  WHERE k.result IS NOT NULL AND (k.result ->> 'state', k.result ->> 'amount_base_units', lower(k.result ->> 'to'), k.result ->> 'account',
		        k.result ->> 'tx_hash', k.result ->> 'block_number', k.result ->> 'settlement_id', coalesce(k.result ->> 'reason', '')) IS DISTINCT FROM
		        (s.state, s.amount::text, '0x' || encode(s.destination, 'hex'), c.name,
		        '0x' || encode(s.tx_hash, 'hex'), s.block_number::text, '0x' || encode(s.onchain_id, 'hex'), coalesce(s.reason, ''))`,
		`SELECT format('key %s/%s is %s and its answer is gone before it expires', tenant, key, status) FROM idempotency_keys
		  WHERE status <> 'in_progress' AND result IS NULL AND expires_at > now()`)
}

func (x *examination) fingerprints(ctx context.Context, f *Finding) error {
	rows, err := x.tx.Query(ctx, `
		SELECT k.tenant, k.key, k.fingerprint, k.fingerprint_version, s.chain_id, s.token, c.name, s.destination, s.amount
		  FROM idempotency_keys k JOIN settlements s ON s.tenant = k.tenant AND s.key = k.key JOIN accounts c ON c.id = s.account_id`)
	if err != nil {
		return err
	}
	var r settlement.Request
	var stored common.Hash
	var version int
	_, err = pgx.ForEachRow(rows, []any{&r.Key.Tenant, &r.Key.Value, &stored, &version, &r.Asset.ChainID, &r.Asset.Token, &r.Account, &r.To, &r.Amount}, func() error {
		f.Checked++
		means, err := r.Fingerprint(version)
		if err != nil {
			return err
		}
		if common.Hash(means) != stored {
			f.tell("key %s means something else than its settlement", r.Key)
		}
		return nil
	})
	return err
}
