package workflows

import "github.com/quittance/quittance/settlement"

// ID is the workflow ID of a settlement: its canonical key, unchanged, so that an operator who knows one knows the other. It
// stays below the 255 bytes that Temporal's SQL stores allow, whatever the server's own limit says.
func ID(key settlement.Key) string { return key.Canonical() }

// KeyFromID is the inverse of ID; it refuses what ID never makes.
func KeyFromID(id string) (settlement.Key, error) { return settlement.KeyFromCanonical(id) }
