package chain

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"

	"github.com/quittance/quittance/settlement"
)

// Sender builds, signs and broadcasts transactions of one chain. It takes no nonce and stores nothing: who calls Broadcast
// has committed the bytes before.
type Sender struct {
	pool    *Pool
	signers Signers
}

// NewSender makes a sender for the pool's chain.
func NewSender(pool *Pool, signers Signers) *Sender { return &Sender{pool: pool, signers: signers} }

// Payment is the call that pays a settlement: the same bytes every time, but for the gas limit, which it leaves at zero.
func (s *Sender) Payment(st settlement.Settlement) (settlement.Payload, error) {
	if err := s.ours(st); err != nil {
		return settlement.Payload{}, err
	}
	data, err := vaultABI.TryPackSettle(st.OnchainID, st.Asset.Token, st.To, st.Amount.Big())
	if err != nil {
		return settlement.Payload{}, settlement.Errorf(settlement.Invalid, "pack the payment of %s: %w", st.Key, err)
	}
	return settlement.Payload{To: st.Vault, Data: data}, nil
}

// ours refuses a settlement whose id is another chain's or vault's: paying it here would never count.
func (s *Sender) ours(st settlement.Settlement) error {
	if st.Asset.ChainID != s.pool.ChainID() {
		return settlement.Errorf(settlement.Invalid, "settlement %s is of chain %d, not of %d", st.Key, st.Asset.ChainID, s.pool.ChainID())
	}
	if want := st.Key.OnchainID(st.Asset.ChainID, st.Vault); st.OnchainID != want {
		return settlement.Errorf(settlement.Invalid, "settlement %s has id %s on chain, its key gives %s", st.Key, st.OnchainID, want)
	}
	return nil
}

// SelfTransfer does nothing but consume a nonce: the payload of cancels and no-ops.
func SelfTransfer(signer common.Address) settlement.Payload {
	return settlement.Payload{To: signer, GasLimit: params.TxGas}
}

// SignFor returns the closure that an allocation calls with the nonce it took. What can be known to be wrong without a nonce
// fails here, before one is taken: a limit below the intrinsic gas, a tip above the cap.
func (s *Sender) SignFor(ctx context.Context, kind settlement.AttemptKind, p settlement.Payload, f settlement.Fees) (func(common.Address, uint64) (settlement.Attempt, error), error) {
	if err := checkPayload(p, f); err != nil {
		return nil, err
	}
	return func(signer common.Address, nonce uint64) (settlement.Attempt, error) {
		return s.Sign(ctx, kind, p, f, signer, nonce)
	}, nil
}

// Sign makes one attempt: bytes, hash, and the proof by recovery that they are the signer's. With a key in memory it does no
// IO, so it may run inside a commit. Signing again gives an equal attempt.
func (s *Sender) Sign(ctx context.Context, kind settlement.AttemptKind, p settlement.Payload, f settlement.Fees, signer common.Address, nonce uint64) (settlement.Attempt, error) {
	if err := checkPayload(p, f); err != nil {
		return settlement.Attempt{}, err
	}
	key, err := s.signers.Signer(signer)
	if err != nil {
		return settlement.Attempt{}, err
	}
	unsigned := types.NewTx(&types.DynamicFeeTx{
		ChainID: new(big.Int).SetUint64(s.pool.ChainID()), Nonce: nonce,
		GasTipCap: f.Tip.Big(), GasFeeCap: f.Cap.Big(), Gas: p.GasLimit,
		To: &p.To, Value: p.Value.Big(), Data: p.Data,
	})
	signed, err := key.Sign(ctx, unsigned)
	if err != nil {
		return settlement.Attempt{}, fmt.Errorf("sign nonce %d of %s: %w", nonce, signer, err)
	}
	if err := checkSigned(unsigned, signed, signer, s.pool.ChainID()); err != nil {
		return settlement.Attempt{}, fmt.Errorf("sign nonce %d: %w", nonce, err)
	}
	raw, err := signed.MarshalBinary()
	if err != nil {
		return settlement.Attempt{}, fmt.Errorf("encode nonce %d of %s: %w", nonce, signer, err)
	}
	signing := types.LatestSignerForChainID(unsigned.ChainId()).Hash(unsigned)
	return settlement.Attempt{Hash: signed.Hash(), SigningHash: signing, Kind: kind, Payload: p, Fees: f, Raw: raw}, nil
}

func checkPayload(p settlement.Payload, f settlement.Fees) error {
	switch least := IntrinsicGas(p.Data); {
	case p.GasLimit < least:
		return settlement.Errorf(settlement.Invalid, "a gas limit of %d is below the intrinsic %d: no node would take it", p.GasLimit, least)
	case p.GasLimit > params.MaxTxGas:
		return settlement.Errorf(settlement.Invalid, "a gas limit of %d is above the %d of any transaction", p.GasLimit, uint64(params.MaxTxGas))
	case f.Tip.Cmp(f.Cap) > 0:
		return settlement.Errorf(settlement.Invalid, "a tip of %s wei is above the cap of %s", f.Tip, f.Cap)
	}
	return nil
}

// Broadcast offers committed bytes to every node and sums up what they say. Again it offers the same bytes, which is harmless:
// they hold one nonce. An error means that no node answered, and even then they may have arrived.
func (s *Sender) Broadcast(ctx context.Context, a settlement.Attempt) (settlement.Sent, error) {
	if err := s.checkStored(a); err != nil {
		return settlement.Sent{}, err
	}
	answers := s.pool.Send(ctx, a.Raw)
	v := ClassifyAll(answers)
	if v.Class == PossiblySent && !anyVerdict(answers) {
		errs := make([]error, len(answers))
		for i, answer := range answers {
			errs[i] = answer.Err
		}
		return settlement.Sent{}, settlement.Errorf(settlement.Unknown, "broadcast %s: no node answered: %w", a.Hash, errors.Join(errs...))
	}
	return v.sent(), nil
}

func anyVerdict(answers []SendAnswer) bool {
	for _, answer := range answers {
		if IsVerdict(answer.Err) {
			return true
		}
	}
	return false
}

// sent says in the shared vocabulary what a verdict means.
func (v Verdict) sent() settlement.Sent {
	switch v.Class {
	case Accepted, AcceptedBefore:
		return settlement.Sent{Outcome: settlement.SendAccepted}
	case PossiblySent:
		return settlement.Sent{Outcome: settlement.SendUnsure, Class: string(v.Class), Text: v.Text}
	case Rejected:
		return settlement.Sent{Outcome: settlement.SendUnrunnable, Class: string(v.Class), Text: v.Text}
	default:
		return settlement.Sent{Outcome: settlement.SendRefused, Class: string(v.Class), Text: v.Text}
	}
}

// checkStored keeps bytes that are not what the row says they are off the chain.
func (s *Sender) checkStored(a settlement.Attempt) error {
	var tx types.Transaction
	if err := tx.UnmarshalBinary(a.Raw); err != nil {
		return settlement.Errorf(settlement.Invalid, "attempt %s: its stored bytes are no transaction: %w", a.Hash, err)
	}
	if tx.Hash() != a.Hash {
		return settlement.Errorf(settlement.Invalid, "attempt %s: its stored bytes are those of %s", a.Hash, tx.Hash())
	}
	if tx.ChainId().Cmp(new(big.Int).SetUint64(s.pool.ChainID())) != 0 {
		return settlement.Errorf(settlement.Invalid, "attempt %s is signed for chain %s, not for %d", a.Hash, tx.ChainId(), s.pool.ChainID())
	}
	return nil
}
