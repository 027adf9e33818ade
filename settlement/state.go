package settlement

import "fmt"

// State is where a settlement stands. The database refuses every move that Moves does not list.
type State string

const (
	Requested State = "requested" // reserved; no nonce was allocated, or all of them are finally consumed without payment
	Queued    State = "queued"    // waits for a free slot of a lane
	Waiting   State = "waiting"   // waits for the reason named in Reason to pass
	Submitted State = "submitted" // a nonce is allocated; the border is that commit, not the broadcast
	Mined     State = "mined"     // a payment is in a block that is not final
	Settled   State = "settled"   // final, paid, posted
	Failed    State = "failed"    // final, not paid, by proof
	Cancelled State = "cancelled" // final, not paid, by proof, because an operator asked
)

// States lists every state in the order of a settlement's life.
var States = []State{Requested, Queued, Waiting, Submitted, Mined, Settled, Failed, Cancelled}

// Terminal states never change again, save by a recorded correction after a reorg deeper than finality.
func (s State) Terminal() bool { return s == Settled || s == Failed || s == Cancelled }

// BeforeNonce lists the states in which no live nonce exists, so that a guarded update alone may end the settlement if
// none was ever allocated.
func (s State) BeforeNonce() bool { return s == Requested || s == Queued || s == Waiting }

// ParseState reads a state's name.
func ParseState(text string) (State, error) {
	for _, s := range States {
		if string(s) == text {
			return s, nil
		}
	}
	return "", fmt.Errorf("state %q is unknown", text)
}

// moves mirrors the table settlement_moves of the migrations; a test compares both.
var moves = map[State][]State{
	Requested: {Queued, Waiting, Submitted, Settled, Failed, Cancelled},
	Queued:    {Requested, Waiting, Submitted, Settled, Failed, Cancelled},
	Waiting:   {Requested, Queued, Submitted, Settled, Failed, Cancelled},
	Submitted: {Requested, Mined, Settled, Failed, Cancelled},
	Mined:     {Requested, Submitted, Settled, Failed, Cancelled},
}

// CanMove reports whether a settlement may go from one state to another.
func CanMove(from, to State) bool {
	for _, s := range moves[from] {
		if s == to {
			return true
		}
	}
	return false
}

// Moves returns every legal move as pairs.
func Moves() [][2]State {
	var pairs [][2]State
	for _, from := range States {
		for _, to := range moves[from] {
			pairs = append(pairs, [2]State{from, to})
		}
	}
	return pairs
}
