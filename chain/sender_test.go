package chain

import (
	"context"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"

	"github.com/quittance/quittance/contracts/hostile"
	"github.com/quittance/quittance/internal/devstack"
	"github.com/quittance/quittance/settlement"
)

func someone(t testing.TB) common.Address {
	t.Helper()
	return crypto.PubkeyToAddress(newKey(t).PublicKey)
}

func TestAPaymentTakesTwoCallsAndPaysOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t, devstack.GethOptions{})
	to := someone(t)
	order := s.order(t, "order-1", s.token, to, 2500)
	terms := s.terms(t)
	before := s.pool.Counts()

	estimate, err := s.sender.Estimate(t.Context(), order, terms)
	if err != nil || estimate.Verdict != settlement.VerdictPayable {
		t.Fatalf("estimate: %+v, %v", estimate, err)
	}
	if !slices.Equal(estimate.Signers, s.sender.signers.Addresses()) {
		t.Errorf("%v can sign, want all whose keys are held", estimate.Signers)
	}
	sign, err := s.sender.SignFor(t.Context(), settlement.AttemptPay, estimate.Payload, estimate.Fees)
	if err != nil {
		t.Fatal(err)
	}
	attempt, err := sign(s.lanes[0], 0)
	if err != nil {
		t.Fatal(err)
	}
	if sent := s.send(t, attempt); sent != (settlement.Sent{Outcome: settlement.SendAccepted}) {
		t.Fatalf("the first send: %+v", sent)
	}
	counts := s.pool.Counts()
	for method, n := range counts {
		if want := map[string]uint64{"eth_estimateGas": 1, "eth_sendRawTransaction": 1}[method]; n-before[method] != want {
			t.Errorf("%s was called %d times, want %d", method, n-before[method], want)
		}
	}
	if again := s.send(t, attempt); again.Outcome != settlement.SendAccepted && Class(again.Class) != NonceUsed {
		t.Errorf("the same bytes again: %+v", again)
	}

	receipt := s.mined(t, attempt.Hash)
	if receipt.Status != types.ReceiptStatusSuccessful || receipt.GasUsed > estimate.GasLimit {
		t.Fatalf("receipt %+v for a limit of %d", receipt, estimate.GasLimit)
	}
	spent := new(big.Int).Mul(receipt.EffectiveGasPrice, new(big.Int).SetUint64(receipt.GasUsed))
	if spent.Cmp(estimate.MaxCost.Big()) > 0 {
		t.Errorf("it cost %s wei, at most %s was said", spent, estimate.MaxCost)
	}
	block := settlement.BlockRef{Number: receipt.BlockNumber.Uint64(), Hash: receipt.BlockHash}
	if status, err := s.sender.StatusAt(t.Context(), s.vault, order.OnchainID, block); err != nil || status != StatusSettled {
		t.Errorf("after the payment the vault says %d, %v", status, err)
	}
	if unpaid, err := s.sender.Unpaid(t.Context(), order, block); err != nil || unpaid {
		t.Errorf("a paid settlement is unpaid: %v, %v", unpaid, err)
	}
	if sent := s.send(t, attempt); sent.Outcome != settlement.SendRefused || Class(sent.Class) != NonceUsed {
		t.Errorf("bytes whose nonce is mined: %+v", sent)
	}
	if again, err := s.sender.Estimate(t.Context(), order, terms); err != nil || again.Verdict != settlement.VerdictIDUsed {
		t.Errorf("a second payment: %+v, %v", again, err)
	}
}

