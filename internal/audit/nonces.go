package audit

import (
	"bytes"
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// oneLiveNonce: I3.
func (x *examination) oneLiveNonce(ctx context.Context, f *Finding) error {
	f.Invariant, f.Title = "I3", "a settlement has at most one live paying nonce, and what is called consumed is final on chain"
	f.ByTest = "that a second nonce waited for the proof"
	if err := x.count(ctx, f, `SELECT count(*) FROM transactions`); err != nil {
		return err
	}
	if err := x.broken(ctx, f,
		`SELECT format('settlement %s has %s live paying nonces', i.settlement_id, count(*)) FROM transaction_items i JOIN transactions t ON t.id = i.transaction_id
		  WHERE t.live AND t.kind = 'pay' AND NOT i.revived GROUP BY i.settlement_id HAVING count(*) > 1`,
		`SELECT format('transaction %s and its share of settlement %s disagree on whether it is live and pays', t.id, i.settlement_id)
		   FROM transaction_items i JOIN transactions t ON t.id = i.transaction_id WHERE (i.live, i.pays) <> (t.live, t.kind = 'pay')`,
		`SELECT format('transaction %s, nonce %s of 0x%s, is called consumed without a final block', t.id, t.nonce, encode(t.signer, 'hex')) FROM transactions t
		   LEFT JOIN blocks b ON b.chain_id = t.chain_id AND b.hash = t.consumed_block
		  WHERE NOT t.live AND (b.final IS NOT TRUE OR NOT b.canonical)`,
		`SELECT format('settlement %s got a paying nonce (transaction %s) after it had ended or while transaction %s may still pay', c.settlement_id, y.id, x.id)
		   FROM transaction_items a JOIN transactions x ON x.id = a.transaction_id AND x.kind = 'pay'
		   JOIN transaction_items c ON c.settlement_id = a.settlement_id AND c.transaction_id > a.transaction_id
		   JOIN transactions y ON y.id = c.transaction_id AND y.kind = 'pay' WHERE (x.live OR x.outcome = 'paid') AND NOT a.revived`,
		`SELECT format('settlement %s says %s nonces were allocated, there are %s', s.id, s.nonces_allocated, count(t.id)) FROM settlements s
		   LEFT JOIN transaction_items i ON i.settlement_id = s.id LEFT JOIN transactions t ON t.id = i.transaction_id AND t.kind = 'pay'
		  GROUP BY s.id HAVING s.nonces_allocated <> count(t.id)`); err != nil {
		return err
	}
	for _, signer := range x.facts.Signers {
		if err := x.brokenWith(ctx, f, `
			SELECT format('nonce %s of %s is %s, the chain''s count at the final block is %s', nonce, $4::text, CASE WHEN live THEN 'live' ELSE 'called consumed' END, $3::bigint)
			  FROM transactions WHERE chain_id = $1 AND signer = $2 AND live = (nonce < $3::bigint)`,
			x.Chain.ChainID, signer.Address, int64(signer.Nonce), signer.Address.Hex()); err != nil {
			return err
		}
	}
	return nil
}

// attemptsBeforeBroadcast: I4. Each nonce that the chain has consumed of a lane since it was added is a transaction that the
// node confirms, of an attempt of ours or of a recorded finding; and each attempt's bytes are what they are called.
func (x *examination) attemptsBeforeBroadcast(ctx context.Context, f *Finding) error {
	f.Invariant, f.Title = "I4", "every transaction of our signers has a stored attempt, or a recorded finding"
	f.ByTest = "that the bytes were stored before they were sent"
	for _, signer := range x.facts.Signers {
		if err := x.brokenWith(ctx, f, `
			SELECT format('nonce %s of %s is used on chain, and the books do not know by what', n, $4::text)
			  FROM lanes l CROSS JOIN LATERAL generate_series(l.first_nonce, $3::bigint - 1) AS n
			 WHERE l.chain_id = $1 AND l.signer = $2 AND NOT EXISTS (
			   SELECT 1 FROM mined_transactions m JOIN blocks b ON b.chain_id = m.chain_id AND b.hash = m.block_hash AND b.final
			    WHERE m.chain_id = $1 AND m.signer = $2 AND m.nonce = n)`,
			x.Chain.ChainID, signer.Address, int64(signer.Nonce), signer.Address.Hex()); err != nil {
			return err
		}
	}
	x.confirmMined(f)
	if err := x.broken(ctx, f,
		`SELECT format('transaction %s has nonce %s and no attempt', t.id, t.nonce) FROM transactions t
		  WHERE NOT EXISTS (SELECT 1 FROM attempts a WHERE a.transaction_id = t.id)`,
		`SELECT format('0x%s took nonce %s of 0x%s, its attempt was for nonce %s of 0x%s', encode(m.tx_hash, 'hex'), m.nonce, encode(m.signer, 'hex'), t.nonce, encode(t.signer, 'hex'))
		   FROM mined_transactions m JOIN attempts a ON a.id = m.attempt_id JOIN transactions t ON t.id = a.transaction_id
		  WHERE (m.signer, m.nonce, m.tx_hash) IS DISTINCT FROM (t.signer, t.nonce, a.hash)`,
		`SELECT format('attempt %s was stored at %s, its transaction 0x%s was mined at %s', a.id, a.created_at, encode(m.tx_hash, 'hex'), b.mined_at)
		   FROM mined_transactions m JOIN attempts a ON a.id = m.attempt_id JOIN blocks b ON b.chain_id = m.chain_id AND b.hash = m.block_hash
		  WHERE a.kind <> 'adopted' AND a.created_at > b.mined_at + interval '1 minute'`); err != nil { // clocks differ
		return err
	}
	return x.attemptBytes(ctx, f)
}

// confirmMined compares the signers' transactions with the node's. A node that keeps an index of younger blocks alone has none
// of the events' receipts either, and the audit cannot be done there: so one that gave them knows our transactions too.
func (x *examination) confirmMined(f *Finding) {
	for _, m := range x.mined {
		f.Checked++
		if !m.Ours && !m.Finding {
			f.tell("%s took nonce %d of %s: it is no attempt of ours, and no finding names it", m.Tx, m.Nonce, m.Signer)
		}
		switch known, found := x.facts.Transactions[m.Tx]; {
		case !found:
			f.tell("%s of %s is in the books and the node does not know it", m.Tx, m.Signer)
		case known.Block.Hash != m.Block || known.From != m.Signer || known.Nonce != m.Nonce || known.OK != m.OK:
			f.tell("%s: the books say nonce %d of %s in block %s (success %t), the node says nonce %d of %s in %s (%t)",
				m.Tx, m.Nonce, m.Signer, m.Block, m.OK, known.Nonce, known.From, known.Block.Hash, known.OK)
		}
	}
}

// attemptBytes checks that each attempt's bytes hash to its hash and are of its signer and nonce.
func (x *examination) attemptBytes(ctx context.Context, f *Finding) error {
	rows, err := x.tx.Query(ctx, `
		SELECT a.id, t.chain_id, t.signer, t.nonce, a.hash, a.raw, a.to_address, a.value, a.data, a.gas_limit, a.fee_cap, a.fee_tip
		  FROM attempts a JOIN transactions t ON t.id = a.transaction_id WHERE octet_length(a.raw) > 0 ORDER BY a.id`)
	if err != nil {
		return err
	}
	var s storedAttempt
	_, err = pgx.ForEachRow(rows, s.columns(), func() error {
		f.Checked++
		if problem := s.check(); problem != "" {
			f.tell("attempt %d: %s", s.id, problem)
		}
		return nil
	})
	return err
}

type storedAttempt struct {
	id             int64
	chainID, nonce uint64
	signer, to     common.Address
	hash           common.Hash
	raw, data      []byte
	gas            uint64
	value          settlement.Amount
	cap, tip       settlement.Amount
}

func (s *storedAttempt) columns() []any {
	return []any{&s.id, &s.chainID, &s.signer, &s.nonce, &s.hash, &s.raw, &s.to, &s.value, &s.data, &s.gas, &s.cap, &s.tip}
}

func (s *storedAttempt) check() string {
	var tx types.Transaction
	if err := tx.UnmarshalBinary(s.raw); err != nil {
		return "its bytes are no transaction: " + err.Error()
	}
	sender, err := types.Sender(types.LatestSignerForChainID(new(big.Int).SetUint64(s.chainID)), &tx)
	switch {
	case err != nil:
		return "its bytes have no sender on this chain: " + err.Error()
	case tx.Hash() != s.hash:
		return fmt.Sprintf("its bytes hash to %s, not to %s", tx.Hash(), s.hash)
	case sender != s.signer || tx.Nonce() != s.nonce:
		return fmt.Sprintf("its bytes are nonce %d of %s, not nonce %d of %s", tx.Nonce(), sender, s.nonce, s.signer)
	case tx.To() == nil || *tx.To() != s.to || tx.Value().Cmp(s.value.Big()) != 0 || !bytes.Equal(tx.Data(), s.data) || tx.Gas() != s.gas ||
		tx.GasFeeCap().Cmp(s.cap.Big()) != 0 || tx.GasTipCap().Cmp(s.tip.Big()) != 0:
		return "its bytes do something else than its columns say"
	}
	return ""
}
