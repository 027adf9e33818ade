package chain

import (
	"context"
	"math/big"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/quittance/quittance/internal/devstack"
	"github.com/quittance/quittance/internal/devstack/stacktest"
	"github.com/quittance/quittance/settlement"
)

// gethWalk follows a real geth that makes a block each second.
type gethWalk struct {
	*walkTest
	geth *devstack.Geth
}

func newGethWalk(t *testing.T, depth uint64) *gethWalk {
	t.Helper()
	s := &sealed{t: t, owner: newAccount(t), operator: newAccount(t), customer: newAccount(t), nonces: map[common.Address]uint64{}}
	fund := []string{s.owner.addr.Hex(), s.operator.addr.Hex(), s.customer.addr.Hex()}
	w := &gethWalk{walkTest: &walkTest{sealed: s, store: newMemStore(1)}, geth: stacktest.Geth(t, devstack.GethOptions{Fund: fund})}
	var err error
	if s.rpc, err = rpc.Dial(w.geth.RPCURL); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.rpc.Close)
	s.eth = ethclient.NewClient(s.rpc)
	s.deploy()
	pool, err := Dial(context.Background(), []string{w.geth.RPCURL, w.geth.WSURL}, w.geth.ChainID, s.genesis(), WithTimeout(5*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	// One block a run: a test that waits for a height finds the cursor there, however slow the machine is.
	cfg := FollowConfig{ChainID: w.geth.ChainID, StartBlock: 1, Finality: FinalityByDepth(depth), BlocksPerRun: 1}
	w.follower, err = NewFollower(cfg, pool, w.store, func(context.Context) (Watched, error) { return w.watched(), nil }, quiet())
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// until follows block by block until the condition holds. Nodes that fail or disagree for a moment are asked again.
func (w *gethWalk) until(what string, condition func() bool) {
	w.t.Helper()
	eventually(w.t, what, func() bool {
		if condition() {
			return true
		}
		if _, err := w.follower.RunOnce(context.Background(), testLease); err != nil && settlement.KindOf(err) != settlement.Transient {
			w.t.Fatalf("run: %v", err)
		}
		return condition()
	})
}

// minedIn waits until the store holds a transaction's event in a canonical block, and returns that block's number.
func (w *gethWalk) minedIn(tx *types.Transaction) uint64 {
	w.t.Helper()
	var number uint64
	w.until("the transaction's event is recorded", func() bool {
		w.store.mu.Lock()
		defer w.store.mu.Unlock()
		for _, block := range w.store.chain {
			for _, event := range block.Events {
				if event.TxHash == tx.Hash() {
					number = block.Number
					return true
				}
			}
		}
		return false
	})
	return number
}

// cursorReaches waits for the store's head.
func (w *gethWalk) cursorReaches(number uint64) {
	w.t.Helper()
	w.until("the cursor goes on", func() bool {
		w.store.mu.Lock()
		defer w.store.mu.Unlock()
		return w.store.head().Number >= number
	})
}

// setHead takes the node's chain back; it goes on from there.
func (w *gethWalk) setHead(number uint64) {
	w.t.Helper()
	if err := w.rpc.Call(nil, "debug_setHead", hexutil.EncodeUint64(number)); err != nil {
		w.t.Fatalf("debug_setHead: %v", err)
	}
}

// effectsOf is how many final events of a transaction took effect.
func (w *gethWalk) effectsOf(tx *types.Transaction) int {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	n := 0
	for key := range w.store.effects {
		if key.tx == tx.Hash() {
			n++
		}
	}
	return n
}

// wantFinalPart fails unless every final block is the node's, and no effect took place twice.
func (w *gethWalk) wantFinalPart() {
	w.t.Helper()
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	if w.store.stopped != "" || len(w.store.repeated) != 0 {
		w.t.Fatalf("stopped: %q, repeated: %v", w.store.stopped, w.store.repeated)
	}
	for _, block := range w.store.chain {
		if block.Number > w.store.final.Number {
			break
		}
		if want := w.at(new(big.Int).SetUint64(block.Number)); want != block.BlockRef {
			w.t.Fatalf("final block %d is %s here and %s on the node", block.Number, block.Hash, want.Hash)
		}
	}
}

func TestOnARealGethReorgsOfEveryDepthUpToFinalityMoveThePaymentAndNeverDoubleIt(t *testing.T) {
	t.Parallel()
	const depth = 4
	w := newGethWalk(t, depth)
	w.cursorReaches(2)
	for back := uint64(1); back <= depth; back++ {
		payment := w.settle("order-"+string(rune('0'+back)), int64(back))
		first := w.minedIn(payment)
		w.cursorReaches(first + back - 1)
		before := w.store.recorded(first)
		w.setHead(first - 1) // the payment's block and all above it vanish; geth does not take the payment back into its pool
		w.until("the payment's block is given up", func() bool {
			at := w.store.recorded(first)
			return at.Hash != before.Hash && at.Number == first
		})
		w.deposit("alice", 1) // its logs come before the payment's if both are in one block
		w.resend(payment)
		again := w.minedIn(payment)
		w.cursorReaches(again + depth + 1)
		w.until("the payment takes effect", func() bool { return w.effectsOf(payment) == 1 })
		if again <= first {
			t.Errorf("the payment is in block %d again, after block %d was reorganised", again, first)
		}
	}
	w.wantFinalPart()
	if w.store.rewinds != depth {
		t.Errorf("%d rewinds, want %d", w.store.rewinds, depth)
	}
}

func TestOnARealGethADepositThatAReorgTakesAwayTakesNoEffect(t *testing.T) {
	t.Parallel()
	const depth = 4
	w := newGethWalk(t, depth)
	w.cursorReaches(2)
	deposit := w.deposit("alice", 5)
	first := w.minedIn(deposit)
	w.cursorReaches(first + 1)
	w.setHead(first - 1)
	w.cursorReaches(first + depth + 3)
	w.wantFinalPart()
	if n := w.effectsOf(deposit); n != 0 {
		t.Errorf("the deposit took effect %d times", n)
	}
}

func TestOnARealGethAKillLosesBlocksAndTheLoopGoesOn(t *testing.T) {
	t.Parallel()
	w := newGethWalk(t, 64) // the blocks that a kill loses must not be final
	payment := w.settle("order-1", 5)
	first := w.minedIn(payment)
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	var failed atomic.Bool
	w.loop(LoopConfig{
		Interval: 100 * time.Millisecond, BackoffMax: time.Second, Hint: Hints(ctx, w.follower.pool),
		OnRun: func(_ context.Context, _ Progress, err error) {
			if err != nil {
				failed.Store(true)
			}
		},
	})
	head := func() settlement.BlockRef {
		w.store.mu.Lock()
		defer w.store.mu.Unlock()
		return w.store.head()
	}
	eventually(t, "some blocks follow", func() bool { return head().Number >= first+8 })
	if err := w.geth.Kill(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a run fails without the node", failed.Load)
	if err := w.geth.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the node answers", func() bool { _, err := w.eth.BlockNumber(ctx); return err == nil })
	nonce, err := w.eth.NonceAt(ctx, w.operator.addr, nil)
	if err != nil {
		t.Fatal(err)
	}
	if nonce <= payment.Nonce() { // the lane keeper would
		w.resend(payment)
	}
	eventually(t, "the cursor is on the node's chain again and beyond the payment", func() bool {
		at := head()
		header, err := w.eth.HeaderByNumber(ctx, new(big.Int).SetUint64(at.Number))
		return err == nil && header.Hash() == at.Hash && at.Number > first+8
	})
	eventually(t, "the payment is in one canonical block", func() bool { return w.paymentsOf(payment) == 1 })
	w.wantFinalPart()
}

// paymentsOf counts the canonical events of a transaction.
func (w *gethWalk) paymentsOf(tx *types.Transaction) int {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	n := 0
	for _, block := range w.store.chain {
		for _, event := range block.Events {
			if event.TxHash == tx.Hash() {
				n++
			}
		}
	}
	return n
}
