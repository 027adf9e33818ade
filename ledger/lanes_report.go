package ledger

import (
	"context"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// ForeignState is what became of a transaction that somebody else signed with a signer's key.
type ForeignState string

const (
	ForeignMined    ForeignState = "mined"    // in a block that is not final
	ForeignFinal    ForeignState = "final"    // for ever
	ForeignOrphaned ForeignState = "orphaned" // a reorg took its block away; it may come back
	ForeignReplaced ForeignState = "replaced" // and another transaction has its nonce in a final block: it will not
)

// Foreign is a transaction of a signer that is no attempt of ours.
type Foreign struct {
	ChainID   uint64            `json:"chain_id"`
	Signer    common.Address    `json:"signer"`
	Hash      common.Hash       `json:"tx_hash"`
	Nonce     uint64            `json:"nonce"`
	To        *common.Address   `json:"to"` // nil: it made a contract
	Value     settlement.Amount `json:"value_wei"`
	OK        bool              `json:"ok"` // false: it reverted
	Block     uint64            `json:"block_number"`
	BlockHash common.Hash       `json:"block_hash"`
	MinedAt   time.Time         `json:"mined_at"`
	State     ForeignState      `json:"state"`

	Ours   settlement.TransactionKind `json:"ours"`    // what we had allocated the nonce for; empty if we had not
	InHand bool                       `json:"in_hand"` // our transaction of that nonce is not given up by proof yet
	Losers []Loser                    `json:"losers"`  // settlements that had the nonce and lost it, or may lose it
}

// Loser is a settlement whose nonce somebody else used, as it is now.
type Loser struct {
	Tenant string           `json:"tenant"`
	Key    string           `json:"key"`
	State  settlement.State `json:"state"`
	Reason string           `json:"reason"`
	TxHash *common.Hash     `json:"tx_hash"` // that paid it after all
}

// Open says that it is in doubt what the transaction does to us.
func (f Foreign) Open() bool {
	return f.State == ForeignMined || f.State == ForeignOrphaned || f.InHand
}

// foreignSQL shows each foreign transaction once: in the canonical chain if it is there, else where it was seen last.
const foreignSQL = `
	SELECT * FROM (
		SELECT DISTINCT ON (l.id, m.tx_hash) l.chain_id, l.signer, m.tx_hash, m.nonce, m.to_address, m.value, m.ok, b.number, b.hash, b.mined_at,
		       CASE WHEN b.final THEN 'final' WHEN b.canonical THEN 'mined'
		            WHEN EXISTS (SELECT FROM mined_transactions o JOIN blocks p ON p.chain_id = o.chain_id AND p.hash = o.block_hash
		                          WHERE o.chain_id = m.chain_id AND o.signer = m.signer AND o.nonce = m.nonce AND p.final) THEN 'replaced'
		            ELSE 'orphaned' END,
		       coalesce(t.kind, ''), coalesce(t.live, false),
		       coalesce((SELECT jsonb_agg(jsonb_build_object('tenant', s.tenant, 'key', s.key, 'state', s.state, 'reason', coalesce(s.reason, ''),
		                                                     'tx_hash', '0x' || encode(s.tx_hash, 'hex')) ORDER BY i.position)
		                   FROM transaction_items i JOIN settlements s ON s.id = i.settlement_id
		                  WHERE i.transaction_id = t.id AND (t.live OR t.outcome = 'foreign')), '[]')
		  FROM lanes l
		  JOIN mined_transactions m ON m.chain_id = l.chain_id AND m.signer = l.signer AND m.attempt_id IS NULL AND m.nonce >= l.first_nonce
		  JOIN blocks b ON b.chain_id = m.chain_id AND b.hash = m.block_hash
		  LEFT JOIN transactions t ON t.chain_id = m.chain_id AND t.signer = m.signer AND t.nonce = m.nonce
		 WHERE ($1::bigint = 0 OR l.chain_id = $1) AND ($2::bytea IS NULL OR l.signer = $2)
		   AND NOT EXISTS (SELECT FROM attempts a WHERE a.hash = m.tx_hash)
		 ORDER BY l.id, m.tx_hash, b.canonical DESC, b.number DESC) f
	 ORDER BY 1, 2, 4, 8, 3`

func scanForeign(row pgx.CollectableRow) (f Foreign, err error) {
	var to *common.Address
	err = row.Scan(&f.ChainID, &f.Signer, &f.Hash, &f.Nonce, &to, &f.Value, &f.OK, &f.Block, &f.BlockHash, &f.MinedAt, &f.State, &f.Ours, &f.InHand, &f.Losers)
	f.To = to
	return f, err
}

func foreignOf(t *Tx, chainID uint64, signer common.Address) ([]Foreign, error) {
	return collect(t, scanForeign, foreignSQL, chainID, signer.Bytes())
}

// LaneReport is a lane with everything that an operator asks before he moves it.
type LaneReport struct {
	Lane
	Live          int               // nonces that no final block has consumed
	Committed     settlement.Amount // what its unmined transactions may cost at most
	HeadOfLine    time.Duration     // how long the oldest unmined nonce has been allocated
	UnsignedSince *time.Time        // since when a nonce has been waiting for a remote signer's bytes
	Foreign       []Foreign
}

// LaneReports reads the lanes of one chain, or of all chains with chainID 0; the parts of a report are read one after the other.
func (l *Ledger) LaneReports(ctx context.Context, chainID uint64) ([]LaneReport, error) {
	lanes, err := l.Lanes(ctx, chainID)
	if err != nil {
		return nil, err
	}
	facts, err := read(ctx, l, "read lanes", scanLaneReport, laneReportSQL, int64(chainID))
	if err != nil {
		return nil, err
	}
	foreign, err := read(ctx, l, "read foreign transactions", scanForeign, foreignSQL, int64(chainID), nil)
	if err != nil {
		return nil, err
	}
	reports := make([]LaneReport, len(lanes))
	for i, lane := range lanes {
		for _, f := range facts {
			if f.ID == lane.ID {
				reports[i] = f
			}
		}
		reports[i].Lane, reports[i].Foreign = lane, []Foreign{}
		for _, f := range foreign {
			if f.ChainID == lane.ChainID && f.Signer == lane.Signer {
				reports[i].Foreign = append(reports[i].Foreign, f)
			}
		}
	}
	return reports, nil
}

const laneReportSQL = `
	SELECT l.id, (SELECT count(*) FROM transactions t WHERE t.lane_id = l.id AND t.live), c.committed,
	       coalesce((SELECT greatest(now() - t.created_at, interval '0') FROM transactions t
	                  WHERE t.lane_id = l.id AND t.live AND t.nonce >= l.mined_nonce ORDER BY t.nonce LIMIT 1), interval '0'),
	       (SELECT min(a.created_at) FROM transactions t JOIN attempts a ON a.transaction_id = t.id
	         WHERE t.lane_id = l.id AND t.live AND a.raw IS NULL AND NOT EXISTS (SELECT FROM attempts n WHERE n.replaces = a.id))
	  FROM lanes l
	 CROSS JOIN LATERAL (SELECT least((SELECT coalesce(sum(dearest.cost), 0) FROM transactions t
	         CROSS JOIN LATERAL (SELECT max(n.value + n.gas_limit * n.fee_cap) AS cost FROM attempts n WHERE n.transaction_id = t.id) dearest
	         WHERE t.lane_id = l.id AND t.live AND t.mined_hash IS NULL), 2::numeric ^ 256 - 1) AS committed) c
	 WHERE $1::bigint = 0 OR l.chain_id = $1`

func scanLaneReport(row pgx.CollectableRow) (r LaneReport, err error) {
	err = row.Scan(&r.ID, &r.Live, &r.Committed, &r.HeadOfLine, &r.UnsignedSince)
	return r, err
}

// JournalEntry is what an operator did, or what a process found.
type JournalEntry struct {
	ID      int64          `json:"id"`
	At      time.Time      `json:"at"`
	Actor   string         `json:"actor"`
	Action  string         `json:"action"`
	Details map[string]any `json:"details"`
}

// LaneJournal reads what was done to a lane and found about it, oldest first. Lanes of one signer on several chains share it.
func (l *Ledger) LaneJournal(ctx context.Context, signer common.Address) ([]JournalEntry, error) {
	return read(ctx, l, "read journal of lane", pgx.RowToStructByPos[JournalEntry],
		`SELECT id, at, actor, action, details FROM journal WHERE subject = $1 ORDER BY id`, signerStream(signer))
}
