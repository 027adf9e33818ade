package ledgertest

import (
	"context"
	"crypto/ecdsa"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// signerKey is the key of the lane with that index. It is derived from a word: it must never hold anything.
func signerKey(i int) *ecdsa.PrivateKey {
	key, err := crypto.ToECDSA(crypto.Keccak256([]byte(fmt.Sprintf("ledgertest signer %d", i))))
	if err != nil {
		panic(err) // one of 2^128 words has no key, and these are not among them
	}
	return key
}

// Signer is the address of the lane with that index.
func Signer(i int) common.Address { return crypto.PubkeyToAddress(signerKey(i).PublicKey) }

// Key in the default tenant.
func Key(value string) settlement.Key {
	return settlement.Key{Tenant: settlement.DefaultTenant, Value: value}
}

// Reservation of so many USDC from Alice to a payee that the key names, by a request id of its own.
func (w *World) Reservation(key, units string) settlement.Reservation {
	w.T.Helper()
	return settlement.Reservation{
		Request: settlement.Request{Key: Key(key), Account: Alice, Asset: w.USDC, To: Address("payee"), Amount: w.Units("USDC", units)},
		Vault:   w.Chain.Vault, RequestID: "request of " + key,
	}
}

// Reserved reserves and expects the settlement to be open.
func (w *World) Reserved(key, units string) settlement.Settlement {
	w.T.Helper()
	s, err := w.Reserve(context.Background(), w.Reservation(key, units))
	if err != nil || s.State != settlement.Requested {
		w.T.Fatalf("reserve %s: %s %v", key, s.State, err)
	}
	return s
}

// Fees of 2 gwei and a tip of 0.01 gwei, times a percentage.
func Fees(percent uint64) settlement.Fees {
	return settlement.Fees{Cap: settlement.NewAmount(20_000_000 * percent), Tip: settlement.NewAmount(100_000 * percent)}
}

// Allocation for a settlement, with a payload that names it.
func (w *World) Allocation(s settlement.Settlement) settlement.Allocation {
	a := settlement.Allocation{
		SettlementID: s.ID, Fees: Fees(100),
		Payload: settlement.Payload{To: s.Vault, Data: s.OnchainID.Bytes(), GasLimit: 100_000},
	}
	a.MaxCost, _ = a.Cap.Mul(settlement.NewAmount(a.GasLimit))
	return a
}

// Signs signs an allocation with the lanes' keys.
func (w *World) Signs(a settlement.Allocation) ledger.Signs {
	return func(signer common.Address, nonce uint64) (settlement.Attempt, error) {
		return w.Sign(signer, nonce, settlement.AttemptPay, a.Payload, a.Fees), nil
	}
}

// Sign makes an attempt's bytes with a lane's key.
func (w *World) Sign(signer common.Address, nonce uint64, kind settlement.AttemptKind, p settlement.Payload, f settlement.Fees) settlement.Attempt {
	for i := range 1000 {
		if Signer(i) != signer {
			continue
		}
		chainID := new(big.Int).SetUint64(w.Chain.ChainID)
		tx, err := types.SignNewTx(signerKey(i), types.LatestSignerForChainID(chainID), &types.DynamicFeeTx{
			ChainID: chainID, Nonce: nonce, To: &p.To, Value: p.Value.Big(), Data: p.Data, Gas: p.GasLimit, GasFeeCap: f.Cap.Big(), GasTipCap: f.Tip.Big(),
		})
		if err != nil {
			panic(err) // the key and the chain id are valid by construction
		}
		raw, err := tx.MarshalBinary()
		if err != nil {
			panic(err)
		}
		return settlement.Attempt{Hash: tx.Hash(), Kind: kind, Payload: p, Fees: f, Raw: raw}
	}
	panic("ledgertest: no lane has signer " + signer.Hex())
}

// Submitted reserves and allocates, and expects a nonce.
func (w *World) Submitted(key, units string) settlement.Settlement {
	w.T.Helper()
	s := w.Reserved(key, units)
	a := w.Allocation(s)
	got, err := w.Allocate(context.Background(), a, w.Signs(a))
	if err != nil || got.Outcome != settlement.AllocatedNonce {
		w.T.Fatalf("allocate %s: %+v %v", key, got, err)
	}
	return w.Read(key)
}

// Read reads a settlement of the default tenant that must exist.
func (w *World) Read(key string) settlement.Settlement {
	w.T.Helper()
	s, err := w.Settlement(context.Background(), Key(key))
	if err != nil {
		w.T.Fatalf("read %s: %v", key, err)
	}
	return s
}

// SigningHash is what a remote signer would have signed.
func SigningHash(w *World, a settlement.Attempt) common.Hash {
	var tx types.Transaction
	if err := tx.UnmarshalBinary(a.Raw); err != nil {
		w.T.Fatalf("decode attempt %s: %v", a.Hash, err)
	}
	return types.LatestSignerForChainID(new(big.Int).SetUint64(w.Chain.ChainID)).Hash(&tx)
}
