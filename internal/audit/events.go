package audit

import (
	"context"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// paidOnce: I2. On the chain no id may have two Settled events, nor a Settled and a Revoked one; in the books no settlement may
// have two nonces that paid.
func (x *examination) paidOnce(ctx context.Context, f *Finding) error {
	f.Invariant, f.Title = "I2", "a settlement's payment executes on chain at most once"
	f.ByTest = "in every history of crashes, retries, duplicates, reorgs and restores"
	seen := map[common.Hash]settlement.Event{}
	for _, e := range x.facts.Events {
		if e.Name != settlement.EventSettled && e.Name != settlement.EventRevoked {
			continue
		}
		f.Checked++
		if earlier, twice := seen[e.ID]; twice {
			f.tell("id %s: %s in %s and %s in %s", e.ID, earlier.Name, earlier.TxHash, e.Name, e.TxHash)
		}
		seen[e.ID] = e
	}
	return x.broken(ctx, f, `SELECT format('settlement %s was paid by %s nonces', i.settlement_id, count(*)) FROM transaction_items i
		JOIN transactions t ON t.id = i.transaction_id WHERE t.outcome = 'paid' GROUP BY i.settlement_id HAVING count(*) > 1`)
}

// place is where an event is, whatever block holds it.
type place struct {
	tx    common.Hash
	index uint64
}

// effectRow is an effect as the books have it.
type effectRow struct {
	Tx       common.Hash
	Index    uint64
	Kind     string
	Vault    common.Address
	Key      []byte
	Token    []byte
	Party    []byte
	Amount   *settlement.Amount
	Customer []byte             // deposited: whom the transfer credits
	Onchain  []byte             // settled, revoked: the settlement's id
	Moved    *settlement.Amount // by its transfer
}

// effectsOf says which effect an event may have.
var effectsOf = map[settlement.EventName][]string{
	settlement.EventSettled: {"settled", "unexplained"}, settlement.EventDeposited: {"deposited"},
	settlement.EventRevoked: {"revoked"}, settlement.EventWithdrawn: {"withdrawn"}, settlement.EventUnknown: nil,
}

// eventsOnce: I8. It compares the effects with the node's events, one to one and field by field.
func (x *examination) eventsOnce(ctx context.Context, f *Finding) error {
	f.Invariant, f.Title = "I8", "each final event took effect once as it says or is in quarantine, and every effect has its final event"
	f.ByTest = "however often and at whatever log index it is seen"
	effects, err := x.effects(ctx)
	if err != nil {
		return err
	}
	parked, err := x.quarantined(ctx)
	if err != nil {
		return err
	}
	for _, e := range x.facts.Events {
		allowed, matters := effectsOf[e.Name]
		if !matters {
			continue
		}
		f.Checked++
		at := place{e.TxHash, e.TxLogIndex}
		found := effects[at]
		delete(effects, at)
		switch {
		case len(found) == 0 && parked[at]:
		case len(found) != 1:
			f.tell("%s in %s (log %d of it) took effect %d times", e.Name, e.TxHash, e.TxLogIndex, len(found))
		case !found[0].fits(e, allowed):
			f.tell("%s in %s (log %d of it) took another effect than it says: %s", e.Name, e.TxHash, e.TxLogIndex, found[0].Kind)
		}
	}
	for at := range effects {
		f.tell("an effect names log %d of %s, which the chain does not have at block %d", at.index, at.tx, x.at.Number)
	}
	return x.brokenWith(ctx, f, `
		SELECT format('effect %s comes from block 0x%s, which is not final', e.id, encode(e.block_hash, 'hex')) FROM effects e
		  LEFT JOIN blocks b ON b.chain_id = e.chain_id AND b.hash = e.block_hash WHERE e.chain_id = $1 AND e.reversed_at IS NULL AND b.final IS NOT TRUE
		UNION ALL
		SELECT format('final block %s 0x%s is not the child of a final block', b.number, encode(b.hash, 'hex')) FROM blocks b
		 WHERE b.chain_id = $1 AND b.final AND b.number > $2::bigint AND NOT EXISTS (
		   SELECT 1 FROM blocks p WHERE p.chain_id = b.chain_id AND p.hash = b.parent AND p.final AND p.number = b.number - 1)
		UNION ALL
		SELECT format('block %s 0x%s is called final, the final block is %s', b.number, encode(b.hash, 'hex'), $3::bigint) FROM blocks b
		 WHERE b.chain_id = $1 AND b.final AND (b.number > $3::bigint OR b.number = $3::bigint AND b.hash <> $4::bytea)`,
		x.Chain.ChainID, int64(x.Chain.StartBlock), int64(x.at.Number), x.at.Hash.Bytes())
}

// fits compares the fields that the event has with those of the effect and of what it moved.
func (e effectRow) fits(event settlement.Event, allowed []string) bool {
	kindFits := false
	for _, kind := range allowed {
		kindFits = kindFits || kind == e.Kind
	}
	if !kindFits || e.Vault != event.Vault {
		return false
	}
	if event.Name != settlement.EventWithdrawn && common.BytesToHash(e.Key) != event.ID {
		return false
	}
	if event.Name != settlement.EventRevoked &&
		(common.BytesToAddress(e.Token) != event.Token || common.BytesToAddress(e.Party) != event.Party || e.Amount == nil || e.Amount.Cmp(event.Amount) != 0) {
		return false
	}
	switch e.Kind {
	case "deposited":
		return common.BytesToHash(e.Customer) == event.ID && e.Moved != nil && e.Moved.Cmp(event.Amount) == 0
	case "settled":
		return common.BytesToHash(e.Onchain) == event.ID && e.Moved != nil && e.Moved.Cmp(event.Amount) == 0
	case "revoked":
		return common.BytesToHash(e.Onchain) == event.ID
	}
	return e.Moved == nil || e.Moved.Cmp(event.Amount) == 0 // an unregistered token moves nothing
}

func (x *examination) effects(ctx context.Context) (map[place][]effectRow, error) {
	rows, err := x.tx.Query(ctx, `
		SELECT e.tx_hash, e.tx_log_index, e.kind, e.vault, e.event_key, e.token, e.party, e.amount, a.customer_id, s.onchain_id, t.amount
		  FROM effects e LEFT JOIN settlements s ON s.id = e.settlement_id
		  LEFT JOIN LATERAL ( -- a payment that came back after a deep reorg is moved by the transfer of its first effect
			SELECT t.amount, t.credit_account FROM transfers t
			 WHERE (t.effect_id = e.id OR e.kind = 'settled' AND t.settlement_id = e.settlement_id AND t.leg = 'payment') AND t.reverses_id IS NULL
			 ORDER BY t.effect_id = e.id DESC LIMIT 1) t ON true
		  LEFT JOIN accounts a ON a.id = t.credit_account AND e.kind = 'deposited'
		 WHERE e.chain_id = $1 AND e.reversed_at IS NULL`, x.Chain.ChainID)
	if err != nil {
		return nil, err
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[effectRow])
	found := map[place][]effectRow{}
	for _, e := range all {
		at := place{e.Tx, e.Index}
		found[at] = append(found[at], e)
	}
	return found, err
}

func (x *examination) quarantined(ctx context.Context) (map[place]bool, error) {
	rows, err := x.tx.Query(ctx, `SELECT tx_hash, tx_log_index FROM quarantine WHERE chain_id = $1 AND released_at IS NULL`, x.Chain.ChainID)
	if err != nil {
		return nil, err
	}
	parked := map[place]bool{}
	var at place
	_, err = pgx.ForEachRow(rows, []any{&at.tx, &at.index}, func() error { parked[at] = true; return nil })
	if len(parked) > 0 {
		x.note("%d events are in quarantine and wait for an operator", len(parked))
	}
	return parked, err
}
