package ledger_test

import (
	"crypto/ecdsa"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

// chainSim is a world with a chain that exists in the test alone: the test says what each block holds, and the ledger is told
// through the calls that the listener makes. Its lanes sign for real.
type chainSim struct {
	*ledgertest.World
	t     testing.TB
	lease settlement.Lease
	head  settlement.BlockRef
	reads settlement.ChainReads
	keys  []*ecdsa.PrivateKey
	lanes []common.Address
	salt  uint64 // makes every block and every foreign transaction another one
}

const simTTL = time.Hour // leases end when a test says so

func newSim(t testing.TB, lanes, inFlightMax int) *chainSim {
	t.Helper()
	s := &chainSim{World: ledgertest.New(t, ledgertest.WithLanes(0, 0)), t: t}
	s.FinalBlock()
	s.head = settlement.BlockRef{Number: 0, Hash: ledgertest.Hash("block 0")}
	s.reads = settlement.ChainReads{
		Tip: settlement.NewAmount(20_000_000), Signers: map[common.Address]settlement.Signer{},
		VaultBalances: map[int64]settlement.Amount{s.USDC.ID: s.Units("USDC", "1000000"), s.ETH.ID: s.Units("ETH", "1000")},
	}
	for i := range lanes {
		key, err := crypto.ToECDSA(crypto.Keccak256(fmt.Appendf(nil, "lane key %d", i)))
		s.ok(err)
		address := crypto.PubkeyToAddress(key.PublicKey)
		_, _, err = s.AddLane(t.Context(), ledger.LaneConfig{
			ChainID: 1337, Signer: address, Custody: ledger.CustodyKeystore, InFlightMax: inFlightMax,
			CapCeiling: settlement.NewAmount(500e9), Balance: s.Units("ETH", "100"), Operator: true,
		})
		s.ok(err)
		s.keys, s.lanes = append(s.keys, key), append(s.lanes, address)
		s.reads.Signers[address] = settlement.Signer{Balance: s.Units("ETH", "100"), Operator: true}
	}
	s.lease = s.acquire("listener a")
	return s
}

func (s *chainSim) ok(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *chainSim) acquire(holder string) settlement.Lease {
	s.t.Helper()
	lease, ok, err := s.AcquireLease(s.t.Context(), "listener/1337", holder, simTTL)
	s.ok(err)
	if !ok {
		s.t.Fatalf("the lease is not free for %s", holder)
	}
	return lease
}

// reserve makes a settlement of Alice's.
func (s *chainSim) reserve(key, symbol, units string) settlement.Settlement {
	s.t.Helper()
	asset := map[string]settlement.Asset{"USDC": s.USDC, "ETH": s.ETH}[symbol]
	out, err := s.Reserve(s.t.Context(), settlement.Reservation{
		RequestID: "run of " + key, Vault: s.Chain.Vault,
		Request: settlement.Request{
			Key: settlement.Key{Tenant: settlement.DefaultTenant, Value: key}, Account: ledgertest.Alice, Asset: asset,
			To: ledgertest.Address("payee of " + key), Amount: s.Units(symbol, units),
		},
	})
	s.ok(err)
	return out
}

// payload stands for the vault's calldata: the ledger never looks into it.
func (s *chainSim) payload(id common.Hash) settlement.Payload {
	return settlement.Payload{To: s.Chain.Vault, Data: id.Bytes(), GasLimit: 100_000}
}

var simFees = settlement.Fees{Cap: settlement.NewAmount(3e9), Tip: settlement.NewAmount(1e9)}

// allocate asks for a nonce and says how that ended.
func (s *chainSim) allocate(x settlement.Settlement) (settlement.Allocated, error) {
	payload := s.payload(x.OnchainID)
	return s.Allocate(s.t.Context(), settlement.Allocation{
		SettlementID: x.ID, Payload: payload, Fees: simFees, MaxCost: settlement.NewAmount(100_000 * 3e9),
	}, func(signer common.Address, nonce uint64) (settlement.Attempt, error) {
		return s.sign(signer, nonce, settlement.AttemptPay, payload, simFees)
	})
}

// submit allocates a nonce and returns it with its bytes.
func (s *chainSim) submit(x settlement.Settlement) settlement.Transaction {
	s.t.Helper()
	out, err := s.allocate(x)
	s.ok(err)
	if out.Outcome != settlement.AllocatedNonce {
		s.t.Fatalf("settlement %s got no nonce: %s %s", x.Key, out.Outcome, out.Reason)
	}
	return *out.Transaction
}

func (s *chainSim) sign(signer common.Address, nonce uint64, kind settlement.AttemptKind, p settlement.Payload, f settlement.Fees) (settlement.Attempt, error) {
	for i, lane := range s.lanes {
		if lane != signer {
			continue
		}
		rules := types.LatestSignerForChainID(big.NewInt(1337))
		tx, err := types.SignNewTx(s.keys[i], rules, &types.DynamicFeeTx{
			ChainID: big.NewInt(1337), Nonce: nonce, To: &p.To, Value: p.Value.Big(), Data: p.Data, Gas: p.GasLimit, GasFeeCap: f.Cap.Big(), GasTipCap: f.Tip.Big(),
		})
		if err != nil {
			return settlement.Attempt{}, err
		}
		raw, err := tx.MarshalBinary()
		return settlement.Attempt{Hash: tx.Hash(), Kind: kind, Payload: p, Fees: f, Raw: raw}, err
	}
	return settlement.Attempt{}, fmt.Errorf("no key of %s", signer)
}

// simTx is a transaction in a block: of a lane, or of a stranger (mined is nil).
type simTx struct {
	hash   common.Hash
	mined  *settlement.MinedTransaction
	events []settlement.Event
}

const simGasUsed = 60_000

var simGasPrice = settlement.NewAmount(2e9)

func (s *chainSim) mined(signer common.Address, nonce uint64, hash common.Hash, ok bool) *settlement.MinedTransaction {
	vault := s.Chain.Vault
	return &settlement.MinedTransaction{
		Hash: hash, From: signer, To: &vault, Nonce: nonce, OK: ok, GasUsed: simGasUsed, GasLimit: 100_000, GasPrice: simGasPrice,
	}
}

// settled is the vault's event that pays exactly what a settlement asked for.
func (s *chainSim) settled(x settlement.Settlement) settlement.Event {
	return settlement.Event{Name: settlement.EventSettled, ID: x.OnchainID, Token: x.Asset.Token, Party: x.To, Amount: x.Amount}
}

// pays is an attempt that succeeds.
func (s *chainSim) pays(x settlement.Settlement, n settlement.Transaction) simTx {
	return simTx{hash: n.Newest.Hash, mined: s.mined(n.Signer, n.Nonce, n.Newest.Hash, true), events: []settlement.Event{s.settled(x)}}
}

// reverts is an attempt that fails on chain.
func (s *chainSim) reverts(n settlement.Transaction) simTx {
	return simTx{hash: n.Newest.Hash, mined: s.mined(n.Signer, n.Nonce, n.Newest.Hash, false)}
}

// foreign is a transaction of a lane's signer that nobody here knows.
func (s *chainSim) foreign(lane int, nonce uint64, value settlement.Amount) simTx {
	hash := s.fresh("foreign")
	m := s.mined(s.lanes[lane], nonce, hash, true)
	stranger := ledgertest.Address("stranger")
	m.To, m.Value = &stranger, value
	return simTx{hash: hash, mined: m}
}

// stranger is somebody else's transaction with events of the vault.
func (s *chainSim) stranger(events ...settlement.Event) simTx {
	return simTx{hash: s.fresh("stranger"), events: events}
}

func (s *chainSim) deposit(account string, asset settlement.Asset, units string) simTx {
	return s.stranger(settlement.Event{
		Name: settlement.EventDeposited, ID: settlement.CustomerID("", account), Token: asset.Token, Party: ledgertest.Address("payer"),
		Amount: s.Units(asset.Symbol, units),
	})
}

func (s *chainSim) fresh(what string) common.Hash {
	s.salt++
	return crypto.Keccak256Hash([]byte(what), binary.BigEndian.AppendUint64(nil, s.salt))
}

// next builds the child of the head. Log indexes count through the block, so the same transactions in another order have
// others, as on a real chain.
func (s *chainSim) next(txs ...simTx) settlement.Block {
	block := settlement.Block{
		BlockRef: settlement.BlockRef{Number: s.head.Number + 1, Hash: s.fresh("block")}, Parent: s.head.Hash,
		Time: time.Unix(int64(1_800_000_000+s.head.Number), 0), BaseFee: settlement.NewAmount(1e9), GasLimit: 30_000_000, Reads: s.reads,
	}
	block.Reads.Signers = map[common.Address]settlement.Signer{}
	for address, signer := range s.reads.Signers {
		block.Reads.Signers[address] = signer
	}
	logs := uint64(0)
	for i, tx := range txs {
		if tx.mined != nil {
			m := *tx.mined
			m.Index = uint64(i)
			block.Transactions = append(block.Transactions, m)
			signer := block.Reads.Signers[m.From]
			signer.Nonce = max(signer.Nonce, m.Nonce+1)
			block.Reads.Signers[m.From] = signer
		}
		for j, e := range tx.events {
			e.TxHash, e.LogIndex, e.TxLogIndex = tx.hash, logs, uint64(j)
			if e.Vault == (common.Address{}) {
				e.Vault = s.Chain.Vault
			}
			e.Topics, e.Data = []common.Hash{ledgertest.Hash("topic"), e.ID}, []byte{1, 2, 3}
			block.Events = append(block.Events, e)
			logs++
		}
	}
	return block
}

// record tells the ledger of a block and makes it the head.
func (s *chainSim) record(block settlement.Block) settlement.Block {
	s.t.Helper()
	s.ok(s.RecordBlock(s.t.Context(), s.lease, 1337, block))
	s.head, s.reads = block.BlockRef, block.Reads
	return block
}

func (s *chainSim) mine(txs ...simTx) settlement.Block {
	s.t.Helper()
	return s.record(s.next(txs...))
}

func (s *chainSim) finalize(number uint64) {
	s.t.Helper()
	s.ok(s.Finalize(s.t.Context(), s.lease, 1337, number))
}

// rewind goes back to a block; reads are that block's.
func (s *chainSim) rewind(to settlement.Block) {
	s.t.Helper()
	s.ok(s.Rewind(s.t.Context(), s.lease, 1337, to.BlockRef))
	s.head, s.reads = to.BlockRef, to.Reads
}

// read reads a settlement again.
func (s *chainSim) read(x settlement.Settlement) settlement.Settlement {
	s.t.Helper()
	out, err := s.Settlement(s.t.Context(), x.Key)
	s.ok(err)
	return out
}

func (s *chainSim) wantState(x settlement.Settlement, want settlement.State) settlement.Settlement {
	s.t.Helper()
	got := s.read(x)
	if got.State != want {
		s.t.Fatalf("settlement %s is %s (%s), want %s", x.Key, got.State, got.Reason, want)
	}
	return got
}

// wakes counts the wake-ups that a settlement was sent.
func (s *chainSim) wakes(x settlement.Settlement) int {
	return ledgertest.Value[int](s.World, `SELECT count(*) FROM outbox WHERE stream = $1`, "wake/"+x.Key.Canonical())
}

// told counts the events of a type in a stream, at the broker.
func (s *chainSim) told(stream, kind string) int {
	return ledgertest.Value[int](s.World, `SELECT count(*) FROM outbox WHERE stream = $1 AND type = $2 AND destination = 'nats'`, stream, kind)
}

// balance is an account's posted balance in its own direction, by kind and (for customers) name.
func (s *chainSim) balance(kind, name string, asset settlement.Asset) string {
	return ledgertest.Value[string](s.World, `
		SELECT COALESCE(sum(CASE WHEN a.kind = 'customer' THEN b.credits_posted::numeric - b.debits_posted ELSE b.debits_posted::numeric - b.credits_posted END), 0)::text
		  FROM accounts a JOIN balances b ON b.account_id = a.id WHERE a.kind = $1 AND (a.kind <> 'customer' OR a.name = $2) AND b.asset_id = $3`, kind, name, asset.ID)
}

func (s *chainSim) quarantined() []string {
	s.t.Helper()
	rows, err := s.SQL.Query(s.t.Context(), `SELECT reason FROM quarantine ORDER BY id`)
	s.ok(err)
	defer rows.Close()
	var out []string
	for rows.Next() {
		var reason string
		s.ok(rows.Scan(&reason))
		out = append(out, reason)
	}
	s.ok(rows.Err())
	return out
}

func wantErr(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got error %v, want %v", err, want)
	}
}
