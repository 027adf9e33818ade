package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// AcquireLease takes a free or expired lease, with a token above every token it had before. It returns false, and no
// error, while somebody holds it: also while that is an earlier process under the same holder's name, which must release
// it or let it expire. Only the database's clock counts.
func (l *Ledger) AcquireLease(ctx context.Context, name, holder string, ttl time.Duration) (lease settlement.Lease, ok bool, err error) {
	err = l.do(ctx, "acquire lease", func(t *Tx) error {
		lease, ok = settlement.Lease{}, false
		err := t.QueryRow(`
			INSERT INTO leases AS l (name, holder, token, expires_at) VALUES ($1, $2, 1, clock_timestamp() + $3::interval)
			ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, token = l.token + 1, expires_at = clock_timestamp() + $3::interval
			 WHERE l.expires_at <= clock_timestamp()
			RETURNING token`, name, holder, ttl).Scan(&lease.Token)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("acquire lease %s for %s: %w", name, holder, err)
		}
		lease.Name, ok = name, true
		return nil
	})
	return lease, ok && err == nil, err
}

// RenewLease prolongs the lease by ttl from now. A lease that expired is renewed as long as nobody took it: what fences a
// late holder is the token, not the clock. It answers ErrLeaseLost once somebody did.
//
// It never waits for a write under this lease: while one is under way its fence keeps everybody else out, and a holder that
// took a slow commit for a lost lease would cancel that commit, begin anew, and never get past it. Such a renewal prolongs
// nothing, and the next one does.
func (l *Ledger) RenewLease(ctx context.Context, lease settlement.Lease, ttl time.Duration) error {
	return l.do(ctx, "renew lease", func(t *Tx) error {
		var held bool
		err := t.QueryRow(`
			WITH free AS MATERIALIZED (
				SELECT name FROM leases WHERE name = $1 AND token = $2 FOR NO KEY UPDATE SKIP LOCKED
			), prolonged AS (
				UPDATE leases l SET expires_at = clock_timestamp() + $3::interval FROM free WHERE l.name = free.name
			)
			SELECT EXISTS (SELECT FROM leases WHERE name = $1 AND token = $2)`, lease.Name, lease.Token, ttl).Scan(&held)
		if err != nil {
			return fmt.Errorf("renew lease %s: %w", lease.Name, err)
		}
		if !held {
			return ErrLeaseLost
		}
		return nil
	})
}

// ReleaseLease lets the next holder in at once. Releasing what somebody else holds by now changes nothing.
func (l *Ledger) ReleaseLease(ctx context.Context, lease settlement.Lease) error {
	return l.do(ctx, "release lease", func(t *Tx) error {
		_, err := t.Exec(`UPDATE leases SET expires_at = clock_timestamp() WHERE name = $1 AND token = $2`, lease.Name, lease.Token)
		if err != nil {
			return fmt.Errorf("release lease %s: %w", lease.Name, err)
		}
		return nil
	})
}

// fence must be the first statement of every write of a listener. The share lock keeps the next holder out until this
// commit is over, so that a commit is either wholly before the change of holder or refused.
func fence(b *pgx.Batch, lease settlement.Lease) {
	b.Queue(`SELECT FROM leases WHERE name = $1 AND token = $2 FOR SHARE`, lease.Name, lease.Token).QueryRow(func(row pgx.Row) error {
		err := row.Scan()
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrLeaseLost
		}
		return err
	})
}
