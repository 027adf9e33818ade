package chain

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/quittance/quittance/settlement"
)

// eventually fails the test unless the condition comes true within a generous deadline.
func eventually(t testing.TB, what string, condition func() bool) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for !condition() {
		if time.Now().After(deadline) {
			t.Fatalf("it never came about that %s", what)
		}
		<-time.After(2 * time.Millisecond)
	}
}

// loop runs the walk in the background until the test ends or stop is called, and returns what Run returned.
func (w *walkTest) loop(cfg LoopConfig) (stop func() error) {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- w.follower.Run(ctx, testLease, cfg) }()
	stop = sync.OnceValue(func() error {
		cancel()
		return <-done
	})
	w.t.Cleanup(func() { _ = stop() })
	return stop
}

func (w *walkTest) reaches(head settlement.BlockRef) func() bool {
	return func() bool {
		w.store.mu.Lock()
		defer w.store.mu.Unlock()
		return w.store.head() == head
	}
}

func TestTheLoopFollowsUntilItIsStopped(t *testing.T) {
	t.Parallel()
	w := newWalkTest(t, FollowConfig{}, nil)
	stop := w.loop(LoopConfig{Interval: 5 * time.Millisecond})
	for range 3 {
		head := w.commit()
		eventually(t, "a new block is recorded", w.reaches(head))
	}
	if err := stop(); !errors.Is(err, context.Canceled) {
		t.Errorf("the loop ended with %v", err)
	}
	if head := w.commit(); w.reaches(head)() {
		t.Error("a block was recorded after the end")
	}
}

func TestTheLoopEndsWhenAWriteSaysThatTheLeaseIsLost(t *testing.T) {
	t.Parallel()
	w := newWalkTest(t, FollowConfig{}, nil)
	w.store.token = testLease.Token + 1
	err := w.follower.Run(context.Background(), testLease, LoopConfig{Interval: 5 * time.Millisecond})
	if !errors.Is(err, settlement.ErrLeaseLost) {
		t.Errorf("the loop ended with %v", err)
	}
}

func TestAFailingHookIsToldEveryNewHeadAndStopsNothing(t *testing.T) {
	t.Parallel()
	w := newWalkTest(t, FollowConfig{}, nil)
	var mu sync.Mutex
	var last settlement.BlockRef
	var lease settlement.Lease
	w.loop(LoopConfig{Interval: 5 * time.Millisecond, Hook: func(_ context.Context, l settlement.Lease, head settlement.BlockRef) error {
		mu.Lock()
		defer mu.Unlock()
		last, lease = head, l
		return errors.New("the keeper fails")
	}})
	for range 3 {
		head := w.commit()
		eventually(t, "the hook is told the new head", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return last == head && lease == testLease
		})
	}
}

func TestASlowHookDelaysNoBlockAndSkipsToTheNewestHead(t *testing.T) {
	t.Parallel()
	w := newWalkTest(t, FollowConfig{}, nil)
	told := make(chan settlement.BlockRef, 100)
	resume := make(chan struct{})
	w.loop(LoopConfig{Interval: 5 * time.Millisecond, Hook: func(ctx context.Context, _ settlement.Lease, head settlement.BlockRef) error {
		told <- head
		select {
		case <-resume:
		case <-ctx.Done():
		}
		return nil
	}})
	<-told // and it hangs there
	var head settlement.BlockRef
	for range 4 {
		head = w.commit()
		eventually(t, "a new block is recorded", w.reaches(head))
	}
	close(resume)
	if got := <-told; got != head {
		t.Errorf("the hook was told block %d next, want the newest, %d", got.Number, head.Number)
	}
}

func TestAHintWakesTheLoopLongBeforeItsInterval(t *testing.T) {
	t.Parallel()
	w := newWalkTest(t, FollowConfig{}, nil)
	hints := make(chan struct{})
	first := w.head()
	w.loop(LoopConfig{Interval: time.Hour, Hint: hints})
	eventually(t, "the chain is recorded", w.reaches(first))
	head := w.commit()
	hints <- struct{}{}
	eventually(t, "a hint has the new block recorded", w.reaches(head))
}

// mute is a websocket node that takes a subscription and then never says a word of it.
func mute(t *testing.T, behind *liar) (url string, subscribed <-chan struct{}) {
	t.Helper()
	taken := make(chan struct{}, 16)
	behind.lies(func(method string, _ []any, truth any) any {
		if method == "eth_subscribe" {
			taken <- struct{}{}
			return "0x1"
		}
		return truth
	})
	var upgrader websocket.Upgrader
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer conn.Close()
		for {
			_, raw, err := conn.ReadMessage()
			if err != nil {
				return
			}
			reply, err := behind.reply(r.Context(), raw)
			if err != nil || conn.WriteJSON(reply) != nil {
				return
			}
		}
	}))
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "http", "ws", 1), taken
}

// T52 https://github.com/web3/web3.js/issues/3491 and https://github.com/Nethereum/Nethereum/issues/834
func TestT52ASubscriptionThatDiesSilentlyDelaysTheWalkByItsIntervalAlone(t *testing.T) {
	t.Parallel()
	w := newWalkTest(t, FollowConfig{}, nil)
	url, subscribed := mute(t, newLiar(t, w.rpc))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	pool, err := Dial(ctx, []string{url}, readChainID, w.genesis())
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	hints := Hints(ctx, pool)
	w.loop(LoopConfig{Interval: 20 * time.Millisecond, Hint: hints})
	<-subscribed
	for range 3 {
		head := w.commit()
		eventually(t, "a new block is recorded without an announcement", w.reaches(head))
	}
	select {
	case <-hints:
		t.Error("the mute node announced a head")
	default:
	}
}
