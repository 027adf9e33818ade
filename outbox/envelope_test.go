package outbox_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"github.com/quittance/quittance/outbox"
	"github.com/quittance/quittance/settlement"
)

func sampleRow() settlement.OutboxRow {
	return settlement.OutboxRow{
		ID: 7, EventID: common.HexToHash("0x0102"), Tenant: "acme", Stream: "settlement/@acme/order-1", Destination: "nats",
		Seq: 42, Epoch: 3, Type: "settlement.settled", Payload: json.RawMessage(`{"amount":"115792089237316195423570985008687907853269984665640564039457584007913129639935"}`),
		CreatedAt: time.Date(2026, 11, 29, 12, 30, 15, 123456789, time.FixedZone("x", 3600)),
	}
}

func TestTheEnvelopeIsACloudEventThatConsumersCanRelyOn(t *testing.T) {
	t.Parallel()
	e, err := outbox.Envelope(sampleRow())
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var got, want map[string]any
	const contract = `{
		"specversion": "1.0",
		"id": "0x0000000000000000000000000000000000000000000000000000000000000102",
		"source": "/quittance/acme",
		"type": "com.quittance.settlement.settled",
		"subject": "settlement/@acme/order-1",
		"time": "2026-11-29T11:30:15.123456Z",
		"datacontenttype": "application/json",
		"sequence": "00000000000000000042",
		"epoch": 3,
		"data": {"amount": "115792089237316195423570985008687907853269984665640564039457584007913129639935"}
	}`
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(contract), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("envelope (-want +got):\n%s", diff)
	}
	if !bytes.Contains(raw, []byte(`"data":`+string(sampleRow().Payload))) {
		t.Errorf("the data is not the payload byte for byte: %s", raw)
	}
}

func TestTheSameRowGivesTheSameBytesHoweverOftenItIsPublished(t *testing.T) {
	t.Parallel()
	var first []byte
	for retries := range 3 {
		row := sampleRow()
		row.Retries = retries
		e, err := outbox.Envelope(row)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = raw
		}
		if !bytes.Equal(first, raw) {
			t.Errorf("retry %d:\n%s\n%s", retries, first, raw)
		}
	}
}

func TestTheEnvelopeSurvivesItsOwnReader(t *testing.T) {
	t.Parallel()
	e, err := outbox.Envelope(sampleRow())
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var back event.Event
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	if back.ID() != e.ID() || string(back.Data()) != string(sampleRow().Payload) || back.Validate() != nil {
		t.Errorf("read back: %s", back)
	}
}

func TestARowThatMakesNoValidEventIsRefused(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why    string
		change func(*settlement.OutboxRow)
	}{
		{"a source must be a URI reference", func(r *settlement.OutboxRow) { r.Tenant = "bad \n tenant" }},
		{"data must be JSON", func(r *settlement.OutboxRow) { r.Payload = json.RawMessage(`{"amount":`) }},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			r := sampleRow()
			row.change(&r)
			if e, err := outbox.Envelope(r); err == nil {
				t.Errorf("no error: %s", e)
			}
		})
	}
}
