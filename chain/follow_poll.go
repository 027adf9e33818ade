package chain

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/settlement"
)

// poll is what the nodes say to the walk's cursor. A node whose head is below it on the same chain is behind: it says nothing
// of the cursor, and holds what is recorded up to its head. A head that goes back is no reorg (T48).
type poll struct {
	with    []view // hold the cursor's block
	against []view // hold another block at its height, or end below it on another branch
	behind  []view // end below it on the recorded chain
}

// count sorts the views. Before the first block is recorded the largest party at the start block has it.
func (f *Follower) count(ctx context.Context, at position, views []view) (poll, error) {
	if !at.begun {
		return firstPoll(views), nil
	}
	var p poll
	for _, v := range views {
		theirs := v.head.BlockRef
		var ours common.Hash
		var known bool
		if v.at != nil {
			theirs, ours, known = v.at.BlockRef, at.Hash, true
		} else {
			var err error
			if ours, known, err = f.hashAt(ctx, theirs.Number); err != nil {
				return poll{}, err
			}
		}
		switch {
		case !known: // ends below all that is recorded
		case v.at == nil && ours == theirs.Hash:
			p.behind = append(p.behind, v)
		case ours == theirs.Hash:
			p.with = append(p.with, v)
		default:
			p.against = append(p.against, v)
		}
	}
	return p, nil
}

func firstPoll(views []view) poll {
	parties := map[common.Hash][]view{}
	var largest common.Hash
	for _, v := range views {
		if v.at == nil {
			continue
		}
		parties[v.at.Hash] = append(parties[v.at.Hash], v)
		if len(parties[v.at.Hash]) > len(parties[largest]) {
			largest = v.at.Hash
		}
	}
	p := poll{with: parties[largest]}
	for hash, party := range parties {
		if hash != largest {
			p.against = append(p.against, party...)
		}
	}
	return p
}

// holders is how many nodes hold the recorded block at a height.
func (p poll) holders(height uint64) int {
	n := len(p.with)
	for _, v := range p.behind {
		if v.head.Number >= height {
			n++
		}
	}
	return n
}

// heldBy is the newest recorded block that so many nodes hold: those behind hold what is recorded up to their heads.
func (p poll) heldBy(nodes int, cursor uint64) (uint64, error) {
	var heights []uint64
	for range p.with {
		heights = append(heights, cursor)
	}
	for _, v := range p.behind {
		heights = append(heights, v.head.Number)
	}
	if len(heights) < nodes {
		return 0, fmt.Errorf("%d nodes are on the recorded chain, of %d that it takes", len(heights), nodes)
	}
	slices.Sort(heights)
	return heights[len(heights)-nodes], nil
}

// reorged: more nodes deny the cursor's block than hold it.
func (p poll) reorged() bool { return len(p.against) > len(p.with) }

// tags are the finalized blocks that the nodes on the walked chain name.
func (p poll) tags() []*settlement.BlockRef {
	tags := make([]*settlement.BlockRef, len(p.with))
	for i, v := range p.with {
		tags[i] = v.finalized
	}
	return tags
}

// String lists who holds which block.
func (p poll) String() string {
	var said []string
	for _, v := range append(append([]view{}, p.with...), p.against...) {
		block := v.head
		if v.at != nil {
			block = *v.at
		}
		said = append(said, fmt.Sprintf("%s has %d %s", v.endpoint.Name(), block.Number, block.Hash))
	}
	return strings.Join(said, ", ")
}
