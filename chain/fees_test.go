package chain

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/quittance/quittance/settlement"
)

func wei(n uint64) settlement.Amount { return settlement.NewAmount(n) }

func amounts(maxBits int) *rapid.Generator[settlement.Amount] {
	return rapid.Custom(func(t *rapid.T) settlement.Amount {
		bits := rapid.IntRange(0, maxBits).Draw(t, "bits")
		raw := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "raw")
		v := new(big.Int).SetBytes(raw)
		v.Rsh(v, uint(256-bits))
		a, err := settlement.AmountFromBig(v)
		if err != nil {
			t.Fatal(err)
		}
		return a
	})
}

func feesUpTo(maxBits int) *rapid.Generator[settlement.Fees] {
	return rapid.Custom(func(t *rapid.T) settlement.Fees {
		a, b := amounts(maxBits).Draw(t, "a"), amounts(maxBits).Draw(t, "b")
		return settlement.Fees{Cap: larger(a, b), Tip: smaller(a, b)}
	})
}

// T35, https://github.com/x402-rs/x402-rs/issues/113: without headroom, "fee cap less than base fee" comes after a few full blocks.
func TestT35FirstFeesOutliveSixFullBlocks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.Uint64Range(1000, 1<<50).Draw(t, "base")
		m := Market{BaseFee: wei(base), Tip: wei(rapid.Uint64Range(0, 1<<40).Draw(t, "tip"))}
		floor := wei(rapid.Uint64Range(0, 1<<40).Draw(t, "floor"))
		f := FirstFees(m, floor)
		if f.Tip.Cmp(floor) < 0 || f.Tip.Cmp(m.Tip) < 0 || f.Tip.Cmp(f.Cap) > 0 {
			t.Fatalf("tip %s of cap %s, market %s, floor %s", f.Tip, f.Cap, m.Tip, floor)
		}
		full := base
		for range 5 { // a full block raises the base fee by an eighth at most
			full += full / 8
		}
		if BelowMarket(f, Market{BaseFee: wei(full), Tip: m.Tip}, floor) {
			t.Fatalf("cap %s is too low five full blocks after base %d", f.Cap, base)
		}
	})
}

func TestCeilingsAreCheckedBeforeANonceIsTaken(t *testing.T) {
	t.Parallel()
	fees := settlement.Fees{Cap: wei(100), Tip: wei(1)}
	for _, row := range []struct {
		feeCeiling, capCeiling uint64
		ok                     bool
		why                    string
	}{
		{100_000, 100, true, "both exactly at the ceiling"},
		{99_999, 100, false, "the whole gas at the cap costs one wei more than a settlement may"},
		{100_000, 99, false, "the cap is one wei above the lane's"},
	} {
		if err := WithinCeilings(fees, 1000, wei(row.feeCeiling), wei(row.capCeiling)); (err == nil) != row.ok {
			t.Errorf("%+v: %v: %s", row, err, row.why)
		}
	}
	if WithinCeilings(settlement.Fees{Cap: amountMax}, 2, amountMax, amountMax) == nil {
		t.Error("an overflowing cost passes the highest ceiling")
	}
}

// T29, https://github.com/livepeer/go-livepeer/pull/2126: a floor makes the bump too small. T31,
// https://github.com/lambdaclass/ethrex/pull/7151: integer arithmetic made it zero. T32, https://github.com/paradigmxyz/reth/issues/13160:
// some nodes want more than exactly +10 %.
func TestT29T31T32ABumpIsNeverTooSmall(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		old := feesUpTo(200).Draw(t, "old")
		m := Market{BaseFee: amounts(200).Draw(t, "base"), Tip: amounts(200).Draw(t, "tip")}
		floor := amounts(100).Draw(t, "floor")
		bumped, ok := Bump(old, m, floor, amountMax)
		if !ok {
			t.Fatalf("no bump of %+v below the highest ceiling", old)
		}
		for _, f := range []struct{ old, bumped settlement.Amount }{{old.Cap, bumped.Cap}, {old.Tip, bumped.Tip}} {
			want := new(big.Int).Mul(f.old.Big(), big.NewInt(9)) // ceil(9/8 x) + 1 without any of the code under test
			want.Add(want, big.NewInt(7)).Div(want, big.NewInt(8)).Add(want, big.NewInt(1))
			if f.bumped.Big().Cmp(want) < 0 {
				t.Fatalf("%s became %s, less than %s", f.old, f.bumped, want)
			}
		}
		if market := FirstFees(m, floor); bumped.Cap.Cmp(market.Cap) < 0 || bumped.Tip.Cmp(market.Tip) < 0 {
			t.Fatalf("bumped to %+v, below the market %+v", bumped, market)
		}
		if bumped.Tip.Cmp(bumped.Cap) > 0 {
			t.Fatalf("the tip of %+v is above its cap", bumped)
		}
	})
}

