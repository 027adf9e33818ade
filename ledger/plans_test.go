package ledger_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/ledger/ledgertest"
)

// With sequential scans forbidden the planner still makes one where no index serves. The tables are small here, so this
// asks whether an index can serve, not what the planner would like.
func TestWhatGrowsWithTheLedgerIsFoundByIndex(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	conn, err := w.SQL.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	exec := func(sql string) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	exec(`SET enable_seqscan = off`)
	exec(`SET plan_cache_mode = force_generic_plan`) // what a process that runs for days has
	for name, statement := range ledger.GrowingReads {
		exec(`PREPARE looked (` + statement.Types + `) AS ` + statement.SQL)
		nulls := strings.TrimSuffix(strings.Repeat("NULL, ", strings.Count(statement.Types, ",")+1), ", ")
		var plan []byte
		if err := conn.QueryRow(t.Context(), `EXPLAIN (FORMAT JSON) EXECUTE looked (`+nulls+`)`).Scan(&plan); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		exec(`DEALLOCATE looked`)
		var tree any
		if err := json.Unmarshal(plan, &tree); err != nil {
			t.Fatal(err)
		}
		for _, table := range scanned(tree) {
			switch table {
			case "assets", "asset_liquidity", "chains", "heads", "lanes", "destinations": // as many rows as an operator made
			default:
				t.Errorf("%s reads the whole of %s", name, table)
			}
		}
	}
}

// scanned lists the tables that a plan reads from end to end.
func scanned(node any) (tables []string) {
	switch n := node.(type) {
	case []any:
		for _, child := range n {
			tables = append(tables, scanned(child)...)
		}
	case map[string]any:
		kind := fmt.Sprint(n["Node Type"])
		whole := kind == "Seq Scan" || strings.HasPrefix(kind, "Index") && n["Index Cond"] == nil
		if whole {
			tables = append(tables, fmt.Sprint(n["Relation Name"]))
		}
		for _, child := range n {
			tables = append(tables, scanned(child)...)
		}
	}
	return tables
}
