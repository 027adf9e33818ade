package cli

import (
	"context"
	"fmt"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

type explainCmd struct {
	Key    string `arg:"" help:"The settlement's key."`
	Tenant string `default:"default" help:"Owner of the key."`
}

// story is a settlement's whole story for scripts: what the books say, and the runs that Temporal remembers.
type story struct {
	settlement.Snapshot
	CreatedAt string `json:"created_at"`
	ChangedAt string `json:"changed_at"`
	Vault     string `json:"vault"`
	ledger.Story
	Runs  []runView `json:"runs"`
	Notes []string  `json:"notes"` // what could not be told, and why
}

// Run tells what Postgres knows, and then what Temporal knows; without Temporal the story says so and is told all the same.
func (c *explainCmd) Run(ctx context.Context, s *session) error {
	key, err := parseKey(c.Tenant, c.Key)
	if err != nil {
		return err
	}
	l, err := s.ledger(ctx)
	if err != nil {
		return err
	}
	told, err := l.Story(ctx, key)
	if settlement.KindOf(err) == settlement.NotFound {
		return s.explainWithoutRow(ctx, key)
	}
	if err != nil {
		return err
	}
	v := story{Snapshot: told.Settlement.Snapshot(), Story: told, Notes: []string{}, Vault: told.Settlement.Vault.Hex(),
		CreatedAt: stamp(told.Settlement.CreatedAt), ChangedAt: stamp(told.Settlement.ChangedAt)}
	var notes []string
	v.Runs, notes = s.history(ctx, key)
	v.Notes = append(v.Notes, notes...)
	for _, stream := range v.Streams {
		if left := countDeliveries(told, stream); left < stream.Written {
			v.Notes = append(v.Notes, fmt.Sprintf("%d older deliveries to %s were deleted after their retention", stream.Written-left, stream.Destination))
		}
	}
	if s.out.json {
		return s.out.object(v)
	}
	return v.tell(s.out.w)
}

func countDeliveries(told ledger.Story, stream ledger.StoryStream) (n int64) {
	for _, d := range told.Deliveries {
		if d.Stream == stream.Stream && d.Destination == stream.Destination {
			n++
		}
	}
	return n
}

// explainWithoutRow: a key of which Temporal has a run may still be accepted; any other is unknown to everybody.
func (s *session) explainWithoutRow(ctx context.Context, key settlement.Key) error {
	runs, notes := s.history(ctx, key)
	if len(runs) == 0 {
		if len(notes) > 0 {
			return settlement.Errorf(settlement.Unknown, "no settlement has the key %q yet, and whether it has a run is not known: %s", key, notes[0])
		}
		return noSettlement(key)
	}
	last := runs[len(runs)-1]
	text := fmt.Sprintf("no settlement has the key %q yet: its run %s is %s since %s", key, last.RunID, last.Status, last.StartedAt)
	if last.Failure != "" {
		text += ": " + last.Failure
	}
	return settlement.Errorf(settlement.Unknown, "%s", text)
}
