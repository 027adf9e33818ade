package ledger

import (
	"context"
	"errors"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// TopUp is what came to a signer from outside, or is on its way.
type TopUp struct {
	ID        int64
	ChainID   uint64
	Signer    common.Address
	TxHash    common.Hash
	Amount    settlement.Amount // wei
	Source    string            // "sent" by us, "seen" by the listener, "adopted" by an operator
	Actor     string
	Raw       []byte // of one that we send
	Booked    bool   // in a final block
	CreatedAt time.Time
}

const (
	topUpSent    = "sent"
	topUpAdopted = "adopted"
)

const selectTopUps = `SELECT id, chain_id, signer, tx_hash, amount, source, actor, raw, transfer_id IS NOT NULL, created_at FROM topups`

func toTopUp(row pgx.CollectableRow) (t TopUp, err error) {
	err = row.Scan(&t.ID, &t.ChainID, &t.Signer, &t.TxHash, &t.Amount, &t.Source, &t.Actor, &t.Raw, &t.Booked, &t.CreatedAt)
	return t, err
}

// TopUps lists a chain's top-ups, the newest first, but for those that a deep reorg took away.
func (l *Ledger) TopUps(ctx context.Context, chainID uint64, limit int) ([]TopUp, error) {
	return read(ctx, l, "list top-ups", toTopUp, selectTopUps+` WHERE chain_id = $1 AND reversed_at IS NULL ORDER BY id DESC LIMIT $2`, chainID, limit)
}

// PlanTopUp stores the bytes of a top-up before they are sent. It books nothing: the listener does, once their transaction is final.
// Again with the same bytes it changes nothing. While another one to that signer is on its way it is Stale, and the answer is that
// one: send its bytes again, or say that another is wanted.
func (l *Ledger) PlanTopUp(ctx context.Context, p TopUp, another bool) (stored TopUp, err error) {
	err = l.do(ctx, "plan top-up: "+p.Signer.Hex(), func(t *Tx) error {
		if err := lockLaneOf(t, p.ChainID, p.Signer); err != nil {
			return err
		}
		out, err := collect(t, toTopUp, selectTopUps+` WHERE chain_id = $1 AND signer = $2 AND reversed_at IS NULL AND (transfer_id IS NULL OR tx_hash = $3) ORDER BY tx_hash <> $3, id DESC`, p.ChainID, p.Signer, p.TxHash)
		if err != nil {
			return err
		}
		if len(out) > 0 && (out[0].TxHash == p.TxHash || !another) {
			if stored = out[0]; stored.TxHash != p.TxHash {
				return stale("a top-up of %s wei to %s is on its way by %s", stored.Amount, stored.Signer, stored.TxHash)
			}
			return nil
		}
		stored = p
		stored.Source = topUpSent
		t.AtCommit(`INSERT INTO topups (chain_id, signer, tx_hash, amount, source, actor, raw) VALUES ($1, $2, $3, $4, 'sent', $5, $6)`,
			p.ChainID, p.Signer, p.TxHash, num(p.Amount), p.Actor, p.Raw)
		return journal(t, p.Actor, "top up", signerStream(p.Signer), map[string]any{"chain_id": p.ChainID, "tx_hash": p.TxHash, "amount_wei": p.Amount})
	})
	return stored, err
}

// lockLaneOf locks a signer's lane, which every booking of a top-up does.
func lockLaneOf(t *Tx, chainID uint64, signer common.Address) error {
	var id int64
	err := t.QueryRow(`SELECT id FROM lanes WHERE chain_id = $1 AND signer = $2 FOR NO KEY UPDATE`, chainID, signer).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return settlement.Invalidf("signer", "is no signer of chain %d: %s", chainID, signer)
	}
	return err
}

// Rise is how a signer's balance changed in one block, as the chain says.
type Rise struct {
	Block         settlement.BlockRef
	Before, After settlement.Amount // wei, at the parent and at the block
}

// AdoptTopUp books what a transaction brought to a signer by way of a contract, once. The chain tells no transaction's part in a
// balance, so the amount is what the signer's balance rose by in that block beyond all that the books know of it: its own
// transactions, the transfers that the listener saw, and earlier adoptions. A top-up that is booked already is returned as it is.
// Invalid: the block is not final here, the signer was added later (its first balance was booked with that in it), or nothing is
// left to adopt.
func (l *Ledger) AdoptTopUp(ctx context.Context, p TopUp, rise Rise) (stored TopUp, existed bool, err error) {
	err = l.do(ctx, "adopt top-up: "+p.TxHash.Hex(), func(t *Tx) error {
		existed = false
		if err := lockLaneOf(t, p.ChainID, p.Signer); err != nil {
			return err
		}
		found, err := collect(t, toTopUp, selectTopUps+` WHERE chain_id = $1 AND signer = $2 AND tx_hash = $3 AND reversed_at IS NULL`, p.ChainID, p.Signer, p.TxHash)
		if err != nil {
			return err
		}
		if existed = len(found) == 1; existed {
			stored = found[0]
			return nil
		}
		if p.Amount, err = unexplained(t, p, rise); err != nil {
			return err
		}
		t.AtCommit(`
			WITH moved AS (
				INSERT INTO transfers (debit_account, credit_account, asset_id, amount, phase, leg)
				SELECT l.float_account, f.id, a.id, $4, 'posted', 'top_up' FROM lanes l
				  JOIN assets a ON a.chain_id = l.chain_id AND a.token = $5
				  JOIN accounts f ON f.tenant = 'default' AND f.kind = 'funding' AND f.name = l.chain_id::bigint::text
				 WHERE l.chain_id = $1 AND l.signer = $2 RETURNING id
			), kept AS (
				INSERT INTO topups (chain_id, signer, tx_hash, amount, source, actor, block_hash, transfer_id)
				SELECT $1, $2, $3, $4, 'adopted', $6, $7, id FROM moved RETURNING 1
			) SELECT must((SELECT count(*) FROM kept) = 1, 'the lane or the accounts of the chain are gone')`,
			p.ChainID, p.Signer, p.TxHash, num(p.Amount), settlement.NativeToken, p.Actor, rise.Block.Hash)
		stored = p
		stored.Source, stored.Booked = topUpAdopted, true
		return journal(t, p.Actor, "adopt top-up", signerStream(p.Signer), map[string]any{"chain_id": p.ChainID, "tx_hash": p.TxHash, "amount_wei": p.Amount, "block": rise.Block.Number})
	})
	return stored, existed, err
}

