package chain

import (
	"context"
	"crypto/ecdsa"
	"encoding/json"
	"fmt"
	"math/big"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/ethereum/go-ethereum/trie"
	"pgregory.net/rapid"

	"github.com/quittance/quittance/settlement"
)

// paper is a chain on paper: real headers, transactions and receipts with real roots, and no state behind them. Blocks are
// free, so a random test can afford thousands.
type paper struct {
	key    *ecdsa.PrivateKey
	blocks map[common.Hash]*paperBlock
	made   uint64
}

type paperBlock struct {
	header   *types.Header
	txs      []*types.Transaction
	receipts []*types.Receipt
}

func newPaper(t testing.TB) *paper {
	t.Helper()
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	return &paper{key: key, blocks: map[common.Hash]*paperBlock{}}
}

// payment is a transaction whose receipt has a token's log and then the vault's.
func (p *paper) payment(nonce uint64) *types.Transaction {
	return types.MustSignNewTx(p.key, types.LatestSignerForChainID(big.NewInt(readChainID)), &types.DynamicFeeTx{
		ChainID: big.NewInt(readChainID), Nonce: nonce, Gas: 100_000, To: &testVault, GasFeeCap: big.NewInt(10), GasTipCap: big.NewInt(1),
	})
}

// seal makes a block; each differs from every other.
func (p *paper) seal(parent *types.Header, txs []*types.Transaction) *types.Header {
	p.made++
	header := &types.Header{
		Number: new(big.Int), Difficulty: new(big.Int), GasLimit: 30_000_000, BaseFee: big.NewInt(7), Time: p.made,
		Extra: new(big.Int).SetUint64(p.made).Bytes(), UncleHash: types.EmptyUncleHash,
	}
	if parent != nil {
		header.ParentHash = parent.Hash()
		header.Number.Add(parent.Number, big.NewInt(1))
	}
	block := &paperBlock{header: header, txs: txs}
	for i, tx := range txs {
		settled := settledLog()
		settled.Topics[1] = tx.Hash()
		receipt := &types.Receipt{
			Type: tx.Type(), Status: 1, CumulativeGasUsed: uint64(i+1) * 50_000, GasUsed: 50_000, TxHash: tx.Hash(), TransactionIndex: uint(i),
			Logs: []*types.Log{{Address: testToken, Topics: []common.Hash{testEventID}}, settled},
		}
		receipt.Bloom = types.CreateBloom(receipt)
		block.receipts = append(block.receipts, receipt)
	}
	header.TxHash = types.DeriveSha(types.Transactions(txs), trie.NewStackTrie(nil))
	header.ReceiptHash = types.DeriveSha(types.Receipts(block.receipts), trie.NewStackTrie(nil))
	p.blocks[header.Hash()] = block
	return header
}

// paperNode serves one branch of the paper chain over JSON-RPC.
type paperNode struct {
	paper *paper
	mu    sync.Mutex
	chain []*types.Header
}

func (n *paperNode) set(chain []*types.Header) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.chain = append([]*types.Header(nil), chain...)
}

func (n *paperNode) ChainId() hexutil.Uint64            { return readChainID }
func (n *paperNode) Syncing() bool                      { return false }
func (n *paperNode) MaxPriorityFeePerGas() *hexutil.Big { return (*hexutil.Big)(big.NewInt(1)) }
func (n *paperNode) GetBlockReceipts(hash common.Hash) []*types.Receipt {
	return n.paper.blocks[hash].receipts
}
func (n *paperNode) GetBlockByHash(h common.Hash, _ bool) map[string]any { return n.describe(h) }

func (n *paperNode) GetBlockByNumber(number string, _ bool) map[string]any {
	n.mu.Lock()
	defer n.mu.Unlock()
	at := uint64(len(n.chain) - 1)
	if number != "latest" {
		at = hexutil.MustDecodeUint64(number)
	}
	if at >= uint64(len(n.chain)) {
		return nil
	}
	return n.describe(n.chain[at].Hash())
}

