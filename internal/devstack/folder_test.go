package devstack

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestEnvPairsOfManyWritersAllArrive(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if err := SetEnv(t.Context(), dir, map[string]string{fmt.Sprintf("KEY_%d", i): fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	env, err := ReadEnv(dir)
	if err != nil || len(env) != 20 || env["KEY_7"] != "7" {
		t.Errorf("read %v, %v", env, err)
	}
}

func TestEnvFileMeansTheSameToAShellAndToUs(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ value, why string }{
		{"postgres://u:p@127.0.0.1:5/db?sslmode=disable&x=1", "an ampersand ends a command"},
		{"a b  c", "a shell splits words"},
		{`$HOME "x" \n !! #no`, "a shell expands, quotes, comments"},
		{"", "an empty value is a value"},
		{"http://127.0.0.1:1,http://127.0.0.1:2", "the common case stays unquoted"},
	} {
		dir := t.TempDir()
		if err := SetEnv(t.Context(), dir, map[string]string{"VALUE": row.value}); err != nil {
			t.Fatal(err)
		}
		env, err := ReadEnv(dir)
		if err != nil || env["VALUE"] != row.value {
			t.Errorf("%s: we read %q for %q, %v", row.why, env["VALUE"], row.value, err)
		}
		out, err := exec.Command("sh", "-c", `. "$1"; printf %s "$VALUE"`, "sh", EnvPath(dir)).Output()
		if err != nil || string(out) != row.value {
			t.Errorf("%s: a shell reads %q for %q, %v", row.why, out, row.value, err)
		}
	}
}

func TestEnvRefusesWhatAShellWouldRun(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{"A B": "x", "X": "'; rm -rf /", "Y": "two\nlines", "": "x"} {
		if err := SetEnv(t.Context(), t.TempDir(), map[string]string{name: value}); err == nil {
			t.Errorf("%q=%q was written", name, value)
		}
	}
}

func TestAFolderWithOtherThingsIsNeverClaimedOrWiped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	precious := filepath.Join(dir, "thesis.txt")
	if err := os.WriteFile(precious, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Up(t.Context(), Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), "thesis.txt") {
		t.Errorf("up in that folder: %v", err)
	}
	if err := Wipe(t.Context(), dir, nil); err != nil {
		t.Error(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 || left[0].Name() != "thesis.txt" {
		t.Errorf("the folder holds %v, %v", left, err)
	}
}

func TestDownWithoutAStackIsANoOp(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "never")
	if err := Down(t.Context(), dir, nil); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder was made: %v", err)
	}
	if _, err := Open(dir); err == nil {
		t.Error("opened a stack that is not there")
	}
}

func TestBothModulesNameTheSameGeth(t *testing.T) {
	t.Parallel()
	root, err := ModuleRoot()
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/ethereum/go-ethereum"
	ours, err := requiredVersion(filepath.Join(root, "go.mod"), module)
	if err != nil {
		t.Fatal(err)
	}
	servers, err := requiredVersion(filepath.Join(root, "internal/devstack/servers/go.mod"), module)
	if err != nil {
		t.Fatal(err)
	}
	if ours != servers {
		t.Errorf("the client library is %s, the node %s", ours, servers)
	}
}

func TestTheProjectDoesNotDependOnTheServers(t *testing.T) {
	t.Parallel()
	root, err := ModuleRoot()
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range []string{"go.temporal.io/server", "github.com/temporalio/ui-server/v2"} {
		if version, err := requiredVersion(filepath.Join(root, "go.mod"), module); err == nil {
			t.Errorf("go.mod requires %s %s", module, version)
		}
	}
}
