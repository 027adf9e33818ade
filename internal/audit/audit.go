// Package audit proves the books against the chain: each invariant that is a state is checked over one snapshot of Postgres
// and one final block, with the offending rows. It reads only. What it reads it reads past the ledger's own methods, in plain
// SQL and from a node, so that a mistake there cannot hide itself.
package audit

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/chain"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

// Finding is one invariant's result.
type Finding struct {
	Invariant string   `json:"invariant"`
	Title     string   `json:"title"`
	Checked   int64    `json:"checked"` // how many things were looked at
	ByTest    bool     `json:"by_test_only"`
	Broken    []string `json:"broken"` // the offending rows; empty if the invariant holds
}

// Report is one audit.
type Report struct {
	ChainID  uint64              `json:"chain_id"`
	At       settlement.BlockRef `json:"-"`
	Block    uint64              `json:"block"`
	Hash     common.Hash         `json:"block_hash"`
	Findings []Finding           `json:"findings"`
	Notes    []string            `json:"notes"` // surpluses and the like: reported, not broken
	facts    chain.Audited       // what the node said
}

// Holds reports whether nothing is broken.
func (r Report) Holds() bool {
	for _, f := range r.Findings {
		if len(f.Broken) > 0 {
			return false
		}
	}
	return true
}

// Auditor has what an audit asks. Runs may be the zero value: then workflows are not looked at, and a note says so.
type Auditor struct {
	Ledger *ledger.Ledger
	Chain  ledger.ChainConfig
	Pool   *chain.Pool
	Runs   *workflows.Runs
}

// rowsMax bounds the offending rows that one check lists.
const rowsMax = 50

// Run audits. An error means that it could not be done, not that something is broken.
func (a Auditor) Run(ctx context.Context) (Report, error) {
	r := Report{ChainID: a.Chain.ChainID}
	err := a.Ledger.Snapshot(ctx, func(tx pgx.Tx) error {
		if err := a.anchor(ctx, tx, &r); err != nil {
			return err
		}
		facts, err := a.ask(ctx, tx, r.At)
		if err != nil {
			return err
		}
		r.facts = facts
		for _, check := range a.checks() {
			f, err := check(ctx, tx, &r)
			if err != nil {
				return fmt.Errorf("audit %s: %w", f.Invariant, err)
			}
			r.Findings = append(r.Findings, f)
		}
		return nil
	})
	return r, err
}

// anchor finds the final block that all is compared at.
func (a Auditor) anchor(ctx context.Context, tx pgx.Tx, r *Report) error {
	var hash []byte
	err := tx.QueryRow(ctx, `SELECT final_number, final_hash FROM heads WHERE chain_id = $1`, a.Chain.ChainID).Scan(&r.At.Number, &hash)
	if errors.Is(err, pgx.ErrNoRows) {
		return settlement.Errorf(settlement.Transient, "chain %d: no block is recorded yet, so there is nothing to compare: is the listener running?", a.Chain.ChainID)
	}
	if err != nil {
		return fmt.Errorf("read the final block: %w", err)
	}
	r.At.Hash = common.BytesToHash(hash)
	r.Block, r.Hash = r.At.Number, r.At.Hash
	return nil
}

type check func(ctx context.Context, tx pgx.Tx, r *Report) (Finding, error)

func (a Auditor) checks() []check {
	return []check{
		keysAndSettlements, paidOnce, oneLiveNonce, a.attemptsBeforeBroadcast, committedTogether, balancesFold, proofs,
		eventsOnce, outboxOrder, sameAnswer, a.booksAndChain, a.nobodyStranded,
	}
}

// broken runs a statement that selects one text per offending row.
func broken(ctx context.Context, tx pgx.Tx, sql string, args ...any) ([]string, error) {
	rows, err := tx.Query(ctx, `SELECT * FROM (`+sql+`) broken LIMIT `+fmt.Sprint(rowsMax), args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

func count(ctx context.Context, tx pgx.Tx, sql string, args ...any) (n int64, err error) {
	err = tx.QueryRow(ctx, sql, args...).Scan(&n)
	return n, err
}

// states runs the statements of one invariant whose whole truth is in Postgres.
func states(ctx context.Context, tx pgx.Tx, f Finding, counting string, statements ...string) (Finding, error) {
	var err error
	if f.Checked, err = count(ctx, tx, counting); err != nil {
		return f, err
	}
	f.Broken = []string{}
	for _, sql := range statements {
		found, err := broken(ctx, tx, sql)
		if err != nil {
			return f, err
		}
		f.Broken = append(f.Broken, found...)
	}
	return f, nil
}