// The texts are geth's own: no table of ours is better than what the node really says.
func TestARealNodesRefusalsHaveTheirClass(t *testing.T) {
	t.Parallel()
	s := newStage(t, devstack.GethOptions{GasLimit: 8_000_000})
	payload := SelfTransfer(s.lanes[0])
	fees := settlement.Fees{Cap: wei(params.GWei), Tip: wei(stageTip + 1)}
	const gapped = 3 // stays in the pool for ever: nonces 0 to 2 are never sent here
	old := s.sign(t, settlement.AttemptNoop, payload, fees, s.lanes[0], gapped)
	if sent := s.send(t, old); sent.Outcome != settlement.SendAccepted {
		t.Fatalf("a gapped nonce: %+v", sent)
	}
	if sent := s.send(t, old); sent.Outcome != settlement.SendAccepted {
		t.Errorf("already known: %+v", sent)
	}
	replacement := func(feeCap, tip settlement.Amount) settlement.Sent {
		return s.send(t, s.sign(t, settlement.AttemptNoop, payload, settlement.Fees{Cap: feeCap, Tip: tip}, s.lanes[0], gapped))
	}
	least := settlement.Fees{Cap: SmallestBump(fees.Cap), Tip: SmallestBump(fees.Tip)}
	for _, row := range []struct {
		fees settlement.Fees
		want settlement.SendOutcome
		why  string
	}{
		{settlement.Fees{Cap: gethThreshold(fees.Cap, -1), Tip: least.Tip}, settlement.SendRefused, "the cap is one wei short of +10 %"},
		{settlement.Fees{Cap: least.Cap, Tip: gethThreshold(fees.Tip, -1)}, settlement.SendRefused, "the tip is one wei short of +10 %"},
		{settlement.Fees{Cap: least.Cap, Tip: fees.Tip}, settlement.SendRefused, "T30: one field alone"},
		{least, settlement.SendAccepted, "exactly +10 % on both, rounded up"},
	} {
		if sent := replacement(row.fees.Cap, row.fees.Tip); sent.Outcome != row.want || row.want == settlement.SendRefused && Class(sent.Class) != ReplaceUnderpriced {
			t.Errorf("%+v in place of %+v: %+v: %s", row.fees, fees, sent, row.why)
		}
	}
	if sent := s.send(t, s.sign(t, settlement.AttemptNoop, SelfTransfer(s.poor), fees, s.poor, 0)); sent.Outcome != settlement.SendRefused || Class(sent.Class) != Funds {
		t.Errorf("a signer without coins: %+v", sent)
	}
	huge := settlement.Payload{To: s.vault, GasLimit: 9_000_000}
	if sent := s.send(t, s.sign(t, settlement.AttemptPay, huge, fees, s.lanes[1], 0)); sent.Outcome != settlement.SendUnrunnable || Class(sent.Class) != Rejected {
		t.Errorf("more gas than a block has: %+v", sent)
	}
	untipped := settlement.Fees{Cap: wei(params.GWei)}
	if sent := s.send(t, s.sign(t, settlement.AttemptNoop, SelfTransfer(s.lanes[1]), untipped, s.lanes[1], 0)); Class(sent.Class) != Underpriced {
		t.Errorf("no tip at all: %+v", sent)
	}
	dear := settlement.Payload{To: s.vault, GasLimit: 5_000_000}
	if sent := s.send(t, s.sign(t, settlement.AttemptPay, dear, settlement.Fees{Cap: wei(1000 * params.GWei), Tip: wei(stageTip)}, s.lanes[1], 0)); Class(sent.Class) != FeeCapNode {
		t.Errorf("above the node's own fee cap: %+v", sent)
	}
}

func TestBytesThatAreNotWhatTheRowSaysAreNeverSent(t *testing.T) {
	t.Parallel()
	node := newScripted(t, func(string) (any, *said, int) { return "0x00", nil, 0 })
	keys, addresses := openTwo(t)
	sender := NewSender(dialScripted(t, node), keys)
	good, err := sender.Sign(t.Context(), settlement.AttemptNoop, SelfTransfer(addresses[0]), settlement.Fees{Cap: wei(2), Tip: wei(1)}, addresses[0], 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		change func(a *settlement.Attempt)
		why    string
	}{
		{func(a *settlement.Attempt) { a.Raw = nil }, "no bytes yet"},
		{func(a *settlement.Attempt) { a.Hash[0] ^= 1 }, "the hash is another's"},
		{func(a *settlement.Attempt) { a.Raw = append(a.Raw[:len(a.Raw):len(a.Raw)], 0) }, "bytes at the end"},
		{func(a *settlement.Attempt) {
			tx, err := types.SignTx(anyTx(1), types.LatestSignerForChainID(big.NewInt(1)), newKey(t))
			if err != nil {
				t.Fatal(err)
			}
			a.Hash = tx.Hash()
			a.Raw, err = tx.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
		}, "T41: signed for another chain"},
	} {
		bad := good
		row.change(&bad)
		if _, err := sender.Broadcast(t.Context(), bad); settlement.KindOf(err) != settlement.Invalid {
			t.Errorf("%s: %v", row.why, err)
		}
	}
	if asked := node.questions(); len(asked) != 0 {
		t.Errorf("the node was asked %v", asked)
	}
	if sent, err := sender.Broadcast(t.Context(), good); err != nil || sent.Outcome != settlement.SendAccepted {
		t.Errorf("the good bytes: %+v, %v", sent, err)
	}
	node.Close()
	if _, err := sender.Broadcast(t.Context(), good); settlement.KindOf(err) != settlement.Unknown || err == nil {
		t.Errorf("no node answered: %v: it may have happened", err)
	}
}

