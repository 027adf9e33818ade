package chain

import (
	"context"
	"crypto/ecdsa"
	"math/big"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/params"

	"github.com/quittance/quittance/contracts"
	"github.com/quittance/quittance/internal/devstack"
	"github.com/quittance/quittance/internal/devstack/stacktest"
	"github.com/quittance/quittance/settlement"
)

const (
	stageDeadline = 3 * time.Minute
	stageTip      = params.GWei / 100 // the dev chain's floor
)

// stage is a real geth with a vault, a token and two lanes.
type stage struct {
	geth    *devstack.Geth
	client  *ethclient.Client
	pool    *Pool
	sender  *Sender
	owner   *ecdsa.PrivateKey
	lanes   []common.Address // operators
	poor    common.Address   // an operator without coins
	vault   common.Address
	token   common.Address
	chainID uint64
}

func newStage(t *testing.T, opts devstack.GethOptions) *stage {
	t.Helper()
	s := &stage{owner: newKey(t)}
	dir := t.TempDir()
	for _, name := range []string{"one", "two"} {
		s.lanes = append(s.lanes, writeKey(t, filepath.Join(dir, name), newKey(t)))
	}
	s.poor = writeKey(t, filepath.Join(dir, "poor"), newKey(t))
	owner := crypto.PubkeyToAddress(s.owner.PublicKey)
	opts.Fund = []string{owner.Hex(), s.lanes[0].Hex(), s.lanes[1].Hex()}
	s.geth = stacktest.Geth(t, opts)
	s.chainID = s.geth.ChainID
	var err error
	if s.client, err = ethclient.Dial(s.geth.RPCURL); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.client.Close)
	genesis, err := s.client.HeaderByNumber(t.Context(), new(big.Int))
	if err != nil {
		t.Fatal(err)
	}
	if s.pool, err = Dial(t.Context(), []string{s.geth.RPCURL}, s.chainID, genesis.Hash()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.pool.Close)
	keys, err := OpenKeystore(dir, PasswordText(testPassword))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(keys.Close)
	s.sender = NewSender(s.pool, keys)

	s.vault, s.token = crypto.CreateAddress(owner, 0), crypto.CreateAddress(owner, 1)
	create := func(bin string, args []byte) []byte { return append(common.FromHex(bin), args...) }
	s.owns(t,
		call{data: create(contracts.VaultMetaData.Bin, vaultABI.PackConstructor(owner, append([]common.Address{s.poor}, s.lanes...)))},
		call{data: create(contracts.TestTokenMetaData.Bin, contracts.NewTestToken().PackConstructor("Test", "TST", 6))},
		call{to: &s.token, data: contracts.NewTestToken().PackMint(s.vault, big.NewInt(1_000_000))},
		call{to: &s.vault, data: vaultABI.PackDepositNative([32]byte{1}), value: big.NewInt(params.Ether)},
	)
	return s
}

// call is one transaction of the owner; a nil to creates a contract.
type call struct {
	to    *common.Address
	data  []byte
	value *big.Int
}

// owns sends calls of the owner and waits until all have succeeded.
func (s *stage) owns(t *testing.T, calls ...call) []*types.Receipt {
	t.Helper()
	ctx := t.Context()
	nonce, err := s.client.PendingNonceAt(ctx, crypto.PubkeyToAddress(s.owner.PublicKey))
	if err != nil {
		t.Fatal(err)
	}
	receipts := make([]*types.Receipt, len(calls))
	hashes := make([]common.Hash, len(calls))
	for i, c := range calls {
		id := new(big.Int).SetUint64(s.chainID)
		tx, err := types.SignNewTx(s.owner, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
			ChainID: id, Nonce: nonce + uint64(i), GasFeeCap: big.NewInt(10 * params.GWei), GasTipCap: big.NewInt(params.GWei), Gas: 3_000_000, To: c.to, Value: c.value, Data: c.data,
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.client.SendTransaction(ctx, tx); err != nil {
			t.Fatalf("send call %d of the owner: %v", i, err)
		}
		hashes[i] = tx.Hash()
	}
	for i, hash := range hashes {
		receipts[i] = s.mined(t, hash)
		if receipts[i].Status != types.ReceiptStatusSuccessful {
			t.Fatalf("call %d of the owner reverted", i)
		}
	}
	return receipts
}

// until waits for a condition on the chain, asked ten times a second.
func (s *stage) until(t *testing.T, what string, done func(ctx context.Context) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), stageDeadline)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for !done(ctx) {
		select {
		case <-ctx.Done():
			t.Fatalf("waited %s for: %s", stageDeadline, what)
		case <-tick.C:
		}
	}
}

