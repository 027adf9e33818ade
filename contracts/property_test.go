package contracts_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"pgregory.net/rapid"

	"github.com/quittance/quittance/contracts"
	"github.com/quittance/quittance/contracts/hostile"
)

// model is what the vault should be, in a few lines of Go: it predicts the name of every revert, and every balance.
type model struct {
	paused    bool
	operators map[common.Address]bool
	status    map[[32]byte]uint8
	balances  map[common.Address]*big.Int // by token
}

// machine runs random acts against a vault and the model, and reads the vault's events like a stranger would.
type machine struct {
	*chain
	vault  common.Address
	tokens []common.Address // coins, a plain token, a token with a fee of a tenth
	fee    common.Address
	payees []common.Address
	model  model

	// flow is deposits less settlements and withdrawals by token, and finals counts Settled and Revoked by id: from events alone.
	flow   map[common.Address]*big.Int
	finals map[[32]byte]int
}

// Balances follow the events, ids end once, and every revert is the one that the rules predict, in any order of calls.
func TestAnySequenceOfCallsKeepsBalancesAndIDs(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	plain := c.deploy(t, c.owner, contracts.TestTokenMetaData.Bin, tokenABI.PackConstructor("Test Dollar", "TUSD", 6))
	fee := c.deploy(t, c.owner, hostile.FeeTokenMetaData.Bin, nil)
	for _, token := range []common.Address{plain, fee} {
		c.must(t, c.owner, token, nil, tokenABI.PackMint(c.stranger.addr, ether(1_000_000)))
	}
	payees := []common.Address{freshAddress(t), freshAddress(t)}

	rapid.Check(t, func(rt *rapid.T) {
		m := newMachine(rt, c, plain, fee, payees)
		rt.Repeat(map[string]func(*rapid.T){
			"deposit":     m.deposit,
			"settle":      m.settle,
			"revoke":      m.revoke,
			"withdraw":    m.withdraw,
			"pause":       m.pause,
			"unpause":     m.unpause,
			"setOperator": m.setOperator,
			"":            m.check,
		})
	})
}

func newMachine(rt *rapid.T, c *chain, plain, fee common.Address, payees []common.Address) *machine {
	m := &machine{
		chain: c, vault: c.deployVault(rt), tokens: []common.Address{native, plain, fee}, fee: fee, payees: payees,
		flow: map[common.Address]*big.Int{}, finals: map[[32]byte]int{},
		model: model{
			operators: map[common.Address]bool{c.operator.addr: true},
			status:    map[[32]byte]uint8{},
			balances:  map[common.Address]*big.Int{},
		},
	}
	for _, token := range m.tokens {
		m.flow[token], m.model.balances[token] = new(big.Int), new(big.Int)
	}
	for _, token := range []common.Address{plain, fee} {
		c.must(rt, c.stranger, token, nil, tokenABI.PackApprove(m.vault, ether(1_000_000)))
	}
	return m
}

// run performs a call and fails unless it ends as predicted: an empty name means success.
func (m *machine) run(rt *rapid.T, from account, value *big.Int, data []byte, want string) bool {
	rt.Helper()
	got := m.do(rt, from, &m.vault, value, data)
	name := ""
	if got.receipt.Status == types.ReceiptStatusFailed {
		name, _ = contracts.RevertName(got.revert)
	}
	if name != want {
		rt.Fatalf("ended with %q (%s), want %q", name, contracts.RevertText(got.revert), want)
	}
	m.readEvents(rt, got.receipt)
	return want == ""
}

func (m *machine) deposit(rt *rapid.T) {
	token, amount := m.drawToken(rt), m.drawAmount(rt)
	var want string
	switch {
	case m.model.paused:
		want = "EnforcedPause"
	case amount.Sign() == 0:
		want = "ZeroAmount"
	}
	value, data := amount, vaultABI.PackDepositNative(idOf("alice"))
	if token != native {
		value, data = nil, vaultABI.PackDeposit(idOf("alice"), token, amount)
	}
	if !m.run(rt, m.stranger, value, data, want) {
		return
	}
	arrived := new(big.Int).Set(amount)
	if token == m.fee {
		arrived.Sub(arrived, new(big.Int).Div(amount, big.NewInt(10)))
	}
	m.model.balances[token].Add(m.model.balances[token], arrived)
}

func (m *machine) settle(rt *rapid.T) {
	from, id, token, to, amount := m.drawCaller(rt), m.drawID(rt), m.drawToken(rt), m.drawPayee(rt), m.drawAmount(rt)
	var want string
	switch {
	case !m.model.operators[from.addr]:
		want = "NotOperator"
	case m.model.status[id] != unused:
		want = "IdUsed"
	case m.model.paused:
		want = "EnforcedPause"
	default:
		want = m.payoutError(token, to, amount)
	}
	if m.run(rt, from, nil, vaultABI.PackSettle(id, token, to, amount), want) {
		m.model.status[id] = settled
		m.model.balances[token].Sub(m.model.balances[token], amount)
	}
}

func (m *machine) revoke(rt *rapid.T) {
	from, id := m.drawCaller(rt), m.drawID(rt)
	var want string
	switch {
	case !m.model.operators[from.addr]:
		want = "NotOperator"
	case m.model.status[id] != unused:
		want = "IdUsed"
	}
	if m.run(rt, from, nil, vaultABI.PackRevoke(id), want) {
		m.model.status[id] = revoked
	}
}

