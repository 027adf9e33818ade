package ledger

import (
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/settlement"
)

// effect is what one final event does to the books, decided and not yet written.
type effect struct {
	event    eventRow
	kind     effectKind
	fact     *fact       // settled, revoked
	account  *accountRow // deposited
	asset    *assetRow   // what the transfer moves
	transfer *movement   // nil: nothing to book
	end      *ending     // nil: no settlement ends
	again    bool        // settled: the event came back after a deep reorg, and the books stand already
	repay    *movement   // deposited: what suspense paid when the same deposit vanished
	alarm    string      // also kept in quarantine, for this reason
}

type effectKind string

const (
	effectSettled     effectKind = "settled"
	effectDeposited   effectKind = "deposited"
	effectRevoked     effectKind = "revoked"
	effectWithdrawn   effectKind = "withdrawn"
	effectUnexplained effectKind = "unexplained"
)

// movement is one transfer.
type movement struct {
	debit, credit int64
	amount        settlement.Amount
	phase, leg    string
	pendingID     int64 // the hold that it resolves; 0 if none
}

// ending is the terminal state that a settlement moves to.
type ending struct {
	state  settlement.State
	reason string
	proof  settlement.Proof
}

// plan decides what each event and each consumed nonce of the block does: events first, since they say what the nonces paid.
// What takes no effect goes to quarantine. It reads only what is locked, and writes nothing but quarantine.
func (f *finalizing) plan() []posting {
	var postings []posting
	ended := map[int64]bool{} // settlements that this block ends
	for _, e := range f.events {
		if e.done {
			continue
		}
		effect, parked := f.decide(e, ended)
		if effect == nil {
			f.quarantine(e, parked)
			continue
		}
		if effect.end != nil || effect.again {
			ended[effect.fact.ID] = true
		}
		postings = append(postings, posting{effect: effect})
	}
	for _, m := range f.mined {
		if c := f.consume(m, ended); c != nil {
			postings = append(postings, posting{nonce: c})
		}
	}
	return postings
}

// decide returns the event's effect, or why it takes none.
func (f *finalizing) decide(e eventRow, ended map[int64]bool) (*effect, string) {
	vault, known := f.vaultAccount(e.vault)
	if !known {
		return nil, fmt.Sprintf("vault %s is not registered", e.vault)
	}
	switch e.name {
	case settlement.EventSettled:
		return f.decideSettled(e, vault, ended), ""
	case settlement.EventRevoked:
		return f.decideRevoked(e, ended)
	case settlement.EventDeposited:
		return f.decideDeposited(e, vault)
	case settlement.EventWithdrawn:
		asset, problem := f.assetOf(e)
		if asset == nil {
			return nil, problem
		}
		move := &movement{debit: f.system[kindFunding], credit: vault, amount: e.amount, phase: "posted", leg: "withdrawal"}
		return &effect{event: e, kind: effectWithdrawn, asset: asset, transfer: move}, ""
	default:
		return nil, "not decoded: " + e.problem
	}
}

// decideSettled posts the hold of a settlement that the event pays exactly. Any other payment is money gone that nobody
// asked for: it is booked as unexplained, if its token is one of ours, and alarmed.
func (f *finalizing) decideSettled(e eventRow, vault int64, ended map[int64]bool) *effect {
	s := f.byID[e.key]
	alarm := ""
	if s != nil && s.lost && !ended[s.ID] && len(differing(e, s)) == 0 {
		return &effect{event: e, kind: effectSettled, fact: s, again: true}
	}
	switch {
	case s == nil:
		alarm = fmt.Sprintf("settlement id %s is unknown", e.key)
	case len(differing(e, s)) > 0:
		alarm = fmt.Sprintf("settlement %s was paid with another %s", s.Key, strings.Join(differing(e, s), ", "))
	case s.State.Terminal():
		alarm = fmt.Sprintf("settlement %s was paid although it is %s", s.Key, s.State)
	case ended[s.ID]:
		alarm = fmt.Sprintf("settlement %s ended twice in one block", s.Key)
	}
	if alarm == "" {
		move := &movement{debit: s.hold.debit, credit: s.hold.credit, amount: s.Amount, phase: "posted", leg: "payment", pendingID: s.hold.id}
		return &effect{event: e, kind: effectSettled, fact: s, asset: f.assets[e.token], transfer: move, end: &ending{state: settlement.Settled}}
	}
	unexplained := &effect{event: e, kind: effectUnexplained, alarm: alarm}
	if asset, _ := f.assetOf(e); asset != nil {
		unexplained.asset = asset
		unexplained.transfer = &movement{debit: f.system[kindUnexplained], credit: vault, amount: e.amount, phase: "posted", leg: "unexplained"}
	}
	return unexplained
}

