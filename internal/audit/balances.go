package audit

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// booksAndChain: I11. A shortage is broken, a surplus is a note.
func (x *examination) booksAndChain(ctx context.Context, f *Finding) error {
	f.Invariant, f.Title = "I11", "payments and balances agree between books and chain"
	if err := x.bijection(ctx, f); err != nil {
		return err
	}
	for token, held := range x.facts.VaultHolds {
		err := x.compare(ctx, f, "vault", token, held, `SELECT coalesce(sum(b.debits_posted::numeric - b.credits_posted::numeric), 0)::text, a.symbol, a.decimals, true
			FROM assets a LEFT JOIN (balances b JOIN accounts c ON c.id = b.account_id AND c.kind = 'vault') ON b.asset_id = a.id
			WHERE a.chain_id = $1 AND a.token = $2 GROUP BY a.id`, token.Bytes())
		if err != nil {
			return err
		}
	}
	for _, signer := range x.facts.Signers {
		err := x.compare(ctx, f, "float of "+signer.Address.Hex(), settlement.NativeToken, signer.Balance, `
			SELECT coalesce(b.debits_posted::numeric - b.credits_posted::numeric, 0)::text, a.symbol, a.decimals, l.added_block <= `+fmt.Sprint(x.at.Number)+`
			  FROM lanes l JOIN assets a ON a.chain_id = l.chain_id AND a.token = decode(repeat('00', 20), 'hex')
			  LEFT JOIN balances b ON b.account_id = l.float_account AND b.asset_id = a.id WHERE l.chain_id = $1 AND l.signer = $2`, signer.Address.Bytes())
		if err != nil {
			return err
		}
	}
	x.gas(f)
	return nil
}

// bijection matches each Settled event of the chain with one settled settlement or one unexplained payout, and each of those
// with one event.
func (x *examination) bijection(ctx context.Context, f *Finding) error {
	settled, unexplained := map[common.Hash]int64{}, map[place]bool{}
	rows, err := x.tx.Query(ctx, `SELECT id, onchain_id FROM settlements WHERE chain_id = $1 AND state = 'settled'`, x.Chain.ChainID)
	if err != nil {
		return err
	}
	var id int64
	var onchain common.Hash
	if _, err := pgx.ForEachRow(rows, []any{&id, &onchain}, func() error { settled[onchain] = id; return nil }); err != nil {
		return err
	}
	rows, err = x.tx.Query(ctx, `SELECT tx_hash, tx_log_index FROM effects WHERE chain_id = $1 AND kind = 'unexplained' AND reversed_at IS NULL`, x.Chain.ChainID)
	if err != nil {
		return err
	}
	var at place
	if _, err := pgx.ForEachRow(rows, []any{&at.tx, &at.index}, func() error { unexplained[at] = true; return nil }); err != nil {
		return err
	}
	if len(unexplained) > 0 {
		x.note("%d payouts on chain are unexplained: an operator of the vault paid what nobody asked for", len(unexplained))
	}
	for _, e := range x.facts.Events {
		if e.Name != settlement.EventSettled {
			continue
		}
		f.Checked++
		at := place{e.TxHash, e.TxLogIndex}
		switch _, ours := settled[e.ID]; {
		case unexplained[at]:
			delete(unexplained, at)
		case ours:
			delete(settled, e.ID)
		default:
			f.tell("%s paid %s base units of %s to %s for id %s: no settled settlement and no unexplained payout is that", e.TxHash, e.Amount, e.Token, e.Party, e.ID)
		}
	}
	for onchain, id := range settled {
		f.tell("settlement %d (%s) is settled, and no payment on chain is left for it", id, onchain)
	}
	for at := range unexplained {
		f.tell("an unexplained payout names log %d of %s, which is no payment on chain", at.index, at.tx)
	}
	return nil
}

// compare demands that the chain holds at least what the books say. Books below zero are a surplus too: a top-up that nobody
// booked pays for gas that was.
func (x *examination) compare(ctx context.Context, f *Finding, what string, token common.Address, held settlement.Amount, sql string, key []byte) error {
	var text, symbol string
	var decimals uint8
	var comparable bool
	if err := x.tx.QueryRow(ctx, sql, x.Chain.ChainID, key).Scan(&text, &symbol, &decimals, &comparable); err != nil {
		return fmt.Errorf("balance of %s in %s: %w", what, token, err)
	}
	if !comparable {
		x.note("%s: was added above the final block, and is not compared yet", what)
		return nil
	}
	books, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return fmt.Errorf("balance of %s: %q is no whole number", what, text)
	}
	f.Checked++
	switch surplus := new(big.Int).Sub(held.Big(), books); surplus.Sign() {
	case -1:
		f.tell("%s: the chain holds %s %s, the books say %s", what, held.Units(decimals), symbol, signed(books, decimals))
	case 1:
		x.note("%s: %s %s more on chain than in the books (unattributed)", what, signed(surplus, decimals), symbol)
	}
	return nil
}

func signed(n *big.Int, decimals uint8) string {
	amount, err := settlement.AmountFromBig(new(big.Int).Abs(n))
	if err != nil {
		return n.String() + " base units"
	}
	if n.Sign() < 0 {
		return "-" + amount.Units(decimals)
	}
	return amount.Units(decimals)
}

// gas demands that each final transaction of our signers is booked, ours with what the node says that it cost.
func (x *examination) gas(f *Finding) {
	for _, m := range x.mined {
		known, found := x.facts.Transactions[m.Tx]
		cost := known.GasCost()
		switch {
		case found && cost.IsZero():
		case m.Booked == nil:
			f.tell("gas of %s, nonce %d of %s, is not booked", m.Tx, m.Nonce, m.Signer)
		case found && m.Ours && *m.Booked != cost.String():
			f.tell("gas of %s is booked with %s wei, the node says %s", m.Tx, *m.Booked, cost)
		}
		f.Checked++
	}
}
