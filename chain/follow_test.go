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

// walkTest follows a sealed chain from block 1 into a store in memory.
type walkTest struct {
	*sealed
	store    *memStore
	follower *Follower
}

func newWalkTest(t testing.TB, cfg FollowConfig, clients func(*sealed) map[string]*rpc.Client) *walkTest {
	t.Helper()
	w := &walkTest{sealed: newSealed(t), store: newMemStore(1)}
	var nodes map[string]*rpc.Client
	if clients != nil {
		nodes = clients(w.sealed)
	}
	cfg.ChainID, cfg.StartBlock = readChainID, 1
	if cfg.Finality == (Finality{}) {
		cfg.Finality = FinalityByDepth(3)
	}
	var err error
	watched := func(context.Context) (Watched, error) { return w.watched(), nil }
	if w.follower, err = NewFollower(cfg, w.pool(nodes), w.store, watched, quiet()); err != nil {
		t.Fatal(err)
	}
	return w
}

// run follows until nothing is left to do.
func (w *walkTest) run() Progress {
	w.t.Helper()
	var total Progress
	for range 200 {
		p, err := w.follower.RunOnce(context.Background(), testLease)
		if err != nil {
			w.t.Fatalf("run: %v", err)
		}
		rest := p.Recorded == 0 && p.Finalized == 0 && p.Rewound == 0
		p.Recorded, p.Finalized, p.Rewound = p.Recorded+total.Recorded, p.Finalized+total.Finalized, p.Rewound+total.Rewound
		if total = p; rest {
			return total
		}
	}
	w.t.Fatalf("200 runs did not come to rest: %+v", total)
	return total
}

func (w *walkTest) runFails() error {
	w.t.Helper()
	_, err := w.follower.RunOnce(context.Background(), testLease)
	if err == nil {
		w.t.Fatal("the run succeeds, want an error")
	}
	return err
}

func (w *walkTest) commits(n int) {
	w.t.Helper()
	for range n {
		w.commit()
	}
}

// wantFollowed fails unless the store holds the node's chain up to its head and is final up to a depth below it.
func (w *walkTest) wantFollowed(depth uint64) {
	w.t.Helper()
	head := w.head()
	for number := w.store.start; number <= head.Number; number++ {
		want := w.at(new(big.Int).SetUint64(number))
		if got := w.store.recorded(number).BlockRef; got != want {
			w.t.Fatalf("block %d is recorded as %s, the node has %s", number, got.Hash, want.Hash)
		}
	}
	at, err := w.store.Head(context.Background(), readChainID)
	if err != nil {
		w.t.Fatal(err)
	}
	if at.BlockRef != head {
		w.t.Fatalf("the cursor is %d, the node's head %d", at.Number, head.Number)
	}
	if want := max(head.Number, depth) - depth; at.Final.Number != want {
		w.t.Fatalf("final is block %d of %d, want %d", at.Final.Number, head.Number, want)
	}
	if len(w.store.repeated) != 0 {
		w.t.Fatalf("effects took place twice: %v", w.store.repeated)
	}
}

// T56 https://github.com/smartcontractkit/chainlink-evm/pull/431
func TestT56EveryBlockIsRecordedAlsoTheEmptyOnesAndMadeFinalInOrder(t *testing.T) {
	t.Parallel()
	w := newWalkTest(t, FollowConfig{}, nil)
	payment := w.settle("order-1", 5)
	w.commits(6)
	w.run()
	w.wantFollowed(3)
	for i, number := range w.store.finalized {
		if number != uint64(i)+1 {
			t.Fatalf("blocks became final in the order %v", w.store.finalized)
		}
	}
	if len(eventOf(t, w.store.recorded(2), payment.Hash()).Topics) == 0 {
		t.Error("the payment's event is not in block 2")
	}
	if p := w.run(); p.Recorded != 0 || p.Finalized != 0 {
		t.Errorf("a run with nothing new did %+v", p)
	}
}

func TestOneRunDoesABoundedAmountAndSaysThatThereIsMore(t *testing.T) {
	t.Parallel()
	w := newWalkTest(t, FollowConfig{BlocksPerRun: 4}, nil)
	w.commits(9) // and the block of the deployment
	for run, want := range []Progress{{Recorded: 4, More: true}, {Recorded: 4, More: true}, {Recorded: 2}} {
		p, err := w.follower.RunOnce(context.Background(), testLease)
		if err != nil {
			t.Fatal(err)
		}
		if p.Recorded != want.Recorded || p.More != want.More {
			t.Fatalf("run %d: %+v, want %+v", run, p, want)
		}
	}
	w.run()
	w.wantFollowed(3)
}

