package ledger

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// reasonInsufficient is the only reason for which Reserve fails a settlement, for good.
const reasonInsufficient = "insufficient balance"

// Reserve claims the key, writes the settlement and holds its amount, in one commit of two round trips.
//
// On repeat with the same request id it returns the stored settlement and counts nothing; with another request id it counts a
// hit and returns the same. Another meaning is a Conflict that names the fields, and only the hit is written. Too little
// balance is no error: the settlement that it returns is Failed, for ever, and so is its key. An unknown account or asset,
// a refused destination, or a retry of what may still be paid or is tried again already, is Invalid and nothing is written. Many at once with one key: one writes, the others wait for
// its commit and read it.
func (l *Ledger) Reserve(ctx context.Context, r settlement.Reservation) (settlement.Settlement, error) {
	if err := checkReservation(r); err != nil {
		return settlement.Settlement{}, err
	}
	var s settlement.Settlement
	var conflict error
	err := l.do(ctx, "reserve: "+r.Key.Canonical(), func(t *Tx) error {
		conflict = nil
		claim, known, err := claimKey(t, r)
		switch {
		case err != nil:
			return err
		case !claim.Inserted:
			conflict, err = replay(t, r, claim, &s)
			return err
		}
		if err := known.check(r); err != nil {
			return err // rolls the claim back
		}
		s = newSettlement(r, known)
		return queueReserve(t, &s, known)
	})
	if err == nil {
		err = conflict
	}
	if violates(err, "settlements_one_retry") {
		err = settlement.Invalidf("retry_of", "is being tried again by another key: %s", r.RetryOf)
	}
	if err != nil {
		return settlement.Settlement{}, err
	}
	return s, nil
}

func checkReservation(r settlement.Reservation) error {
	switch {
	case r.RequestID == "":
		return settlement.Invalidf("request_id", "must not be empty")
	case r.Vault == common.Address{}:
		return settlement.Invalidf("vault", "must not be the zero address")
	}
	if _, err := settlement.ParseKey(r.Key.Tenant, r.Key.Value); err != nil {
		return err
	}
	if err := settlement.CheckAccountName(r.Account); err != nil {
		return err
	}
	return settlement.CheckAmount(r.Amount)
}

// registered is what the registry says about a reservation; nil is unknown.
type registered struct {
	account, vaultAccount *int64
	asset                 *settlement.Asset
	token, signer         bool              // the destination is one of our tokens, or signers
	retried               *settlement.State // of the settlement that this one tries again
	retriedBy             *string           // the key that tries it again already
}

// claimKey reads the registry and claims the key in one round trip. The registry is read without locks: its rows are never
// deleted and what is read of them never changes. Who else tries the same again may change; an index decides then.
func claimKey(t *Tx, r settlement.Reservation) (claim claimed, known registered, err error) {
	b := &pgx.Batch{}
	b.Queue(`SELECT (SELECT id FROM accounts WHERE tenant = $1 AND kind = 'customer' AND name = $2),
	                (SELECT a.id FROM accounts a JOIN vaults v ON v.chain_id = $3 AND v.vault = $4 WHERE a.tenant = 'default' AND a.kind = 'vault' AND a.name = $5),
	                EXISTS (SELECT 1 FROM assets WHERE chain_id = $3 AND token = $6),
	                EXISTS (SELECT 1 FROM lanes WHERE chain_id = $3 AND signer = $6),
	                (SELECT state FROM settlements WHERE tenant = $1 AND key = $7),
	                (SELECT key FROM settlements WHERE tenant = $1 AND retry_of = $7 AND state NOT IN ('failed', 'cancelled'))`,
		r.Key.Tenant, r.Account, r.Asset.ChainID, r.Vault, vaultAccountName(r.Asset.ChainID, r.Vault), r.To, orNull(r.RetryOf)).QueryRow(func(row pgx.Row) error {
		return row.Scan(&known.account, &known.vaultAccount, &known.token, &known.signer, &known.retried, &known.retriedBy)
	})
	b.Queue(`SELECT id, chain_id, symbol, token, decimals FROM assets WHERE chain_id = $1 AND token = $2`, r.Asset.ChainID, r.Asset.Token).Query(func(rows pgx.Rows) error {
		assets, err := pgx.CollectRows(rows, pgx.RowToStructByPos[settlement.Asset])
		if err == nil && len(assets) == 1 {
			known.asset = &assets[0]
		}
		return err
	})
	if err := queueClaim(b, r, &claim); err != nil {
		return claim, known, err
	}
	err = t.Batch(b)
	return claim, known, err
}

func (k registered) check(r settlement.Reservation) error {
	switch {
	case k.account == nil:
		return settlement.Invalidf("account", "is unknown: %s", r.Account)
	case k.asset == nil:
		return settlement.Invalidf("asset", "is not registered: %s on chain %d", r.Asset.Symbol, r.Asset.ChainID)
	case k.vaultAccount == nil:
		return settlement.Invalidf("vault", "is not a vault of chain %d: %s", r.Asset.ChainID, r.Vault)
	case r.RetryOf != "" && (k.retried == nil || *k.retried != settlement.Failed && *k.retried != settlement.Cancelled):
		return settlement.Invalidf("retry_of", "must name a settlement that ended without payment: %s", r.RetryOf)
	case k.retriedBy != nil:
		return settlement.Invalidf("retry_of", "is tried again already, by the key %s", *k.retriedBy)
	}
	refused := settlement.Refused{Vault: r.Vault}
	if k.token {
		refused.Tokens = append(refused.Tokens, r.To)
	}
	if k.signer {
		refused.Signers = append(refused.Signers, r.To)
	}
	return refused.CheckDestination(r.To)
}

