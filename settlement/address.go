package settlement

import (
	"encoding/hex"
	"strings"

	"github.com/ethereum/go-ethereum/common"
)

// ParseAddress reads a 20-byte address. All lower or all upper case is accepted; mixed case must be the right EIP-55
// checksum: a wrong one is a typing error and invalid, never "another address".
func ParseAddress(field, text string) (common.Address, error) {
	digits, ok := strings.CutPrefix(text, "0x")
	if !ok {
		return common.Address{}, Invalidf(field, "must begin with 0x")
	}
	raw, err := hex.DecodeString(digits)
	if err != nil {
		return common.Address{}, Invalidf(field, "must be hexadecimal")
	}
	if len(raw) != common.AddressLength {
		return common.Address{}, Invalidf(field, "must have %d bytes, has %d", common.AddressLength, len(raw))
	}
	address := common.BytesToAddress(raw)
	mixed := strings.ToLower(digits) != digits && strings.ToUpper(digits) != digits
	if mixed && address.Hex() != text {
		return common.Address{}, Invalidf(field, "has a wrong EIP-55 checksum")
	}
	return address, nil
}

// IsPrecompile reports whether the address lies in the range that chains reserve for precompiled and system contracts
// (0x01..0xffff; the vault refuses the same range). Nobody holds a key to any of them.
func IsPrecompile(a common.Address) bool {
	for _, b := range a[:18] {
		if b != 0 {
			return false
		}
	}
	return a[18] != 0 || a[19] != 0
}
