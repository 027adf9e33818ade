// Package telemetry is what a process shows of itself: logs, metrics and health. It owns their names and the small HTTP
// server behind /metrics and /healthz; it may import settlement and reads the books through its own interface Stats. It must
// never fail or delay the work that it watches, and never put a secret into a label or a line.
package telemetry

import (
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/lmittmann/tint"
	"github.com/mattn/go-isatty"
)

// Keys of log lines. A fact has the same key wherever it is logged, so that one search finds it in all processes.
const (
	KeyProcess     = "process"
	KeySettlement  = "settlement" // the canonical key
	KeyChain       = "chain"
	KeySigner      = "signer"
	KeyNonce       = "nonce"
	KeyAttempt     = "attempt" // the hash of signed bytes
	KeyTx          = "tx"      // the hash of what a block holds
	KeyBlock       = "block"
	KeyDestination = "destination"
	KeyStream      = "stream"
	KeyEvent       = "event"
	KeyErr         = "err"
)

// NewLogger writes lines of a level and above as "json", or as "text": coloured and without a date on a terminal,
// key=value everywhere else. Times are UTC. An unknown level is info: configuration is checked elsewhere.
func NewLogger(w io.Writer, format, level string) *slog.Logger {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		l = slog.LevelInfo
	}
	options := &slog.HandlerOptions{Level: l, ReplaceAttr: inUTC}
	switch {
	case format == "json":
		return slog.New(slog.NewJSONHandler(w, options))
	case terminal(w):
		return slog.New(tint.NewTextHandler(w, &tint.Options{Level: l, TimeFormat: time.TimeOnly}))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

func inUTC(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey && a.Value.Kind() == slog.KindTime {
		a.Value = slog.TimeValue(a.Value.Time().UTC())
	}
	return a
}

func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}
