package audit

import (
	"context"
	"fmt"
)

// committedTogether: I5.
func (x *examination) committedTogether(ctx context.Context, f *Finding) error {
	f.Invariant, f.Title = "I5", "state, transfers, idempotency row and outbox rows agree"
	f.ByTest = "that no reader ever sees one without the others"
	if err := x.count(ctx, f, `SELECT count(*) FROM settlements`); err != nil {
		return err
	}
	return x.broken(ctx, f,
		`SELECT format('settlement %s is %s, its key is %s', s.id, s.state, k.status) FROM settlements s
		   JOIN idempotency_keys k ON k.tenant = s.tenant AND k.key = s.key
		  WHERE k.status <> CASE WHEN s.state = 'settled' THEN 'completed' WHEN s.state IN ('failed', 'cancelled') THEN 'failed' ELSE 'in_progress' END`,
		`SELECT format('settlement %s is %s with %s payment and %s release of its hold', s.id, s.state, count(*) FILTER (WHERE t.leg = 'payment'), count(*) FILTER (WHERE t.leg = 'release'))
		   FROM settlements s LEFT JOIN transfers t ON t.settlement_id = s.id AND t.leg IN ('payment', 'release')
		   LEFT JOIN transfers c ON c.reverses_id = t.id
		  GROUP BY s.id HAVING count(*) FILTER (WHERE t.leg = 'payment' AND c.id IS NULL) <> CASE WHEN s.state = 'settled' THEN 1 ELSE 0 END
		      OR count(*) FILTER (WHERE t.leg = 'release') <> CASE WHEN s.state IN ('failed', 'cancelled') AND s.hold_id IS NOT NULL AND count(c.id) = 0 THEN 1 ELSE 0 END`,
		`SELECT format('settlement %s (%s) has written %s events to %s, at least %s belong there', s.id, s.state, coalesce(c.last_seq, 0), d.name, n.least)
		   FROM settlements s CROSS JOIN destinations d
		  CROSS JOIN LATERAL (SELECT (s.hold_id IS NOT NULL)::int + (s.state IN ('settled', 'failed', 'cancelled'))::int + (s.nonces_allocated > 0)::int AS least) n
		   LEFT JOIN outbox_counters c ON c.destination = d.name AND c.stream = 'settlement/' || CASE WHEN s.tenant = 'default' THEN s.key ELSE '@' || s.tenant || '/' || s.key END
		  WHERE d.enabled AND d.name = 'nats' AND coalesce(c.last_seq, 0) < n.least`)
}

// balancesFold: I6.
func (x *examination) balancesFold(ctx context.Context, f *Finding) error {
	f.Invariant, f.Title = "I6", "balances equal the fold of transfers, holds equal the open settlements, no customer is below zero"
	if err := x.count(ctx, f, `SELECT count(*) FROM transfers`); err != nil {
		return err
	}
	return x.broken(ctx, f, foldSQL,
		`SELECT format('account %s (%s), asset %s: %s credited, %s debited, %s held', a.id, a.name, b.asset_id, b.credits_posted, b.debits_posted, b.debits_pending)
		   FROM balances b JOIN accounts a ON a.id = b.account_id WHERE a.kind = 'customer' AND b.credits_posted::numeric < b.debits_posted::numeric + b.debits_pending::numeric`,
		`SELECT format('transfer %s moves nothing, or to itself', id) FROM transfers WHERE amount = 0 OR debit_account = credit_account`,
		`SELECT format('hold %s is resolved by %s transfers', pending_id, count(*)) FROM transfers WHERE pending_id IS NOT NULL GROUP BY pending_id HAVING count(*) > 1`,
		`SELECT format('transfer %s resolves hold %s and moves something else', r.id, h.id) FROM transfers r JOIN transfers h ON h.id = r.pending_id
		  WHERE h.phase <> 'pending' OR (r.debit_account, r.credit_account, r.asset_id, r.amount, r.settlement_id) IS DISTINCT FROM (h.debit_account, h.credit_account, h.asset_id, h.amount, h.settlement_id)`,
		`SELECT format('settlement %s is %s and its hold is %s', s.id, s.state, CASE WHEN t.id IS NULL THEN 'missing, or not its own' ELSE 'resolved' END) FROM settlements s
		   LEFT JOIN transfers t ON t.id = s.hold_id AND t.leg = 'hold' AND (t.settlement_id, t.debit_account, t.asset_id, t.amount) = (s.id, s.account_id, s.asset_id, s.amount)
		  WHERE s.state NOT IN ('settled', 'failed', 'cancelled') AND (t.id IS NULL OR EXISTS (SELECT 1 FROM transfers r WHERE r.pending_id = t.id))`,
		`SELECT format('hold %s of settlement %s is open, and that settlement is %s', t.id, t.settlement_id, coalesce(s.state, 'not there or has another hold')) FROM transfers t
		   LEFT JOIN settlements s ON s.hold_id = t.id
		  WHERE t.phase = 'pending' AND NOT EXISTS (SELECT 1 FROM transfers r WHERE r.pending_id = t.id) AND (s.id IS NULL OR s.state IN ('settled', 'failed', 'cancelled'))`)
}

