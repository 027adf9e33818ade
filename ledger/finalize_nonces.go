package ledger

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// consumption is a nonce of one of our lanes that a final block takes for ever, decided and not yet written.
type consumption struct {
	mined   minedRow
	lane    laneRow
	outcome outcome
	unpaid  []*fact // go back to requested
	revoke  []*fact // asked for a revoke that this nonce did not carry out: another is due
	gas     booking // of the lane's float
}

type outcome string

const (
	outcomePaid      outcome = "paid"
	outcomeReverted  outcome = "reverted"
	outcomeCancelled outcome = "cancelled"
	outcomeNoop      outcome = "noop"
	outcomeRevoked   outcome = "revoked"
	outcomeForeign   outcome = "foreign"
)

// consume decides what a mined transaction of a signer means. What the signer did before it became a lane, and what is no
// lane's, means nothing.
func (f *finalizing) consume(m minedRow, ended map[int64]bool) *consumption {
	lane, ours := f.lanes[m.From]
	if !ours || bigint(m.Nonce) < lane.firstNonce {
		return nil
	}
	c := &consumption{mined: m, lane: lane, gas: f.bookGas(m, lane)}
	paid := false
	for _, id := range m.items {
		s := f.facts[id]
		if f.pays(m.Hash, s) {
			paid = true
			continue
		}
		if s.State == settlement.Submitted || s.State == settlement.Mined {
			if !ended[id] {
				c.unpaid = append(c.unpaid, s)
			}
		}
	}
	c.outcome = m.outcome(paid)
	for _, id := range m.revokes {
		if s := f.facts[id]; c.outcome != outcomeRevoked && !s.State.Terminal() && !ended[id] {
			c.revoke = append(c.revoke, s)
		}
	}
	return c
}

// outcome names what took the nonce. An attempt that should have paid, succeeded and paid nothing counts as reverted: no
// money moved, and it must not be tried for ever.
func (m minedRow) outcome(paid bool) outcome {
	switch {
	case m.attempt == "":
		return outcomeForeign
	case paid:
		return outcomePaid
	case !m.OK:
		return outcomeReverted
	}
	switch m.attempt {
	case settlement.AttemptCancel:
		return outcomeCancelled
	case settlement.AttemptNoop:
		return outcomeNoop
	case settlement.AttemptRevoke:
		return outcomeRevoked
	case settlement.AttemptPay:
		return outcomeReverted
	}
	switch m.kind { // adopted after a restore: its bytes are not ours to read
	case settlement.KindNoop:
		return outcomeNoop
	case settlement.KindRevoke:
		return outcomeRevoked
	default:
		return outcomeReverted
	}
}

// outOfGas: a call gets at most 63/64 of what its caller has left (EIP-150), so a transfer that starves within the vault
// leaves up to a 64th of the limit unused.
func (m minedRow) outOfGas() bool {
	return !m.OK && m.GasLimit > 0 && m.GasUsed >= m.GasLimit-m.GasLimit/64
}

// writeNonces queues that the nonces are consumed, and what follows from it. It returns the assets' new rows of reverts.
func (f *finalizing) writeNonces(b *pgx.Batch, nonces []*consumption) map[common.Address]revertRow {
	var taken, foreign []*consumption
	for _, c := range nonces {
		if c.mined.transactionID != 0 {
			taken = append(taken, c)
		}
		if c.outcome == outcomeForeign {
			foreign = append(foreign, c)
		}
	}
	if len(taken) > 0 {
		b.Queue(`
			UPDATE transactions t SET live = false, consumed_hash = u.tx_hash, consumed_block = $4, outcome = u.outcome, mined_hash = u.tx_hash, mined_block = $5
			  FROM unnest($1::bigint[], $2::bytea[], $3::text[]) AS u (id, tx_hash, outcome) WHERE t.id = u.id AND t.live`,
			column(taken, func(c *consumption) int64 { return c.mined.transactionID }),
			column(taken, func(c *consumption) []byte { return c.mined.Hash.Bytes() }),
			column(taken, func(c *consumption) string { return string(c.outcome) }),
			f.block.Hash, f.block.Number).Exec(exactly(len(taken), "nonces to consume"))
	}
	f.writeUnpaid(b, nonces)
	f.releaseLiquidity(b, taken)
	if len(foreign) > 0 {
		b.Queue(`
			UPDATE lanes l SET next_nonce = GREATEST(l.next_nonce, u.next) FROM (
				SELECT id, max(next) AS next FROM unnest($1::bigint[], $2::bigint[]) AS u (id, next) GROUP BY id) u
			 WHERE l.id = u.id`,
			column(foreign, func(c *consumption) int64 { return c.lane.id }),
			column(foreign, func(c *consumption) int64 { return bigint(c.mined.Nonce) + 1 }))
	}
	writeBookings(b, f.chainID, f.block.Hash, column(nonces, func(c *consumption) booking { return c.gas }))
	return f.writeReverts(b, nonces)
}

// writeUnpaid queues the return of settlements whose nonce paid nothing. Their workflows fail them by proof, or pay anew.
func (f *finalizing) writeUnpaid(b *pgx.Batch, nonces []*consumption) {
	var ids []int64
	var starved []bool
	for _, c := range nonces {
		for _, s := range c.unpaid {
			ids, starved = append(ids, s.ID), append(starved, c.mined.outOfGas())
		}
	}
	if len(ids) == 0 {
		return
	}
	b.Queue(`
		UPDATE settlements s SET state = 'requested', reason = NULL, wake_block = NULL, tx_hash = NULL, block_number = NULL,
		       gas_doublings = LEAST(s.gas_doublings + CASE WHEN u.starved THEN 1 ELSE 0 END, 2)
		  FROM unnest($1::bigint[], $2::boolean[]) AS u (id, starved) WHERE s.id = u.id AND s.state IN ('submitted', 'mined')`,
		ids, starved).Exec(exactly(len(ids), "settlements to take back"))
}

// releaseLiquidity queues the end of in-flight payments, whatever became of them.
func (f *finalizing) releaseLiquidity(b *pgx.Batch, taken []*consumption) {
	var assets []int64
	var amounts []settlement.Amount
	for _, c := range taken {
		for _, id := range c.mined.items {
			s := f.facts[id]
			assets, amounts = append(assets, s.Asset.ID), append(amounts, s.Amount)
			f.released[s.Asset.ID] = true
		}
	}
	if len(assets) == 0 {
		return
	}
	b.Queue(`
		UPDATE asset_liquidity q SET in_flight = GREATEST(q.in_flight - u.amount, 0) FROM (
			SELECT id, sum(amount) AS amount FROM unnest($1::bigint[], $2::numeric[]) AS u (id, amount) GROUP BY id) u
		 WHERE q.asset_id = u.id`, assets, nums(amounts))
}

// tellNonce wakes who lost a nonce, and keeps the finding of a foreign one.
func (f *finalizing) tellNonce(c *consumption) error {
	for _, s := range append(slices.Clone(c.unpaid), c.revoke...) {
		wake(f.t, s.Key)
	}
	if c.outcome != outcomeForeign {
		return nil
	}
	return journal(f.t, "listener", "foreign_transaction_final", signerStream(c.mined.From), ForeignPayload{
		ChainID: f.chainID, Signer: c.mined.From.Hex(), Nonce: c.mined.Nonce, TxHash: c.mined.Hash, Value: c.mined.Value,
		BlockNumber: f.block.Number, BlockHash: f.block.Hash,
	})
}