func TestWhatCanNeverRunIsRefusedBeforeANonceIsTaken(t *testing.T) {
	t.Parallel()
	keys, addresses := openTwo(t)
	sender := NewSender(dialScripted(t, newScripted(t, number)), keys)
	fees := settlement.Fees{Cap: wei(2), Tip: wei(1)}
	for _, row := range []struct {
		payload settlement.Payload
		fees    settlement.Fees
		why     string
	}{
		{settlement.Payload{GasLimit: 20_999}, fees, "T24: below the intrinsic gas"},
		{settlement.Payload{GasLimit: 21_000, Data: []byte{1}}, fees, "T24: data costs too"},
		{settlement.Payload{GasLimit: params.MaxTxGas + 1}, fees, "EIP-7825"},
		{settlement.Payload{GasLimit: 21_000}, settlement.Fees{Cap: wei(1), Tip: wei(2)}, "the tip is above the cap"},
	} {
		if _, err := sender.SignFor(t.Context(), settlement.AttemptPay, row.payload, row.fees); settlement.KindOf(err) != settlement.Invalid || err == nil {
			t.Errorf("%s: %v", row.why, err)
		}
	}
	if _, err := sender.Sign(t.Context(), settlement.AttemptNoop, SelfTransfer(testVault), fees, testVault, 0); settlement.KindOf(err) != settlement.Invalid {
		t.Errorf("a signer that is not ours: %v", err)
	}
	first, err1 := sender.Sign(t.Context(), settlement.AttemptNoop, SelfTransfer(addresses[0]), fees, addresses[0], 0)
	again, err2 := sender.Sign(t.Context(), settlement.AttemptNoop, SelfTransfer(addresses[0]), fees, addresses[0], 0)
	if err1 != nil || err2 != nil || first.Hash != again.Hash {
		t.Errorf("signing again gives %s and %s, %v, %v", first.Hash, again.Hash, err1, err2)
	}
}

func TestASettlementOfAnotherChainOrVaultIsNotPaidHere(t *testing.T) {
	t.Parallel()
	keys, _ := openTwo(t)
	sender := NewSender(dialScripted(t, newScripted(t, number)), keys)
	s := &stage{chainID: 1337, vault: testVault}
	elsewhere, moved := s.order(t, "a", testToken, testPayee, 1), s.order(t, "a", testToken, testPayee, 1)
	elsewhere.Asset.ChainID = 1
	moved.Vault = testPayee
	for _, st := range []settlement.Settlement{elsewhere, moved} {
		if _, err := sender.Payment(st); settlement.KindOf(err) != settlement.Invalid {
			t.Errorf("got %v", err)
		}
	}
}

