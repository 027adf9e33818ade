package settlement

import (
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// Stats is the state of everything at one moment, read in one snapshot, as operators see it in metrics and in
// `starter stats`. Totals count since the ledger's first day, so they survive restarts and are the same whoever serves them.
type Stats struct {
	Requests map[string]int64 // by outcome: new, replay, in_progress, conflict, invalid
	Outbox   []OutboxLag      // by destination
	States   []StateStats     // every state, also those without settlements
	Waiting  []WaitingStats
	Chains   []ChainStats
	Lanes    []LaneStats
	Assets   []AssetStats
	Bumps    int64 // attempts that replaced another, ever
}

// DuplicateHitRate is the share of valid requests that named a key which was there before; 0 without requests.
func (s Stats) DuplicateHitRate() float64 {
	duplicates := s.Requests["replay"] + s.Requests["in_progress"] + s.Requests["conflict"]
	return ratio(duplicates, duplicates+s.Requests["new"])
}

// RetryRate is the attempts after the first of their row, per row published; 0 without either.
func (g OutboxLag) RetryRate() float64 { return ratio(g.Retries, g.Published) }

func ratio(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// StateStats counts settlements of one state.
type StateStats struct {
	State  State
	Count  int64
	Oldest time.Duration // since the oldest was requested; 0 for states that end a settlement
}

// WaitingStats counts settlements that wait for the same thing.
type WaitingStats struct {
	Reason string // one of the Wait words
	Count  int64
}

// ChainStats is one chain as the listener knows it.
type ChainStats struct {
	ChainID      uint64
	Head, Final  uint64        // block numbers; both 0 before the first block
	SinceHead    time.Duration // since the head was recorded
	Queued       int64         // settlements without a slot
	OldestQueued time.Duration
	Quarantined  int64  // logs that took no effect and that nobody has looked at
	FeesSpent    Amount // wei, booked from final blocks
	Paused       bool   // the vault
	Stopped      bool   // the listener, by a reorg deeper than finality
	Halted       string // why an operator stopped all payments; empty when they go on
}

// FinalityLag is how many blocks the final one is behind the head.
func (c ChainStats) FinalityLag() uint64 { return c.Head - min(c.Final, c.Head) }

// AssetStats is what holds an asset's payments back.
type AssetStats struct {
	Asset
	Stopped      string  // why new payments are stopped; empty when they are not
	RevertsInRow int64   // payments in a row that reverted and count; the third stops the asset
	HourlyBudget *Amount // nil: no bound
	Spent        Amount  // of the budget, in the last hour; counted only while there is one
}

// LaneStats is one signer.
type LaneStats struct {
	ChainID     uint64
	Signer      common.Address
	State       LaneState
	InFlight    int64 // allocated and not mined, and grants
	InFlightMax int64
	Granted     int64         // slots promised to settlements in the queue
	HeadOfLine  time.Duration // how long the oldest unmined nonce has been allocated
	Balance     Amount        // wei at the last block
	Operator    bool
	Unsigned    int64         // nonces that wait for a remote signer
	UnsignedFor time.Duration // how long the oldest of them has
	Left        *float64      // how many settlements the balance, less what is committed, still pays at present prices; nil: no price is known
}

// LeftWarn is how many settlements a signer's balance should cover at least.
const LeftWarn = 50

// Low reports whether it is time to top up.
func (l LaneStats) Low() bool { return l.Left != nil && *l.Left < LeftWarn }
