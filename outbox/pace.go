package outbox

import (
	"math/rand/v2"
	"time"
)

// pace decides how long the relay waits. It does no IO and reads no clock.
type pace struct {
	cfg    Config
	idle   int // rounds in a row that found nothing
	downs  int // rounds in a row that found the destination, or the store, down
	jitter func(time.Duration) time.Duration
}

func newPace(cfg Config) pace { return pace{cfg: cfg, jitter: halfJitter} }

// halfJitter keeps between half and all of a delay, so that relays which failed together do not try together.
func halfJitter(d time.Duration) time.Duration { return d/2 + rand.N(d/2+1) }

func (p *pace) down() bool { return p.downs > 0 }

// after returns the wait before the next round, and whether a hint may end it early. A hint cannot bring a destination
// back, so it does not shorten that wait.
func (p *pace) after(round Round) (wait time.Duration, hinted bool) {
	if round.Down != nil || round.Err != nil {
		p.idle = 0
		if p.downs++; round.Published > 0 {
			p.downs = 1 // it answered for some
		}
		return p.jitter(doubled(p.cfg.DownMin, p.cfg.DownMax, p.downs-1)), false
	}
	if round.Claimed > 0 {
		full := round.Claimed >= p.cfg.BatchMax || p.downs > 0 // a probe was answered: the backlog is waiting
		p.downs, p.idle = 0, 0
		if full {
			return 0, false
		}
		return p.cfg.PollMin, true
	}
	p.idle++
	return p.jitter(doubled(p.cfg.PollMin, p.cfg.PollMax, p.idle-1)), true
}

// doubled is first * 2^n, at most limit.
func doubled(first, limit time.Duration, n int) time.Duration {
	for range n {
		if first >= limit/2 {
			return limit
		}
		first *= 2
	}
	return min(first, limit)
}
