package chain

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"github.com/quittance/quittance/settlement"
)

const (
	// signerPingTimeout bounds the question whether a remote signer is there; signing may wait for a person.
	signerPingTimeout = 2 * time.Second
	// signerPingAge is how long an answer to it counts.
	signerPingAge = 2 * time.Second
	// signerPingOld is when it counts no more, and whoever asks must wait for another.
	signerPingOld = 5 * signerPingAge
)

// ErrSignerRefused marks a remote signer's own no: by its rules, by a person, or because it lacks the key. ErrSignerAway marks the
// lack of an answer, after which it may have signed all the same: what it signed is thrown away, and it is asked for the same
// payload again.
var (
	ErrSignerRefused = errors.New("the remote signer refuses")
	ErrSignerAway    = errors.New("the remote signer is away")
)

// Remote is a signer that speaks clef's external API over HTTP or a socket. It holds no connection that it needs: it connects
// when asked, so it may be made while the signer is down. What it returns is as little to be trusted as any signer's: checkSigned
// compares each field.
type Remote struct {
	url     string
	name    string // without what may be secret
	timeout time.Duration

	mu      sync.Mutex
	client  *rpc.Client
	pinging bool
	pinged  time.Time
	up      bool
}

// NewRemote takes an http or https URL, or the path of a socket, and connects to nothing yet.
func NewRemote(raw string, timeout time.Duration) (*Remote, error) {
	name := raw
	if !strings.HasPrefix(raw, "/") {
		u, err := url.Parse(raw)
		if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return nil, settlement.Errorf(settlement.Invalid, "a remote signer must be an http or https URL, or the absolute path of a socket")
		}
		name = u.Scheme + "://" + u.Host
	}
	return &Remote{url: raw, name: name, timeout: timeout}, nil
}

// Name is the address without what may be secret.
func (r *Remote) Name() string { return r.name }

// Close drops the connection; a later call opens another.
func (r *Remote) Close() { r.drop(nil) }

func (r *Remote) connect(ctx context.Context) (*rpc.Client, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.client != nil {
		return r.client, nil
	}
	client, err := rpc.DialContext(ctx, r.url)
	if err == nil {
		r.client = client
	}
	return client, err
}

// drop forgets a connection that failed; nil: whichever there is.
func (r *Remote) drop(failed *rpc.Client) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.client != nil && (failed == nil || r.client == failed) {
		r.client.Close()
		r.client = nil
	}
}

// call asks once. A signer's own error keeps its words; any other is ErrSignerAway and names no path or query of the URL.
func (r *Remote) call(ctx context.Context, timeout time.Duration, result any, method string, args ...any) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	client, err := r.connect(ctx)
	if err == nil {
		err = client.CallContext(ctx, result, method, args...)
	}
	var said rpc.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &said):
		return fmt.Errorf("%w: %s", ErrSignerRefused, strings.Join(strings.Fields(said.Error()), " "))
	case ctx.Err() != nil:
		return fmt.Errorf("%w: no answer within %s", ErrSignerAway, timeout)
	}
	r.drop(client)
	r.mu.Lock()
	r.pinged, r.up = time.Now(), false
	r.mu.Unlock()
	var inURL *url.Error
	if errors.As(err, &inURL) {
		err = inURL.Err
	}
	return fmt.Errorf("%w: %w", ErrSignerAway, err)
}

// Up reports whether the signer answered lately. It asks for nothing that a person would have to approve. Only a call after a long
// silence waits for an answer: whoever follows the chain calls often, and must not wait for a signer that hangs.
func (r *Remote) Up(ctx context.Context) bool {
	r.mu.Lock()
	old, due := time.Since(r.pinged) >= signerPingOld, time.Since(r.pinged) >= signerPingAge && !r.pinging
	r.pinging = r.pinging || due
	up := r.up
	r.mu.Unlock()
	switch {
	case !due:
		return up
	case old:
		return r.ping(ctx)
	}
	go r.ping(context.WithoutCancel(ctx)) // ends by its own time limit
	return up
}

// last is what is known without asking: the last answer, or a failure since.
func (r *Remote) last() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.up
}

func (r *Remote) ping(ctx context.Context) bool {
	var version string
	err := r.call(ctx, min(signerPingTimeout, r.timeout), &version, "account_version")
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pinging, r.pinged, r.up = false, time.Now(), err == nil
	return r.up
}

// remoteKey is one account of a remote signer.
type remoteKey struct {
	remote  *Remote
	address common.Address
}

func (k *remoteKey) Address() common.Address { return k.address }

// Sign asks over the network and may wait for a person: never call it within a database transaction.
func (k *remoteKey) Sign(ctx context.Context, tx *types.Transaction) (*types.Transaction, error) {
	data := hexutil.Bytes(tx.Data())
	to := common.NewMixedcaseAddress(*tx.To())
	access := tx.AccessList()
	args := &apitypes.SendTxArgs{
		From: common.NewMixedcaseAddress(k.address), To: &to, Nonce: hexutil.Uint64(tx.Nonce()), Gas: hexutil.Uint64(tx.Gas()),
		MaxFeePerGas: (*hexutil.Big)(tx.GasFeeCap()), MaxPriorityFeePerGas: (*hexutil.Big)(tx.GasTipCap()),
		Value: hexutil.Big(*tx.Value()), Input: &data, AccessList: &access, ChainID: (*hexutil.Big)(tx.ChainId()),
	}
	params := []any{args}
	if selector := selectorOf(tx.Data()); selector != "" {
		params = append(params, selector)
	}
	var answer struct {
		Raw hexutil.Bytes `json:"raw"`
	}
	if err := k.remote.call(ctx, k.remote.timeout, &answer, "account_signTransaction", params...); err != nil {
		return nil, settlement.Errorf(settlement.Transient, "ask the remote signer at %s: %w", k.remote.name, err)
	}
	var signed types.Transaction
	if err := signed.UnmarshalBinary(answer.Raw); err != nil {
		return nil, settlement.Errorf(settlement.Transient, "the remote signer at %s answered with no transaction: %w", k.remote.name, err)
	}
	return lowS(&signed)
}

// selectorOf names the vault's method that the data calls. clef warns of a method that it does not know, and refuses by that unless
// it runs with --advanced; told the name, it checks it against the data and shows it to whoever approves.
func selectorOf(data []byte) string {
	if len(data) < 4 {
		return ""
	}
	vault := vaultABI.GetABI()
	method, err := vault.MethodById(data[:4])
	if err != nil {
		return ""
	}
	return method.Sig
}

// lowS turns a signature with s in the upper half, which nodes refuse, into its equal in the lower.
func lowS(signed *types.Transaction) (*types.Transaction, error) {
	v, r, s := signed.RawSignatureValues()
	half := new(big.Int).Rsh(crypto.S256().Params().N, 1)
	if v == nil || r == nil || s == nil || s.Cmp(half) <= 0 || !v.IsUint64() || v.Uint64() > 1 {
		return signed, nil // right already, or so wrong that checkSigned refuses it
	}
	flipped := new(big.Int).Sub(crypto.S256().Params().N, s)
	if flipped.Sign() < 0 || r.BitLen() > 256 {
		return signed, nil
	}
	signature := make([]byte, crypto.SignatureLength)
	r.FillBytes(signature[:32])
	flipped.FillBytes(signature[32:64])
	signature[64] = byte(v.Uint64() ^ 1)
	return signed.WithSignature(types.LatestSignerForChainID(signed.ChainId()), signature)
}
