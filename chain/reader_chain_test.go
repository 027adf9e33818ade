package chain

import (
	"context"
	"crypto/ecdsa"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/eth/ethconfig"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/ethclient/simulated"
	"github.com/ethereum/go-ethereum/node"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/quittance/quittance/contracts"
	"github.com/quittance/quittance/settlement"
)

const readChainID = 1337 // the simulated backend knows no other

// account is an externally owned account with coins.
type account struct {
	key  *ecdsa.PrivateKey
	addr common.Address
}

func newAccount(t testing.TB) account {
	t.Helper()
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	return account{key, crypto.PubkeyToAddress(key.PublicKey)}
}

// sealed is a geth in this process that makes a block when told to, with a vault that holds coins and tokens.
type sealed struct {
	t       testing.TB
	backend *simulated.Backend
	eth     *ethclient.Client
	rpc     *rpc.Client

	owner, operator, customer account
	vault, token              common.Address
	nonces                    map[common.Address]uint64 // a fork takes them back: see fork
}

func newSealed(t testing.TB) *sealed {
	t.Helper()
	s := &sealed{t: t, owner: newAccount(t), operator: newAccount(t), customer: newAccount(t), nonces: map[common.Address]uint64{}}
	alloc := types.GenesisAlloc{}
	for _, a := range []account{s.owner, s.operator, s.customer} {
		alloc[a.addr] = types.Account{Balance: new(big.Int).Mul(big.NewInt(1000), big.NewInt(params.Ether))}
	}
	dir, err := os.MkdirTemp("", "q") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s.backend = simulated.NewBackend(alloc, func(server *node.Config, conf *ethconfig.Config) {
		server.IPCPath = filepath.Join(dir, "geth.ipc")
		config := *params.AllDevChainProtocolChanges
		config.BogotaTime = nil // a future fork that prices gas differently
		conf.Genesis.Config = &config
		conf.StateScheme = "hash" // blocks of other branches keep their state
	})
	t.Cleanup(func() {
		if err := s.backend.Close(); err != nil {
			t.Errorf("close the chain: %v", err)
		}
	})
	if s.rpc, err = rpc.Dial(filepath.Join(dir, "geth.ipc")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.rpc.Close)
	s.eth = ethclient.NewClient(s.rpc)
	s.deploy()
	s.commit()
	eventually(t, "the node calls itself synced", func() bool {
		progress, err := s.eth.SyncProgress(context.Background())
		return err == nil && progress == nil
	})
	return s
}

// deploy sends all that makes the vault and fills it.
func (s *sealed) deploy() {
	s.t.Helper()
	s.vault = crypto.CreateAddress(s.owner.addr, 0)
	s.token = crypto.CreateAddress(s.owner.addr, 1)
	s.send(s.owner, nil, 0, append(common.FromHex(contracts.VaultMetaData.Bin), vaultABI.PackConstructor(s.owner.addr, []common.Address{s.operator.addr})...))
	s.send(s.owner, nil, 0, append(common.FromHex(contracts.TestTokenMetaData.Bin), erc20.PackConstructor("Test Dollar", "TUSD", 6)...))
	s.send(s.owner, &s.token, 0, erc20.PackMint(s.vault, big.NewInt(1_000_000)))
	s.send(s.owner, &s.token, 0, erc20.PackMint(s.customer.addr, big.NewInt(1_000_000)))
	s.send(s.owner, &s.vault, params.GWei, vaultABI.PackDepositNative(common.HexToHash("0x01")))
	s.send(s.customer, &s.token, 0, erc20.PackApprove(s.vault, big.NewInt(1_000_000)))
}

// send puts a transaction into the pool.
func (s *sealed) send(from account, to *common.Address, value int64, data []byte) *types.Transaction {
	s.t.Helper()
	tx, err := types.SignNewTx(from.key, types.LatestSignerForChainID(big.NewInt(readChainID)), &types.DynamicFeeTx{
		ChainID: big.NewInt(readChainID), Nonce: s.nonces[from.addr], GasTipCap: big.NewInt(params.GWei), GasFeeCap: big.NewInt(100 * params.GWei),
		Gas: 3_000_000, To: to, Value: big.NewInt(value), Data: data,
	})
	if err != nil {
		s.t.Fatalf("sign: %v", err)
	}
	s.nonces[from.addr]++
	s.resend(tx)
	return tx
}

func (s *sealed) resend(tx *types.Transaction) {
	s.t.Helper()
	if err := s.eth.SendTransaction(context.Background(), tx); err != nil {
		s.t.Fatalf("send: %v", err)
	}
}

func (s *sealed) settle(id string, amount int64) *types.Transaction {
	s.t.Helper()
	return s.send(s.operator, &s.vault, 0, vaultABI.PackSettle(idOf(id), s.token, testPayee, big.NewInt(amount)))
}

func (s *sealed) deposit(account string, amount int64) *types.Transaction {
	s.t.Helper()
	return s.send(s.customer, &s.vault, 0, vaultABI.PackDeposit(idOf(account), s.token, big.NewInt(amount)))
}

// commit seals a block and returns it.
func (s *sealed) commit() settlement.BlockRef {
	s.t.Helper()
	hash := s.backend.Commit()
	return settlement.BlockRef{Number: s.number(hash), Hash: hash}
}

