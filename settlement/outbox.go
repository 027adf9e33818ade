package settlement

import (
	"encoding/json"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// Outbox destinations that exist from the first migration on. Webhooks add theirs at run time.
const (
	DestinationTemporal = "temporal" // wakes workflows; internal
	DestinationNATS     = "nats"     // the broker
)

// WakeStreamPrefix begins the streams of wake-ups; what follows is the canonical key. No event for the outside world
// ever shares such a stream.
const WakeStreamPrefix = "wake/"

// OutboxRow is one event on its way to one destination. It may be published more than once: consumers tell copies by
// EventID, and order within a stream by (Epoch, Seq).
type OutboxRow struct {
	ID          int64
	EventID     common.Hash // the same for every destination and every rewrite; random for wake-ups
	Tenant      string
	Stream      string // a settlement, an account, a signer, or a wake-up
	Destination string
	Seq         int64 // gap-free per (stream, destination)
	Epoch       int   // raised by a restore, after which sequences may be seen again
	Type        string
	Payload     json.RawMessage
	CreatedAt   time.Time
	Retries     int // attempts after the first, so far
}

// OutboxClaim is what one claim took. Every statement that settles a row of it compares Token strictly: once the lease
// has run out and someone else has claimed the row, this claim can change nothing any more.
type OutboxClaim struct {
	Token string // a UUID, one per claim; empty if there are no rows
	Rows  []OutboxRow
	Next  string // the stream after which the next claim should look; empty to begin anew
}

// OutboxFailure is the outcome of one attempt that may be tried again after Delay.
type OutboxFailure struct {
	ID    int64
	Error string
	Delay time.Duration
}

// OutboxLag is the state of one destination.
type OutboxLag struct {
	Destination   string
	Enabled       bool
	Backlog       int64         // rows neither published nor skipped, parked ones included
	OldestAge     time.Duration // of the oldest such row; 0 without backlog
	ParkedStreams int64
	Published     int64 // attempts that succeeded, ever
	Retries       int64 // attempts after the first of their row, ever
}
