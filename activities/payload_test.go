package activities_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/quittance/quittance/activities"
	"github.com/quittance/quittance/activities/activitiestest"
	"github.com/quittance/quittance/settlement"
)

func TestARequestSurvivesTheWayThroughTemporal(t *testing.T) {
	t.Parallel()
	want := activitiestest.Request("pay-1")
	want.Tenant, want.RetryOf = "acme", "pay-0"
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got activities.Request
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	reservation, err := got.Decode()
	if err != nil {
		t.Fatal(err)
	}
	if activities.NewRequest(reservation) != want {
		t.Errorf("%+v came back as %+v", want, activities.NewRequest(reservation))
	}
}

// What an older build wrote must stay readable: this text is never edited, only added to.
func TestAPayloadOfTheFirstBuildStillDecodes(t *testing.T) {
	t.Parallel()
	const first = `{"key":"pay-1","request_id":"r1","account":"alice",
		"asset":{"id":"1","chain_id":"1337","symbol":"USDC","token":"0x00000000000000000000000000000000000c0ffe","decimals":6},
		"to":"0x00000000000000000000000000000000000a11ce","amount":"12500000","vault":"0x00000000000000000000000000000000000fa017",
		"a_field_of_a_later_build":true}`
	var request activities.Request
	if err := json.Unmarshal([]byte(first), &request); err != nil {
		t.Fatal(err)
	}
	got, err := request.Decode()
	if err != nil {
		t.Fatal(err)
	}
	if got.Key.Canonical() != "pay-1" || got.Amount != settlement.NewAmount(12_500_000) || got.Asset.ChainID != 1337 || got.Asset.Decimals != 6 {
		t.Errorf("decoded %+v", got)
	}
}

func TestAMisspeltRequestIsInvalidAndWritesNothing(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why, field string
		edit       func(*activities.Request)
	}{
		{"no key", "key", func(r *activities.Request) { r.Key = "" }},
		{"another tenant's spelling", "key", func(r *activities.Request) { r.Key = "@acme/x" }},
		{"no request id", "request_id", func(r *activities.Request) { r.RequestID = "" }},
		{"a sign", "amount", func(r *activities.Request) { r.Amount = "-1" }},
		{"a fraction of a base unit", "amount", func(r *activities.Request) { r.Amount = "1.5" }},
		{"zero", "amount", func(r *activities.Request) { r.Amount = "0" }},
		{"2^256", "amount", func(r *activities.Request) {
			r.Amount = "115792089237316195423570985008687907853269984665640564039457584007913129639936"
		}},
		{"a wrong checksum is a typing error", "to", func(r *activities.Request) { r.To = "0x00000000000000000000000000000000000a11CE" }},
		{"the vault itself", "to", func(r *activities.Request) { r.To = r.Vault }},
		{"the token itself", "to", func(r *activities.Request) { r.To = r.Asset.Token }},
		{"no vault", "vault", func(r *activities.Request) { r.Vault = "0x0000000000000000000000000000000000000000" }},
		{"no account", "account", func(r *activities.Request) { r.Account = "" }},
		{"no chain", "asset.chain_id", func(r *activities.Request) { r.Asset.ChainID = 0 }},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			books := activitiestest.NewBooks()
			steps := &activities.Activities{Ledger: books}
			request := activitiestest.Request("pay-1")
			row.edit(&request)
			_, err := steps.Reserve(context.Background(), request)
			if typeOf(err) != activities.TypeInvalid || !activities.Final(err) {
				t.Fatalf("got %v, want a final Invalid", err)
			}
			if _, err := request.Decode(); fieldOf(err) != row.field {
				t.Errorf("field %q, want %q (%v)", fieldOf(err), row.field, err)
			}
			if books.Calls("Reserve") != 0 {
				t.Error("something was written")
			}
		})
	}
}

// https://github.com/julep-ai/julep/issues/579 (W30): a run failed on a payload of 2 MB. Bytes and logs stay in Postgres; the
// largest input and view that can occur stay far below the warning at 256 KB.
func TestPayloadsStaySmallWhateverTheRequestHolds(t *testing.T) {
	t.Parallel()
	request := activitiestest.Request(strings.Repeat("é", settlement.KeyBytesMax/2))
	request.Tenant, request.Account, request.RetryOf = strings.Repeat("a", settlement.TenantBytesMax), strings.Repeat("b", 200), request.Key
	request.Amount = "115792089237316195423570985008687907853269984665640564039457584007913129639935"
	books := activitiestest.NewBooks()
	steps := &activities.Activities{Ledger: books}
	if _, err := steps.Reserve(context.Background(), request); err != nil {
		t.Fatal(err)
	}
	ref := activities.Ref{Tenant: request.Tenant, Key: request.Key}
	books.Change(settlement.Key{Tenant: request.Tenant, Value: request.Key}, func(s *settlement.Settlement) {
		s.Reason = strings.Repeat("\x00", 100_000)
		s.Live = &settlement.Transaction{Newest: settlement.Attempt{Raw: make([]byte, 100_000)}}
	})
	view, err := steps.Outcome(context.Background(), ref)
	if err != nil {
		t.Fatal(err)
	}
	const payloadBytesMax = 4096
	for name, payload := range map[string]any{"input": request, "view": view} {
		text, err := json.Marshal(payload)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > payloadBytesMax {
			t.Errorf("%s has %d bytes, want at most %d", name, len(text), payloadBytesMax)
		}
	}
}

func fieldOf(err error) string {
	var invalid *settlement.Error
	if !errors.As(err, &invalid) {
		return ""
	}
	return invalid.Field
}
