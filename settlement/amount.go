package settlement

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"github.com/holiman/uint256"
)

// Amount is a number of base units, 0..2^256-1. It is a value: copies never alias. In JSON and SQL it is a decimal
// string, so that nothing on the way can turn it into a float.
type Amount struct{ v uint256.Int }

// NewAmount makes an amount of n base units.
func NewAmount(n uint64) Amount { return Amount{v: *uint256.NewInt(n)} }

// AmountFromBig fails for what is negative or above 2^256-1.
func AmountFromBig(b *big.Int) (Amount, error) {
	if b == nil || b.Sign() < 0 {
		return Amount{}, fmt.Errorf("amount %v is negative", b)
	}
	v, overflow := uint256.FromBig(b)
	if overflow {
		return Amount{}, fmt.Errorf("amount of %d bits is above 2^256-1", b.BitLen())
	}
	return Amount{v: *v}, nil
}

// AmountFromDecimal reads base units: digits only.
func AmountFromDecimal(s string) (Amount, error) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return Amount{}, fmt.Errorf("amount %q is no whole decimal number", s)
	}
	v, err := uint256.FromDecimal(s)
	if err != nil {
		return Amount{}, fmt.Errorf("amount %q: %w", s, err)
	}
	return Amount{v: *v}, nil
}

// unitsDigitsMax bounds the text of an amount before it is parsed: 78 digits hold 2^256, with room for decimals.
const unitsDigitsMax = 160

// ParseUnits reads a person's number ("12.5") as base units of an asset with so many decimals. It converts exactly or
// fails: no sign, no exponent, no spaces, no superfluous leading zeros, no digits below the smallest unit.
func ParseUnits(text string, decimals uint8) (Amount, error) {
	whole, fraction, dot := strings.Cut(text, ".")
	switch {
	case len(text) > unitsDigitsMax:
		return Amount{}, Invalidf("amount", "must be at most %d characters", unitsDigitsMax)
	case whole == "" || strings.Trim(whole, "0123456789") != "" || strings.Trim(fraction, "0123456789") != "" || dot && fraction == "":
		return Amount{}, Invalidf("amount", "must be a plain decimal number such as 12.5")
	case len(whole) > 1 && whole[0] == '0':
		return Amount{}, Invalidf("amount", "must not have leading zeros")
	}
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > int(decimals) {
		return Amount{}, Invalidf("amount", "must have at most %d decimals", decimals)
	}
	digits := strings.TrimLeft(whole+fraction+strings.Repeat("0", int(decimals)-len(fraction)), "0")
	if digits == "" {
		return Amount{}, nil
	}
	v, err := uint256.FromDecimal(digits)
	if err != nil {
		return Amount{}, Invalidf("amount", "must be at most 2^256-1 base units")
	}
	return Amount{v: *v}, nil
}

// Units is the exact inverse of ParseUnits, without superfluous zeros.
func (a Amount) Units(decimals uint8) string {
	digits := a.v.Dec()
	d := int(decimals)
	if len(digits) <= d {
		digits = strings.Repeat("0", d-len(digits)+1) + digits
	}
	whole, fraction := digits[:len(digits)-d], strings.TrimRight(digits[len(digits)-d:], "0")
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

func (a Amount) String() string        { return a.v.Dec() }
func (a Amount) Big() *big.Int         { return a.v.ToBig() }
func (a Amount) Bytes32() [32]byte     { return a.v.Bytes32() }
func (a Amount) IsZero() bool          { return a.v.IsZero() }
func (a Amount) Cmp(b Amount) int      { return a.v.Cmp(&b.v) }
func (a Amount) Uint256() *uint256.Int { v := a.v; return &v }

// Add reports overflow instead of wrapping.
func (a Amount) Add(b Amount) (sum Amount, overflow bool) {
	_, overflow = sum.v.AddOverflow(&a.v, &b.v)
	return sum, overflow
}

// Sub reports underflow instead of wrapping.
func (a Amount) Sub(b Amount) (difference Amount, underflow bool) {
	_, underflow = difference.v.SubOverflow(&a.v, &b.v)
	return difference, underflow
}

// Mul reports overflow instead of wrapping.
func (a Amount) Mul(b Amount) (product Amount, overflow bool) {
	_, overflow = product.v.MulOverflow(&a.v, &b.v)
	return product, overflow
}

func (a Amount) MarshalJSON() ([]byte, error) { return json.Marshal(a.v.Dec()) }

func (a *Amount) UnmarshalJSON(data []byte) error {
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("amount must be a decimal string: %w", err)
	}
	v, err := AmountFromDecimal(s)
	if err != nil {
		return err
	}
	*a = v
	return nil
}

// Value sends the amount to Postgres as decimal text.
func (a Amount) Value() (driver.Value, error) { return a.v.Dec(), nil }

// Scan reads a Postgres numeric; NULL is an error, scan into *Amount's pointer for nullable columns.
func (a *Amount) Scan(src any) error {
	var text string
	switch s := src.(type) {
	case string:
		text = s
	case []byte:
		text = string(s)
	case int64:
		if s < 0 {
			return fmt.Errorf("amount %d is negative", s)
		}
		*a = NewAmount(uint64(s))
		return nil
	default:
		return fmt.Errorf("amount cannot be read from %T", src)
	}
	v, err := AmountFromDecimal(text)
	if err != nil {
		return err
	}
	*a = v
	return nil
}
