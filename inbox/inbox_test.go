package inbox_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/quittance/quittance/inbox"
	"github.com/quittance/quittance/internal/devstack/stacktest"
)

type bench struct {
	*testing.T
	pool *pgxpool.Pool
}

func newBench(t *testing.T) bench {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), stacktest.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	b := bench{t, pool}
	b.exec(inbox.Schema)
	b.exec(inbox.Schema) // twice is fine
	b.exec(`CREATE TABLE effects (n integer)`)
	return b
}

func (b bench) exec(sql string) {
	b.Helper()
	if _, err := b.pool.Exec(b.Context(), sql); err != nil {
		b.Fatal(err)
	}
}

func (b bench) count(sql string) (n int) {
	b.Helper()
	if err := b.pool.QueryRow(b.Context(), sql).Scan(&n); err != nil {
		b.Fatal(err)
	}
	return n
}

func (b bench) effect(tx pgx.Tx) error {
	_, err := tx.Exec(b.Context(), `INSERT INTO effects VALUES (1)`)
	return err
}

func TestAnEventTakesEffectOnceHoweverOftenItArrives(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i := range 5 {
		fresh, err := inbox.Process(t.Context(), b.pool, "counter", "e1", []byte("payload"), b.effect)
		if err != nil || fresh != (i == 0) {
			t.Fatalf("delivery %d: fresh %v, %v", i, fresh, err)
		}
	}
	if n := b.count(`SELECT count(*) FROM effects`); n != 1 {
		t.Errorf("%d effects", n)
	}
	if n := b.count(`SELECT seen FROM inbox`); n != 5 {
		t.Errorf("seen %d times, want 5", n)
	}
}

func TestCopiesThatArriveAtTheSameTimeTakeEffectOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var fresh atomic.Int64
	var wg sync.WaitGroup
	for range 12 {
		wg.Go(func() {
			ok, err := inbox.Process(t.Context(), b.pool, "counter", "e1", []byte("payload"), b.effect)
			if err != nil {
				t.Error(err)
			}
			if ok {
				fresh.Add(1)
			}
		})
	}
	wg.Wait()
	if n := b.count(`SELECT count(*) FROM effects`); n != 1 || fresh.Load() != 1 {
		t.Errorf("%d effects, %d callers were first", n, fresh.Load())
	}
}

func TestTheSameIDWithAnotherPayloadIsAnAlarmAndChangesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if _, err := inbox.Process(t.Context(), b.pool, "counter", "e1", []byte("amount 1"), b.effect); err != nil {
		t.Fatal(err)
	}
	fresh, err := inbox.Process(t.Context(), b.pool, "counter", "e1", []byte("amount 2"), b.effect)
	if fresh || !errors.Is(err, inbox.ErrPayloadDiffers) {
		t.Errorf("fresh %v, err %v", fresh, err)
	}
	if n := b.count(`SELECT count(*) FROM effects`) + b.count(`SELECT seen FROM inbox`); n != 2 {
		t.Errorf("effects and marks = %d, want 1 and 1", n)
	}
}

func TestConsumersDoNotShareMarks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, consumer := range []string{"counter", "mailer"} {
		if fresh, err := inbox.Process(t.Context(), b.pool, consumer, "e1", nil, b.effect); !fresh || err != nil {
			t.Errorf("%s: fresh %v, %v", consumer, fresh, err)
		}
	}
}

// O15: https://github.com/JasperFx/wolverine/issues/1677
func TestMarkAndEffectAreOneTransaction(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	broken := errors.New("the effect failed after it wrote")
	for _, row := range []struct {
		why  string
		call func() error
	}{
		{"the effect fails", func() error {
			_, err := inbox.Process(t.Context(), b.pool, "counter", "e1", nil, func(tx pgx.Tx) error {
				return errors.Join(b.effect(tx), broken)
			})
			return err
		}},
		{"the connection dies in the middle", func() error {
			_, err := inbox.Process(t.Context(), b.pool, "counter", "e1", nil, func(tx pgx.Tx) error {
				return errors.Join(b.effect(tx), tx.Conn().Close(t.Context()))
			})
			return err
		}},
		{"the caller's own transaction is undone", func() error {
			tx, err := b.pool.Begin(t.Context())
			if err != nil {
				return err
			}
			fresh, err := inbox.Process(t.Context(), tx, "counter", "e1", nil, b.effect)
			if !fresh || err != nil {
				return fmt.Errorf("within the caller's transaction: fresh %v: %w", fresh, err)
			}
			return errors.Join(tx.Rollback(t.Context()), broken)
		}},
	} {
		t.Run(row.why, func(t *testing.T) {
			if err := row.call(); err == nil {
				t.Error("no error")
			}
			if n := b.count(`SELECT (SELECT count(*) FROM effects) + (SELECT count(*) FROM inbox)`); n != 0 {
				t.Errorf("%d rows are left of an effect that failed", n)
			}
		})
	}
	if fresh, err := inbox.Process(t.Context(), b.pool, "counter", "e1", nil, b.effect); !fresh || err != nil {
		t.Errorf("the next delivery: fresh %v, %v", fresh, err)
	}
}

