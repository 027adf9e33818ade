package devstack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// marker tells a stack's folder from one that only happens to be named in a
// flag: a wipe deletes everything beside it.
const marker = ".quittance-devstack"

var partNames = []string{"postgres", "temporal", "geth", "nats"}

// Claim makes the folder of a stack. It refuses one that holds other things.
func Claim(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the stack's folder: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("look into the stack's folder: %w", err)
	}
	stranger := slices.IndexFunc(entries, func(entry os.DirEntry) bool {
		return !slices.Contains(append([]string{marker, PrivateDir, "lock"}, partNames...), entry.Name())
	})
	// Asked last: another process may be claiming it and writing to it now.
	if claimed(dir) {
		return nil
	}
	if stranger >= 0 {
		return fmt.Errorf("%s holds %s and is not the folder of a dev stack: choose an empty one", dir, entries[stranger].Name())
	}
	// Not by rename: the name must exist before anything else does.
	f, err := os.OpenFile(filepath.Join(dir, marker), os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("claim the stack's folder: %w", err)
	}
	return f.Close()
}

func claimed(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, marker))
	return err == nil
}

// Open describes the stack in a folder without starting anything; its parts
// may run or not. A folder in which up never finished is an error.
func Open(dir string) (*Stack, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open stack: %w", err)
	}
	env, err := ReadEnv(dir)
	if err != nil {
		return nil, fmt.Errorf("there is no stack in %s, run up first: %w", dir, err)
	}
	s := &Stack{
		Dir:               dir,
		DatabaseURL:       env["DATABASE_URL"],
		TemporalAddress:   env["TEMPORAL_ADDRESS"],
		TemporalNamespace: env["TEMPORAL_NAMESPACE"],
		TemporalUIURL:     env["TEMPORAL_UI_URL"],
		ChainRPCURLs:      strings.Split(env["CHAIN_RPC_URLS"], ","),
		ChainWSURL:        env["CHAIN_WS_URL"],
		NATSURL:           env["NATS_URL"],
	}
	if s.ChainID, err = strconv.ParseUint(env["CHAIN_ID"], 10, 64); err != nil {
		return nil, fmt.Errorf("CHAIN_ID in the env file of %s: %w", dir, err)
	}
	pg, pgErr := openPostgres(filepath.Join(dir, "postgres"), nil)
	temporal, temporalErr := openTemporal(filepath.Join(dir, "temporal"), nil)
	geth, gethErr := openGeth(filepath.Join(dir, "geth"), nil)
	nats, natsErr := openNATS(filepath.Join(dir, "nats"), nil)
	if err := errors.Join(pgErr, temporalErr, gethErr, natsErr); err != nil {
		return nil, err
	}
	if pg.URL == s.DatabaseURL {
		s.Postgres = pg
	}
	if temporal.Address == s.TemporalAddress {
		s.Temporal = temporal
	}
	if geth.RPCURL == s.ChainRPCURLs[0] {
		s.Geth = geth
	}
	if nats.URL == s.NATSURL {
		s.NATS = nats
	}
	return s, nil
}

// Down stops all servers that live in the folder, last started first, and
// the private ones of tests. It is a no-op for a folder without any.
func Down(ctx context.Context, dir string, log io.Writer) error {
	return lockedIfOurs(ctx, dir, func() error { return takeDown(ctx, dir, log, (*Part).Stop) })
}

// Wipe is Down that also deletes the folder with all that is in it. A folder
// that no stack claimed loses its servers only.
func Wipe(ctx context.Context, dir string, log io.Writer) error {
	return lockedIfOurs(ctx, dir, func() error {
		if err := takeDown(ctx, dir, log, (*Part).Wipe); err != nil {
			return err
		}
		if !claimed(dir) {
			return nil
		}
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("wipe the stack's folder: %w", err)
		}
		return nil
	})
}

// lockedIfOurs keeps a mistyped folder free of our lock file.
func lockedIfOurs(ctx context.Context, dir string, do func() error) error {
	ours := false
	for _, name := range append([]string{marker, PrivateDir}, partNames...) {
		_, err := os.Stat(filepath.Join(dir, name))
		ours = ours || err == nil
	}
	if !ours {
		return nil
	}
	unlock, err := lockFile(ctx, filepath.Join(dir, "lock"))
	if err != nil {
		return err
	}
	defer unlock()
	return do()
}

func takeDown(ctx context.Context, dir string, log io.Writer, end func(*Part, context.Context) error) error {
	errs := []error{reapPrivate(ctx, dir, func(string) bool { return false })}
	for _, part := range slices.Backward(openParts(dir, log)) {
		wasRunning := part.Running()
		err := end(part, ctx)
		if err == nil && wasRunning {
			fmt.Fprintf(part.log, "%s stopped\n", part.name)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// openParts opens what has a folder. A part with a broken file is opened
// nevertheless, as far as it can be: it must be possible to stop and wipe it.
func openParts(dir string, log io.Writer) []*Part {
	var parts []*Part
	for _, name := range partNames {
		partDir := filepath.Join(dir, name)
		if _, err := os.Stat(partDir); err != nil {
			continue
		}
		parts = append(parts, openForStop(name, partDir, log))
	}
	return parts
}
