package audit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/chain"
	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

// ask reads from the node everything that the checks compare with, at the final block.
func (a Auditor) ask(ctx context.Context, tx pgx.Tx, at settlement.BlockRef) (chain.Audited, error) {
	q := chain.AuditQuery{From: a.Chain.StartBlock, At: at}
	collect := func(into *[]common.Address, sql string) error {
		rows, err := tx.Query(ctx, sql, a.Chain.ChainID)
		if err != nil {
			return err
		}
		raw, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
		for _, b := range raw {
			*into = append(*into, common.BytesToAddress(b))
		}
		return err
	}
	if err := errors.Join(
		collect(&q.Vaults, `SELECT vault::bytea FROM vaults WHERE chain_id = $1`),
		collect(&q.Tokens, `SELECT token::bytea FROM assets WHERE chain_id = $1 ORDER BY id`),
		collect(&q.Signers, `SELECT signer::bytea FROM lanes WHERE chain_id = $1 ORDER BY id`)); err != nil {
		return chain.Audited{}, fmt.Errorf("read the registry: %w", err)
	}
	return chain.Audit(ctx, a.Pool, q)
}

// attemptsBeforeBroadcast: each nonce that the chain consumed of a lane since it was added is a transaction with an attempt
// of ours, or a recorded finding.
func (a Auditor) attemptsBeforeBroadcast(ctx context.Context, tx pgx.Tx, r *Report) (Finding, error) {
	f := Finding{Invariant: "I4", Title: "every transaction of our signers has a stored attempt, or a recorded finding", Broken: []string{}}
	for _, signer := range r.facts.Signers {
		n, err := count(ctx, tx, `SELECT $3::bigint - first_nonce FROM lanes WHERE chain_id = $1 AND signer = $2`, r.ChainID, signer.Address.Bytes(), int64(signer.Nonce))
		if err != nil {
			return f, err
		}
		f.Checked += max(n, 0)
		found, err := broken(ctx, tx, `SELECT format('nonce %s of %s is used on chain, no transaction of ours explains it', n, $4::text)
			FROM lanes l CROSS JOIN LATERAL generate_series(l.first_nonce, $3::bigint - 1) AS n
			WHERE l.chain_id = $1 AND l.signer = $2 AND NOT EXISTS (
			  SELECT 1 FROM mined_transactions m JOIN blocks b ON b.chain_id = m.chain_id AND b.hash = m.block_hash AND b.canonical AND b.final
			   WHERE m.chain_id = $1 AND m.signer = $2 AND m.nonce = n AND (m.attempt_id IS NOT NULL OR EXISTS (
			     SELECT 1 FROM journal j WHERE j.action IN ('foreign_transaction_mined', 'foreign_transaction_final') AND j.subject = 'signer/' || $4::text)))`,
			r.ChainID, signer.Address.Bytes(), int64(signer.Nonce), signer.Address.Hex())
		if err != nil {
			return f, err
		}
		f.Broken = append(f.Broken, found...)
	}
	unsigned, err := broken(ctx, tx, `SELECT format('transaction %s has nonce %s and no attempt', t.id, t.nonce) FROM transactions t
		WHERE NOT EXISTS (SELECT 1 FROM attempts a WHERE a.transaction_id = t.id)`)
	f.Broken = append(f.Broken, unsigned...)
	return f, err
}