// unexplained is what the books do not know of a rise.
func unexplained(t *Tx, p TopUp, rise Rise) (left settlement.Amount, err error) {
	var final, after bool
	var spent, got settlement.Amount
	err = t.QueryRow(`
		SELECT EXISTS (SELECT FROM blocks b WHERE b.chain_id = $1 AND b.hash = $3 AND b.final),
		       $4 > (SELECT added_block FROM lanes WHERE chain_id = $1 AND signer = $2),
		       (SELECT coalesce(sum(m.gas_used * m.gas_price + CASE WHEN m.ok AND m.to_address IS DISTINCT FROM m.signer THEN m.value ELSE 0 END), 0)
		          FROM mined_transactions m WHERE m.chain_id = $1 AND m.signer = $2 AND m.block_hash = $3),
		       (SELECT coalesce(sum(i.amount), 0) FROM incoming i WHERE i.chain_id = $1 AND i.signer = $2 AND i.block_hash = $3)
		     + (SELECT coalesce(sum(o.amount), 0) FROM topups o WHERE o.chain_id = $1 AND o.signer = $2 AND o.block_hash = $3 AND o.source = 'adopted' AND o.reversed_at IS NULL)`,
		p.ChainID, p.Signer, rise.Block.Hash, int64(rise.Block.Number)).Scan(&final, &after, &spent, &got)
	switch {
	case err != nil:
		return left, err
	case !final:
		return left, settlement.Invalidf("transaction", "is in block %d %s, which is not final yet, or no block of the recorded chain", rise.Block.Number, rise.Block.Hash)
	case !after:
		return left, settlement.Invalidf("transaction", "is in block %d, and the signer was added later: its first balance was booked with that in it", rise.Block.Number)
	}
	total, over := rise.After.Add(spent)
	known, over2 := rise.Before.Add(got)
	left, under := total.Sub(known)
	if over || over2 || under || left.IsZero() {
		return left, settlement.Invalidf("transaction", "brought nothing to %s that the books do not know: its balance went from %s to %s wei in that block, it spent %s and is known to have got %s",
			p.Signer, rise.Before, rise.After, spent, got)
	}
	return left, nil
}

// bookTopUps books what the block brought to our signers, each transaction once. What the database refuses is kept in the journal.
// A block up to the one at which a lane was added is in its first balance.
func (f *finalizing) bookTopUps() error {
	if f.topped == 0 {
		return nil
	}
	refusal, err := f.t.Savepoint(func() error {
		_, err := f.t.Exec(`
			WITH due AS MATERIALIZED (
				SELECT i.*, l.float_account, a.id AS asset_id, f.id AS funding, nextval(pg_get_serial_sequence('transfers', 'id')) AS transfer
				  FROM incoming i
				  JOIN lanes l ON l.chain_id = i.chain_id AND l.signer = i.signer AND l.added_block < $3
				  JOIN assets a ON a.chain_id = i.chain_id AND a.token = $4
				  JOIN accounts f ON f.tenant = 'default' AND f.kind = 'funding' AND f.name = i.chain_id::bigint::text
				 WHERE i.chain_id = $1 AND i.block_hash = $2 AND i.amount > 0
				   AND NOT EXISTS (SELECT FROM topups o WHERE o.chain_id = i.chain_id AND o.tx_hash = i.tx_hash AND o.signer = i.signer AND o.transfer_id IS NOT NULL AND o.reversed_at IS NULL)
			), moved AS (
				INSERT INTO transfers (id, debit_account, credit_account, asset_id, amount, phase, leg) OVERRIDING SYSTEM VALUE
				SELECT transfer, float_account, funding, asset_id, amount, 'posted', 'top_up' FROM due ORDER BY transfer
			)
			INSERT INTO topups (chain_id, signer, tx_hash, amount, source, block_hash, transfer_id)
			SELECT chain_id, signer, tx_hash, amount, 'seen', block_hash, transfer FROM due
			ON CONFLICT (chain_id, tx_hash, signer) WHERE reversed_at IS NULL DO UPDATE SET block_hash = excluded.block_hash, transfer_id = excluded.transfer_id`,
			f.chainID, f.block.Hash, int64(f.block.Number), settlement.NativeToken)
		return err
	})
	if err != nil || refusal == nil {
		return err
	}
	return journal(f.t, "listener", "top_ups_refused", "chain/"+chainAccountName(f.chainID), map[string]any{
		"chain_id": f.chainID, "block_number": f.block.Number, "block_hash": f.block.Hash, "refusal": refusal.Error(),
	})
}
