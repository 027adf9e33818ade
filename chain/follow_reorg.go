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
	ancestor settlement.BlockRef // the highest block on both; below Ours and Theirs
	ours     settlement.BlockRef // our next block
	theirs   settlement.BlockRef // the node's
}

// rewind goes back to the highest block that the node also holds; the next run walks its branch.
func (f *Follower) rewind(ctx context.Context, lease settlement.Lease, at position, leader view, progress *Progress) error {
	if !at.begun {
		return settlement.Errorf(settlement.Transient, "nodes disagree about the first block %d", f.cfg.StartBlock)
	}
	fork, err := f.findFork(ctx, at, leader)
	if err != nil {
		return fmt.Errorf("reorg at block %d: %w", at.Number, err)
	}
	f.log.WarnContext(ctx, "the chain was reorganised", "node", leader.endpoint.Name(), "block", fork.ancestor.Number, "hash", fork.ancestor.Hash,
		"ours", fork.ours.Hash, "theirs", fork.theirs.Hash, "depth", at.Number-fork.ancestor.Number)
	err = f.store.Rewind(ctx, lease, f.cfg.ChainID, fork.ancestor)
	if errors.Is(err, settlement.ErrBelowFinal) {
		return fmt.Errorf("%w: block %d is final here and a node's chain leaves ours after block %d: block %d is %s here and %s on %s. "+
			"If that chain is the right one, run `starter reorg accept --block %s`: %w",
			ErrStopped, at.Final.Number, fork.ancestor.Number, fork.ours.Number, fork.ours.Hash, fork.theirs.Hash, leader.endpoint.Name(), fork.ancestor.Hash, err)
	}
	if err != nil {
		return fmt.Errorf("rewind to block %d %s: %w", fork.ancestor.Number, fork.ancestor.Hash, err)
	}
	progress.Cursor, progress.NodeHead, progress.Rewound, progress.More = fork.ancestor, leader.head.Number, at.Number-fork.ancestor.Number, true
	return nil
}

// findFork walks down from the cursor, or from the node's head if that is lower, comparing hashes at each height.
func (f *Follower) findFork(ctx context.Context, at position, leader view) (fork, error) {
	e := leader.endpoint
	top := min(at.Number, leader.head.Number)
	var above fork // what the last comparison found higher up
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
			if !known {
				return fork{}, fmt.Errorf("none of the recorded blocks down to %d is on the chain of node %s", number+1, e.Name())
			}
			header := theirs[number-from]
			if header.Hash == mine && number == top {
				return fork{}, errChanged(e) // it denied this very block a moment ago
			}
			if header.Hash == mine {
				above.ancestor = header.BlockRef
				return above, nil
			}
			above.ours, above.theirs = settlement.BlockRef{Number: number, Hash: mine}, header.BlockRef
			if number == from {
				break
			}
		}
		if from == 0 {
			return fork{}, fmt.Errorf("node %s has another block 0", e.Name())
		}
		to = from - 1
	}
	return fork{}, fmt.Errorf("no common block within %d of the cursor on node %s", ancestorMax, e.Name())
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
