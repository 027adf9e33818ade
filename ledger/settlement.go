package ledger

import (
	"context"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// selectSettlements reads whole settlements: with the live nonce (a paying one before a revoke), that nonce's newest attempt,
// and whether the lane keeper asked to replace exactly that one. One statement is one snapshot.
const selectSettlements = `
	SELECT s.id, s.onchain_id, s.vault, k.request_id, s.tenant, s.key, c.name, a.id, a.chain_id, a.symbol, a.token, a.decimals,
	       s.destination, s.amount, coalesce(s.retry_of, ''), s.state, coalesce(s.reason, ''), s.created_at, s.changed_at,
	       s.nonces_allocated, coalesce(s.wish, ''), coalesce(s.wish_reason, ''),
	       EXISTS (SELECT 1 FROM transaction_items r WHERE r.settlement_id = s.id AND r.live AND NOT r.pays), s.gas_doublings, s.tx_hash, s.block_number, coalesce(s.proof, ''),
	       t.id, t.lane_id, t.signer, t.nonce, t.kind, coalesce(t.bump_asked_for = n.hash, false),
	       n.hash, n.signing_hash, n.kind, n.to_address, n.value, n.data, n.gas_limit, n.fee_cap, n.fee_tip, n.raw
	  FROM settlements s
	  JOIN idempotency_keys k ON k.tenant = s.tenant AND k.key = s.key
	  JOIN accounts c ON c.id = s.account_id
	  JOIN assets a ON a.id = s.asset_id
	  LEFT JOIN LATERAL (SELECT t.* FROM transaction_items i JOIN transactions t ON t.id = i.transaction_id
	                      WHERE i.settlement_id = s.id AND i.live ORDER BY i.pays DESC, t.id LIMIT 1) t ON true
	  LEFT JOIN LATERAL (SELECT n.* FROM attempts n WHERE n.transaction_id = t.id ORDER BY n.id DESC LIMIT 1) n ON true`

// Settlement reads one settlement with its live nonce, in one round trip. Without a row the error's kind is NotFound, which
// says nothing about a run that has not reserved yet.
func (l *Ledger) Settlement(ctx context.Context, key settlement.Key) (settlement.Settlement, error) {
	return readOne(ctx, l, "read settlement: "+key.Canonical(), toSettlement, selectSettlements+` WHERE s.tenant = $1 AND s.key = $2`, key.Tenant, key.Value)
}

// nullable columns of a row without a live nonce.
type liveRow struct {
	id, laneID, nonce    *int64
	signer, hash, signed []byte
	kind, attemptKind    *string
	bump                 bool
	to, data, raw        []byte
	value, cap, tip      *settlement.Amount
	gasLimit             *int64
}

func toSettlement(row pgx.CollectableRow) (s settlement.Settlement, err error) {
	var n liveRow
	var txHash []byte
	err = row.Scan(&s.ID, &s.OnchainID, &s.Vault, &s.RequestID, &s.Key.Tenant, &s.Key.Value, &s.Account,
		&s.Asset.ID, &s.Asset.ChainID, &s.Asset.Symbol, &s.Asset.Token, &s.Asset.Decimals,
		&s.To, &s.Amount, &s.RetryOf, &s.State, &s.Reason, &s.CreatedAt, &s.ChangedAt,
		&s.NoncesAllocated, &s.Wish, &s.WishReason, &s.RevokeOut, &s.GasDoublings, &txHash, &s.BlockNumber, &s.Proof,
		&n.id, &n.laneID, &n.signer, &n.nonce, &n.kind, &n.bump,
		&n.hash, &n.signed, &n.attemptKind, &n.to, &n.value, &n.data, &n.gasLimit, &n.cap, &n.tip, &n.raw)
	if err != nil {
		return s, err
	}
	if txHash != nil {
		hash := common.BytesToHash(txHash)
		s.TxHash = &hash
	}
	s.Live = n.transaction()
	return s, nil
}

func (n liveRow) transaction() *settlement.Transaction {
	if n.id == nil {
		return nil
	}
	t := &settlement.Transaction{
		ID: *n.id, LaneID: *n.laneID, Signer: common.BytesToAddress(n.signer), Nonce: uint64(*n.nonce),
		Kind: settlement.TransactionKind(*n.kind), BumpAsked: n.bump,
	}
	if n.attemptKind != nil {
		t.Newest = settlement.Attempt{
			Hash: common.BytesToHash(n.hash), SigningHash: common.BytesToHash(n.signed), Kind: settlement.AttemptKind(*n.attemptKind),
			Payload: settlement.Payload{To: common.BytesToAddress(n.to), Value: *n.value, Data: n.data, GasLimit: uint64(*n.gasLimit)},
			Fees:    settlement.Fees{Cap: *n.cap, Tip: *n.tip}, Raw: n.raw,
		}
	}
	return t
}

// queueSettlement reads a settlement within a batch, after the locks that were queued before it: a statement that waited for
// a lock must not also read, since it sees other rows as they were before it waited.
func queueSettlement(b *pgx.Batch, into *settlement.Settlement, where string, args ...any) {
	b.Queue(selectSettlements+where, args...).Query(func(rows pgx.Rows) (err error) {
		*into, err = pgx.CollectExactlyOneRow(rows, toSettlement)
		return err
	})
}
