// Package topup sends coins to signers, and finds what others sent. It may import chain, ledger and settlement, and must never send
// bytes that the ledger does not have.
package topup

import (
	"context"
	"crypto/ecdsa"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"

	"github.com/quittance/quittance/chain"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// Desk tops up signers of one chain.
type Desk struct {
	Ledger *ledger.Ledger
	Pool   *chain.Pool
	Config ledger.ChainConfig
}

// Order is one top-up to send.
type Order struct {
	Signer  common.Address
	Amount  settlement.Amount // wei
	Actor   string
	Another bool // also while another is on its way to that signer
}

// Send stores the bytes of a top-up and then sends them. While another to that signer is on its way it sends those bytes again
// instead, so a repeat after a crash or a lost answer tops up once. The listener books it once it is final.
func (d Desk) Send(ctx context.Context, key *ecdsa.PrivateKey, o Order) (t ledger.TopUp, repeated bool, err error) {
	from := crypto.PubkeyToAddress(key.PublicKey)
	if err := d.check(ctx, from, o); err != nil {
		return t, false, err
	}
	if !o.Another {
		waiting, err := d.waiting(ctx, o.Signer)
		if err != nil {
			return t, false, err
		}
		if waiting != nil {
			return *waiting, true, d.offer(ctx, waiting.Raw, waiting.TxHash)
		}
	}
	tx, err := d.sign(ctx, key, o)
	if err != nil {
		return t, false, err
	}
	raw, err := tx.MarshalBinary()
	if err != nil {
		return t, false, fmt.Errorf("encode the top-up of %s: %w", o.Signer, err)
	}
	t, err = d.Ledger.PlanTopUp(ctx, ledger.TopUp{ChainID: d.Config.ChainID, Signer: o.Signer, TxHash: tx.Hash(), Amount: o.Amount, Actor: o.Actor, Raw: raw}, o.Another)
	if err != nil {
		return t, false, err
	}
	return t, false, d.offer(ctx, raw, tx.Hash())
}

// check refuses what would confuse the books: a signer's own key sends nothing that no settlement asked for.
func (d Desk) check(ctx context.Context, from common.Address, o Order) error {
	refused, err := d.Ledger.Refused(ctx, d.Config.ChainID)
	if err != nil {
		return err
	}
	known := false
	for _, signer := range refused.Signers {
		if signer == from {
			return settlement.Invalidf("keystore", "holds the key of %s, a signer: its nonces are for settlements", from)
		}
		known = known || signer == o.Signer
	}
	switch {
	case !known:
		return settlement.Invalidf("signer", "is no signer of chain %d: %s", d.Config.ChainID, o.Signer)
	case o.Amount.IsZero():
		return settlement.Invalidf("amount", "must be above zero")
	}
	return nil
}

// waiting is the newest top-up of ours that is on its way to a signer.
func (d Desk) waiting(ctx context.Context, signer common.Address) (*ledger.TopUp, error) {
	all, err := d.Ledger.TopUps(ctx, d.Config.ChainID, topUpsLooked)
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		if t.Signer == signer && !t.Booked {
			return &t, nil
		}
	}
	return nil, nil
}

const topUpsLooked = 1000

func (d Desk) sign(ctx context.Context, key *ecdsa.PrivateKey, o Order) (*types.Transaction, error) {
	from := crypto.PubkeyToAddress(key.PublicKey)
	var nonce hexutil.Uint64
	if err := d.Pool.Call(ctx, &nonce, "eth_getTransactionCount", from, "pending"); err != nil {
		return nil, settlement.Errorf(settlement.Transient, "ask nonce of %s: %w", from, err)
	}
	var balance hexutil.Big
	if err := d.Pool.Call(ctx, &balance, "eth_getBalance", from, "pending"); err != nil {
		return nil, settlement.Errorf(settlement.Transient, "ask balance of %s: %w", from, err)
	}
	head, err := d.Ledger.Head(ctx, d.Config.ChainID)
	if err != nil {
		return nil, fmt.Errorf("price the top-up: %w", err)
	}
	fees := chain.FirstFees(chain.MarketOf(head), d.Config.TipFloor)
	cost := new(big.Int).Add(o.Amount.Big(), new(big.Int).Mul(fees.Cap.Big(), big.NewInt(int64(params.TxGas))))
	if balance.ToInt().Cmp(cost) < 0 {
		return nil, settlement.Invalidf("keystore", "%s holds %s wei, the top-up may cost %s", from, balance.ToInt(), cost)
	}
	id := new(big.Int).SetUint64(d.Config.ChainID)
	tx, err := types.SignNewTx(key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID: id, Nonce: uint64(nonce), GasTipCap: fees.Tip.Big(), GasFeeCap: fees.Cap.Big(), Gas: params.TxGas, To: &o.Signer, Value: o.Amount.Big(),
	})
	if err != nil {
		return nil, fmt.Errorf("sign the top-up of %s: %w", o.Signer, err)
	}
	return tx, nil
}

// offer sends stored bytes. A refusal is told: they stay stored, and a repeat offers them again.
func (d Desk) offer(ctx context.Context, raw []byte, hash common.Hash) error {
	verdict := chain.ClassifyAll(d.Pool.Send(ctx, raw))
	switch verdict.Class {
	case chain.Accepted, chain.AcceptedBefore:
		return nil
	case chain.PossiblySent:
		return settlement.Errorf(settlement.Unknown, "top-up %s: it may have been sent, no node said so: repeat the command", hash)
	default:
		return settlement.Errorf(settlement.Transient, "top-up %s is stored, and the nodes refuse it now: %s (%s)", hash, verdict.Text, verdict.Class)
	}
}
