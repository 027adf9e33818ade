package main

import (
	"context"
	"crypto/ecdsa"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"golang.org/x/sync/errgroup"

	"github.com/quittance/quittance/contracts"
	"github.com/quittance/quittance/internal/devchain"
	"github.com/quittance/quittance/internal/fleet"
)

// The ceiling that the chain sets: settle calls to a vault of their own, signed beforehand, one request each as the worker
// sends them, as fast as the node takes them.

const callGas = 87_000 // the design's ceiling

// vaultCalls returns how many calls per second were mined, from the first one sent to the block of the last one.
func (b *bench) vaultCalls(ctx context.Context) (perSecond float64, err error) {
	owner, err := devchain.NewWallet(ctx, b.clients.node, b.world.Keys.Owner)
	if err != nil {
		return 0, err
	}
	keys := make([]*ecdsa.PrivateKey, len(b.world.Keys.Signers))
	operators := make([]common.Address, len(keys))
	for i := range keys {
		if keys[i], err = crypto.GenerateKey(); err != nil {
			return 0, fmt.Errorf("make an operator: %w", err)
		}
		operators[i] = crypto.PubkeyToAddress(keys[i].PublicKey)
	}
	site, err := devchain.Deploy(ctx, owner, operators)
	if err != nil {
		return 0, err
	}
	total := new(big.Int).Mul(big.NewInt(amount), big.NewInt(int64(b.calls)))
	funding := []devchain.Call{{To: &site.Token, Data: contracts.NewTestToken().PackMint(site.Vault, total)}}
	for i := range operators {
		funding = append(funding, devchain.Call{To: &operators[i], Value: big.NewInt(params.Ether)})
	}
	if _, err := owner.Do(ctx, funding...); err != nil {
		return 0, err
	}
	lanes, err := b.presign(keys, site)
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	var senders errgroup.Group
	for _, lane := range lanes {
		senders.Go(func() error {
			for _, raw := range lane {
				if err := b.clients.node.Client().CallContext(ctx, nil, "eth_sendRawTransaction", hexutil.Encode(raw)); err != nil {
					return fmt.Errorf("send a vault call: %w", err)
				}
			}
			return nil
		})
	}
	if err := senders.Wait(); err != nil {
		return 0, err
	}
	for i, lane := range lanes {
		err := fleet.Until(ctx, "all vault calls are mined", func() (bool, error) {
			n, err := b.clients.node.NonceAt(ctx, operators[i], nil)
			return n == uint64(len(lane)), err
		})
		if err != nil {
			return 0, err
		}
	}
	took := time.Since(begun)
	return float64(b.calls) / took.Seconds(), b.allPaid(ctx, site, total)
}

// presign makes each operator's calls.
func (b *bench) presign(keys []*ecdsa.PrivateKey, site devchain.Contracts) ([][][]byte, error) {
	signer := types.LatestSignerForChainID(new(big.Int).SetUint64(b.world.Site.ChainID))
	lanes := make([][][]byte, len(keys))
	for i := range b.calls {
		lane := i % len(keys)
		data := contracts.NewVault().PackSettle(crypto.Keccak256Hash(fmt.Appendf(nil, "bench %d", i)), site.Token, payee(i), big.NewInt(amount))
		tx, err := types.SignNewTx(keys[lane], signer, &types.DynamicFeeTx{
			ChainID: signer.ChainID(), Nonce: uint64(len(lanes[lane])), GasTipCap: big.NewInt(params.GWei), GasFeeCap: big.NewInt(10 * params.GWei),
			Gas: callGas, To: &site.Vault, Data: data})
		if err != nil {
			return nil, fmt.Errorf("sign a vault call: %w", err)
		}
		raw, err := tx.MarshalBinary()
		if err != nil {
			return nil, fmt.Errorf("encode a vault call: %w", err)
		}
		lanes[lane] = append(lanes[lane], raw)
	}
	return lanes, nil
}

// allPaid: a call that reverted must not count.
func (b *bench) allPaid(ctx context.Context, site devchain.Contracts, total *big.Int) error {
	left, err := site.BalanceOf(ctx, b.clients.node, site.Vault)
	if err != nil {
		return err
	}
	if left.Sign() != 0 {
		return fmt.Errorf("vault calls paid all but %s of %s", left, total)
	}
	return nil
}
