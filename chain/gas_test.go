package chain

import (
	"math"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"pgregory.net/rapid"

	"github.com/quittance/quittance/settlement"
)

func TestGasLimitAddsAQuarterAndAMarginAndDoublesAtMostTwice(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		estimate  uint64
		doublings int
		block     uint64
		want      uint64
		why       string
	}{
		{60_000, 0, 30_000_000, 100_000, "1.25 x + 25,000"},
		{60_001, 0, 30_000_000, 100_002, "the quarter is rounded up"},
		{60_000, 1, 30_000_000, 200_000, "one out-of-gas revert"},
		{60_000, 2, 30_000_000, 400_000, "two"},
		{60_000, 9, 30_000_000, 400_000, "never more than twice"},
		{10_000_000, 2, 60_000_000, 1 << 24, "EIP-7825: no transaction has more than 2^24"},
		{10_000_000, 1, 30_000_000, 15_000_000, "half a block"},
		{15_000_000, 0, 30_000_000, 15_000_000, "the estimate just fits"},
	} {
		got, err := GasLimit(row.estimate, row.doublings, row.block)
		if err != nil || got != row.want {
			t.Errorf("GasLimit(%d, %d, %d) = %d, %v; want %d: %s", row.estimate, row.doublings, row.block, got, err, row.want, row.why)
		}
	}
	for _, estimate := range []uint64{15_000_001, math.MaxUint64} {
		if limit, err := GasLimit(estimate, 0, 30_000_000); err == nil {
			t.Errorf("an estimate of %d got limit %d", estimate, limit)
		}
	}
}

// T24, https://github.com/LFDT-Paladin/paladin/issues/504: a limit below the intrinsic gas wedges the signer. geth's own
// computation is the oracle.
func TestT24IntrinsicGasIsWhatGethAsks(t *testing.T) {
	t.Parallel()
	rules := params.Rules{IsHomestead: true, IsIstanbul: true, IsBerlin: true, IsLondon: true, IsShanghai: true, IsCancun: true, IsPrague: true, IsOsaka: true}
	to := common.HexToAddress("0x1000000000000000000000000000000000000001")
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.OneOf(rapid.Just(byte(0)), rapid.Byte()), 0, 400).Draw(t, "data")
		base, err := core.IntrinsicGas(data, nil, nil, common.Address{1}, &to, new(uint256.Int), rules)
		if err != nil {
			t.Fatal(err)
		}
		floor, err := core.FloorDataGas(rules, common.Address{1}, &to, new(uint256.Int), data, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := IntrinsicGas(data); got != max(base, floor) {
			t.Fatalf("got %d, geth asks for %d and a floor of %d", got, base, floor)
		}
	})
}

func TestMaxCostCountsAllGasAtTheCapAndTheValue(t *testing.T) {
	t.Parallel()
	payload := settlement.Payload{GasLimit: 100_000, Value: settlement.NewAmount(7)}
	cost, err := MaxCost(payload, settlement.Fees{Cap: settlement.NewAmount(30)})
	if err != nil || cost != settlement.NewAmount(3_000_007) {
		t.Errorf("got %s, %v", cost, err)
	}
	if _, err := MaxCost(payload, settlement.Fees{Cap: amountMax}); err == nil {
		t.Error("an overflow passes")
	}
}
