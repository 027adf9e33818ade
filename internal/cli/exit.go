package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/quittance/quittance/internal/app"
	"github.com/quittance/quittance/internal/config"
	"github.com/quittance/quittance/internal/payouts"
	"github.com/quittance/quittance/settlement"
)

// Exit codes that scripts may rely on.
const (
	exitDone       = 0 // done, or accepted
	exitOther      = 1 // anything else: a service is down, a bug
	exitInvalid    = 2 // invalid input; nothing was written
	exitConflict   = 3 // the key was used before with another meaning
	exitNotSettled = 4 // ended without payment; the reason is given
	exitUnknown    = 5 // still unknown when the time ran out: ask again with the same key
	exitDifference = 6 // audit found a difference
)

// outcome ends a command with an exit code after its result was printed.
type outcome struct {
	code    int
	message string
}

func (o outcome) Error() string { return o.message }

// fail prints an error once, in one line (or one object), and says which code it means.
func fail(stderr io.Writer, asJSON bool, err error) int {
	code, kind := exitCode(err)
	if asJSON {
		_ = json.NewEncoder(stderr).Encode(map[string]any{"error": report(err, kind)}) // nobody is left to tell
		return code
	}
	text := err.Error()
	if down := downOf(err); down != nil {
		text = oneLine(down)
	}
	if text != "" {
		fmt.Fprintf(stderr, "starter: %s\n", text)
	}
	return code
}

// downOf finds the service that did not answer.
func downOf(err error) *app.Down {
	var down *app.Down
	if errors.As(err, &down) {
		return down
	}
	return nil
}

func exitCode(err error) (code int, kind string) {
	var ended outcome
	if errors.As(err, &ended) {
		return ended.code, map[int]string{exitNotSettled: "not settled", exitUnknown: "unknown", exitConflict: "conflict", exitDifference: "difference", exitInvalid: "invalid"}[ended.code]
	}
	if downOf(err) != nil {
		return exitOther, "down"
	}
	var known *settlement.Error
	if !errors.As(err, &known) {
		return exitOther, "other"
	}
	switch known.Kind {
	case settlement.Invalid, settlement.NotFound:
		return exitInvalid, known.Kind.String()
	case settlement.Conflict:
		return exitConflict, known.Kind.String()
	case settlement.Rejected:
		return exitNotSettled, known.Kind.String()
	case settlement.Unknown:
		return exitUnknown, known.Kind.String()
	case settlement.Transient, settlement.Stale:
		return exitOther, known.Kind.String()
	}
	return exitOther, "other"
}

type errorReport struct {
	Kind    string   `json:"kind"`
	Field   string   `json:"field,omitempty"`
	Rule    string   `json:"rule,omitempty"`
	Fields  []string `json:"fields,omitempty"`
	Message string   `json:"message"`

	Lines   []payouts.BadLine `json:"lines,omitempty"` // of a refused file
	Service string            `json:"service,omitempty"`
	Address string            `json:"address,omitempty"` // of the service that is down
}

func report(err error, kind string) errorReport {
	r := errorReport{Kind: kind, Message: err.Error()}
	var known *settlement.Error
	if errors.As(err, &known) {
		r.Field, r.Rule, r.Fields = known.Field, known.Rule, known.Fields
	}
	var misused *kong.ParseError
	var settings config.Problems
	switch {
	case errors.As(err, &misused):
		r.Field, r.Rule = misusedField(r.Message), r.Message
	case errors.As(err, &settings):
		r.Field, r.Rule = settings[0].Variable, settings[0].Rule // the message has all
	}
	if down := downOf(err); down != nil {
		r.Service, r.Address, r.Message = down.Service, down.Address, oneLine(down)
	}
	var file *payouts.Refused
	if errors.As(err, &file) {
		r.Lines = file.Lines
	}
	return r
}

// named finds the first flag or argument in what the parser says.
var named = regexp.MustCompile(`--[a-z][a-z-]*|<[a-z][a-z-]*>`)

// misusedField is the field that a command line broke a rule of; without one it is the command.
func misusedField(message string) string {
	if name := named.FindString(message); name != "" {
		return fieldOf(strings.Trim(name, "<>"))
	}
	return "command"
}
