package settlement

import "github.com/ethereum/go-ethereum/common"

// Reservation asks the ledger to claim a key and to hold its money.
type Reservation struct {
	Request
	RequestID string         // of the run that asks: asking again with the row's own id counts no hit
	Vault     common.Address // pinned by a new row; a stored row keeps its own
}

// Allocation asks the ledger for a nonce: the border commit behind which only the chain decides.
type Allocation struct {
	SettlementID int64
	Payload
	Fees
	MaxCost Amount           // wei this nonce may cost at most: gas limit x cap + value
	Signers []common.Address // whose keys the caller holds: no other lane's nonce is taken; none: any lane's
}

// AllocationOutcome is how an Allocation ended; each has been committed when it is returned.
type AllocationOutcome string

const (
	AllocatedNonce AllocationOutcome = "allocated" // Transaction holds the new nonce and its stored bytes
	AllocatedQueue AllocationOutcome = "queued"    // no free slot, or others queue first
	AllocatedWait  AllocationOutcome = "waiting"   // Reason says for what
	AllocatedLive  AllocationOutcome = "live"      // Transaction was there before: send its bytes, never new ones
)

// Allocated answers an Allocation.
type Allocated struct {
	Outcome     AllocationOutcome
	Reason      string
	Transaction *Transaction
}

// UnpaidProof is what the chain said before a settlement with consumed nonces may end unpaid (I7): the vault called the id
// unpaid at Block, which is final and not below any block that consumed one of its nonces.
type UnpaidProof struct {
	Block           BlockRef
	NoncesAllocated int // as read before the chain was asked; one more since then makes the proof stale
}

// Replacement is a new attempt for a nonce. It names the attempt that it replaces, so that one of several bumpers wins.
type Replacement struct {
	TransactionID    int64
	Replaces         common.Hash
	ReplacesUnsigned common.Hash // the signing hash instead, of an attempt that has no bytes
	Attempt          Attempt
}

// Names reports whether it is to replace that attempt.
func (r Replacement) Names(a Attempt) bool {
	if a.Signed() {
		return r.Replaces == a.Hash
	}
	return r.Replaces == (common.Hash{}) && r.ReplacesUnsigned == a.SigningHash
}

// Replacing makes a replacement of a nonce's newest attempt.
func Replacing(t Transaction, by Attempt) Replacement {
	r := Replacement{TransactionID: t.ID, Replaces: t.Newest.Hash, Attempt: by}
	if !t.Newest.Signed() {
		r.ReplacesUnsigned = t.Newest.SigningHash
	}
	return r
}
