package devstack

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// rpcCall is one JSON-RPC request: enough to probe a node without a client
// library's connection handling.
func rpcCall(ctx context.Context, url, method string, result any, params ...any) error {
	if params == nil {
		params = []any{}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return fmt.Errorf("encode %s: %w", method, err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("call %s: %w", method, err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("call %s: %w", method, err)
	}
	defer resp.Body.Close()
	var answer struct {
		Result json.RawMessage
		Error  *struct {
			Code    int
			Message string
		}
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&answer); err != nil {
		return fmt.Errorf("read the answer to %s (%s): %w", method, resp.Status, err)
	}
	if answer.Error != nil {
		return fmt.Errorf("%s answers error %d: %s", method, answer.Error.Code, answer.Error.Message)
	}
	if err := json.Unmarshal(answer.Result, result); err != nil {
		return fmt.Errorf("decode the answer to %s: %w", method, err)
	}
	return nil
}

// rpcNumber calls a method that answers a hex quantity.
func rpcNumber(ctx context.Context, url, method string) (uint64, error) {
	var hex string
	if err := rpcCall(ctx, url, method, &hex); err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(hex, "0x"), 16, 64)
	if err != nil {
		return 0, fmt.Errorf("decode the answer to %s: %w", method, err)
	}
	return n, nil
}
