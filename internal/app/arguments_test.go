package app

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/quittance/quittance/internal/config"
)

func TestAnArgumentNeverStartsAService(t *testing.T) {
	t.Parallel()
	s := Service[config.Listener]{Name: "listener", Job: "Listens.", Load: config.LoadListener,
		Run: func(context.Context, *slog.Logger, config.Listener) error { t.Error("it was started"); return nil }}
	for _, test := range []struct {
		args []string
		code int
		why  string
	}{
		{[]string{"--help"}, 0, "help was asked for"},
		{[]string{"-h"}, 0, "help was asked for"},
		{[]string{"serve", "--help"}, 0, "help wins"},
		{[]string{"serve"}, 2, "it has no commands"},
		{[]string{"--config=x"}, 2, "it has no flags"},
		{[]string{""}, 2, "an empty argument is one, too"},
	} {
		if code := s.Main(test.args); code != test.code {
			t.Errorf("%q: exit %d, want %d: %s", test.args, code, test.code, test.why)
		}
	}
	var text strings.Builder
	if err := s.usage(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Listens.", "DATABASE_URL", "LISTENER_HTTP_ADDRESS", "127.0.0.1:9465", "serves /metrics and /healthz", config.FileVariable} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the usage does not name %q:\n%s", want, text.String())
		}
	}
}
