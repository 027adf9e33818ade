package telemetry

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/quittance/quittance/settlement"
)

type slowBooks struct {
	clock *time.Time
	took  time.Duration
	err   error
	reads int
}

func (b *slowBooks) Stats(context.Context) (settlement.Stats, error) {
	b.reads++
	*b.clock = b.clock.Add(b.took)
	return settlement.Stats{}, b.err
}

func TestReadingTheBooksTakesASmallShareOfTheTimeHoweverSlowItIs(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why   string
		took  time.Duration
		err   error
		reads int // in 1000 scrapes, one a second
	}{
		{"fast: every two seconds", 0, nil, 500},
		{"a second each: one part in twenty", time.Second, nil, 50},
		{"failing is bounded as well", time.Second, errors.New("timeout"), 50},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			now := time.Unix(0, 0)
			b := &slowBooks{clock: &now, took: row.took, err: row.err}
			c := &statsCache{source: b, log: slog.New(slog.DiscardHandler), now: func() time.Time { return now }}
			for range 1000 {
				if _, ok := c.read(t.Context()); ok != (row.err == nil) {
					t.Fatalf("ok = %v", ok)
				}
				now = now.Add(time.Second)
			}
			if b.reads < row.reads*8/10 || b.reads > row.reads {
				t.Errorf("%d readings, want about %d", b.reads, row.reads)
			}
		})
	}
}
