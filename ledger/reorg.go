package ledger

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// AcceptedReorg is an operator's decision about a reorg deeper than finality.
type AcceptedReorg struct {
	ChainID uint64
	Block   common.Hash // the last block that both chains share
	Actor   string
	Reason  string
}

// AcceptReorg lets a listener go on that stopped because the chain left a final block. In one commit it takes the recorded
// chain back to the last common block, which is final from then on, and makes good what had followed from blocks that are gone:
//   - effects are marked as reversed, so that the same event counts as new if it becomes final again;
//   - deposits, withdrawals, unexplained payouts, gas and top-ups are booked back by reversing transfers; what a customer no longer
//     has of a deposit, suspense pays;
//   - a settlement that was paid stays paid in the books, and its nonces are live again: the lane keeper sends their stored
//     bytes. Only Correct, with I7's proof of the opposite, takes it back;
//   - a settlement that had not ended waits for its nonce again. One that ended unpaid stays so, and the keeper empties its nonce.
//
// It writes nothing unless the listener is stopped and the block is on the recorded chain below the final one. Again it is
// Stale: the listener goes on already.
func (l *Ledger) AcceptReorg(ctx context.Context, a AcceptedReorg) (Differs, error) {
	var d Differs
	if a.Reason == "" || a.Actor == "" {
		return d, settlement.Invalidf("reason", "must say who accepts, and why")
	}
	err := l.do(ctx, fmt.Sprintf("accept reorg: chain %d", a.ChainID), func(t *Tx) error {
		r := reorging{t: t, AcceptedReorg: a}
		if err := r.lock(); err != nil {
			return err
		}
		var err error
		if d, err = r.differs(); err != nil {
			return err
		}
		for _, step := range []func() error{r.reverse, r.revive, r.takeBack, r.rewind} {
			if err := step(); err != nil {
				return err
			}
		}
		r.tell(d)
		return journal(t, a.Actor, "reorg_accepted", fmt.Sprintf("chain/%d", a.ChainID), map[string]any{
			"reason": a.Reason, "stopped": r.cursor.Stopped, "block": r.to, "final_before": r.cursor.Final, "head_before": r.cursor.BlockRef, "differs": d,
		})
	})
	return d, err
}

// reorging is one AcceptReorg under way.
type reorging struct {
	AcceptedReorg
	t      *Tx
	cursor cursor
	to     settlement.BlockRef
}

// gone selects the blocks that leave the chain, $1 being the chain and $2 the last common number.
const gone = `SELECT g.hash FROM blocks g WHERE g.chain_id = $1 AND g.canonical AND g.number > $2`

func (r *reorging) lock() error {
	b := &pgx.Batch{}
	lockCursor(b, r.ChainID, &r.cursor)
	found := false
	b.Queue(`SELECT number, hash FROM blocks WHERE chain_id = $1 AND hash = $2 AND canonical`, r.ChainID, r.Block).Query(func(rows pgx.Rows) error {
		_, err := pgx.ForEachRow(rows, []any{&r.to.Number, &r.to.Hash}, func() error { found = true; return nil })
		return err
	})
	if err := r.t.Batch(b); err != nil {
		return err
	}
	switch {
	case r.cursor.Stopped == "":
		return stale("chain %d: its listener is not stopped by a reorg", r.ChainID)
	case !found:
		return settlement.Invalidf("block", "must be the last common block as the stopped listener names it: %s is not on the recorded chain", r.Block)
	case r.to.Number >= r.cursor.Final.Number:
		return settlement.Invalidf("block", "must be below the final block %d, is %d", r.cursor.Final.Number, r.to.Number)
	}
	b = &pgx.Batch{}
	const touched = `SELECT i.settlement_id FROM transaction_items i JOIN transactions x ON x.id = i.transaction_id
		WHERE x.chain_id = $1 AND (x.consumed_block IN (` + gone + `) OR x.mined_block > $2)
		UNION SELECT e.settlement_id FROM effects e WHERE e.chain_id = $1 AND e.block_hash IN (` + gone + `) AND e.settlement_id IS NOT NULL`
	b.Queue(`SELECT FROM settlements s WHERE s.id IN (`+touched+`) ORDER BY s.id FOR UPDATE`, r.ChainID, r.to.Number)
	b.Queue(`SELECT FROM queue WHERE settlement_id IN (`+touched+`) ORDER BY settlement_id FOR UPDATE`, r.ChainID, r.to.Number)
	b.Queue(`SELECT FROM asset_liquidity WHERE asset_id IN (SELECT id FROM assets WHERE chain_id = $1) ORDER BY asset_id FOR NO KEY UPDATE`, r.ChainID)
	b.Queue(laneSQL, r.ChainID)
	return r.t.Batch(b)
}

