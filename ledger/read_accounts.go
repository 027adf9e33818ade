package ledger

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// KnownAccounts says which of these names are customers' accounts of the tenant, in one round trip. An account is never
// deleted, so a yes stays true.
func (l *Ledger) KnownAccounts(ctx context.Context, tenant string, names []string) ([]string, error) {
	return read(ctx, l, "look up accounts", pgx.RowTo[string],
		`SELECT name FROM accounts WHERE tenant = $1 AND kind = 'customer' AND name = ANY($2)`, tenant, names)
}
