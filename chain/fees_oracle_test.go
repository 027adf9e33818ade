package chain

import (
	"crypto/ecdsa"
	"errors"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/txpool"
	"github.com/ethereum/go-ethereum/core/txpool/legacypool"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"pgregory.net/rapid"

	"github.com/quittance/quittance/settlement"
)

// poolChain is just enough of a chain for geth's own transaction pool: one account with all the coins there could be.
type poolChain struct{ state *state.StateDB }

func (c poolChain) Config() *params.ChainConfig { return params.MergedTestChainConfig }
func (c poolChain) CurrentBlock() *types.Header {
	return &types.Header{Number: new(big.Int), Difficulty: new(big.Int), GasLimit: 30_000_000, BaseFee: big.NewInt(1)}
}
func (c poolChain) GetBlock(common.Hash, uint64) *types.Block {
	return types.NewBlockWithHeader(c.CurrentBlock())
}
func (c poolChain) StateAt(common.Hash, *big.Int, uint64) (*state.StateDB, error) {
	return c.state, nil
}

// unshared reserves nothing: there is no other pool.
type unshared struct{}

func (unshared) Hold(common.Address) error    { return nil }
func (unshared) Release(common.Address) error { return nil }
func (unshared) Has(common.Address) bool      { return false }

func gethPool(t testing.TB) (*legacypool.LegacyPool, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	db, err := state.New(types.EmptyRootHash, state.NewDatabaseForTesting())
	if err != nil {
		t.Fatal(err)
	}
	db.SetBalance(crypto.PubkeyToAddress(key.PublicKey), new(uint256.Int).Rsh(new(uint256.Int).SetAllOne(), 1), tracing.BalanceChangeUnspecified)
	config := legacypool.DefaultConfig
	config.Journal = ""
	chain := poolChain{db}
	pool := legacypool.New(config, chain)
	if err := pool.Init(1, chain.CurrentBlock(), unshared{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pool.Close(); err != nil {
			t.Errorf("close geth's pool: %v", err)
		}
	})
	return pool, key
}

func offer(t rapidOrTest, pool *legacypool.LegacyPool, key *ecdsa.PrivateKey, nonce uint64, f settlement.Fees) error {
	chainID := params.MergedTestChainConfig.ChainID
	to := common.HexToAddress("0x1000000000000000000000000000000000000001")
	tx, err := types.SignNewTx(key, types.LatestSignerForChainID(chainID), &types.DynamicFeeTx{
		ChainID: chainID, Nonce: nonce, GasFeeCap: f.Cap.Big(), GasTipCap: f.Tip.Big(), Gas: 21_000, To: &to,
	})
	if err != nil {
		t.Fatalf("sign: %v", err)
	}
	return pool.Add([]*types.Transaction{tx}, true)[0]
}

type rapidOrTest interface {
	Fatalf(format string, args ...any)
}

// T29-T33: geth's own pool is the judge. What Bump makes it takes; the least that SmallestBump allows it takes; and where that
// least is exactly geth's threshold, one wei less in either field it refuses.
func TestGethsOwnPoolTakesEveryBumpAndRefusesOneWeiLess(t *testing.T) {
	t.Parallel()
	pool, key := gethPool(t)
	nonce := uint64(0)
	rapid.Check(t, func(t *rapid.T) {
		// A pool keeps 64 gapped nonces of an account: always the same few, each time far above what is there.
		old := settlement.Fees{Tip: wei(rapid.Uint64Range(1, 1<<40).Draw(t, "tip"))}
		old.Cap = larger(old.Tip, wei(rapid.Uint64Range(1, 1<<40).Draw(t, "cap")))
		pool.Clear()
		nonce = rapid.Uint64Range(0, 3).Draw(t, "nonce")
		if err := offer(t, pool, key, nonce, old); err != nil {
			t.Fatalf("the first transaction %+v is refused: %v", old, err)
		}
		least := settlement.Fees{Cap: SmallestBump(old.Cap), Tip: SmallestBump(old.Tip)}
		for _, short := range []settlement.Fees{
			{Cap: gethThreshold(old.Cap, -1), Tip: least.Tip}, {Cap: least.Cap, Tip: gethThreshold(old.Tip, -1)}, // one wei below geth's rule
			{Cap: old.Cap, Tip: least.Tip}, {Cap: least.Cap, Tip: old.Tip}, // T30, T33: one field alone
		} {
			if short.Tip.Cmp(short.Cap) > 0 {
				continue
			}
			if err := offer(t, pool, key, nonce, short); !errors.Is(err, txpool.ErrReplaceUnderpriced) {
				t.Fatalf("%+v in place of %+v: %v, want a refusal", short, old, err)
			}
		}
		if least.Tip.Cmp(least.Cap) <= 0 {
			if err := offer(t, pool, key, nonce, least); err != nil {
				t.Fatalf("the smallest bump %+v of %+v is refused: %v", least, old, err)
			}
			old = least
		}
		m := Market{BaseFee: wei(rapid.Uint64Range(0, 1<<41).Draw(t, "base")), Tip: wei(rapid.Uint64Range(0, 1<<41).Draw(t, "market tip"))}
		bumped, ok := Bump(old, m, wei(1), wei(1<<60))
		if !ok {
			t.Fatalf("no bump of %+v", old)
		}
		if err := offer(t, pool, key, nonce, bumped); err != nil {
			t.Fatalf("the bump %+v of %+v is refused: %v", bumped, old, err)
		}
	})
}
