package chain

import (
	"context"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/settlement"
)

// poll is what the nodes say to the walk's cursor. A node whose head is below it on the same chain says nothing: it is
// behind, and a head that goes back is no reorg (T48).
type poll struct {
	with    []view // hold the cursor's block
	against []view // hold another block at its height, or end below it on another branch
}

// count sorts the views. Before the first block is recorded the largest party at the start block has it.
func (f *Follower) count(ctx context.Context, at position, views []view) (poll, error) {
	if !at.begun {
		return firstPoll(views), nil
	}
	var p poll
	for _, v := range views {
		theirs, ours, known := v.head.BlockRef, common.Hash{}, false
		if v.at != nil {
			theirs, ours, known = v.at.BlockRef, at.Hash, true
		} else {
			var err error
			if ours, known, err = f.hashAt(ctx, theirs.Number); err != nil {
				return poll{}, err
			}
		}
		switch {
		case !known || v.at == nil && ours == theirs.Hash: // behind
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
