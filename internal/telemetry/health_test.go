package telemetry_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"github.com/quittance/quittance/internal/telemetry"
)

func TestHealthNamesEveryCheckAndFailsIfOneDoes(t *testing.T) {
	t.Parallel()
	ok := func(context.Context) error { return nil }
	hangs := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	for _, row := range []struct {
		why    string
		checks map[string]func(context.Context) error
		code   int
		want   telemetry.HealthReport
	}{
		{"no checks", nil, 200, telemetry.HealthReport{Status: "ok", Checks: map[string]string{}}},
		{"all well", map[string]func(context.Context) error{"postgres": ok}, 200,
			telemetry.HealthReport{Status: "ok", Checks: map[string]string{"postgres": "ok"}}},
		{"one fails, the others still answer", map[string]func(context.Context) error{
			"postgres": ok, "nats": func(context.Context) error { return errors.New("connection refused") },
			"chain": func(context.Context) error { panic("nil map") },
		}, 503, telemetry.HealthReport{Status: "failing", Checks: map[string]string{
			"postgres": "ok", "nats": "connection refused", "chain": "the check panicked: nil map",
		}}},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			var h telemetry.Health
			for name, check := range row.checks {
				h.Add(name, check)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("GET", "/healthz", nil))
			var got telemetry.HealthReport
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.want, got); diff != "" || w.Code != row.code {
				t.Errorf("code %d (-want +got):\n%s", w.Code, diff)
			}
		})
	}
	t.Run("a check that hangs is failing", func(t *testing.T) {
		t.Parallel()
		var h telemetry.Health
		h.Add("temporal", hangs)
		h.Add("postgres", ok)
		if got := h.Report(t.Context()); got.Status != "failing" || got.Checks["postgres"] != "ok" || got.Checks["temporal"] == "ok" {
			t.Errorf("report = %+v", got)
		}
	})
}

func TestAServerStopsAfterTheRequestsUnderWay(t *testing.T) {
	t.Parallel()
	log := slog.New(slog.DiscardHandler)
	mux := telemetry.Page(newMetrics(t), &telemetry.Health{})
	entered, leave := make(chan struct{}), make(chan struct{})
	mux.HandleFunc("GET /slow", func(w http.ResponseWriter, _ *http.Request) {
		close(entered)
		<-leave
		_, _ = io.WriteString(w, "finished")
	})
	s, err := telemetry.Listen("127.0.0.1:0", mux, log)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := telemetry.Listen(s.Addr(), mux, log); err == nil {
		t.Error("the same port was taken twice")
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	for path, want := range map[string]string{"/metrics": "go_goroutines", "/healthz": `"status":"ok"`} {
		if body := get(t, s.Addr()+path); !strings.Contains(body, want) {
			t.Errorf("%s lacks %s: %.200s", path, want, body)
		}
	}
	body := make(chan string, 1)
	go func() { body <- get(t, s.Addr()+"/slow") }()
	<-entered
	stop()
	close(leave)
	if got := <-body; got != "finished" {
		t.Errorf("the request under way got %q", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("run: %v", err)
	}
}

func get(t *testing.T, url string) string {
	r, err := http.Get("http://" + url)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	return string(body)
}

func TestLogLinesAreOneJSONObjectEachWithFixedKeys(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := telemetry.NewLogger(&out, "json", "info").With(telemetry.KeyProcess, "relay")
	log.Debug("not shown")
	log.Info("mined", telemetry.KeyTx, common.HexToHash("0x01"), telemetry.KeyNonce, uint64(7), telemetry.KeyErr, errors.New("none"))
	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	if when, _ := line["time"].(string); !strings.HasSuffix(when, "Z") {
		t.Errorf("time = %q, want UTC", when)
	}
	delete(line, "time")
	want := map[string]any{
		"level": "INFO", "msg": "mined", "process": "relay", "nonce": 7.0, "err": "none",
		"tx": "0x0000000000000000000000000000000000000000000000000000000000000001",
	}
	if diff := cmp.Diff(want, line); diff != "" {
		t.Errorf("line (-want +got):\n%s", diff)
	}
}

func TestTextLinesAreKeyValuePairsWithoutColourOutsideATerminal(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	telemetry.NewLogger(&out, "text", "warn").Warn("down", telemetry.KeyDestination, "nats")
	if line := out.String(); !strings.Contains(line, "level=WARN msg=down destination=nats") || strings.Contains(line, "\x1b") {
		t.Errorf("line = %q", line)
	}
}
