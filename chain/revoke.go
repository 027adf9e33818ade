package chain

import (
	"context"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/quittance/quittance/settlement"
)

// EstimateRevoke simulates and prices the call that marks a settlement's id as used in its vault, so that nothing can pay it any
// more. It only reads. A vault that has used the id already makes it fail as Transient: the final event will end the
// settlement. No fee ceiling but the lane's counts, a quarter higher, as for whatever ends a doubt.
func (s *Sender) EstimateRevoke(ctx context.Context, st settlement.Settlement, t Terms) (settlement.Estimate, error) {
	if err := s.ours(st); err != nil {
		return settlement.Estimate{}, err
	}
	data, err := vaultABI.TryPackRevoke(st.OnchainID)
	if err != nil {
		return settlement.Estimate{}, settlement.Errorf(settlement.Invalid, "pack the revoke of %s: %w", st.Key, err)
	}
	payload := settlement.Payload{To: st.Vault, Data: data}
	if len(t.Operators) == 0 {
		return settlement.Estimate{}, settlement.Errorf(settlement.Transient, "revoke %s: no active lane's signer is an operator of the vault", st.Key)
	}
	var gas hexutil.Uint64
	if err := s.pool.Call(ctx, &gas, "eth_estimateGas", callArgs(t.Operators[0], payload)); err != nil {
		verdict := judgeCall(err)
		if verdict.fate == callIDUsed {
			return settlement.Estimate{}, settlement.Errorf(settlement.Transient, "revoke %s: the vault has used its id, the final event decides", st.Key)
		}
		return settlement.Estimate{}, settlement.Errorf(settlement.Transient, "estimate the revoke of %s: %w", st.Key, err)
	}
	if payload.GasLimit, err = GasLimit(uint64(gas), 0, t.BlockGasLimit); err != nil {
		return settlement.Estimate{}, settlement.Errorf(settlement.Transient, "revoke %s: %w", st.Key, err)
	}
	fees := FirstFees(t.Market, t.TipFloor)
	cost, err := MaxCost(payload, fees)
	if err != nil {
		return settlement.Estimate{}, settlement.Errorf(settlement.Transient, "revoke %s: %w", st.Key, err)
	}
	return settlement.Estimate{Verdict: settlement.VerdictPayable, Payload: payload, Fees: fees, MaxCost: cost, Signers: s.signers.Addresses()}, nil
}