// reverse books back what the vanished events and transactions had moved, and marks the effects.
func (r *reorging) reverse() error {
	if _, err := r.t.Exec(`
		WITH lost AS ( -- each deposit, with what its customer still has when the ones before it are taken
			SELECT e.id, t.credit_account, t.asset_id, t.amount,
			       greatest(b.credits_posted::numeric - b.debits_posted - b.debits_pending, 0) AS has,
			       sum(t.amount::numeric) OVER (PARTITION BY t.credit_account, t.asset_id ORDER BY e.id) AS upto
			  FROM effects e JOIN transfers t ON t.effect_id = e.id AND t.leg = 'deposit'
			  JOIN balances b ON b.account_id = t.credit_account AND b.asset_id = t.asset_id
			 WHERE e.chain_id = $1 AND e.reversed_at IS NULL AND e.block_hash IN (`+gone+`)
		), short AS (
			SELECT id, credit_account, asset_id, least(amount, greatest(upto - has, 0)) AS amount FROM lost WHERE upto > has
		), paid AS (
			INSERT INTO transfers (debit_account, credit_account, asset_id, amount, phase, leg)
			SELECT s.id, x.credit_account, x.asset_id, x.amount, 'posted', 'correction'
			  FROM short x JOIN accounts s ON s.tenant = 'default' AND s.kind = 'suspense' AND s.name = $1::bigint::text ORDER BY x.id RETURNING 1
		)
		UPDATE effects e SET reversed_at = now(), reversed_short = (SELECT x.amount FROM short x WHERE x.id = e.id)
		 WHERE e.chain_id = $1 AND e.reversed_at IS NULL AND e.block_hash IN (`+gone+`) AND (SELECT count(*) FROM paid) >= 0`,
		r.ChainID, r.to.Number); err != nil {
		return err
	}
	if _, err := r.t.Exec(`
		INSERT INTO transfers (debit_account, credit_account, asset_id, amount, phase, leg, reverses_id)
		SELECT t.credit_account, t.debit_account, t.asset_id, t.amount, 'posted', 'correction', t.id FROM transfers t
		 WHERE (t.id IN (SELECT m.gas_transfer FROM mined_transactions m WHERE m.chain_id = $1 AND m.block_hash IN (`+gone+`))
		    OR t.id IN (SELECT o.transfer_id FROM topups o WHERE o.chain_id = $1 AND o.block_hash IN (`+gone+`))
		    OR t.leg IN ('deposit', 'withdrawal', 'unexplained') AND t.effect_id IN (SELECT e.id FROM effects e WHERE e.chain_id = $1 AND e.block_hash IN (`+gone+`)))
		   AND NOT EXISTS (SELECT FROM transfers c WHERE c.reverses_id = t.id) -- a block may come, go, and come again
		 ORDER BY t.id`, r.ChainID, r.to.Number); err != nil {
		return err
	}
	if _, err := r.t.Exec(`UPDATE mined_transactions SET gas_transfer = NULL WHERE chain_id = $1 AND gas_transfer IS NOT NULL AND block_hash IN (`+gone+`)`,
		r.ChainID, r.to.Number); err != nil {
		return err
	}
	// now() is the same in the whole unit: what we sent and have just lost is on its way again.
	if _, err := r.t.Exec(`UPDATE topups SET reversed_at = now() WHERE chain_id = $1 AND reversed_at IS NULL AND block_hash IN (`+gone+`)`,
		r.ChainID, r.to.Number); err != nil {
		return err
	}
	if _, err := r.t.Exec(`
		INSERT INTO topups (chain_id, signer, tx_hash, amount, source, actor, raw)
		SELECT o.chain_id, o.signer, o.tx_hash, o.amount, 'sent', o.actor, o.raw FROM topups o
		 WHERE o.chain_id = $1 AND o.source = 'sent' AND o.block_hash IN (`+gone+`) AND o.reversed_at = now()`, r.ChainID, r.to.Number); err != nil {
		return err
	}
	_, err := r.t.Exec(`UPDATE quarantine q SET released_at = now() FROM events e
		WHERE e.id = q.event_id AND q.released_at IS NULL AND e.chain_id = $1 AND e.block_hash IN (`+gone+`)`, r.ChainID, r.to.Number)
	return err
}

