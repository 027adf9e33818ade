package ledger

import (
	"context"

	"github.com/ethereum/go-ethereum/common"
)

// WithHook lets tests look on, or meddle, on the lines where a crash matters: "<unit>.before_commit", "<unit>.after_commit".
func WithHook(hook func(point string)) Option { return func(o *options) { o.hook = hook } }

// Do is a unit of work of a test's own.
func (l *Ledger) Do(ctx context.Context, name string, f func(*Tx) error) error {
	return l.do(ctx, name, f)
}

// Event is an event of a test's own.
type Event = event

// Emit emits within a test's unit.
func Emit(t *Tx, events ...Event) { emit(t, events...) }

// Wake wakes within a test's unit.
var Wake = wake

// EventID is the id that an event will have.
func EventID(e Event) common.Hash { return e.id() }

// GrowingReads are statements that look for few rows in tables that grow with the ledger, with the types of their parameters.
var GrowingReads = map[string]struct {
	Types string
	SQL   string
}{
	"expire snapshots":           {"int", expireSnapshotsSQL},
	"story transfers":            {"bigint", storyTransfersSQL},
	"story events":               {"bytea, bigint", storyEventsSQL},
	"story journal":              {"text[]", storyJournalSQL},
	"next block":                 {"bigint", `SELECT * FROM blocks WHERE chain_id = $1 AND hash = ` + nextSQL},
	"accounts of a final block":  {"bigint, bytea[]", accountsSQL},
	"facts of mined settlements": {"bigint, bigint", factSQL + ` WHERE s.state = 'mined' AND s.chain_id = $1 AND s.block_number > $2 ORDER BY s.id FOR UPDATE OF s`},
	"lanes' costs":               {"bigint", selectLaneFacts + ` WHERE l.id = $1`},
}
