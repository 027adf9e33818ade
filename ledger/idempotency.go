package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// snapshotKept is how long a finished key keeps the body of its result. The key, and the answer rebuilt from the settlement,
// stay for ever.
const snapshotKept = 90 * 24 * time.Hour

// claimed is an idempotency row as a claim or a duplicate check found it.
type claimed struct {
	Inserted    bool
	Fingerprint common.Hash
	Version     int
	Digests     settlement.Digests
	RequestID   string
	Status      string
}

const claimedColumns = `fingerprint, fingerprint_version, field_digests, request_id, status`

func (c *claimed) columns() []any {
	return []any{&c.Fingerprint, &c.Version, &c.Digests, &c.RequestID, &c.Status}
}

// claimSQL always returns the row: DO NOTHING would return nothing to the loser of a race. It waits for a claim of the same
// key that has not committed, and adds a hit only for another request.
const claimSQL = `
	INSERT INTO idempotency_keys AS k (tenant, key, operation, fingerprint, fingerprint_version, field_digests, request_id, status)
	VALUES ($1, $2, 'settle', $3, $4, $5, $6, 'in_progress')
	ON CONFLICT (tenant, key) DO UPDATE SET hits = k.hits + (k.request_id <> excluded.request_id)::int
	RETURNING xmax = 0, ` + claimedColumns

func queueClaim(b *pgx.Batch, r settlement.Reservation, into *claimed) error {
	fingerprint, err := r.Fingerprint(settlement.FingerprintVersion)
	if err != nil {
		return err
	}
	digests, err := r.FieldDigests(settlement.FingerprintVersion)
	if err != nil {
		return err
	}
	b.Queue(claimSQL, r.Key.Tenant, r.Key.Value, common.Hash(fingerprint), settlement.FingerprintVersion, digests, r.RequestID).QueryRow(func(row pgx.Row) error {
		return row.Scan(append([]any{&into.Inserted}, into.columns()...)...)
	})
	return nil
}

// check compares what a request means with what the key was used for, by the version that the row was written with. The
// fingerprint is compared before anything looks at the status.
func (c claimed) check(r settlement.Request) error {
	fingerprint, err := r.Fingerprint(c.Version)
	if err != nil {
		return fmt.Errorf("compare key %s: %w", r.Key, err)
	}
	if fingerprint == c.Fingerprint {
		return nil
	}
	digests, err := r.FieldDigests(c.Version)
	if err != nil {
		return fmt.Errorf("compare key %s: %w", r.Key, err)
	}
	return &settlement.Error{Kind: settlement.Conflict, Fields: c.Digests.Differing(digests)}
}

// outcome of a duplicate that means the same.
func (c claimed) outcome() Outcome {
	if c.Status == "in_progress" {
		return OutcomeInProgress
	}
	return OutcomeReplay
}

// Answer is the duplicate check of a request that was not started: it counts a hit and the request, and returns the stored
// settlement with OutcomeReplay or OutcomeInProgress. Another meaning is OutcomeConflict with an error of kind Conflict that
// names the fields; an unknown key is NotFound, and nothing is written.
func (l *Ledger) Answer(ctx context.Context, r settlement.Request) (settlement.Settlement, Outcome, error) {
	var found claimed
	var s settlement.Settlement
	var conflict error
	err := l.do(ctx, "answer: "+r.Key.Canonical(), func(t *Tx) error {
		found, conflict = claimed{}, nil
		b := &pgx.Batch{}
		b.Queue(`UPDATE idempotency_keys SET hits = hits + 1 WHERE tenant = $1 AND key = $2 RETURNING `+claimedColumns, r.Key.Tenant, r.Key.Value).QueryRow(func(row pgx.Row) error {
			return row.Scan(found.columns()...)
		})
		queueSettlement(b, &s, ` WHERE s.tenant = $1 AND s.key = $2`, r.Key.Tenant, r.Key.Value)
		if err := t.Batch(b); err != nil {
			return err
		}
		outcome := found.outcome()
		if conflict = found.check(r); conflict != nil {
			if settlement.KindOf(conflict) != settlement.Conflict {
				return conflict
			}
			outcome = OutcomeConflict
		}
		countRequest(t, outcome)
		return nil
	})
	switch {
	case err != nil:
		return settlement.Settlement{}, "", err
	case conflict != nil:
		return settlement.Settlement{}, OutcomeConflict, conflict
	}
	return s, found.outcome(), nil
}

// ExpireSnapshots drops the bodies of results that have expired, at most limit of them, longest ago first, and says how many:
// call it again until it says less. The rows stay. Several processes at once pass over one another's rows.
func (l *Ledger) ExpireSnapshots(ctx context.Context, limit int) (dropped int, err error) {
	err = l.do(ctx, "expire snapshots", func(t *Tx) error {
		n, err := t.Exec(expireSnapshotsSQL, limit)
		dropped = int(n)
		return err
	})
	return dropped, err
}

const expireSnapshotsSQL = `UPDATE idempotency_keys SET result = NULL WHERE (tenant, key) IN (
	SELECT tenant, key FROM idempotency_keys WHERE expires_at < now() AND result IS NOT NULL
	 ORDER BY expires_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)`