// describe adds to the header what JSON-RPC adds.
func (n *paperNode) describe(hash common.Hash) map[string]any {
	block := n.paper.blocks[hash]
	fields := map[string]any{}
	raw, err := block.header.MarshalJSON()
	if err != nil {
		panic(err)
	}
	mustUnmarshal(raw, &fields)
	txs := []any{}
	for _, tx := range block.txs {
		described := map[string]any{}
		raw, err := tx.MarshalJSON()
		if err != nil {
			panic(err)
		}
		mustUnmarshal(raw, &described)
		described["from"] = crypto.PubkeyToAddress(n.paper.key.PublicKey)
		txs = append(txs, described)
	}
	fields["hash"], fields["transactions"] = hash, txs
	return fields
}

func mustUnmarshal(raw []byte, into any) {
	if err := json.Unmarshal(raw, into); err != nil {
		panic(err)
	}
}

// connect serves the node in this process.
func (n *paperNode) connect(t fatalCleanup) *rpc.Client {
	server := rpc.NewServer()
	if err := server.RegisterName("eth", n); err != nil {
		t.Fatalf("register: %v", err)
	}
	client := rpc.DialInProc(server)
	t.Cleanup(func() { client.Close(); server.Stop() })
	return client
}

type fatalCleanup interface {
	Fatalf(string, ...any)
	Cleanup(func())
}

// followModel drives three nodes, of which one goes its own ways, through random histories.
type followModel struct {
	*paper
	t        *rapid.T
	depth    int
	trunk    []*types.Header // what the two honest nodes hold in the end
	nodes    []*paperNode
	store    *memStore
	follower *Follower
	unmined  []*types.Transaction // payments that the trunk does not hold
	nonce    uint64
	highest  int // the highest head that any honest node ever showed
}

func newFollowModel(t *rapid.T, outer testing.TB) *followModel {
	m := &followModel{paper: newPaper(outer), t: t, depth: rapid.IntRange(1, 6).Draw(t, "depth"), store: newMemStore(1)}
	for range 4 {
		m.extend(nil)
	}
	clients := map[string]*rpc.Client{}
	for i := range 3 {
		node := &paperNode{paper: m.paper}
		node.set(m.trunk)
		m.nodes = append(m.nodes, node)
		clients[fmt.Sprint(i)] = node.connect(t)
	}
	pool, err := PoolOf(context.Background(), clients, readChainID, m.trunk[0].Hash())
	if err != nil {
		t.Fatalf("pool: %v", err)
	}
	watched := func(context.Context) (Watched, error) {
		return Watched{Vault: testVault, Vaults: []common.Address{testVault}, Signers: []common.Address{crypto.PubkeyToAddress(m.key.PublicKey)}}, nil
	}
	cfg := FollowConfig{ChainID: readChainID, StartBlock: 1, Finality: FinalityByDepth(uint64(m.depth)), BlocksPerRun: 5}
	if m.follower, err = NewFollower(cfg, pool, m.store, watched, quiet()); err != nil {
		t.Fatalf("follower: %v", err)
	}
	return m
}

func (m *followModel) extend(txs []*types.Transaction) {
	var parent *types.Header
	if len(m.trunk) > 0 {
		parent = m.trunk[len(m.trunk)-1]
	}
	m.trunk = append(m.trunk, m.seal(parent, txs))
	m.highest = max(m.highest, len(m.trunk)-1)
}

// mine extends the trunk with some of the payments that wait, or new ones.
func (m *followModel) mine(t *rapid.T) {
	for range rapid.IntRange(0, 2).Draw(t, "new payments") {
		m.unmined = append(m.unmined, m.payment(m.nonce))
		m.nonce++
	}
	n := rapid.IntRange(0, len(m.unmined)).Draw(t, "mined")
	m.extend(m.unmined[:n:n])
	m.unmined = m.unmined[n:]
}

