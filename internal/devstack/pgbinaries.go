package devstack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	embeddedpostgres "github.com/fergusstrange/embedded-postgres"
)

const (
	// EnvPostgresBin names the folder that holds initdb and postgres.
	EnvPostgresBin = "QUITTANCE_POSTGRES_BIN"

	// EnvPostgresRepository names a Maven repository to download from, instead
	// of Maven Central.
	EnvPostgresRepository = "QUITTANCE_POSTGRES_REPOSITORY"

	fetchVersion = embeddedpostgres.V17
	postgresMin  = 15 // the ledger uses what came with this version
)

// postgresPlaces are where packages put the binaries when not on PATH.
var postgresPlaces = []string{
	"/usr/lib/postgresql/*/bin",                               // Debian, Ubuntu
	"/usr/pgsql-*/bin",                                        // Red Hat, from postgresql.org
	"/opt/homebrew/opt/postgresql@*/bin",                      // Homebrew, Apple silicon
	"/usr/local/opt/postgresql@*/bin",                         // Homebrew, Intel
	"/home/linuxbrew/.linuxbrew/opt/postgresql@*/bin",         // Homebrew, Linux
	"/Applications/Postgres.app/Contents/Versions/latest/bin", // Postgres.app
}

// pgBinaries is a folder with initdb and postgres of one major version.
type pgBinaries struct {
	dir   string
	major int
}

// findPostgres prefers the variable, then PATH, then the newest installed,
// and downloads a distribution when the machine has none. major 0 accepts any
// version from 15 on; data can only be opened by the major that made it.
func findPostgres(ctx context.Context, major int, log io.Writer) (pgBinaries, error) {
	if dir := os.Getenv(EnvPostgresBin); dir != "" {
		bin, err := inspectPostgres(ctx, dir)
		if err != nil {
			return pgBinaries{}, fmt.Errorf("%s=%s: %w", EnvPostgresBin, dir, err)
		}
		if !bin.fits(major) {
			return pgBinaries{}, fmt.Errorf("%s=%s is version %d, need %s", EnvPostgresBin, dir, bin.major, needed(major))
		}
		return bin, nil
	}
	var found []pgBinaries
	for _, dir := range postgresDirs() {
		if bin, err := inspectPostgres(ctx, dir); err == nil && bin.fits(major) {
			found = append(found, bin)
		}
	}
	if len(found) > 0 {
		return found[0], nil
	}
	bin, err := fetchPostgres(ctx, log)
	if err == nil && !bin.fits(major) {
		err = fmt.Errorf("the download is version %d", bin.major)
	}
	if err != nil {
		return pgBinaries{}, fmt.Errorf("no Postgres %s on this machine, and none could be downloaded (%w): "+
			"install it (apt install postgresql, brew install postgresql@17) or set %s to the folder of initdb and postgres",
			needed(major), err, EnvPostgresBin)
	}
	return bin, nil
}

func (b pgBinaries) fits(major int) bool {
	return b.major >= postgresMin && (major == 0 || b.major == major)
}

func needed(major int) string {
	if major == 0 {
		return fmt.Sprintf("%d or newer", postgresMin)
	}
	return strconv.Itoa(major)
}

// postgresDirs lists candidates, best first. A link on PATH is followed:
// initdb looks for postgres beside its real file.
func postgresDirs() []string {
	var dirs []string
	if path, err := exec.LookPath("initdb"); err == nil {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			dirs = append(dirs, filepath.Dir(real))
		}
	}
	for _, pattern := range postgresPlaces {
		matches, err := filepath.Glob(pattern)
		if err != nil {
			continue // a constant pattern is never malformed
		}
		slices.SortFunc(matches, func(a, b string) int { return numberIn(b) - numberIn(a) })
		dirs = append(dirs, matches...)
	}
	return dirs
}

func numberIn(path string) int {
	n, _ := strconv.Atoi(regexp.MustCompile(`\d+`).FindString(path))
	return n
}

func inspectPostgres(ctx context.Context, dir string) (pgBinaries, error) {
	if !executable(filepath.Join(dir, "initdb")) {
		return pgBinaries{}, errors.New("it holds no initdb")
	}
	out, err := exec.CommandContext(ctx, filepath.Join(dir, "postgres"), "--version").Output()
	if err != nil {
		return pgBinaries{}, fmt.Errorf("ask postgres for its version: %w", err)
	}
	match := regexp.MustCompile(`\(PostgreSQL\) (\d+)`).FindSubmatch(out)
	if match == nil {
		return pgBinaries{}, fmt.Errorf("postgres says %q", bytes.TrimSpace(out))
	}
	major, err := strconv.Atoi(string(match[1]))
	return pgBinaries{dir: dir, major: major}, err
}

// fetchPostgres downloads a distribution from Maven Central, once. As root it
// goes to the folder for temporary files: the unprivileged user that will run
// it cannot enter root's home. The library can only fetch by starting a
// server of its own, so that is stopped again at once, and its failure does
// not matter if the binaries are there.
func fetchPostgres(ctx context.Context, log io.Writer) (pgBinaries, error) {
	base, err := fetchDir()
	if err != nil {
		return pgBinaries{}, err
	}
	unlock, err := lockFile(ctx, filepath.Join(base, "lock"))
	if err != nil {
		return pgBinaries{}, err
	}
	defer unlock()
	whole, half := filepath.Join(base, "dist"), filepath.Join(base, "half")
	dir := filepath.Join(whole, "bin")
	if bin, err := inspectPostgres(ctx, dir); err == nil {
		return bin, nil
	}
	fmt.Fprintf(log, "downloading Postgres %s (first time)…\n", fetchVersion)
	if err := errors.Join(os.RemoveAll(half), os.RemoveAll(whole), os.Mkdir(half, 0o755)); err != nil {
		return pgBinaries{}, fmt.Errorf("make room for Postgres: %w", err)
	}
	scratch, err := os.MkdirTemp("", "quittance-fetch-*")
	if err != nil {
		return pgBinaries{}, fmt.Errorf("make a scratch folder: %w", err)
	}
	defer os.RemoveAll(scratch)
	port, err := freePort()
	if err != nil {
		return pgBinaries{}, err
	}
	config := embeddedpostgres.DefaultConfig().Version(fetchVersion).Port(uint32(port)).Logger(io.Discard).
		BinariesPath(half).RuntimePath(filepath.Join(scratch, "run")).CachePath(filepath.Join(scratch, "download"))
	if mirror := os.Getenv(EnvPostgresRepository); mirror != "" {
		config = config.BinaryRepositoryURL(mirror)
	}
	server := embeddedpostgres.NewDatabase(config)
	startErr := server.Start()
	if startErr == nil {
		if err := server.Stop(); err != nil {
			return pgBinaries{}, fmt.Errorf("stop the downloaded Postgres: %w", err)
		}
	}
	bin, err := inspectPostgres(ctx, filepath.Join(half, "bin"))
	if err == nil {
		bin.dir, err = dir, os.Rename(half, whole)
	}
	if err != nil {
		return pgBinaries{}, fmt.Errorf("download Postgres: %w", errors.Join(startErr, err))
	}
	return bin, nil
}

func fetchDir() (string, error) {
	name := "postgres-" + string(fetchVersion)
	if os.Getuid() == 0 {
		return outsideDir(name)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return outsideDir(name)
	}
	return filepath.Join(cache, "quittance", name), nil
}
