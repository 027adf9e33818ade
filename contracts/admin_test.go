package contracts_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/quittance/quittance/contracts"
)

func (f *fixture) isOperator(t fataler, who common.Address) bool {
	t.Helper()
	is, err := vaultABI.UnpackIsOperator(f.view(t, f.vault, vaultABI.PackIsOperator(who)))
	if err != nil {
		t.Fatalf("isOperator: %v", err)
	}
	return is
}

func (f *fixture) wantOwner(t fataler, owner, pending common.Address) {
	t.Helper()
	gotOwner, err := vaultABI.UnpackOwner(f.view(t, f.vault, vaultABI.PackOwner()))
	if err != nil {
		t.Fatalf("owner: %v", err)
	}
	gotPending, err := vaultABI.UnpackPendingOwner(f.view(t, f.vault, vaultABI.PackPendingOwner()))
	if err != nil {
		t.Fatalf("pendingOwner: %v", err)
	}
	if gotOwner != owner || gotPending != pending {
		t.Fatalf("owner %s, pending %s; want %s, %s", gotOwner, gotPending, owner, pending)
	}
}

func (f *fixture) wantOperatorSet(t fataler, receipt *types.Receipt, operator common.Address, allowed bool) {
	t.Helper()
	event, err := vaultABI.UnpackOperatorSetEvent(f.firstLog(t, receipt))
	if err != nil || event.Operator != operator || event.Allowed != allowed {
		t.Fatalf("OperatorSet is %+v (%v), want %s %v", event, err, operator, allowed)
	}
}

func TestTheConstructorAppointsItsOperatorsAndKeepsTheOwnerOutOfThem(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.wantOwner(t, f.owner.addr, common.Address{})
	if !f.isOperator(t, f.operator.addr) || f.isOperator(t, f.owner.addr) || f.isOperator(t, f.stranger.addr) {
		t.Fatal("the operators are not those of the constructor")
	}
	cases := []struct {
		owner     common.Address
		operators []common.Address
		want      string
	}{
		{common.Address{}, nil, "OwnableInvalidOwner"},
		{f.owner.addr, []common.Address{f.operator.addr, f.owner.addr}, "OwnerCannotBeOperator"},
		{f.owner.addr, []common.Address{{}}, "ZeroOperator"},
	}
	for _, tc := range cases {
		input := append(common.FromHex(contracts.VaultMetaData.Bin), vaultABI.PackConstructor(tc.owner, tc.operators)...)
		got := f.do(t, f.stranger, nil, nil, input)
		if name, _ := contracts.RevertName(got.revert); name != tc.want {
			t.Errorf("constructor reverted with %s, want %s", contracts.RevertText(got.revert), tc.want)
		}
	}
}

func TestTheOwnerAddsAndRemovesOperators(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	set := func(allowed bool) {
		receipt := f.must(t, f.owner, f.vault, nil, vaultABI.PackSetOperator(f.second.addr, allowed))
		f.wantOperatorSet(t, receipt, f.second.addr, allowed)
		if f.isOperator(t, f.second.addr) != allowed {
			t.Fatalf("isOperator is not %v", allowed)
		}
	}
	pay := vaultABI.PackSettle(idOf("a"), native, freshAddress(t), big.NewInt(1))

	f.refused(t, f.second, f.vault, nil, pay, "NotOperator")
	set(true)
	set(true) // setting it again changes nothing
	f.must(t, f.second, f.vault, nil, pay)
	set(false)
	f.refused(t, f.second, f.vault, nil, pay, "NotOperator")
	f.refused(t, f.second, f.vault, nil, vaultABI.PackRevoke(idOf("b")), "NotOperator")

	f.refused(t, f.owner, f.vault, nil, vaultABI.PackSetOperator(f.owner.addr, true), "OwnerCannotBeOperator")
	f.refused(t, f.owner, f.vault, nil, vaultABI.PackSetOperator(common.Address{}, true), "ZeroOperator")
	for _, from := range []account{f.operator, f.stranger} {
		f.refused(t, from, f.vault, nil, vaultABI.PackSetOperator(f.stranger.addr, true), "OwnableUnauthorizedAccount")
	}
}

