package ledger

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// Unmined lists every nonce of a chain that no canonical block holds, head first per lane, whatever state its lane is in: what
// is out stays supervised. What could still pay a settlement that ended unpaid (after a revoke, or a deep reorg) counts as asked
// to be cancelled. One statement is one snapshot.
func (l *Ledger) Unmined(ctx context.Context, chainID uint64) ([]settlement.Unmined, error) {
	return read(ctx, l, "unmined", scanUnmined, `
		SELECT t.id, t.lane_id, t.signer, t.nonce, t.kind, COALESCE(t.bump_asked_for = n.hash, false),
		       n.hash, n.signing_hash, n.kind, n.to_address, n.value, n.data, n.gas_limit, n.fee_cap, n.fee_tip, n.raw,
		       COALESCE(s.tenant, ''), COALESCE(s.key, ''), l.state, l.cap_ceiling, l.mined_nonce, t.created_at,
		       t.bump_asked_for, COALESCE(t.bump_asked_block, 0), COALESCE(t.unrunnable, ''), COALESCE(n.refusal_class, ''), CASE WHEN s.state IN ('failed', 'cancelled') THEN 'cancel' ELSE COALESCE(s.wish, '') END
		  FROM transactions t
		  JOIN lanes l ON l.id = t.lane_id
		  LEFT JOIN LATERAL (SELECT * FROM attempts n WHERE n.transaction_id = t.id ORDER BY n.id DESC LIMIT 1) n ON true
		  LEFT JOIN transaction_items i ON i.transaction_id = t.id AND i.position = 0
		  LEFT JOIN settlements s ON s.id = i.settlement_id
		 WHERE t.chain_id = $1 AND t.live AND t.mined_hash IS NULL
		 ORDER BY t.lane_id, t.nonce`, chainID)
}

func scanUnmined(row pgx.CollectableRow) (u settlement.Unmined, err error) {
	var n liveRow
	var asked []byte
	err = row.Scan(&n.id, &n.laneID, &n.signer, &n.nonce, &n.kind, &n.bump,
		&n.hash, &n.signed, &n.attemptKind, &n.to, &n.value, &n.data, &n.gasLimit, &n.cap, &n.tip, &n.raw,
		&u.Key.Tenant, &u.Key.Value, &u.LaneState, &u.CapCeiling, &u.MinedNonce, &u.CreatedAt,
		&asked, &u.AskedBlock, &u.Unrunnable, &u.Refusal, &u.Wish)
	if err != nil {
		return u, err
	}
	u.Transaction = *n.transaction()
	if asked != nil {
		hash := common.BytesToHash(asked)
		u.AskedFor = &hash
	}
	return u, nil
}

// AskBump asks the workflow of an unmined nonce to replace its newest attempt, and wakes it. Asked again for the same attempt
// it wakes again and keeps the first block, so that the keeper's patience is counted from there. Stale: the nonce is mined or
// consumed by now, or a newer attempt took that one's place.
func (l *Ledger) AskBump(ctx context.Context, lease settlement.Lease, transactionID int64, attempt common.Hash, block uint64) error {
	return l.do(ctx, "ask bump", func(t *Tx) error {
		b := &pgx.Batch{}
		fence(b, lease)
		var asked int64
		b.Queue(`
			UPDATE transactions t SET bump_asked_for = $2, bump_asked_block = CASE WHEN t.bump_asked_for = $2 THEN t.bump_asked_block ELSE $3 END
			 WHERE t.id = $1 AND t.live AND t.mined_hash IS NULL
			   AND $2 = (SELECT n.hash FROM attempts n WHERE n.transaction_id = t.id ORDER BY n.id DESC LIMIT 1)
			RETURNING t.id`, transactionID, attempt, block).Query(func(rows pgx.Rows) error {
			_, err := pgx.ForEachRow(rows, []any{&asked}, func() error { return nil })
			return err
		})
		keys := keySet{}
		keys.collect(b.Queue(`
			SELECT s.tenant, s.key FROM transaction_items i JOIN settlements s ON s.id = i.settlement_id WHERE i.transaction_id = $1`, transactionID))
		if err := t.Batch(b); err != nil {
			return fmt.Errorf("ask for a bump of transaction %d: %w", transactionID, err)
		}
		if asked == 0 {
			return stale("transaction %d does not wait for a block with attempt %s", transactionID, attempt)
		}
		wake(t, keys.sorted()...)
		return nil
	})
}

// Unsigned lists the live nonces of a chain whose newest attempt has no bytes, head first per lane: what a remote signer owes.
func (l *Ledger) Unsigned(ctx context.Context, chainID uint64) ([]settlement.Unsigned, error) {
	return read(ctx, l, "unsigned", func(row pgx.CollectableRow) (u settlement.Unsigned, err error) {
		var n liveRow
		err = row.Scan(&n.id, &n.laneID, &n.signer, &n.nonce, &n.kind, &n.bump,
			&n.hash, &n.signed, &n.attemptKind, &n.to, &n.value, &n.data, &n.gasLimit, &n.cap, &n.tip, &n.raw,
			&u.Key.Tenant, &u.Key.Value, &u.Since)
		if err == nil {
			u.Transaction = *n.transaction()
		}
		return u, err
	}, `
		SELECT t.id, t.lane_id, t.signer, t.nonce, t.kind, false,
		       n.hash, n.signing_hash, n.kind, n.to_address, n.value, n.data, n.gas_limit, n.fee_cap, n.fee_tip, n.raw,
		       COALESCE(s.tenant, ''), COALESCE(s.key, ''), n.created_at
		  FROM attempts n
		  JOIN transactions t ON t.id = n.transaction_id AND t.live AND t.mined_hash IS NULL
		  LEFT JOIN transaction_items i ON i.transaction_id = t.id AND i.position = 0
		  LEFT JOIN settlements s ON s.id = i.settlement_id
		 WHERE n.hash IS NULL AND t.chain_id = $1 AND NOT EXISTS (SELECT FROM attempts o WHERE o.replaces = n.id)
		 ORDER BY t.lane_id, t.nonce`, chainID)
}
