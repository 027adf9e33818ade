package audit

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/chain"
)

// minedRow is a final transaction of a lane's signer as the books have it.
type minedRow struct {
	Tx      common.Hash
	Signer  common.Address
	Nonce   uint64
	Block   common.Hash
	OK      bool
	Ours    bool
	Booked  *string // what was booked for it in wei; nil: nothing
	Finding bool    // the journal names it as somebody else's
}

// ask reads what the books say of our signers, and then from the node everything that the checks compare with, at the final
// block.
func (x *examination) ask(ctx context.Context) (err error) {
	rows, err := x.tx.Query(ctx, `
		SELECT m.tx_hash, m.signer, m.nonce, m.block_hash, m.ok, m.attempt_id IS NOT NULL,
		       (SELECT t.amount::text FROM mined_transactions o JOIN transfers t ON t.id = o.gas_transfer WHERE o.chain_id = m.chain_id AND o.tx_hash = m.tx_hash LIMIT 1),
		       EXISTS (SELECT FROM journal j WHERE j.action IN ('foreign_transaction_mined', 'foreign_transaction_final') AND j.details ->> 'tx_hash' = '0x' || encode(m.tx_hash, 'hex'))
		  FROM mined_transactions m JOIN blocks b ON b.chain_id = m.chain_id AND b.hash = m.block_hash AND b.final
		  JOIN lanes l ON l.chain_id = m.chain_id AND l.signer = m.signer AND m.nonce >= l.first_nonce
		 WHERE m.chain_id = $1 ORDER BY m.signer, m.nonce`, x.Chain.ChainID)
	if err != nil {
		return err
	}
	if x.mined, err = pgx.CollectRows(rows, pgx.RowToStructByPos[minedRow]); err != nil {
		return fmt.Errorf("read the signers' transactions: %w", err)
	}
	q := chain.AuditQuery{From: x.Chain.StartBlock, At: x.at}
	for _, m := range x.mined {
		q.Transactions = append(q.Transactions, m.Tx)
	}
	if err := errors.Join(
		x.addresses(ctx, &q.Vaults, `SELECT vault::bytea FROM vaults WHERE chain_id = $1`),
		x.addresses(ctx, &q.Tokens, `SELECT token::bytea FROM assets WHERE chain_id = $1 ORDER BY id`),
		x.addresses(ctx, &q.Signers, `SELECT signer::bytea FROM lanes WHERE chain_id = $1 ORDER BY id`)); err != nil {
		return fmt.Errorf("read the registry: %w", err)
	}
	x.facts, err = chain.Audit(ctx, x.Pool, q)
	return err
}

func (x *examination) addresses(ctx context.Context, into *[]common.Address, sql string) error {
	rows, err := x.tx.Query(ctx, sql, x.Chain.ChainID)
	if err != nil {
		return err
	}
	raw, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	for _, b := range raw {
		*into = append(*into, common.BytesToAddress(b))
	}
	return err
}