// booksAndChain: I11. A shortage is broken, a surplus is a note.
func (a Auditor) booksAndChain(ctx context.Context, tx pgx.Tx, r *Report) (Finding, error) {
	f := Finding{Invariant: "I11", Title: fmt.Sprintf("books and chain agree at block %d", r.Block), Broken: []string{}}
	settled, err := count(ctx, tx, `SELECT count(*) FROM settlements WHERE chain_id = $1 AND state = 'settled'`, r.ChainID)
	if err != nil {
		return f, err
	}
	unexplained, err := count(ctx, tx, `SELECT count(*) FROM effects WHERE chain_id = $1 AND kind = 'unexplained' AND reversed_at IS NULL`, r.ChainID)
	if err != nil {
		return f, err
	}
	events := int64(0)
	for _, e := range r.facts.Events {
		if e.Name == settlement.EventSettled {
			events++
		}
	}
	f.Checked = events
	if settled+unexplained != events {
		f.Broken = append(f.Broken, fmt.Sprintf("%d settled settlements and %d unexplained payouts, but %d Settled events", settled, unexplained, events))
	}
	for token, held := range r.facts.VaultHolds {
		err := a.compare(ctx, tx, r, &f, "vault", token, held, `SELECT coalesce(sum(b.debits_posted::numeric - b.credits_posted::numeric), 0)::text, a.symbol, a.decimals
			FROM assets a LEFT JOIN (balances b JOIN accounts c ON c.id = b.account_id AND c.kind = 'vault') ON b.asset_id = a.id
			WHERE a.chain_id = $1 AND a.token = $2 GROUP BY a.id`, token.Bytes())
		if err != nil {
			return f, err
		}
	}
	for _, signer := range r.facts.Signers {
		err := a.compare(ctx, tx, r, &f, "float of "+signer.Address.Hex(), settlement.NativeToken, signer.Balance, `SELECT coalesce(b.debits_posted::numeric - b.credits_posted::numeric, 0)::text, a.symbol, a.decimals
			FROM lanes l JOIN assets a ON a.chain_id = l.chain_id AND a.token = decode(repeat('00', 20), 'hex')
			LEFT JOIN balances b ON b.account_id = l.float_account AND b.asset_id = a.id WHERE l.chain_id = $1 AND l.signer = $2`, signer.Address.Bytes())
		if err != nil {
			return f, err
		}
	}
	return f, nil
}

func (a Auditor) compare(ctx context.Context, tx pgx.Tx, r *Report, f *Finding, what string, token common.Address, held settlement.Amount, sql string, key []byte) error {
	var text, symbol string
	var decimals uint8
	if err := tx.QueryRow(ctx, sql, r.ChainID, key).Scan(&text, &symbol, &decimals); err != nil {
		return fmt.Errorf("balance of %s in %s: %w", what, token, err)
	}
	f.Checked++
	if len(text) > 0 && text[0] == '-' {
		f.Broken = append(f.Broken, fmt.Sprintf("%s: the books say %s base units of %s", what, text, symbol))
		return nil
	}
	books, err := settlement.AmountFromDecimal(text)
	if err != nil {
		return fmt.Errorf("balance of %s: %w", what, err)
	}
	if surplus, short := held.Sub(books); short {
		f.Broken = append(f.Broken, fmt.Sprintf("%s: the chain holds %s %s, the books say %s", what, held.Units(decimals), symbol, books.Units(decimals)))
	} else if !surplus.IsZero() {
		r.Notes = append(r.Notes, fmt.Sprintf("%s: %s %s more on chain than in the books (unattributed)", what, surplus.Units(decimals), symbol))
	}
	return nil
}

// settleTime is how long an open settlement may be without a run: its start, or its sweep, is under way.
const settleTime = 2 * time.Minute

// nobodyStranded: I12.
func (a Auditor) nobodyStranded(ctx context.Context, tx pgx.Tx, r *Report) (Finding, error) {
	f := Finding{Invariant: "I12", Title: "every open settlement has a running workflow or a stated wait", Broken: []string{}}
	rows, err := tx.Query(ctx, `SELECT tenant, key, state, reason IS NOT NULL FROM settlements WHERE chain_id = $1 AND state NOT IN ('settled', 'failed', 'cancelled')
		AND changed_at < now() - $2::interval`, r.ChainID, settleTime)
	if err != nil {
		return f, err
	}
	type open struct {
		settlement.Key
		State  string
		Stated bool
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (o open, err error) {
		err = row.Scan(&o.Tenant, &o.Value, &o.State, &o.Stated)
		return o, err
	})
	if err != nil {
		return f, err
	}
	for _, o := range found {
		f.Checked++
		if o.State == string(settlement.Waiting) && !o.Stated {
			f.Broken = append(f.Broken, fmt.Sprintf("%s waits without a reason", o.Key))
		}
		if a.Runs == nil {
			continue
		}
		run, err := a.Runs.Find(ctx, o.Key)
		switch {
		case errors.Is(err, workflows.ErrNoRun), err == nil && !run.Running:
			f.Broken = append(f.Broken, fmt.Sprintf("%s is %s and has no running workflow: `starter resume KEY` starts one", o.Key, o.State))
		case err != nil:
			return f, err
		}
	}
	if a.Runs == nil && len(found) > 0 {
		r.Notes = append(r.Notes, "workflows were not looked at: Temporal was not asked")
	}
	return f, nil
}
