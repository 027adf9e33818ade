package settlement

import "errors"

// Head is where the listener of a chain stands, and the last readings of that chain which every settlement shares. The
// embedded reference is the newest block recorded: a node's own head may be ahead of it.
type Head struct {
	BlockRef
	Final    BlockRef // the newest block whose effects are booked
	BaseFee  Amount   // wei per gas
	GasLimit uint64
	Tip      Amount // wei per gas, not below the chain's floor
	Paused   bool
	Stopped  string // why the listener must not go on before an operator accepts a reorg; empty otherwise
}

// What the store answers to the listener. Each means that nothing was written, save that ErrBelowFinal leaves the head stopped.
var (
	// ErrLeaseLost: another holder acts now. Whoever sees it must stop at once.
	ErrLeaseLost = errors.New("the lease is lost")
	// ErrDiscontinuous: the block's parent is not the newest block recorded.
	ErrDiscontinuous = errors.New("the block does not continue the recorded chain")
	// ErrBelowFinal: the chain was reorganised below a block whose effects are booked.
	ErrBelowFinal = errors.New("the reorg is deeper than finality")
)
