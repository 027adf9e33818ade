package activitiestest

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/quittance/quittance/settlement"
)

// Chain is the model of the chain: it answers from lists, one entry per call, the last one for ever.
type Chain struct {
	Verdicts []settlement.Estimate // default: payable
	Sends    []SendAnswer          // default: accepted
	Used     bool                  // what the vault says of any id
	Remote   bool                  // the lane's key is at a remote signer
	Away     int                   // how often that signer fails before it signs

	books      *Books
	mu         sync.Mutex
	estimates  int
	signatures int
	sends      []common.Hash
}

// SendAnswer is the answer to one broadcast.
type SendAnswer struct {
	Sent settlement.Sent
	Err  error
}

// ErrNoEndpoint is what a broadcast fails with if no endpoint answered.
var ErrNoEndpoint = errors.New("no endpoint answered")

// NewChain makes a chain that pays everyone; it checks each broadcast against the books.
func NewChain(books *Books) *Chain { return &Chain{books: books} }

func (c *Chain) Estimate(_ context.Context, s settlement.Settlement) (settlement.Estimate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.estimates++
	e := settlement.Estimate{Verdict: settlement.VerdictPayable, Payload: settlement.Payload{To: s.Vault, GasLimit: 110_000}}
	if len(c.Verdicts) > 0 {
		e = c.Verdicts[min(c.estimates, len(c.Verdicts))-1]
	}
	e.Signers = []common.Address{Signer}
	return e, nil
}

func (c *Chain) Sign(s settlement.Settlement, e settlement.Estimate, signer common.Address, nonce uint64) (settlement.Attempt, error) {
	raw := fmt.Appendf(nil, "pay %s from %s with nonce %d", s.Key, signer, nonce)
	if c.Remote {
		return settlement.Attempt{SigningHash: crypto.Keccak256Hash(raw), Kind: settlement.AttemptPay, Payload: e.Payload, Fees: e.Fees}, nil
	}
	return settlement.Attempt{Hash: crypto.Keccak256Hash(raw), Kind: settlement.AttemptPay, Payload: e.Payload, Fees: e.Fees, Raw: raw}, nil
}

// ErrSigner is what a remote signer fails with while it is away.
var ErrSigner = errors.New("the remote signer is away")

// SignStored never gives the same bytes twice: a signer need not.
func (c *Chain) SignStored(_ context.Context, t settlement.Transaction) (settlement.Attempt, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.signatures++
	if c.signatures <= c.Away {
		return settlement.Attempt{}, settlement.Errorf(settlement.Transient, "sign: %w", ErrSigner)
	}
	signed := t.Newest
	signed.Raw = fmt.Appendf(nil, "signature %d of %s", c.signatures, signed.SigningHash)
	signed.Hash = crypto.Keccak256Hash(signed.Raw)
	return signed, nil
}

func (c *Chain) Broadcast(_ context.Context, s settlement.Settlement, attempt settlement.Attempt) (settlement.Sent, error) {
	c.books.checkBroadcast(s, attempt.Hash)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sends = append(c.sends, attempt.Hash)
	if len(c.Sends) == 0 {
		return settlement.Sent{Outcome: settlement.SendAccepted}, nil
	}
	answer := c.Sends[min(len(c.sends), len(c.Sends))-1]
	return answer.Sent, answer.Err
}

func (c *Chain) Unpaid(context.Context, settlement.Settlement) (settlement.BlockRef, bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return settlement.BlockRef{Number: 200, Hash: common.HexToHash("0xf1")}, !c.Used, nil
}

// Broadcasts lists the hashes that were sent, in order.
func (c *Chain) Broadcasts() []common.Hash {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]common.Hash(nil), c.sends...)
}

// Estimates counts the simulations.
func (c *Chain) Estimates() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.estimates
}
