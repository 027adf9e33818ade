package ledger

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/quittance/quittance/settlement"
)

// How values cross to Postgres: hashes and addresses as bytea (they implement Valuer and Scanner themselves), amounts as
// numeric by these two functions on the way in and by Amount.Scan on the way out, uint64 as bigint (pgx refuses what does
// not fit). Nothing ever becomes a float.

// num passes an amount as numeric.
func num(a settlement.Amount) pgtype.Numeric { return pgtype.Numeric{Int: a.Big(), Valid: true} }

// nums passes amounts as numeric[].
func nums(amounts []settlement.Amount) []pgtype.Numeric {
	out := make([]pgtype.Numeric, len(amounts))
	for i, a := range amounts {
		out[i] = num(a)
	}
	return out
}

// hashes passes hashes as bytea[].
func hashes(hs []common.Hash) [][]byte {
	out := make([][]byte, len(hs))
	for i := range hs {
		out[i] = hs[i][:]
	}
	return out
}

// addresses passes addresses as bytea[].
func addresses(as []common.Address) [][]byte {
	out := make([][]byte, len(as))
	for i := range as {
		out[i] = as[i][:]
	}
	return out
}

// orNull passes the zero value as NULL: a text CHECK of the schema refuses the empty string.
func orNull[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// calldata passes nil as no bytes, not as NULL.
func calldata(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}
