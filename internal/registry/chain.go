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

// Vault says how a chain is to be followed. What is not given is as it was registered, or has its default in a new chain.
type Vault struct {
	Address       common.Address
	StartBlock    *uint64            // of its deployment; not given: it is searched for, which asks the node for old states
	Finality      string             // ledger.FinalityDepth or ledger.FinalityTag
	FinalityDepth int                // 0: not given
	TipFloor      *settlement.Amount // wei per gas
}

// Chain pins the pool's chain with its vault, and returns it as it is registered. Another vault, start, finality or tip floor of a
// known chain is a Conflict.
func (r Registrar) Chain(ctx context.Context, v Vault) (ledger.ChainConfig, error) {
	if err := r.isVault(ctx, v.Address); err != nil {
		return ledger.ChainConfig{}, err
	}
	stored, err := r.Ledger.Chain(ctx, r.Pool.ChainID())
	known := err == nil
	switch {
	case settlement.KindOf(err) == settlement.NotFound:
		stored = ledger.ChainConfig{Finality: ledger.FinalityDepth, FinalityDepth: FinalityDepthDefault, TipFloor: settlement.NewAmount(TipFloorDefault)}
		if stored.StartBlock, err = r.start(ctx, v); err != nil {
			return stored, err
		}
	case err != nil:
		return stored, err
	}
	c := v.over(stored)
	c.ChainID, c.Genesis = r.Pool.ChainID(), r.Pool.Genesis()
	err = r.Ledger.RegisterChain(ctx, c)
	var fields []string
	var differs *settlement.Error
	if errors.As(err, &differs) && differs.Kind == settlement.Conflict {
		fields, err = differs.Fields, nil
	}
	if known && c.TipFloor.Cmp(stored.TipFloor) != 0 {
		fields = append(fields, "tip floor")
	}
	switch {
	case err != nil:
		return c, fmt.Errorf("register chain %d: %w", c.ChainID, err)
	case len(fields) > 0:
		return c, conflict(fmt.Sprintf("chain %d", c.ChainID), fields...)
	}
	return c, nil
}

// over is a registered chain with what is given in its place.
func (v Vault) over(c ledger.ChainConfig) ledger.ChainConfig {
	c.Vault = v.Address
	if v.StartBlock != nil {
		c.StartBlock = *v.StartBlock
	}
	if v.Finality != "" {
		c.Finality = v.Finality
	}
	if v.FinalityDepth != 0 {
		c.FinalityDepth = v.FinalityDepth
	}
	if v.TipFloor != nil {
		c.TipFloor = *v.TipFloor
	}
	return c
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