func (s *sealed) number(hash common.Hash) uint64 {
	s.t.Helper()
	header, err := s.eth.HeaderByHash(context.Background(), hash)
	if err != nil {
		s.t.Fatalf("header %s: %v", hash, err)
	}
	return header.Number.Uint64()
}

func (s *sealed) head() settlement.BlockRef { return s.at(nil) }

// at is the node's canonical block at a height.
func (s *sealed) at(number *big.Int) settlement.BlockRef {
	s.t.Helper()
	header, err := s.eth.HeaderByNumber(context.Background(), number)
	if err != nil {
		s.t.Fatalf("header %v: %v", number, err)
	}
	return settlement.BlockRef{Number: header.Number.Uint64(), Hash: header.Hash()}
}

// fork makes a block the head again and seals an empty block on it: a block's random word makes it differ from every other.
// The orphaned transactions are dropped from the pool; a test that wants them mined again re-sends them.
func (s *sealed) fork(to settlement.BlockRef) {
	s.t.Helper()
	if err := s.backend.Fork(to.Hash); err != nil {
		s.t.Fatalf("fork at block %d: %v", to.Number, err)
	}
	for s.backend.Fork(to.Hash) != nil { // it fails while the pool holds what it took back
		s.backend.Rollback()
	}
	s.commit()
	for addr := range s.nonces {
		nonce, err := s.eth.NonceAt(context.Background(), addr, nil)
		if err != nil {
			s.t.Fatal(err)
		}
		s.nonces[addr] = nonce
	}
}

func (s *sealed) receipt(tx *types.Transaction) *types.Receipt {
	s.t.Helper()
	receipt, err := s.eth.TransactionReceipt(context.Background(), tx.Hash())
	if err != nil {
		s.t.Fatalf("receipt of %s: %v", tx.Hash(), err)
	}
	return receipt
}

func (s *sealed) genesis() common.Hash { return s.at(new(big.Int)).Hash }

func (s *sealed) watched() Watched {
	return Watched{
		Vault: s.vault, Vaults: []common.Address{s.vault}, Signers: []common.Address{s.operator.addr}, TipFloor: settlement.NewAmount(10_000_000),
		Assets: []settlement.Asset{{ID: 1, ChainID: readChainID, Symbol: "ETH"}, {ID: 2, ChainID: readChainID, Symbol: "TUSD", Token: s.token, Decimals: 6}},
	}
}

func (s *sealed) pool(clients map[string]*rpc.Client) *Pool {
	s.t.Helper()
	if clients == nil {
		clients = map[string]*rpc.Client{"geth": s.rpc}
	}
	pool, err := PoolOf(context.Background(), clients, readChainID, s.genesis())
	if err != nil {
		s.t.Fatal(err)
	}
	return pool
}

func idOf(word string) common.Hash { return crypto.Keccak256Hash([]byte(word)) }

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// liar is an HTTP node that hands questions on to a real one and may change the answers.
type liar struct {
	upstream *rpc.Client
	client   *rpc.Client
	url      string

	mu       sync.Mutex
	lie      func(method string, params []any, truth any) any
	requests int
}

// rpcError is what a lie answers instead of a result.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// newLiar tells the truth until lies is called. A lie sees the truth as decoded JSON and may change it in place; numbers
// are hex strings in this protocol, so nothing is lost.
func newLiar(t testing.TB, upstream *rpc.Client) *liar {
	t.Helper()
	l := &liar{upstream: upstream}
	server := httptest.NewServer(l)
	t.Cleanup(server.Close)
	client, err := rpc.Dial(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	l.client, l.url = client, server.URL
	return l
}

func (l *liar) lies(lie func(method string, params []any, truth any) any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lie = lie
}

// seen is how many HTTP requests came.
func (l *liar) seen() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.requests
}

type rpcQuestion struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params []any           `json:"params"`
}

func (l *liar) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err == nil {
		var reply any
		if reply, err = l.reply(r.Context(), raw); err == nil {
			w.Header().Set("Content-Type", "application/json")
			err = json.NewEncoder(w).Encode(reply)
		}
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
}

// reply answers one request, a single question or a batch.
func (l *liar) reply(ctx context.Context, raw []byte) (any, error) {
	l.mu.Lock()
	l.requests++
	lie := l.lie
	l.mu.Unlock()
	var questions []rpcQuestion
	batch := json.Unmarshal(raw, &questions) == nil
	if !batch {
		questions = make([]rpcQuestion, 1)
		if err := json.Unmarshal(raw, &questions[0]); err != nil {
			return nil, err
		}
	}
	answers := make([]map[string]any, 0, len(questions))
	for _, q := range questions {
		answer := map[string]any{"jsonrpc": "2.0", "id": q.ID}
		switch result := l.answer(ctx, q, lie).(type) {
		case rpcError:
			answer["error"] = result
		default:
			answer["result"] = result
		}
		answers = append(answers, answer)
	}
	if !batch {
		return answers[0], nil
	}
	return answers, nil
}

func (l *liar) answer(ctx context.Context, q rpcQuestion, lie func(string, []any, any) any) any {
	var truth any
	if err := l.upstream.CallContext(ctx, &truth, q.Method, q.Params...); err != nil {
		var said rpc.Error
		if errors.As(err, &said) {
			truth = rpcError{said.ErrorCode(), said.Error()}
		} else {
			truth = rpcError{-32603, err.Error()}
		}
	}
	if lie == nil {
		return truth
	}
	return lie(q.Method, q.Params, truth)
}
