package devstack

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
)

const (
	tailLines = 25
	tailBytes = 16 << 10
)

var (
	errEnded     = errors.New("see the log")
	errPortTaken = errors.New("a port is taken by another program")
	errTransient = errors.New("leftovers of its last run")
)

// endedBy sorts the reason for an early end by what a start can do about it.
func (p *Part) endedBy(log string) error {
	switch {
	case strings.Contains(strings.ToLower(log), "address already in use"):
		return errPortTaken
	case p.transient != "" && strings.Contains(log, p.transient):
		return errTransient
	default:
		return errEnded
	}
}

func (p *Part) logSize() int64 {
	info, err := os.Stat(p.LogPath())
	if err != nil {
		return 0
	}
	return info.Size()
}

// Tail returns the last lines of the server's log.
func (p *Part) Tail() string { return p.tail(0) }

// tail returns the last lines written at or after the offset, indented.
func (p *Part) tail(from int64) string {
	f, err := os.Open(p.LogPath())
	if err != nil {
		return "    (no log)"
	}
	defer f.Close()
	if size := p.logSize(); size-from > tailBytes {
		from = size - tailBytes
	}
	raw, err := io.ReadAll(io.NewSectionReader(f, from, tailBytes))
	if err != nil || len(bytes.TrimSpace(raw)) == 0 {
		return "    (nothing)"
	}
	lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
	if len(lines) > tailLines {
		lines = lines[len(lines)-tailLines:]
	}
	return "    " + strings.Join(lines, "\n    ")
}
