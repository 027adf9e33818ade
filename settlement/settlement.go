package settlement

import (
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// Settlement is one row as it was read: a snapshot, true when read. What follows from it must be guarded again by the
// statement that acts on it.
type Settlement struct {
	ID        int64
	OnchainID common.Hash
	Vault     common.Address // pinned at reserve
	RequestID string         // of the run whose Reserve wrote the row
	Request

	State     State
	Reason    string // why it waits or failed, for people; empty otherwise
	CreatedAt time.Time
	ChangedAt time.Time

	NoncesAllocated int          // ever; 0 means no chain verdict is needed to end it
	Wish            Wish         // what an operator asked for; from then on no new paying nonce
	WishReason      string       // who asked, and why; empty without a wish
	RevokeOut       bool         // a nonce of kind revoke is live
	GasDoublings    int          // out-of-gas reverts so far: each doubles the gas limit, at most twice
	Live            *Transaction // the nonce not yet consumed in a final block; nil if none

	TxHash      *common.Hash // of the paying transaction, once mined
	BlockNumber *uint64      // where it was mined
	Proof       Proof        // why it ended unpaid; empty otherwise
}

// Proof names why a settlement ended without payment (I7).
type Proof string

const (
	ProofInsufficientBalance Proof = "insufficient_balance" // the customer's balance did not cover the hold; nothing was held
	ProofNeverAllocated      Proof = "never_allocated"      // no nonce was ever allocated to it
	ProofNoncesConsumed      Proof = "nonces_consumed"      // every nonce finally consumed without payment, and the vault says unpaid at a final block
	ProofRevoked             Proof = "revoked"              // a final Revoked event
)

// Wish is how an operator wants a settlement to end. It is never taken back; a cancel may become a revoke.
type Wish string

const (
	WishCancel Wish = "cancel" // end it unpaid: at once without a nonce, else what is mined decides
	WishRevoke Wish = "revoke" // have the vault mark its id as used, so that no bytes of ours can ever pay it
)

// Act is what a settlement's workflow does next. It is derived from the row alone, since signals carry no facts.
type Act string

const (
	ActSubmit  Act = "submit"  // no live nonce, and nothing it waits for
	ActReplace Act = "replace" // the lane keeper asked for higher fees
	ActCancel  Act = "cancel"  // an operator asked: let an empty transaction compete for the live nonce
	ActRevoke  Act = "revoke"  // an operator asked: send the vault a revoke, with a nonce of its own
	ActAwait   Act = "await"   // sleep until the next signal
	ActFinish  Act = "finish"  // terminal
)

// Next decides from the row alone. Without a live nonce the answer is always to submit: a Submit that finds no free slot,
// or the reason to wait unchanged, writes nothing new and the workflow sleeps until the next signal. With a wish, Submit ends
// the settlement instead, by proof. A payment in a block is left to its block: only a reorg makes it contestable again.
func (s Settlement) Next() Act {
	switch {
	case s.State.Terminal():
		return ActFinish
	case s.Wish != "" && s.State == Mined:
		return ActAwait
	case s.Wish == WishRevoke && !s.RevokeOut:
		return ActRevoke
	case s.Wish == WishRevoke && s.Live == nil:
		return ActAwait
	case s.Wish == WishCancel && s.Live != nil && s.Live.Newest.Kind == AttemptPay:
		return ActCancel
	case s.Live != nil && s.Live.BumpAsked:
		return ActReplace
	case s.Live != nil:
		return ActAwait
	}
	return ActSubmit
}

// Transaction is one nonce of one signer. It stays live until some transaction with that nonce is in a final block.
type Transaction struct {
	ID        int64
	LaneID    int64
	Signer    common.Address
	Nonce     uint64
	Kind      TransactionKind
	BumpAsked bool    // the lane keeper asked for an attempt with higher fees than Newest
	Newest    Attempt // the only attempt that is ever re-sent; older ones are watched
}

// TransactionKind says what a nonce was allocated for.
type TransactionKind string

const (
	KindPay    TransactionKind = "pay"
	KindRevoke TransactionKind = "revoke"
	KindNoop   TransactionKind = "noop"
)

// AttemptKind says what the signed bytes do; within one transaction it changes from pay to cancel at most.
type AttemptKind string

const (
	AttemptPay    AttemptKind = "pay"
	AttemptRevoke AttemptKind = "revoke"
	AttemptCancel AttemptKind = "cancel" // zero-value transfer to the signer itself
	AttemptNoop   AttemptKind = "noop"   // the same, to fill a nonce whose payload can never run
)

// Payload is what an attempt does, without its fees.
type Payload struct {
	To       common.Address
	Value    Amount // wei
	Data     []byte
	GasLimit uint64
}

// Fees are EIP-1559 fees in wei per gas.
type Fees struct {
	Cap Amount
	Tip Amount
}

// Attempt is one signed byte string for one nonce, committed before it is broadcast (I4). A remote signer's attempt is
// committed twice: first without Hash and Raw, then with them.
type Attempt struct {
	Hash        common.Hash
	SigningHash common.Hash // what the signer signs; the ledger derives it from Raw where that is there
	Kind        AttemptKind
	Payload
	Fees
	Raw []byte // the signed transaction, RLP with its type byte
}

// Signed reports whether there are bytes to send. A remote signer's attempt has none until its second commit.
func (a Attempt) Signed() bool { return len(a.Raw) > 0 }

// Same reports whether two attempts carry the same payload and fees under the same nonce, and the same bytes where both have some.
func (a Attempt) Same(b Attempt) bool {
	if a.Signed() && b.Signed() {
		return a.Hash == b.Hash
	}
	return a.SigningHash == b.SigningHash
}
