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
	Checked   int64    `json:"checked"`      // how many things were looked at
	ByTest    string   `json:"by_test_only"` // what of the invariant no state can show; empty if all of it was checked
	Broken    []string `json:"broken"`       // the offending rows; empty if the invariant holds
}

func (f *Finding) tell(format string, args ...any) {
	f.Broken = append(f.Broken, fmt.Sprintf(format, args...))
}

// Report is one audit.
type Report struct {
	ChainID  uint64      `json:"chain_id"`
	Block    uint64      `json:"block"`
	Hash     common.Hash `json:"block_hash"`
	Findings []Finding   `json:"findings"`
	Notes    []string    `json:"notes"` // surpluses and the like: reported, not broken
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

// Auditor has what an audit asks. Runs may be nil: then workflows are not looked at, and a note says so.
type Auditor struct {
	Ledger *ledger.Ledger
	Chain  ledger.ChainConfig
	Pool   *chain.Pool
	Runs   *workflows.Runs
}

// Run audits. An error means that it could not be done, not that something is broken.
func (a Auditor) Run(ctx context.Context) (Report, error) {
	var r Report
	err := a.Ledger.Snapshot(ctx, func(tx pgx.Tx) error {
		x := &examination{Auditor: a, tx: tx}
		if err := x.anchor(ctx); err != nil {
			return err
		}
		if err := x.ask(ctx); err != nil {
			return err
		}
		r = Report{ChainID: a.Chain.ChainID, Block: x.at.Number, Hash: x.at.Hash}
		for _, check := range x.checks() {
			f := Finding{Broken: []string{}}
			if err := check(ctx, &f); err != nil {
				return fmt.Errorf("audit %s: %w", f.Invariant, err)
			}
			r.Findings = append(r.Findings, f)
		}
		r.Notes = append([]string{}, x.notes...)
		return nil
	})
	return r, err
}

// examination is one audit under way.
type examination struct {
	Auditor
	tx    pgx.Tx
	at    settlement.BlockRef // the final block that all is compared at
	mined []minedRow          // what the books say that our signers did, up to that block
	facts chain.Audited       // what the node says
	notes []string
}

func (x *examination) note(format string, args ...any) {
	x.notes = append(x.notes, fmt.Sprintf(format, args...))
}

func (x *examination) checks() []func(context.Context, *Finding) error {
	return []func(context.Context, *Finding) error{
		x.keysAndSettlements, x.paidOnce, x.oneLiveNonce, x.attemptsBeforeBroadcast, x.committedTogether, x.balancesFold, x.proofs,
		x.eventsOnce, x.outboxOrder, x.sameAnswer, x.booksAndChain, x.nobodyStranded,
	}
}

// anchor finds the final block.
func (x *examination) anchor(ctx context.Context) error {
	err := x.tx.QueryRow(ctx, `SELECT final_number, final_hash FROM heads WHERE chain_id = $1`, x.Chain.ChainID).Scan(&x.at.Number, &x.at.Hash)
	if errors.Is(err, pgx.ErrNoRows) {
		return settlement.Errorf(settlement.Transient, "chain %d: no block is recorded yet, so there is nothing to compare: is the listener running?", x.Chain.ChainID)
	}
	if err != nil {
		return fmt.Errorf("read the final block: %w", err)
	}
	return nil
}

// rowsMax bounds the offending rows that one statement lists.
const rowsMax = 50

// broken adds what statements select: one text per offending row.
func (x *examination) broken(ctx context.Context, f *Finding, statements ...string) error {
	for _, sql := range statements {
		if err := x.brokenWith(ctx, f, sql); err != nil {
			return err
		}
	}
	return nil
}

func (x *examination) brokenWith(ctx context.Context, f *Finding, sql string, args ...any) error {
	rows, err := x.tx.Query(ctx, `SELECT * FROM (`+sql+`) broken LIMIT `+fmt.Sprint(rowsMax+1), args...)
	if err != nil {
		return err
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if len(found) > rowsMax {
		found[rowsMax] = fmt.Sprintf("… and more than these %d", rowsMax)
	}
	f.Broken = append(f.Broken, found...)
	return err
}

func (x *examination) count(ctx context.Context, f *Finding, sql string, args ...any) error {
	return x.tx.QueryRow(ctx, sql, args...).Scan(&f.Checked)
}