func TestOwnershipIsHandedOverInTwoSteps(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	nominate := func(who common.Address) {
		receipt := f.must(t, f.owner, f.vault, nil, vaultABI.PackTransferOwnership(who))
		event, err := vaultABI.UnpackOwnershipTransferStartedEvent(f.firstLog(t, receipt))
		if err != nil || event.NewOwner != who || event.PreviousOwner != f.owner.addr {
			t.Fatalf("OwnershipTransferStarted is %+v (%v)", event, err)
		}
		f.wantOwner(t, f.owner.addr, who)
	}
	accept := vaultABI.PackAcceptOwnership()

	f.refused(t, f.stranger, f.vault, nil, vaultABI.PackTransferOwnership(f.stranger.addr), "OwnableUnauthorizedAccount")
	nominate(f.second.addr)
	f.refused(t, f.stranger, f.vault, nil, accept, "OwnableUnauthorizedAccount")
	nominate(common.Address{}) // takes the nomination back
	f.refused(t, f.second, f.vault, nil, accept, "OwnableUnauthorizedAccount")
	nominate(f.second.addr)

	receipt := f.must(t, f.second, f.vault, nil, accept)
	event, err := vaultABI.UnpackOwnershipTransferredEvent(f.firstLog(t, receipt))
	if err != nil || event.PreviousOwner != f.owner.addr || event.NewOwner != f.second.addr {
		t.Fatalf("OwnershipTransferred is %+v (%v)", event, err)
	}
	f.wantOwner(t, f.second.addr, common.Address{})
	f.refused(t, f.owner, f.vault, nil, vaultABI.PackUnpause(), "OwnableUnauthorizedAccount")
	f.refused(t, f.second, f.vault, nil, accept, "OwnableUnauthorizedAccount")
}

func TestAnOperatorCannotAcceptTheOwnership(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.must(t, f.owner, f.vault, nil, vaultABI.PackTransferOwnership(f.operator.addr))
	f.refused(t, f.operator, f.vault, nil, vaultABI.PackAcceptOwnership(), "OwnerCannotBeOperator")
	f.wantOwner(t, f.owner.addr, f.operator.addr)

	f.must(t, f.owner, f.vault, nil, vaultABI.PackSetOperator(f.operator.addr, false))
	f.must(t, f.operator, f.vault, nil, vaultABI.PackAcceptOwnership())
	f.wantOwner(t, f.operator.addr, common.Address{})
	f.refused(t, f.operator, f.vault, nil, vaultABI.PackSetOperator(f.operator.addr, true), "OwnerCannotBeOperator")
}

func TestANomineeWhoBecomesOperatorMeanwhileCannotAccept(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.must(t, f.owner, f.vault, nil, vaultABI.PackTransferOwnership(f.second.addr))
	f.must(t, f.owner, f.vault, nil, vaultABI.PackSetOperator(f.second.addr, true))
	f.refused(t, f.second, f.vault, nil, vaultABI.PackAcceptOwnership(), "OwnerCannotBeOperator")
}

func TestOwnershipCannotBeRenounced(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, from := range []account{f.owner, f.operator, f.stranger} {
		f.refused(t, from, f.vault, nil, vaultABI.PackRenounceOwnership(), "OwnershipCannotBeRenounced")
	}
	f.wantOwner(t, f.owner.addr, common.Address{})
}

func TestOwnerAndOperatorsPauseAndOnlyTheOwnerUnpauses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	paused := func(want bool) {
		got, err := vaultABI.UnpackPaused(f.view(t, f.vault, vaultABI.PackPaused()))
		if err != nil || got != want {
			t.Fatalf("paused is %v (%v), want %v", got, err, want)
		}
	}
	for _, from := range []account{f.owner, f.operator} {
		receipt := f.must(t, from, f.vault, nil, vaultABI.PackPause())
		if event, err := vaultABI.UnpackPausedEvent(f.firstLog(t, receipt)); err != nil || event.Account != from.addr {
			t.Fatalf("Paused is %+v (%v)", event, err)
		}
		paused(true)
		f.refused(t, from, f.vault, nil, vaultABI.PackPause(), "EnforcedPause")
		f.refused(t, f.operator, f.vault, nil, vaultABI.PackUnpause(), "OwnableUnauthorizedAccount")
		receipt = f.must(t, f.owner, f.vault, nil, vaultABI.PackUnpause())
		if event, err := vaultABI.UnpackUnpausedEvent(f.firstLog(t, receipt)); err != nil || event.Account != f.owner.addr {
			t.Fatalf("Unpaused is %+v (%v)", event, err)
		}
		paused(false)
	}
	f.refused(t, f.owner, f.vault, nil, vaultABI.PackUnpause(), "ExpectedPause")
	f.refused(t, f.stranger, f.vault, nil, vaultABI.PackPause(), "NotOwnerOrOperator")
}

