package chain

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"

	"github.com/quittance/quittance/internal/devstack"
	"github.com/quittance/quittance/settlement"
)

// laneRows keeps what the keeper needs of the ledger's rows in memory, with the same answers: one winner per replaced attempt,
// the newest attempt first.
type laneRows struct {
	mu       sync.Mutex
	rows     map[int64]*settlement.Unmined
	attempts map[int64][]settlement.Attempt
	replaced map[common.Hash]settlement.Attempt
	asked    []common.Hash
	lost     bool
}

func newLaneRows() *laneRows {
	return &laneRows{rows: map[int64]*settlement.Unmined{}, attempts: map[int64][]settlement.Attempt{}, replaced: map[common.Hash]settlement.Attempt{}}
}

// allocate writes a nonce with its first attempt, as the border commit does.
func (l *laneRows) allocate(lane common.Address, nonce uint64, a settlement.Attempt) settlement.Transaction {
	l.mu.Lock()
	defer l.mu.Unlock()
	id := int64(len(l.rows) + 1)
	l.rows[id] = &settlement.Unmined{
		Transaction: settlement.Transaction{ID: id, Signer: lane, Nonce: nonce, Kind: settlement.KindPay, Newest: a}, CapCeiling: wei(100 * params.GWei),
	}
	l.attempts[id] = []settlement.Attempt{a}
	return l.rows[id].Transaction
}

func (l *laneRows) Unmined(context.Context, uint64) ([]settlement.Unmined, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []settlement.Unmined
	for _, row := range l.rows {
		out = append(out, *row)
	}
	return out, nil
}

func (l *laneRows) AskBump(_ context.Context, _ settlement.Lease, id int64, attempt common.Hash, block uint64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lost {
		return settlement.ErrLeaseLost
	}
	l.rows[id].AskedFor, l.rows[id].AskedBlock = &attempt, block
	l.asked = append(l.asked, attempt)
	return nil
}

func (l *laneRows) AddAttempt(_ context.Context, r settlement.Replacement) (settlement.Attempt, bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if winner, taken := l.replaced[r.Replaces]; taken {
		return winner, false, nil
	}
	row := l.rows[r.TransactionID]
	if row == nil {
		return settlement.Attempt{}, false, settlement.Errorf(settlement.Stale, "transaction %d is consumed", r.TransactionID)
	}
	l.replaced[r.Replaces] = r.Attempt
	l.attempts[r.TransactionID] = append(l.attempts[r.TransactionID], r.Attempt)
	row.Newest, row.AskedFor, row.Refusal = r.Attempt, nil, ""
	return r.Attempt, true, nil
}

func (l *laneRows) RecordRefusal(_ context.Context, attempt common.Hash, class, _ string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, row := range l.rows {
		if row.Newest.Hash == attempt {
			row.Refusal = class
		}
	}
	return nil
}

func (l *laneRows) MarkUnrunnable(_ context.Context, id int64, text string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows[id].Unrunnable = text
	return nil
}

func (l *laneRows) row(id int64) settlement.Unmined {
	l.mu.Lock()
	defer l.mu.Unlock()
	return *l.rows[id]
}

func newKeeperOn(s *stage, store KeeperStore) *Keeper {
	return NewKeeper(store, s.sender, KeeperConfig{TipFloor: wei(stageTip)})
}