// Waiting is never failure, and only a recipient that most nodes see refuse is refused. Every row is the vault on a real node.
func TestASimulationOnARealVaultSaysWhoIsToBlame(t *testing.T) {
	t.Parallel()
	s := newStage(t, devstack.GethOptions{})
	create := func(bin string) call { return call{data: common.FromHex(bin)} }
	made := s.owns(t, create(hostile.RefusingRecipientMetaData.Bin), create(hostile.BlacklistTokenMetaData.Bin), create(hostile.PausedTokenMetaData.Bin),
		create(hostile.FalseTokenMetaData.Bin), create(hostile.RevertingTokenMetaData.Bin))
	refuser, blacklist, paused, falsy, reverting := made[0].ContractAddress, made[1].ContractAddress, made[2].ContractAddress, made[3].ContractAddress, made[4].ContractAddress
	listed, used, revoked := someone(t), s.order(t, "used", s.token, someone(t), 1), s.order(t, "revoked", s.token, someone(t), 1)
	s.owns(t,
		call{to: &blacklist, data: hostile.NewBlacklistToken().PackMint(s.vault, big.NewInt(1000))}, call{to: &blacklist, data: hostile.NewBlacklistToken().PackList(listed, true)},
		call{to: &paused, data: hostile.NewPausedToken().PackMint(s.vault, big.NewInt(1000))}, call{to: &paused, data: hostile.NewPausedToken().PackPause()},
		call{to: &reverting, data: hostile.NewRevertingToken().PackSetReason(vaultABI.PackStatus(used.OnchainID))},
	)
	estimate := s.payable(t, used)
	s.mined(t, s.sentNow(t, s.sign(t, settlement.AttemptPay, estimate.Payload, estimate.Fees, s.lanes[0], 0)))
	revoke := settlement.Payload{To: s.vault, Data: vaultABI.PackRevoke(revoked.OnchainID), GasLimit: 100_000}
	s.mined(t, s.sentNow(t, s.sign(t, settlement.AttemptRevoke, revoke, estimate.Fees, s.lanes[0], 1)))

	for _, row := range []struct {
		name    string
		st      settlement.Settlement
		change  func(*Terms)
		verdict settlement.Verdict
		word    string
		why     string
	}{
		{"token", s.order(t, "t", s.token, someone(t), 1), nil, settlement.VerdictPayable, "", "the plain case"},
		{"coins", s.order(t, "c", common.Address{}, someone(t), 1), nil, settlement.VerdictPayable, "", "the other plain case"},
		{"used", used, nil, settlement.VerdictIDUsed, "", "paid before: find the event"},
		{"revoked", revoked, nil, settlement.VerdictIDUsed, "", "revoked before: find the event"},
		{"short of tokens", s.order(t, "st", s.token, someone(t), 2_000_000), nil, settlement.VerdictWait, settlement.WaitLiquidity, "the vault is short, not the recipient"},
		{"short of coins", s.order(t, "sc", common.Address{}, someone(t), 2*params.Ether), nil, settlement.VerdictWait, settlement.WaitLiquidity, "the same"},
		{"refusing recipient", s.order(t, "rr", common.Address{}, refuser, 1), nil, settlement.VerdictRefused, "", "it accepts no coins"},
		{"refusing recipient, token", s.order(t, "rt", s.token, refuser, 1), nil, settlement.VerdictPayable, "", "tokens do not ask it"},
		{"blacklisted", s.order(t, "bl", blacklist, listed, 1), nil, settlement.VerdictRefused, "", "the token pays others"},
		{"not blacklisted", s.order(t, "nb", blacklist, someone(t), 1), nil, settlement.VerdictPayable, "", "it pays this one"},
		{"token paused", s.order(t, "tp", paused, someone(t), 1), nil, settlement.VerdictWait, settlement.WaitTokenPaused, "passes"},
		{"token that pays nobody", s.order(t, "tf", falsy, someone(t), 1), nil, settlement.VerdictWait, settlement.WaitTokenPaused, "no recipient is to blame"},
		{"token with strange words", s.order(t, "tr", reverting, someone(t), 1), nil, settlement.VerdictWait, settlement.WaitTokenPaused, "no recipient is to blame"},
		{"no operator", s.order(t, "no", s.token, someone(t), 1), func(tm *Terms) { tm.Operators = []common.Address{someone(t), someone(t)} }, settlement.VerdictWait, settlement.WaitOperator, "none of them may settle"},
		{"second is operator", s.order(t, "so", s.token, someone(t), 1), func(tm *Terms) { tm.Operators = []common.Address{someone(t), s.lanes[1]} }, settlement.VerdictPayable, "", "another one may"},
		{"settlement too dear", s.order(t, "fd", s.token, someone(t), 1), func(tm *Terms) { tm.FeeCeiling = wei(1000) }, settlement.VerdictWait, settlement.WaitFees, "before a nonce is taken"},
		{"lane too dear", s.order(t, "ld", s.token, someone(t), 1), func(tm *Terms) { tm.CapCeiling = wei(1000) }, settlement.VerdictWait, settlement.WaitFees, "before a nonce is taken"},
		{"no lane", s.order(t, "nl", s.token, someone(t), 1), func(tm *Terms) { tm.Operators, tm.CapCeiling = nil, settlement.Amount{} }, settlement.VerdictWait, settlement.WaitLane, "the simulation passes, but nobody may send it"},
		{"tiny blocks", s.order(t, "tb", s.token, someone(t), 1), func(tm *Terms) { tm.BlockGasLimit = 50_000 }, settlement.VerdictWait, settlement.WaitDoubtful, "would never fit"},
		{"vault without code", movedTo(s.order(t, "vc", s.token, someone(t), 1), someone(t)), nil, settlement.VerdictWait, settlement.WaitDoubtful, "a call to nothing succeeds and pays nothing"},
	} {
		t.Run(row.name, func(t *testing.T) {
			terms := s.terms(t)
			if row.change != nil {
				row.change(&terms)
			}
			got, err := s.sender.Estimate(t.Context(), row.st, terms)
			if err != nil || got.Verdict != row.verdict || row.word != "" && settlement.WaitWord(got.Reason) != row.word {
				t.Errorf("got %s %q, %v, want %s %q: %s", got.Verdict, got.Reason, err, row.verdict, row.word, row.why)
			}
			if strings.ContainsAny(got.Reason, "\x00\n") {
				t.Errorf("the reason %q does not fit a row", got.Reason)
			}
		})
	}

	s.owns(t, call{to: &s.vault, data: vaultABI.PackPause()})
	if got, err := s.sender.Estimate(t.Context(), s.order(t, "vp", s.token, someone(t), 1), s.terms(t)); err != nil || got.Verdict != settlement.VerdictWait || got.Reason != settlement.WaitPaused {
		t.Errorf("a paused vault: %+v, %v", got, err)
	}
	if got, err := s.sender.Estimate(t.Context(), used, s.terms(t)); err != nil || got.Verdict != settlement.VerdictIDUsed {
		t.Errorf("a used id of a paused vault: %+v, %v", got, err)
	}
}

