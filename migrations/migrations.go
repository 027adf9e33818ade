// Package migrations holds the schema as SQL files that goose applies in order. It owns the schema's text and imports
// nothing of this project; the ledger applies the files and checks the version at start.
package migrations

import "embed"

// Files are the migrations, applied in the order of their numbers.
//
//go:embed *.sql
var Files embed.FS

// Latest is the version that this build needs. A test compares it with the files.
const Latest = 1
