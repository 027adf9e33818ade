package ledger

import (
	"context"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// Story is everything that Postgres knows of one settlement, as of one moment: for a person who asks what happened. Lists are
// in the order in which things happened.
type Story struct {
	Settlement settlement.Settlement `json:"-"`
	Key        StoryKey              `json:"key_use"`
	Transfers  []StoryTransfer       `json:"transfers"`
	Queue      *StoryQueue           `json:"queue"` // nil: it does not stand in the queue now
	Nonces     []StoryNonce          `json:"nonces"`
	Blocks     []StoryBlock          `json:"blocks"`
	Events     []StoryEvent          `json:"events"`
	Streams    []StoryStream         `json:"streams"`
	Deliveries []StoryDelivery       `json:"deliveries"`
	Journal    []StoryNote           `json:"journal"`
}

// StoryKey is what became of the idempotency key.
type StoryKey struct {
	RequestID  string     `json:"request_id"`
	Status     string     `json:"status"`
	Duplicates int64      `json:"duplicates"` // requests that named the key again
	CreatedAt  time.Time  `json:"created_at"`
	FinishedAt *time.Time `json:"finished_at"`
	AnswerKept *time.Time `json:"answer_kept_until"`
}

// StoryTransfer is one movement of money: the hold and what became of it, and gas.
type StoryTransfer struct {
	ID       int64             `json:"id"`
	At       time.Time         `json:"at"`
	Leg      string            `json:"leg"`
	Phase    string            `json:"phase"`
	Amount   settlement.Amount `json:"amount_base_units"`
	Asset    string            `json:"asset"`
	Decimals uint8             `json:"decimals"`
	Debit    string            `json:"debit"`
	Credit   string            `json:"credit"`
}

// StoryQueue is its place in the queue, with the slot that was granted to it, if one was.
type StoryQueue struct {
	EnqueuedAt   time.Time       `json:"enqueued_at"`
	Ahead        int64           `json:"ahead"` // older settlements of the chain without a slot
	Lane         *common.Address `json:"lane"`
	GrantedBlock *uint64         `json:"granted_block"`
}

// StoryNonce is one nonce that was allocated to it, with every attempt at it.
type StoryNonce struct {
	ID            int64          `json:"id"`
	At            time.Time      `json:"at"`
	Signer        common.Address `json:"signer"`
	Nonce         uint64         `json:"nonce"`
	Kind          string         `json:"kind"`
	Live          bool           `json:"live"`
	Outcome       string         `json:"outcome"`
	ConsumedHash  *common.Hash   `json:"consumed_by"`
	BumpAskedFor  *common.Hash   `json:"bump_asked_for"`
	BumpAskedAt   *uint64        `json:"bump_asked_block"`
	Unrunnable    string         `json:"unrunnable"`
	LaneState     string         `json:"lane_state"`
	LaneReason    string         `json:"lane_state_reason"`
	ConsumedBlock *uint64        `json:"consumed_block"`
	Attempts      []StoryAttempt `json:"attempts" db:"-"`
}

// StoryAttempt is one signed byte string.
type StoryAttempt struct {
	TransactionID int64             `json:"-"`
	At            time.Time         `json:"at"`
	Kind          string            `json:"kind"`
	Hash          *common.Hash      `json:"tx_hash"` // nil: a remote signer has not signed yet
	Cap           settlement.Amount `json:"fee_cap_wei"`
	Tip           settlement.Amount `json:"fee_tip_wei"`
	GasLimit      uint64            `json:"gas_limit"`
	Refusal       string            `json:"refusal"` // of the last send that a node did not accept
}

// StoryBlock is a block that held one of its nonces, by an attempt of ours or by somebody else's transaction.
type StoryBlock struct {
	Number    uint64            `json:"block_number"`
	Hash      common.Hash       `json:"block_hash"`
	MinedAt   time.Time         `json:"mined_at"`
	Canonical bool              `json:"canonical"`
	Final     bool              `json:"final"`
	Seen      int               `json:"seen"` // how often it became canonical
	Tx        common.Hash       `json:"tx_hash"`
	Ours      bool              `json:"ours"`
	OK        bool              `json:"ok"`
	GasUsed   uint64            `json:"gas_used"`
	GasPrice  settlement.Amount `json:"gas_price_wei"`
}

// StoryEvent is a log of the vault that names its id, as often as blocks held it.
type StoryEvent struct {
	Number     uint64      `json:"block_number"`
	Hash       common.Hash `json:"block_hash"`
	Canonical  bool        `json:"canonical"`
	Name       string      `json:"name"`
	Tx         common.Hash `json:"tx_hash"`
	TxLogIndex uint64      `json:"tx_log_index"`
	Effect     string      `json:"effect"` // empty: none yet
	Reversed   bool        `json:"reversed"`
	Quarantine string      `json:"quarantine"` // why it took no effect; empty otherwise
}

// StoryStream counts its outbox rows at one destination, also those that were deleted after their retention.
type StoryStream struct {
	Stream      string `json:"stream"`
	Destination string `json:"destination"`
	Written     int64  `json:"written"`
	Parked      string `json:"parked"` // why it waits for an operator; empty otherwise
}

// StoryDelivery is one outbox row that is still there.
type StoryDelivery struct {
	At          time.Time  `json:"at"`
	Stream      string     `json:"stream"`
	Destination string     `json:"destination"`
	Seq         int64      `json:"seq"`
	Type        string     `json:"type"`
	PublishedAt *time.Time `json:"published_at"`
	SkippedAt   *time.Time `json:"skipped_at"`
	Retries     int        `json:"retries"`
	LastError   string     `json:"last_error"`
}

// StoryNote is what an operator did or a process found: with the settlement, such as a wish that it end unpaid, or with its outbox.
type StoryNote struct {
	At      time.Time      `json:"at"`
	Actor   string         `json:"actor"`
	Action  string         `json:"action"`
	Subject string         `json:"subject"`
	Details map[string]any `json:"details"`
}

// Story reads it in one snapshot. Without a row the error's kind is NotFound, which says nothing about a run that has not
// reserved yet.
func (l *Ledger) Story(ctx context.Context, key settlement.Key) (Story, error) {
	s, err := l.Settlement(ctx, key) // its id and chain never change
	if err != nil {
		return Story{}, err
	}
	var story Story
	err = pgx.BeginTxFunc(ctx, l.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		story = Story{}
		b := &pgx.Batch{}
		queueSettlement(b, &story.Settlement, ` WHERE s.id = $1`, s.ID)
		story.queueBooks(b, s)
		var attempts []StoryAttempt
		story.queueChain(b, s, &attempts)
		story.queueOutbox(b, s)
		l.counts.roundTrips.Add(3)
		l.counts.reads.Add(1)
		if err := tx.SendBatch(ctx, b).Close(); err != nil {
			return err
		}
		story.nest(attempts)
		return nil
	})
	if err != nil {
		return Story{}, classify("story: "+key.Canonical(), err)
	}
	return story, nil
}

