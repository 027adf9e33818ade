package chain

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// ErrWrongChain is what an endpoint of another chain answers to everything.
var ErrWrongChain = errors.New("wrong chain")

// identity is what every connection must prove before anything is asked over it.
type identity struct {
	chainID uint64
	genesis common.Hash
}

// identityBytesMax bounds the answers that prove it; a header is below 1 KB.
const identityBytesMax = 1 << 20

// block0 is the part of a header that identifies a chain.
type block0 struct{ Hash common.Hash }

func (i identity) matches(chainID uint64, genesis *block0) error {
	switch {
	case chainID != i.chainID:
		return fmt.Errorf("%w: its chain id is %d, not %d", ErrWrongChain, chainID, i.chainID)
	case genesis == nil:
		return errors.New("check the chain: the node does not know its block 0")
	case genesis.Hash != i.genesis:
		return fmt.Errorf("%w: its genesis is %s, not %s", ErrWrongChain, genesis.Hash, i.genesis)
	}
	return nil
}

// pinnedTransport makes HTTP connections that prove the chain before the HTTP client sees them. So a node that is
// replaced by one of another chain at the same address is noticed before the first question, not after the first answer.
// It uses HTTP/1.1 and no proxy: a proxied connection could not be asked.
func pinnedTransport(u *url.URL, pinned identity, timeout time.Duration) *http.Transport {
	dialer := &net.Dialer{Timeout: timeout, KeepAlive: 30 * time.Second}
	connect := func(ctx context.Context, network, addr string, secure bool) (net.Conn, error) {
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		conn, err := dialer.DialContext(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		if secure {
			wrapped := tls.Client(conn, &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12})
			if err := wrapped.HandshakeContext(ctx); err != nil {
				conn.Close()
				return nil, err
			}
			conn = wrapped
		}
		if err := prove(conn, u, pinned, time.Now().Add(timeout)); err != nil {
			conn.Close()
			return nil, err
		}
		return conn, nil
	}
	return &http.Transport{
		DialContext:         func(ctx context.Context, n, a string) (net.Conn, error) { return connect(ctx, n, a, false) },
		DialTLSContext:      func(ctx context.Context, n, a string) (net.Conn, error) { return connect(ctx, n, a, true) },
		MaxIdleConnsPerHost: idleConnectionsMax,
		IdleConnTimeout:     90 * time.Second,
	}
}

// prove asks for chain id and genesis over one raw connection and leaves it ready for the next request.
func prove(conn net.Conn, u *url.URL, pinned identity, deadline time.Time) error {
	if err := conn.SetDeadline(deadline); err != nil {
		return fmt.Errorf("check the chain: %w", err)
	}
	reader := bufio.NewReader(conn)
	var id hexutil.Uint64
	if err := ask(conn, reader, u, &id, `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`); err != nil {
		return fmt.Errorf("check the chain: ask for its id: %w", err)
	}
	var genesis *block0
	if err := ask(conn, reader, u, &genesis, `{"jsonrpc":"2.0","id":2,"method":"eth_getBlockByNumber","params":["0x0",false]}`); err != nil {
		return fmt.Errorf("check the chain: ask for its genesis: %w", err)
	}
	if reader.Buffered() != 0 {
		return errors.New("check the chain: the node sent more than it was asked for")
	}
	if err := pinned.matches(uint64(id), genesis); err != nil {
		return err
	}
	return conn.SetDeadline(time.Time{})
}

func ask(conn net.Conn, reader *bufio.Reader, u *url.URL, result any, question string) error {
	request, err := http.NewRequest(http.MethodPost, u.String(), bytes.NewReader([]byte(question)))
	if err != nil {
		return redactError(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if password, ok := u.User.Password(); ok {
		request.SetBasicAuth(u.User.Username(), password)
	}
	if err := request.Write(conn); err != nil {
		return err
	}
	response, err := http.ReadResponse(reader, request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, identityBytesMax))
	switch {
	case err != nil:
		return err
	case response.StatusCode != http.StatusOK:
		return fmt.Errorf("HTTP status %s", response.Status)
	case response.Close:
		return errors.New("the node does not keep connections open")
	}
	var answer struct {
		Result json.RawMessage
		Error  *struct{ Message string }
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return fmt.Errorf("decode the answer: %w", err)
	}
	if answer.Error != nil {
		return fmt.Errorf("the node answers: %s", answer.Error.Message)
	}
	return json.Unmarshal(answer.Result, result)
}
