package ledger_test

import (
	"strings"

	"github.com/jackc/pgx/v5"
)

// invariants are queries that return a row for each violation, as text.
var invariants = map[string]string{
	"I6: balances equal the fold of transfers": `
		SELECT format('account %s asset %s', account_id, asset_id) FROM (
			SELECT account_id, asset_id, debits_pending, debits_posted, credits_pending, credits_posted FROM balances
			UNION ALL
			SELECT account, asset_id, -sum(CASE WHEN debit THEN pending ELSE 0 END), -sum(CASE WHEN debit THEN posted ELSE 0 END),
			       -sum(CASE WHEN debit THEN 0 ELSE pending END), -sum(CASE WHEN debit THEN 0 ELSE posted END)
			  FROM transfers t CROSS JOIN LATERAL (VALUES (debit_account, true), (credit_account, false)) AS leg (account, debit)
			 CROSS JOIN LATERAL (SELECT CASE WHEN phase = 'pending' THEN amount::numeric WHEN pending_id IS NOT NULL THEN -amount::numeric ELSE 0 END AS pending,
			                            CASE WHEN phase = 'posted' THEN amount::numeric ELSE 0 END AS posted) moved
			 GROUP BY account, asset_id) b
		 GROUP BY account_id, asset_id
		HAVING sum(debits_pending) <> 0 OR sum(debits_posted) <> 0 OR sum(credits_pending) <> 0 OR sum(credits_posted) <> 0`,
	"I5: a hold is pending exactly while its settlement is open": `
		SELECT format('settlement %s %s', s.key, s.state) FROM settlements s
		 WHERE s.hold_id IS NOT NULL AND (s.state IN ('settled', 'failed', 'cancelled')) <> EXISTS (SELECT FROM transfers r WHERE r.pending_id = s.hold_id)`,
	"I5: a key is in progress exactly while its settlement is open": `
		SELECT format('settlement %s %s %s', s.key, s.state, k.status) FROM settlements s JOIN idempotency_keys k USING (tenant, key)
		 WHERE k.status <> CASE s.state WHEN 'settled' THEN 'completed' WHEN 'failed' THEN 'failed' WHEN 'cancelled' THEN 'failed' ELSE 'in_progress' END`,
	"I7: a settlement is settled exactly if one payment posted its hold, by a final event of its own": `
		SELECT format('settlement %s %s', s.key, s.state) FROM settlements s
		 WHERE (s.state = 'settled')::int <> (
			SELECT count(*) FROM transfers p JOIN effects f ON f.id = p.effect_id JOIN blocks b ON b.chain_id = f.chain_id AND b.hash = f.block_hash
			 WHERE p.settlement_id = s.id AND p.leg = 'payment' AND f.kind = 'settled' AND f.settlement_id = s.id AND (b.final OR f.reversed_at IS NOT NULL)
			   AND NOT EXISTS (SELECT FROM transfers c WHERE c.reverses_id = p.id))`,
	"I8: effects come from final canonical blocks alone": `
		SELECT format('effect %s', f.id) FROM effects f JOIN blocks b ON b.chain_id = f.chain_id AND b.hash = f.block_hash WHERE f.reversed_at IS NULL AND NOT (b.final AND b.canonical)`,
	"I8: every event of a final block has had its effect or is in quarantine": `
		SELECT format('event %s %s', e.id, e.name) FROM events e JOIN blocks b ON b.chain_id = e.chain_id AND b.hash = e.block_hash
		 WHERE b.final AND b.number > 0 AND e.name <> 'other'
		   AND NOT EXISTS (SELECT FROM effects f WHERE (f.chain_id, f.tx_hash, f.tx_log_index) = (e.chain_id, e.tx_hash, e.tx_log_index) AND f.reversed_at IS NULL)
		   AND NOT EXISTS (SELECT FROM quarantine q WHERE (q.chain_id, q.tx_hash, q.tx_log_index) = (e.chain_id, e.tx_hash, e.tx_log_index) AND q.released_at IS NULL)`,
	"in flight is the sum of live payments": `
		SELECT format('asset %s: %s, live %s', q.asset_id, q.in_flight, live.amount) FROM asset_liquidity q CROSS JOIN LATERAL (
			SELECT COALESCE(sum(s.amount), 0) AS amount FROM transaction_items i JOIN settlements s ON s.id = i.settlement_id
			 WHERE i.live AND i.pays AND s.asset_id = q.asset_id) live WHERE q.in_flight <> live.amount`,
	"a settlement is mined exactly if a canonical block that is not final holds its payment": `
		SELECT format('settlement %s %s', s.key, s.state) FROM settlements s
		 WHERE s.state IN ('submitted', 'mined') AND (s.state = 'mined') <> EXISTS (
			SELECT FROM transaction_items i JOIN attempts a USING (transaction_id) JOIN mined_transactions m ON m.attempt_id = a.id AND m.ok
			  JOIN blocks b ON b.chain_id = m.chain_id AND b.hash = m.block_hash AND b.canonical
			  JOIN events e ON e.chain_id = m.chain_id AND e.block_hash = m.block_hash AND e.tx_hash = m.tx_hash AND e.name = 'Settled'
			 WHERE i.settlement_id = s.id AND i.live AND (e.event_key, e.vault, e.token, e.party, e.amount) = (s.onchain_id, s.vault, s.token, s.destination, s.amount))`,
	"a nonce is mined exactly where a canonical block says so": `
		SELECT format('nonce %s of %s', t.nonce, t.signer) FROM transactions t LEFT JOIN (
			mined_transactions m JOIN blocks b ON b.chain_id = m.chain_id AND b.hash = m.block_hash AND b.canonical)
		    ON m.chain_id = t.chain_id AND m.signer = t.signer AND m.nonce = t.nonce
		 WHERE t.mined_hash IS DISTINCT FROM m.tx_hash OR t.mined_block IS DISTINCT FROM b.number`,
	"a nonce is consumed exactly by a final block": `
		SELECT format('nonce %s of %s', t.nonce, t.signer) FROM transactions t
		 WHERE t.live = EXISTS (SELECT FROM mined_transactions m JOIN blocks b ON b.chain_id = m.chain_id AND b.hash = m.block_hash AND b.final
			WHERE m.chain_id = t.chain_id AND m.signer = t.signer AND m.nonce = t.nonce)`,
	"what final transactions cost is booked from the float, once": `
		SELECT format('transaction %s', m.tx_hash) FROM mined_transactions m JOIN blocks b ON b.chain_id = m.chain_id AND b.hash = m.block_hash
		  LEFT JOIN transfers g ON g.id = m.gas_transfer
		 WHERE b.final IS DISTINCT FROM (g.id IS NOT NULL)
		    OR g.amount <> m.gas_used * m.gas_price + CASE WHEN m.attempt_id IS NULL AND m.ok THEN m.value ELSE 0 END
		    OR g.leg <> CASE WHEN m.attempt_id IS NULL THEN 'foreign' ELSE 'gas' END`,
	"I9: sequences have no gap": `
		SELECT format('%s at %s', stream, destination) FROM outbox GROUP BY stream, destination
		HAVING min(seq) <> 1 OR max(seq) <> count(*) OR max(seq) <> (SELECT last_seq FROM outbox_counters c WHERE (c.stream, c.destination) = (outbox.stream, outbox.destination))`,
	// https://github.com/JasperFx/wolverine/pull/3695 (O16): rows in a state that no recovery query selects.
	"I12: who is open queues, waits for a block, or has a live nonce": `
		SELECT format('settlement %s %s', s.key, s.state) FROM settlements s
		 WHERE s.state = 'queued' AND NOT EXISTS (SELECT FROM queue q WHERE q.settlement_id = s.id)
		    OR s.state = 'waiting' AND s.wake_block IS NULL
		    OR s.state IN ('submitted', 'mined') AND NOT EXISTS (SELECT FROM transaction_items i WHERE i.settlement_id = s.id AND i.live AND i.pays)`,
	"I3: who has a live payment is submitted, mined or has ended": `
		SELECT format('settlement %s %s', s.key, s.state) FROM settlements s JOIN transaction_items i ON i.settlement_id = s.id AND i.live AND i.pays
		 WHERE s.state IN ('requested', 'queued', 'waiting')`,
	"a queue row belongs to a settlement that queues": `
		SELECT format('settlement %s', s.key) FROM queue q JOIN settlements s ON s.id = q.settlement_id WHERE s.state <> 'queued'`,
	// A reorg gives mined nonces back, to a lane that has taken others since: what counts is the highest count that it ever had.
	"no lane has more in flight than it may": `
		SELECT format('lane %s', l.id) FROM lanes l
		 WHERE GREATEST(l.next_nonce - GREATEST(l.mined_nonce, (SELECT max(m.nonce) + 1 FROM mined_transactions m WHERE m.chain_id = l.chain_id AND m.signer = l.signer)), 0)
		       + (SELECT count(*) FROM queue q WHERE q.lane_id = l.id) > l.in_flight_max AND l.state = 'active'`,
}

// check fails the test for every invariant that does not hold.
func (s *chainSim) check() {
	s.t.Helper()
	var broken []string
	b := &pgx.Batch{}
	for name, sql := range invariants {
		b.Queue(sql).Query(func(rows pgx.Rows) error {
			found, err := pgx.CollectRows(rows, pgx.RowTo[string])
			if len(found) > 0 {
				broken = append(broken, name+": "+strings.Join(found, "; "))
			}
			return err
		})
	}
	s.ok(s.SQL.SendBatch(s.t.Context(), b).Close())
	if len(broken) > 0 {
		s.t.Fatal(strings.Join(broken, "\n"))
	}
}
