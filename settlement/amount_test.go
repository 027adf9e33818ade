package settlement_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quittance/quittance/settlement"
)

const (
	maxUint256 = "115792089237316195423570985008687907853269984665640564039457584007913129639935"
	twoTo256   = "115792089237316195423570985008687907853269984665640564039457584007913129639936"
)

func TestUnitsAreReadExactlyOrRefused(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why, text string
		decimals  uint8
		want      string // empty: refused
	}{
		{"a whole number", "12", 6, "12000000"},
		{"with a fraction", "12.5", 6, "12500000"},
		{"trailing zeros mean nothing", "12.50", 6, "12500000"},
		{"even more of them than decimals", "12.50000000000", 6, "12500000"},
		{"the smallest unit", "0.000001", 6, "1"},
		{"an asset without decimals", "7", 0, "7"},
		{"zero is a number; whether it may be paid is another question", "0", 6, "0"},
		{"the largest amount", maxUint256, 0, maxUint256},
		{"the largest amount with decimals", maxUint256[:len(maxUint256)-6] + "." + maxUint256[len(maxUint256)-6:], 6, maxUint256},
		{"2^256", twoTo256, 0, ""},
		{"2^256 with decimals", twoTo256[:len(twoTo256)-6] + "." + twoTo256[len(twoTo256)-6:], 6, ""},
		{"below the smallest unit", "1.0000001", 6, ""},
		{"a sign", "-1", 6, ""},
		{"the other sign", "+1", 6, ""},
		{"minus zero", "-0", 6, ""},
		{"an exponent", "1e3", 6, ""},
		{"not a number", "NaN", 6, ""},
		{"no end", "Infinity", 6, ""},
		{"a space before", " 5", 6, ""},
		{"a space behind", "5 ", 6, ""},
		{"nothing", "", 6, ""},
		{"a dot alone", ".", 6, ""},
		{"no whole part", ".5", 6, ""},
		{"no fraction after the dot", "5.", 6, ""},
		{"two dots", "1.2.3", 6, ""},
		{"a comma", "1,5", 6, ""},
		{"grouping", "1_000", 6, ""},
		{"hexadecimal", "0x10", 6, ""},
		{"a leading zero, which some read as octal", "010", 6, ""},
		{"digits of another script", "٣", 6, ""},
		{"a NUL", "5\x00", 6, ""},
		{"a megabyte of digits", strings.Repeat("9", 1<<20), 6, ""},
		{"a fraction for an asset without decimals", "1.5", 0, ""},
	} {
		got, err := settlement.ParseUnits(row.text, row.decimals)
		switch {
		case row.want == "" && (settlement.KindOf(err) != settlement.Invalid || err == nil || len(err.Error()) > 300):
			t.Errorf("%s: %.40q gave %s, %v", row.why, row.text, got, err)
		case row.want != "" && (err != nil || got.String() != row.want):
			t.Errorf("%s: %.40q gave %s, %v, want %s", row.why, row.text, got, err, row.want)
		}
	}
}

func TestBaseUnitsAreDigitsOnly(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "-1", "+1", "1.0", "1e3", " 5", "0x10", "NaN", twoTo256, "1_0", "５"} {
		if a, err := settlement.AmountFromDecimal(text); err == nil {
			t.Errorf("%q became %s", text, a)
		}
	}
	if a, err := settlement.AmountFromDecimal(maxUint256); err != nil || a.String() != maxUint256 {
		t.Errorf("%s, %v", a, err)
	}
}

