package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/quittance/quittance/settlement"
)

var (
	// ErrLeaseLost: another listener holds the lease, or it expired; nothing was written.
	ErrLeaseLost = &settlement.Error{Kind: settlement.Stale, Err: settlement.ErrLeaseLost}
	// ErrDiscontinuous: the block's parent is not the recorded head; nothing was written.
	ErrDiscontinuous = &settlement.Error{Kind: settlement.Stale, Err: settlement.ErrDiscontinuous}
	// ErrBelowFinal: a reorg deeper than finality; the listener is stopped until an operator accepts it.
	ErrBelowFinal = &settlement.Error{Kind: settlement.Rejected, Err: settlement.ErrBelowFinal}
	// ErrSchema: the database's schema is not the one this build needs.
	ErrSchema = errors.New("schema version differs")
	// ErrNotDurable: a setting of the server would lose commits in a crash.
	ErrNotDurable = errors.New("the server is not durable")
	// ErrRestored: the cluster is not the one that was recorded; writing is forbidden until a reconciliation.
	ErrRestored = errors.New("the database was restored or failed over")
)

// pgError finds the server's error.
func pgError(err error) *pgconn.PgError {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg
	}
	return nil
}

// retryable says that the unit did not commit and may run again as it is.
func retryable(err error) bool {
	if errors.Is(err, errLaneMoved) {
		return true
	}
	if pg := pgError(err); pg != nil {
		switch pg.Code {
		case pgerrcode.SerializationFailure, pgerrcode.DeadlockDetected, pgerrcode.LockNotAvailable:
			return true
		}
		return serverGone(pg) && !commitSent(err)
	}
	var kind *settlement.Error
	if errors.As(err, &kind) || errors.Is(err, pgx.ErrNoRows) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	return pgconn.SafeToRetry(err) || connectionLost(err) && !commitSent(err)
}

// ServerGone says that an error came of a server that ended the connection, did not begin one, or was not there: what failed
// may work later.
func ServerGone(err error) bool {
	if pg := pgError(err); pg != nil {
		return serverGone(pg)
	}
	return err != nil && connectionLost(err)
}

// serverGone knows the errors with which a server ends a connection or does not begin one.
func serverGone(pg *pgconn.PgError) bool {
	return pgerrcode.IsConnectionException(pg.Code) || pgerrcode.IsOperatorIntervention(pg.Code) && pg.Code != pgerrcode.QueryCanceled ||
		pg.Code == pgerrcode.TooManyConnections
}

// mayHaveCommitted says that COMMIT was sent and its answer got lost. A server that dies of another process's crash says so,
// but not whether it had committed.
func mayHaveCommitted(err error) bool {
	pg := pgError(err)
	return commitSent(err) && !pgconn.SafeToRetry(err) && (pg == nil || serverGone(pg))
}

func commitSent(err error) bool {
	var c *commitError
	return errors.As(err, &c)
}

// connectionLost knows pgx's errors of a broken connection by what they are not: errors of the server, or of our code.
func connectionLost(err error) bool {
	var connect *pgconn.ConnectError
	if errors.As(err, &connect) {
		return true
	}
	for _, text := range []string{"unexpected EOF", "conn closed", "connection reset", "broken pipe", "use of closed network connection"} {
		if strings.Contains(err.Error(), text) {
			return true
		}
	}
	return false
}

// refused says that the database holds a rule against what was written (SQLSTATE classes 22 and 23), or that a guard found
// other rows than it had to.
func refused(err error) bool {
	pg := pgError(err)
	return errors.Is(err, errMismatch) || pg != nil && (pgerrcode.IsDataException(pg.Code) || pgerrcode.IsIntegrityConstraintViolation(pg.Code))
}

// codeMust is what the schema's function must raises when a guarded statement did not touch the one row it had to.
const codeMust = "QT001"

// violates says that a constraint, index or domain check of that name refused.
func violates(err error, constraint string) bool {
	pg := pgError(err)
	return pg != nil && pg.ConstraintName == constraint
}

// constraintKinds names what a refusal means, where it means more than "read again and decide anew".
var constraintKinds = map[string]settlement.Kind{
	"amount_check":                  settlement.Invalid,
	"address_check":                 settlement.Invalid,
	"hash32_check":                  settlement.Invalid,
	"idempotency_keys_tenant_check": settlement.Invalid,
	"idempotency_keys_key_check":    settlement.Invalid,
	"assets_symbol_check":           settlement.Invalid,
	"assets_decimals_check":         settlement.Invalid,
	"accounts_tenant_check":         settlement.Invalid,
	"accounts_name_check":           settlement.Invalid,
}

// classify gives an error of a unit its kind, and says which unit failed. Errors that carry a kind keep it.
// A refusal of the database is Stale: nothing was written, someone else moved first, or a statement lacks the guard that
// the constraint backs up. What happened before COMMIT was sent is Transient; a lost answer to COMMIT is Unknown.
func classify(unit string, err error) error {
	if mayHaveCommitted(err) {
		return settlement.Errorf(settlement.Unknown, "%s: %w", unit, err)
	}
	var known *settlement.Error
	if errors.As(err, &known) {
		return err
	}
	kind := settlement.Transient
	pg := pgError(err)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		kind = settlement.NotFound
	case pg != nil && pg.Code == codeMust, pg != nil && refused(err):
		kind = settlement.Stale
		if k, ok := constraintKinds[pg.ConstraintName]; ok {
			kind = k
		}
	}
	return &settlement.Error{Kind: kind, Err: fmt.Errorf("%s: %w", unit, err)}
}

// stale is the answer of a guarded statement that matched no row.
func stale(format string, args ...any) error {
	return settlement.Errorf(settlement.Stale, format, args...)
}
