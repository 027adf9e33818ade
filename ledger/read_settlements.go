package ledger

import (
	"context"

	"github.com/quittance/quittance/settlement"
)

// Filter narrows a list of settlements; zero values do not.
type Filter struct {
	Tenant  string // required
	Account string
	States  []settlement.State
}

// Settlements lists settlements newest first, with ids below before (0: from the newest).
func (l *Ledger) Settlements(ctx context.Context, f Filter, before int64, limit int) ([]settlement.Settlement, error) {
	return read(ctx, l, "list settlements", toSettlement, selectSettlements+`
		WHERE s.tenant = $1 AND ($2 = '' OR c.name = $2) AND (cardinality($3::text[]) = 0 OR s.state = ANY($3)) AND ($4::bigint = 0 OR s.id < $4)
		ORDER BY s.id DESC LIMIT $5`, f.Tenant, f.Account, texts(f.States), before, limit)
}

// SettlementsOf reads many settlements of one tenant in one round trip, in no order. Keys without a row are left out, which
// says nothing about runs that have not reserved yet.
func (l *Ledger) SettlementsOf(ctx context.Context, tenant string, keys []string) ([]settlement.Settlement, error) {
	return read(ctx, l, "read settlements", toSettlement, selectSettlements+` WHERE s.tenant = $1 AND s.key = ANY($2)`, tenant, keys)
}

func texts(states []settlement.State) []string {
	out := make([]string, len(states))
	for i, s := range states {
		out[i] = string(s)
	}
	return out
}
