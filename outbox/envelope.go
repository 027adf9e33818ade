package outbox

import (
	"fmt"
	"time"

	"github.com/cloudevents/sdk-go/v2/event"

	"github.com/quittance/quittance/settlement"
)

const (
	// TypePrefix begins every type: com.quittance.settlement.settled.
	TypePrefix = "com.quittance."
	// ExtensionSequence holds the row's sequence within its stream as 20 digits, so that text order is number order, as
	// the CloudEvents sequence extension asks. A gap means that an operator gave a row up.
	ExtensionSequence = "sequence"
	// ExtensionEpoch counts restores of the ledger: after one, sequences below it may come again with other content.
	ExtensionEpoch = "epoch"
)

// Envelope wraps a row as a CloudEvents 1.0 event. Two calls with the same row give the same event: id, source and data
// never depend on when it is published, or how often.
func Envelope(row settlement.OutboxRow) (event.Event, error) {
	e := event.New(event.CloudEventsVersionV1)
	e.SetID(row.EventID.Hex())
	e.SetSource("/quittance/" + row.Tenant)
	e.SetType(TypePrefix + row.Type)
	e.SetSubject(row.Stream)
	e.SetTime(row.CreatedAt.UTC().Truncate(time.Microsecond))
	e.SetExtension(ExtensionSequence, fmt.Sprintf("%020d", row.Seq))
	e.SetExtension(ExtensionEpoch, row.Epoch)
	// Not as []byte: the SDK would take those for binary and encode them in base64.
	if err := e.SetData(event.ApplicationJSON, row.Payload); err != nil {
		return event.Event{}, fmt.Errorf("data of event %s: %w", row.EventID, err)
	}
	if err := e.Validate(); err != nil {
		return event.Event{}, fmt.Errorf("event %s: %w", row.EventID, err)
	}
	return e, nil
}