// T30, https://github.com/cowprotocol/services/pull/942: only one field was bumped. T33,
// https://github.com/besu-eth/besu/issues/3128: a node compares the tip. So both move, at whatever ceiling.
func TestT30T33ABumpRaisesBothFieldsAndStaysBelowTheCeiling(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		old := feesUpTo(64).Draw(t, "old")
		m := Market{BaseFee: amounts(64).Draw(t, "base"), Tip: amounts(64).Draw(t, "tip")}
		ceiling := amounts(66).Draw(t, "ceiling")
		bumped, ok := Bump(old, m, wei(1), ceiling)
		if !ok {
			// Then no price at all is both taken by a node and allowed.
			if least := larger(SmallestBump(old.Cap), SmallestBump(old.Tip)); least.Cmp(ceiling) <= 0 {
				t.Fatalf("%+v is not bumped although %s is below the ceiling %s", old, least, ceiling)
			}
			return
		}
		if bumped.Cap.Cmp(ceiling) > 0 || bumped.Tip.Cmp(bumped.Cap) > 0 {
			t.Fatalf("%+v at ceiling %s", bumped, ceiling)
		}
		if bumped.Cap.Cmp(old.Cap) <= 0 || bumped.Tip.Cmp(old.Tip) <= 0 {
			t.Fatalf("%+v became %+v", old, bumped)
		}
		for _, f := range []struct{ old, bumped settlement.Amount }{{old.Cap, bumped.Cap}, {old.Tip, bumped.Tip}} {
			ten := new(big.Int).Mul(f.bumped.Big(), big.NewInt(10))
			if eleven := new(big.Int).Mul(f.old.Big(), big.NewInt(11)); ten.Cmp(eleven) < 0 {
				t.Fatalf("%s became %s, less than +10 %%", f.old, f.bumped)
			}
		}
	})
}

func TestTheLastStepBeforeTheCeilingMayBeSmaller(t *testing.T) {
	t.Parallel()
	old, calm := settlement.Fees{Cap: wei(1000), Tip: wei(100)}, Market{}
	for _, row := range []struct {
		ceiling uint64
		want    settlement.Fees
		ok      bool
		why     string
	}{
		{2000, settlement.Fees{Cap: wei(1126), Tip: wei(114)}, true, "the full step"},
		{1126, settlement.Fees{Cap: wei(1126), Tip: wei(114)}, true, "just allowed"},
		{1110, settlement.Fees{Cap: wei(1110), Tip: wei(114)}, true, "the ceiling, still +10 %"},
		{1100, settlement.Fees{Cap: wei(1100), Tip: wei(114)}, true, "exactly +10 %"},
		{1099, settlement.Fees{}, false, "one wei less: no node would take it"},
		{500, settlement.Fees{}, false, "the ceiling was lowered below what is out"},
	} {
		if got, ok := Bump(old, calm, wei(1), wei(row.ceiling)); got != row.want || ok != row.ok {
			t.Errorf("ceiling %d: got %+v, %v: %s", row.ceiling, got, ok, row.why)
		}
	}
	for old, least := range map[uint64]uint64{0: 1, 1: 2, 5: 6, 10: 11, 1000: 1100, 1001: 1102, 1009: 1110} {
		if got := SmallestBump(wei(old)); got != wei(least) {
			t.Errorf("the smallest bump of %d is %s, want %d: rounded up, and above the old one", old, got, least)
		}
	}
	if got := UrgentCeiling(wei(1000)); got != wei(1250) {
		t.Errorf("the ceiling of a cancel is %s", got)
	}
}

func TestBelowMarketLooksAtTheCapAndAtWhatIsLeftForTheMiner(t *testing.T) {
	t.Parallel()
	m, floor := Market{BaseFee: wei(100), Tip: wei(10)}, wei(5)
	for _, row := range []struct {
		feeCap, tip uint64
		want        bool
		why         string
	}{
		{110, 10, false, "pays exactly what is asked"},
		{109, 10, true, "the cap leaves 9 of the tip"},
		{99, 10, true, "the cap is below the base fee"},
		{1000, 9, true, "the tip itself is too low"},
		{1000, 1000, false, "pays more"},
	} {
		if got := BelowMarket(settlement.Fees{Cap: wei(row.feeCap), Tip: wei(row.tip)}, m, floor); got != row.want {
			t.Errorf("cap %d, tip %d: %v: %s", row.feeCap, row.tip, got, row.why)
		}
	}
	if !BelowMarket(settlement.Fees{Cap: wei(1000), Tip: wei(1)}, Market{BaseFee: wei(100), Tip: wei(1)}, floor) {
		t.Error("a tip below the chain's floor counts as enough: it is pooled and never mined")
	}
}

// gethThreshold is the least that geth's rule admits, written as geth writes it, plus delta.
func gethThreshold(old settlement.Amount, delta int64) settlement.Amount {
	threshold := new(big.Int).Mul(old.Big(), big.NewInt(110))
	threshold.Div(threshold, big.NewInt(100))
	if threshold.Cmp(old.Big()) <= 0 {
		threshold.Add(old.Big(), big.NewInt(1))
	}
	a, err := settlement.AmountFromBig(threshold.Add(threshold, big.NewInt(delta)))
	if err != nil {
		panic(err)
	}
	return a
}
