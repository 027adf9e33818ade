package ledger_test

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"pgregory.net/rapid"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

// rapidTB lets helpers that take a testing.TB fail a property, so that rapid shrinks it, and cleans up after each history.
type rapidTB struct {
	testing.TB
	rt       *rapid.T
	cleanups []func()
}

func (r *rapidTB) Fatal(args ...any)                 { r.rt.Fatal(args...) }
func (r *rapidTB) Fatalf(format string, args ...any) { r.rt.Fatalf(format, args...) }
func (r *rapidTB) Error(args ...any)                 { r.rt.Error(args...) }
func (r *rapidTB) Errorf(format string, args ...any) { r.rt.Errorf(format, args...) }
func (r *rapidTB) FailNow()                          { r.rt.FailNow() }
func (r *rapidTB) Failed() bool                      { return r.rt.Failed() }
func (r *rapidTB) Cleanup(f func())                  { r.cleanups = append(r.cleanups, f) }

func (r *rapidTB) clean() {
	for _, f := range slices.Backward(r.cleanups) {
		f()
	}
}

// historiesMax bounds the histories of one run: each has a database of its own. A failing one is shrunk without bound.
const historiesMax = 15

// In every history of blocks, reorgs, repeated calls, lost leases and strangers' events the books stay right.
func TestEveryHistoryOfTheChainKeepsTheInvariants(t *testing.T) {
	t.Parallel()
	var histories atomic.Int64
	var failed atomic.Bool
	rapid.Check(t, func(rt *rapid.T) {
		if histories.Add(1) > historiesMax && !failed.Load() {
			return
		}
		tb := &rapidTB{TB: t, rt: rt}
		defer tb.clean()
		defer func() {
			if problem := recover(); problem != nil {
				failed.Store(true)
				panic(problem)
			}
		}()
		h := &history{chainSim: newSim(tb, 2, 4), rt: rt, attempts: map[int64][]settlement.Attempt{}}
		for range 3 { // so that most steps have something to act on
			h.reserveOne(rt)
			h.allocateOne(rt)
		}
		rt.Repeat(map[string]func(*rapid.T){
			"reserve": h.reserveOne, "allocate": h.allocateOne, "allocate more": h.allocateOne, "wait": h.waitOne, "cancel": h.cancelOne,
			"mine": h.mineOne, "mine more": h.mineOne, "reorg": h.reorg, "flap": h.flap, "finalize": h.finalizeSome, "repeat": h.repeat, "lose the lease": h.loseLease,
			"thaw": h.thaw, "": h.compare,
		})
		if rt.Failed() {
			failed.Store(true)
		}
	})
}

// history is the model: what each block of the current branch holds, in order, and what the final ones must have done.
type history struct {
	*chainSim
	rt       *rapid.T
	open     []*modelled
	sent     []*modelledNonce
	attempts map[int64][]settlement.Attempt // by transaction, all that may be mined
	branch   []modelledBlock
	orphans  []modelledBlock
	final    int // blocks of the branch
	bob      uint64
	lost     uint64 // unexplained payouts, USDC
}

type modelled struct {
	settlement.Settlement
	end settlement.State // empty while it is open
}

type modelledNonce struct {
	settlement.Transaction
	owner *modelled
}

type modelledBlock struct {
	settlement.Block
	events []modelledEvent
	theft  bool
}

type modelledEvent struct {
	kind   settlement.EventName
	of     *modelled // nil: of nobody
	amount uint64
}

func (h *history) draw(name string, below int) int {
	return rapid.IntRange(0, below-1).Draw(h.rt, name)
}

// pick chooses one of the settlements that are open.
func (h *history) pick(rt *rapid.T) *modelled {
	h.rt = rt
	var open []*modelled
	for _, m := range h.open {
		if m.end == "" {
			open = append(open, m)
		}
	}
	if len(open) == 0 {
		rt.Skip("nothing is open")
	}
	return open[h.draw("settlement", len(open))]
}