func TestReadingsAreTakenAtTheHeadAndCarriedThroughTheBlocksBelow(t *testing.T) {
	t.Parallel()
	w := newWalkTest(t, FollowConfig{}, nil)
	w.send(w.owner, &w.vault, 0, vaultABI.PackPause())
	w.commit()
	w.run()
	w.send(w.owner, &w.vault, 0, vaultABI.PackUnpause())
	w.commits(3)
	w.run()
	for number, want := range map[uint64]struct{ read, paused bool }{1: {false, false}, 2: {true, true}, 3: {false, true}, 4: {false, true}, 5: {true, false}} {
		got := w.store.recorded(number).Reads
		if read := got.Signers != nil; read != want.read || got.VaultPaused != want.paused || got.Tip.IsZero() {
			t.Errorf("readings of block %d are %+v, want read %t, paused %t, and a tip", number, got, want.read, want.paused)
		}
	}
}

// T47 https://github.com/FuelLabs/fuel-explorer/pull/674
func TestT47AReorgReplacesTheBlockAndMovesThePaymentToAnotherBlockAndLogIndex(t *testing.T) {
	t.Parallel()
	w := newWalkTest(t, FollowConfig{}, nil)
	fork := w.head()
	payment := w.settle("order-1", 125)
	first := w.commit()
	w.run()
	before := eventOf(t, w.store.recorded(first.Number), payment.Hash())

	w.fork(fork)          // seals an empty block where the payment was
	w.deposit("alice", 7) // its logs come first
	w.resend(payment)
	moved := w.commit()
	w.run()
	w.wantFollowed(3)
	after := eventOf(t, w.store.recorded(moved.Number), payment.Hash())
	if moved.Number == first.Number || after.LogIndex == before.LogIndex || after.TxLogIndex != before.TxLogIndex {
		t.Fatalf("the payment went from block %d, log %d (%d in its transaction) to block %d, log %d (%d)",
			first.Number, before.LogIndex, before.TxLogIndex, moved.Number, after.LogIndex, after.TxLogIndex)
	}
	if got := w.store.recorded(first.Number); got.Hash == first.Hash || len(got.Events) != 0 {
		t.Errorf("block %d is still recorded with its orphaned content: %+v", first.Number, got)
	}
	w.commits(4)
	w.run()
	w.wantFollowed(3)
	if at := w.store.effects[effectKey{payment.Hash(), after.TxLogIndex}]; at != moved {
		t.Errorf("the payment took effect in block %+v, want %+v", at, moved)
	}
}

func TestADepositThatAReorgTakesAwayHasNoEffect(t *testing.T) {
	t.Parallel()
	w := newWalkTest(t, FollowConfig{}, nil)
	fork := w.head()
	deposit := w.deposit("alice", 7)
	w.commits(2)
	w.run()
	w.fork(fork)
	w.commits(6)
	w.run()
	w.wantFollowed(3)
	for key := range w.store.effects {
		if key.tx == deposit.Hash() {
			t.Errorf("the deposit took effect")
		}
	}
	if w.store.rewinds != 1 {
		t.Errorf("%d rewinds, want 1", w.store.rewinds)
	}
}

func TestAReorgOfAnyDepthDownToTheFinalBlockIsFollowed(t *testing.T) {
	t.Parallel()
	const depth = 6
	for back := 1; back <= depth; back++ {
		for _, longer := range []bool{false, true} {
			w := newWalkTest(t, FollowConfig{Finality: FinalityByDepth(depth)}, nil)
			payment := w.settle("order-1", 1)
			w.commits(depth + 3)
			w.run()
			fork := w.at(new(big.Int).SetUint64(w.head().Number - uint64(back)))
			w.fork(fork)
			if longer {
				w.commits(back)
			}
			w.run()
			if !longer && back > 1 && w.store.head().Number >= fork.Number+uint64(back) {
				t.Fatalf("%d back: the store stays at %d, the node's shorter branch ends at %d", back, w.store.head().Number, w.head().Number)
			}
			w.commits(depth)
			w.run()
			w.wantFollowed(depth)
			if _, ok := w.store.effects[effectKey{payment.Hash(), 0}]; !ok {
				t.Fatalf("%d back: the payment below the fork took no effect", back)
			}
		}
	}
}

func TestAReorgOfTheFirstBlockItselfIsFollowed(t *testing.T) {
	t.Parallel()
	w := newWalkTest(t, FollowConfig{Finality: FinalityByDepth(10)}, nil)
	w.commits(2)
	w.run()
	w.fork(w.at(new(big.Int)))
	w.commits(3)
	w.run()
	w.wantFollowed(10)
}

