package ledger

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/quittance/quittance/settlement"
)

// Correct takes back a payment that the books have and the chain does not: its event vanished in a reorg that an operator
// accepted, and I7's proof says that it will not come again: every nonce is consumed in a final block without paying, and the
// vault called the id unpaid at one final block not below any of those. The customer gets the money back, the settlement is
// failed, and its key answers so from then on. It is Stale if the payment stands, also on repeat.
func (l *Ledger) Correct(ctx context.Context, key settlement.Key, actor, reason string, proof settlement.UnpaidProof) error {
	if reason == "" || actor == "" {
		return settlement.Invalidf("reason", "must say who corrects, and why")
	}
	before, err := l.Settlement(ctx, key)
	if err != nil {
		return err
	}
	return l.do(ctx, "correct: "+key.Canonical(), func(t *Tx) error {
		e := unpaidEnding{t: t, end: settlement.Failed, reason: clip(actor + ": " + reason)}
		if err := e.lock(before.ID); err != nil {
			return err
		}
		if e.s.State != settlement.Settled || e.nonces.paidEffect {
			return stale("settlement %s is %s, and its payment stands or was never booked", key, e.s.State)
		}
		if e.nonces.consumed < e.nonces.total {
			return stale("settlement %s has %d nonces that are not finally consumed", key, e.nonces.total-e.nonces.consumed)
		}
		if err := e.proveConsumed(proof); err != nil {
			return err
		}
		e.s.State, e.s.Reason, e.s.Proof, e.s.TxHash, e.s.BlockNumber = e.end, e.reason, e.proof, nil, nil
		snapshot, err := json.Marshal(e.s.Snapshot())
		if err != nil {
			return fmt.Errorf("encode snapshot of %s: %w", key, err)
		}
		t.AtCommitOne("the payment stands", `UPDATE settlements s SET state = 'failed', reason = $2, proof = $3, proof_block = $4, effect_id = NULL, tx_hash = NULL, block_number = NULL
			WHERE s.id = $1 AND s.state = 'settled' AND EXISTS (SELECT FROM effects o WHERE o.id = s.effect_id AND o.reversed_at IS NOT NULL)`,
			e.s.ID, e.reason, e.proof, e.block)
		t.AtCommitOne("the key is not completed", `UPDATE idempotency_keys SET status = 'failed', result = $3::jsonb, expires_at = now() + $4::interval
			WHERE tenant = $1 AND key = $2 AND status = 'completed'`, key.Tenant, key.Value, string(snapshot), snapshotKept)
		t.AtCommitOne("there is no payment to take back", `INSERT INTO transfers (debit_account, credit_account, asset_id, amount, phase, leg, reverses_id)
			SELECT p.credit_account, p.debit_account, p.asset_id, p.amount, 'posted', 'correction', p.id FROM transfers p WHERE p.settlement_id = $1 AND p.leg = 'payment'`, e.s.ID)
		emit(t, event{Tenant: key.Tenant, Stream: settlementStream(key), Type: TypeCorrected, Cause: keyCause(key), Payload: e.s.Snapshot()})
		return journal(t, actor, "correct", settlementStream(key), map[string]any{"reason": reason, "proof_block": proof.Block, "was": before.Snapshot()})
	})
}
