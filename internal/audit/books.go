package audit

import (
	"context"

	"github.com/jackc/pgx/v5"
)

func keysAndSettlements(ctx context.Context, tx pgx.Tx, _ *Report) (Finding, error) {
	return states(ctx, tx, Finding{Invariant: "I1", Title: "a key has one settlement, for ever"},
		`SELECT count(*) FROM idempotency_keys`,
		`SELECT format('key %s/%s has %s settlements', k.tenant, k.key, count(s.id)) FROM idempotency_keys k
		   LEFT JOIN settlements s ON s.tenant = k.tenant AND s.key = k.key GROUP BY k.tenant, k.key HAVING count(s.id) <> 1`,
		`SELECT format('settlement %s (%s/%s) has no idempotency row', s.id, s.tenant, s.key) FROM settlements s
		  WHERE NOT EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.tenant = s.tenant AND k.key = s.key)`)
}

func oneLiveNonce(ctx context.Context, tx pgx.Tx, _ *Report) (Finding, error) {
	return states(ctx, tx, Finding{Invariant: "I3", Title: "a settlement has at most one live paying nonce; another needs final proof"},
		`SELECT count(*) FROM transaction_items WHERE pays`,
		`SELECT format('settlement %s has %s live paying nonces', settlement_id, count(*)) FROM transaction_items WHERE live AND pays
		  GROUP BY settlement_id HAVING count(*) > 1`,
		`SELECT format('transaction %s of settlement %s is called consumed without a final block', t.id, i.settlement_id)
		   FROM transactions t JOIN transaction_items i ON i.transaction_id = t.id
		   LEFT JOIN blocks b ON b.chain_id = t.chain_id AND b.hash = t.consumed_block
		  WHERE NOT t.live AND (b.final IS NOT TRUE OR NOT b.canonical)`,
		`SELECT format('settlement %s got nonce %s of %s while nonce %s was not finally consumed', a.settlement_id, y.nonce, encode(y.signer, 'hex'), x.nonce)
		   FROM transaction_items a JOIN transactions x ON x.id = a.transaction_id
		   JOIN transaction_items c ON c.settlement_id = a.settlement_id AND c.transaction_id > a.transaction_id AND c.pays
		   JOIN transactions y ON y.id = c.transaction_id WHERE a.pays AND x.live`,
		`SELECT format('settlement %s says %s nonces were allocated, there are %s', s.id, s.nonces_allocated, count(i.*)) FROM settlements s
		   LEFT JOIN transaction_items i ON i.settlement_id = s.id AND i.pays GROUP BY s.id HAVING s.nonces_allocated <> count(i.*)`)
}

func committedTogether(ctx context.Context, tx pgx.Tx, _ *Report) (Finding, error) {
	return states(ctx, tx, Finding{Invariant: "I5", Title: "state, transfers, idempotency row and outbox rows agree"},
		`SELECT count(*) FROM settlements`,
		`SELECT format('settlement %s is %s, its key is %s', s.id, s.state, k.status) FROM settlements s
		   JOIN idempotency_keys k ON k.tenant = s.tenant AND k.key = s.key
		  WHERE k.status <> CASE WHEN s.state = 'settled' THEN 'completed' WHEN s.state IN ('failed', 'cancelled') THEN 'failed' ELSE 'in_progress' END`,
		`SELECT format('settlement %s is %s with %s payment and %s release of its hold', s.id, s.state, count(*) FILTER (WHERE t.leg = 'payment'), count(*) FILTER (WHERE t.leg = 'release'))
		   FROM settlements s LEFT JOIN transfers t ON t.settlement_id = s.id AND t.pending_id = s.hold_id
		  GROUP BY s.id HAVING count(*) FILTER (WHERE t.leg = 'payment') <> CASE WHEN s.state = 'settled' THEN 1 ELSE 0 END
		      OR count(*) FILTER (WHERE t.leg = 'release') <> CASE WHEN s.state IN ('failed', 'cancelled') AND s.hold_id IS NOT NULL THEN 1 ELSE 0 END`,
		`SELECT format('settlement %s (%s) has written %s events to %s, at least %s belong there', s.id, s.state, coalesce(c.last_seq, 0), d.name,
		        CASE WHEN s.state IN ('settled', 'failed', 'cancelled') AND s.proof IS DISTINCT FROM 'insufficient_balance' THEN 2 ELSE 1 END)
		   FROM settlements s CROSS JOIN destinations d
		   LEFT JOIN outbox_counters c ON c.destination = d.name AND c.stream = 'settlement/' || CASE WHEN s.tenant = 'default' THEN s.key ELSE '@' || s.tenant || '/' || s.key END
		  WHERE d.enabled AND d.name = 'nats' AND coalesce(c.last_seq, 0) <
		        CASE WHEN s.state IN ('settled', 'failed', 'cancelled') AND s.proof IS DISTINCT FROM 'insufficient_balance' THEN 2 ELSE 1 END`)
}