func look(t *testing.T, k *Keeper, head settlement.Head) Report {
	t.Helper()
	report, err := k.RunOnce(t.Context(), settlement.Lease{Name: "chain-1337", Token: 1}, head)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// unmineable is a price that geth pools and never mines here.
var unmineable = settlement.Fees{Cap: wei(20), Tip: wei(2)}

// T27, https://github.com/chainflip-io/chainflip-backend/issues/1021, and T17: what a node has forgotten is sent again from the
// store, head first, and then bumped, asked of the workflow first. Of the attempts of one nonce one is mined.
func TestT17T27ForgottenAttemptsAreSentAgainAndBumpedUntilMined(t *testing.T) {
	t.Parallel()
	s := newStage(t, devstack.GethOptions{})
	store := newLaneRows()
	lane := s.lanes[0]
	payload := s.payable(t, s.order(t, "a", s.token, someone(t), 5)).Payload
	var out []settlement.Transaction
	for nonce := range uint64(3) {
		p := payload
		if nonce > 0 {
			p = SelfTransfer(lane) // only the first one pays
		}
		a := s.sign(t, settlement.AttemptPay, p, unmineable, lane, nonce)
		s.sentNow(t, a)
		out = append(out, store.allocate(lane, nonce, a))
	}
	keeper := newKeeperOn(s, store)
	head := s.head(t)
	if r := look(t, keeper, head); r.Unmined != 3 || r.Unknown != 0 || r.Sent != 0 || r.Asked != 0 {
		t.Fatalf("all is known and new: %+v", r)
	}
	if err := s.geth.Kill(); err != nil {
		t.Fatal(err)
	}
	if r := look(t, keeper, head); r.Silent != 1 || r.Sent != 0 {
		t.Fatalf("a node that is away is silent: %+v", r)
	}
	if err := s.geth.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.known(t, out[0].Newest.Hash) {
		t.Fatal("the node still knows the attempt: this test shows nothing")
	}
	head.Number++ // a new process would be later too; the chain itself lost blocks
	r := look(t, keeper, head)
	if r.Unknown != 3 || r.Sent != 3 || r.Asked != 3 {
		t.Fatalf("sent again and asked: %+v", r)
	}
	for _, tx := range out {
		if !s.known(t, tx.Newest.Hash) {
			t.Errorf("nonce %d is still unknown", tx.Nonce)
		}
	}
	for range 2 {
		head.Number++
		if r := look(t, keeper, head); r.Raised != 0 || r.Asked != 0 {
			t.Fatalf("the workflows have three blocks: %+v", r)
		}
	}
	head.Number++
	market := s.head(t)
	head.BaseFee, head.Tip = market.BaseFee, market.Tip
	if r := look(t, keeper, head); r.Raised != 3 {
		t.Fatalf("no workflow answered: %+v", r)
	}
	for id, attempts := range store.attempts {
		if len(attempts) != 2 || attempts[1].Kind != attempts[0].Kind || attempts[1].To != attempts[0].To || string(attempts[1].Data) != string(attempts[0].Data) {
			t.Fatalf("transaction %d has attempts %+v", id, attempts)
		}
		receipt := s.mined(t, attempts[1].Hash)
		if receipt.Status != types.ReceiptStatusSuccessful {
			t.Errorf("the bump of transaction %d reverted", id)
		}
		if _, err := s.client.TransactionReceipt(t.Context(), attempts[0].Hash); err == nil {
			t.Errorf("both attempts of transaction %d are mined", id)
		}
	}
}

// A reorg takes mined transactions out of the chain and does not put them back into the pool.
func TestWhatAReorgDroppedIsMinedAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t, devstack.GethOptions{})
	store := newLaneRows()
	lane := s.lanes[1]
	order := s.order(t, "a", s.token, someone(t), 5)
	e := s.payable(t, order)
	before := s.head(t)
	a := s.sign(t, settlement.AttemptPay, e.Payload, e.Fees, lane, 0)
	store.allocate(lane, 0, a)
	first := s.mined(t, s.sentNow(t, a))
	s.nextHead(t, first.BlockNumber.Uint64()) // an empty block, so that the new branch differs
	if err := s.client.Client().CallContext(t.Context(), nil, "debug_setHead", fmt.Sprintf("0x%x", before.Number)); err != nil {
		t.Fatal(err)
	}
	s.until(t, "the receipt to vanish", func(ctx context.Context) bool {
		_, err := s.client.TransactionReceipt(ctx, a.Hash)
		return err != nil
	})
	keeper := newKeeperOn(s, store)
	if r := look(t, keeper, s.head(t)); r.Sent != 1 {
		t.Fatalf("not sent again: %+v", r)
	}
	again := s.mined(t, a.Hash)
	if status, err := s.sender.StatusAt(t.Context(), s.vault, order.OnchainID, settlement.BlockRef{Hash: again.BlockHash}); err != nil || status != StatusSettled {
		t.Errorf("status %d, %v", status, err)
	}
}