func newSettlement(r settlement.Reservation, known registered) settlement.Settlement {
	s := settlement.Settlement{
		OnchainID: r.Key.OnchainID(r.Asset.ChainID, r.Vault), Vault: r.Vault, RequestID: r.RequestID, Request: r.Request, State: settlement.Requested,
	}
	s.Asset = *known.asset
	return s
}

// replay answers from the stored rows. The settlement is read by a statement of its own, after the claim waited for a rival's
// commit.
func replay(t *Tx, r settlement.Reservation, claim claimed, s *settlement.Settlement) (conflict, err error) {
	outcome := claim.outcome()
	if err := claim.check(r.Request); err != nil {
		if settlement.KindOf(err) != settlement.Conflict {
			return nil, err
		}
		outcome, conflict = OutcomeConflict, err
	}
	if claim.RequestID != r.RequestID {
		countRequest(t, outcome)
	}
	if conflict == nil {
		queueSettlement(&t.tail, s, ` WHERE s.tenant = $1 AND s.key = $2`, r.Key.Tenant, r.Key.Value)
	}
	return conflict, nil
}

// reserveSQL decides by the balance under its lock, and never by an error: both balance rows are locked in the order of their
// accounts, then the settlement is written with its hold, or failed without one. The vault's balance row is the hottest of
// all; this statement travels with COMMIT.
const reserveSQL = `
	WITH locked AS MATERIALIZED (
		SELECT account_id, credits_posted - debits_posted - debits_pending AS available
		  FROM balances WHERE account_id IN ($1, $2) AND asset_id = $3 ORDER BY account_id FOR NO KEY UPDATE
	), decided AS MATERIALIZED (
		SELECT nextval(pg_get_serial_sequence('settlements', 'id')) AS id,
		       coalesce((SELECT available >= $4::numeric FROM locked WHERE account_id = $1), false) AS covered
	), hold AS (
		INSERT INTO transfers (debit_account, credit_account, asset_id, amount, phase, leg, settlement_id)
		SELECT $1, $2, $3, $4, 'pending', 'hold', id FROM decided WHERE covered RETURNING id
	)
	INSERT INTO settlements (id, onchain_id, tenant, key, chain_id, vault, asset_id, token, account_id, destination, amount, retry_of, state, reason, proof, hold_id)
	SELECT id, $5, $6, $7, $8, $9, $3, $10, $1, $11, $4, $12,
	       CASE WHEN covered THEN 'requested' ELSE 'failed' END, CASE WHEN NOT covered THEN $13 END, CASE WHEN NOT covered THEN 'insufficient_balance' END,
	       (SELECT id FROM hold)
	  FROM decided
	RETURNING id, state, coalesce(reason, ''), coalesce(proof, ''), created_at, changed_at`

// queueReserve queues all that follows the claim. What happens to the key and which event is told depend on what reserveSQL
// decided, so those statements ask the settlement's row.
func queueReserve(t *Tx, s *settlement.Settlement, known registered) error {
	t.AtCommit(reserveSQL, *known.account, *known.vaultAccount, s.Asset.ID, num(s.Amount), s.OnchainID, s.Key.Tenant, s.Key.Value,
		s.Asset.ChainID, s.Vault, s.Asset.Token, s.To, orNull(s.RetryOf), reasonInsufficient).QueryRow(func(row pgx.Row) error {
		return row.Scan(&s.ID, &s.State, &s.Reason, &s.Proof, &s.CreatedAt, &s.ChangedAt)
	})
	failed := *s
	failed.State, failed.Reason, failed.Proof = settlement.Failed, reasonInsufficient, settlement.ProofInsufficientBalance
	snapshot, err := json.Marshal(failed.Snapshot())
	if err != nil {
		return fmt.Errorf("encode snapshot: %w", err)
	}
	t.AtCommit(`UPDATE idempotency_keys k SET status = 'failed', result = $3::jsonb, finished_at = now(), expires_at = now() + $4::interval
		 FROM settlements s WHERE k.tenant = $1 AND k.key = $2 AND k.status = 'in_progress' AND s.tenant = k.tenant AND s.key = k.key AND s.state = 'failed'`,
		s.Key.Tenant, s.Key.Value, string(snapshot), snapshotKept)
	emitIf(t, settlement.Requested, s.Key, event{Tenant: s.Key.Tenant, Stream: settlementStream(s.Key), Type: TypeRequested, Cause: keyCause(s.Key), Payload: s.Snapshot()})
	emitIf(t, settlement.Failed, s.Key, event{Tenant: s.Key.Tenant, Stream: settlementStream(s.Key), Type: TypeFailed, Cause: keyCause(s.Key), Payload: failed.Snapshot()})
	countRequest(t, OutcomeNew)
	return nil
}
