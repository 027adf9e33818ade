package audit

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// settlementRow is what a settlement claims of the chain.
type settlementRow struct {
	ID      int64
	Onchain common.Hash
	Vault   common.Address
	Token   common.Address
	To      common.Address
	Amount  settlement.Amount
	State   settlement.State
	Proof   settlement.Proof
	TxHash  []byte
	Nonces  int
	Live    bool // a nonce of it may still pay
}

// proofs: I7. It compares each settlement with what the node says of its id.
func (x *examination) proofs(ctx context.Context, f *Finding) error {
	f.Invariant, f.Title = "I7", "posted holds have an equal final Settled event, voided ones the proof of the opposite"
	rows, err := x.tx.Query(ctx, `
		SELECT s.id, s.onchain_id, s.vault, s.token, s.destination, s.amount, s.state, coalesce(s.proof, ''), s.tx_hash, s.nonces_allocated,
		       EXISTS (SELECT 1 FROM transaction_items i JOIN transactions t ON t.id = i.transaction_id WHERE i.settlement_id = s.id AND t.live AND t.kind = 'pay')
		  FROM settlements s WHERE s.chain_id = $1 ORDER BY s.id`, x.Chain.ChainID)
	if err != nil {
		return err
	}
	settled, revoked := x.byID(settlement.EventSettled), x.byID(settlement.EventRevoked)
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[settlementRow])
	if err != nil {
		return err
	}
	for _, s := range all {
		f.Checked++
		if problem := s.contradicts(settled, revoked); problem != "" {
			f.tell("settlement %d (%s) is %s, %s", s.ID, s.Onchain, s.State, problem)
		}
	}
	return x.broken(ctx, f,
		`SELECT format('settlement %s is settled and its payment is not by its own final event', s.id) FROM settlements s
		   LEFT JOIN effects e ON e.id = s.effect_id AND e.kind = 'settled' AND e.settlement_id = s.id AND e.reversed_at IS NULL AND e.tx_hash = s.tx_hash
		   LEFT JOIN transfers t ON t.settlement_id = s.id AND t.leg = 'payment' AND t.effect_id IN (SELECT o.id FROM effects o WHERE o.settlement_id = s.id AND o.kind = 'settled')
		   LEFT JOIN blocks b ON b.chain_id = e.chain_id AND b.hash = e.block_hash
		  WHERE s.state = 'settled' AND (e.id IS NULL OR t.id IS NULL OR b.number IS DISTINCT FROM s.block_number)`,
		`SELECT format('settlement %s is %s by consumed nonces, and %s', s.id, s.state, CASE WHEN b.final IS NOT TRUE THEN 'the block of its proof is not final' ELSE 'its proof is older than a nonce of it, or one paid' END)
		   FROM settlements s LEFT JOIN blocks b ON b.chain_id = s.chain_id AND b.hash = s.proof_block
		  WHERE s.proof = 'nonces_consumed' AND (b.final IS NOT TRUE OR EXISTS (
		    SELECT 1 FROM transaction_items i JOIN transactions t ON t.id = i.transaction_id LEFT JOIN blocks c ON c.chain_id = t.chain_id AND c.hash = t.consumed_block
		     WHERE i.settlement_id = s.id AND (t.live OR t.outcome = 'paid' OR c.number > b.number)))`,
		`SELECT format('settlement %s is %s for its balance, and it has a hold', id, state) FROM settlements WHERE proof = 'insufficient_balance' AND hold_id IS NOT NULL`)
}

func (s settlementRow) contradicts(settled, revoked map[common.Hash]settlement.Event) string {
	event, paid := settled[s.Onchain]
	_, isRevoked := revoked[s.Onchain]
	switch {
	case s.State == settlement.Settled && !paid:
		return "and the chain has no Settled event of it"
	case s.State == settlement.Settled:
		if event.Vault != s.Vault || event.Token != s.Token || event.Party != s.To || event.Amount.Cmp(s.Amount) != 0 || event.TxHash != common.BytesToHash(s.TxHash) {
			return fmt.Sprintf("and its event in %s says something else", event.TxHash)
		}
	case paid:
		return fmt.Sprintf("but the chain paid it in %s", event.TxHash)
	case !s.State.Terminal():
		return ""
	case s.Proof == settlement.ProofRevoked && !isRevoked:
		return "by a Revoked event that the chain does not have"
	case s.Proof != settlement.ProofRevoked && s.Live:
		return "while a nonce of it may still pay"
	case s.Proof != settlement.ProofNoncesConsumed && s.Proof != settlement.ProofRevoked && s.Nonces > 0:
		return fmt.Sprintf("as if it never had a nonce, and it had %d", s.Nonces)
	case s.Proof == "":
		return "without any proof"
	}
	return ""
}

func (x *examination) byID(name settlement.EventName) map[common.Hash]settlement.Event {
	found := map[common.Hash]settlement.Event{}
	for _, e := range x.facts.Events {
		if e.Name == name {
			found[e.ID] = e
		}
	}
	return found
}