// T3, T19, T21: a payload that no node will ever run must not hold its nonce; the nonce is consumed, never given to another.
func TestT3T19T21ANonceWhosePayloadCannotRunIsFilled(t *testing.T) {
	t.Parallel()
	s := newStage(t, devstack.GethOptions{GasLimit: 8_000_000})
	store := newLaneRows()
	lane := s.lanes[0]
	e := s.payable(t, s.order(t, "a", s.token, someone(t), 5))
	stuck := store.allocate(lane, 0, s.sign(t, settlement.AttemptPay, settlement.Payload{To: s.vault, GasLimit: 9_000_000, Data: e.Data}, e.Fees, lane, 0))
	behind := store.allocate(lane, 1, s.sign(t, settlement.AttemptPay, e.Payload, e.Fees, lane, 1))
	if r := look(t, newKeeperOn(s, store), s.head(t)); r.Sent != 2 || r.Filled != 1 {
		t.Fatalf("not filled: %+v", r)
	}
	row := store.row(stuck.ID)
	if row.Unrunnable == "" || row.Newest.Kind != settlement.AttemptNoop {
		t.Fatalf("the row is %+v", row)
	}
	noop := s.mined(t, row.Newest.Hash)
	tx, _, err := s.client.TransactionByHash(t.Context(), noop.TxHash)
	if err != nil || *tx.To() != lane || tx.Value().Sign() != 0 || len(tx.Data()) != 0 || tx.Nonce() != 0 {
		t.Errorf("the no-op is %+v, %v", tx, err)
	}
	if receipt := s.mined(t, behind.Newest.Hash); receipt.Status != types.ReceiptStatusSuccessful {
		t.Error("the payment behind it reverted")
	}
}

func TestOnlyTheContiguousRunFromTheHeadIsBumpedInNonceOrder(t *testing.T) {
	t.Parallel()
	s := newStage(t, devstack.GethOptions{})
	store := newLaneRows()
	lane, high := s.lanes[0], settlement.Fees{Cap: wei(50 * params.GWei), Tip: wei(2 * params.GWei)}
	for nonce, fees := range []settlement.Fees{unmineable, unmineable, high, unmineable} {
		store.allocate(lane, uint64(nonce), s.sign(t, settlement.AttemptPay, SelfTransfer(lane), fees, lane, uint64(nonce)))
	}
	keeper := newKeeperOn(s, store)
	head := s.head(t)
	if r := look(t, keeper, head); r.Sent != 4 || r.Asked != 0 {
		t.Fatalf("new attempts get a block: %+v", r)
	}
	head.Number++
	if r := look(t, keeper, head); r.Asked != 2 {
		t.Fatalf("asked for %d bumps: %+v", r.Asked, r)
	}
	if want := []common.Hash{store.row(1).Newest.Hash, store.row(2).Newest.Hash}; !slices.Equal(store.asked, want) {
		t.Errorf("asked %v, want %v", store.asked, want)
	}
	// At a ceiling below every allowed price it alerts and goes on sending.
	store.rows[1].CapCeiling = wei(21)
	head.Number++
	if r := look(t, keeper, head); len(r.Alerts) != 1 || r.Alerts[0].Alert != AlertCeiling || r.Alerts[0].Nonce != 0 {
		t.Errorf("at the ceiling: %+v", r)
	}
	store.lost = true
	store.rows[2].AskedFor, store.rows[1].CapCeiling = nil, wei(params.GWei)
	if _, err := keeper.RunOnce(t.Context(), settlement.Lease{}, head); err == nil {
		t.Error("a lost lease is no error")
	}
}

