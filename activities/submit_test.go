package activities_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"go.temporal.io/sdk/temporal"

	"github.com/quittance/quittance/activities"
	"github.com/quittance/quittance/activities/activitiestest"
	"github.com/quittance/quittance/settlement"
)

// fixture is one reserved settlement in the model.
type fixture struct {
	*testing.T
	steps *activities.Activities
	books *activitiestest.Books
	chain *activitiestest.Chain
	ref   activities.Ref
	key   settlement.Key
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	books := activitiestest.NewBooks()
	chain := activitiestest.NewChain(books)
	f := &fixture{T: t, books: books, chain: chain, steps: &activities.Activities{Ledger: books, Chain: chain, Replacer: books}}
	request := activitiestest.Request("pay-7")
	f.ref, f.key = activities.Ref{Key: request.Key}, settlement.Key{Tenant: settlement.DefaultTenant, Value: request.Key}
	if _, err := f.steps.Reserve(context.Background(), request); err != nil {
		t.Fatalf("reserve: %v", err)
	}
	t.Cleanup(func() {
		for _, breach := range books.Breaches() {
			t.Errorf("breach: %s", breach)
		}
	})
	return f
}

func (f *fixture) submit() (activities.View, error) {
	return f.steps.Submit(context.Background(), f.ref)
}

func (f *fixture) mustSubmit() activities.View {
	f.Helper()
	view, err := f.submit()
	if err != nil {
		f.Fatalf("submit: %v", err)
	}
	return view
}

func (f *fixture) row() settlement.Settlement {
	f.Helper()
	row, found := f.books.Row(f.key)
	if !found {
		f.Fatal("the row is gone")
	}
	return row
}

func TestSubmitAllocatesOnceAndThenOnlyRepeatsTheBytes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	first := f.mustSubmit()
	second := f.mustSubmit()
	if first.Settlement.State != settlement.Submitted || second.Settlement.State != settlement.Submitted {
		t.Errorf("states %s and %s, want submitted twice", first.Settlement.State, second.Settlement.State)
	}
	if f.row().NoncesAllocated != 1 || f.chain.Estimates() != 1 {
		t.Errorf("%d nonces and %d simulations, want one of each", f.row().NoncesAllocated, f.chain.Estimates())
	}
	if sent := f.chain.Broadcasts(); len(sent) != 2 || sent[0] != sent[1] {
		t.Errorf("sent %v, want the same hash twice", sent)
	}
}

// https://github.com/formancehq/payments/pull/745 and https://github.com/entrius/allways/issues/296 (W3, W17): a second
// payment after a kill between the send and the note of it.
func TestALostAnswerOfAnyCallNeverMakesASecondNonce(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ why, before, after string }{
		{"the read failed", "Settlement", ""},
		{"the answer of the read was lost", "", "Settlement"},
		{"the allocation was refused by the database", "Allocate", ""},
		{"the allocation committed and its answer was lost", "", "Allocate"},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.books.Before, f.books.After = once(row.before), once(row.after)
			if _, err := f.submit(); err == nil {
				t.Fatal("the first try succeeded, want the injected error")
			} else if activities.Final(err) {
				t.Fatalf("a lost answer ended the step: %v", err)
			}
			f.mustSubmit()
			if got := f.row(); got.NoncesAllocated != 1 || got.State != settlement.Submitted {
				t.Errorf("%s with %d nonces, want submitted with 1", got.State, got.NoncesAllocated)
			}
		})
	}
}

// https://github.com/SatoshiPortal/bullbitcoin-mobile/issues/2601 (W18): a retry after an ambiguous broadcast built another
// transaction. https://github.com/JiRaska/open-bank-oss/issues/4182 (W15): an outage was reported as success.
func TestABroadcastWithoutAnAnswerIsAnErrorAndTheNextTrySendsTheSameBytes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.chain.Sends = []activitiestest.SendAnswer{{Err: activitiestest.ErrNoEndpoint}, {Sent: settlement.Sent{Outcome: settlement.SendAccepted}}}
	_, err := f.submit()
	if got := typeOf(err); got != activities.TypeUnknown || activities.Final(err) {
		t.Fatalf("type %q (%v), want a retryable Unknown", got, err)
	}
	f.chain.Verdicts = []settlement.Estimate{{Verdict: settlement.VerdictRefused, Reason: "must not be asked"}}
	f.mustSubmit()
	sent := f.chain.Broadcasts()
	if len(sent) != 2 || sent[0] != sent[1] || f.row().NoncesAllocated != 1 {
		t.Errorf("sent %v with %d nonces, want the same bytes twice for one nonce", sent, f.row().NoncesAllocated)
	}
}