func (y *Story) nest(attempts []StoryAttempt) {
	for i := range y.Nonces {
		y.Nonces[i].Attempts = []StoryAttempt{}
		for _, a := range attempts {
			if a.TransactionID == y.Nonces[i].ID {
				y.Nonces[i].Attempts = append(y.Nonces[i].Attempts, a)
			}
		}
	}
}

func (y *Story) queueBooks(b *pgx.Batch, s settlement.Settlement) {
	b.Queue(`SELECT request_id, status, hits, created_at, finished_at, expires_at FROM idempotency_keys WHERE tenant = $1 AND key = $2`,
		s.Key.Tenant, s.Key.Value).Query(func(rows pgx.Rows) (err error) {
		y.Key, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[StoryKey])
		return err
	})
	list(b, &y.Transfers, pgx.RowToStructByPos[StoryTransfer], storyTransfersSQL, s.ID)
	b.Queue(`
		SELECT q.enqueued_at, (SELECT count(*) FROM queue o JOIN assets a ON a.id = o.asset_id WHERE a.chain_id = $2 AND o.lane_id IS NULL AND o.position < q.position),
		       l.signer, q.granted_block
		  FROM queue q LEFT JOIN lanes l ON l.id = q.lane_id WHERE q.settlement_id = $1`, s.ID, s.Asset.ChainID).Query(func(rows pgx.Rows) error {
		found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[StoryQueue])
		if len(found) > 0 {
			y.Queue = &found[0]
		}
		return err
	})
}

