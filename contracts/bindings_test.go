package contracts_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A changed source without new bindings, or a binding edited by hand, fails here without Node. That the bindings are
// what the compiler makes of the sources is checked by build.sh --check.
func TestTheBindingsBelongToTheSources(t *testing.T) {
	t.Parallel()
	list, err := os.ReadFile("bindings.sha256")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(list)) {
		want, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok {
			t.Fatalf("line %q is not a sum and a name", line)
		}
		listed[name] = true
		content, err := os.ReadFile(name)
		if err != nil {
			t.Errorf("listed but not there: %v", err)
			continue
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(content)); got != want {
			t.Errorf("%s changed since the bindings were made: run contracts/build.sh", name)
		}
	}
	for _, pattern := range []string{"src/*.sol", "src/*/*.sol", "*_gen.go", "hostile/*_gen.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s finds nothing (%v)", pattern, err)
		}
		for _, name := range found {
			if !listed[filepath.ToSlash(name)] {
				t.Errorf("%s is not listed in bindings.sha256: run contracts/build.sh", name)
			}
		}
	}
}
