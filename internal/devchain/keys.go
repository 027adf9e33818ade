// Package devchain turns a fresh dev chain and an empty ledger into something to work with: keys, a vault, a token,
// their registration, customers' deposits. It serves `make up`, the demo, the benchmark and tests. It may import
// anything of this project and must never be linked into worker, listener or relay: its keys are worth nothing.
package devchain

import (
	"crypto/ecdsa"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"
)

const (
	signersDir   = "keystore"          // the lanes' signers: what worker and listener read
	peopleDir    = "keystore-people"   // the vault's owner and the example customers
	passwordFile = "keystore-password" // one password for both
	owner        = "owner"
)

// Keys are one stack's accounts. They are made once and read again afterwards; the files are encrypted like any
// keystore, with a cheap scrypt so that a start stays quick.
type Keys struct {
	KeystoreDir  string
	PasswordFile string
	Owner        *ecdsa.PrivateKey
	Customers    map[string]*ecdsa.PrivateKey // by account name
	Signers      []common.Address             // sorted by file name
}

// EnsureKeys reads the keys below dir, and makes what is missing: so many signers, the owner, and one wallet per customer.
func EnsureKeys(dir string, signers int, customers []string) (Keys, error) {
	k := Keys{KeystoreDir: filepath.Join(dir, signersDir), PasswordFile: filepath.Join(dir, passwordFile), Customers: map[string]*ecdsa.PrivateKey{}}
	password, err := ensurePassword(k.PasswordFile)
	if err != nil {
		return Keys{}, err
	}
	for i := range signers {
		key, err := ensureKey(filepath.Join(k.KeystoreDir, fmt.Sprintf("signer-%02d.json", i+1)), password)
		if err != nil {
			return Keys{}, err
		}
		k.Signers = append(k.Signers, crypto.PubkeyToAddress(key.PublicKey))
	}
	if k.Owner, err = ensureKey(filepath.Join(dir, peopleDir, owner+".json"), password); err != nil {
		return Keys{}, err
	}
	for _, name := range customers {
		key, err := ensureKey(filepath.Join(dir, peopleDir, "customer-"+name+".json"), password)
		if err != nil {
			return Keys{}, err
		}
		k.Customers[name] = key
	}
	return k, nil
}

// Addresses lists every account, to be funded in the genesis.
func (k Keys) Addresses() []common.Address {
	all := append([]common.Address{crypto.PubkeyToAddress(k.Owner.PublicKey)}, k.Signers...)
	for _, key := range k.Customers {
		all = append(all, crypto.PubkeyToAddress(key.PublicKey))
	}
	return all
}

func ensurePassword(path string) (string, error) {
	raw, err := os.ReadFile(path)
	if err == nil {
		return strings.TrimSpace(string(raw)), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read keystore password: %w", err)
	}
	var random [16]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", fmt.Errorf("make keystore password: %w", err)
	}
	password := hex.EncodeToString(random[:])
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", fmt.Errorf("write keystore password: %w", err)
	}
	if err := os.WriteFile(path, []byte(password+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("write keystore password: %w", err)
	}
	return password, nil
}

func ensureKey(path, password string) (*ecdsa.PrivateKey, error) {
	raw, err := os.ReadFile(path)
	switch {
	case err == nil:
		key, err := keystore.DecryptKey(raw, password)
		if err != nil {
			return nil, fmt.Errorf("decrypt %s: %w", path, err)
		}
		return key.PrivateKey, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("read key: %w", err)
	}
	private, err := crypto.GenerateKey()
	if err != nil {
		return nil, fmt.Errorf("make key: %w", err)
	}
	key := &keystore.Key{Id: uuid.New(), Address: crypto.PubkeyToAddress(private.PublicKey), PrivateKey: private}
	encrypted, err := keystore.EncryptKey(key, password, keystore.LightScryptN, keystore.LightScryptP)
	if err != nil {
		return nil, fmt.Errorf("encrypt key: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("write key: %w", err)
	}
	if err := os.WriteFile(path, encrypted, 0o600); err != nil {
		return nil, fmt.Errorf("write key: %w", err)
	}
	return private, nil
}
