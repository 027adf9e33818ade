package chain

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/settlement"
)

const (
	ancestorStep = 64    // headers compared at a time on the way down
	ancestorMax  = 4_096 // how far down a common block is looked for
)

// fork is where a node's chain leaves ours.
type fork struct {
	ancestor settlement.BlockRef // the highest block on both; if none was found, the node's block below all that was compared
	found    bool
	ours     settlement.BlockRef // our next block
	theirs   settlement.BlockRef // the node's
	node     string
}

// rewind goes back to a block that a node which denies the cursor also holds, if more nodes deny than hold what is given up;
// the next run asks again. If the deniers are on several branches, the highest such block is taken: it gives up the least, and
// one node's deep fork stops nobody.
func (f *Follower) rewind(ctx context.Context, lease settlement.Lease, at position, poll poll, progress *Progress) error {
	if !at.begun {
		return settlement.Errorf(settlement.Transient, "nodes disagree about the first block %d", f.cfg.StartBlock)
	}
	forks, err := gather(ctx, poll.against, func(ctx context.Context, v view) (fork, error) { return f.findFork(ctx, at, v) })
	if len(forks) == 0 {
		return settlement.Errorf(settlement.Transient, "reorg at block %d: %w", at.Number, err)
	}
	to := forks[0]
	for _, fork := range forks[1:] {
		if fork.ancestor.Number > to.ancestor.Number {
			to = fork
		}
	}
	if holders := poll.holders(to.ours.Number); len(forks) <= holders || to.ancestor.Number < at.Final.Number && len(forks) < f.cfg.NodesMin {
		return settlement.Errorf(settlement.Transient, "nodes disagree about block %d %s: %d deny it and %d hold it, final is %d; %s",
			to.ours.Number, to.ours.Hash, len(forks), holders, at.Final.Number, poll)
	}
	depth := at.Number - to.ancestor.Number
	f.log.WarnContext(ctx, "the chain was reorganised", "node", to.node, "block", to.ancestor.Number, "hash", to.ancestor.Hash,
		"ours", to.ours.Hash, "theirs", to.theirs.Hash, "depth", depth)
	err = f.store.Rewind(ctx, lease, f.cfg.ChainID, to.ancestor)
	if errors.Is(err, settlement.ErrBelowFinal) {
		return fmt.Errorf("%w: block %d is final here, and block %d is %s here and %s on node %s: %s: %w",
			ErrStopped, at.Final.Number, to.ours.Number, to.ours.Hash, to.theirs.Hash, to.node, to.advice(), err)
	}
	if err != nil {
		return fmt.Errorf("rewind to block %d %s: %w", to.ancestor.Number, to.ancestor.Hash, err)
	}
	progress.Cursor, progress.Rewound, progress.More = to.ancestor, depth, true
	return nil
}

// advice is what an operator can do about a fork below the final block.
func (f fork) advice() string {
	if !f.found {
		return "no common block was found; the node may serve another chain, or one that was begun anew"
	}
	return fmt.Sprintf("if that chain is the right one, run `starter reorg accept --block %s`, the last common block, %d", f.ancestor.Hash, f.ancestor.Number)
}

// findFork walks down from the cursor, or from the node's head if that is lower, comparing hashes at each height.
func (f *Follower) findFork(ctx context.Context, at position, v view) (fork, error) {
	e := v.endpoint
	top := min(at.Number, v.head.Number)
	above := fork{node: e.Name()} // what the last comparison found higher up
	var parent common.Hash
	for to := top; at.Number-to < ancestorMax; {
		from := to - min(to, ancestorStep-1)
		ours, err := f.recorded(ctx, at, from, to)
		if err != nil {
			return fork{}, err
		}
		theirs, err := f.reader.headersOf(ctx, e, from, to)
		if err != nil {
			return fork{}, err
		}
		if len(theirs) != int(to-from+1) || to != top && theirs[to-from].Hash != parent {
			return fork{}, errChanged(e)
		}
		parent = theirs[0].Parent
		for number := to; ; number-- {
			mine, known := ours[number]
			header := theirs[number-from]
			if !known {
				above.ancestor = header.BlockRef
				return above, nil
			}
			if header.Hash == mine && number == top {
				return fork{}, errChanged(e) // it denied this very block a moment ago
			}
			if header.Hash == mine {
				above.ancestor, above.found = header.BlockRef, true
				return above, nil
			}
			above.ours, above.theirs = settlement.BlockRef{Number: number, Hash: mine}, header.BlockRef
			if number == from {
				break
			}
		}
		if from == 0 {
			return fork{}, faultf(e, "its block 0 is not ours")
		}
		to = from - 1
	}
	above.ancestor = settlement.BlockRef{Number: above.theirs.Number - 1, Hash: parent}
	return above, nil
}

func errChanged(e *Endpoint) error {
	return settlement.Errorf(settlement.Transient, "node %s: its chain changed while it was read", e.Name())
}

// recorded is our chain by height. The block before the first one recorded counts as final and is known by hash only.
func (f *Follower) recorded(ctx context.Context, at position, from, to uint64) (map[uint64]common.Hash, error) {
	refs, err := f.store.Blocks(ctx, f.cfg.ChainID, from, to)
	if err != nil {
		return nil, fmt.Errorf("recorded blocks %d to %d: %w", from, to, err)
	}
	hashes := map[uint64]common.Hash{at.Final.Number: at.Final.Hash}
	for _, ref := range refs {
		hashes[ref.Number] = ref.Hash
	}
	return hashes, nil
}
