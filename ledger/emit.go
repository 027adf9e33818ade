package ledger

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/settlement"
)

// event is one outbox row per enabled external destination, or, as a wake-up, one row for the workflows.
type event struct {
	Tenant  string
	Stream  string
	Type    string
	Cause   []byte // the key, an attempt's hash, or block hash + tx hash (+ tx_log_index): see causeOf
	N       int    // how often this cause occurred in this stream before
	Payload any

	wake   bool
	onlyIf settlement.State // of the settlement with this key, when the rows are written; empty: always
	key    settlement.Key
}

// Types of events, as the outside world sees them. A type is never renamed.
const (
	TypeRequested = "settlement.requested"
	TypeSubmitted = "settlement.submitted"
	TypeMined     = "settlement.mined"
	TypeSettled   = "settlement.settled"
	TypeFailed    = "settlement.failed"
	TypeCancelled = "settlement.cancelled"
	TypeMoved     = "settlement.moved"     // the payment is final in another block, after a reorg that an operator accepted
	TypeCorrected = "settlement.corrected" // the payment left the chain for good: it failed after all
	TypeDeposited = "account.deposited"
	TypeReversed  = "account.deposit_reversed" // the deposit left the chain
	TypeWake      = "wake"
)

// Streams: order is kept within one, per destination.
func settlementStream(key settlement.Key) string { return "settlement/" + key.Canonical() }
func accountStream(tenant, name string) string   { return "account/" + tenant + "/" + name }
func signerStream(signer common.Address) string  { return "signer/" + signer.Hex() }
func wakeStream(key settlement.Key) string       { return "wake/" + key.Canonical() }

// id is SHA-256 over tenant, stream, type, cause and n, each with its length: a rewrite of the same fact yields the same id.
func (e event) id() common.Hash {
	h := sha256.New()
	var length [4]byte
	for _, part := range [][]byte{[]byte(e.Tenant), []byte(e.Stream), []byte(e.Type), e.Cause} {
		binary.BigEndian.PutUint32(length[:], uint32(len(part)))
		h.Write(length[:])
		h.Write(part)
	}
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], uint64(e.N))
	h.Write(n[:])
	return common.Hash(h.Sum(nil))
}

// wake wakes the workflows of these settlements when the unit commits. A wake-up holds no facts, and its id is random so
// that none is ever deduplicated away.
func wake(t *Tx, keys ...settlement.Key) {
	for _, key := range keys {
		t.events = append(t.events, event{Tenant: key.Tenant, Stream: wakeStream(key), Type: TypeWake, Payload: WakePayload{Key: key.Canonical()}, wake: true})
	}
}

// WakePayload is all that a wake-up says: whom to wake.
type WakePayload struct {
	Key string `json:"key"`
}

// keyCause is the cause of what happens to a settlement once: its request and its end.
func keyCause(key settlement.Key) []byte { return []byte(key.Canonical()) }

// emitIf is emit for a unit whose last statement decides: the event is told only if the settlement is in that state then.
func emitIf(t *Tx, state settlement.State, key settlement.Key, e event) {
	e.onlyIf, e.key = state, key
	t.events = append(t.events, e)
}

// emit writes the events when the unit commits, in the round trip of COMMIT and in one statement for the whole unit: outbox
// counters are the last locks of every unit. Events emitted within a savepoint that is undone are dropped with it.
func emit(t *Tx, events ...event) { t.events = append(t.events, events...) }

// emitSQL writes any number of events in one statement. An event that is in the table already is left out *before* its
// sequence number is taken, so that a repetition makes no gap. Counters are locked in the order of their primary key.
const emitSQL = `
WITH e AS (
	SELECT * FROM unnest($1::bytea[], $2::text[], $3::text[], $4::text[], $5::jsonb[], $6::boolean[], $7::text[], $8::text[])
		WITH ORDINALITY AS e (event_id, tenant, stream, type, payload, wake, only_if, key, ord)
	 WHERE only_if = '' OR only_if = (SELECT s.state FROM settlements s WHERE s.tenant = e.tenant AND s.key = e.key)
), w AS (
	SELECT e.*, d.name AS destination,
	       row_number() OVER (PARTITION BY e.stream, d.name ORDER BY e.ord) AS pos,
	       count(*) OVER (PARTITION BY e.stream, d.name) AS n
	  FROM e JOIN destinations d ON d.internal = e.wake AND (d.internal OR d.enabled)
	 WHERE NOT EXISTS (SELECT 1 FROM outbox o WHERE o.event_id = e.event_id AND o.destination = d.name)
), c AS (
	INSERT INTO outbox_counters AS k (stream, destination, last_seq)
	SELECT DISTINCT stream, destination, n FROM w ORDER BY stream, destination
	ON CONFLICT (stream, destination) DO UPDATE SET last_seq = k.last_seq + excluded.last_seq
	RETURNING stream, destination, last_seq
)
INSERT INTO outbox (event_id, tenant, stream, destination, seq, epoch, type, payload)
SELECT w.event_id, w.tenant, w.stream, w.destination, c.last_seq - w.n + w.pos, (SELECT epoch FROM cluster), w.type, w.payload
  FROM w JOIN c USING (stream, destination) ORDER BY w.ord, w.destination`

// emitArgs are emitSQL's arguments.
func emitArgs(events []event) ([]any, error) {
	ids, tenants, streams := make([][]byte, len(events)), make([]string, len(events)), make([]string, len(events))
	types, payloads, wakes := make([]string, len(events)), make([]string, len(events)), make([]bool, len(events))
	states, keys := make([]string, len(events)), make([]string, len(events))
	for i, e := range events {
		id := e.id()
		if e.wake {
			_, _ = rand.Read(id[:]) // never fails
		}
		payload, err := json.Marshal(e.Payload)
		if err != nil {
			return nil, fmt.Errorf("encode payload of %s in %s: %w", e.Type, e.Stream, err)
		}
		ids[i], tenants[i], streams[i], types[i], payloads[i], wakes[i] = id.Bytes(), e.Tenant, e.Stream, e.Type, string(payload), e.wake
		states[i], keys[i] = string(e.onlyIf), e.key.Value
	}
	return []any{ids, tenants, streams, types, payloads, wakes, states, keys}, nil
}