const foldSQL = `WITH legs AS (
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
        <> (coalesce(f.dp, 0), coalesce(f.dd, 0), coalesce(f.cp, 0), coalesce(f.cc, 0))`

// outboxOrder: I9. Published rows are deleted after a retention, in the order in which they were published, and skipped ones
// are kept: so a stream may begin late, but a gap before a row that is there needs a skipped row before it, or a redelivery.
func (x *examination) outboxOrder(ctx context.Context, f *Finding) error {
	f.Invariant, f.Title = "I9", "outbox rows are in order without gaps, and every one is published or on its way"
	f.ByTest = "at least once, and that a slow destination delays no other"
	if err := x.count(ctx, f, `SELECT count(*) FROM outbox`); err != nil {
		return err
	}
	const redelivered = `EXISTS (SELECT 1 FROM journal j WHERE j.action = 'outbox.redeliver' AND j.subject = %s.destination)`
	if err := x.broken(ctx, f,
		`SELECT format('stream %s to %s: sequence %s is missing', o.stream, o.destination, o.seq + 1) FROM (
		   SELECT stream, destination, seq, skipped_at, published_at, lead(seq) OVER (PARTITION BY stream, destination ORDER BY seq) AS following FROM outbox) o
		   LEFT JOIN outbox_counters c USING (stream, destination)
		  WHERE coalesce(o.following, c.last_seq + 1, 0) <> o.seq + 1 AND o.skipped_at IS NULL
		    AND NOT (o.published_at IS NULL AND `+of(redelivered, "o")+`)`,
		`SELECT format('stream %s to %s: row %s was published before row %s', a.stream, a.destination, b.seq, a.seq) FROM outbox a
		   JOIN outbox b ON b.stream = a.stream AND b.destination = a.destination AND b.seq > a.seq
		  WHERE a.published_at IS NULL AND a.skipped_at IS NULL AND b.published_at IS NOT NULL AND NOT `+of(redelivered, "a"),
		`SELECT format('row %s of stream %s goes to %s, which is no destination', o.id, o.stream, o.destination) FROM outbox o
		  WHERE NOT EXISTS (SELECT 1 FROM destinations d WHERE d.name = o.destination)`,
		`SELECT format('row %s of stream %s waits for %s, which is not enabled', o.id, o.stream, o.destination) FROM outbox o JOIN destinations d ON d.name = o.destination
		  WHERE NOT d.enabled AND o.published_at IS NULL AND o.skipped_at IS NULL`,
		`SELECT format('row %s of stream %s goes to %s: wake-ups and the outside world are mixed', o.id, o.stream, o.destination) FROM outbox o
		  WHERE (o.destination = 'temporal') <> (o.stream LIKE 'wake/%')`); err != nil {
		return err
	}
	var parked int64
	if err := x.tx.QueryRow(ctx, `SELECT count(*) FROM outbox_counters WHERE parked_at IS NOT NULL`).Scan(&parked); err != nil {
		return err
	}
	if parked > 0 {
		x.note("%d outbox streams are parked and wait for an operator", parked)
	}
	return nil
}

// of fills a condition's %s with a table's alias.
func of(condition, alias string) string { return fmt.Sprintf(condition, alias) }
