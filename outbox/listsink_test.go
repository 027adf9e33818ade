package outbox_test

import (
	"context"
	"slices"
	"sync"

	"github.com/quittance/quittance/settlement"
)

// listSink keeps what it accepts. answer, if set, decides per row.
type listSink struct {
	destination string
	answer      func(ctx context.Context, row settlement.OutboxRow) error

	mu   sync.Mutex
	rows []delivery
}

func (s *listSink) Destination() string { return s.destination }

func (s *listSink) Publish(ctx context.Context, rows []settlement.OutboxRow) []error {
	errs := make([]error, len(rows))
	for i, row := range rows {
		if s.answer != nil {
			errs[i] = s.answer(ctx, row)
		}
		if errs[i] == nil {
			s.mu.Lock()
			s.rows = append(s.rows, deliveryOf(row))
			s.mu.Unlock()
		}
	}
	return errs
}

func (s *listSink) received() []delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.rows)
}
