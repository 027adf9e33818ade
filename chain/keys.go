package chain

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/quittance/quittance/settlement"
)

// Signer holds one lane's key, or knows who does. Sign returns a signed copy and must change nothing but the signature; what it
// returns is checked again before it is stored, so a faulty signer costs a try and never a nonce. Signing the same
// transaction again may give other bytes.
type Signer interface {
	Address() common.Address
	Sign(ctx context.Context, tx *types.Transaction) (*types.Transaction, error)
}

// Signers finds the signer of a lane.
type Signers interface {
	Signer(address common.Address) (Signer, error)
	Addresses() []common.Address // sorted
}

// keyFileBytesMax bounds what is read from a keystore directory; a keystore file has about 500 bytes.
const keyFileBytesMax = 64 << 10

// Password gives the password of a keystore. What it returns is overwritten after use.
type Password func() ([]byte, error)

// PasswordFile reads a file's first line, as geth does. The error names the file, never its content.
func PasswordFile(path string) Password {
	return func() ([]byte, error) {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, settlement.Errorf(settlement.Invalid, "read the keystore password: %w", err)
		}
		defer clear(content)
		line, _, _ := bytes.Cut(content, []byte("\n"))
		return bytes.Clone(bytes.TrimRight(line, "\r")), nil
	}
}

// PasswordText is a password that the process got otherwise, for example in a variable.
func PasswordText(text string) Password { return func() ([]byte, error) { return []byte(text), nil } }

// Keystore is the decrypted keys of a directory. They stay in memory until Close, which overwrites them; the runtime may have
// left copies elsewhere, so a memory dump of a process that has signed must be treated as the keys themselves.
type Keystore struct {
	dir      string
	password Password

	mu     sync.RWMutex
	keys   map[common.Address]*ecdsa.PrivateKey
	closed bool
	tried  map[string]fileMark // files that were decrypted, or could not be, as they were then
}

// fileMark tells a file that was changed from one that was looked at.
type fileMark struct {
	size    int64
	changed time.Time
}

// OpenKeystore decrypts every keystore file of a directory: with the standard scrypt that takes about a second and 256 MB
// for each, one after the other. Hidden files, backups (~), links and folders are skipped, as geth does; any other
// file that is no keystore file, or has another password, is an Invalid error that names it.
func OpenKeystore(dir string, password Password) (*Keystore, error) {
	k := &Keystore{dir: dir, password: password, keys: map[common.Address]*ecdsa.PrivateKey{}, tried: map[string]fileMark{}}
	files, err := k.newFiles()
	if err != nil {
		return nil, err
	}
	secret, err := password()
	if err != nil {
		return nil, err
	}
	defer clear(secret)
	for _, path := range files {
		if _, err := k.add(path, string(secret)); err != nil {
			k.Close()
			return nil, err
		}
	}
	if len(k.keys) == 0 {
		return nil, settlement.Errorf(settlement.Invalid, "keystore %s holds no key file", dir)
	}
	return k, nil
}

// newFiles lists the files that were not looked at yet, or were written since, and notes them as looked at.
func (k *Keystore) newFiles() ([]string, error) {
	entries, err := os.ReadDir(k.dir)
	if err != nil {
		return nil, settlement.Errorf(settlement.Invalid, "read the keystore: %w", err)
	}
	var files []string
	for _, entry := range entries {
		name := entry.Name()
		if !entry.Type().IsRegular() || strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") {
			continue
		}
		info, err := entry.Info()
		if err != nil {
			continue // gone since
		}
		path, mark := filepath.Join(k.dir, name), fileMark{info.Size(), info.ModTime()}
		if k.tried[path] != mark {
			k.tried[path] = mark
			files = append(files, path)
		}
	}
	return files, nil
}

// Refresh decrypts the files that appeared or changed since the last look, each of them once: a file that fails is tried again
// only when it is written again, so that a half-copied one costs a try. It returns the new signers, and the failures joined. A
// file that vanishes takes no key away: that is what draining a lane is for. One goroutine may call it at a time.
func (k *Keystore) Refresh() ([]common.Address, error) {
	files, err := k.newFiles()
	if err != nil || len(files) == 0 {
		return nil, err
	}
	secret, err := k.password()
	if err != nil {
		for _, path := range files {
			delete(k.tried, path)
		}
		return nil, err
	}
	defer clear(secret)
	var added []common.Address
	var failures []error
	for _, path := range files {
		switch address, err := k.add(path, string(secret)); {
		case err != nil:
			failures = append(failures, err)
		default:
			added = append(added, address)
		}
	}
	return added, errors.Join(failures...)
}