func anyAmount(t *rapid.T, label string) settlement.Amount {
	raw := rapid.SliceOfN(rapid.Byte(), 0, 32).Draw(t, label)
	a, err := settlement.AmountFromBig(new(big.Int).SetBytes(raw))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// https://github.com/tempoxyz/tidx/pull/267, https://github.com/migalabs/goteth/pull/236: amounts that lose digits on the way.
func TestAnyAmountSurvivesUnitsJSONAndTheDatabasesText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := anyAmount(t, "amount")
		decimals := rapid.Uint8Range(0, 77).Draw(t, "decimals")
		if back, err := settlement.ParseUnits(a.Units(decimals), decimals); err != nil || back != a {
			t.Fatalf("%s with %d decimals is %s and came back as %s, %v", a, decimals, a.Units(decimals), back, err)
		}
		raw, err := json.Marshal(a)
		var back settlement.Amount
		if err != nil || raw[0] != '"' || json.Unmarshal(raw, &back) != nil || back != a {
			t.Fatalf("%s is %s in JSON, %v", a, raw, err)
		}
		value, err := a.Value()
		if err != nil || back.Scan(value) != nil || back != a || back.Scan([]byte(a.String())) != nil || back != a {
			t.Fatalf("%s is %v in SQL, %v", a, value, err)
		}
		if got, err := settlement.AmountFromBig(a.Big()); err != nil || got != a {
			t.Fatalf("%s is %s as a big integer, %v", a, got, err)
		}
	})
}

func TestArithmeticReportsWhatItCannotHold(t *testing.T) {
	t.Parallel()
	limit := new(big.Int).Lsh(big.NewInt(1), 256)
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyAmount(t, "a"), anyAmount(t, "b")
		sum, over := a.Add(b)
		if exact := new(big.Int).Add(a.Big(), b.Big()); over != (exact.Cmp(limit) >= 0) || !over && sum.Big().Cmp(exact) != 0 {
			t.Fatalf("%s + %s = %s, %v", a, b, sum, over)
		}
		difference, under := a.Sub(b)
		if exact := new(big.Int).Sub(a.Big(), b.Big()); under != (exact.Sign() < 0) || !under && difference.Big().Cmp(exact) != 0 {
			t.Fatalf("%s - %s = %s, %v", a, b, difference, under)
		}
		product, over := a.Mul(b)
		if exact := new(big.Int).Mul(a.Big(), b.Big()); over != (exact.Cmp(limit) >= 0) || !over && product.Big().Cmp(exact) != 0 {
			t.Fatalf("%s x %s = %s, %v", a, b, product, over)
		}
		if a.Cmp(b) != a.Big().Cmp(b.Big()) || a.IsZero() != (a.Big().Sign() == 0) {
			t.Fatalf("%s and %s compare wrongly", a, b)
		}
	})
}

// https://github.com/formancehq/payments/pull/750: two amounts that share their digits in memory.
func TestCopiesOfAnAmountNeverAlias(t *testing.T) {
	t.Parallel()
	a := settlement.NewAmount(5)
	b := a
	a.Uint256().SetUint64(9)
	a.Big().SetInt64(9)
	if err := b.UnmarshalJSON([]byte(`"7"`)); err != nil || a != settlement.NewAmount(5) || b != settlement.NewAmount(7) {
		t.Errorf("a %s, b %s, %v", a, b, err)
	}
}

// https://github.com/cyberphone/json-canonicalization/issues/20: a number in JSON is a float to somebody.
func TestAmountsInJSONAreStringsAlone(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{`12`, `12.0`, `1e3`, `null`, `"1.5"`, `"-1"`, `"1e3"`, `""`, `{}`, `"` + twoTo256 + `"`} {
		a := settlement.NewAmount(1)
		if err := json.Unmarshal([]byte(raw), &a); err == nil && raw != `null` {
			t.Errorf("%s became %s", raw, a)
		}
	}
}

func TestScanRefusesWhatIsNoAmount(t *testing.T) {
	t.Parallel()
	for _, v := range []any{nil, int64(-1), 1.5, "1.5", "NaN", "-1", []byte("1e3"), true} {
		var a settlement.Amount
		if err := a.Scan(v); err == nil {
			t.Errorf("%v became %s", v, a)
		}
	}
	var a settlement.Amount
	if err := a.Scan(int64(7)); err != nil || a != settlement.NewAmount(7) {
		t.Errorf("%s %v", a, err)
	}
	for _, b := range []*big.Int{nil, big.NewInt(-1), new(big.Int).Lsh(big.NewInt(1), 256)} {
		if a, err := settlement.AmountFromBig(b); err == nil {
			t.Errorf("%v became %s", b, a)
		}
	}
}
