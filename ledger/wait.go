package ledger

import (
	"context"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// waitBlocksMax bounds the back-off of a waiting settlement, in blocks.
const waitBlocksMax = 64

// Wait moves a settlement to waiting and takes a queue row, granted or not, back in the same commit. Asked again for the same
// cause it only moves the block that wakes it: 1, 2, 4 … 64 blocks after the head. Once a nonce is live, or the settlement
// has ended, it is Stale and nothing is written.
func (l *Ledger) Wait(ctx context.Context, id int64, reason string) error {
	if strings.TrimSpace(reason) == "" {
		return settlement.Invalidf("reason", "must not be empty")
	}
	return l.do(ctx, "wait: settlement "+strconv.FormatInt(id, 10), func(t *Tx) error {
		s, err := lockSettlement(t, id)
		if err != nil {
			return err
		}
		return moveToWaiting(t, s, reason)
	})
}

// lockSettlement locks settlement and queue row, and then reads.
func lockSettlement(t *Tx, id int64) (s settlement.Settlement, err error) {
	b := &pgx.Batch{}
	b.Queue(`SELECT 1 FROM settlements WHERE id = $1 FOR NO KEY UPDATE`, id)
	b.Queue(`SELECT 1 FROM queue WHERE settlement_id = $1 FOR UPDATE`, id)
	queueSettlement(b, &s, ` WHERE s.id = $1`, id)
	err = t.Batch(b)
	return s, err
}

// moveToWaiting queues the move of a locked settlement.
func moveToWaiting(t *Tx, s settlement.Settlement, reason string) error {
	if !s.State.BeforeNonce() || s.Live != nil && s.Live.Kind == settlement.KindPay {
		return stale("settlement %s is %s: it cannot wait", s.Key, s.State)
	}
	t.AtCommit(`DELETE FROM queue WHERE settlement_id = $1`, s.ID)
	t.AtCommitOne("the settlement moved", `UPDATE settlements s SET state = 'waiting', reason = $3, wait_rounds = w.rounds, wake_block = w.head + least(2 ^ least(w.rounds, 16), $4)::bigint
		 FROM (SELECT CASE WHEN o.state = 'waiting' AND split_part(o.reason, ': ', 1) = split_part($3, ': ', 1) THEN o.wait_rounds + 1 ELSE 0 END AS rounds,
		              coalesce((SELECT head_number FROM heads h WHERE h.chain_id = o.chain_id), (SELECT start_block FROM chains c WHERE c.chain_id = o.chain_id)) AS head
		         FROM settlements o WHERE o.id = $1) w
		 WHERE s.id = $1 AND s.state = $2 AND s.state IN ('requested', 'queued', 'waiting')
		   AND NOT EXISTS (SELECT 1 FROM transaction_items i WHERE i.settlement_id = s.id AND i.live AND i.pays)`,
		s.ID, s.State, clip(reason), waitBlocksMax)
	return nil
}

// clip makes a stranger's words fit for a row: valid UTF-8 without NUL, bounded.
func clip(text string) string {
	clean := strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "\x00", "")
	if len(clean) <= refusalBytesMax {
		return clean
	}
	return strings.ToValidUTF8(clean[:refusalBytesMax], "") + "…"
}
