// Package liar is a JSON-RPC proxy that stands between us and a real node and misbehaves: by script, one lie at a time, or by
// seed, a share of all requests. It knows what nodes of the field do wrong and nothing of this project; it may be imported by
// tests and by the chaos run only.
package liar

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// Node is one endpoint. Several in front of one real node are a pool that disagrees.
type Node struct {
	URL string

	upstream string
	client   *http.Client
	server   *http.Server

	mu    sync.Mutex
	lies  []*told
	mood  *mood
	calls map[string]int
}

// told is a lie in force.
type told struct {
	Lie
	left int // how often it is still told; below zero: until it is taken back
}

// Start listens on a free port of the loopback and forwards to a node's HTTP address.
func Start(upstream string) (*Node, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	n := &Node{
		URL: "http://" + listener.Addr().String(), upstream: upstream, calls: map[string]int{},
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}},
	}
	n.server = &http.Server{Handler: n, ReadHeaderTimeout: time.Minute}
	go func() { _ = n.server.Serve(listener) }() // ends with Close
	return n, nil
}

// Close ends all connections at once.
func (n *Node) Close() error { return n.server.Close() }

// Tell puts a lie in force until it is taken back. The first lie that fits a request is told.
func (n *Node) Tell(l Lie) (takeBack func()) { return n.tell(l, -1) }

// TellOnce puts a lie in force for one request that fits it.
func (n *Node) TellOnce(l Lie) { n.tell(l, 1) }

// TellTimes puts a lie in force for so many requests that fit it.
func (n *Node) TellTimes(times int, l Lie) { n.tell(l, times) }

func (n *Node) tell(l Lie, times int) func() {
	n.mu.Lock()
	defer n.mu.Unlock()
	t := &told{l, times}
	n.lies = append(n.lies, t)
	return func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		t.left = 0
	}
}

// Honest takes all lies back, and the mood.
func (n *Node) Honest() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lies, n.mood = nil, nil
}

// Calls counts the requests of a method since the start, lied to or not.
func (n *Node) Calls(method string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.calls[method]
}

// request and response are JSON-RPC's.
type request struct {
	ID     json.RawMessage   `json:"id"`
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`
}

type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// choose finds the lies for the questions of one request, by their position, and counts the questions. The mood lies to one of
// them at most: who asks much at once is not lied to more often.
func (n *Node) choose(batch []request) map[int]Lie {
	n.mu.Lock()
	defer n.mu.Unlock()
	chosen := map[int]Lie{}
	for i, r := range batch {
		n.calls[r.Method]++
		for _, t := range n.lies {
			if t.left != 0 && t.fits(r) {
				t.left--
				chosen[i] = t.Lie
				break
			}
		}
	}
	if n.mood == nil || len(batch) == 0 {
		return chosen
	}
	i, lie, found := n.mood.choose(batch)
	if _, scripted := chosen[i]; found && !scripted {
		chosen[i] = lie
	}
	return chosen
}

// errCut makes the server close the connection without an answer.
var errCut = errors.New("the connection is cut")

// ServeHTTP answers one request or one batch.
func (n *Node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	one, batch := request{}, []request{}
	isBatch := bytes.HasPrefix(bytes.TrimSpace(body), []byte("["))
	if isBatch {
		err = json.Unmarshal(body, &batch)
	} else {
		err = json.Unmarshal(body, &one)
		batch = []request{one}
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answers, lies := make([]response, len(batch)), n.choose(batch)
	for i, q := range batch {
		a, err := n.answer(r.Context(), q, lies[i])
		var status httpStatus
		switch {
		case errors.As(err, &status):
			http.Error(w, http.StatusText(int(status)), int(status))
			return
		case err != nil:
			panic(http.ErrAbortHandler) // cuts the connection
		}
		answers[i] = a
	}
	w.Header().Set("Content-Type", "application/json")
	if isBatch {
		_ = json.NewEncoder(w).Encode(answers) // the client may be gone
		return
	}
	_ = json.NewEncoder(w).Encode(answers[0])
}

// answer tells the truth or a lie.
func (n *Node) answer(ctx context.Context, r request, lie Lie) (response, error) {
	if lie.tell == nil {
		return n.forward(ctx, r)
	}
	return lie.tell(ctx, n, r)
}

// forward asks the real node.
func (n *Node) forward(ctx context.Context, r request) (response, error) {
	body, err := json.Marshal(struct {
		Version string `json:"jsonrpc"`
		request
	}{"2.0", r})
	if err != nil {
		return response{}, err
	}
	// What reached the node must reach it whatever becomes of the client: a response may be lost, a request is not unsent.
	q, err := http.NewRequestWithContext(context.WithoutCancel(ctx), http.MethodPost, n.upstream, bytes.NewReader(body))
	if err != nil {
		return response{}, err
	}
	q.Header.Set("Content-Type", "application/json")
	answer, err := n.client.Do(q)
	if err != nil {
		return response{}, errors.Join(errCut, err)
	}
	defer answer.Body.Close()
	var a response
	if err := json.NewDecoder(answer.Body).Decode(&a); err != nil {
		return response{}, errors.Join(errCut, err)
	}
	a.ID = r.ID
	return a, nil
}