func (m *machine) withdraw(rt *rapid.T) {
	from, token, to, amount := m.drawCaller(rt), m.drawToken(rt), m.drawPayee(rt), m.drawAmount(rt)
	want := "OwnableUnauthorizedAccount"
	if from.addr == m.owner.addr {
		want = m.payoutError(token, to, amount)
	}
	if m.run(rt, from, nil, vaultABI.PackWithdraw(token, to, amount), want) {
		m.model.balances[token].Sub(m.model.balances[token], amount)
	}
}

func (m *machine) pause(rt *rapid.T) {
	from := m.drawCaller(rt)
	var want string
	switch {
	case from.addr != m.owner.addr && !m.model.operators[from.addr]:
		want = "NotOwnerOrOperator"
	case m.model.paused:
		want = "EnforcedPause"
	}
	if m.run(rt, from, nil, vaultABI.PackPause(), want) {
		m.model.paused = true
	}
}

func (m *machine) unpause(rt *rapid.T) {
	from := m.drawCaller(rt)
	var want string
	switch {
	case from.addr != m.owner.addr:
		want = "OwnableUnauthorizedAccount"
	case !m.model.paused:
		want = "ExpectedPause"
	}
	if m.run(rt, from, nil, vaultABI.PackUnpause(), want) {
		m.model.paused = false
	}
}

func (m *machine) setOperator(rt *rapid.T) {
	from, who, allowed := m.drawCaller(rt), m.drawCaller(rt), rapid.Bool().Draw(rt, "allowed")
	var want string
	switch {
	case from.addr != m.owner.addr:
		want = "OwnableUnauthorizedAccount"
	case allowed && who.addr == m.owner.addr:
		want = "OwnerCannotBeOperator"
	}
	if m.run(rt, from, nil, vaultABI.PackSetOperator(who.addr, allowed), want) {
		m.model.operators[who.addr] = allowed
	}
}

// payoutError predicts what a payment that may be made is refused for.
func (m *machine) payoutError(token, to common.Address, amount *big.Int) string {
	switch {
	case to == m.vault || to == common.Address{}:
		return "BadRecipient"
	case amount.Sign() == 0:
		return "ZeroAmount"
	case m.model.balances[token].Cmp(amount) < 0:
		return "InsufficientVaultBalance"
	}
	return ""
}

// check compares the vault with the model, and both with the sum of the events.
func (m *machine) check(rt *rapid.T) {
	for _, token := range m.tokens {
		m.wantBalance(rt, token, m.vault, m.model.balances[token])
		if m.flow[token].Cmp(m.model.balances[token]) != 0 {
			rt.Fatalf("the events of %s add up to %s, the balance is %s", token, m.flow[token], m.model.balances[token])
		}
	}
	f := fixture{chain: m.chain, vault: m.vault}
	for id, want := range m.model.status {
		f.wantStatus(rt, id, want)
		if m.finals[id] != 1 {
			rt.Fatalf("id %x has %d Settled or Revoked events, want 1", id, m.finals[id])
		}
	}
	if len(m.finals) != len(m.model.status) {
		rt.Fatalf("%d ids have events, %d are used", len(m.finals), len(m.model.status))
	}
}

// readEvents adds up what the vault's logs of a receipt say.
func (m *machine) readEvents(rt *rapid.T, receipt *types.Receipt) {
	for _, log := range receipt.Logs {
		if log.Address != m.vault {
			continue
		}
		if e, err := vaultABI.UnpackDepositedEvent(log); err == nil {
			m.flow[e.Token].Add(m.flow[e.Token], e.Amount)
		}
		if e, err := vaultABI.UnpackSettledEvent(log); err == nil {
			m.flow[e.Token].Sub(m.flow[e.Token], e.Amount)
			m.finals[e.Id]++
		}
		if e, err := vaultABI.UnpackRevokedEvent(log); err == nil {
			m.finals[e.Id]++
		}
		if e, err := vaultABI.UnpackWithdrawnEvent(log); err == nil {
			m.flow[e.Token].Sub(m.flow[e.Token], e.Amount)
		}
	}
}

func (m *machine) drawToken(rt *rapid.T) common.Address {
	return rapid.SampledFrom(m.tokens).Draw(rt, "token")
}

// drawAmount is small beside drawID's few ids, so that vaults run short and ids repeat.
func (m *machine) drawAmount(rt *rapid.T) *big.Int {
	return big.NewInt(rapid.Int64Range(0, 60).Draw(rt, "amount"))
}

func (m *machine) drawID(rt *rapid.T) [32]byte {
	return idOf(rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"}).Draw(rt, "id"))
}

func (m *machine) drawPayee(rt *rapid.T) common.Address {
	all := append([]common.Address{m.vault, {}}, m.payees...)
	return rapid.SampledFrom(append(all, m.payees...)).Draw(rt, "to")
}

func (m *machine) drawCaller(rt *rapid.T) account {
	callers := []account{m.operator, m.operator, m.owner, m.second}
	return callers[rapid.IntRange(0, len(callers)-1).Draw(rt, "caller")]
}