func (s *stage) mined(t *testing.T, hash common.Hash) *types.Receipt {
	t.Helper()
	var receipt *types.Receipt
	s.until(t, "transaction "+hash.Hex()+" to be mined", func(ctx context.Context) bool {
		var err error
		receipt, err = s.client.TransactionReceipt(ctx, hash)
		return err == nil
	})
	return receipt
}

// known reports whether the node has a transaction, mined or pooled.
func (s *stage) known(t *testing.T, hash common.Hash) bool {
	t.Helper()
	_, _, err := s.client.TransactionByHash(t.Context(), hash)
	return err == nil
}

// head is what the listener would have recorded.
func (s *stage) head(t *testing.T) settlement.Head {
	t.Helper()
	var header *types.Header
	s.until(t, "a head", func(ctx context.Context) bool { // the node may be restarting
		var err error
		header, err = s.client.HeaderByNumber(ctx, nil)
		return err == nil
	})
	base, err := settlement.AmountFromBig(header.BaseFee)
	if err != nil {
		t.Fatal(err)
	}
	return settlement.Head{BlockRef: settlement.BlockRef{Number: header.Number.Uint64(), Hash: header.Hash()}, BaseFee: base, Tip: wei(stageTip), GasLimit: header.GasLimit}
}

// nextHead waits for a block above the given one.
func (s *stage) nextHead(t *testing.T, above uint64) settlement.Head {
	t.Helper()
	var head settlement.Head
	s.until(t, "the next block", func(context.Context) bool {
		head = s.head(t)
		return head.Number > above
	})
	return head
}

func (s *stage) terms(t *testing.T) Terms {
	head := s.head(t)
	return Terms{
		Market: MarketOf(head), TipFloor: wei(stageTip), BlockGasLimit: head.GasLimit,
		FeeCeiling: wei(params.Ether), CapCeiling: wei(100 * params.GWei), Operators: s.lanes,
	}
}

// order is a settlement of so much of the token, or of coins for the zero address.
func (s *stage) order(t testing.TB, key string, token, to common.Address, amount uint64) settlement.Settlement {
	t.Helper()
	k, err := settlement.ParseKey("", key)
	if err != nil {
		t.Fatal(err)
	}
	return settlement.Settlement{
		OnchainID: k.OnchainID(s.chainID, s.vault), Vault: s.vault,
		Request: settlement.Request{Key: k, Asset: settlement.Asset{ChainID: s.chainID, Token: token}, To: to, Amount: wei(amount)},
	}
}

// payable estimates and insists that it would pay.
func (s *stage) payable(t *testing.T, st settlement.Settlement) settlement.Estimate {
	t.Helper()
	e, err := s.sender.Estimate(t.Context(), st, s.terms(t))
	if err != nil || e.Verdict != settlement.VerdictPayable {
		t.Fatalf("estimate: %+v, %v", e, err)
	}
	return e
}

func (s *stage) sign(t *testing.T, kind settlement.AttemptKind, p settlement.Payload, f settlement.Fees, lane common.Address, nonce uint64) settlement.Attempt {
	t.Helper()
	a, err := s.sender.Sign(t.Context(), kind, p, f, lane, nonce)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (s *stage) send(t *testing.T, a settlement.Attempt) settlement.Sent {
	t.Helper()
	sent, err := s.sender.Broadcast(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	return sent
}
