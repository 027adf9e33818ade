package chain

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/quittance/quittance/settlement"
)

// branch is a chain as a node holds it, by height.
type branch []settlement.BlockRef

// branchNow is the node's canonical chain.
func (s *sealed) branchNow() branch {
	s.t.Helper()
	var b branch
	for number := uint64(0); number <= s.head().Number; number++ {
		b = append(b, s.at(new(big.Int).SetUint64(number)))
	}
	return b
}

// staysOn lies that a branch is the canonical chain, whatever the node behind has reorganised since.
func (l *liar) staysOn(b branch) {
	byHash := func(number uint64, full any) any {
		if number >= uint64(len(b)) {
			return nil
		}
		return l.answer(context.Background(), rpcQuestion{Method: "eth_getBlockByHash", Params: []any{b[number].Hash, full}}, nil)
	}
	l.lies(func(method string, params []any, truth any) any {
		if method != "eth_getBlockByNumber" {
			return truth
		}
		if params[0] == "latest" {
			return byHash(uint64(len(b)-1), params[1])
		}
		number, err := hexutil.DecodeUint64(params[0].(string))
		if err != nil {
			return truth
		}
		return byHash(number, params[1])
	})
}

// trio is a walk over three nodes.
func newTrio(t *testing.T, cfg FollowConfig) (*walkTest, []*liar) {
	t.Helper()
	var nodes []*liar
	w := newWalkTest(t, cfg, func(s *sealed) map[string]*rpc.Client {
		clients := map[string]*rpc.Client{}
		for _, name := range []string{"a", "b", "c"} {
			node := newLiar(t, s.rpc)
			nodes = append(nodes, node)
			clients[name] = node.client
		}
		return clients
	})
	return w, nodes
}

func TestOneNodeOnAnotherBranchIsOutvotedHoweverHighItsHead(t *testing.T) {
	t.Parallel()
	w, nodes := newTrio(t, FollowConfig{})
	w.commits(3)
	fork := w.head()
	w.commits(9)
	strange := w.branchNow()
	w.fork(fork)
	w.commits(2)
	nodes[1].staysOn(strange)
	w.run()
	w.wantFollowed(3)
	w.commits(3)
	w.run()
	w.wantFollowed(3)
	if w.store.rewinds != 0 {
		t.Errorf("%d rewinds", w.store.rewinds)
	}
}

func TestAReorgIsFollowedOnceMostNodesHaveIt(t *testing.T) {
	t.Parallel()
	w, nodes := newTrio(t, FollowConfig{})
	w.commits(3)
	fork := w.head()
	w.commits(2)
	w.run()
	old := w.branchNow()
	w.fork(fork)
	w.commits(3)
	nodes[0].staysOn(old)
	nodes[1].staysOn(old)
	if p := w.run(); p.Rewound != 0 || p.Recorded != 0 {
		t.Fatalf("one node's reorg was followed: %+v", p)
	}
	nodes[1].lies(nil)
	w.run()
	w.wantFollowed(3)
	if w.store.rewinds != 1 {
		t.Errorf("%d rewinds, want 1", w.store.rewinds)
	}
}

func TestAsManyNodesForAsAgainstTheCursorMoveNothingAndAreNamed(t *testing.T) {
	t.Parallel()
	w, nodes := newTrio(t, FollowConfig{})
	w.commits(3)
	fork := w.head()
	w.commits(2)
	w.run()
	old := w.branchNow()
	w.fork(fork)
	w.commits(3)
	before := w.store.head()
	nodes[0].staysOn(old)
	nodes[1].lies(func(method string, _ []any, _ any) any { return rpcError{-32603, "down"} })
	err := w.runFails()
	for _, part := range []string{"disagree", "a has 6 " + before.Hash.Hex(), "c has 6 "} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error lacks %q: %v", part, err)
		}
	}
	if w.store.head() != before {
		t.Errorf("the cursor moved from %+v to %+v", before, w.store.head())
	}
	nodes[1].lies(nil)
	w.run()
	w.wantFollowed(3)
}

func TestANodeThatLagsBehindHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	w, nodes := newTrio(t, FollowConfig{})
	w.commits(6)
	w.run()
	nodes[0].endsAt(2)
	w.commits(4)
	w.run()
	w.wantFollowed(3)
}

func TestNothingIsFinalBeforeEnoughNodesHaveReachedItsDepth(t *testing.T) {
	t.Parallel()
	w, nodes := newTrio(t, FollowConfig{})
	w.run()
	nodes[0].endsAt(2)
	nodes[2].endsAt(8)
	w.commits(11)
	w.run()
	if w.store.head() != w.head() || w.store.final.Number != 5 {
		t.Fatalf("the cursor is %d of %d, final is %d; two nodes of three have reached block 8, so 5 is final",
			w.store.head().Number, w.head().Number, w.store.final.Number)
	}
	nodes[0].lies(nil)
	w.run()
	w.wantFollowed(3)
}

func TestAHangingNodeHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	w, nodes := newTrio(t, FollowConfig{})
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	nodes[2].lies(func(_ string, _ []any, truth any) any {
		<-release
		return truth
	})
	w.commits(5)
	w.run()
	w.wantFollowed(3)
}

func TestTooFewNodesRecordBlocksButMakeNoneFinal(t *testing.T) {
	t.Parallel()
	w, nodes := newTrio(t, FollowConfig{NodesMin: 2})
	w.run()
	for _, node := range nodes[1:] {
		node.lies(func(string, []any, any) any { return rpcError{-32603, "down"} })
	}
	w.commits(6)
	err := w.runFails()
	if !strings.Contains(err.Error(), "nothing is made final: 1 nodes are on the recorded chain, of 2") {
		t.Errorf("error is %v", err)
	}
	if w.store.head() != w.head() || len(w.store.finalized) != 0 {
		t.Errorf("the cursor is %d of %d, final are %v", w.store.head().Number, w.head().Number, w.store.finalized)
	}
	nodes[1].lies(nil)
	w.run()
	w.wantFollowed(3)
}

func TestOneNodesDeepForkStopsNobodyWhileTheOthersLag(t *testing.T) {
	t.Parallel()
	w, nodes := newTrio(t, FollowConfig{})
	w.commits(9)
	w.run()
	ours := w.head()
	w.fork(w.at(new(big.Int)))
	strange := w.branchNow()
	w.fork(ours)
	nodes[0].endsAt(0)
	nodes[1].endsAt(0)
	nodes[2].staysOn(strange)
	err := w.runFails()
	if errors.Is(err, ErrStopped) || !strings.Contains(err.Error(), "1 deny it") {
		t.Errorf("error is %v", err)
	}
	if w.store.stopped != "" || w.store.head() != ours {
		t.Errorf("stopped %q, cursor %d", w.store.stopped, w.store.head().Number)
	}
	for _, node := range nodes {
		node.lies(nil)
	}
	w.run()
	w.wantFollowed(3)
}

func TestNodesThatLagHoldWhatIsRecordedUpToTheirHeads(t *testing.T) {
	t.Parallel()
	w, nodes := newTrio(t, FollowConfig{Finality: FinalityByDepth(8)})
	w.commits(4)
	fork := w.head()
	w.commits(4)
	w.run()
	ours := w.head()
	lagging := w.branchNow()[:ours.Number]
	w.fork(fork)
	w.commits(6)
	nodes[0].staysOn(lagging)
	nodes[1].staysOn(lagging)
	if err := w.runFails(); !strings.Contains(err.Error(), "1 deny it and 2 hold it") {
		t.Errorf("error is %v", err)
	}
	if w.store.head() != ours {
		t.Errorf("one node's reorg was followed to %d", w.store.head().Number)
	}
	nodes[0].lies(nil)
	w.run()
	w.wantFollowed(8)
}
