package chain

import (
	"bytes"
	"fmt"

	"github.com/ethereum/go-ethereum/params"

	"github.com/quittance/quittance/settlement"
)

const (
	// gasMargin on top of a quarter covers a storage slot that empties between estimate and inclusion: writing to an
	// empty slot costs 22,100 and to a used one 5,000.
	gasMargin = 25_000
	// gasDoublingsMax is how often an out-of-gas revert doubles the limit.
	gasDoublingsMax = 2
	// settleGasMin is what any settle that really runs costs: 21,000 for the transaction and 22,100 for the id's empty slot. An
	// estimate below it comes from an address without the vault's code.
	settleGasMin = params.TxGas + params.SstoreSetGasEIP2200 + params.ColdSloadCostEIP2929
)

// GasLimit turns an estimate into a limit: a quarter and a margin more, doubled for each out-of-gas revert so far, and
// never above what a block or a node takes. It fails, and no nonce should be taken, if not even the estimate fits.
func GasLimit(estimate uint64, doublings int, blockGasLimit uint64) (uint64, error) {
	most := min(params.MaxTxGas, blockGasLimit/2)
	if estimate > most {
		return 0, fmt.Errorf("needs %d gas, more than the %d that one transaction may have", estimate, most)
	}
	limit := estimate + (estimate+3)/4 + gasMargin
	for range min(doublings, gasDoublingsMax) {
		limit *= 2
	}
	return min(limit, most), nil
}

// IntrinsicGas is what a call costs before its first instruction, and at least (EIP-7623). A transaction with a lower limit is
// refused by every node and would hold its nonce for ever.
func IntrinsicGas(data []byte) uint64 {
	zeros := uint64(bytes.Count(data, []byte{0}))
	others := uint64(len(data)) - zeros
	base := params.TxGas + zeros*params.TxDataZeroGas + others*params.TxDataNonZeroGasEIP2028
	floor := params.TxGas + (zeros+others*params.TxTokenPerNonZeroByte)*params.TxCostFloorPerToken
	return max(base, floor)
}

// MaxCost is what a payload may cost at most: all its gas at the cap, and its value.
func MaxCost(p settlement.Payload, f settlement.Fees) (settlement.Amount, error) {
	gas, over := settlement.NewAmount(p.GasLimit).Mul(f.Cap)
	if over {
		return settlement.Amount{}, fmt.Errorf("%d gas at %s wei cost more than 2^256-1 wei", p.GasLimit, f.Cap)
	}
	cost, over := gas.Add(p.Value)
	if over {
		return settlement.Amount{}, fmt.Errorf("%s wei of gas and %s wei of value are more than 2^256-1 wei", gas, p.Value)
	}
	return cost, nil
}
