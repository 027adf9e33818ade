package outbox_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/quittance/quittance/outbox"
	"github.com/quittance/quittance/settlement"
)

// scriptedWaker stands for Temporal and for the ledger's states.
type scriptedWaker struct {
	mu       sync.Mutex
	down     bool
	hang     chan struct{} // closed when it answers again; nil when it answers
	absent   map[string]bool
	terminal map[string]bool
	resumed  []string
	signals  []string
	woken    []delivery
}

func newScriptedWaker() *scriptedWaker {
	return &scriptedWaker{absent: map[string]bool{}, terminal: map[string]bool{}}
}

func (w *scriptedWaker) setDown(down bool) { w.mu.Lock(); w.down = down; w.mu.Unlock() }

func (w *scriptedWaker) setHang(hang bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if hang {
		w.hang = make(chan struct{})
	} else {
		close(w.hang)
		w.hang = nil
	}
}

func (w *scriptedWaker) Wake(ctx context.Context, key settlement.Key) error {
	w.mu.Lock()
	hang := w.hang
	w.mu.Unlock()
	if hang != nil {
		select {
		case <-hang:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.down:
		return outbox.Down(errors.New("connection refused"))
	case w.absent[key.Canonical()]:
		return outbox.ErrNoRun
	}
	w.signals = append(w.signals, key.Canonical())
	return nil
}

func (w *scriptedWaker) Resume(_ context.Context, key settlement.Key) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.resumed = append(w.resumed, key.Canonical())
	delete(w.absent, key.Canonical())
	return nil
}

func (w *scriptedWaker) Terminal(_ context.Context, key settlement.Key) (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	terminal, known := w.terminal[key.Canonical()]
	if !known {
		return false, settlement.Errorf(settlement.NotFound, "no settlement %s", key)
	}
	return terminal, nil
}

// spy records which rows a sink accepted.
type spy struct {
	*outbox.Temporal
	w *scriptedWaker
}

func (s spy) Publish(ctx context.Context, rows []settlement.OutboxRow) []error {
	errs := s.Temporal.Publish(ctx, rows)
	s.w.mu.Lock()
	defer s.w.mu.Unlock()
	for i, row := range rows {
		if errs[i] == nil {
			s.w.woken = append(s.w.woken, deliveryOf(row))
		}
	}
	return errs
}

func TestNobodyThereIsDeliveredOnlyIfNobodyNeedsToBeThere(t *testing.T) {
	t.Parallel()
	type want struct {
		err              error
		signals, resumed int
	}
	for _, row := range []struct {
		why     string
		script  func(*scriptedWaker)
		payload string
		want    want
	}{
		{"an open run is signalled", func(*scriptedWaker) {}, `{"key":"k"}`, want{signals: 1}},
		{"an ended settlement needs no signal", func(w *scriptedWaker) {
			w.absent["k"], w.terminal["k"] = true, true
		}, `{"key":"k"}`, want{}},
		{"a lost run is resumed and then signalled", func(w *scriptedWaker) {
			w.absent["k"], w.terminal["k"] = true, false
		}, `{"key":"k"}`, want{signals: 1, resumed: 1}},
		{"a key of another tenant", func(w *scriptedWaker) {
			w.absent["@acme/k"], w.terminal["@acme/k"] = true, false
		}, `{"key":"@acme/k"}`, want{signals: 1, resumed: 1}},
		{"a wake-up for nothing we know is parked, not retried", func(w *scriptedWaker) {
			w.absent["k"] = true
		}, `{"key":"k"}`, want{err: outbox.ErrPermanent}},
		{"a payload that is no object", func(*scriptedWaker) {}, `[]`, want{err: outbox.ErrPermanent}},
		{"a key that no caller could have chosen", func(*scriptedWaker) {}, `{"key":"@/"}`, want{err: outbox.ErrPermanent}},
		{"Temporal is away", func(w *scriptedWaker) { w.down = true }, `{"key":"k"}`, want{err: outbox.ErrDown}},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			w := newScriptedWaker()
			row.script(w)
			errs := outbox.NewTemporal(w, w).Publish(t.Context(), []settlement.OutboxRow{{Payload: []byte(row.payload)}})
			if !errors.Is(errs[0], row.want.err) {
				t.Errorf("err = %v, want %v", errs[0], row.want.err)
			}
			if len(w.signals) != row.want.signals || len(w.resumed) != row.want.resumed {
				t.Errorf("%d signals, %d resumed, want %+v", len(w.signals), len(w.resumed), row.want)
			}
		})
	}
}
