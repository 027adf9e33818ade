// Package activities holds the steps of a settlement's workflow. It owns the small interfaces that the steps need of the
// books and of the chain, the payloads that travel through Temporal, and the one place where a kind of error becomes a
// Temporal error. It may import settlement only, and must never decide from memory what the row can tell: every step begins
// by reading the row, so that it may run twice, late, or after the settlement has ended.
package activities

import (
	"context"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/settlement"
)

// Books is the row of a settlement. Each method is one commit, or none when it only reads.
type Books interface {
	// Reserve claims the key and holds the money. Again with the same meaning it returns the stored row and writes at most a
	// hit; with another meaning it fails with kind Conflict and writes nothing else. Too small a balance is no error: the row
	// it returns is Failed.
	Reserve(ctx context.Context, r settlement.Reservation) (settlement.Settlement, error)
	// Settlement reads the row and its live nonce in one snapshot; NotFound if there is none.
	Settlement(ctx context.Context, key settlement.Key) (settlement.Settlement, error)
	// Wait moves the row to Waiting and takes a grant back. Again with the same reason it only moves the wake-up. It is Stale
	// once a nonce is live or the row has ended.
	Wait(ctx context.Context, id int64, reason string) error
	// FailUnpaid ends the row by I7's proof and voids the hold. Again it is Stale, as it is when a nonce was allocated since
	// the proof was made; a proof that does not reach far enough is Transient.
	FailUnpaid(ctx context.Context, id int64, reason string, proof settlement.UnpaidProof) error
	// CancelUnpaid is FailUnpaid for a settlement that an operator asked to end.
	CancelUnpaid(ctx context.Context, id int64, reason string, proof settlement.UnpaidProof) error
}

// Nonces is the border behind which only the chain decides.
type Nonces interface {
	// Allocate takes a nonce and stores its payload, with its signed bytes if the key is here, in one commit, or says why not. Again it returns the live nonce that
	// the first call made: it never takes a second. sign is called inside the commit, at most once per try, and must neither
	// block nor remember anything.
	Allocate(ctx context.Context, a settlement.Allocation, sign func(signer common.Address, nonce uint64) (settlement.Attempt, error)) (settlement.Allocated, error)
	// StoreBytes is the second commit of a remote signer's attempt. Whoever comes second gets the stored bytes with won = false and
	// must throw its own away. Stale: a newer attempt took its place.
	StoreBytes(ctx context.Context, transactionID int64, signed settlement.Attempt) (stored settlement.Attempt, won bool, err error)
	// RecordRefusal notes the last refusal of an attempt. Again it overwrites the note with the same words.
	RecordRefusal(ctx context.Context, attempt common.Hash, class, text string) error
	// MarkUnrunnable notes that a nonce's payload can never run; the lane keeper then fills the nonce. Again it changes nothing.
	MarkUnrunnable(ctx context.Context, transactionID int64, text string) error
}

// Ledger is what the steps need of Postgres.
type Ledger interface {
	Books
	Nonces
}

// Chain is what the steps need of the settlement's chain. Nothing here writes to Postgres.
type Chain interface {
	// Estimate simulates the payment once, from an operator. It only reads: repeat at will. It never blames the recipient for
	// what a single node says.
	Estimate(ctx context.Context, s settlement.Settlement) (settlement.Estimate, error)
	// Sign makes the signed bytes of a payment, and checks that they recover to the signer and carry the nonce, the payload
	// and the fees. It is pure computation: it must not do IO, since it runs inside a commit. For a lane whose key is at a remote
	// signer it makes the payload with its signing hash alone.
	Sign(s settlement.Settlement, e settlement.Estimate, signer common.Address, nonce uint64) (settlement.Attempt, error)
	// SignStored asks a remote signer for the bytes of the newest attempt, outside of any commit, and checks them like Sign. Again it
	// asks for the same payload. Transient: the signer is away, or refuses.
	SignStored(ctx context.Context, t settlement.Transaction) (settlement.Attempt, error)
	// Broadcast offers stored bytes to the endpoints. Again it offers the same bytes, which is harmless: they hold one nonce.
	// An error means that no endpoint answered.
	Broadcast(ctx context.Context, s settlement.Settlement, attempt settlement.Attempt) (settlement.Sent, error)
	// Unpaid asks the vault about the id at one final block. unpaid is false if the id is used. It only reads.
	Unpaid(ctx context.Context, s settlement.Settlement) (at settlement.BlockRef, unpaid bool, err error)
}

// Replacer is the lane keeper's own code for nonces that are out, which the steps Replace, Cancel and Revoke share.
type Replacer interface {
	// Replace stores an attempt with higher fees for the newest attempt's payload and sends it. It names the attempt that it
	// replaces: of two calls one wins, and the other sends the winner's bytes. At the fee ceiling it re-sends the newest.
	Replace(ctx context.Context, chainID uint64, t settlement.Transaction) error
	// Cancel stores an attempt that does nothing but take the nonce, in the place of the newest attempt, and sends it. Again, or
	// beside somebody else's, it sends the bytes that won. What is mined decides.
	Cancel(ctx context.Context, chainID uint64, t settlement.Transaction) error
	// Revoke takes a nonce for a call that marks the settlement's id as used in its vault, stores its bytes in the same commit,
	// and sends them. Again it sends what the first call stored: a settlement has one live revoke.
	Revoke(ctx context.Context, s settlement.Settlement) error
}

// Activities is the receiver of the steps; one serves all runs of a worker.
type Activities struct {
	Ledger   Ledger
	Chain    Chain
	Replacer Replacer
}