func (h *history) reserveOne(rt *rapid.T) {
	h.rt = rt
	units := fmt.Sprint(1 + h.draw("amount", 300))
	m := &modelled{Settlement: h.reserve(fmt.Sprintf("k%d", len(h.open)), "USDC", units)}
	if m.State == settlement.Failed {
		m.end = settlement.Failed
	}
	h.open = append(h.open, m)
}

func (h *history) allocateOne(rt *rapid.T) {
	m := h.pick(rt)
	out, err := h.allocate(m.Settlement)
	if settlement.KindOf(err) == settlement.Stale {
		return
	}
	h.ok(err)
	if out.Outcome == settlement.AllocatedNonce {
		h.sent = append(h.sent, &modelledNonce{*out.Transaction, m})
		h.attempts[out.Transaction.ID] = []settlement.Attempt{out.Transaction.Newest}
	}
}

func (h *history) waitOne(rt *rapid.T) {
	m := h.pick(rt)
	if err := h.Wait(h.t.Context(), m.ID, settlement.WaitDoubtful); err != nil && settlement.KindOf(err) != settlement.Stale {
		rt.Fatal(err)
	}
}

// cancelOne stores a cancel for a nonce that no block holds.
func (h *history) cancelOne(rt *rapid.T) {
	h.rt = rt
	unmined, err := h.Unmined(h.t.Context(), 1337)
	h.ok(err)
	if len(unmined) == 0 {
		rt.Skip("no nonce is out")
	}
	u := unmined[h.draw("nonce", len(unmined))]
	if u.Newest.Kind == settlement.AttemptCancel {
		rt.Skip("it is cancelled already")
	}
	fees := settlement.Fees{Cap: settlement.NewAmount(6e9), Tip: settlement.NewAmount(2e9)}
	cancel, err := h.sign(u.Signer, u.Nonce, settlement.AttemptCancel, settlement.Payload{To: u.Signer, GasLimit: 21_000}, fees)
	h.ok(err)
	_, _, err = h.AddAttempt(h.t.Context(), settlement.Replacement{TransactionID: u.ID, Replaces: u.Newest.Hash, Attempt: cancel})
	h.ok(err)
	h.attempts[u.ID] = append(h.attempts[u.ID], cancel)
}

// used says whether the vault of this branch has spent a settlement's id.
func (h *history) used(m *modelled, also []modelledEvent) bool {
	spends := func(e modelledEvent) bool { return e.of == m }
	return slices.ContainsFunc(also, spends) ||
		slices.ContainsFunc(h.branch, func(b modelledBlock) bool { return slices.ContainsFunc(b.events, spends) })
}

// mineOne adds a block that a vault and a chain could have made: nonces in order, each id spent once.
func (h *history) mineOne(rt *rapid.T) {
	h.rt = rt
	var txs []simTx
	var block modelledBlock
	for i, lane := range h.lanes {
		next := h.reads.Signers[lane].Nonce
		for range h.draw("transactions", 4) {
			at := slices.IndexFunc(h.sent, func(n *modelledNonce) bool { return n.Signer == lane && n.Nonce == next })
			if h.draw("theft", 40) == 39 { // rapid prefers small numbers: what should be rare is a large one
				txs, block.theft = append(txs, h.foreign(i, next, settlement.NewAmount(9))), true
			} else if at >= 0 {
				txs = append(txs, h.execute(h.sent[at], &block))
			} else {
				break
			}
			next++
		}
	}
	for range h.draw("strangers", 3) {
		txs = append(txs, h.strange(&block))
	}
	block.Block = h.mine(txs...)
	h.branch = append(h.branch, block)
}

