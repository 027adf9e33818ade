package settlement

import (
	"errors"
	"fmt"
)

// Kind is the closed list of what an error means for whoever asked. One function in activities maps it to a
// Temporal error, one in starter to an exit code; no other place decides.
type Kind uint8

const (
	// Unknown means "may have happened": never report a failure from it. It is the zero value on purpose.
	Unknown Kind = iota
	// Invalid input: names Field and Rule; nothing was written.
	Invalid
	// Conflict: the key exists with another meaning; Fields names the differing fields, never their values.
	Conflict
	// NotFound: no such row.
	NotFound
	// Rejected is a final business answer (for example insufficient balance).
	Rejected
	// Transient: nothing happened; try again.
	Transient
	// Stale: a guarded statement matched no row, because someone else moved first. Read again and decide anew.
	Stale
)

func (k Kind) String() string {
	return [...]string{"unknown", "invalid", "conflict", "not found", "rejected", "transient", "stale"}[k]
}

// Error carries a Kind across package borders. Message is for people; Field and Rule are for scripts.
type Error struct {
	Kind   Kind
	Field  string   // Invalid: the input's field
	Rule   string   // Invalid: the rule it broke
	Fields []string // Conflict: which fields differ, sorted
	Err    error
}

func (e *Error) Error() string {
	switch {
	case e.Kind == Invalid && e.Field != "":
		return fmt.Sprintf("%s: %s", e.Field, e.Rule)
	case e.Kind == Conflict && e.Err == nil:
		return fmt.Sprintf("conflict: the key was used before with another %s", joinAnd(e.Fields))
	case e.Err != nil:
		return e.Err.Error()
	}
	return e.Kind.String()
}

func (e *Error) Unwrap() error { return e.Err }

// Invalidf builds an Invalid error that names the field and the rule.
func Invalidf(field, rule string, args ...any) error {
	return &Error{Kind: Invalid, Field: field, Rule: fmt.Sprintf(rule, args...)}
}

// Errorf builds an error of a kind; it wraps like fmt.Errorf.
func Errorf(kind Kind, format string, args ...any) error {
	return &Error{Kind: kind, Err: fmt.Errorf(format, args...)}
}

// KindOf finds the kind of an error; what carries none is Unknown.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Unknown
}

func joinAnd(fields []string) string {
	switch len(fields) {
	case 0:
		return "meaning"
	case 1:
		return fields[0]
	}
	out := fields[0]
	for i, f := range fields[1:] {
		if i == len(fields)-2 {
			out += " and " + f
		} else {
			out += ", " + f
		}
	}
	return out
}