func balancesFold(ctx context.Context, tx pgx.Tx, _ *Report) (Finding, error) {
	return states(ctx, tx, Finding{Invariant: "I6", Title: "balances equal the fold of transfers; no guarded account is below zero, counting holds"},
		`SELECT count(*) FROM transfers`,
		`WITH legs AS (
		   SELECT debit_account AS account, asset_id, amount AS a, phase, pending_id IS NOT NULL AS resolves, true AS debit FROM transfers
		   UNION ALL SELECT credit_account, asset_id, amount, phase, pending_id IS NOT NULL, false FROM transfers),
		 fold AS (
		   SELECT account, asset_id,
		          coalesce(sum(CASE WHEN phase = 'pending' THEN a::numeric WHEN resolves THEN -a::numeric END) FILTER (WHERE debit), 0) AS dp,
		          coalesce(sum(a::numeric) FILTER (WHERE debit AND phase = 'posted'), 0) AS dd,
		          coalesce(sum(CASE WHEN phase = 'pending' THEN a::numeric WHEN resolves THEN -a::numeric END) FILTER (WHERE NOT debit), 0) AS cp,
		          coalesce(sum(a::numeric) FILTER (WHERE NOT debit AND phase = 'posted'), 0) AS cc
		     FROM legs GROUP BY account, asset_id)
		 SELECT format('account %s, asset %s: balances say %s/%s/%s/%s (debits pending, posted, credits pending, posted), transfers say %s/%s/%s/%s',
		               coalesce(f.account, b.account_id), coalesce(f.asset_id, b.asset_id), b.debits_pending, b.debits_posted, b.credits_pending, b.credits_posted, f.dp, f.dd, f.cp, f.cc)
		   FROM fold f FULL JOIN balances b ON b.account_id = f.account AND b.asset_id = f.asset_id
		  WHERE (coalesce(b.debits_pending::numeric, 0), coalesce(b.debits_posted::numeric, 0), coalesce(b.credits_pending::numeric, 0), coalesce(b.credits_posted::numeric, 0))
		        <> (coalesce(f.dp, 0), coalesce(f.dd, 0), coalesce(f.cp, 0), coalesce(f.cc, 0))`,
		`SELECT format('account %s, asset %s: %s credited, %s debited, %s held', account_id, asset_id, credits_posted, debits_posted, debits_pending)
		   FROM balances WHERE guarded AND credits_posted < debits_posted::numeric + debits_pending::numeric`,
		`SELECT format('hold %s of settlement %s is open, the settlement is %s', t.id, s.id, s.state) FROM transfers t JOIN settlements s ON s.hold_id = t.id
		  WHERE NOT EXISTS (SELECT 1 FROM transfers r WHERE r.pending_id = t.id) AND s.state IN ('settled', 'failed', 'cancelled')`,
		`SELECT format('transfer %s moves nothing or to itself', id) FROM transfers WHERE amount = 0 OR debit_account = credit_account`)
}

func outboxOrder(ctx context.Context, tx pgx.Tx, _ *Report) (Finding, error) {
	return states(ctx, tx, Finding{Invariant: "I9", Title: "outbox rows are in order without gaps, and every one is published or reachable"},
		`SELECT count(*) FROM outbox`,
		`SELECT format('stream %s to %s: sequence %s is missing', o.stream, o.destination, o.seq + 1) FROM (
		   SELECT stream, destination, seq, lead(seq) OVER (PARTITION BY stream, destination ORDER BY seq) AS following FROM outbox) o
		   JOIN outbox_counters c USING (stream, destination)
		  WHERE coalesce(o.following, c.last_seq + 1) <> o.seq + 1`,
		// published rows are deleted after their retention, so a stream may be empty or begin late, but never before an unpublished row
		`SELECT format('stream %s to %s: row %s was published before row %s', a.stream, a.destination, b.seq, a.seq) FROM outbox a
		   JOIN outbox b ON b.stream = a.stream AND b.destination = a.destination AND b.seq > a.seq
		  WHERE a.published_at IS NULL AND a.skipped_at IS NULL AND b.published_at IS NOT NULL`,
		`SELECT format('row %s of stream %s goes to %s, which is no destination', o.id, o.stream, o.destination) FROM outbox o
		  WHERE NOT EXISTS (SELECT 1 FROM destinations d WHERE d.name = o.destination)`,
		`SELECT format('stream %s mixes wake-ups with the outside world', stream) FROM outbox_counters
		  WHERE (destination = 'temporal') <> (stream LIKE 'wake/%')`)
}

func sameAnswer(ctx context.Context, tx pgx.Tx, _ *Report) (Finding, error) {
	f, err := states(ctx, tx, Finding{Invariant: "I10", Title: "the stored answer of a finished key is its settlement's"},
		`SELECT count(*) FROM idempotency_keys WHERE result IS NOT NULL`,
		`SELECT format('key %s/%s answers %s, its settlement is %s', k.tenant, k.key, k.result ->> 'state', s.state) FROM idempotency_keys k
		   JOIN settlements s ON s.tenant = k.tenant AND s.key = k.key WHERE k.result IS NOT NULL AND k.result ->> 'state' <> s.state`)
	return f, err
}