// Two bumpers of one attempt: one wins, both send the winner's bytes, and no third attempt comes of it.
func TestOfManyReplacementsAtOnceOneWinsAndAllSendItsBytes(t *testing.T) {
	t.Parallel()
	s := newStage(t, devstack.GethOptions{})
	store := newLaneRows()
	lane := s.lanes[0]
	old := s.sign(t, settlement.AttemptPay, SelfTransfer(lane), unmineable, lane, 0)
	s.sentNow(t, old)
	tx := store.allocate(lane, 0, old)
	var wg sync.WaitGroup
	results := make([]Replaced, 8)
	for i := range results {
		wg.Go(func() {
			market := MarketOf(s.head(t))
			market.BaseFee = wei(uint64(i+1) * params.GWei) // each would price it differently
			r, err := s.sender.Replace(t.Context(), store, tx, Prices{Market: market, TipFloor: wei(stageTip), CapCeiling: wei(100 * params.GWei)})
			if err != nil {
				t.Error(err)
			}
			results[i] = r
		})
	}
	wg.Wait()
	won := 0
	for _, r := range results {
		if r.Attempt.Hash != results[0].Attempt.Hash || r.Sent.Outcome != settlement.SendAccepted && Class(r.Sent.Class) != NonceUsed {
			t.Errorf("one replacement is %+v", r)
		}
		if r.Won {
			won++
		}
	}
	if attempts := store.attempts[tx.ID]; won != 1 || len(attempts) != 2 {
		t.Errorf("%d won, %d attempts", won, len(attempts))
	}
	s.mined(t, results[0].Attempt.Hash)

	// A cancel replaces anything, stays a cancel when it is bumped, and the nonce being mined already is no error of its own.
	second := store.allocate(lane, 1, s.sign(t, settlement.AttemptPay, SelfTransfer(s.lanes[1]), unmineable, lane, 1))
	prices := Prices{Market: MarketOf(s.head(t)), TipFloor: wei(stageTip), CapCeiling: wei(100 * params.GWei)}
	cancelled, err := s.sender.Empty(t.Context(), store, second, settlement.AttemptCancel, prices)
	if err != nil || cancelled.Attempt.To != lane || cancelled.Attempt.Kind != settlement.AttemptCancel {
		t.Fatalf("cancel: %+v, %v", cancelled, err)
	}
	second.Newest = cancelled.Attempt
	bumped, err := s.sender.Replace(t.Context(), store, second, prices)
	if err != nil || bumped.Attempt.Kind != settlement.AttemptCancel || bumped.Attempt.To != lane {
		t.Errorf("a bumped cancel is %+v, %v", bumped, err)
	}
	if _, err := s.sender.Empty(t.Context(), store, second, settlement.AttemptPay, prices); settlement.KindOf(err) != settlement.Invalid {
		t.Errorf("a nonce emptied by a payment: %v", err)
	}
	prices.CapCeiling = wei(1)
	second.Newest = bumped.Attempt
	if at, err := s.sender.Replace(t.Context(), store, second, prices); err != nil || !at.AtCeiling || at.Attempt.Hash != bumped.Attempt.Hash {
		t.Errorf("at the ceiling: %+v, %v", at, err)
	}
}

