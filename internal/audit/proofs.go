package audit

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// paidOnce looks at the chain alone: no id may have two Settled events, nor a Settled and a Revoked one.
func paidOnce(_ context.Context, _ pgx.Tx, r *Report) (Finding, error) {
	f := Finding{Invariant: "I2", Title: "a settlement's payment executes on chain at most once", Broken: []string{}}
	seen := map[common.Hash]settlement.Event{}
	for _, e := range r.facts.Events {
		if e.Name != settlement.EventSettled && e.Name != settlement.EventRevoked {
			continue
		}
		f.Checked++
		if earlier, twice := seen[e.ID]; twice {
			f.Broken = append(f.Broken, fmt.Sprintf("id %s: %s in %s and %s in %s", e.ID, earlier.Name, earlier.TxHash, e.Name, e.TxHash))
		}
		seen[e.ID] = e
	}
	return f, nil
}

// proofs compares each ended settlement with what the node says of its id.
func proofs(ctx context.Context, tx pgx.Tx, r *Report) (Finding, error) {
	f := Finding{Invariant: "I7", Title: "posted holds have an equal final Settled event, voided ones the proof of the opposite", Broken: []string{}}
	settled, revoked := byID(r.facts.Events, settlement.EventSettled), byID(r.facts.Events, settlement.EventRevoked)
	rows, err := tx.Query(ctx, `SELECT s.id, s.onchain_id, s.vault, s.token, s.destination, s.amount, s.state, coalesce(s.proof, ''), coalesce(s.tx_hash, ''::bytea), s.nonces_allocated,
		EXISTS (SELECT 1 FROM transaction_items i WHERE i.settlement_id = s.id AND i.live AND i.pays)
		FROM settlements s WHERE s.chain_id = $1 AND s.state IN ('settled', 'failed', 'cancelled')`, r.ChainID)
	if err != nil {
		return f, err
	}
	var id int64
	var onchain, vault, token, to, txHash []byte
	var amount settlement.Amount
	var state, proof string
	var nonces int
	var live bool
	_, err = pgx.ForEachRow(rows, []any{&id, &onchain, &vault, &token, &to, &amount, &state, &proof, &txHash, &nonces, &live}, func() error {
		f.Checked++
		tell := func(format string, args ...any) {
			f.Broken = append(f.Broken, fmt.Sprintf("settlement %d (%s): ", id, common.BytesToHash(onchain))+fmt.Sprintf(format, args...))
		}
		event, paid := settled[common.BytesToHash(onchain)]
		switch {
		case state == string(settlement.Settled) && !paid:
			tell("is settled, the chain has no Settled event at block %d", r.Block)
		case state == string(settlement.Settled):
			if event.Vault != common.BytesToAddress(vault) || event.Token != common.BytesToAddress(token) || event.Party != common.BytesToAddress(to) ||
				event.Amount.Cmp(amount) != 0 || event.TxHash != common.BytesToHash(txHash) {
				tell("differs from its event in %s", event.TxHash)
			}
		case paid:
			tell("is %s, but the chain paid it in %s", state, event.TxHash)
		case live:
			tell("is %s while a nonce of it may still pay", state)
		case proof == string(settlement.ProofRevoked):
			if _, found := revoked[common.BytesToHash(onchain)]; !found {
				tell("is %s by a Revoked event that the chain does not have", state)
			}
		case proof == string(settlement.ProofNeverAllocated) && nonces > 0:
			tell("ended as never allocated, with %d nonces", nonces)
		}
		return nil
	})
	return f, err
}

func byID(events []settlement.Event, name settlement.EventName) map[common.Hash]settlement.Event {
	found := map[common.Hash]settlement.Event{}
	for _, e := range events {
		if e.Name == name {
			found[e.ID] = e
		}
	}
	return found
}

// eventsOnce compares effects with the node's events, one to one.
func eventsOnce(ctx context.Context, tx pgx.Tx, r *Report) (Finding, error) {
	f := Finding{Invariant: "I8", Title: "each final event took effect once or is in quarantine, and every effect has its event", Broken: []string{}}
	type place struct {
		tx    common.Hash
		index uint64
	}
	effects, parked := map[place]int{}, map[place]bool{}
	rows, err := tx.Query(ctx, `SELECT tx_hash, tx_log_index, true FROM effects WHERE chain_id = $1 AND reversed_at IS NULL
		UNION ALL SELECT tx_hash, tx_log_index, false FROM quarantine WHERE chain_id = $1 AND released_at IS NULL`, r.ChainID)
	if err != nil {
		return f, err
	}
	var hash []byte
	var at place
	var effect bool
	if _, err := pgx.ForEachRow(rows, []any{&hash, &at.index, &effect}, func() error {
		at.tx = common.BytesToHash(hash)
		if effect {
			effects[at]++
		} else {
			parked[at] = true
		}
		return nil
	}); err != nil {
		return f, err
	}
	for _, e := range r.facts.Events {
		switch e.Name {
		case settlement.EventSettled, settlement.EventDeposited, settlement.EventRevoked, settlement.EventWithdrawn:
		case settlement.EventOther, settlement.EventUnknown:
			continue
		}
		f.Checked++
		at := place{e.TxHash, e.TxLogIndex}
		if n := effects[at]; n != 1 && (n != 0 || !parked[at]) {
			f.Broken = append(f.Broken, fmt.Sprintf("%s in %s (log %d of it) took effect %d times", e.Name, e.TxHash, e.TxLogIndex, n))
		}
		delete(effects, at)
	}
	for at := range effects {
		f.Broken = append(f.Broken, fmt.Sprintf("an effect names log %d of %s, which the chain does not have at block %d", at.index, at.tx, r.Block))
	}
	early, err := broken(ctx, tx, `SELECT format('effect %s comes from block %s, which is not final', e.id, encode(e.block_hash, 'hex')) FROM effects e
		LEFT JOIN blocks b ON b.chain_id = e.chain_id AND b.hash = e.block_hash WHERE b.final IS NOT TRUE`)
	f.Broken = append(f.Broken, early...)
	return f, err
}
