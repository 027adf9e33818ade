package ledger

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// brake is one operator's stop or go under way. It waits for the commits that allocate: once it has returned, no nonce is
// allocated against it.
type brake struct{ t *Tx }

// said refuses what nobody says, or for no reason.
func said(actor, why string) error {
	switch {
	case strings.TrimSpace(why) == "":
		return settlement.Invalidf("reason", "must not be empty")
	case actor == "":
		return settlement.Invalidf("actor", "must not be empty")
	}
	return nil
}

func assetSubject(a settlement.Asset) string {
	return "asset/" + strconv.FormatUint(a.ChainID, 10) + "/" + a.Symbol
}
func chainSubject(id uint64) string { return "chain/" + strconv.FormatUint(id, 10) }

// lock takes the locks of grants, assets with their liquidity, and lanes, in the design's order. Asset 0 means all.
func (k brake) lock(chainID uint64, assetID int64) error {
	b := &pgx.Batch{}
	b.Queue(`SELECT FROM queue WHERE lane_id IS NOT NULL AND asset_id IN (SELECT id FROM assets WHERE chain_id = $1 AND ($2 = 0 OR id = $2))
		ORDER BY settlement_id FOR UPDATE`, chainID, assetID)
	b.Queue(`SELECT FROM assets a JOIN asset_liquidity q ON q.asset_id = a.id WHERE a.chain_id = $1 AND ($2 = 0 OR a.id = $2)
		ORDER BY a.id FOR NO KEY UPDATE`, chainID, assetID)
	b.Queue(laneSQL, chainID)
	return k.t.Batch(b)
}

// lockAsset is lock for one asset, which it reads afterwards.
func (k brake) lockAsset(id int64) (a Asset, err error) {
	var chainID uint64
	if err := k.t.QueryRow(`SELECT chain_id FROM assets WHERE id = $1`, id).Scan(&chainID); err != nil {
		return a, err
	}
	if err := k.lock(chainID, id); err != nil {
		return a, err
	}
	found, err := collect(k.t, toAsset, selectAssets+` WHERE a.id = $1`, id)
	if err != nil {
		return a, err
	}
	return found[0], nil
}

// StopAsset halts new submissions of an asset and takes its unused grants back. What is out stays supervised, and revokes go
// on. An asset that is stopped already keeps its reason: nothing is written.
func (l *Ledger) StopAsset(ctx context.Context, id int64, actor, why string) (changed bool, err error) {
	if err := said(actor, why); err != nil {
		return false, err
	}
	err = l.do(ctx, "stop asset: "+strconv.FormatInt(id, 10), func(t *Tx) error {
		changed = false
		asset, err := brake{t}.lockAsset(id)
		if err != nil || asset.Stopped != "" {
			return err
		}
		changed = true
		t.AtCommit(`UPDATE assets SET stopped = $2 WHERE id = $1`, id, clip(why))
		t.AtCommit(`UPDATE queue SET lane_id = NULL, granted_block = NULL WHERE asset_id = $1 AND lane_id IS NOT NULL`, id)
		return journal(t, actor, "stop asset", assetSubject(asset.Asset), map[string]string{"why": clip(why)})
	})
	return changed, err
}

// StartAsset is the operator's go: it forgets the reverts in a row, grants every free slot of the chain, and wakes what waits
// for the asset, as many as a block would; the rest is due at the next ones. On repeat it changes nothing.
func (l *Ledger) StartAsset(ctx context.Context, id int64, actor, why string) (changed bool, err error) {
	if err := said(actor, why); err != nil {
		return false, err
	}
	err = l.do(ctx, "start asset: "+strconv.FormatInt(id, 10), func(t *Tx) error {
		changed = false
		asset, err := brake{t}.lockAsset(id)
		if err != nil || asset.Stopped == "" {
			return err
		}
		changed = true
		if _, err := t.Exec(`UPDATE assets SET stopped = NULL, reverts_to = '{}', reverts_by = '{}' WHERE id = $1`, id); err != nil {
			return err
		}
		if err := grantNow(t, asset.ChainID); err != nil {
			return err
		}
		return journal(t, actor, "start asset", assetSubject(asset.Asset), map[string]string{"why": clip(why), "stopped": asset.Stopped})
	})
	return changed, err
}

// StopChain halts new submissions of every asset of a chain, as StopAsset does for one.
func (l *Ledger) StopChain(ctx context.Context, id uint64, actor, why string) (changed bool, err error) {
	return l.moveChain(ctx, "stop chain", id, actor, why, func(t *Tx, stopped string) (bool, error) {
		if stopped != "" {
			return false, nil
		}
		t.AtCommit(`UPDATE chains SET stopped = $2 WHERE chain_id = $1`, id, clip(why))
		t.AtCommit(`UPDATE queue SET lane_id = NULL, granted_block = NULL WHERE lane_id IS NOT NULL AND asset_id IN (SELECT id FROM assets WHERE chain_id = $1)`, id)
		return true, nil
	})
}

