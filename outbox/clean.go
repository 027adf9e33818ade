package outbox

import (
	"context"
	"fmt"
	"log/slog"
	"time"
)

const (
	cleanBatch    = 1000
	cleanInterval = time.Minute
	cleanPause    = 20 * time.Millisecond // between batches, so that deleting never crowds out publishing
)

// CleanOnce deletes everything that was published before age, in batches with a commit each, and returns how many rows.
func CleanOnce(ctx context.Context, store Cleaner, age time.Duration) (deleted int, err error) {
	for {
		n, err := store.DeletePublished(ctx, age, cleanBatch)
		if deleted += n; err != nil || n < cleanBatch {
			return deleted, err
		}
		select {
		case <-ctx.Done():
			return deleted, ctx.Err()
		case <-time.After(cleanPause):
		}
	}
}

// Clean runs CleanOnce every minute until ctx ends. Several processes may do so at once.
func Clean(ctx context.Context, store Cleaner, age time.Duration, log *slog.Logger) error {
	if age <= 0 {
		return fmt.Errorf("retention %v of published rows must be above zero", age)
	}
	ticker := time.NewTicker(cleanInterval)
	defer ticker.Stop()
	for {
		deleted, err := CleanOnce(ctx, store, age)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			log.Error("published outbox rows could not be deleted", "err", err)
		case deleted > 0:
			log.Debug("deleted published outbox rows", "rows", deleted)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}
