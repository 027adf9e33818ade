package chain

import (
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

func TestANodeThatGivesNoVerdictIsLeftAloneAndAskedAgainLater(t *testing.T) {
	t.Parallel()
	sick, well := newScripted(t, func(string) (any, *said, int) { return nil, nil, http.StatusServiceUnavailable }), newScripted(t, number)
	var mu sync.Mutex
	var told []bool
	pool, err := Dial(t.Context(), []string{sick.URL, well.URL}, 1337, common.HexToHash("0x01"), WithPauses(func(endpoint string, paused bool) {
		mu.Lock()
		defer mu.Unlock()
		if endpoint == sick.URL {
			told = append(told, paused)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	node := pool.Endpoints()[0]
	for range 20 {
		err = node.Call(t.Context(), nil, "eth_gasPrice")
	}
	if !errors.Is(err, ErrPaused) || IsVerdict(err) || len(sick.questions()) != breakAfter {
		t.Fatalf("after 20 calls the node was asked %d times, the last answer was %v", len(sick.questions()), err)
	}
	answers := pool.Send(t.Context(), []byte{1})
	if answers[1].Err != nil || ClassifyAll(answers).Class != Accepted || len(sick.questions()) != breakAfter {
		t.Errorf("a send: %+v", answers)
	}
	sick.mu.Lock()
	sick.answer = number
	sick.mu.Unlock()
	deadline, look := time.After(time.Minute), time.NewTicker(50*time.Millisecond)
	defer look.Stop()
	for node.Call(t.Context(), nil, "eth_gasPrice") != nil {
		select {
		case <-deadline:
			t.Fatal("a node that is well again was not asked again")
		case <-look.C:
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if len(told) < 2 || !told[0] || told[len(told)-1] {
		t.Errorf("told %v, want paused first and not paused last", told)
	}
}

func TestVerdictsNeverPauseANodeAndTheOnlyNodeIsAlwaysAsked(t *testing.T) {
	t.Parallel()
	refuses := newScripted(t, func(string) (any, *said, int) { return nil, &said{code: -32000, text: "nonce too low"}, 0 })
	pool := dialScripted(t, refuses, newScripted(t, number))
	for range 3 * breakAfter {
		if err := pool.Endpoints()[0].Call(t.Context(), nil, "eth_sendRawTransaction", "0x01"); !IsVerdict(err) {
			t.Fatalf("a verdict became %v", err)
		}
	}
	alone := newScripted(t, func(string) (any, *said, int) { return nil, nil, http.StatusServiceUnavailable })
	pool = dialScripted(t, alone)
	var got hexutil.Uint64
	for range 3 * breakAfter {
		if err := pool.Call(t.Context(), &got, "eth_gasPrice"); err == nil || errors.Is(err, ErrPaused) {
			t.Fatalf("got %v", err)
		}
	}
	if n := len(alone.questions()); n != 3*breakAfter {
		t.Errorf("the only node was asked %d times, want %d", n, 3*breakAfter)
	}
}
