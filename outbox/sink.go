package outbox

import (
	"context"
	"errors"

	"github.com/quittance/quittance/settlement"
)

// Sink delivers rows to one destination.
type Sink interface {
	// Destination is the name in the table destinations.
	Destination() string
	// Publish tries every row and answers one error per row, in the order of rows; nil means that the destination has
	// accepted the row for good. It may be called again with rows that it accepted before: a duplicate is success. The rows
	// of one call belong to different streams, so their order does not matter. It must return soon after ctx ends.
	//
	// An error that says nothing else is the row's own and passing: the row backs off alone. Down says that the
	// destination is not there for any row; Permanent that this row can never be delivered.
	Publish(ctx context.Context, rows []settlement.OutboxRow) []error
}

// Down marks an error as the destination's, not the row's: no row is charged with an attempt.
func Down(err error) error { return mark(err, ErrDown) }

// Permanent marks an error as one that no retry can cure: the row's stream is parked at this destination.
func Permanent(err error) error { return mark(err, ErrPermanent) }

var (
	ErrDown      = errors.New("the destination is down")
	ErrPermanent = errors.New("the row can never be delivered")
)

type marked struct{ err, class error }

func mark(err, class error) error {
	if err == nil {
		return nil
	}
	return &marked{err, class}
}

func (m *marked) Error() string   { return m.err.Error() }
func (m *marked) Unwrap() []error { return []error{m.err, m.class} }