// execute lets one attempt of a nonce be mined.
func (h *history) execute(n *modelledNonce, block *modelledBlock) simTx {
	attempt := rapid.SampledFrom(h.attempts[n.ID]).Draw(h.rt, "attempt")
	tx := simTx{hash: attempt.Hash, mined: h.mined(n.Signer, n.Nonce, attempt.Hash, true)}
	if attempt.Kind == settlement.AttemptCancel {
		return tx
	}
	switch how := h.draw("how", 8); {
	case h.used(n.owner, block.events) || how == 6:
		tx.mined.OK = false
	case how == 7: // as no honest vault would
		e := h.settled(n.owner.Settlement)
		e.Amount = settlement.NewAmount(1)
		tx.events = []settlement.Event{e}
		block.events = append(block.events, modelledEvent{settlement.EventUnknown, n.owner, 1})
	default:
		tx.events = []settlement.Event{h.settled(n.owner.Settlement)}
		block.events = append(block.events, modelledEvent{settlement.EventSettled, n.owner, n.owner.Amount.Uint256().Uint64()})
	}
	return tx
}

// strange is somebody else's transaction: a deposit, noise, a payment by another operator, or a revoke.
func (h *history) strange(block *modelledBlock) simTx {
	var free []*modelled
	for _, m := range h.open {
		if m.State != settlement.Failed && !h.used(m, block.events) {
			free = append(free, m)
		}
	}
	what := h.draw("what", 10)
	switch {
	case what < 4 || len(free) == 0 && what >= 8:
		block.events = append(block.events, modelledEvent{settlement.EventDeposited, nil, 1_000_000})
		return h.deposit(ledgertest.Bob, h.USDC, "1")
	case what < 8:
		if what == 7 {
			block.events = append(block.events, modelledEvent{settlement.EventUnknown, nil, 3})
		}
		return h.stranger([]settlement.Event{
			{Name: settlement.EventUnknown, Problem: "noise"},
			{Name: settlement.EventDeposited, ID: ledgertest.Hash("nobody"), Token: h.USDC.Token, Amount: settlement.NewAmount(5)},
			{Name: settlement.EventRevoked, ID: ledgertest.Hash("nothing")},
			{Name: settlement.EventSettled, ID: ledgertest.Hash("nothing"), Token: h.USDC.Token, Amount: settlement.NewAmount(3)},
		}[what-4])
	}
	m := free[h.draw("whose", len(free))]
	if what == 8 {
		block.events = append(block.events, modelledEvent{settlement.EventRevoked, m, 0})
		return h.stranger(settlement.Event{Name: settlement.EventRevoked, ID: m.OnchainID})
	}
	block.events = append(block.events, modelledEvent{settlement.EventSettled, m, m.Amount.Uint256().Uint64()})
	return h.stranger(h.settled(m.Settlement))
}

func (h *history) reorg(rt *rapid.T) {
	h.rt = rt
	lowest := max(h.final, 1)
	if len(h.branch) <= lowest {
		rt.Skip("no block may leave")
	}
	keep := lowest + h.draw("keep", len(h.branch)-lowest)
	h.rewind(h.branch[keep-1].Block)
	h.orphans = append(h.orphans, h.branch[keep:]...)
	h.branch = slices.Clone(h.branch[:keep])
}

// flap lets a block return that had left the chain.
func (h *history) flap(rt *rapid.T) {
	h.rt = rt
	for i, block := range h.orphans {
		if block.Parent == h.head.Hash {
			h.orphans = slices.Delete(h.orphans, i, i+1)
			h.record(block.Block)
			h.branch = append(h.branch, block)
			return
		}
	}
	rt.Skip("no orphan fits")
}

func (h *history) finalizeSome(rt *rapid.T) {
	h.rt = rt
	if h.final == len(h.branch) {
		rt.Skip("all is final")
	}
	upTo := h.final + 1 + h.draw("blocks", min(3, len(h.branch)-h.final))
	h.finalize(uint64(upTo))
	for _, block := range h.branch[h.final:upTo] {
		for _, e := range block.events {
			h.effect(e)
		}
	}
	h.final = upTo
}

