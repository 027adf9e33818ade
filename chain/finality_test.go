package chain

import (
	"context"
	"errors"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
	"pgregory.net/rapid"

	"github.com/quittance/quittance/settlement"
)

func tagsOf(numbers ...int) []*settlement.BlockRef {
	tags := make([]*settlement.BlockRef, len(numbers))
	for i, n := range numbers {
		if n >= 0 {
			tags[i] = &settlement.BlockRef{Number: uint64(n)}
		}
	}
	return tags
}

func TestTheMarkIsADepthBelowTheHeadOrWhatMostNodesCallFinalized(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name     string
		finality Finality
		head     uint64
		tags     []*settlement.BlockRef
		mark     uint64
		ok       bool
		err      error
		why      string
	}{
		{"depth", FinalityByDepth(5), 12, nil, 7, true, nil, "five blocks follow block 7"},
		{"a young chain", FinalityByDepth(5), 4, nil, 0, false, nil, "no block has five successors"},
		{"block 0", FinalityByDepth(5), 5, nil, 0, true, nil, "block 0 has exactly five"},
		{"tag", FinalityByTag(0), 100, tagsOf(64), 64, true, nil, "one node's word is a majority of one"},
		{"a tag at the head", FinalityByTag(0), 64, tagsOf(64), 64, true, nil, "geth's dev chain does that"},
		{"a tag above the walked head", FinalityByTag(0), 50, tagsOf(64), 50, true, nil, "never above the head"},
		{"a tag nearer than the depth", FinalityByTag(10), 70, tagsOf(64), 60, true, nil, "both must hold"},
		{"three nodes", FinalityByTag(0), 100, tagsOf(96, 32, 64), 64, true, nil, "two of three call 64 final"},
		{"two nodes", FinalityByTag(0), 100, tagsOf(96, 64), 64, true, nil, "more than half of two is two"},
		{"one liar of three", FinalityByTag(0), 100, tagsOf(100, 32, 32), 32, true, nil, "outvoted"},
		{"one of three names none", FinalityByTag(0), 100, tagsOf(-1, 32, 64), 32, true, nil, "it counts against"},
		{"no tag", FinalityByTag(0), 100, tagsOf(-1), 0, false, ErrNoFinalizedTag, "the node lacks it"},
		{"two of three name none", FinalityByTag(0), 100, tagsOf(-1, 64, -1), 0, false, ErrNoFinalizedTag, "no majority"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			mark, ok, err := tc.finality.mark(tc.head, tc.tags)
			if mark != tc.mark || ok != tc.ok || !errors.Is(err, tc.err) {
				t.Errorf("mark is %d, %t, %v; want %d, %t, %v: %s", mark, ok, err, tc.mark, tc.ok, tc.err, tc.why)
			}
		})
	}
}

func TestTheMarkIsNeverAboveTheHeadLessTheDepthAndMostNodesReachIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := Finality{Tag: rapid.Bool().Draw(t, "tag"), Depth: rapid.Uint64Range(0, 20).Draw(t, "depth")}
		head := rapid.Uint64Range(0, 100).Draw(t, "head")
		tags := tagsOf(rapid.SliceOfN(rapid.IntRange(-1, 120), 1, 5).Draw(t, "tags")...)
		mark, ok, err := f.mark(head, tags)
		if !ok || err != nil {
			return
		}
		if mark+f.Depth > head {
			t.Fatalf("mark %d with depth %d at head %d", mark, f.Depth, head)
		}
		reach := 0
		for _, tag := range tags {
			if tag != nil && tag.Number >= mark {
				reach++
			}
		}
		if f.Tag && 2*reach <= len(tags) {
			t.Fatalf("%d of %d nodes call block %d finalized", reach, len(tags), mark)
		}
	})
}

// finalizes lies about the finalized tag; nil is a node without it.
func (l *liar) finalizes(number *uint64) {
	l.lies(func(method string, params []any, truth any) any {
		if method != "eth_getBlockByNumber" || params[0] != "finalized" {
			return truth
		}
		if number == nil {
			return rpcError{-32000, "finalized block not found"}
		}
		return l.answer(context.Background(), rpcQuestion{Method: method, Params: []any{hexutil.EncodeUint64(*number), params[1]}}, nil)
	})
}

func TestFinalityByTagFollowsTheTagForwardOnlyAndNamesItsAbsence(t *testing.T) {
	t.Parallel()
	var node *liar
	w := newWalkTest(t, FollowConfig{Finality: FinalityByTag(1)}, func(s *sealed) map[string]*rpc.Client {
		node = newLiar(t, s.rpc)
		return map[string]*rpc.Client{"node": node.client}
	})
	final := func() uint64 { return w.store.final.Number }
	tag := uint64(4)
	node.finalizes(&tag)
	w.commits(9)
	w.run()
	if final() != 4 {
		t.Fatalf("final is %d with the tag at 4", final())
	}
	back := uint64(2)
	node.finalizes(&back)
	w.commit()
	w.run()
	if final() != 4 {
		t.Fatalf("final is %d after the tag went back", final())
	}
	forward := uint64(7)
	node.finalizes(&forward)
	w.run()
	if final() != 7 {
		t.Fatalf("final is %d with the tag at 7", final())
	}
	node.finalizes(nil)
	w.commit()
	if err := w.runFails(); !errors.Is(err, ErrNoFinalizedTag) {
		t.Fatalf("error is %v", err)
	}
	if w.store.head() != w.head() || final() != 7 {
		t.Errorf("cursor %d of %d, final %d: a missing tag must hold up finality alone", w.store.head().Number, w.head().Number, final())
	}
}
