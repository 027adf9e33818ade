package ledger_test

import (
	"fmt"
	"testing"

	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

// waits reserves a settlement and lets it wait.
func (s *chainSim) waits(key, symbol, units, reason string) settlement.Settlement {
	s.t.Helper()
	x := s.reserve(key, symbol, units)
	s.ok(s.Wait(s.t.Context(), x.ID, reason))
	return x
}

// patient lets it wait as if it had waited long: its own block is far away.
func (s *chainSim) patient(x settlement.Settlement) settlement.Settlement {
	s.Exec(`UPDATE settlements SET wake_block = $2, wait_rounds = 6 WHERE id = $1`, x.ID, s.head.Number+60)
	return x
}

func TestAWaitingSettlementIsWokenWhenItsBlockComesAndAgainMuchLater(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	s.mine()
	x := s.waits("k1", "USDC", "1", settlement.WaitDoubtful)
	s.mine()
	if n := s.wakes(x); n != 1 {
		t.Fatalf("%d wake-ups at its block", n)
	}
	for range 10 {
		s.mine()
	}
	if n := s.wakes(x); n != 1 {
		t.Fatalf("%d wake-ups: one that nobody answered yet is not repeated at each block", n)
	}
	for range 54 {
		s.mine()
	}
	if n := s.wakes(x); n != 2 {
		t.Errorf("%d wake-ups: a lost one must be repeated in the end", n)
	}
	s.wantState(x, settlement.Waiting)
}

func TestAReasonThatPassesWakesAtOnce(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, reason, why string
		before, after     func(s *chainSim)
		wakes             int
	}{
		{
			"unpaused", settlement.WaitPaused, "the vault runs again",
			func(s *chainSim) { s.reads.VaultPaused = true }, func(s *chainSim) { s.reads.VaultPaused = false }, 1,
		},
		{
			"still paused", settlement.WaitPaused, "nothing changed",
			func(s *chainSim) { s.reads.VaultPaused = true }, func(*chainSim) {}, 0,
		},
		{
			"with detail", settlement.WaitPaused + ": by 0x1234", "detail is for people: the word decides",
			func(s *chainSim) { s.reads.VaultPaused = true }, func(s *chainSim) { s.reads.VaultPaused = false }, 1,
		},
		{
			"topped up", settlement.WaitSignerFunds, "the lane can pay gas again",
			func(*chainSim) {}, func(s *chainSim) { s.signer(func(x *settlement.Signer) { x.Balance = s.Units("ETH", "101") }) }, 1,
		},
		{
			"spent", settlement.WaitSignerFunds, "less than before helps nobody",
			func(*chainSim) {}, func(s *chainSim) { s.signer(func(x *settlement.Signer) { x.Balance = s.Units("ETH", "99") }) }, 0,
		},
		{
			"operator", settlement.WaitOperator, "the vault lets the lane settle",
			func(s *chainSim) { s.signer(func(x *settlement.Signer) { x.Operator = false }) },
			func(s *chainSim) { s.signer(func(x *settlement.Signer) { x.Operator = true }) }, 1,
		},
		{
			"liquidity", settlement.WaitLiquidity, "the vault holds more",
			func(*chainSim) {}, func(s *chainSim) { s.reads.VaultBalances[s.USDC.ID] = s.Units("USDC", "1000001") }, 1,
		},
		{
			"liquidity of another asset", settlement.WaitLiquidity, "more ETH pays no USDC",
			func(*chainSim) {}, func(s *chainSim) { s.reads.VaultBalances[s.ETH.ID] = s.Units("ETH", "1001") }, 0,
		},
		{
			"another reason", settlement.WaitDoubtful, "what passed is not what it waits for",
			func(s *chainSim) { s.reads.VaultPaused = true },
			func(s *chainSim) {
				s.reads.VaultPaused = false
				s.reads.VaultBalances[s.USDC.ID] = s.Units("USDC", "1000001")
				s.signer(func(x *settlement.Signer) { x.Balance = s.Units("ETH", "101") })
			}, 0,
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newSim(t, 1, 16)
			row.before(s)
			s.mine()
			x := s.patient(s.waits("k1", "USDC", "1", row.reason))
			row.after(s)
			s.mine()
			if n := s.wakes(x); n != row.wakes {
				t.Errorf("%d wake-ups, want %d: %s", n, row.wakes, row.why)
			}
		})
	}
}

