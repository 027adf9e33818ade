package outbox

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestTheRelayIsFastWhenBusyAndSlowWhenIdleOrDown(t *testing.T) {
	t.Parallel()
	cfg := DefaultConfig()
	cfg.BatchMax = 10
	cfg.PollMin, cfg.PollMax = 1*time.Millisecond, 5*time.Millisecond
	cfg.DownMin, cfg.DownMax = 100*time.Millisecond, 300*time.Millisecond
	down := Round{Claimed: 1, Released: 1, Down: errors.New("down")}
	for _, row := range []struct {
		why    string
		rounds []Round
		want   time.Duration
		hinted bool
	}{
		{"a full batch: there is more", []Round{{Claimed: 10}}, 0, false},
		{"a small batch: look again soon", []Round{{Claimed: 3}}, 1 * time.Millisecond, true},
		{"nothing", []Round{{}}, 1 * time.Millisecond, true},
		{"nothing twice", []Round{{}, {}}, 2 * time.Millisecond, true},
		{"nothing for long", []Round{{}, {}, {}, {}, {}, {}}, 5 * time.Millisecond, true},
		{"work ends idling", []Round{{}, {}, {}, {Claimed: 1}, {}}, 1 * time.Millisecond, true},
		{"down: a hint cannot bring it back", []Round{down}, 100 * time.Millisecond, false},
		{"down for long", []Round{down, down, down, down}, 300 * time.Millisecond, false},
		{"the store is down", []Round{{Err: errors.New("no connection")}}, 100 * time.Millisecond, false},
		{"down, but it took some: no long wait", []Round{down, down, {Claimed: 8, Published: 2, Down: errors.New("down")}}, 100 * time.Millisecond, false},
		{"it answers again: the backlog is waiting", []Round{down, down, {Claimed: 8}}, 0, false},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			p := newPace(cfg)
			p.jitter = func(d time.Duration) time.Duration { return d }
			var wait time.Duration
			var hinted bool
			for _, r := range row.rounds {
				wait, hinted = p.after(r)
			}
			if wait != row.want || hinted != row.hinted {
				t.Errorf("wait %v, hinted %v, want %v, %v", wait, hinted, row.want, row.hinted)
			}
		})
	}
}

func TestDelaysGrowAndNeverPassTheirLimitOrOverflow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		first := time.Duration(rapid.Int64Range(1, int64(time.Hour)).Draw(t, "first"))
		limit := first + time.Duration(rapid.Int64Range(0, int64(1000*time.Hour)).Draw(t, "more"))
		n := rapid.IntRange(0, 1_000_000).Draw(t, "n")
		d, next := doubled(first, limit, n), doubled(first, limit, n+1)
		if d < first || d > limit || next < d {
			t.Errorf("doubled = %v, then %v, of %v up to %v", d, next, first, limit)
		}
		if j := halfJitter(d); j < d/2 || j > d+1 {
			t.Errorf("jitter of %v is %v", d, j)
		}
	})
}
