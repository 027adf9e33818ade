package registry

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/quittance/quittance/chain"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// Vault says how a chain is to be followed.
type Vault struct {
	Address       common.Address
	StartBlock    *uint64 // of its deployment; nil: it is searched for, which asks the node for old states
	Finality      string  // ledger.FinalityDepth or ledger.FinalityTag
	FinalityDepth int
	TipFloor      settlement.Amount // wei per gas
}

// Chain pins the pool's chain with its vault. Another vault, start or finality of a known chain is a Conflict.
func (r Registrar) Chain(ctx context.Context, v Vault) (ledger.ChainConfig, error) {
	if err := r.isVault(ctx, v.Address); err != nil {
		return ledger.ChainConfig{}, err
	}
	start, err := r.start(ctx, v)
	if err != nil {
		return ledger.ChainConfig{}, err
	}
	c := ledger.ChainConfig{ChainID: r.Pool.ChainID(), Genesis: r.Pool.Genesis(), Vault: v.Address, StartBlock: start,
		Finality: v.Finality, FinalityDepth: v.FinalityDepth, TipFloor: v.TipFloor}
	err = r.Ledger.RegisterChain(ctx, c)
	var known *settlement.Error
	if errors.As(err, &known) && known.Kind == settlement.Conflict {
		return c, conflict(fmt.Sprintf("chain %d", c.ChainID), known.Fields...)
	}
	if err != nil {
		return c, fmt.Errorf("register chain %d: %w", c.ChainID, err)
	}
	return c, nil
}

// isVault asks what only a vault answers: the status of an id, which is a word below 3, and its owner.
func (r Registrar) isVault(ctx context.Context, at common.Address) error {
	if deployed, err := r.code(ctx, at, "latest"); err != nil {
		return err
	} else if !deployed {
		return settlement.Invalidf("vault", "is no contract on chain %d: %s", r.Pool.ChainID(), at)
	}
	status, answered, err := r.word(ctx, at, vault.PackStatus(common.Hash{}))
	if err != nil {
		return err
	}
	owner, owned, err := r.word(ctx, at, vault.PackOwner())
	if err != nil {
		return err
	}
	if !answered || !owned || status.Big().BitLen() > 2 || common.BytesToAddress(owner[:]) == (common.Address{}) {
		return settlement.Invalidf("vault", "does not answer like a vault: %s", at)
	}
	return nil
}

// start is the block that the listener begins with. One above the deployment would hide events from listener and audit alike.
func (r Registrar) start(ctx context.Context, v Vault) (uint64, error) {
	var head hexutil.Uint64
	if err := r.Pool.Call(ctx, &head, "eth_blockNumber"); err != nil {
		return 0, fmt.Errorf("ask head: %w", err)
	}
	switch {
	case v.StartBlock == nil:
		return r.deployment(ctx, v.Address, uint64(head))
	case *v.StartBlock > uint64(head):
		return 0, settlement.Invalidf("start_block", "must not be above the chain's head %d", head)
	case *v.StartBlock == 0:
		return 0, nil
	}
	early, err := r.code(ctx, v.Address, hexutil.EncodeUint64(*v.StartBlock-1))
	switch {
	case err != nil && !chain.IsVerdict(err):
		return 0, err
	case early:
		return 0, settlement.Invalidf("start_block", "must not be above the vault's deployment, but the vault is there in block %d", *v.StartBlock-1)
	}
	return *v.StartBlock, nil // a node that has forgotten old states cannot tell
}

// deployment finds the first block in which the vault has code.
func (r Registrar) deployment(ctx context.Context, at common.Address, head uint64) (uint64, error) {
	low, high := uint64(0), head
	for low < high {
		middle := low + (high-low)/2
		there, err := r.code(ctx, at, hexutil.EncodeUint64(middle))
		switch {
		case err != nil && chain.IsVerdict(err):
			return 0, settlement.Invalidf("start_block", "must be given, the node cannot say when the vault was deployed: %v", err)
		case err != nil:
			return 0, err
		}
		if there {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low, nil
}
