package ledger_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

// fillAndQueue fills every slot of the world and lets n more settlements queue behind, in the order of their keys.
func (s *chainSim) fillAndQueue(slots, n int) (out []settlement.Transaction, queued []settlement.Settlement) {
	s.t.Helper()
	for i := range slots {
		out = append(out, s.submit(s.reserve(fmt.Sprintf("first%d", i), "USDC", "1")))
	}
	for i := range n {
		x := s.reserve(fmt.Sprintf("queued%d", i), "USDC", "1")
		if got, err := s.allocate(x); err != nil || got.Outcome != settlement.AllocatedQueue {
			s.t.Fatalf("%+v %v", got, err)
		}
		queued = append(queued, x)
	}
	return out, queued
}

// granted lists who has a grant, in the order of the queue.
func (s *chainSim) granted() []string {
	s.t.Helper()
	rows, err := s.SQL.Query(s.t.Context(), `SELECT s.key FROM queue q JOIN settlements s ON s.id = q.settlement_id WHERE q.lane_id IS NOT NULL ORDER BY q.position`)
	s.ok(err)
	keys, err := pgx.CollectRows(rows, pgx.RowTo[string])
	s.ok(err)
	return keys
}

func (s *chainSim) wantGranted(want ...string) {
	s.t.Helper()
	if got := s.granted(); !cmp.Equal(got, want) && len(got)+len(want) > 0 {
		s.t.Fatalf("granted %q, want %q", got, want)
	}
}

func TestABlockGrantsEveryFreeSlotOldestFirst(t *testing.T) {
	t.Parallel()
	s := newSim(t, 2, 3)
	out, queued := s.fillAndQueue(6, 5)
	s.mine()
	s.wantGranted() // nothing was mined: no slot is free
	var txs []simTx
	for _, n := range out[:3] {
		txs = append(txs, s.reverts(n))
	}
	s.mine(txs...) // a mined nonce does not count, whatever became of it
	s.wantGranted("queued0", "queued1", "queued2")
	for i, x := range queued {
		if got, want := s.wakes(x), map[bool]int{true: 1}[i < 3]; got != want {
			t.Errorf("%s was woken %d times, want %d", x.Key, got, want)
		}
	}
	if spread := ledgertest.Value[int](s.World, `SELECT max(n) FROM (SELECT count(*) AS n FROM queue WHERE lane_id IS NOT NULL GROUP BY lane_id) g`); spread != 2 {
		t.Errorf("one lane was given %d of 3 grants", spread)
	}
	s.check()
	s.mine()
	s.wantGranted("queued0", "queued1", "queued2") // a grant counts as in flight
	for _, x := range queued[:3] {
		s.submit(x)
	}
	s.wantGranted()
	s.mine()
	s.wantGranted()
	s.check()
}

func TestAGrantPassesOverWhoIsBusyAndWhatIsStopped(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 2)
	out, queued := s.fillAndQueue(2, 2)
	x := s.reserve("eth", "ETH", "1")
	if got, err := s.allocate(x); err != nil || got.Outcome != settlement.AllocatedQueue {
		t.Fatalf("%+v %v", got, err)
	}
	tx, err := s.SQL.Begin(t.Context())
	s.ok(err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	_, err = tx.Exec(t.Context(), `SELECT 1 FROM queue WHERE settlement_id = $1 FOR UPDATE`, queued[0].ID)
	s.ok(err)
	_, err = tx.Exec(t.Context(), `SELECT 1 FROM settlements WHERE id = $1 FOR UPDATE`, queued[1].ID) // no grant needs this lock
	s.ok(err)
	s.mine(s.reverts(out[0]))
	s.wantGranted("queued1")
	s.ok(tx.Rollback(t.Context()))
	s.Exec(`UPDATE assets SET stopped = 'a test' WHERE symbol = 'USDC'`)
	s.mine(s.reverts(out[1]))
	s.wantGranted("queued1", "eth")
	s.check()
}

func TestOnlyLanesThatMaySendAreGranted(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, why, sql string }{
		{"frozen", "its key is compromised", `UPDATE lanes SET state = 'frozen'`},
		{"draining", "an operator wants it idle", `UPDATE lanes SET state = 'draining'`},
		{"no operator", "the vault would refuse it", ``},
		{"keyless", "nobody could sign, and being the emptiest it would draw every settlement to itself", ``},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newSim(t, 1, 1)
			out, _ := s.fillAndQueue(1, 1)
			if row.sql != "" {
				s.Exec(row.sql)
			}
			signer := s.reads.Signers[s.lanes[0]]
			signer.Operator, signer.Keyless = row.name != "no operator", row.name == "keyless"
			s.reads.Signers[s.lanes[0]] = signer
			s.mine(s.reverts(out[0]))
			s.wantGranted()
		})
	}
}

func TestAnUnusedGrantReturnsToItsPlaceAndWakesAgain(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 1)
	out, queued := s.fillAndQueue(1, 2)
	s.mine(s.reverts(out[0]))
	for range 19 {
		s.mine()
	}
	if n := s.wakes(queued[0]); n != 1 {
		t.Fatalf("%d wake-ups before the grant is old", n)
	}
	s.Exec(`UPDATE lanes SET in_flight_max = 2`)
	s.mine()
	s.wantGranted("queued0", "queued1") // the oldest is still the oldest, and the new slot went to the next
	if n := s.wakes(queued[0]); n != 2 {
		t.Errorf("%d wake-ups: once granted, once when the grant grew old", n)
	}
	if block := ledgertest.Value[int](s.World, `SELECT min(granted_block) FROM queue`); block != 21 {
		t.Errorf("granted in block %d, want 21: anew", block)
	}
	s.check()
}