func (s *chainSim) signer(edit func(*settlement.Signer)) {
	signer := s.reads.Signers[s.lanes[0]]
	edit(&signer)
	s.reads.Signers[s.lanes[0]] = signer
}

func TestLiquidityWakesAsManyAsItReachesFor(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	s.reads.VaultBalances[s.USDC.ID] = s.Units("USDC", "5")
	s.mine()
	var waiting []settlement.Settlement
	for i, units := range []string{"90", "30", "20", "40"} {
		waiting = append(waiting, s.patient(s.waits(fmt.Sprintf("k%d", i), "USDC", units, settlement.WaitLiquidity)))
	}
	s.reads.VaultBalances[s.USDC.ID] = s.Units("USDC", "60")
	s.mine()
	for i, want := range []int{0, 1, 1, 0} { // 90 is too much, 30 and 20 fit, 40 more do not
		if n := s.wakes(waiting[i]); n != want {
			t.Errorf("settlement %d was woken %d times, want %d", i, n, want)
		}
	}
}

func TestMoneyThatAFinalBlockSetsFreeWakesWhoWaitsForIt(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	s.reads.VaultBalances[s.USDC.ID] = s.Units("USDC", "100")
	s.mine()
	x := s.reserve("k1", "USDC", "100")
	n := s.submit(x)
	y := s.reserve("k2", "USDC", "60")
	if got, err := s.allocate(y); err != nil || got.Reason != settlement.WaitLiquidity {
		t.Fatalf("%+v %v", got, err)
	}
	s.patient(y)
	block := s.mine(s.reverts(n))
	s.mine()
	if n := s.wakes(y); n != 0 {
		t.Fatalf("%d wake-ups before it is final", n)
	}
	s.finalize(block.Number)
	s.mine()
	if n := s.wakes(y); n != 1 {
		t.Errorf("%d wake-ups, want one", n)
	}
	s.submit(y)
	s.check()
}

// A wake-up never waits for the lock of a settlement: locks of settlements come first in the order.
func TestAWakeUpPassesOverWhoIsBusy(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	s.mine()
	x, y := s.waits("k1", "USDC", "1", settlement.WaitDoubtful), s.waits("k2", "USDC", "1", settlement.WaitDoubtful)
	tx, err := s.SQL.Begin(t.Context())
	s.ok(err)
	_, err = tx.Exec(t.Context(), `SELECT 1 FROM settlements WHERE id = $1 FOR UPDATE`, x.ID)
	s.ok(err)
	s.mine()
	s.ok(tx.Rollback(t.Context()))
	if s.wakes(x) != 0 || s.wakes(y) != 1 {
		t.Errorf("%d and %d wake-ups", s.wakes(x), s.wakes(y))
	}
	s.mine()
	if s.wakes(x) != 1 {
		t.Errorf("%d wake-ups a block later", s.wakes(x))
	}
}

