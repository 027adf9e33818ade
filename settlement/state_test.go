package settlement_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/quittance/quittance/settlement"
)

func TestTerminalStatesGoNowhereAndEveryOtherStateCanEnd(t *testing.T) {
	t.Parallel()
	for _, from := range settlement.States {
		ends := 0
		for _, to := range settlement.States {
			if settlement.CanMove(from, to) && (from.Terminal() || from == to) {
				t.Errorf("%s moves to %s", from, to)
			}
			if to.Terminal() && settlement.CanMove(from, to) {
				ends++
			}
		}
		if !from.Terminal() && ends != 3 {
			t.Errorf("%s can end in %d ways, want settled, failed and cancelled", from, ends)
		}
		if parsed, err := settlement.ParseState(string(from)); err != nil || parsed != from {
			t.Errorf("%s: %v", from, err)
		}
	}
	if _, err := settlement.ParseState("lost"); err == nil {
		t.Error("a state that nobody knows was read")
	}
	if settlement.CanMove(settlement.Requested, settlement.Mined) {
		t.Error("mined without a nonce")
	}
}

func TestWhatARunDoesNextFollowsFromTheRowAlone(t *testing.T) {
	t.Parallel()
	live := &settlement.Transaction{}
	asked := &settlement.Transaction{BumpAsked: true}
	paying := &settlement.Transaction{Newest: settlement.Attempt{Kind: settlement.AttemptPay}}
	empty := &settlement.Transaction{Newest: settlement.Attempt{Kind: settlement.AttemptCancel}}
	for _, row := range []struct {
		why  string
		s    settlement.Settlement
		want settlement.Act
	}{
		{"new", settlement.Settlement{State: settlement.Requested}, settlement.ActSubmit},
		{"queued: a Submit without a slot changes nothing", settlement.Settlement{State: settlement.Queued}, settlement.ActSubmit},
		{"waiting", settlement.Settlement{State: settlement.Waiting}, settlement.ActSubmit},
		{"a nonce is out", settlement.Settlement{State: settlement.Submitted, Live: live}, settlement.ActAwait},
		{"the lane keeper asks", settlement.Settlement{State: settlement.Submitted, Live: asked}, settlement.ActReplace},
		{"mined", settlement.Settlement{State: settlement.Mined, Live: live}, settlement.ActAwait},
		{"a cancel is asked for", settlement.Settlement{State: settlement.Submitted, Live: paying, Wish: settlement.WishCancel}, settlement.ActCancel},
		{"a cancel before a bump", settlement.Settlement{State: settlement.Submitted, Live: &settlement.Transaction{BumpAsked: true, Newest: paying.Newest}, Wish: settlement.WishCancel}, settlement.ActCancel},
		{"the cancel is out", settlement.Settlement{State: settlement.Submitted, Live: empty, Wish: settlement.WishCancel}, settlement.ActAwait},
		{"the cancel wants higher fees", settlement.Settlement{State: settlement.Submitted, Live: &settlement.Transaction{BumpAsked: true, Newest: empty.Newest}, Wish: settlement.WishCancel}, settlement.ActReplace},
		{"a payment in a block is left to its block", settlement.Settlement{State: settlement.Mined, Live: paying, Wish: settlement.WishCancel}, settlement.ActAwait},
		{"so it is with a revoke, which could only revert", settlement.Settlement{State: settlement.Mined, Live: paying, Wish: settlement.WishRevoke}, settlement.ActAwait},
		{"all nonces consumed, and a cancel asked for: Submit ends it by proof", settlement.Settlement{State: settlement.Requested, Wish: settlement.WishCancel}, settlement.ActSubmit},
		{"a revoke is asked for, whatever else is out", settlement.Settlement{State: settlement.Submitted, Live: paying, Wish: settlement.WishRevoke}, settlement.ActRevoke},
		{"and if nothing is", settlement.Settlement{State: settlement.Requested, Wish: settlement.WishRevoke}, settlement.ActRevoke},
		{"the revoke is out", settlement.Settlement{State: settlement.Submitted, Live: paying, Wish: settlement.WishRevoke, RevokeOut: true}, settlement.ActAwait},
		{"the end comes before everything", settlement.Settlement{State: settlement.Failed, Live: asked}, settlement.ActFinish},
	} {
		if got := row.s.Next(); got != row.want {
			t.Errorf("%s: %s, want %s", row.why, got, row.want)
		}
	}
}

func TestErrorsSpeakOfTheirKindAndHideNothing(t *testing.T) {
	t.Parallel()
	cause := errors.New("cause")
	for _, row := range []struct {
		err  error
		kind settlement.Kind
		text string
	}{
		{cause, settlement.Unknown, "cause"},
		{settlement.Invalidf("to", "must not be %s", "x"), settlement.Invalid, "to: must not be x"},
		{settlement.Errorf(settlement.Transient, "read: %w", cause), settlement.Transient, "read: cause"},
		{fmt.Errorf("outer: %w", settlement.Errorf(settlement.Stale, "inner")), settlement.Stale, "outer: inner"},
		{&settlement.Error{Kind: settlement.Conflict, Fields: []string{"amount"}}, settlement.Conflict, "conflict: the key was used before with another amount"},
		{&settlement.Error{Kind: settlement.Conflict, Fields: []string{"amount", "asset", "to"}}, settlement.Conflict, "conflict: the key was used before with another amount, asset and to"},
		{&settlement.Error{Kind: settlement.Conflict}, settlement.Conflict, "conflict: the key was used before with another meaning"},
		{&settlement.Error{Kind: settlement.NotFound}, settlement.NotFound, "not found"},
	} {
		if settlement.KindOf(row.err) != row.kind || row.err.Error() != row.text {
			t.Errorf("%v: kind %s, text %q", row.err, settlement.KindOf(row.err), row.err.Error())
		}
	}
	if !errors.Is(settlement.Errorf(settlement.Unknown, "x: %w", cause), cause) {
		t.Error("the cause is lost")
	}
}
