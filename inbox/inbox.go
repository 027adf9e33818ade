// Package inbox makes a consumer's effect happen once although its events arrive at least once. It owns one table in
// the consumer's own Postgres and imports nothing of this project, so that any service may use it. It must never mark
// an event in another transaction than the effect: a crash between the two would lose the effect or double it.
//
// The same in SQL, for consumers in other languages:
//
//	BEGIN;
//	INSERT INTO inbox (consumer, event_id, payload_hash) VALUES ($1, $2, sha256($3))
//	    ON CONFLICT (consumer, event_id) DO UPDATE SET seen = inbox.seen + 1
//	    RETURNING payload_hash, (xmax = 0) AS fresh;
//	-- fresh:                          apply the effect here, in this transaction
//	-- not fresh, same payload_hash:   a copy: do nothing
//	-- not fresh, other payload_hash:  ROLLBACK and raise an alarm
//	COMMIT;
//	-- only now acknowledge the message
package inbox

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Schema creates the table if it is missing. Quittance's own migrations create the same one.
const Schema = `
CREATE TABLE IF NOT EXISTS inbox (
    consumer     text        NOT NULL,
    event_id     text        NOT NULL,
    payload_hash bytea       NOT NULL CHECK (octet_length(payload_hash) = 32),
    seen         integer     NOT NULL DEFAULT 1 CHECK (seen > 0),
    processed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, event_id)
)`

// ErrPayloadDiffers means that an event id came back with another payload. Nothing was applied. One of the two is wrong,
// so a person has to look: trying again cannot help.
var ErrPayloadDiffers = errors.New("the event id was processed before with another payload")

// DB is a *pgxpool.Pool, a *pgx.Conn or a pgx.Tx. With a Tx the work becomes a savepoint of it, and the effect counts
// only once the caller commits.
type DB interface {
	Begin(ctx context.Context) (pgx.Tx, error)
}

// Process applies an event's effect and marks the event in one transaction. On a copy it does not call apply and
// returns false. An error means that nothing was applied, save one from the commit itself: then it may have been, and
// the next delivery finds out. A second caller with the same event waits until the first has committed or failed.
//
// payload must be the event's data, byte for byte as it arrived; the envelope around it may change between deliveries.
func Process(ctx context.Context, db DB, consumer, eventID string, payload []byte, apply func(pgx.Tx) error) (fresh bool, err error) {
	if consumer == "" || eventID == "" {
		return false, fmt.Errorf("inbox: consumer %q and event id %q must not be empty", consumer, eventID)
	}
	err = pgx.BeginFunc(ctx, db, func(tx pgx.Tx) error {
		if fresh, err = mark(ctx, tx, consumer, eventID, payload); err != nil || !fresh {
			return err
		}
		return apply(tx)
	})
	if err != nil {
		return false, fmt.Errorf("inbox: %s: event %s: %w", consumer, eventID, err)
	}
	return fresh, nil
}

// mark always gets the row back: DO NOTHING RETURNING would return none to the loser of a race.
func mark(ctx context.Context, tx pgx.Tx, consumer, eventID string, payload []byte) (fresh bool, err error) {
	hash := sha256.Sum256(payload)
	var stored []byte
	err = tx.QueryRow(ctx, `
		INSERT INTO inbox (consumer, event_id, payload_hash) VALUES ($1, $2, $3::bytea)
		ON CONFLICT (consumer, event_id) DO UPDATE SET seen = inbox.seen + 1
		RETURNING payload_hash::bytea, (xmax = 0)`, consumer, eventID, hash[:]).Scan(&stored, &fresh)
	if err != nil {
		return false, fmt.Errorf("mark: %w", err)
	}
	if !fresh && string(stored) != string(hash[:]) {
		return false, ErrPayloadDiffers
	}
	return fresh, nil
}

// Forget deletes at most limit marks older than age and returns how many. What was forgotten takes effect again if it
// is delivered again: age must exceed whatever the sender or an operator may still redeliver, dead letters included.
func Forget(ctx context.Context, db DB, consumer string, age time.Duration, limit int) (deleted int64, err error) {
	err = pgx.BeginFunc(ctx, db, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `
			DELETE FROM inbox WHERE (consumer, event_id) IN (
				SELECT consumer, event_id FROM inbox
				 WHERE consumer = $1 AND processed_at < now() - $2::interval
				 ORDER BY consumer, event_id LIMIT $3 FOR UPDATE SKIP LOCKED)`, consumer, age, limit)
		deleted = tag.RowsAffected()
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("inbox: forget marks of %s: %w", consumer, err)
	}
	return deleted, nil
}
