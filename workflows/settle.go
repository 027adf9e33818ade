// Package workflows owns the settlement workflow: its story, its ids, its signal, its start options, its workers, and the
// sweeper that resumes lost runs. It may import settlement and activities. It must never hold a fact that the row does not:
// a run may be terminated, reset, or forgotten by Temporal at any point, and the next one goes on from the row.
//
// Discipline: whatever changes the commands of a run (a step added or moved, another upsert, a timer, a SideEffect) goes
// behind workflow.GetVersion, and its old branch stays until the last old run is past retention. The stored histories in
// testdata/histories, one per path, are replayed by every test run and tell when this was forgotten. A GetVersion adds a
// marker and an upsert to the history, so there is none before it is needed.
package workflows

import (
	"go.temporal.io/sdk/workflow"

	"github.com/quittance/quittance/activities"
	"github.com/quittance/quittance/settlement"
)

// Input is what Start and Resume hand to a run; Reserve takes it unchanged.
type Input = activities.Request

// Result is what a finished run returns: the same answer that the idempotency key stores.
type Result = settlement.Snapshot

// Settle drives one settlement to its end. It begins by reading the row and continues from the row's state, so a second run
// of the same settlement does no harm at any point: after the end it returns the stored answer. It finishes only in a
// terminal state, for a failed payment too; it fails only if its input is invalid, means something else than the row, or
// the row is gone. When its history has grown long, over weeks of waiting, it continues as a new run. A cancel request in Temporal changes nothing (see newRun).
func Settle(ctx workflow.Context, in Input) (Result, error) {
	r := newRun(ctx, in)
	err := r.reserve()
	for err == nil && !r.ended() {
		switch r.view.Next {
		case settlement.ActSubmit:
			err = r.submit()
		case settlement.ActReplace:
			err = r.replace()
		case settlement.ActCancel:
			err = r.cancel()
		case settlement.ActRevoke:
			err = r.revoke()
		case settlement.ActAwait, settlement.ActFinish:
		}
		if err != nil || r.ended() {
			break
		}
		if r.aged() {
			return Result{}, r.anew()
		}
		err = r.awaitAndRead()
	}
	if err != nil {
		return Result{}, outermost(err)
	}
	return r.finish()
}
