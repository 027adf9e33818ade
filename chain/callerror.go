package chain

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/ethereum/go-ethereum/rpc"
)

// CallError names the node and the method of a failed request. It unwraps to the node's verdict (an rpc.Error) or to what
// kept us from getting one.
type CallError struct {
	Endpoint string
	Method   string
	Err      error
}

func (e *CallError) Error() string {
	return fmt.Sprintf("node %s: %s: %v", e.Endpoint, e.Method, e.Err)
}
func (e *CallError) Unwrap() error { return e.Err }

// Codes with which nodes and providers say "not now", whatever the question was.
const (
	codeLimitExceeded = -32005 // EIP-1474; some use it for log ranges, which a second node answers the same way
	codeTimeout       = -32002 // geth: request timed out
)

// IsVerdict reports whether a node answered the question, if only with an error. All else (no connection, a timeout, an HTTP
// status, a rate limit, another chain) says nothing about the chain, and for a send nothing about whether it arrived.
func IsVerdict(err error) bool {
	if err == nil {
		return true
	}
	var hidden notVerdict
	var said rpc.Error
	if errors.As(err, &hidden) || errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &said) {
		return false
	}
	switch said.ErrorCode() {
	case codeLimitExceeded, codeTimeout, http.StatusTooManyRequests:
		return false
	}
	return true
}

// notVerdict marks a node's error as no answer to the caller's question.
type notVerdict struct{ error }

func (n notVerdict) Unwrap() error { return n.error }
