package devstack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

const (
	rootModule = "module github.com/quittance/quittance"

	// EnvServers names a folder to keep the built servers in, instead of the
	// user's cache folder.
	EnvServers = "QUITTANCE_SERVERS"
)

// serverPackages are built from nested modules, so that the servers' hundreds
// of dependencies never reach the project's go.mod. clef has one of its own:
// it left go-ethereum after v1.17.0, and geth is newer than that.
var serverPackages = map[string]struct{ module, pkg, title, slow string }{
	"temporal":    {"servers", "./temporal", "Temporal server", " (first time, takes a few minutes)"},
	"geth":        {"servers", "github.com/ethereum/go-ethereum/cmd/geth", "geth", " (first time, takes a few minutes)"},
	"nats-server": {"servers", "github.com/nats-io/nats-server/v2", "NATS server", ""},
	"clef":        {"clef", "github.com/ethereum/go-ethereum/cmd/clef", "clef", " (first time, takes a few minutes)"},
}

// Build makes all server binaries that are not in the cache yet and returns
// their paths.
func Build(ctx context.Context, log io.Writer) ([]string, error) {
	var paths []string
	for _, name := range []string{"nats-server", "geth", "clef", "temporal"} {
		path, err := serverBinary(ctx, name, log)
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// serverBinary returns the path of a server built from exactly the pinned
// sources. A build that is interrupted leaves nothing half-made; of two
// builders one waits for the other.
func serverBinary(ctx context.Context, name string, log io.Writer) (string, error) {
	source, err := serversSource(serverPackages[name].module)
	if err != nil {
		return "", err
	}
	if path := installedGeth(ctx, name, source); path != "" {
		return path, nil
	}
	dir, err := serversCache(ctx, source)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, name)
	if executable(path) {
		return path, nil
	}
	unlock, err := lockFile(ctx, filepath.Join(dir, name+".lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	if executable(path) {
		return path, nil
	}
	what := serverPackages[name]
	fmt.Fprintf(log, "building %s%s…\n", what.title, what.slow)
	half := path + ".half"
	cmd := exec.CommandContext(ctx, "go", "build", "-ldflags", "-s -w", "-o", half, what.pkg)
	cmd.Dir = source
	cmd.Env = goEnv()
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s in %s: %w\n%s", what.title, source, err, out)
	}
	if err := os.Rename(half, path); err != nil {
		return "", fmt.Errorf("build %s: %w", what.title, err)
	}
	return path, nil
}

// goEnv drops a workspace and flags that were meant for the project: the
// nested module is not part of either.
func goEnv() []string {
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return strings.HasPrefix(kv, "GOFLAGS=") || strings.HasPrefix(kv, "GOWORK=")
	})
	return append(env, "GOWORK=off", "GOFLAGS=-buildvcs=false")
}

// serversCache is keyed by everything that can change a binary: versions,
// checksums, our own sources, compiler and platform.
func serversCache(ctx context.Context, source string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOVERSION", "GOOS", "GOARCH", "CGO_ENABLED")
	cmd.Dir = source
	cmd.Env = goEnv()
	toolchain, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("ask the go command for its version: %w", err)
	}
	sum := sha256.New()
	sum.Write(toolchain)
	files, err := filepath.Glob(filepath.Join(source, "*", "*.go"))
	if err != nil {
		return "", err
	}
	slices.Sort(files)
	for _, file := range append(files, filepath.Join(source, "go.mod"), filepath.Join(source, "go.sum")) {
		content, err := os.ReadFile(file)
		if err != nil {
			return "", fmt.Errorf("hash server sources: %w", err)
		}
		name, _ := filepath.Rel(source, file)
		fmt.Fprintf(sum, "%s %d\n", filepath.ToSlash(name), len(content))
		sum.Write(content)
	}
	base := os.Getenv(EnvServers)
	if base == "" {
		if base, err = os.UserCacheDir(); err != nil {
			base = os.TempDir()
		}
		base = filepath.Join(base, "quittance", "servers")
	}
	dir := filepath.Join(base, hex.EncodeToString(sum.Sum(nil))[:16])
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make server cache: %w", err)
	}
	return dir, nil
}

// installedGeth accepts a geth on PATH of exactly the pinned version: another
// one has other forks, fee rules or error texts.
func installedGeth(ctx context.Context, name, source string) string {
	path, err := exec.LookPath("geth")
	if name != "geth" || err != nil {
		return ""
	}
	want, err := requiredVersion(filepath.Join(source, "go.mod"), "github.com/ethereum/go-ethereum")
	if err != nil {
		return ""
	}
	out, err := exec.CommandContext(ctx, path, "version").Output()
	if err != nil || !strings.Contains(string(out), "\nVersion: "+strings.TrimPrefix(want, "v")+"-stable") {
		return ""
	}
	return path
}

func requiredVersion(gomod, module string) (string, error) {
	content, err := os.ReadFile(gomod)
	if err != nil {
		return "", fmt.Errorf("read version of %s: %w", module, err)
	}
	match := regexp.MustCompile(`(?m)^\s*(?:require )?` + regexp.QuoteMeta(module) + ` (v\S+)`).FindSubmatch(content)
	if match == nil {
		return "", fmt.Errorf("%s does not require %s", gomod, module)
	}
	return string(match[1]), nil
}

// serversSource finds a nested module: in the project that holds the working
// directory, else where this file was compiled.
func serversSource(module string) (string, error) {
	var tried []string
	if root, err := ModuleRoot(); err == nil {
		tried = append(tried, filepath.Join(root, "internal", "devstack", module))
	}
	if _, file, _, ok := runtime.Caller(0); ok {
		tried = append(tried, filepath.Join(filepath.Dir(file), module))
	}
	for _, dir := range tried {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
	}
	return "", fmt.Errorf("cannot find the server sources (tried %q): run inside the project", tried)
}

// ModuleRoot walks up from the working directory to the project's go.mod,
// past nested modules.
func ModuleRoot() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the module root: %w", err)
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		content, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && isRootModule(string(content)) {
			return dir, nil
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", fmt.Errorf("find the module root: %w", err)
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("find the module root: no go.mod of Quittance in or above %s", start)
		}
	}
}

func isRootModule(gomod string) bool {
	first, _, _ := strings.Cut(gomod, "\n")
	return strings.TrimSpace(first) == rootModule
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