func movedTo(st settlement.Settlement, vault common.Address) settlement.Settlement {
	st.Vault, st.OnchainID = vault, st.Key.OnchainID(st.Asset.ChainID, vault)
	return st
}

// sentNow sends and returns the hash.
func (s *stage) sentNow(t *testing.T, a settlement.Attempt) common.Hash {
	t.Helper()
	if sent := s.send(t, a); sent.Outcome != settlement.SendAccepted {
		t.Fatalf("send %s: %+v", a.Hash, sent)
	}
	return a.Hash
}

func TestUnpaidNeedsAgreementAtOneCanonicalBlock(t *testing.T) {
	t.Parallel()
	s := &stage{chainID: 1337, vault: testVault}
	order := s.order(t, "a", testToken, testPayee, 1)
	wordOf := func(n byte) func(string) (any, *said, int) {
		return func(string) (any, *said, int) { return common.BytesToHash([]byte{n}), nil, 0 }
	}
	broken := func(string) (any, *said, int) { return nil, nil, 500 }
	behind := func(string) (any, *said, int) {
		return nil, &said{code: -32000, text: "hash is not currently canonical"}, 0
	}
	noVault := func(string) (any, *said, int) { return "0x", nil, 0 }
	keys, _ := openTwo(t)
	for _, row := range []struct {
		nodes  []func(string) (any, *said, int)
		unpaid bool
		ok     bool
		why    string
	}{
		{[]func(string) (any, *said, int){wordOf(0)}, true, true, "the only node"},
		{[]func(string) (any, *said, int){wordOf(0), wordOf(0), broken}, true, true, "two of three, and nobody objects"},
		{[]func(string) (any, *said, int){wordOf(1), wordOf(1), wordOf(1)}, false, true, "paid"},
		{[]func(string) (any, *said, int){wordOf(2)}, false, true, "revoked: the event ends it, not this proof"},
		{[]func(string) (any, *said, int){wordOf(0), wordOf(0), wordOf(1)}, false, false, "one objects: a hold is not voided against a witness"},
		{[]func(string) (any, *said, int){wordOf(0), broken, behind}, false, false, "one of three is too few"},
		{[]func(string) (any, *said, int){wordOf(0), broken}, false, false, "half is too few"},
		{[]func(string) (any, *said, int){behind}, false, false, "not its canonical block"},
		{[]func(string) (any, *said, int){noVault}, false, false, "no vault there: nothing is no zero"},
		{[]func(string) (any, *said, int){wordOf(3)}, false, false, "a status that the vault has not"},
	} {
		var nodes []*scripted
		for _, answer := range row.nodes {
			nodes = append(nodes, newScripted(t, answer))
		}
		sender := NewSender(dialScripted(t, nodes...), keys)
		unpaid, err := sender.Unpaid(context.Background(), order, settlement.BlockRef{Number: 5, Hash: common.HexToHash("0x05")})
		if unpaid != row.unpaid || (err == nil) != row.ok || err != nil && settlement.KindOf(err) != settlement.Transient {
			t.Errorf("%s: %v, %v", row.why, unpaid, err)
		}
	}
}