func TestWhoLosesAReplacementSendsTheWinnersBytesAndThrowsItsOwnAway(t *testing.T) {
	t.Parallel()
	keys, addresses := openTwo(t)
	node := newScripted(t, func(string) (any, *said, int) { return nil, nil, 0 })
	sender := NewSender(dialScripted(t, node), keys)
	store, lane := newLaneRows(), addresses[0]
	old, err := sender.Sign(t.Context(), settlement.AttemptPay, SelfTransfer(lane), unmineable, lane, 0)
	if err != nil {
		t.Fatal(err)
	}
	tx := store.allocate(lane, 0, old)
	winner, err := sender.Sign(t.Context(), settlement.AttemptPay, SelfTransfer(lane), settlement.Fees{Cap: wei(1000), Tip: wei(10)}, lane, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, won, err := store.AddAttempt(t.Context(), settlement.Replacement{TransactionID: tx.ID, Replaces: old.Hash, Attempt: winner}); !won || err != nil {
		t.Fatal(won, err)
	}
	r, err := sender.Replace(t.Context(), store, tx, Prices{Market: Market{BaseFee: wei(5000)}, TipFloor: wei(1), CapCeiling: wei(params.GWei)})
	if err != nil || r.Won || r.Attempt.Hash != winner.Hash || r.Sent.Outcome != settlement.SendAccepted {
		t.Errorf("the loser got %+v, %v", r, err)
	}
	if want := []string{hexutil.Encode(winner.Raw)}; !slices.Equal(node.sent, want) {
		t.Errorf("sent %v, want %v", node.sent, want)
	}
}

// One batch per node and block, whatever the number of nonces; each node is sent only what it lacks.
func TestEachNodeIsAskedOnceAndSentOnlyWhatItLacks(t *testing.T) {
	t.Parallel()
	keys, addresses := openTwo(t)
	has := newScripted(t, nil)
	lacks := newScripted(t, func(method string) (any, *said, int) { return nil, nil, 0 })
	pool := dialScripted(t, has, lacks)
	sender := NewSender(pool, keys)
	store := newLaneRows()
	for nonce := range uint64(3) {
		a, err := sender.Sign(t.Context(), settlement.AttemptPay, SelfTransfer(addresses[0]), settlement.Fees{Cap: wei(params.GWei), Tip: wei(stageTip)}, addresses[0], nonce)
		if err != nil {
			t.Fatal(err)
		}
		store.allocate(addresses[0], nonce, a)
	}
	store.allocate(addresses[1], 0, settlement.Attempt{}) // a remote signer has not signed yet
	order := 0
	has.answer = func(string) (any, *said, int) { // answers in the order it is asked: head first
		order++
		return map[string]any{"hash": store.row(int64(order)).Newest.Hash}, nil, 0
	}
	keeper := NewKeeper(store, sender, KeeperConfig{TipFloor: wei(1)})
	head := settlement.Head{BlockRef: settlement.BlockRef{Number: 9}, BaseFee: wei(1), Tip: wei(1)}
	if r := look(t, keeper, head); r.Sent != 3 || r.Unknown != 3 || r.Silent != 0 || len(r.Alerts) != 0 {
		t.Errorf("report %+v", r)
	}
	count := func(n *scripted, method string) (c int) {
		for _, m := range n.questions() {
			if m == method {
				c++
			}
		}
		return c
	}
	if count(has, "eth_sendRawTransaction") != 0 || count(lacks, "eth_sendRawTransaction") != 3 || count(has, "eth_getTransactionByHash") != 3 {
		t.Errorf("asked %v and %v", has.questions(), lacks.questions())
	}
	if has.opened.Load() != 1 || lacks.opened.Load() != 1 {
		t.Errorf("opened %d and %d connections", has.opened.Load(), lacks.opened.Load())
	}
}

// "replacement underpriced" is about the newest attempt alone: a note on an older one changes nothing, and an attempt that no
// node keeps although all say OK raises an alert after five sends.
func TestRefusalsOfOlderAttemptsAreIgnoredAndOKDoesNotMeanPooled(t *testing.T) {
	t.Parallel()
	keys, addresses := openTwo(t)
	answers := map[string]string{}
	node := newScripted(t, func(method string) (any, *said, int) {
		if text := answers[method]; text != "" {
			return nil, &said{code: -32000, text: text}, 0
		}
		return nil, nil, 0
	})
	sender := NewSender(dialScripted(t, node), keys)
	store := newLaneRows()
	fees := settlement.Fees{Cap: wei(params.GWei), Tip: wei(stageTip)}
	a, err := sender.Sign(t.Context(), settlement.AttemptPay, SelfTransfer(addresses[0]), fees, addresses[0], 0)
	if err != nil {
		t.Fatal(err)
	}
	tx := store.allocate(addresses[0], 0, a)
	keeper := NewKeeper(store, sender, KeeperConfig{TipFloor: wei(1)})
	head := settlement.Head{BlockRef: settlement.BlockRef{Number: 9}, BaseFee: wei(1), Tip: wei(1)}
	for i := range unpooledSendsMax {
		if r := look(t, keeper, head); r.Sent != 1 || (i+1 >= unpooledSendsMax) != (len(r.Alerts) == 1) {
			t.Fatalf("send %d: %+v", i+1, r)
		}
		head.Number++
	}
	answers["eth_sendRawTransaction"] = "words that no rule knows"
	if r := look(t, keeper, head); r.Asked != 0 || store.row(tx.ID).Refusal != "" {
		t.Fatalf("possibly sent is noted as a refusal: %+v, %+v", r, store.row(tx.ID))
	}
	head.Number++
	answers["eth_sendRawTransaction"] = "replacement transaction underpriced"
	if r := look(t, keeper, head); r.Asked != 1 || Class(store.row(tx.ID).Refusal) != ReplaceUnderpriced {
		t.Fatalf("the newest attempt was refused: %+v, %+v", r, store.row(tx.ID))
	}
	answers["eth_sendRawTransaction"] = ""
	bumped, err := sender.Replace(t.Context(), store, tx, Prices{Market: MarketOf(head), TipFloor: wei(1), CapCeiling: wei(100 * params.GWei)})
	if err != nil || !bumped.Won {
		t.Fatalf("%+v, %v", bumped, err)
	}
	if err := store.RecordRefusal(t.Context(), a.Hash, string(ReplaceUnderpriced), "late"); err != nil {
		t.Fatal(err)
	}
	head.Number++
	if r := look(t, keeper, head); r.Asked != 0 || r.Sent != 1 {
		t.Errorf("a refusal of an attempt that is no longer the newest counts: %+v", r)
	}
}
