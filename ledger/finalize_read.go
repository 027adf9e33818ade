package ledger

import (
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// eventRow is an event of the block.
type eventRow struct {
	id         int64
	vault      common.Address
	txHash     common.Hash
	txLogIndex uint64
	name       settlement.EventName
	key        common.Hash // zero where the event has none
	token      common.Address
	party      common.Address
	amount     settlement.Amount
	problem    string
	short      settlement.Amount // of a deposit that vanished before: what suspense paid then
	done       bool              // took effect, or is in quarantine, since an earlier sighting
}

// minedRow is a transaction of one of our signers in the block, with the nonce that it takes.
type minedRow struct {
	settlement.MinedTransaction
	attempt       settlement.AttemptKind // empty: no attempt of ours
	transactionID int64                  // of the live nonce; 0 if there is none
	kind          settlement.TransactionKind
	items         []int64 // settlements, if it pays
	revokes       []int64 // settlements, if it revokes
	booked        bool    // its gas is booked
}

// assetRow is an asset of the chain under its lock.
type assetRow struct {
	settlement.Asset
	revertsTo [][]byte // recipients of the payments in a row that reverted and count
	revertsBy []int64  // and the accounts that paid
}

// accountRow is a customer's account.
type accountRow struct {
	id           int64
	tenant, name string
}

// nextSQL is the hash of the block that follows the last final one.
const nextSQL = `(SELECT b.hash FROM heads h JOIN blocks b ON b.chain_id = h.chain_id AND b.number = h.final_number + 1 AND b.canonical WHERE h.chain_id = $1)`

// read takes the fence and the cursor, and reads what the next block holds of us.
func (f *finalizing) read(lease settlement.Lease) error {
	b := &pgx.Batch{}
	fence(b, lease)
	lockCursor(b, f.chainID, &f.cursor)
	b.Queue(`SELECT number, hash, seen FROM blocks WHERE chain_id = $1 AND hash = `+nextSQL, f.chainID).Query(func(rows pgx.Rows) error {
		_, err := pgx.ForEachRow(rows, []any{&f.block.Number, &f.block.Hash, &f.seen}, func() error { f.found = true; return nil })
		return err
	})
	b.Queue(`
		SELECT e.id, e.vault, e.tx_hash, e.tx_log_index, e.name, e.event_key, e.token, e.party, COALESCE(e.amount, 0), COALESCE(e.problem, ''),
		       COALESCE((SELECT o.reversed_short FROM effects o WHERE (o.chain_id, o.tx_hash, o.tx_log_index) = (e.chain_id, e.tx_hash, e.tx_log_index)
		                    AND o.reversed_at IS NOT NULL ORDER BY o.id DESC LIMIT 1), 0),
		       EXISTS (SELECT FROM effects o WHERE (o.chain_id, o.tx_hash, o.tx_log_index) = (e.chain_id, e.tx_hash, e.tx_log_index) AND o.reversed_at IS NULL)
		    OR EXISTS (SELECT FROM quarantine o WHERE (o.chain_id, o.tx_hash, o.tx_log_index) = (e.chain_id, e.tx_hash, e.tx_log_index) AND o.released_at IS NULL)
		  FROM events e WHERE e.chain_id = $1 AND e.block_hash = `+nextSQL+` AND e.name <> 'other' ORDER BY e.log_index, e.id`, f.chainID).Query(func(rows pgx.Rows) (err error) {
		f.events, err = pgx.CollectRows(rows, scanEvent)
		return err
	})
	b.Queue(`SELECT count(*) FROM incoming WHERE chain_id = $1 AND block_hash = `+nextSQL, f.chainID).QueryRow(func(row pgx.Row) error {
		return row.Scan(&f.topped)
	})
	b.Queue(`
		SELECT m.tx_hash, m.tx_index, m.signer, m.nonce, m.to_address, m.value, m.ok, m.gas_used, m.gas_limit, m.gas_price,
		       COALESCE(a.kind, ''), COALESCE(t.id, 0), COALESCE(t.kind, ''),
		       ARRAY(SELECT i.settlement_id FROM transaction_items i WHERE i.transaction_id = t.id AND i.pays ORDER BY i.position),
		       ARRAY(SELECT i.settlement_id FROM transaction_items i WHERE i.transaction_id = t.id AND NOT i.pays ORDER BY i.position),
		       EXISTS (SELECT FROM mined_transactions o WHERE o.chain_id = m.chain_id AND o.tx_hash = m.tx_hash AND o.gas_transfer IS NOT NULL)
		  FROM mined_transactions m
		  LEFT JOIN attempts a ON a.id = m.attempt_id
		  LEFT JOIN transactions t ON t.chain_id = m.chain_id AND t.signer = m.signer AND t.nonce = m.nonce AND t.live
		 WHERE m.chain_id = $1 AND m.block_hash = `+nextSQL+` ORDER BY m.tx_index`, f.chainID).Query(func(rows pgx.Rows) (err error) {
		f.mined, err = pgx.CollectRows(rows, scanMined)
		return err
	})
	return f.t.Batch(b)
}

func scanEvent(row pgx.CollectableRow) (e eventRow, err error) {
	var key, token, party []byte
	err = row.Scan(&e.id, &e.vault, &e.txHash, &e.txLogIndex, &e.name, &key, &token, &party, &e.amount, &e.problem, &e.short, &e.done)
	e.key, e.token, e.party = common.BytesToHash(key), common.BytesToAddress(token), common.BytesToAddress(party)
	return e, err
}

func scanMined(row pgx.CollectableRow) (m minedRow, err error) {
	var to []byte
	err = row.Scan(&m.Hash, &m.Index, &m.From, &m.Nonce, &to, &m.Value, &m.OK, &m.GasUsed, &m.GasLimit, &m.GasPrice,
		&m.attempt, &m.transactionID, &m.kind, &m.items, &m.revokes, &m.booked)
	if to != nil {
		address := common.BytesToAddress(to)
		m.To = &address
	}
	return m, err
}

// accountsSQL finds the customers of $2 and our own accounts of chain $1, each part by an index: customers may be millions.
const accountsSQL = `
	SELECT * FROM accounts WHERE customer_id = ANY($2)
	UNION ALL
	SELECT * FROM accounts WHERE tenant = 'default' AND kind IN ('gas_expense', 'funding', 'suspense', 'unexplained_payouts') AND name = $1::bigint::text
	UNION ALL
	SELECT * FROM accounts WHERE tenant = 'default' AND kind = 'vault' AND starts_with(name, $1::bigint::text || '/')`

// lock takes every further lock of the commit in the design's order, each kind for all effects at once, and reads what the
// effects depend on. $2 are ids of the vault, $3 ids of ours.
func (f *finalizing) lock() error {
	var keys [][]byte
	var ids []int64
	for _, e := range f.events {
		keys = append(keys, e.key.Bytes())
	}
	for _, m := range f.mined {
		ids = append(append(ids, m.items...), m.revokes...)
	}
	const touched = `(s.onchain_id = ANY($2) OR s.id = ANY($3)) AND s.chain_id = $1::bigint`
	f.facts, f.byID, f.customer, f.system = map[int64]*fact{}, map[common.Hash]*fact{}, map[common.Hash]accountRow{}, map[string]int64{}
	f.assets, f.lanes, f.released = map[common.Address]*assetRow{}, map[common.Address]laneRow{}, map[int64]bool{}

	b := &pgx.Batch{}
	b.Queue(`SELECT FROM idempotency_keys k JOIN settlements s USING (tenant, key) WHERE `+touched+`
		ORDER BY k.tenant, k.key FOR NO KEY UPDATE OF k`, f.chainID, keys, ids)
	b.Queue(factSQL+` WHERE `+touched+` ORDER BY s.id FOR UPDATE OF s`, f.chainID, keys, ids).Query(f.collectFacts)
	b.Queue(`SELECT FROM queue WHERE settlement_id IN (SELECT s.id FROM settlements s WHERE `+touched+`) ORDER BY settlement_id FOR UPDATE`, f.chainID, keys, ids)
	b.Queue(`SELECT a.id, a.chain_id, a.symbol, a.token, a.decimals, a.reverts_to, a.reverts_by FROM assets a JOIN asset_liquidity q ON q.asset_id = a.id
		WHERE a.chain_id = $1 ORDER BY a.id FOR NO KEY UPDATE`, f.chainID).Query(f.collectAssets)
	b.Queue(laneSQL, f.chainID).Query(func(rows pgx.Rows) error {
		lanes, err := pgx.CollectRows(rows, scanLane)
		for _, lane := range lanes {
			f.lanes[lane.signer] = lane
		}
		return err
	})
	b.Queue(`SELECT id, tenant, kind, name, customer_id FROM (`+accountsSQL+`) c`, f.chainID, keys).Query(f.collectAccounts)
	b.Queue(`SELECT FROM balances o WHERE o.asset_id IN (SELECT id FROM assets WHERE chain_id = $1::bigint) AND o.account_id IN (
			SELECT c.id FROM (`+accountsSQL+`) c UNION SELECT s.account_id FROM settlements s WHERE `+touched+`
			UNION SELECT l.float_account FROM lanes l WHERE l.chain_id = $1::bigint)
		ORDER BY o.account_id, o.asset_id FOR NO KEY UPDATE`, f.chainID, keys, ids)
	if !f.release {
		f.advance(b)
	}
	return f.t.Batch(b)
}

func (f *finalizing) collectFacts(rows pgx.Rows) error {
	facts, err := pgx.CollectRows(rows, scanFact)
	for _, found := range facts {
		f.facts[found.ID], f.byID[found.OnchainID] = &found, &found
	}
	return err
}

func (f *finalizing) collectAssets(rows pgx.Rows) error {
	assets, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (a assetRow, err error) {
		err = row.Scan(&a.ID, &a.ChainID, &a.Symbol, &a.Token, &a.Decimals, &a.revertsTo, &a.revertsBy)
		return a, err
	})
	for _, asset := range assets {
		f.assets[asset.Token] = &asset
	}
	return err
}

func (f *finalizing) collectAccounts(rows pgx.Rows) error {
	var account accountRow
	var kind string
	var customerID []byte
	_, err := pgx.ForEachRow(rows, []any{&account.id, &account.tenant, &kind, &account.name, &customerID}, func() error {
		switch kind {
		case kindCustomer:
			f.customer[common.BytesToHash(customerID)] = account
		case kindVault:
			f.system[kind+strings.ToLower(account.name)] = account.id
		default:
			f.system[kind] = account.id
		}
		return nil
	})
	return err
}

// vaultAccount is the account of one of our vaults.
func (f *finalizing) vaultAccount(vault common.Address) (id int64, known bool) {
	id, known = f.system[kindVault+strings.ToLower(vaultAccountName(f.chainID, vault))]
	return id, known
}
