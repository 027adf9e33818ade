package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// checkAttempt makes sure that the bytes are what the row will say of them: one wrong byte here is a payment that nobody
// supervises. It derives the signing hash. An attempt without bytes (a remote signer's) must bring its own.
func checkAttempt(a *settlement.Attempt, chainID uint64, signer common.Address, nonce uint64) error {
	if len(a.Raw) == 0 {
		if a.Hash != (common.Hash{}) || a.SigningHash == (common.Hash{}) {
			return settlement.Invalidf("attempt", "has neither bytes nor a signing hash")
		}
		if want := signingHash(*a, chainID, nonce); a.SigningHash != want {
			return settlement.Invalidf("attempt", "says that it is signed as %s, its payload under nonce %d is %s", a.SigningHash, nonce, want)
		}
		return nil
	}
	var tx types.Transaction
	if err := tx.UnmarshalBinary(a.Raw); err != nil {
		return settlement.Invalidf("attempt", "cannot be decoded: %v", err)
	}
	rules := types.LatestSignerForChainID(new(big.Int).SetUint64(chainID))
	from, err := types.Sender(rules, &tx)
	if err != nil {
		return settlement.Invalidf("attempt", "has no valid signature for chain %d: %v", chainID, err)
	}
	switch {
	case tx.Type() != types.DynamicFeeTxType:
		return settlement.Invalidf("attempt", "is a transaction of type %d, not 2", tx.Type())
	case tx.ChainId().Cmp(new(big.Int).SetUint64(chainID)) != 0:
		return settlement.Invalidf("attempt", "is for chain %s, not %d", tx.ChainId(), chainID)
	case from != signer:
		return settlement.Invalidf("attempt", "is signed by %s, not %s", from, signer)
	case tx.Nonce() != nonce:
		return settlement.Invalidf("attempt", "has nonce %d, not %d", tx.Nonce(), nonce)
	case tx.Hash() != a.Hash:
		return settlement.Invalidf("attempt", "has hash %s, not %s", tx.Hash(), a.Hash)
	case tx.To() == nil || *tx.To() != a.To || tx.Value().Cmp(a.Value.Big()) != 0 || !bytes.Equal(tx.Data(), a.Data) || tx.Gas() != a.GasLimit:
		return settlement.Invalidf("attempt", "carries another payload than it says")
	case tx.GasFeeCap().Cmp(a.Cap.Big()) != 0 || tx.GasTipCap().Cmp(a.Tip.Big()) != 0:
		return settlement.Invalidf("attempt", "carries other fees than it says")
	}
	a.SigningHash = rules.Hash(&tx)
	return nil
}

// signingHash is what a signer signs of an attempt.
func signingHash(a settlement.Attempt, chainID, nonce uint64) common.Hash {
	id := new(big.Int).SetUint64(chainID)
	return types.LatestSignerForChainID(id).Hash(types.NewTx(&types.DynamicFeeTx{
		ChainID: id, Nonce: nonce, GasTipCap: a.Tip.Big(), GasFeeCap: a.Cap.Big(), Gas: a.GasLimit, To: &a.To, Value: a.Value.Big(), Data: a.Data,
	}))
}

func samePayload(a, b settlement.Payload) bool {
	return a.To == b.To && a.Value == b.Value && a.GasLimit == b.GasLimit && bytes.Equal(a.Data, b.Data)
}