func TestABlockWakesABoundedNumberAndTheNextOneTheRest(t *testing.T) {
	t.Parallel()
	s := newSim(t, 1, 16)
	s.mine()
	x := s.reserve("k0", "USDC", "0.000001")
	s.Exec(`INSERT INTO idempotency_keys (tenant, key, operation, fingerprint, fingerprint_version, field_digests, request_id, status)
		SELECT tenant, 'many' || i, operation, fingerprint, 1, '{}', 'r', 'in_progress' FROM idempotency_keys, generate_series(1, 700) i`)
	s.Exec(`WITH h AS (INSERT INTO transfers (debit_account, credit_account, asset_id, amount, phase, leg, settlement_id)
			SELECT debit_account, credit_account, asset_id, 1, 'pending', 'hold', 100000 + i FROM transfers, generate_series(1, 700) i WHERE leg = 'hold' RETURNING *)
		INSERT INTO settlements (id, onchain_id, tenant, key, chain_id, vault, asset_id, token, account_id, destination, amount, hold_id)
			SELECT h.settlement_id, sha256(h.id::text::bytea), s.tenant, 'many' || h.settlement_id - 100000, s.chain_id, s.vault, s.asset_id, s.token, s.account_id, s.destination, 1, h.id
			  FROM h, settlements s WHERE s.id = $1`, x.ID)
	s.Exec(`UPDATE settlements SET state = 'waiting', reason = 'doubtful answer', wake_block = 2 WHERE id > 100000`)
	count := func() int {
		return ledgertest.Value[int](s.World, `SELECT count(*) FROM outbox WHERE type = 'wake'`)
	}
	s.mine()
	if n := count(); n != 500 {
		t.Errorf("%d wake-ups in one block", n)
	}
	s.mine()
	if n := count(); n != 700 {
		t.Errorf("%d wake-ups after two", n)
	}
	s.check()
}

// A vault that was paused for a day leaves a long line. What one block does for it must not grow with the line.
func TestABlockMakesABoundedNumberOfWaitersDue(t *testing.T) {
	t.Parallel()
	const line, most = 6_000, 5_000
	for _, row := range []struct {
		why, reason   string
		before, after func(s *chainSim)
	}{
		{"the vault runs again", settlement.WaitPaused, func(s *chainSim) { s.reads.VaultPaused = true }, func(s *chainSim) { s.reads.VaultPaused = false }},
		{"the vault holds more", settlement.WaitLiquidity, func(*chainSim) {}, func(s *chainSim) { s.reads.VaultBalances[s.USDC.ID] = s.Units("USDC", "1000001") }},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			s := newSim(t, 1, 16)
			row.before(s)
			s.mine()
			first := s.patient(s.waits("k1", "USDC", "1", row.reason))
			// Past triggers and foreign keys, which would take minutes: the rows are only looked at.
			s.Exec(`
				DO $$ BEGIN
					SET LOCAL session_replication_role = replica;
					INSERT INTO idempotency_keys (tenant, key, operation, fingerprint, fingerprint_version, field_digests, request_id, status)
					SELECT tenant, 'line-' || n, operation, fingerprint, fingerprint_version, field_digests, request_id, status
					  FROM idempotency_keys CROSS JOIN generate_series(1, ` + fmt.Sprint(line) + `) n WHERE key = 'k1';
					INSERT INTO transfers (id, debit_account, credit_account, asset_id, amount, phase, leg, settlement_id) OVERRIDING SYSTEM VALUE
					SELECT t.id + n, debit_account, credit_account, asset_id, amount, phase, leg, settlement_id + n
					  FROM transfers t CROSS JOIN generate_series(1, ` + fmt.Sprint(line) + `) n WHERE leg = 'hold';
					INSERT INTO settlements (onchain_id, tenant, key, chain_id, vault, asset_id, token, account_id, destination, amount, state, reason, wait_rounds, wake_block, hold_id)
					SELECT sha256(n::text::bytea), tenant, 'line-' || n, chain_id, vault, asset_id, token, account_id, destination, 1, state, reason, wait_rounds, wake_block, hold_id + n
					  FROM settlements CROSS JOIN generate_series(1, ` + fmt.Sprint(line) + `) n WHERE key = 'k1';
				END $$`)
			row.after(s)
			s.mine()
			due := ledgertest.Value[int](s.World, `SELECT count(*) FROM settlements WHERE wake_block <= $1`, s.head.Number)
			woken := ledgertest.Value[int](s.World, `SELECT count(*) FROM outbox WHERE type = 'wake'`)
			if due+woken != most || woken != 500 || s.wakes(first) != 1 {
				t.Errorf("%d are woken and %d more are due, want %d of them all, the oldest first", woken, due, most)
			}
		})
	}
}
