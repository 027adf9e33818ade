package devstack

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// unprivileged is the user that Postgres runs as when we are root: it refuses
// to run as root. Nil means "as ourselves".
func unprivileged() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
		if uidErr == nil && gidErr == nil && uid != 0 {
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
		}
	}
	return nil, fmt.Errorf("running as root, and there is no user postgres or nobody to run Postgres as")
}

// reachable says whether the user may pass through all folders above path.
func reachable(path string, cred *syscall.Credential) bool {
	if cred == nil {
		return true
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	for dir := real; ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil || !mayEnter(info, cred) {
			return false
		}
		if dir == filepath.Dir(dir) {
			return true
		}
	}
}

func mayEnter(info os.FileInfo, cred *syscall.Credential) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	mode := info.Mode().Perm()
	switch {
	case stat.Uid == cred.Uid:
		return mode&0o100 != 0
	case stat.Gid == cred.Gid:
		return mode&0o010 != 0
	default:
		return mode&0o001 != 0
	}
}

// outsideDir is a folder for data that cannot live in dir. Its name is
// guessable, so one that somebody else made is refused.
func outsideDir(dir string) (string, error) {
	sum := sha256.Sum256([]byte(dir))
	outside := filepath.Join(os.TempDir(), "quittance-"+hex.EncodeToString(sum[:6]))
	if err := os.Mkdir(outside, 0o755); err != nil && !os.IsExist(err) {
		return "", fmt.Errorf("make %s: %w", outside, err)
	}
	info, err := os.Lstat(outside)
	if err != nil {
		return "", fmt.Errorf("look at %s: %w", outside, err)
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || !info.IsDir() || int(stat.Uid) != os.Getuid() {
		return "", fmt.Errorf("%s exists and is not a folder of ours", outside)
	}
	// A strict umask must not lock the unprivileged user out.
	if err := os.Chmod(outside, 0o755); err != nil {
		return "", fmt.Errorf("open %s up: %w", outside, err)
	}
	return outside, nil
}