// O26: https://github.com/Particular/docs.particular.net/issues/3947
func TestMarksAreForgottenByAgeInBatches(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i := range 5 {
		if _, err := inbox.Process(t.Context(), b.pool, "counter", fmt.Sprint(i), nil, b.effect); err != nil {
			t.Fatal(err)
		}
	}
	b.exec(`UPDATE inbox SET processed_at = now() - interval '8 days' WHERE event_id < '3'`)
	for _, want := range []int64{2, 1, 0} {
		n, err := inbox.Forget(t.Context(), b.pool, "counter", 7*24*time.Hour, 2)
		if err != nil || n != want {
			t.Errorf("forgot %d, %v, want %d", n, err, want)
		}
	}
	if fresh, err := inbox.Process(t.Context(), b.pool, "counter", "4", nil, b.effect); fresh || err != nil {
		t.Errorf("a young mark was forgotten: %v, %v", fresh, err)
	}
}

func TestATableWithADomainForItsHashesWorksAsWell(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.exec(`CREATE DOMAIN hash32 AS bytea CHECK (octet_length(VALUE) = 32); ALTER TABLE inbox ALTER COLUMN payload_hash TYPE hash32`)
	for i := range 2 {
		if fresh, err := inbox.Process(t.Context(), b.pool, "counter", "e1", []byte("payload"), b.effect); err != nil || fresh != (i == 0) {
			t.Errorf("delivery %d: fresh %v, %v", i, fresh, err)
		}
	}
}

func TestEmptyNamesAreRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, id := range []string{"", "e1"} {
		if _, err := inbox.Process(t.Context(), b.pool, "", id, nil, b.effect); err == nil {
			t.Errorf("id %q without a consumer was accepted", id)
		}
	}
	if _, err := inbox.Process(t.Context(), b.pool, "counter", "", nil, b.effect); err == nil {
		t.Error("an event without an id was accepted")
	}
}

// The statement in the package comment is what consumers in other languages copy: it must agree with Process.
func TestTheDocumentedSQLSpeaksOfTheSameMarks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	payload := []byte("payload")
	var fresh bool
	var hash []byte
	err := b.pool.QueryRow(t.Context(), `
		INSERT INTO inbox (consumer, event_id, payload_hash) VALUES ($1, $2, sha256($3))
		    ON CONFLICT (consumer, event_id) DO UPDATE SET seen = inbox.seen + 1
		    RETURNING payload_hash, (xmax = 0) AS fresh`, "counter", "e1", payload).Scan(&hash, &fresh)
	if err != nil || !fresh {
		t.Fatal(fresh, err)
	}
	if fresh, err := inbox.Process(t.Context(), b.pool, "counter", "e1", payload, b.effect); fresh || err != nil {
		t.Errorf("fresh %v, %v", fresh, err)
	}
}

func ExampleProcess() {
	var (
		pool    *pgxpool.Pool // of the consumer's own database
		eventID string        // the CloudEvent's id
		data    []byte        // its data, as it arrived
	)
	fresh, err := inbox.Process(context.Background(), pool, "mailer", eventID, data, func(tx pgx.Tx) error {
		_, err := tx.Exec(context.Background(), `INSERT INTO mails (event_id, body) VALUES ($1, $2)`, eventID, data)
		return err
	})
	switch {
	case errors.Is(err, inbox.ErrPayloadDiffers):
		// alarm; do not acknowledge as processed
	case err != nil:
		// do not acknowledge: it will be delivered again
	case fresh:
		// acknowledge: the mail was written
	default:
		// acknowledge: a copy
	}
}