// revive makes the nonces live again that vanished blocks had consumed. A settlement may have two of them then, which is why
// they are marked: the rule of one live nonce is for new ones, and the vault pays an id once.
func (r *reorging) revive() error {
	b := &pgx.Batch{}
	b.Queue(`UPDATE transaction_items i SET revived = true FROM transactions x
		WHERE x.id = i.transaction_id AND x.chain_id = $1 AND x.consumed_block IN (`+gone+`)`, r.ChainID, r.to.Number)
	b.Queue(`UPDATE asset_liquidity q SET in_flight = q.in_flight + u.amount FROM (
			SELECT s.asset_id, sum(s.amount) AS amount FROM transactions x JOIN transaction_items i ON i.transaction_id = x.id AND i.pays
			  JOIN settlements s ON s.id = i.settlement_id WHERE x.chain_id = $1 AND x.consumed_block IN (`+gone+`) GROUP BY s.asset_id) u
		WHERE q.asset_id = u.asset_id`, r.ChainID, r.to.Number)
	b.Queue(`UPDATE transactions SET live = true, consumed_hash = NULL, consumed_block = NULL, outcome = NULL, mined_hash = NULL, mined_block = NULL
		WHERE chain_id = $1 AND consumed_block IN (`+gone+`)`, r.ChainID, r.to.Number)
	b.Queue(`UPDATE transactions SET mined_hash = NULL, mined_block = NULL WHERE chain_id = $1 AND live AND mined_block > $2`, r.ChainID, r.to.Number)
	return r.t.Batch(b)
}

// takeBack returns settlements that have not ended to where their nonces are: mined ones are not, and what had been given back
// because its nonce was consumed has that nonce again.
func (r *reorging) takeBack() error {
	b := &pgx.Batch{}
	b.Queue(`UPDATE settlements s SET state = 'submitted', tx_hash = NULL, block_number = NULL, reason = NULL, wake_block = NULL, wait_rounds = 0
		WHERE s.chain_id = $1 AND (s.state = 'mined' AND s.block_number > $2
		   OR s.state IN ('requested', 'queued', 'waiting') AND EXISTS (SELECT FROM transaction_items i WHERE i.settlement_id = s.id AND i.live AND i.pays))`,
		r.ChainID, r.to.Number)
	b.Queue(`DELETE FROM queue q USING settlements s WHERE s.id = q.settlement_id AND s.chain_id = $1 AND s.state = 'submitted'`, r.ChainID)
	return r.t.Batch(b)
}

// rewind sets the cursor, and says that the last common block is final.
func (r *reorging) rewind() error {
	b := &pgx.Batch{}
	b.Queue(`
		UPDATE lanes l SET mined_nonce = LEAST(l.mined_nonce, GREATEST(lost.nonce, l.first_nonce)) FROM (
			SELECT m.signer, min(m.nonce) AS nonce FROM mined_transactions m WHERE m.chain_id = $1 AND m.block_hash IN (`+gone+`) GROUP BY m.signer) lost
		 WHERE l.chain_id = $1 AND l.signer = lost.signer`, r.ChainID, r.to.Number)
	b.Queue(`UPDATE blocks SET canonical = false, final = false WHERE chain_id = $1 AND canonical AND number > $2`, r.ChainID, r.to.Number)
	b.Queue(`
		UPDATE heads h SET head_number = b.number, head_hash = b.hash, final_number = b.number, final_hash = b.hash, base_fee = b.base_fee,
		       gas_limit = b.gas_limit, stopped = NULL, updated_at = clock_timestamp()
		  FROM blocks b WHERE h.chain_id = $1 AND b.chain_id = $1 AND b.hash = $2`, r.ChainID, r.to.Hash)
	return r.t.Batch(b)
}

// tell lets the customers' streams know of deposits that are gone.
func (r *reorging) tell(d Differs) {
	for _, e := range d.Effects {
		if e.Kind == string(effectDeposited) {
			emit(r.t, event{
				Tenant: e.Tenant, Stream: accountStream(e.Tenant, e.Account), Type: TypeReversed, Cause: logCause(e.Block, e.TxHash, e.TxLogIndex), Payload: e,
			})
		}
	}
}