// differing names the fields in which a Settled event is not what the settlement asked for.
func differing(e eventRow, s *fact) []string {
	var fields []string
	for _, field := range []struct {
		name   string
		equals bool
	}{
		{"vault", e.vault == s.Vault}, {"token", e.token == s.Asset.Token}, {"recipient", e.party == s.To}, {"amount", e.amount == s.Amount},
	} {
		if !field.equals {
			fields = append(fields, field.name)
		}
	}
	return fields
}

// decideRevoked ends the settlement unpaid: its id can never be paid again. If a revoke of our own was committed an operator
// asked for it, and the settlement is cancelled; otherwise it failed.
func (f *finalizing) decideRevoked(e eventRow, ended map[int64]bool) (*effect, string) {
	s := f.byID[e.key]
	switch {
	case s == nil:
		return nil, fmt.Sprintf("settlement id %s is unknown", e.key)
	case e.vault != s.Vault:
		return nil, fmt.Sprintf("settlement %s was revoked at another vault", s.Key)
	case s.State == settlement.Settled || ended[s.ID]:
		return nil, fmt.Sprintf("settlement %s was revoked although it is paid", s.Key)
	case s.State.Terminal():
		return &effect{event: e, kind: effectRevoked, fact: s}, ""
	}
	end := &ending{state: settlement.Failed, reason: "revoked on chain", proof: settlement.ProofRevoked}
	if s.Wish != "" {
		end.state, end.reason = settlement.Cancelled, s.WishReason
	}
	move := &movement{debit: s.hold.debit, credit: s.hold.credit, amount: s.Amount, phase: "voided", leg: "release", pendingID: s.hold.id}
	return &effect{event: e, kind: effectRevoked, fact: s, asset: f.assets[s.Asset.Token], transfer: move, end: end}, ""
}

// decideDeposited credits a customer that we know with a token that we know. Any other deposit stays in the vault as a
// surplus that the audit reports: whose it is, an operator must find out.
func (f *finalizing) decideDeposited(e eventRow, vault int64) (*effect, string) {
	asset, problem := f.assetOf(e)
	if asset == nil {
		return nil, problem
	}
	account, known := f.customer[e.key]
	if !known {
		return nil, fmt.Sprintf("customer id %s is unknown", e.key)
	}
	move := &movement{debit: vault, credit: account.id, amount: e.amount, phase: "posted", leg: "deposit"}
	deposit := &effect{event: e, kind: effectDeposited, account: &account, asset: asset, transfer: move}
	if back := smallest(e.short, e.amount); !back.IsZero() {
		deposit.repay = &movement{debit: account.id, credit: f.system[kindSuspense], amount: back}
	}
	return deposit, ""
}

func smallest(a, b settlement.Amount) settlement.Amount {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

// assetOf is the registered asset that an event moves, or why it moves none.
func (f *finalizing) assetOf(e eventRow) (*assetRow, string) {
	asset := f.assets[e.token]
	switch {
	case asset == nil:
		return nil, fmt.Sprintf("token %s is not registered", e.token)
	case e.amount.IsZero():
		return nil, "the amount is zero"
	}
	return asset, ""
}

// pays says whether the block holds the event that pays a settlement in one transaction.
func (f *finalizing) pays(tx common.Hash, s *fact) bool {
	for _, e := range f.events {
		if e.name == settlement.EventSettled && e.txHash == tx && e.key == s.OnchainID && len(differing(e, s)) == 0 {
			return true
		}
	}
	return false
}