func TestAReorgBelowTheFinalBlockStopsTheWalkAndSaysWhatToDo(t *testing.T) {
	t.Parallel()
	w := newWalkTest(t, FollowConfig{Finality: FinalityByDepth(2)}, nil)
	w.commits(2)
	fork := w.head()
	w.commits(5)
	w.run()
	orphan := w.at(new(big.Int).SetUint64(fork.Number + 1))
	w.fork(fork)
	w.commits(8)
	successor := w.at(new(big.Int).SetUint64(fork.Number + 1))
	before := w.store.head()

	err := w.runFails()
	if !errors.Is(err, ErrStopped) || !errors.Is(err, settlement.ErrBelowFinal) {
		t.Fatalf("error is %v", err)
	}
	for _, part := range []string{orphan.Hash.Hex(), successor.Hash.Hex(), "starter reorg accept --block " + fork.Hash.Hex()} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error lacks %s: %v", part, err)
		}
	}
	if err := w.runFails(); !errors.Is(err, ErrStopped) {
		t.Errorf("the next run says %v", err)
	}
	if got := w.store.head(); got != before {
		t.Errorf("the cursor moved from %+v to %+v", before, got)
	}
}

func TestAChainBegunAnewStopsTheWalkAndSaysThatNothingIsCommon(t *testing.T) {
	t.Parallel()
	w := newWalkTest(t, FollowConfig{Finality: FinalityByDepth(2)}, nil)
	w.commits(5)
	w.run()
	w.fork(w.at(new(big.Int)))
	w.commits(3)
	err := w.runFails()
	if !errors.Is(err, ErrStopped) || !strings.Contains(err.Error(), "no common block was found") || w.store.stopped == "" {
		t.Fatalf("error is %v, stopped %q", err, w.store.stopped)
	}
}

// T48 https://github.com/ponder-sh/ponder/issues/2221
func TestT48AHeadThatGoesBackOnTheSameChainIsTheNodesFaultAndNoReorg(t *testing.T) {
	t.Parallel()
	var stale *liar
	w := newWalkTest(t, FollowConfig{}, func(s *sealed) map[string]*rpc.Client {
		stale = newLiar(t, s.rpc)
		return map[string]*rpc.Client{"stale": stale.client}
	})
	w.commits(8)
	w.run()
	before := w.store.head()
	stale.endsAt(3)
	if p := w.run(); p.Recorded != 0 || p.Rewound != 0 || w.store.head() != before {
		t.Fatalf("the walk did %+v", p)
	}
	stale.lies(nil)
	w.commit()
	w.run()
	w.wantFollowed(3)
}

// endsAt lies that the chain ends at a block.
func (l *liar) endsAt(number uint64) {
	l.lies(func(method string, params []any, truth any) any {
		if method != "eth_getBlockByNumber" {
			return truth
		}
		if params[0] == "latest" {
			return l.answer(context.Background(), rpcQuestion{Method: method, Params: []any{hexutil.EncodeUint64(number), params[1]}}, nil)
		}
		if n, err := hexutil.DecodeUint64(params[0].(string)); err == nil && n > number {
			return nil
		}
		return truth
	})
}

func TestASyncingNodeIsNotTrustedWhateverItSays(t *testing.T) {
	t.Parallel()
	var syncing *liar
	w := newWalkTest(t, FollowConfig{}, func(s *sealed) map[string]*rpc.Client {
		syncing = newLiar(t, s.rpc)
		return map[string]*rpc.Client{"syncing": syncing.client}
	})
	syncing.lies(func(method string, _ []any, truth any) any {
		if method == "eth_syncing" {
			return map[string]any{"currentBlock": "0x1", "highestBlock": "0xff"}
		}
		return truth
	})
	err := w.runFails()
	if !strings.Contains(err.Error(), "syncing") || len(w.store.chain) != 0 {
		t.Fatalf("error is %v with %d blocks recorded", err, len(w.store.chain))
	}
}

func TestALostLeaseEndsTheRunAndWritesNothing(t *testing.T) {
	t.Parallel()
	w := newWalkTest(t, FollowConfig{}, nil)
	w.commits(3)
	w.run()
	w.store.token = testLease.Token + 1
	w.commit()
	before := w.store.head()
	if err := w.runFails(); !errors.Is(err, settlement.ErrLeaseLost) {
		t.Fatalf("error is %v", err)
	}
	if w.store.head() != before {
		t.Error("a block was recorded without the lease")
	}
}

func TestAConfigurationIsRefusedWithAllItsProblems(t *testing.T) {
	t.Parallel()
	_, err := NewFollower(FollowConfig{NodesMin: -1, BlocksPerRun: 1000}, nil, nil, nil, quiet())
	if settlement.KindOf(err) != settlement.Invalid {
		t.Fatalf("error is %v", err)
	}
	for _, part := range []string{"chain id", "depth of 0", "negative", "at most 256"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error lacks %q: %v", part, err)
		}
	}
}
