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

// Sign makes one attempt. It does no IO, so it may run inside a commit: with a key in memory the attempt has bytes, hash, and the
// proof by recovery that they are the signer's, and signing again gives an equal one. A remote signer's attempt has its signing
// hash alone; SignStored makes the bytes once it is committed.
func (s *Sender) Sign(ctx context.Context, kind settlement.AttemptKind, p settlement.Payload, f settlement.Fees, signer common.Address, nonce uint64) (settlement.Attempt, error) {
	if err := checkPayload(p, f); err != nil {
		return settlement.Attempt{}, err
	}
	key, err := s.signers.Signer(signer)
	if err != nil {
		return settlement.Attempt{}, err
	}
	attempt := settlement.Attempt{Kind: kind, Payload: p, Fees: f}
	unsigned := s.unsigned(nonce, attempt)
	if _, remote := key.(*remoteKey); remote {
		attempt.SigningHash = s.rules().Hash(unsigned)
		return attempt, nil
	}
	return s.sign(ctx, key, attempt, unsigned)
}

// SignStored asks a lane's signer for the bytes of an attempt that is committed without. It may take as long as a person needs, and
// must not run inside a transaction. Again, or twice at once, it asks for the same payload; whose bytes are stored first is the
// store's to say.
func (s *Sender) SignStored(ctx context.Context, t settlement.Transaction) (settlement.Attempt, error) {
	key, err := s.signers.Signer(t.Signer)
	if err != nil {
		return settlement.Attempt{}, err
	}
	unsigned := s.unsigned(t.Nonce, t.Newest)
	if got := s.rules().Hash(unsigned); got != t.Newest.SigningHash {
		return settlement.Attempt{}, settlement.Errorf(settlement.Invalid, "nonce %d of %s: the stored payload hashes to %s, its row says %s", t.Nonce, t.Signer, got, t.Newest.SigningHash)
	}
	return s.sign(ctx, key, t.Newest, unsigned)
}

func (s *Sender) rules() types.Signer {
	return types.LatestSignerForChainID(new(big.Int).SetUint64(s.pool.ChainID()))
}

func (s *Sender) unsigned(nonce uint64, a settlement.Attempt) *types.Transaction {
	return types.NewTx(&types.DynamicFeeTx{
		ChainID: new(big.Int).SetUint64(s.pool.ChainID()), Nonce: nonce,
		GasTipCap: a.Tip.Big(), GasFeeCap: a.Cap.Big(), Gas: a.GasLimit,
		To: &a.To, Value: a.Value.Big(), Data: a.Data,
	})
}

// sign completes the attempt, and looks at the signature before anybody stores it.
func (s *Sender) sign(ctx context.Context, key Signer, a settlement.Attempt, unsigned *types.Transaction) (settlement.Attempt, error) {
	signed, err := key.Sign(ctx, unsigned)
	if err != nil {
		return settlement.Attempt{}, fmt.Errorf("sign nonce %d of %s: %w", unsigned.Nonce(), key.Address(), err)
	}
	if err := checkSigned(unsigned, signed, key.Address(), s.pool.ChainID()); err != nil {
		return settlement.Attempt{}, fmt.Errorf("sign nonce %d: %w", unsigned.Nonce(), err)
	}
	if a.Raw, err = signed.MarshalBinary(); err != nil {
		return settlement.Attempt{}, fmt.Errorf("encode nonce %d of %s: %w", unsigned.Nonce(), key.Address(), err)
	}
	a.Hash, a.SigningHash = signed.Hash(), s.rules().Hash(unsigned)
	return a, nil
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
