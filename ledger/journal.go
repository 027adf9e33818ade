package ledger

import (
	"encoding/json"
	"fmt"
)

// journal records what an operator did or a process found, in the unit that did it. Rows are never changed or deleted.
func journal(t *Tx, actor, action, subject string, details any) error {
	raw, err := json.Marshal(details)
	if err != nil {
		return fmt.Errorf("encode journal entry %s of %s: %w", action, subject, err)
	}
	t.AtCommit(`INSERT INTO journal (actor, action, subject, details) VALUES ($1, $2, $3, $4::jsonb)`, actor, action, subject, string(raw))
	return nil
}