// effect is what a final event must do.
func (h *history) effect(e modelledEvent) {
	switch {
	case e.kind == settlement.EventDeposited:
		h.bob += e.amount
	case e.kind == settlement.EventSettled && e.of.end == "":
		e.of.end = settlement.Settled
	case e.kind == settlement.EventRevoked && e.of.end == "":
		e.of.end = settlement.Failed
	case e.kind != settlement.EventRevoked:
		h.lost += e.amount
	}
}

// repeat asks again for what was done already: nothing may change.
func (h *history) repeat(rt *rapid.T) {
	h.rt = rt
	if len(h.branch) == 0 {
		rt.Skip("no block yet")
	}
	outbox := func() int { return ledgertest.Value[int](h.World, `SELECT count(*) FROM outbox`) }
	before := outbox()
	h.ok(h.RecordBlock(h.t.Context(), h.lease, 1337, h.branch[h.draw("block", len(h.branch))].Block))
	h.ok(h.Finalize(h.t.Context(), h.lease, 1337, uint64(h.final)))
	h.ok(h.Rewind(h.t.Context(), h.lease, 1337, h.head))
	if after := outbox(); after != before {
		rt.Fatalf("a repetition wrote %d outbox rows", after-before)
	}
}

// loseLease lets another listener take over; the late one's writes are refused.
func (h *history) loseLease(rt *rapid.T) {
	h.rt = rt
	late := h.lease
	h.ok(h.RenewLease(h.t.Context(), late, -time.Second))
	h.lease = h.acquire("the next listener")
	wantErr(h.t, h.RecordBlock(h.t.Context(), late, 1337, h.next(h.deposit(ledgertest.Bob, h.USDC, "1"))), ledger.ErrLeaseLost)
	wantErr(h.t, h.Finalize(h.t.Context(), late, 1337, uint64(len(h.branch))), ledger.ErrLeaseLost)
}

// thaw is the operator's: once no theft is in a block that may still leave, lanes and assets go on.
func (h *history) thaw(rt *rapid.T) {
	h.rt = rt
	if slices.ContainsFunc(h.branch[h.final:], func(b modelledBlock) bool { return b.theft }) {
		rt.Skip("a theft is not final")
	}
	h.Exec(`UPDATE lanes SET state = 'active', state_reason = NULL, next_nonce = GREATEST(next_nonce, mined_nonce)`)
	h.Exec(`UPDATE assets SET stopped = NULL, reverts_to = '{}', reverts_by = '{}'`)
}

// compare checks the invariants, and the books against the model.
func (h *history) compare(rt *rapid.T) {
	h.rt = rt
	h.check()
	rows, err := h.SQL.Query(h.t.Context(), `SELECT state FROM settlements ORDER BY id`)
	h.ok(err)
	states, err := pgx.CollectRows(rows, pgx.RowTo[settlement.State])
	h.ok(err)
	paid := uint64(0)
	for i, m := range h.open {
		if got := states[i]; m.end != "" && got != m.end || m.end == "" && got.Terminal() {
			rt.Fatalf("settlement %s is %s, want %q", m.Key, got, m.end)
		}
		if m.end == settlement.Settled {
			paid += m.Amount.Uint256().Uint64()
		}
	}
	for _, row := range []struct {
		what, got string
		want      uint64
	}{
		{"alice", h.balance("customer", ledgertest.Alice, h.USDC), 1_000_000_000 - paid},
		{"bob", h.balance("customer", ledgertest.Bob, h.USDC), h.bob},
		{"unexplained", h.balance("unexplained_payouts", "", h.USDC), h.lost},
	} {
		if row.got != fmt.Sprint(row.want) {
			rt.Fatalf("%s has %s, want %d", row.what, row.got, row.want)
		}
	}
	if vault, want := h.balance("vault", "", h.USDC), 1_000_000_000-int64(paid)+int64(h.bob)-int64(h.lost); vault != fmt.Sprint(want) {
		rt.Fatalf("the vault has %s, want %d", vault, want)
	}
}
