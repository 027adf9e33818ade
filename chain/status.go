package chain

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/quittance/quittance/settlement"
)

// VaultStatus is what the vault says about an id.
type VaultStatus uint8

const (
	StatusUnused  VaultStatus = 0
	StatusSettled VaultStatus = 1
	StatusRevoked VaultStatus = 2
)

// Unpaid asks whether the vault has neither paid nor revoked a settlement's id at a block, which the caller knows to be final. It
// is one half of I7's proof: a hold is voided by it, so nothing but agreement counts.
func (s *Sender) Unpaid(ctx context.Context, st settlement.Settlement, final settlement.BlockRef) (bool, error) {
	if err := s.ours(st); err != nil {
		return false, err
	}
	status, err := s.StatusAt(ctx, st.Vault, st.OnchainID, final)
	return status == StatusUnused && err == nil, err
}

// StatusAt asks every node about one block by its hash. More than half of all configured nodes must answer, and all that do must
// say the same; otherwise it fails as Transient. A node for which the block is not canonical does not answer.
func (s *Sender) StatusAt(ctx context.Context, vault common.Address, id common.Hash, at settlement.BlockRef) (VaultStatus, error) {
	call := map[string]any{"to": vault, "input": hexutil.Bytes(vaultABI.PackStatus(id))}
	block := map[string]any{"blockHash": at.Hash, "requireCanonical": true}
	s.pool.Count("eth_call", 1)
	statuses := make([]VaultStatus, len(s.pool.Endpoints()))
	failures := s.pool.each(func(i int, e *Endpoint) error {
		var answer hexutil.Bytes
		if err := e.Call(ctx, &answer, "eth_call", call, block); err != nil {
			return err
		}
		status, err := readStatus(answer)
		statuses[i] = status
		if err != nil {
			return fmt.Errorf("node %s: %w", e.Name(), err)
		}
		return nil
	})
	said := map[VaultStatus]int{}
	for i, err := range failures {
		if err == nil {
			said[statuses[i]]++
		}
	}
	for status, n := range said {
		if len(said) == 1 && 2*n > len(statuses) {
			return status, nil
		}
	}
	err := errors.Join(failures...)
	if len(said) > 1 {
		err = fmt.Errorf("nodes disagree: %v", said)
	}
	return 0, settlement.Errorf(settlement.Transient, "ask the vault %s about %s at block %d %s: %w", vault, id, at.Number, at.Hash, err)
}

// readStatus takes one word with a value that the vault has; an address without code answers nothing.
func readStatus(answer []byte) (VaultStatus, error) {
	if len(answer) != common.HashLength {
		return 0, fmt.Errorf("a status of %d bytes: is there a vault?", len(answer))
	}
	word := common.BytesToHash(answer).Big()
	if !word.IsUint64() || word.Uint64() > uint64(StatusRevoked) {
		return 0, fmt.Errorf("status %s is none of the vault's", word)
	}
	return VaultStatus(word.Uint64()), nil
}
