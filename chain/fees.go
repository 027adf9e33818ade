package chain

import (
	"fmt"

	"github.com/holiman/uint256"

	"github.com/quittance/quittance/settlement"
)

// Market is what the newest recorded block says about prices, in wei per gas.
type Market struct {
	BaseFee settlement.Amount
	Tip     settlement.Amount // eth_maxPriorityFeePerGas, not below the chain's floor
}

// MarketOf reads a head's prices.
func MarketOf(h settlement.Head) Market { return Market{BaseFee: h.BaseFee, Tip: h.Tip} }

// geth takes a replacement only if both fields are above the old ones and at least floor(old * 110 / 100) (txpool.pricebump 10).
// Other clients want strictly more than +10 %, or compare the effective tip, hence both fields by an eighth and one wei.
const (
	bumpNumerator, bumpDenominator         = 9, 8
	smallestNumerator, smallestDenominator = 11, 10
	// urgentNumerator/Denominator: a cancel or a no-op may go above the lane's ceiling, since it frees the nonces behind it.
	urgentNumerator, urgentDenominator = 5, 4
)

// FirstFees prices a new transaction: a cap of twice the base fee plus the tip, so that it survives about six full blocks.
// Overflow saturates, and then no ceiling admits it.
func FirstFees(m Market, tipFloor settlement.Amount) settlement.Fees {
	tip := larger(m.Tip, tipFloor)
	return settlement.Fees{Cap: addSat(addSat(m.BaseFee, m.BaseFee), tip), Tip: tip}
}

// WithinCeilings reports whether a first price is allowed: the whole gas at the cap within what one settlement may cost, and
// the cap within the lane's. It is asked once, before a nonce is taken; afterwards only the lane's ceiling counts.
func WithinCeilings(f settlement.Fees, gasLimit uint64, feeCeiling, capCeiling settlement.Amount) error {
	cost, over := f.Cap.Mul(settlement.NewAmount(gasLimit))
	if over || cost.Cmp(feeCeiling) > 0 {
		return fmt.Errorf("%d gas at %s wei cost more than the %s wei allowed per settlement", gasLimit, f.Cap, feeCeiling)
	}
	if f.Cap.Cmp(capCeiling) > 0 {
		return fmt.Errorf("a cap of %s wei per gas is above the lane's ceiling of %s", f.Cap, capCeiling)
	}
	return nil
}

// UrgentCeiling is the ceiling of cancels and no-ops: a quarter above the lane's.
func UrgentCeiling(capCeiling settlement.Amount) settlement.Amount {
	return mulDiv(capCeiling, urgentNumerator, urgentDenominator, false)
}

// Bump prices a replacement. ok is false at the ceiling: no price that a node would take is allowed, so keep sending what there
// is. Otherwise both fields are at least +10 % and above the old ones, the tip is not above the cap, and the cap not above
// the ceiling. The full step is an eighth, or the market if that is higher; only the last step before the ceiling is smaller.
func Bump(old settlement.Fees, m Market, tipFloor, ceiling settlement.Amount) (bumped settlement.Fees, ok bool) {
	market := FirstFees(m, tipFloor)
	tip := larger(market.Tip, step(old.Tip))
	feeCap := larger(larger(market.Cap, step(old.Cap)), tip)
	feeCap = smaller(feeCap, ceiling)
	tip = smaller(tip, feeCap)
	if feeCap.Cmp(SmallestBump(old.Cap)) < 0 || tip.Cmp(SmallestBump(old.Tip)) < 0 {
		return settlement.Fees{}, false
	}
	return settlement.Fees{Cap: feeCap, Tip: tip}, true
}

// SmallestBump is the least that a node takes in place of an old field: +10 %, rounded up, and at least one wei more.
func SmallestBump(old settlement.Amount) settlement.Amount {
	return larger(mulDiv(old, smallestNumerator, smallestDenominator, true), addSat(old, settlement.NewAmount(1)))
}

// step is the usual bump of one field: ceil(1.125 x old) + 1.
func step(old settlement.Amount) settlement.Amount {
	return addSat(mulDiv(old, bumpNumerator, bumpDenominator, true), settlement.NewAmount(1))
}

// BelowMarket reports whether an attempt is priced below what the newest block asks: a cap below the base fee, or less left
// for the miner, min(tip, cap - base), than the market's tip.
func BelowMarket(f settlement.Fees, m Market, tipFloor settlement.Amount) bool {
	room, under := f.Cap.Sub(m.BaseFee)
	return under || smaller(f.Tip, room).Cmp(larger(m.Tip, tipFloor)) < 0
}

func larger(a, b settlement.Amount) settlement.Amount {
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}

func smaller(a, b settlement.Amount) settlement.Amount {
	if a.Cmp(b) > 0 {
		return b
	}
	return a
}

// addSat and mulDiv saturate at 2^256-1, which no ceiling of a sane lane admits.
func addSat(a, b settlement.Amount) settlement.Amount {
	sum, over := a.Add(b)
	if over {
		return amountMax
	}
	return sum
}

func mulDiv(a settlement.Amount, numerator, denominator uint64, up bool) settlement.Amount {
	n, d := uint256.NewInt(numerator), uint256.NewInt(denominator)
	quotient, over := new(uint256.Int).MulDivOverflow(a.Uint256(), n, d)
	if over {
		return amountMax
	}
	result := amountOf(quotient)
	if up && !new(uint256.Int).MulMod(a.Uint256(), n, d).IsZero() {
		return addSat(result, settlement.NewAmount(1))
	}
	return result
}

var amountMax = amountOf(new(uint256.Int).SetAllOne())

// amountOf cannot fail: every uint256 is an amount.
func amountOf(v *uint256.Int) settlement.Amount {
	a, err := settlement.AmountFromBig(v.ToBig())
	if err != nil {
		panic("chain: a 256-bit integer is no amount: " + err.Error())
	}
	return a
}