func TestARefusedSendIsNotedAndChangesNothingElse(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why     string
		outcome settlement.SendOutcome
		noted   string
	}{
		{"taken", settlement.SendAccepted, ""},
		{"an unknown answer counts as possibly sent", settlement.SendUnsure, ""},
		{"refused: the lane keeper goes on", settlement.SendRefused, "RecordRefusal"},
		{"can never run: the lane keeper fills the nonce", settlement.SendUnrunnable, "MarkUnrunnable"},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.chain.Sends = []activitiestest.SendAnswer{{Sent: settlement.Sent{Outcome: row.outcome, Class: "x", Text: "y"}}}
			view := f.mustSubmit()
			if view.Settlement.State != settlement.Submitted || view.Next != settlement.ActAwait {
				t.Errorf("%s, next %s; want submitted, next await", view.Settlement.State, view.Next)
			}
			for _, method := range []string{"RecordRefusal", "MarkUnrunnable"} {
				if want := btoi(method == row.noted); f.books.Calls(method) != want {
					t.Errorf("%s was called %d times, want %d", method, f.books.Calls(method), want)
				}
			}
		})
	}
}

func TestSubmitWithoutANonceAnswersWhatTheSimulationAndTheLanesSay(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why     string
		verdict settlement.Verdict
		slots   int
		hold    string
		used    bool
		nonces  int // consumed before
		state   settlement.State
		proof   settlement.Proof
		reason  string
	}{
		{why: "a free slot", verdict: settlement.VerdictPayable, slots: 1, state: settlement.Submitted},
		{why: "no free slot", verdict: settlement.VerdictPayable, slots: 0, state: settlement.Queued},
		{why: "the ledger says wait", verdict: settlement.VerdictPayable, slots: 1, hold: settlement.WaitLiquidity,
			state: settlement.Waiting, reason: settlement.WaitLiquidity},
		{why: "a doubtful node", verdict: settlement.VerdictWait, slots: 1, state: settlement.Waiting, reason: "because"},
		{why: "a used id is paid or revoked, never failed", verdict: settlement.VerdictIDUsed, slots: 1,
			state: settlement.Waiting, reason: "doubtful answer: the vault has used this id, its final event decides"},
		{why: "a refusing recipient, no nonce ever", verdict: settlement.VerdictRefused, slots: 1,
			state: settlement.Failed, proof: settlement.ProofNeverAllocated, reason: "because"},
		{why: "a refusing recipient, all nonces consumed, the vault says unpaid", verdict: settlement.VerdictRefused, slots: 1, nonces: 2,
			state: settlement.Failed, proof: settlement.ProofNoncesConsumed, reason: "because"},
		{why: "a refusing recipient, but the vault says used", verdict: settlement.VerdictRefused, slots: 1, nonces: 1, used: true,
			state: settlement.Waiting, reason: "doubtful answer: the vault has used this id, its final event decides"},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.chain.Verdicts = []settlement.Estimate{{Verdict: row.verdict, Reason: "because"}}
			f.chain.Used = row.used
			f.books.Free(row.slots, row.hold)
			f.books.Change(f.key, func(s *settlement.Settlement) { s.NoncesAllocated = row.nonces })
			view := f.mustSubmit()
			got := f.row()
			if got.State != row.state || got.Proof != row.proof || got.Reason != row.reason {
				t.Errorf("row is %s, %q, %q; want %s, %q, %q", got.State, got.Proof, got.Reason, row.state, row.proof, row.reason)
			}
			if view.Settlement.State != got.State || view.Settlement.Proof != got.Proof || view.Settlement.Reason != got.Reason {
				t.Errorf("the view %+v differs from the row", view.Settlement)
			}
		})
	}
}

func TestANonceAllocatedSinceTheProofMakesTheFailureStale(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.chain.Verdicts = []settlement.Estimate{{Verdict: settlement.VerdictRefused, Reason: "no"}}
	f.books.Before = func(method string) error {
		if method == "FailUnpaid" {
			f.books.Change(f.key, func(s *settlement.Settlement) { s.NoncesAllocated++ })
		}
		return nil
	}
	_, err := f.submit()
	if got := typeOf(err); got != activities.TypeStale || activities.Final(err) {
		t.Errorf("type %q, want a retryable Stale", got)
	}
	if f.row().State != settlement.Requested {
		t.Errorf("the row moved to %s", f.row().State)
	}
}

