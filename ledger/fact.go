package ledger

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// fact is a settlement as the listener's writes need it: locked, with its hold.
type fact struct {
	settlement.Settlement
	hold *hold // nil: it failed for insufficient balance
	lost bool  // it is settled by an event that a deep reorg took away: the same event may come again
}

// hold is the pending transfer that ends as a payment or a release.
type hold struct {
	id            int64
	debit, credit int64 // the customer's account and the vault's
}

// factSQL is completed by a WHERE on s, ORDER BY s.id and FOR UPDATE OF s.
const factSQL = `
	SELECT s.id, s.onchain_id, s.vault, s.tenant, s.key, c.name, a.id, a.chain_id, a.symbol, a.token, a.decimals, s.destination, s.amount,
	       COALESCE(s.retry_of, ''), s.state, COALESCE(s.reason, ''), s.nonces_allocated, COALESCE(s.wish, ''), COALESCE(s.wish_reason, ''), s.tx_hash, s.block_number,
	       COALESCE(s.proof, ''), EXISTS (SELECT FROM effects o WHERE o.id = s.effect_id AND o.reversed_at IS NOT NULL), h.id, h.debit_account, h.credit_account
	  FROM settlements s
	  JOIN accounts c ON c.id = s.account_id
	  JOIN assets a ON a.id = s.asset_id
	  LEFT JOIN transfers h ON h.id = s.hold_id`

func scanFact(row pgx.CollectableRow) (f fact, err error) {
	var holdID, debit, credit *int64
	var txHash *common.Hash
	err = row.Scan(&f.ID, &f.OnchainID, &f.Vault, &f.Key.Tenant, &f.Key.Value, &f.Account,
		&f.Asset.ID, &f.Asset.ChainID, &f.Asset.Symbol, &f.Asset.Token, &f.Asset.Decimals, &f.To, &f.Amount,
		&f.RetryOf, &f.State, &f.Reason, &f.NoncesAllocated, &f.Wish, &f.WishReason, &txHash, &f.BlockNumber,
		&f.Proof, &f.lost, &holdID, &debit, &credit)
	f.TxHash = txHash
	if holdID != nil {
		f.hold = &hold{id: *holdID, debit: *debit, credit: *credit}
	}
	return f, err
}