func (y *Story) queueChain(b *pgx.Batch, s settlement.Settlement, attempts *[]StoryAttempt) {
	list(b, &y.Nonces, pgx.RowToStructByPos[StoryNonce], `
		SELECT t.id, t.created_at, t.signer, t.nonce, t.kind, t.live, coalesce(t.outcome, ''), t.consumed_hash, t.bump_asked_for, t.bump_asked_block,
		       coalesce(t.unrunnable, ''), l.state, coalesce(l.state_reason, ''), k.number
		  FROM transaction_items i JOIN transactions t ON t.id = i.transaction_id JOIN lanes l ON l.id = t.lane_id
		  LEFT JOIN blocks k ON k.chain_id = t.chain_id AND k.hash = t.consumed_block
		 WHERE i.settlement_id = $1 ORDER BY t.id`, s.ID)
	list(b, attempts, pgx.RowToStructByPos[StoryAttempt], `
		SELECT n.transaction_id, n.created_at, n.kind, n.hash, n.fee_cap, n.fee_tip, n.gas_limit, coalesce(n.refusal_class || ': ' || n.refusal_text, n.refusal_class, '')
		  FROM transaction_items i JOIN attempts n USING (transaction_id) WHERE i.settlement_id = $1 ORDER BY n.id`, s.ID)
	list(b, &y.Blocks, pgx.RowToStructByPos[StoryBlock], `
		SELECT k.number, k.hash, k.mined_at, k.canonical, k.final, k.seen, m.tx_hash, m.attempt_id IS NOT NULL, m.ok, m.gas_used, m.gas_price
		  FROM transaction_items i JOIN transactions t ON t.id = i.transaction_id
		  JOIN mined_transactions m ON m.chain_id = t.chain_id AND m.signer = t.signer AND m.nonce = t.nonce
		  JOIN blocks k ON k.chain_id = m.chain_id AND k.hash = m.block_hash
		 WHERE i.settlement_id = $1 ORDER BY k.number, k.hash`, s.ID)
	list(b, &y.Events, pgx.RowToStructByPos[StoryEvent], storyEventsSQL, s.OnchainID, s.Asset.ChainID)
}

// Each finds its rows by index, however old the ledger is: transfers in two parts, since no index serves an OR over two
// tables, and gas by the hashes of the attempts.
const (
	storyTransfersSQL = `
		SELECT t.id, t.created_at, t.leg, t.phase, t.amount, a.symbol, a.decimals, d.kind || ' ' || d.name, c.kind || ' ' || c.name
		  FROM transfers t JOIN assets a ON a.id = t.asset_id JOIN accounts d ON d.id = t.debit_account JOIN accounts c ON c.id = t.credit_account
		 WHERE t.id IN (
			SELECT o.id FROM transfers o WHERE o.settlement_id = $1
			UNION
			SELECT m.gas_transfer FROM transaction_items i JOIN attempts n USING (transaction_id) JOIN mined_transactions m ON m.tx_hash = n.hash WHERE i.settlement_id = $1)
		 ORDER BY t.id`
	storyEventsSQL = `
		SELECT k.number, k.hash, k.canonical, e.name, e.tx_hash, e.tx_log_index, coalesce(f.kind, ''), f.reversed_at IS NOT NULL, coalesce(q.reason, '')
		  FROM events e JOIN blocks k ON k.chain_id = e.chain_id AND k.hash = e.block_hash
		  LEFT JOIN effects f ON f.event_id = e.id LEFT JOIN quarantine q ON q.event_id = e.id
		 WHERE e.event_key = $1 AND e.chain_id = $2 AND e.name IN ('Settled', 'Revoked') ORDER BY k.number, e.id`
	storyJournalSQL = `
		SELECT j.at, j.actor, j.action, j.subject, j.details FROM journal j
		 WHERE j.subject = ANY ($1::text[] || ARRAY(SELECT d.name || ' ' || s FROM unnest($1::text[]) s CROSS JOIN destinations d)) ORDER BY j.id`
)

func (y *Story) queueOutbox(b *pgx.Batch, s settlement.Settlement) {
	streams := []string{settlementStream(s.Key), wakeStream(s.Key)}
	list(b, &y.Streams, pgx.RowToStructByPos[StoryStream], `
		SELECT stream, destination, last_seq, coalesce(parked_reason, '') FROM outbox_counters WHERE stream = ANY($1) ORDER BY stream, destination`, streams)
	list(b, &y.Deliveries, pgx.RowToStructByPos[StoryDelivery], `
		SELECT created_at, stream, destination, seq, type, published_at, skipped_at, retry_count, coalesce(last_error, '')
		  FROM outbox WHERE stream = ANY($1) ORDER BY id`, streams)
	list(b, &y.Journal, pgx.RowToStructByPos[StoryNote], storyJournalSQL, streams)
}
