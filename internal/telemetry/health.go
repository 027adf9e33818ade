package telemetry

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// checkTimeout bounds one health check: an orchestrator gives up after a few seconds as well.
const checkTimeout = 3 * time.Second

// Health answers whether the process can do its work now. The zero value has no checks and is healthy.
type Health struct {
	mu     sync.Mutex
	checks map[string]func(context.Context) error
}

// Add names a check; a second one of that name takes its place. Checks run at every question, all at once, and must not
// change anything.
func (h *Health) Add(name string, check func(context.Context) error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.checks == nil {
		h.checks = map[string]func(context.Context) error{}
	}
	h.checks[name] = check
}

// HealthReport is the body of an answer. A check says "ok" or what is wrong.
type HealthReport struct {
	Status string            `json:"status"` // ok or failing
	Checks map[string]string `json:"checks"`
}

// Report runs all checks. One that does not answer in time, or panics, is failing.
func (h *Health) Report(ctx context.Context) HealthReport {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	type answer struct {
		name string
		err  error
	}
	h.mu.Lock()
	answers := make(chan answer, len(h.checks))
	report := HealthReport{Status: "ok", Checks: map[string]string{}}
	for name, check := range h.checks {
		report.Checks[name] = "no answer in time"
		go func() { answers <- answer{name, guarded(ctx, check)} }()
	}
	n := len(h.checks)
	h.mu.Unlock()
wait:
	for range n {
		select {
		case a := <-answers:
			report.Checks[a.name] = "ok"
			if a.err != nil {
				report.Checks[a.name] = a.err.Error()
			}
		case <-ctx.Done():
			break wait
		}
	}
	for _, result := range report.Checks {
		if result != "ok" {
			report.Status = "failing"
		}
	}
	return report
}

func guarded(ctx context.Context, check func(context.Context) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the check panicked: %v", p)
		}
	}()
	return check(ctx)
}

// ServeHTTP answers 200 or 503 with the report as JSON.
func (h *Health) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	report := h.Report(r.Context())
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if report.Status != "ok" {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(report) // the client is gone: nobody to tell
}