// StartChain ends StopChain. Assets and lanes that were stopped by themselves stay so.
func (l *Ledger) StartChain(ctx context.Context, id uint64, actor, why string) (changed bool, err error) {
	return l.moveChain(ctx, "start chain", id, actor, why, func(t *Tx, stopped string) (bool, error) {
		if stopped == "" {
			return false, nil
		}
		if _, err := t.Exec(`UPDATE chains SET stopped = NULL WHERE chain_id = $1`, id); err != nil {
			return false, err
		}
		return true, grantNow(t, id)
	})
}

func (l *Ledger) moveChain(ctx context.Context, unit string, id uint64, actor, why string, move func(t *Tx, stopped string) (bool, error)) (changed bool, err error) {
	if err := said(actor, why); err != nil {
		return false, err
	}
	err = l.do(ctx, unit+": "+strconv.FormatUint(id, 10), func(t *Tx) error {
		var stopped string
		if err := (brake{t}).lock(id, 0); err != nil {
			return err
		}
		err := t.QueryRow(`SELECT coalesce(stopped, '') FROM chains WHERE chain_id = $1 FOR NO KEY UPDATE`, id).Scan(&stopped)
		if errors.Is(err, pgx.ErrNoRows) {
			return settlement.Invalidf("chain", "is not registered: %d", id)
		}
		if err != nil {
			return err
		}
		if changed, err = move(t, stopped); err != nil || !changed {
			return err
		}
		return journal(t, actor, unit, chainSubject(id), map[string]string{"why": clip(why), "stopped": stopped})
	})
	return changed, err
}

// grantNow grants every free slot of a chain between two blocks, and wakes what waited for a lane or for what was stopped and
// is not any more. The caller holds the lanes' locks.
func grantNow(t *Tx, chainID uint64) error {
	return wakeNow(t, chainID, func(b *pgx.Batch, head uint64, wakes keySet) {
		grantSlots(b, chainID, head, wakes)
		dueNow(b, chainID, head, []string{settlement.WaitLane}, nil)
		dueStopped(b, chainID, head)
	})
}

// wakeNow makes settlements due between two blocks and wakes them in this commit, as many as a block would: a chain may be
// long without a block.
func wakeNow(t *Tx, chainID uint64, due func(b *pgx.Batch, head uint64, wakes keySet)) error {
	var head uint64
	if err := t.QueryRow(`SELECT coalesce((SELECT head_number FROM heads WHERE chain_id = $1), (SELECT start_block FROM chains WHERE chain_id = $1))`, chainID).Scan(&head); err != nil {
		return err
	}
	wakes := keySet{}
	b := &pgx.Batch{}
	due(b, head, wakes)
	wakeDue(b, chainID, head, wakes)
	if err := t.Batch(b); err != nil {
		return err
	}
	wake(t, wakes.sorted()...)
	return nil
}

// dueStopped makes settlements due that wait for what was stopped and is not any more. The bounds are those of dueNow.
func dueStopped(b *pgx.Batch, chainID, head uint64) {
	b.Queue(`
		UPDATE settlements SET wake_block = $2 WHERE id IN (
			SELECT s.id FROM settlements s JOIN assets a ON a.id = s.asset_id JOIN chains c ON c.chain_id = s.chain_id
			 WHERE s.state = 'waiting' AND s.chain_id = $1 AND s.wake_block > $2 AND split_part(s.reason, ': ', 1) = $3
			   AND a.stopped IS NULL AND c.stopped IS NULL
			 ORDER BY s.id LIMIT $4 FOR NO KEY UPDATE OF s SKIP LOCKED)`, chainID, head, settlement.WaitStopped, duesMax)
}

// Stops is what is stopped on a chain, and why; an empty reason means that it goes on.
type Stops struct {
	Chain  string
	Assets map[string]string // by symbol
}

// Stops reads what is stopped.
func (l *Ledger) Stops(ctx context.Context, chainID uint64) (Stops, error) {
	return readOne(ctx, l, "read stops of chain "+strconv.FormatUint(chainID, 10), func(row pgx.CollectableRow) (s Stops, err error) {
		err = row.Scan(&s.Chain, &s.Assets)
		return s, err
	}, `SELECT coalesce(c.stopped, ''), coalesce((SELECT jsonb_object_agg(a.symbol, coalesce(a.stopped, '')) FROM assets a WHERE a.chain_id = c.chain_id), '{}')
	      FROM chains c WHERE c.chain_id = $1`, chainID)
}