func TestSubmitLeavesAloneWhatHasEndedOrIsMinedOrRevoked(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why  string
		edit func(*settlement.Settlement)
	}{
		{"settled", activitiestest.Settled},
		{"mined", activitiestest.Mined},
		{"cancelled", activitiestest.Revoked},
		{"a revoke is out", func(s *settlement.Settlement) {
			activitiestest.Reverted(s)
			s.Wish, s.RevokeOut = settlement.WishRevoke, true
		}},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.mustSubmit()
			f.books.Change(f.key, row.edit)
			before := f.row()
			f.mustSubmit()
			if got := f.row(); got.State != before.State || got.NoncesAllocated != 1 || len(f.chain.Broadcasts()) != 1 || f.chain.Estimates() != 1 {
				t.Errorf("the step acted: %s, %d nonces, %d sends, %d simulations", got.State, got.NoncesAllocated, len(f.chain.Broadcasts()), f.chain.Estimates())
			}
		})
	}
}

func TestALongRevertTextIsClippedOnItsWayIntoTheHistory(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.chain.Verdicts = []settlement.Estimate{{Verdict: settlement.VerdictRefused, Reason: strings.Repeat("é", 4000)}}
	view := f.mustSubmit()
	if n := len(view.Settlement.Reason); n > 310 || !strings.HasSuffix(view.Settlement.Reason, "é…") {
		t.Errorf("the reason has %d bytes and ends %q", n, view.Settlement.Reason[n-6:])
	}
}

func TestReplaceActsOnlyWhileTheLaneKeeperAsks(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.mustSubmit()
	first := f.row().Live.Newest.Hash
	if _, err := f.steps.Replace(context.Background(), f.ref); err != nil || f.books.Calls("Replace") != 0 {
		t.Fatalf("nobody asked: err %v, %d replacements", err, f.books.Calls("Replace"))
	}
	f.books.Change(f.key, activitiestest.BumpAsked)
	for range 2 {
		if _, err := f.steps.Replace(context.Background(), f.ref); err != nil {
			t.Fatalf("replace: %v", err)
		}
	}
	if got := f.row(); f.books.Calls("Replace") != 1 || got.Live.Newest.Hash == first || got.NoncesAllocated != 1 {
		t.Errorf("%d replacements, newest %s, %d nonces; want one new attempt for the same nonce", f.books.Calls("Replace"), got.Live.Newest.Hash, got.NoncesAllocated)
	}
}

func once(method string) func(string) error {
	done := false
	return func(called string) error {
		if called != method || done {
			return nil
		}
		done = true
		return errors.New("connection reset by peer")
	}
}

func typeOf(err error) string {
	var app *temporal.ApplicationError
	if !errors.As(err, &app) {
		return ""
	}
	return app.Type()
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestARemoteSignerSignsBetweenTwoCommitsAndALateOneSendsWhatIsStored(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.chain.Remote, f.chain.Away = true, 2
	for try := range 2 {
		if _, err := f.submit(); err == nil || !strings.Contains(err.Error(), activitiestest.ErrSigner.Error()) {
			t.Fatalf("try %d: the signer is away: %v", try, err)
		}
		if row := f.row(); row.State != settlement.Submitted || row.Live == nil || row.Live.Newest.Signed() || row.NoncesAllocated != 1 {
			t.Fatalf("the nonce is taken, its payload waits: %+v", row)
		}
	}
	if sent := f.chain.Broadcasts(); len(sent) != 0 {
		t.Fatalf("sent without bytes: %v", sent)
	}
	lost := errors.New("the answer got lost")
	f.books.After = func(method string) error {
		if method == "StoreBytes" {
			return lost
		}
		return nil
	}
	if _, err := f.submit(); err == nil {
		t.Fatal("a lost answer went unnoticed")
	}
	f.books.After = nil
	stored := f.row().Live.Newest
	if !stored.Signed() {
		t.Fatal("the bytes are not stored")
	}
	f.mustSubmit()
	f.mustSubmit()
	if sent := f.chain.Broadcasts(); len(sent) != 2 || sent[0] != stored.Hash || sent[1] != stored.Hash || f.chain.Estimates() != 1 {
		t.Errorf("sent %v of %s after %d simulations", sent, stored.Hash, f.chain.Estimates())
	}
}

func TestTheLoserOfTwoSignaturesSendsTheStoredBytes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.chain.Remote = true
	inner := false
	f.books.Before = func(method string) error {
		if method == "StoreBytes" && !inner { // another step stores its bytes first
			inner = true
			f.mustSubmit()
		}
		return nil
	}
	f.mustSubmit()
	stored := f.row().Live.Newest.Hash
	sent := f.chain.Broadcasts()
	if len(sent) != 2 || sent[0] != stored || sent[1] != stored {
		t.Errorf("sent %v, stored %s", sent, stored)
	}
}
