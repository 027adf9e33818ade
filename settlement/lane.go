package settlement

import (
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// LaneState says what a lane may do. Whatever it is, transactions that are out stay supervised.
type LaneState string

const (
	LaneActive   LaneState = "active"
	LaneDraining LaneState = "draining" // no new nonces, by an operator's wish
	LaneFrozen   LaneState = "frozen"   // no new nonces, because somebody else used the signer's key
	LaneRemoved  LaneState = "removed"
)

// Unmined is one nonce that no canonical block holds yet, as the lane keeper sees it.
type Unmined struct {
	Transaction
	Key        Key          // of the settlement that owns it; the zero Key for a no-op
	LaneState  LaneState    //
	CapCeiling Amount       // of the lane, wei per gas
	MinedNonce uint64       // the chain's count for this signer at the last block
	CreatedAt  time.Time    // when the nonce was allocated
	AskedFor   *common.Hash // the attempt that a bump was asked for last
	AskedBlock uint64       // when
	Unrunnable string       // why its payload can never run; empty otherwise
	Wish       Wish         // of the settlement
	Refusal    string       // class of the newest attempt's last refusal; empty if it was accepted
}

// Unsigned is a nonce whose newest attempt waits for a remote signer. Its lane waits behind it.
type Unsigned struct {
	Transaction
	Key   Key       // of the settlement that owns it
	Since time.Time // when the attempt was committed
}
