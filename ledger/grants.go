package ledger

import "github.com/jackc/pgx/v5"

// grantBlocksMax: a grant that nobody used for so many blocks goes back to the queue, at its old place.
const grantBlocksMax = 20

// expireGrants queues the return of unused grants. Their settlements are woken: the run that should have used the grant may
// have missed its wake-up.
func expireGrants(b *pgx.Batch, chainID, head uint64, into keySet) {
	into.collect(b.Queue(`
		WITH old AS (
			SELECT q.settlement_id FROM queue q JOIN lanes l ON l.id = q.lane_id
			 WHERE l.chain_id = $1 AND q.granted_block <= $2::bigint - $3::bigint
			 ORDER BY q.settlement_id FOR UPDATE OF q SKIP LOCKED
		)
		UPDATE queue q SET lane_id = NULL, granted_block = NULL
		  FROM old JOIN settlements s ON s.id = old.settlement_id
		 WHERE q.settlement_id = old.settlement_id RETURNING s.tenant, s.key`, chainID, head, grantBlocksMax))
}

// grantSlots queues the grant of every free slot to who has waited longest, spread over the lanes, and collects whom to
// wake. A slot is free while a lane's unmined nonces and unused grants are below its limit. The caller holds the lanes' locks.
// Queue rows that somebody holds are passed over, and no settlement is locked: granting never waits and never deadlocks.
// A lane that nobody can sign for would be the emptiest of all.
// What is stopped, an asset or the whole chain, keeps its place in the queue.
func grantSlots(b *pgx.Batch, chainID, head uint64, into keySet) {
	into.collect(b.Queue(`
		WITH room AS (
			SELECT l.id AS lane_id, l.in_flight_max,
			       GREATEST(l.next_nonce - l.mined_nonce, 0) + (SELECT count(*) FROM queue g WHERE g.lane_id = l.id) AS used
			  FROM lanes l WHERE l.chain_id = $1 AND l.state = 'active' AND l.operator AND NOT l.keyless
		), slots AS MATERIALIZED (
			SELECT lane_id, row_number() OVER (ORDER BY used + nth, lane_id) AS n
			  FROM room CROSS JOIN LATERAL generate_series(1, in_flight_max - used) AS nth
		), oldest AS MATERIALIZED (
			SELECT q.settlement_id, q.position FROM queue q JOIN assets a ON a.id = q.asset_id JOIN chains c ON c.chain_id = a.chain_id
			 WHERE q.lane_id IS NULL AND a.chain_id = $1 AND a.stopped IS NULL AND c.stopped IS NULL
			 ORDER BY q.position LIMIT (SELECT count(*) FROM slots) FOR UPDATE OF q SKIP LOCKED
		), takers AS (
			SELECT settlement_id, row_number() OVER (ORDER BY position) AS n FROM oldest
		)
		UPDATE queue q SET lane_id = slots.lane_id, granted_block = $2
		  FROM takers JOIN slots USING (n) JOIN settlements s ON s.id = takers.settlement_id
		 WHERE q.settlement_id = takers.settlement_id RETURNING s.tenant, s.key`, chainID, head))
}