func TestAPauseStopsPaymentsAndDepositsAndNothingElse(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	to, one, used := freshAddress(t), big.NewInt(1), idOf("used")
	f.must(t, f.owner, f.token, nil, tokenABI.PackMint(f.stranger.addr, ether(1)))
	f.must(t, f.stranger, f.token, nil, tokenABI.PackApprove(f.vault, ether(1)))
	f.settle(t, used, native, to, one)
	f.pause(t)

	stopped := []struct {
		name  string
		from  account
		value *big.Int
		data  []byte
		want  string
	}{
		{"settle tokens", f.operator, nil, vaultABI.PackSettle(idOf("a"), f.token, to, one), "EnforcedPause"},
		{"settle coins", f.operator, nil, vaultABI.PackSettle(idOf("a"), native, to, one), "EnforcedPause"},
		{"settle a used id", f.operator, nil, vaultABI.PackSettle(used, native, to, one), "IdUsed"},
		{"settle by a stranger", f.stranger, nil, vaultABI.PackSettle(idOf("a"), native, to, one), "NotOperator"},
		{"deposit", f.stranger, nil, vaultABI.PackDeposit(idOf("alice"), f.token, one), "EnforcedPause"},
		{"depositNative", f.stranger, one, vaultABI.PackDepositNative(idOf("alice")), "EnforcedPause"},
	}
	for _, tc := range stopped {
		t.Log(tc.name)
		f.refused(t, tc.from, f.vault, tc.value, tc.data, tc.want)
	}
	f.wantStatus(t, idOf("a"), unused)

	f.must(t, f.operator, f.vault, nil, vaultABI.PackRevoke(idOf("b")))
	f.wantStatus(t, idOf("b"), revoked)
	f.must(t, f.owner, f.vault, nil, vaultABI.PackWithdraw(f.token, to, one))
	f.must(t, f.owner, f.vault, nil, vaultABI.PackSetOperator(f.second.addr, true))
	f.must(t, f.owner, f.vault, nil, vaultABI.PackTransferOwnership(f.stranger.addr))
	f.must(t, f.stranger, f.vault, nil, vaultABI.PackAcceptOwnership())
	f.must(t, f.stranger, f.vault, nil, vaultABI.PackUnpause())
	f.settle(t, idOf("a"), f.token, to, one)
	f.refused(t, f.operator, f.vault, nil, vaultABI.PackSettle(idOf("b"), f.token, to, one), "IdUsed")
}

func TestTheOwnerWithdraws(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, token := range []common.Address{native, f.token} {
		to := freshAddress(t)
		receipt := f.must(t, f.owner, f.vault, nil, vaultABI.PackWithdraw(token, to, ether(400)))
		event, err := vaultABI.UnpackWithdrawnEvent(f.firstLog(t, receipt))
		if err != nil || event.Token != token || event.To != to || event.Amount.Cmp(ether(400)) != 0 {
			t.Fatalf("Withdrawn is %+v (%v)", event, err)
		}
		f.wantBalance(t, token, to, ether(400))
		f.wantBalance(t, token, f.vault, ether(600))
		for _, from := range []account{f.operator, f.stranger} {
			f.refused(t, from, f.vault, nil, vaultABI.PackWithdraw(token, to, ether(1)), "OwnableUnauthorizedAccount")
		}
		f.refused(t, f.owner, f.vault, nil, vaultABI.PackWithdraw(token, f.vault, ether(1)), "BadRecipient")
		f.refused(t, f.owner, f.vault, nil, vaultABI.PackWithdraw(token, common.Address{}, ether(1)), "BadRecipient")
		f.refused(t, f.owner, f.vault, nil, vaultABI.PackWithdraw(token, to, new(big.Int)), "ZeroAmount")
		f.refused(t, f.owner, f.vault, nil, vaultABI.PackWithdraw(token, to, ether(601)), "InsufficientVaultBalance")
	}
}
