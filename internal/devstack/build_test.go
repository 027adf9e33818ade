package devstack

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestOnlyAGethOfThePinnedVersionIsTakenFromPath(t *testing.T) {
	source, err := serversSource("servers")
	if err != nil {
		t.Fatal(err)
	}
	pinned, err := requiredVersion(filepath.Join(source, "go.mod"), "github.com/ethereum/go-ethereum")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		says string
		want bool
		why  string
	}{
		{"Version: " + pinned[1:] + "-stable", true, "the pinned release"},
		{"Version: " + pinned[1:] + "-stable-0cf3d3ba", true, "a release that names its commit"},
		{"Version: " + pinned[1:] + "1-stable", false, "another release that begins the same"},
		{"Version: " + pinned[1:] + "-unstable", false, "a build from between two releases"},
		{"Version: 1.0.0-stable", false, "an old one"},
	} {
		dir := t.TempDir()
		script := fmt.Sprintf("#!/bin/sh\necho Geth\necho '%s'\n", row.says)
		if err := os.WriteFile(filepath.Join(dir, "geth"), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", dir+string(os.PathListSeparator)+"/bin:/usr/bin")
		if got := installedGeth(t.Context(), "geth", source) == filepath.Join(dir, "geth"); got != row.want {
			t.Errorf("%s: taken = %v", row.why, got)
		}
		if path := installedGeth(t.Context(), "temporal", source); path != "" {
			t.Errorf("%s taken for temporal", path)
		}
	}
}

func TestCacheKeyFollowsTheSources(t *testing.T) {
	t.Setenv(EnvServers, t.TempDir())
	source := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		path := filepath.Join(source, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	key := func() string {
		t.Helper()
		dir, err := serversCache(t.Context(), source)
		if err != nil {
			t.Fatal(err)
		}
		return dir
	}
	write("go.mod", "module x\n")
	write("go.sum", "")
	write("temporal/main.go", "package main\n")
	seen := map[string]string{key(): "the first"}
	for _, name := range []string{"go.mod", "go.sum", "temporal/main.go"} {
		write(name, "module x\n// changed "+name+"\n")
		if again := key(); seen[again] != "" {
			t.Errorf("a change of %s keeps the binaries of %s", name, seen[again])
		} else {
			seen[again] = "a change of " + name
		}
		if first, second := key(), key(); first != second {
			t.Error("the key is not stable")
		}
	}
}
