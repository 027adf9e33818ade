package ledger

import (
	"bytes"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// revertsInRowMax payments of an asset in a row that revert stop its new submissions: a token that fails burns gas for nothing.
const revertsInRowMax = 3

// revertRow is who took part in an asset's payments in a row that reverted.
type revertRow struct {
	to [][]byte // recipients
	by []int64  // accounts that paid
}

// add counts a revert, unless one party alone could have made it so: nobody may stop an asset for all others. A recipient
// counts once. Of the native coin, which runs code of the recipient's, an account counts once as well: who has one account
// has as many recipients as he likes. A token's transfer runs the token's code alone, so there the account says nothing, and
// a service that pays everything from one account keeps its brake.
func (r revertRow) add(s *fact) revertRow {
	to := s.To.Bytes()
	switch {
	case len(r.to) >= revertsInRowMax:
	case slices.ContainsFunc(r.to, func(known []byte) bool { return bytes.Equal(known, to) }):
	case s.Asset.Native() && slices.Contains(r.by, s.hold.debit):
	default:
		return revertRow{append(slices.Clone(r.to), to), append(slices.Clone(r.by), s.hold.debit)}
	}
	return r
}

// writeReverts queues the assets' payments in a row that reverted, and stops an asset at the third that counts. Reverts of
// payments that nobody misses any more, of settlements paid or revoked otherwise, do not count.
func (f *finalizing) writeReverts(b *pgx.Batch, nonces []*consumption) map[common.Address]revertRow {
	found, stopped := map[common.Address]revertRow{}, map[common.Address]bool{}
	of := func(token common.Address) revertRow {
		if row, begun := found[token]; begun {
			return row
		}
		return revertRow{f.assets[token].revertsTo, f.assets[token].revertsBy}
	}
	for _, c := range nonces {
		switch c.outcome {
		case outcomePaid:
			for _, id := range c.mined.items {
				found[f.facts[id].Asset.Token] = revertRow{[][]byte{}, []int64{}}
			}
		case outcomeReverted:
			for _, s := range c.unpaid {
				row := of(s.Asset.Token).add(s)
				found[s.Asset.Token] = row
				stopped[s.Asset.Token] = stopped[s.Asset.Token] || len(row.to) >= revertsInRowMax
			}
		default: // says nothing about the asset
		}
	}
	for token, row := range found {
		why := ""
		if stopped[token] {
			why = "three payments in a row reverted, the last in block " + settlement.NewAmount(f.block.Number).String()
		}
		b.Queue(`UPDATE assets SET reverts_to = $2, reverts_by = $3, stopped = COALESCE(stopped, NULLIF($4, '')) WHERE id = $1`,
			f.assets[token].ID, row.to, row.by, why)
	}
	return found
}
