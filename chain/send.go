package chain

import "github.com/quittance/quittance/settlement"

const (
	// bumpPatience is how many blocks an attempt is left alone before it counts as underpriced: the market's tip moves with every
	// block, and what was sent a moment ago is usually in the next one.
	bumpPatience = 1
	// bumpDeadline is how many blocks a workflow has to answer a request for a bump.
	bumpDeadline = 3
	// unpooledSendsMax is after how many sends an attempt that no node keeps raises an alert.
	unpooledSendsMax = 5
	// signingDeadline is how many blocks a remote signer may take before that raises an alert.
	signingDeadline = 3
)

// NodeView is what one node said when asked for the newest attempt by its hash.
type NodeView uint8

const (
	NodeSilent NodeView = iota // no answer: neither evidence nor reason to send
	NodeLacks
	NodeKnows
)

// Facts is all that decides what becomes of one nonce. Times are blocks; what was remembered rather than stored may be lost
// in a restart, which only delays.
type Facts struct {
	Kind       settlement.AttemptKind // of the newest attempt
	Fees       settlement.Fees
	Unsigned   bool       // a remote signer owes its bytes
	Mined      bool       // a canonical block holds this nonce, whoever's transaction it is
	Nodes      []NodeView // one per node
	Refusal    Class      // of the newest attempt's last send; empty if it was taken or nobody knows
	Unrunnable bool       // the payload can never run
	Cancel     bool       // an operator asked to cancel the settlement
	CancelSeen uint64     // the block at which that was first seen
	Sends      int        // since a node last knew it
	InRun      bool       // all lower nonces of the lane are unmined and below the market, or there is none
	Gap        bool       // the nonce right below is neither mined nor ours

	Now       uint64
	FirstSeen uint64 // the block at which this attempt was first looked at
	Asked     bool   // a bump of this very attempt was asked for
	AskedAt   uint64

	Market
	TipFloor   settlement.Amount
	CapCeiling settlement.Amount // of the lane
}

// Price says what to do about an attempt's price.
type Price uint8

const (
	PriceKeep   Price = iota
	PriceAsk          // ask the settlement's workflow for a bump
	PriceRaise        // replace it here: the workflow did not
	PriceFill         // replace the payload by a no-op
	PriceCancel       // replace the payload by a cancel: the workflow did not
)

// Alert is a state that a person should know of. It lasts as long as the facts do.
type Alert string

const (
	AlertNone     Alert = ""
	AlertCeiling  Alert = "fee ceiling"      // below the market, and no allowed price is above the present one
	AlertUnpooled Alert = "known to no node" // after several sends
	AlertFunds    Alert = "signer funds"     // nodes refuse it for want of funds
	AlertIdentity Alert = "signer refused"   // nodes refuse the signature, the chain id or the account
	AlertConflict Alert = "type conflict"    // another transaction family of this signer is pooled
	AlertRejected Alert = "no-op rejected"   // not even a no-op can run: nothing that this program can sign will
	AlertUnsigned Alert = "not signed"       // its remote signer has not signed it: away, or it refuses
	AlertGap      Alert = "gap below"        // a lower nonce is neither mined nor ours: nothing above it can be mined
)

// Step is the next act for one nonce.
type Step struct {
	Send  []int // the nodes that lack the newest attempt, by index
	Price Price
	Alert Alert
}

// Next decides. It is a function of its facts alone and never proposes an older attempt, another nonce or another payload
// than a no-op.
func (f Facts) Next() Step {
	if f.Mined {
		return Step{}
	}
	step := Step{Send: f.lacking(), Alert: f.alert()}
	switch {
	case f.Unsigned && !f.Cancel: // there is nothing to price until it is signed
	case (f.Unrunnable || f.Cancel) && !f.empties() && !f.canFill():
		step.Alert = AlertCeiling
	case f.Cancel && !f.empties():
		if f.since(f.CancelSeen) >= bumpDeadline {
			step.Price = PriceCancel
		}
	case f.Unrunnable && !f.empties():
		step.Price = PriceFill
	case !f.wantsBump():
	case !f.canBump():
		step.Alert = AlertCeiling
	case !f.Asked:
		step.Price = PriceAsk
	case f.since(f.AskedAt) >= bumpDeadline:
		step.Price = PriceRaise
	}
	return step
}

// wantsBump: refused for its price wherever it stands, or below the market in the contiguous run from the lane's head. A
// higher fee further up buys nothing while a lower nonce is missing.
func (f Facts) wantsBump() bool {
	if f.known() == 0 && (f.Refusal == Underpriced || f.Refusal == ReplaceUnderpriced) {
		return true
	}
	return f.InRun && f.belowMarket() && f.since(f.FirstSeen) >= bumpPatience
}

func (f Facts) canBump() bool {
	_, ok := Bump(f.Fees, f.Market, f.TipFloor, f.ceiling())
	return ok
}

func (f Facts) canFill() bool {
	_, ok := Bump(f.Fees, f.Market, f.TipFloor, UrgentCeiling(f.CapCeiling))
	return ok
}

func (f Facts) belowMarket() bool { return BelowMarket(f.Fees, f.Market, f.TipFloor) }

// empties reports whether the attempt does nothing but consume its nonce.
func (f Facts) empties() bool { return emptying(f.Kind) }

func emptying(kind settlement.AttemptKind) bool {
	return kind == settlement.AttemptNoop || kind == settlement.AttemptCancel
}

func (f Facts) ceiling() settlement.Amount { return ceilingOf(f.Kind, f.CapCeiling) }

func ceilingOf(kind settlement.AttemptKind, capCeiling settlement.Amount) settlement.Amount {
	if emptying(kind) {
		return UrgentCeiling(capCeiling)
	}
	return capCeiling
}

func (f Facts) alert() Alert {
	switch {
	case f.Unsigned && f.since(f.FirstSeen) >= signingDeadline:
		return AlertUnsigned
	case f.Unsigned, f.known() > 0:
		return AlertNone
	case f.Refusal == Funds:
		return AlertFunds
	case f.Refusal == Identity:
		return AlertIdentity
	case f.Refusal == TypeConflict:
		return AlertConflict
	case f.Refusal == Rejected && f.empties():
		return AlertRejected
	case f.Gap:
		return AlertGap
	case f.Sends >= unpooledSendsMax && len(f.lacking()) > 0:
		return AlertUnpooled
	}
	return AlertNone
}

func (f Facts) lacking() []int {
	var nodes []int
	for i, view := range f.Nodes {
		if view == NodeLacks {
			nodes = append(nodes, i)
		}
	}
	return nodes
}

func (f Facts) known() int {
	n := 0
	for _, view := range f.Nodes {
		if view == NodeKnows {
			n++
		}
	}
	return n
}

// since counts blocks and is 0 if the clock went back, as it does in a reorg.
func (f Facts) since(block uint64) uint64 {
	if f.Now < block {
		return 0
	}
	return f.Now - block
}

// markRun sets InRun and Gap along one lane, given head first: the run goes from its lowest unmined nonce upwards as long as
// each is below the market and no nonce is missing between them, nor one that is not signed.
func markRun(lane []*Facts, nonces []uint64, minedNonce uint64) {
	run, want := true, minedNonce
	for i, f := range lane {
		f.Gap = nonces[i] > want
		f.InRun = run && !f.Gap
		run = f.InRun && !f.Unsigned && (f.Mined || f.belowMarket())
		want = max(want, nonces[i]+1)
	}
}