// reorganise cuts the trunk where nothing can be final yet; its payments wait again.
func (m *followModel) reorganise(t *rapid.T) {
	lowest := max(m.highest-m.depth, 1)
	if len(m.trunk)-1 <= lowest {
		return
	}
	keep := rapid.IntRange(lowest, len(m.trunk)-2).Draw(t, "keep")
	for _, header := range m.trunk[keep+1:] {
		m.unmined = append(m.unmined, m.blocks[header.Hash()].txs...)
	}
	m.trunk = m.trunk[:keep+1]
	m.mine(t) // a head that only falls is no reorg
}

// publish has the honest nodes show the trunk, one of them possibly a part of it.
func (m *followModel) publish(t *rapid.T) {
	m.nodes[0].set(m.trunk)
	m.nodes[1].set(m.trunk[:rapid.IntRange(1, len(m.trunk)).Draw(t, "lag")])
}

// stray has the third node show a branch of its own.
func (m *followModel) stray(t *rapid.T) {
	keep := rapid.IntRange(1, len(m.trunk)).Draw(t, "stray from")
	branch := append([]*types.Header(nil), m.trunk[:keep]...)
	for range rapid.IntRange(0, 8).Draw(t, "stray blocks") {
		branch = append(branch, m.seal(branch[len(branch)-1], []*types.Transaction{m.payment(1_000_000 + m.made)}))
	}
	m.nodes[2].set(branch)
}

// run follows once. Nodes that disagree are an error that must pass; a stop must never happen.
func (m *followModel) run(*rapid.T) {
	_, err := m.follower.RunOnce(context.Background(), testLease)
	if err != nil && settlement.KindOf(err) != settlement.Transient {
		m.t.Fatalf("run: %v", err)
	}
}

// settleDown lets the honest nodes agree and the walk come to rest.
func (m *followModel) settleDown() {
	for range m.depth + 1 {
		m.extend(nil)
	}
	m.nodes[0].set(m.trunk)
	m.nodes[1].set(m.trunk)
	for range 200 {
		p, err := m.follower.RunOnce(context.Background(), testLease)
		if err != nil {
			m.t.Fatalf("run at rest: %v", err)
		}
		if p.Recorded+p.Finalized == 0 && p.Rewound == 0 {
			return
		}
	}
	m.t.Fatalf("200 runs did not come to rest")
}

// check compares the store with the trunk.
func (m *followModel) check() {
	want := map[effectKey]settlement.BlockRef{}
	for number, header := range m.trunk[1:] {
		ref := settlement.BlockRef{Number: uint64(number) + 1, Hash: header.Hash()}
		if got := m.store.recorded(ref.Number).BlockRef; got != ref {
			m.t.Fatalf("block %d is recorded as %s, want %s", ref.Number, got.Hash, ref.Hash)
		}
		if ref.Number > m.store.final.Number {
			continue
		}
		for _, tx := range m.blocks[ref.Hash].txs {
			want[effectKey{tx.Hash(), 1}] = ref
		}
	}
	if m.store.final.Number != uint64(len(m.trunk)-1-m.depth) {
		m.t.Fatalf("final is %d of %d with depth %d", m.store.final.Number, len(m.trunk)-1, m.depth)
	}
	if len(m.store.repeated) != 0 || len(want) != len(m.store.effects) {
		m.t.Fatalf("%d effects, %d of them twice; want %d, each once", len(m.store.effects), len(m.store.repeated), len(want))
	}
	for key, ref := range want {
		if m.store.effects[key] != ref {
			m.t.Fatalf("the effect of %s is of block %+v, want %+v", key.tx, m.store.effects[key], ref)
		}
	}
}

func TestWhateverReorgsLagsAndStrayNodesComeEveryFinalEventTakesEffectOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		m := newFollowModel(rt, t)
		rt.Repeat(map[string]func(*rapid.T){
			"mine": m.mine, "reorganise": m.reorganise, "publish": m.publish, "stray": m.stray, "run": m.run,
			"": func(rt *rapid.T) {
				if m.store.stopped != "" {
					rt.Fatalf("the walk stopped: %s", m.store.stopped)
				}
			},
		})
		m.settleDown()
		m.check()
	})
}
