package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/quittance/quittance/internal/cli"
)

// result is what one command line did.
type result struct {
	t              *testing.T
	args           []string
	code           int
	stdout, stderr string
}

// run executes a command line in this process, as the binary does.
func run(t *testing.T, environ []string, args ...string) result {
	t.Helper()
	return runWith(t, t.Context(), environ, "", args...)
}

func runWith(t *testing.T, ctx context.Context, environ []string, stdin string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := cli.Run(ctx, args, environ, strings.NewReader(stdin), &stdout, &stderr)
	return result{t, args, code, stdout.String(), stderr.String()}
}

// exits checks the exit code and returns the result.
func (r result) exits(code int) result {
	r.t.Helper()
	if r.code != code {
		r.t.Fatalf("starter %s: exit %d, want %d\nstdout: %s\nstderr: %s", strings.Join(r.args, " "), r.code, code, r.stdout, r.stderr)
	}
	return r
}

// object decodes stdout, which must hold exactly one JSON object and nothing else.
func (r result) object() map[string]any {
	r.t.Helper()
	objects := r.objects()
	if len(objects) != 1 {
		r.t.Fatalf("starter %s printed %d objects, want 1: %s", strings.Join(r.args, " "), len(objects), r.stdout)
	}
	return objects[0]
}

// objects decodes stdout, which must hold one JSON object per line and nothing else.
func (r result) objects() (found []map[string]any) {
	r.t.Helper()
	for line := range strings.Lines(r.stdout) {
		var o map[string]any
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			r.t.Fatalf("starter %s printed a line that is no JSON object: %q: %v", strings.Join(r.args, " "), line, err)
		}
		found = append(found, o)
	}
	return found
}

// says checks that stderr names each text.
func (r result) says(texts ...string) result {
	r.t.Helper()
	for _, text := range texts {
		if !strings.Contains(r.stderr, text) {
			r.t.Errorf("starter %s: stderr does not name %q: %s", strings.Join(r.args, " "), text, r.stderr)
		}
	}
	return r
}

// shows checks that stdout names each text.
func (r result) shows(texts ...string) result {
	r.t.Helper()
	for _, text := range texts {
		if !strings.Contains(r.stdout, text) {
			r.t.Errorf("starter %s: stdout does not show %q:\n%s", strings.Join(r.args, " "), text, r.stdout)
		}
	}
	return r
}

// list reads a field of an object that must be a list.
func list(t *testing.T, o map[string]any, field string) []any {
	t.Helper()
	l, ok := o[field].([]any)
	if !ok {
		t.Fatalf("%s is no list: %v", field, o[field])
	}
	return l
}

// inOrder checks that lines of a text begin sections in this order.
func inOrder(t *testing.T, text string, headings ...string) {
	t.Helper()
	at := 0
	for _, heading := range headings {
		next := strings.Index(text[at:], "\n"+heading+"\n")
		if next < 0 {
			t.Fatalf("no section %q after the others in:\n%s", heading, text)
		}
		at += next + 1
	}
}
