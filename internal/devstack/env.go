package devstack

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/joho/godotenv"
)

// EnvPath is the file that holds the stack's addresses, for a shell
// (`set -a; . .devstack/env; set +a`) and for tools that read .env files.
func EnvPath(dir string) string { return filepath.Join(dir, "env") }

// ReadEnv returns the pairs of the env file.
func ReadEnv(dir string) (map[string]string, error) {
	env, err := godotenv.Read(EnvPath(dir))
	if err != nil {
		return nil, fmt.Errorf("read env file: %w", err)
	}
	return env, nil
}

// SetEnv adds or replaces pairs of the env file and keeps all others. It may
// be called from several processes at once; nobody's pairs are lost.
func SetEnv(ctx context.Context, dir string, pairs map[string]string) error {
	if err := Claim(dir); err != nil {
		return err
	}
	unlock, err := lockFile(ctx, EnvPath(dir)+".lock")
	if err != nil {
		return err
	}
	defer unlock()
	env, err := ReadEnv(dir)
	if errors.Is(err, os.ErrNotExist) {
		env, err = map[string]string{}, nil
	}
	if err != nil {
		return err
	}
	maps.Copy(env, pairs)
	content, err := formatEnv(env)
	if err != nil {
		return fmt.Errorf("write env file of %s: %w", dir, err)
	}
	return writeFile(EnvPath(dir), []byte(content))
}

var (
	envName  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	envPlain = regexp.MustCompile(`^[A-Za-z0-9_./:@,=?%+-]*$`)
)

// formatEnv quotes what a shell would take apart. A single quote or a line
// break inside a value is refused: shells and .env readers disagree on it.
func formatEnv(env map[string]string) (string, error) {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(env)) {
		value := env[name]
		switch {
		case !envName.MatchString(name):
			return "", fmt.Errorf("%q is not the name of a variable", name)
		case strings.ContainsAny(value, "'\n\r"):
			return "", fmt.Errorf("the value of %s holds a quote or a line break", name)
		case !envPlain.MatchString(value):
			value = "'" + value + "'"
		}
		fmt.Fprintf(&b, "%s=%s\n", name, value)
	}
	return b.String(), nil
}

// writeStackEnv writes the addresses and the caller's pairs. A variable that
// the user has set wins over any of them.
func writeStackEnv(ctx context.Context, s *Stack, opts Options) error {
	pairs := map[string]string{
		"DATABASE_URL":       s.DatabaseURL,
		"TEMPORAL_ADDRESS":   s.TemporalAddress,
		"TEMPORAL_NAMESPACE": s.TemporalNamespace,
		"TEMPORAL_UI_URL":    s.TemporalUIURL,
		"CHAIN_RPC_URLS":     strings.Join(s.ChainRPCURLs, ","),
		"CHAIN_ID":           strconv.FormatUint(s.ChainID, 10),
		"CHAIN_WS_URL":       s.ChainWSURL,
		"NATS_URL":           s.NATSURL,
	}
	for name, value := range opts.Env {
		pairs[name] = orDefault(opts.set(name), value)
	}
	return SetEnv(ctx, s.Dir, pairs)
}
