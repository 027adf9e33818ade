package outbox

import (
	"context"
	"time"

	"github.com/quittance/quittance/settlement"
)

// Store is where the rows are. Every count says how many rows still belonged to the claim: fewer than asked for means
// that the lease ran out and someone else claimed them.
type Store interface {
	// ClaimOutbox leases rows of streams after the named one: of each the oldest unpublished ones, in order. Nothing to do is
	// an empty claim.
	ClaimOutbox(ctx context.Context, destination string, limit int, lease time.Duration, after string) (settlement.OutboxClaim, error)
	// MarkPublished ends rows. On repeat it changes nothing.
	MarkPublished(ctx context.Context, token string, ids []int64) (int, error)
	// MarkFailed lets rows be claimed again after their delays, and counts an attempt for each.
	MarkFailed(ctx context.Context, token string, failures []settlement.OutboxFailure) (int, error)
	// ReleaseOutbox lets rows be claimed again at once, and counts nothing.
	ReleaseOutbox(ctx context.Context, token string, ids []int64) (int, error)
	// Park stops the row's stream at this destination until an operator decides.
	Park(ctx context.Context, token string, id int64, reason string) (bool, error)
}

// Cleaner deletes what was published long ago.
type Cleaner interface {
	// DeletePublished deletes a bounded batch and returns its size.
	DeletePublished(ctx context.Context, age time.Duration, limit int) (int, error)
}
