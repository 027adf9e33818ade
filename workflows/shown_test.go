package workflows_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	enumspb "go.temporal.io/api/enums/v1"
	sdkpb "go.temporal.io/api/sdk/v1"

	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

func TestTheMemoTellsASameRequestFromAnother(t *testing.T) {
	t.Parallel()
	s := newServer(t, "memo")
	if _, err := s.runs.Find(t.Context(), s.key); !errors.Is(err, workflows.ErrNoRun) {
		t.Fatalf("find before the start: %v, want no run", err)
	}
	run := s.start()
	s.asleep(run)
	same, err := s.input.Decode()
	if err != nil {
		t.Fatal(err)
	}
	other := same
	other.Amount, other.Account = settlement.NewAmount(1), "bob"
	check := func(running bool, status enumspb.WorkflowExecutionStatus) {
		t.Helper()
		found, err := s.runs.Find(t.Context(), s.key)
		if err != nil {
			t.Fatal(err)
		}
		if found.Running != running || found.Status != status || found.ID != run.GetRunID() || found.Memo.RequestID != s.input.RequestID {
			t.Errorf("found %+v", found)
		}
		if fields, err := found.Memo.Differing(same.Request); err != nil || len(fields) != 0 {
			t.Errorf("the same request differs in %v (%v)", fields, err)
		}
		if fields, err := found.Memo.Differing(other.Request); err != nil || !slices.Equal(fields, []string{"account", "amount"}) {
			t.Errorf("another request differs in %v (%v), want account and amount", fields, err)
		}
	}
	check(true, enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING)
	s.settle(run)
	check(false, enumspb.WORKFLOW_EXECUTION_STATUS_COMPLETED)
}

func TestWhatTemporalShowsOfASettlement(t *testing.T) {
	t.Parallel()
	s := newServer(t, "shown")
	run := s.start()
	s.asleep(run)
	d, err := s.client.DescribeWorkflow(t.Context(), run.GetID(), "")
	if err != nil {
		t.Fatal(err)
	}
	summary, err := d.GetStaticSummary()
	if err != nil || summary != "Settle 12.5 USDC → 0x000000…11cE" {
		t.Errorf("summary %q (%v)", summary, err)
	}
	details := func() string {
		t.Helper()
		value, err := s.client.QueryWorkflow(t.Context(), run.GetID(), "", "__temporal_workflow_metadata")
		if err != nil {
			t.Fatalf("ask for the details: %v", err)
		}
		var metadata sdkpb.WorkflowMetadata
		if err := value.Get(&metadata); err != nil {
			t.Fatal(err)
		}
		return metadata.GetCurrentDetails()
	}
	hash := s.row().Live.Newest.Hash.Hex()
	for _, text := range []string{"### submitted", "`12.5 USDC`", s.input.To, hash, "nonce `0`"} {
		if !strings.Contains(details(), text) {
			t.Errorf("details lack %q:\n%s", text, details())
		}
	}
	if err := s.client.CancelWorkflow(t.Context(), run.GetID(), ""); err != nil {
		t.Fatal(err)
	}
	s.eventually("the note of the cancel request", func() bool { return strings.Contains(details(), "does not stop a payment") })
	s.settle(run)
	d, err = s.client.DescribeWorkflow(t.Context(), run.GetID(), "")
	if err != nil {
		t.Fatal(err)
	}
	state, _ := d.TypedSearchAttributes.GetKeyword(workflows.StateAttribute)
	asset, _ := d.TypedSearchAttributes.GetKeyword(workflows.AssetAttribute)
	chain, _ := d.TypedSearchAttributes.GetKeyword(workflows.ChainAttribute)
	tx, _ := d.TypedSearchAttributes.GetKeyword(workflows.TxHashAttribute)
	if state != "settled" || asset != "USDC" || chain != "1337" || tx != hash {
		t.Errorf("search attributes %s, %s, %s, %s", state, asset, chain, tx)
	}
	if !strings.Contains(details(), "### settled") {
		t.Errorf("details at the end:\n%s", details())
	}
}
