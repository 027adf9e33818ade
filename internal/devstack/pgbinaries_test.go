package devstack

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func fakePostgres(t *testing.T, version string) string {
	t.Helper()
	dir := t.TempDir()
	for name, script := range map[string]string{
		"initdb":   "#!/bin/sh\nexit 1\n",
		"postgres": "#!/bin/sh\necho 'postgres (PostgreSQL) " + version + "'\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestPostgresOfTheVariableMustBeThereAndNewEnough(t *testing.T) {
	for _, row := range []struct {
		dir   string
		major int
		says  string // empty: accepted
		why   string
	}{
		{t.TempDir(), 0, "no initdb", "a wrong folder is named, not passed over"},
		{fakePostgres(t, "14.9"), 0, "need 15 or newer", "the ledger needs 15"},
		{fakePostgres(t, "17.2 (Homebrew)"), 16, "need 16", "data of one major opens with that major only"},
		{fakePostgres(t, "15.18 (Debian 15.18-0+deb12u1)"), 15, "", "the same major"},
		{fakePostgres(t, "18beta1"), 0, "", "anything newer"},
	} {
		t.Setenv(EnvPostgresBin, row.dir)
		bin, err := findPostgres(t.Context(), row.major, io.Discard)
		switch {
		case row.says == "" && (err != nil || bin.dir != row.dir):
			t.Errorf("%s: got %+v, %v", row.why, bin, err)
		case row.says != "" && (err == nil || !strings.Contains(err.Error(), row.says) || !strings.Contains(err.Error(), EnvPostgresBin)):
			t.Errorf("%s: error is %v", row.why, err)
		}
	}
}

func TestAUserMayPassOnlyFoldersThatLetThem(t *testing.T) {
	t.Parallel()
	open := t.TempDir()
	if err := os.Chmod(filepath.Dir(open), 0o755); err != nil { // made for us alone
		t.Fatal(err)
	}
	closed := filepath.Join(open, "closed")
	inside := filepath.Join(closed, "inside")
	if err := os.MkdirAll(inside, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	stranger := &syscall.Credential{Uid: uint32(os.Getuid()) + 4000, Gid: uint32(os.Getgid()) + 4000}
	owner := &syscall.Credential{Uid: uint32(os.Getuid()), Gid: uint32(os.Getgid())}
	for _, row := range []struct {
		dir  string
		cred *syscall.Credential
		want bool
		why  string
	}{
		{open, stranger, true, "all may enter"},
		{inside, stranger, false, "a parent is closed"},
		{inside, owner, true, "the owner may enter"},
		{inside, nil, true, "nobody else is involved"},
	} {
		if got := reachable(row.dir, row.cred); got != row.want {
			t.Errorf("%s: %v", row.why, got)
		}
	}
}