// Watch refreshes until the context ends.
func (k *Keystore) Watch(ctx context.Context, every time.Duration, log *slog.Logger) error {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
		}
		added, err := k.Refresh()
		if err != nil {
			log.WarnContext(ctx, "a key file is not used", "err", err)
		}
		for _, address := range added {
			log.InfoContext(ctx, "a key was added", "signer", address)
		}
	}
}

func (k *Keystore) add(path, password string) (common.Address, error) {
	content, err := readKeyFile(path)
	if err != nil {
		return common.Address{}, settlement.Errorf(settlement.Invalid, "read keystore file: %w", err)
	}
	var declared struct{ Address string }
	if err := json.Unmarshal(content, &declared); err != nil {
		return common.Address{}, settlement.Errorf(settlement.Invalid, "keystore file %s is no JSON keystore", path)
	}
	key, err := keystore.DecryptKey(content, password)
	switch {
	case errors.Is(err, keystore.ErrDecrypt):
		return common.Address{}, settlement.Errorf(settlement.Invalid, "keystore file %s: wrong password", path)
	case err != nil:
		return common.Address{}, settlement.Errorf(settlement.Invalid, "keystore file %s: %w", path, err)
	case declared.Address != "" && common.HexToAddress(declared.Address) != key.Address:
		wipe(key.PrivateKey)
		return common.Address{}, settlement.Errorf(settlement.Invalid, "keystore file %s says it is %s but holds the key of %s", path, declared.Address, key.Address)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.closed:
		wipe(key.PrivateKey)
		return common.Address{}, fmt.Errorf("keystore file %s: the keystore is closed", path)
	case k.keys[key.Address] != nil:
		wipe(key.PrivateKey)
		return common.Address{}, settlement.Errorf(settlement.Invalid, "keystore file %s: another file holds the key of %s too", path, key.Address)
	}
	k.keys[key.Address] = key.PrivateKey
	return key.Address, nil
}

func readKeyFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > keyFileBytesMax {
		return nil, fmt.Errorf("%s has %d bytes, a keystore file at most %d", path, info.Size(), keyFileBytesMax)
	}
	return os.ReadFile(path)
}

// Addresses lists the keys that it holds, sorted.
func (k *Keystore) Addresses() []common.Address {
	k.mu.RLock()
	defer k.mu.RUnlock()
	addresses := make([]common.Address, 0, len(k.keys))
	for a := range k.keys {
		addresses = append(addresses, a)
	}
	slices.SortFunc(addresses, common.Address.Cmp)
	return addresses
}

// Signer fails for an address whose key is in none of the files.
func (k *Keystore) Signer(address common.Address) (Signer, error) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.keys[address] == nil {
		return nil, settlement.Errorf(settlement.Invalid, "the keystore holds no key of signer %s", address)
	}
	return &keySigner{keystore: k, address: address}, nil
}

// Close overwrites the keys. Signers made before fail from then on; a signature in progress is waited for.
func (k *Keystore) Close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, key := range k.keys {
		wipe(key)
	}
	clear(k.keys)
	k.closed = true
}

func wipe(key *ecdsa.PrivateKey) { clear(key.D.Bits()) } //nolint:staticcheck // SA1019: there is no other way to overwrite a key

type keySigner struct {
	keystore *Keystore
	address  common.Address
}

func (s *keySigner) Address() common.Address { return s.address }

// Sign is pure computation of well below a millisecond: it may run inside a database transaction.
func (s *keySigner) Sign(_ context.Context, tx *types.Transaction) (*types.Transaction, error) {
	s.keystore.mu.RLock()
	defer s.keystore.mu.RUnlock()
	key := s.keystore.keys[s.address]
	if key == nil {
		return nil, fmt.Errorf("sign for %s: the keystore is closed", s.address)
	}
	return types.SignTx(tx, types.LatestSignerForChainID(tx.ChainId()), key)
}

// checkSigned is the last look at a signature before it is stored. A key management service may return a high s, which every
// node refuses, or the signature of another key: better to learn it here than from "invalid sender" with the nonce taken.
func checkSigned(unsigned, signed *types.Transaction, want common.Address, chainID uint64) error {
	rules := types.LatestSignerForChainID(new(big.Int).SetUint64(chainID))
	if rules.Hash(signed) != rules.Hash(unsigned) {
		return fmt.Errorf("signer %s signed another transaction than it was given", want)
	}
	v, r, s := signed.RawSignatureValues()
	if !v.IsUint64() || v.Uint64() > 1 || !crypto.ValidateSignatureValues(byte(v.Uint64()), r, s, true) {
		return fmt.Errorf("signer %s made a signature that nodes refuse (s in the upper half, or out of range)", want)
	}
	from, err := types.Sender(rules, signed)
	if err != nil {
		return fmt.Errorf("signer %s: recover the sender: %w", want, err)
	}
	if from != want {
		return fmt.Errorf("signer %s: the signature is %s's", want, from)
	}
	return nil
}
