package chain

import (
	"errors"
	"fmt"
	"slices"

	"github.com/quittance/quittance/settlement"
)

// ErrNoFinalizedTag: finality was configured to follow the finalized tag, and too few nodes offer it.
var ErrNoFinalizedTag = errors.New("no finalized block")

// Finality says from when on the chain's content counts for ever: once Depth blocks follow a block on the walked chain, and,
// with Tag, once the nodes also call it or a descendant of it finalized.
type Finality struct {
	Tag   bool
	Depth uint64
}

// FinalityByDepth is for chains without a finalized tag, or with one that cannot be trusted.
func FinalityByDepth(depth uint64) Finality { return Finality{Depth: depth} }

// FinalityByTag believes the finalized tag, but calls nothing final that fewer than depth blocks follow.
func FinalityByTag(depth uint64) Finality { return Finality{Tag: true, Depth: depth} }

// mark is the number of the newest final block on a walked chain that ends at head. ok is false if nothing is final yet.
// tags are the finalized blocks of the nodes that hold the walked chain, nil for a node that names none. The mark is a
// number, and the walked chain says which block that is.
func (f Finality) mark(head uint64, tags []*settlement.BlockRef) (number uint64, ok bool, err error) {
	if head < f.Depth {
		return 0, false, nil
	}
	number = head - f.Depth
	if !f.Tag {
		return number, true, nil
	}
	agreed, err := agreedTag(tags)
	if err != nil {
		return 0, false, err
	}
	return min(number, agreed), true, nil
}

// agreedTag is the highest number that more than half of the nodes call finalized, counting those that name none against.
func agreedTag(tags []*settlement.BlockRef) (uint64, error) {
	var numbers []uint64
	for _, tag := range tags {
		if tag != nil {
			numbers = append(numbers, tag.Number)
		}
	}
	majority := len(tags)/2 + 1
	if len(numbers) < majority {
		return 0, fmt.Errorf("%d of %d nodes name one: %w", len(numbers), len(tags), ErrNoFinalizedTag)
	}
	slices.Sort(numbers)
	return numbers[len(numbers)-majority], nil
}
