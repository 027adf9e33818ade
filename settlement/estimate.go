package settlement

import "github.com/ethereum/go-ethereum/common"

// Verdict is what one simulation of a payment said. Only VerdictRefused can end a settlement, and only with I7's proof.
type Verdict string

const (
	VerdictPayable Verdict = "payable" // Payload, Fees and MaxCost are ready for an allocation
	VerdictWait    Verdict = "wait"    // a passing cause, or a node's doubtful answer
	VerdictIDUsed  Verdict = "id_used" // the vault knows the id: paid or revoked, and only the final event says which
	VerdictRefused Verdict = "refused" // reverts for this recipient at one block on a majority of healthy nodes
)

// Estimate is the answer of the simulation with what a nonce for it would carry.
type Estimate struct {
	Verdict Verdict
	Reason  string // for people; empty if payable
	Payload
	Fees
	MaxCost Amount           // wei: gas limit x cap + value
	Signers []common.Address // who could sign it here
}

// SendOutcome is what the endpoints said to one broadcast. None of them takes the nonce back.
type SendOutcome string

const (
	SendAccepted   SendOutcome = "accepted"   // taken, or known before; it may still be dropped from a pool
	SendUnsure     SendOutcome = "unsure"     // an answer that no rule recognises: possibly sent
	SendRefused    SendOutcome = "refused"    // no endpoint took it, for the reason in Class; the lane keeper goes on
	SendUnrunnable SendOutcome = "unrunnable" // the payload can never run: its nonce must be filled by a no-op
)

// Sent is the outcome of one broadcast; Class and Text are empty if it was accepted.
type Sent struct {
	Outcome SendOutcome
	Class   string // of the table of send errors
	Text    string // the node's words
}
