package ledger

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// Finalize makes the recorded blocks up to a number final, each in one commit of its own and in order: the effects of its
// events, the nonces that it consumes, their gas, and what the world and the workflows hear of them. A number that is final
// already is a no-op, so a lost answer may be asked again; one above the head is ErrDiscontinuous.
//
// Each effect stands alone: what the database refuses is kept in quarantine, with its event and the database's words, and the
// cursor goes on. All effects of a block are tried at once; only when something is refused are they halved until it is found.
func (l *Ledger) Finalize(ctx context.Context, lease settlement.Lease, chainID, number uint64) error {
	for {
		var final uint64
		err := l.do(ctx, "finalize", func(t *Tx) (err error) {
			f := finalizing{t: t, chainID: chainID}
			if final, err = f.run(lease, number); err != nil {
				return fmt.Errorf("block %d: %w", f.block.Number, err)
			}
			return nil
		})
		if err != nil || final >= number {
			return err
		}
	}
}

// finalizing is one block on its way to being final.
type finalizing struct {
	t       *Tx
	chainID uint64
	release bool     // of a quarantined event: the block is final already
	parked  []string // why events went to quarantine

	// read under the cursor's lock
	cursor cursor
	block  settlement.BlockRef
	found  bool // the block is recorded
	seen   int  // how often the block became canonical
	events []eventRow
	mined  []minedRow
	topped int // transactions that brought coins to a signer

	// read under locks of their own
	facts    map[int64]*fact
	byID     map[common.Hash]*fact // by the id that the vault knows
	customer map[common.Hash]accountRow
	system   map[string]int64 // our own accounts by kind, vaults by kind and address
	assets   map[common.Address]*assetRow
	lanes    map[common.Address]laneRow

	released map[int64]bool // assets of which in-flight payments ended
}

// run finalizes the next block and returns the number of the last final one.
func (f *finalizing) run(lease settlement.Lease, number uint64) (uint64, error) {
	f.block.Number = number
	if err := f.read(lease); err != nil {
		return 0, err
	}
	if err := f.cursor.errStopped(); err != nil {
		return 0, err
	}
	if f.cursor.begun && number <= f.cursor.Final.Number {
		return number, nil
	}
	if !f.cursor.begun || number > f.cursor.Number || !f.found {
		return 0, fmt.Errorf("not recorded: %w", ErrDiscontinuous)
	}
	if len(f.events)+len(f.mined)+f.topped == 0 {
		b := &pgx.Batch{}
		f.advance(b)
		for _, q := range b.QueuedQueries {
			f.t.AtCommit(q.SQL, q.Arguments...)
		}
		return f.block.Number, nil
	}
	if err := f.lock(); err != nil {
		return 0, err
	}
	postings := f.plan()
	if err := f.apply(postings); err != nil {
		return 0, err
	}
	if err := f.bookTopUps(); err != nil {
		return 0, err
	}
	f.wakeRoom()
	return f.block.Number, nil
}

// advance queues the cursor's step. It comes before the effects: the schema lets none in from a block that is not final.
func (f *finalizing) advance(b *pgx.Batch) {
	b.Queue(`UPDATE blocks SET final = true WHERE chain_id = $1 AND hash = $2`, f.chainID, f.block.Hash)
	b.Queue(`UPDATE heads SET final_number = $2, final_hash = $3, updated_at = clock_timestamp() WHERE chain_id = $1`,
		f.chainID, f.block.Number, f.block.Hash)
}

// wakeRoom makes settlements due that wait for liquidity which this block set free; the next block wakes them.
func (f *finalizing) wakeRoom() {
	if len(f.released) == 0 {
		return
	}
	var risen []int64
	for _, asset := range f.assets {
		if f.released[asset.ID] {
			risen = append(risen, asset.ID)
		}
	}
	b := &pgx.Batch{}
	dueNow(b, f.chainID, f.cursor.Number, nil, risen)
	for _, q := range b.QueuedQueries {
		f.t.AtCommit(q.SQL, q.Arguments...)
	}
}

// posting is one fact of a final block and what it does to the books: an event's effect, or a consumed nonce.
type posting struct {
	effect *effect
	nonce  *consumption
}

// apply posts all of it in one savepoint; if the database refuses, it tries each half alone, in order, down to the posting
// that is refused, which is parked.
func (f *finalizing) apply(postings []posting) error {
	if len(postings) == 0 {
		return nil
	}
	refusal, err := f.t.Savepoint(func() error { return f.post(postings) })
	if err != nil || refusal == nil {
		return err
	}
	if len(postings) == 1 {
		return f.park(postings[0], refusal)
	}
	half := len(postings) / 2
	if err := f.apply(postings[:half]); err != nil {
		return err
	}
	return f.apply(postings[half:])
}

// post writes the postings and then emits what they mean. Either all of it happens or none.
func (f *finalizing) post(postings []posting) error {
	var effects []*effect
	var nonces []*consumption
	for _, p := range postings {
		if p.effect != nil {
			effects = append(effects, p.effect)
		} else {
			nonces = append(nonces, p.nonce)
		}
	}
	b := &pgx.Batch{}
	f.writeEffects(b, effects)
	reverts := f.writeNonces(b, nonces)
	if b.Len() == 0 {
		return nil
	}
	if err := f.t.Batch(b); err != nil {
		return err
	}
	for asset, row := range reverts {
		f.assets[asset].revertsTo, f.assets[asset].revertsBy = row.to, row.by
	}
	for _, e := range effects {
		f.tellEffect(e)
	}
	for _, c := range nonces {
		if err := f.tellNonce(c); err != nil {
			return err
		}
	}
	return nil
}

// park keeps what the database refused: an event in quarantine, a nonce in the journal.
func (f *finalizing) park(p posting, refusal error) error {
	if p.effect != nil {
		f.quarantine(p.effect.event, "refused by the database: "+refusal.Error())
		return nil
	}
	return journal(f.t, "listener", "nonce_refused", signerStream(p.nonce.mined.From), map[string]any{
		"chain_id": f.chainID, "nonce": p.nonce.mined.Nonce, "tx_hash": p.nonce.mined.Hash, "block_number": f.block.Number, "refusal": refusal.Error(),
	})
}

// quarantine keeps an event that takes no effect, or only that of money gone. An event is in quarantine once.
func (f *finalizing) quarantine(e eventRow, reason string) {
	f.parked = append(f.parked, clip(reason))
	f.t.AtCommit(`INSERT INTO quarantine (chain_id, tx_hash, tx_log_index, event_id, reason) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
		f.chainID, e.txHash, e.txLogIndex, e.id, clip(reason))
}
