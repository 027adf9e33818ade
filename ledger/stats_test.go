package ledger_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/quittance/quittance/settlement"
)

func TestStatsAreZerosBeforeAnythingHappened(t *testing.T) {
	t.Parallel()
	s := newSim(t, 0, 0)
	got, err := s.Stats(t.Context())
	s.ok(err)
	if len(got.States) != len(settlement.States) || len(got.Outbox) != 2 || len(got.Chains) != 1 || len(got.Requests) != 5 {
		t.Errorf("stats = %+v: what has not happened yet must be there, with 0", got)
	}
	if got.DuplicateHitRate() != 0 || got.Outbox[0].RetryRate() != 0 {
		t.Errorf("rates of nothing: %v, %v", got.DuplicateHitRate(), got.Outbox[0].RetryRate())
	}
}

func TestStatsCountWhatHappened(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 2)
	paid := s.reserve("paid", "USDC", "1")
	nonce := s.submit(paid)
	s.submit(s.reserve("submitted", "USDC", "1"))
	queued, err := s.allocate(s.reserve("queued", "USDC", "1"))
	s.ok(err)
	if queued.Outcome != settlement.AllocatedQueue {
		t.Fatalf("outcome = %s", queued.Outcome)
	}
	s.reserve("paused", "USDC", "1")
	s.reserve("paused", "USDC", "1") // the same run again is no hit
	other := s.Reservation("paused", "1")
	other.RequestID = "another run"
	if _, err := s.Reserve(t.Context(), other); settlement.KindOf(err) != settlement.Conflict {
		t.Fatalf("reserve again: %v", err)
	}
	s.ok(s.Wait(t.Context(), s.read(s.reserve("waits", "USDC", "1")).ID, settlement.WaitPaused+": for the test"))
	block := s.mine(s.pays(paid, nonce), s.stranger(settlement.Event{Name: settlement.EventUnknown, Problem: "no such event"}))
	s.finalize(block.Number)

	got, err := s.Stats(t.Context())
	s.ok(err)
	counts := map[settlement.State]int64{}
	for _, g := range got.States {
		if counts[g.State] = g.Count; g.Count > 0 && !g.State.Terminal() && g.Oldest <= 0 {
			t.Errorf("%s: the oldest has no age", g.State)
		}
	}
	states := map[settlement.State]int64{}
	rows, err := s.SQL.Query(t.Context(), `SELECT state, count(*) FROM settlements GROUP BY state`)
	s.ok(err)
	for rows.Next() {
		var state settlement.State
		var n int64
		s.ok(rows.Scan(&state, &n))
		states[state] = n
	}
	for _, state := range settlement.States {
		states[state] += 0
	}
	if diff := cmp.Diff(states, counts); diff != "" || counts[settlement.Settled] != 1 {
		t.Errorf("states (-want +got):\n%s%v", diff, counts)
	}
	if diff := cmp.Diff([]settlement.WaitingStats{{Reason: settlement.WaitPaused, Count: 1}}, got.Waiting); diff != "" {
		t.Errorf("waiting (-want +got):\n%s", diff)
	}
	chain := got.Chains[0]
	if chain.ChainID != 1337 || chain.Head != block.Number || chain.Final != block.Number || chain.FinalityLag() != 0 || chain.Quarantined != 1 || chain.FeesSpent.IsZero() {
		t.Errorf("chain = %+v", chain)
	}
	want := settlement.LaneStats{ChainID: 1337, Signer: s.lanes[0], State: settlement.LaneActive, InFlightMax: 2, Balance: s.reads.Signers[s.lanes[0]].Balance, Operator: true}
	if diff := cmp.Diff(want, got.Lanes[0], cmpopts.IgnoreFields(want, "InFlight", "Granted", "HeadOfLine", "Left"), cmp.Comparer(func(a, b settlement.Amount) bool { return a.Cmp(b) == 0 })); diff != "" {
		t.Errorf("lane (-want +got):\n%s", diff)
	}
	if lane := got.Lanes[0]; lane.InFlight < 1 || lane.HeadOfLine <= 0 || lane.HeadOfLine > time.Minute {
		t.Errorf("lane = %+v", lane)
	}
	if got.Requests["new"] != 5 || got.Requests["conflict"] != 1 || got.DuplicateHitRate() != 1.0/6 {
		t.Errorf("requests = %v, hit rate %v", got.Requests, got.DuplicateHitRate())
	}
}
