package chain

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/quittance/quittance/contracts"
	"github.com/quittance/quittance/settlement"
)

var erc20 = contracts.NewTestToken() // any ERC-20 will do for balanceOf

// readingsBatch is the questions whose answers every settlement of a block shares, all about the state of that block, named
// by its hash (EIP-1898): by number they could come from another branch.
type readingsBatch struct {
	items  []rpc.BatchElem
	accept []func(*settlement.ChainReads) error // what to do with the answer of the item at the same place
}

func newReadings(watched Watched, hash common.Hash) *readingsBatch {
	b := &readingsBatch{}
	at := map[string]any{"blockHash": hash}
	b.tip()
	b.paused(watched.Vault, at)
	for _, asset := range watched.Assets {
		b.vaultBalance(asset, watched.Vault, at)
	}
	for _, signer := range watched.Signers {
		b.signer(signer, slices.Contains(watched.Keyless, signer), watched.Vault, at)
	}
	return b
}

func (b *readingsBatch) ask(accept func(*settlement.ChainReads) error, result any, method string, args ...any) {
	b.items = append(b.items, rpc.BatchElem{Method: method, Args: args, Result: result})
	b.accept = append(b.accept, accept)
}

func (b *readingsBatch) tip() {
	var tip hexutil.Big
	b.ask(func(reads *settlement.ChainReads) (err error) {
		reads.Tip, err = settlement.AmountFromBig(tip.ToInt())
		return err
	}, &tip, "eth_maxPriorityFeePerGas")
}

func (b *readingsBatch) paused(vault common.Address, at any) {
	var out hexutil.Bytes
	b.ask(func(reads *settlement.ChainReads) (err error) {
		reads.VaultPaused, err = vaultABI.UnpackPaused(out)
		return err
	}, &out, "eth_call", callTo(vault, vaultABI.PackPaused()), at)
}

func (b *readingsBatch) vaultBalance(asset settlement.Asset, vault common.Address, at any) {
	if asset.Native() {
		var balance hexutil.Big
		b.ask(func(reads *settlement.ChainReads) (err error) {
			reads.VaultBalances[asset.ID], err = settlement.AmountFromBig(balance.ToInt())
			return err
		}, &balance, "eth_getBalance", vault, at)
		return
	}
	var out hexutil.Bytes
	b.ask(func(reads *settlement.ChainReads) error {
		balance, err := erc20.UnpackBalanceOf(out)
		if err != nil {
			return fmt.Errorf("balance of token %s: %w", asset.Token, err)
		}
		reads.VaultBalances[asset.ID], err = settlement.AmountFromBig(balance)
		return err
	}, &out, "eth_call", callTo(asset.Token, erc20.PackBalanceOf(vault)), at)
}

// signer asks four questions; the last answer completes the entry, so that one failed question leaves the signer out.
func (b *readingsBatch) signer(signer common.Address, keyless bool, vault common.Address, at any) {
	var (
		nonce          hexutil.Uint64
		balance        hexutil.Big
		operator, code hexutil.Bytes
		got            = settlement.Signer{Keyless: keyless}
		answered       int
	)
	complete := func(reads *settlement.ChainReads, err error) error {
		if err != nil {
			return fmt.Errorf("signer %s: %w", signer, err)
		}
		if answered++; answered == 4 {
			reads.Signers[signer] = got
		}
		return nil
	}
	b.ask(func(reads *settlement.ChainReads) error {
		got.Nonce = uint64(nonce)
		return complete(reads, nil)
	}, &nonce, "eth_getTransactionCount", signer, at)
	b.ask(func(reads *settlement.ChainReads) (err error) {
		got.Balance, err = settlement.AmountFromBig(balance.ToInt())
		return complete(reads, err)
	}, &balance, "eth_getBalance", signer, at)
	b.ask(func(reads *settlement.ChainReads) (err error) {
		got.Operator, err = vaultABI.UnpackIsOperator(operator)
		return complete(reads, err)
	}, &operator, "eth_call", callTo(vault, vaultABI.PackIsOperator(signer)), at)
	b.ask(func(reads *settlement.ChainReads) error {
		got.HasCode = len(code) > 0
		return complete(reads, nil)
	}, &code, "eth_getCode", signer, at)
}

func callTo(to common.Address, data []byte) map[string]any {
	return map[string]any{"to": to, "input": hexutil.Bytes(data)}
}

// take collects what was answered and says how many answers are missing. A signer counts as read only if all about it
// was; its absence from the map, like an asset's, means unknown and not zero.
func (b *readingsBatch) take(tipFloor settlement.Amount, last settlement.ChainReads) (settlement.ChainReads, int, error) {
	reads := settlement.ChainReads{
		Tip: last.Tip, VaultPaused: last.VaultPaused,
		VaultBalances: map[int64]settlement.Amount{}, Signers: map[common.Address]settlement.Signer{},
	}
	var failures []error
	missing := 0
	for i, accept := range b.accept {
		err := b.items[i].Error
		if err == nil {
			err = accept(&reads)
		}
		if err == nil {
			continue
		}
		if missing++; missing <= 3 { // enough to say what is wrong
			failures = append(failures, fmt.Errorf("%s: %w", b.items[i].Method, err))
		}
	}
	if reads.Tip.Cmp(tipFloor) < 0 {
		reads.Tip = tipFloor
	}
	return reads, missing, errors.Join(failures...)
}