// AddAttempt stores a new attempt for a live nonce, before anybody sends it. It names the attempt that it replaces: of several
// bumpers one wins, and the others get the winner's attempt with won = false and send that. On repeat the winner finds its
// own bytes, won again. A bump keeps the payload, so a cancel stays a cancel; a nonce that is consumed meanwhile is Stale. An attempt
// that has no bytes yet may be replaced as well: a signer that refuses it for good may sign a cancel.
func (l *Ledger) AddAttempt(ctx context.Context, r settlement.Replacement) (winner settlement.Attempt, won bool, err error) {
	err = l.do(ctx, "add attempt: transaction "+strconv.FormatInt(r.TransactionID, 10), func(t *Tx) error {
		winner, won = settlement.Attempt{}, false
		live, err := lockTransaction(t, r.TransactionID)
		if err != nil {
			return err
		}
		if newest := live.Newest; !r.Names(newest) {
			winner, won = newest, newest.Same(r.Attempt)
			return nil
		}
		if err := checkReplacement(&r.Attempt, live); err != nil {
			return err
		}
		t.AtCommitOne("the transaction was consumed", `UPDATE transactions SET bump_asked_for = NULL, bump_asked_block = NULL WHERE id = $1 AND live`, live.ID)
		t.AtCommit(`INSERT INTO attempts (transaction_id, replaces, kind, to_address, value, data, gas_limit, fee_cap, fee_tip, signing_hash, hash, raw)
			VALUES ($1, (SELECT id FROM attempts WHERE transaction_id = $1 AND (hash = $2 OR hash IS NULL AND signing_hash = $13)), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
			live.ID, r.Replaces, r.Attempt.Kind, r.Attempt.To, num(r.Attempt.Value), calldata(r.Attempt.Data), r.Attempt.GasLimit,
			num(r.Attempt.Cap), num(r.Attempt.Tip), r.Attempt.SigningHash, orNull(r.Attempt.Hash), r.Attempt.Raw, r.ReplacesUnsigned)
		winner, won = r.Attempt, true
		return nil
	})
	return winner, won, err
}

// liveTransaction is a transaction under its lock, with the chain whose rules sign it.
type liveTransaction struct {
	settlement.Transaction
	chainID    uint64
	unrunnable bool
}

// liveTransactionSQL reads a nonce with its newest attempt.
const liveTransactionSQL = `
	SELECT t.id, t.lane_id, t.signer, t.nonce, t.kind, coalesce(t.bump_asked_for = n.hash, false),
	       n.hash, n.signing_hash, n.kind, n.to_address, n.value, n.data, n.gas_limit, n.fee_cap, n.fee_tip, n.raw
	  FROM transactions t
	  JOIN LATERAL (SELECT n.* FROM attempts n WHERE n.transaction_id = t.id ORDER BY n.id DESC LIMIT 1) n ON true`

func scanLive(row pgx.CollectableRow) (*settlement.Transaction, error) {
	var n liveRow
	err := row.Scan(&n.id, &n.laneID, &n.signer, &n.nonce, &n.kind, &n.bump,
		&n.hash, &n.signed, &n.attemptKind, &n.to, &n.value, &n.data, &n.gasLimit, &n.cap, &n.tip, &n.raw)
	return n.transaction(), err
}

// lockTransaction locks a live transaction and then reads it: another bumper's attempt, if there was one, is in what it reads.
func lockTransaction(t *Tx, id int64) (live liveTransaction, err error) {
	b := &pgx.Batch{}
	var isLive bool
	b.Queue(`SELECT chain_id, live, unrunnable IS NOT NULL FROM transactions WHERE id = $1 FOR NO KEY UPDATE`, id).QueryRow(func(row pgx.Row) error {
		return row.Scan(&live.chainID, &isLive, &live.unrunnable)
	})
	b.Queue(liveTransactionSQL+` WHERE t.id = $1`, id).Query(func(rows pgx.Rows) error {
		found, err := pgx.CollectExactlyOneRow(rows, scanLive)
		if err == nil {
			live.Transaction = *found
		}
		return err
	})
	if err := t.Batch(b); err != nil {
		return live, fmt.Errorf("lock transaction %d: %w", id, err)
	}
	if !isLive {
		return live, stale("nonce %d of %s is consumed", live.Nonce, live.Signer)
	}
	return live, nil
}

// checkReplacement: the same payload at higher fees, or a cancel or no-op, which pays nobody, in the place of anything.
func checkReplacement(a *settlement.Attempt, live liveTransaction) error {
	if err := checkAttempt(a, live.chainID, live.Signer, live.Nonce); err != nil {
		return err
	}
	newest := live.Newest
	if a.Cap.Cmp(newest.Cap) <= 0 || a.Tip.Cmp(newest.Tip) <= 0 {
		return settlement.Invalidf("attempt", "must raise both fees of %s", newest.Hash)
	}
	toItself := a.To == live.Signer && a.Value.IsZero() && len(a.Data) == 0
	switch {
	case a.Kind == newest.Kind && samePayload(a.Payload, newest.Payload):
		return nil
	case (a.Kind == settlement.AttemptCancel || a.Kind == settlement.AttemptNoop) && toItself && newest.Kind != settlement.AttemptCancel:
		return nil
	}
	return settlement.Invalidf("attempt", "must keep the payload of the %s that it replaces, or be a cancel", newest.Kind)
}

// StoreBytes is the second commit of a remote signer: the bytes for an attempt that was committed without. Who comes second
// gets the stored bytes with won = false and throws its own away; on repeat the winner finds its own. Stale: the nonce is consumed, or
// a newer attempt took the place of the one that was signed, whose bytes then never existed.
func (l *Ledger) StoreBytes(ctx context.Context, transactionID int64, signed settlement.Attempt) (stored settlement.Attempt, won bool, err error) {
	err = l.do(ctx, "store bytes: transaction "+strconv.FormatInt(transactionID, 10), func(t *Tx) error {
		stored, won = settlement.Attempt{}, false
		live, err := lockTransaction(t, transactionID)
		if err != nil {
			return err
		}
		if live.Newest.Hash != (common.Hash{}) {
			stored, won = live.Newest, live.Newest.Hash == signed.Hash
			return nil
		}
		if len(signed.Raw) == 0 {
			return settlement.Invalidf("attempt", "has no bytes")
		}
		if err := checkAttempt(&signed, live.chainID, live.Signer, live.Nonce); err != nil {
			return err
		}
		if signed.SigningHash != live.Newest.SigningHash {
			if replaced, err := wasReplaced(t, transactionID, signed.SigningHash); err != nil || replaced {
				return errors.Join(err, stale("nonce %d of %s: the attempt that was signed was replaced", live.Nonce, live.Signer))
			}
			return settlement.Invalidf("attempt", "signs %s, not the committed %s", signed.SigningHash, live.Newest.SigningHash)
		}
		t.AtCommitOne("the attempt has bytes already", `UPDATE attempts SET hash = $3, raw = $4 WHERE transaction_id = $1 AND signing_hash = $2 AND hash IS NULL`,
			transactionID, signed.SigningHash, signed.Hash, signed.Raw)
		stored, won = signed, true
		return nil
	})
	return stored, won, err
}

// wasReplaced finds an older attempt of the nonce by what is signed of it.
func wasReplaced(t *Tx, transactionID int64, signed common.Hash) (found bool, err error) {
	err = t.QueryRow(`SELECT EXISTS (SELECT FROM attempts WHERE transaction_id = $1 AND signing_hash = $2)`, transactionID, signed).Scan(&found)
	return found, err
}

// refusalBytesMax bounds what a node may make us keep.
const refusalBytesMax = 1000

// RecordRefusal notes why a node did not accept an attempt. It says nothing about the nonce: the next note replaces this one.
func (l *Ledger) RecordRefusal(ctx context.Context, attempt common.Hash, class, text string) error {
	return l.do(ctx, "record refusal: attempt "+attempt.Hex(), func(t *Tx) error {
		n, err := t.Exec(`UPDATE attempts SET refusal_class = $2, refusal_text = $3 WHERE hash = $1`, attempt, clip(class), clip(text))
		if err == nil && n == 0 {
			err = settlement.Errorf(settlement.NotFound, "no attempt has hash %s", attempt)
		}
		return err
	})
}

// MarkUnrunnable notes that a nonce's payload can never run, so that the lane keeper fills the nonce. The first reason stays;
// a consumed nonce is left alone.
func (l *Ledger) MarkUnrunnable(ctx context.Context, transactionID int64, text string) error {
	return l.do(ctx, "mark unrunnable: transaction "+strconv.FormatInt(transactionID, 10), func(t *Tx) error {
		_, err := t.Exec(`UPDATE transactions SET unrunnable = $2 WHERE id = $1 AND live AND unrunnable IS NULL`, transactionID, clip(text))
		return err
	})
}
