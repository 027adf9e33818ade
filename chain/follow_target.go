package chain

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/settlement"
)

// target is how far one run may walk: the headers to record, linked to the cursor and to one another.
type target struct {
	steps    []nodeHeader
	nodeHead uint64 // the highest head of those who hold the last step
	holders  int    // how many do
}

// target is the part of the chain after the cursor that more than half of the nodes hold, among those that are past the
// cursor at all. A node with the highest head is not followed for that alone: it may be on a branch of its own, and the next
// run would have to come back. Nodes at different heights are compared at the lowest one; the higher ones go on alone
// in the next run.
func (f *Follower) target(ctx context.Context, at position, with []view) (target, error) {
	first := at.Number + 1
	if !at.begun {
		first = f.cfg.StartBlock
	}
	var voters []view
	for _, v := range with {
		if v.head.Number >= first {
			voters = append(voters, v)
		}
	}
	if len(voters) == 0 {
		return target{}, nil
	}
	last := first + uint64(f.cfg.BlocksPerRun) - 1
	for _, v := range voters {
		last = min(last, v.head.Number)
	}
	party, hash, err := f.elect(ctx, voters, last)
	if err != nil {
		return target{}, err
	}
	leader := highest(party)
	steps := []nodeHeader{leader.head}
	if leader.head.Number != first {
		if steps, err = f.reader.headersOf(ctx, leader.endpoint, first, last); err != nil {
			return target{}, settlement.Errorf(settlement.Transient, "what follows block %d: %w", at.Number, err)
		}
	}
	switch {
	case len(steps) == 0 || steps[len(steps)-1].Hash != hash:
		return target{}, errChanged(leader.endpoint)
	case at.begun && steps[0].Parent != at.Hash:
		return target{}, settlement.Errorf(settlement.Transient, "node %s: its block %d %s does not follow our %d %s, which it also holds",
			leader.endpoint.Name(), steps[0].Number, steps[0].Hash, at.Number, at.Hash)
	}
	return target{steps: steps, nodeHead: leader.head.Number, holders: len(party)}, nil
}

// elect finds the block at a height that more than half of the voters hold.
func (f *Follower) elect(ctx context.Context, voters []view, height uint64) (party []view, hash common.Hash, err error) {
	same := true
	for _, v := range voters {
		same = same && v.head.BlockRef == voters[0].head.BlockRef
	}
	asked := voters
	if same {
		asked = voters[:1] // the same head has the same ancestors: one node may speak for all
	}
	holdings, err := gather(ctx, asked, func(ctx context.Context, v view) (holding, error) {
		if v.head.Number == height {
			return holding{v, v.head.Hash}, nil
		}
		headers, err := f.reader.headersOf(ctx, v.endpoint, height, height)
		if err != nil || len(headers) != 1 {
			return holding{}, fmt.Errorf("block %d on node %s: %w", height, v.endpoint.Name(), err)
		}
		return holding{v, headers[0].Hash}, nil
	})
	if len(holdings) == 0 {
		return nil, common.Hash{}, settlement.Errorf(settlement.Transient, "which block follows: %w", err)
	}
	if same {
		return voters, holdings[0].hash, nil
	}
	parties := map[common.Hash][]view{}
	for _, h := range holdings {
		if parties[h.hash] = append(parties[h.hash], h.view); 2*len(parties[h.hash]) > len(holdings) {
			party, hash = parties[h.hash], h.hash
		}
	}
	if party == nil {
		return nil, common.Hash{}, settlement.Errorf(settlement.Transient, "nodes disagree about block %d: %v", height, holdings)
	}
	return party, hash, nil
}

// holding is what a node holds at a height.
type holding struct {
	view view
	hash common.Hash
}

func (h holding) String() string { return h.view.endpoint.Name() + " has " + h.hash.Hex() }

// highest is the view with the highest head among some.
func highest(some []view) view {
	best := some[0]
	for _, v := range some[1:] {
		if v.head.Number > best.head.Number {
			best = v
		}
	}
	return best
}
