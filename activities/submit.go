package activities

import (
	"context"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/internal/crash"
	"github.com/quittance/quittance/settlement"
)

// Submit takes a settlement one step towards the chain. On repeat, whatever the first try did, it reads the row again: with a
// live nonce it re-sends the newest stored bytes and never simulates, never rejects, and signs nothing but what was committed for a
// remote signer. Only without one does it simulate, allocate a nonce with its bytes in one commit, and then broadcast. A crash
// behind that commit leaves bytes that the next try, or the lane keeper, sends.
func (a *Activities) Submit(ctx context.Context, ref Ref) (View, error) {
	view, err := a.submit(ctx, ref)
	return view, Fault(err)
}

func (a *Activities) submit(ctx context.Context, ref Ref) (View, error) {
	key, err := ref.decode()
	if err != nil {
		return View{}, err
	}
	s, err := a.Ledger.Settlement(ctx, key)
	if err != nil {
		return View{}, err
	}
	switch {
	case s.State.Terminal(), s.State == settlement.Mined:
		return viewOf(s), nil
	case s.Live != nil:
		return a.send(ctx, s)
	case s.Wish == settlement.WishCancel:
		return a.endAsAsked(ctx, s)
	case s.Wish == settlement.WishRevoke: // its final event, or its loss, decides
		return viewOf(s), nil
	}
	estimate, err := a.Chain.Estimate(ctx, s)
	if err != nil {
		return View{}, err
	}
	switch estimate.Verdict {
	case settlement.VerdictPayable:
		return a.allocate(ctx, s, estimate)
	case settlement.VerdictRefused:
		return a.failRefused(ctx, s, estimate.Reason)
	case settlement.VerdictIDUsed:
		return a.wait(ctx, s, idUsed)
	case settlement.VerdictWait:
		return a.wait(ctx, s, estimate.Reason)
	}
	return View{}, settlement.Errorf(settlement.Unknown, "settlement %s: the simulation's verdict %q is unknown", s.Key, estimate.Verdict)
}

// idUsed means paid or revoked. Neither is a failure to report: the listener acts on the event when it is final, and a used
// id without an event stays here, with its reason, for an operator to see.
const idUsed = settlement.WaitDoubtful + ": the vault has used this id, its final event decides"

// allocate crosses the border. What the commit answers is already true; only the broadcast is left.
func (a *Activities) allocate(ctx context.Context, s settlement.Settlement, e settlement.Estimate) (View, error) {
	allocated, err := a.Ledger.Allocate(ctx,
		settlement.Allocation{SettlementID: s.ID, Payload: e.Payload, Fees: e.Fees, MaxCost: e.MaxCost, Signers: e.Signers},
		func(signer common.Address, nonce uint64) (settlement.Attempt, error) {
			return a.Chain.Sign(s, e, signer, nonce)
		})
	if err != nil {
		return View{}, err
	}
	switch allocated.Outcome {
	case settlement.AllocatedQueue:
		s.State, s.Reason = settlement.Queued, ""
		return viewOf(s), nil
	case settlement.AllocatedWait:
		s.State, s.Reason = settlement.Waiting, allocated.Reason
		return viewOf(s), nil
	case settlement.AllocatedNonce, settlement.AllocatedLive:
		s.State, s.Reason, s.Live = settlement.Submitted, "", allocated.Transaction
		return a.send(ctx, s)
	}
	return View{}, settlement.Errorf(settlement.Unknown, "settlement %s: the allocation's outcome %q is unknown", s.Key, allocated.Outcome)
}

// send broadcasts the newest stored bytes. A refusal is noted for the lane keeper and changes nothing else: behind the border
// only the chain decides. That no endpoint answered is an error, so that the next try sends the same bytes.
func (a *Activities) send(ctx context.Context, s settlement.Settlement) (View, error) {
	if !s.Live.Newest.Signed() {
		if err := a.complete(ctx, s.Live); err != nil {
			return View{}, err
		}
		if !s.Live.Newest.Signed() { // another attempt took its place, and its signature is on its way
			return viewOf(s), nil
		}
	}
	newest := s.Live.Newest
	crash.Point("submit.before_broadcast")
	sent, err := a.Chain.Broadcast(ctx, s, newest)
	if err != nil {
		return View{}, err
	}
	crash.Point("submit.after_broadcast")
	switch sent.Outcome {
	case settlement.SendAccepted, settlement.SendUnsure:
	case settlement.SendRefused:
		err = a.Ledger.RecordRefusal(ctx, newest.Hash, sent.Class, clip(sent.Text))
	case settlement.SendUnrunnable:
		err = a.Ledger.MarkUnrunnable(ctx, s.Live.ID, clip(sent.Text))
	}
	if err != nil {
		return View{}, err
	}
	return viewOf(s), nil
}

// complete gets the bytes of an attempt that was committed for a remote signer. Of several who do so at once, one stores its bytes and
// all go on with those. A signer that is away or refuses makes the step fail, and the next try asks for the same payload.
func (a *Activities) complete(ctx context.Context, t *settlement.Transaction) error {
	crash.Point("submit.before_sign")
	signed, err := a.Chain.SignStored(ctx, *t)
	if err != nil {
		return err
	}
	crash.Point("submit.after_sign")
	stored, _, err := a.Ledger.StoreBytes(ctx, t.ID, signed)
	if err == nil {
		t.Newest = stored
	}
	return err
}

func (a *Activities) wait(ctx context.Context, s settlement.Settlement, reason string) (View, error) {
	reason = clip(reason)
	if err := a.Ledger.Wait(ctx, s.ID, reason); err != nil {
		return View{}, err
	}
	s.State, s.Reason = settlement.Waiting, reason
	return viewOf(s), nil
}

// failRefused ends the settlement only with I7's proof. Without any nonce the guarded update is the proof. With consumed ones
// the vault must say at a final block that the id is unpaid; and if it says used, this is no failure at all.
func (a *Activities) failRefused(ctx context.Context, s settlement.Settlement, reason string) (View, error) {
	return a.endUnpaid(ctx, s, settlement.Failed, clip(reason), a.Ledger.FailUnpaid)
}

// endAsAsked cancels a settlement whose nonces are all finally consumed, by the same proof.
func (a *Activities) endAsAsked(ctx context.Context, s settlement.Settlement) (View, error) {
	return a.endUnpaid(ctx, s, settlement.Cancelled, s.WishReason, a.Ledger.CancelUnpaid)
}

func (a *Activities) endUnpaid(ctx context.Context, s settlement.Settlement, state settlement.State, reason string,
	end func(context.Context, int64, string, settlement.UnpaidProof) error) (View, error) {
	proof, by := settlement.UnpaidProof{NoncesAllocated: s.NoncesAllocated}, settlement.ProofNeverAllocated
	if s.NoncesAllocated > 0 {
		at, unpaid, err := a.Chain.Unpaid(ctx, s)
		if err != nil {
			return View{}, err
		}
		if !unpaid {
			return a.wait(ctx, s, idUsed)
		}
		proof.Block, by = at, settlement.ProofNoncesConsumed
	}
	if err := end(ctx, s.ID, reason, proof); err != nil {
		return View{}, err
	}
	s.State, s.Reason, s.Proof = state, reason, by
	return viewOf(s), nil
}
