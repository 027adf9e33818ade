package chain

import (
	"context"
	"crypto/ecdsa"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"

	"github.com/quittance/quittance/settlement"
)

const testPassword = "correct horse"

// writeKey stores an encrypted key as geth does, with the cheapest scrypt.
func writeKey(t testing.TB, path string, key *ecdsa.PrivateKey) common.Address {
	t.Helper()
	address := crypto.PubkeyToAddress(key.PublicKey)
	content, err := keystore.EncryptKey(&keystore.Key{Id: uuid.New(), Address: address, PrivateKey: key}, testPassword, 2, 1)
	if err != nil {
		t.Fatalf("encrypt a key: %v", err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return address
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatalf("make a key: %v", err)
	}
	return key
}

// openTwo is a keystore of two lanes.
func openTwo(t testing.TB) (*Keystore, []common.Address) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"UTC--one", "two.json"} {
		writeKey(t, filepath.Join(dir, name), newKey(t))
	}
	keys, err := OpenKeystore(dir, PasswordText(testPassword))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(keys.Close)
	return keys, keys.Addresses()
}

func anyTx(chainID int64) *types.Transaction {
	return types.NewTx(&types.DynamicFeeTx{ChainID: big.NewInt(chainID), Gas: 21_000, GasFeeCap: big.NewInt(2), GasTipCap: big.NewInt(1), To: &testVault})
}

func TestAKeystoreOfTwoLanesSignsForBothAndForNobodyElse(t *testing.T) {
	t.Parallel()
	keys, addresses := openTwo(t)
	if len(addresses) != 2 || addresses[0].Cmp(addresses[1]) >= 0 {
		t.Fatalf("addresses %v are not two, sorted", addresses)
	}
	for _, address := range addresses {
		signer, err := keys.Signer(address)
		if err != nil {
			t.Fatal(err)
		}
		tx := anyTx(1337)
		signed, err := signer.Sign(t.Context(), tx)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkSigned(tx, signed, address, 1337); err != nil {
			t.Error(err)
		}
	}
	if _, err := keys.Signer(testVault); settlement.KindOf(err) != settlement.Invalid {
		t.Errorf("an address without a key: %v", err)
	}
}

func TestAClosedKeystoreSignsNothingAndHasForgottenItsKeys(t *testing.T) {
	t.Parallel()
	keys, addresses := openTwo(t)
	signer, err := keys.Signer(addresses[0])
	if err != nil {
		t.Fatal(err)
	}
	private := keys.keys[addresses[0]]
	var signing sync.WaitGroup
	for range 8 { // a signature in progress is either made or refused, never made with half a key
		signing.Go(func() {
			tx := anyTx(1337)
			if signed, err := signer.Sign(context.Background(), tx); err == nil {
				if err := checkSigned(tx, signed, addresses[0], 1337); err != nil {
					t.Error(err)
				}
			}
		})
	}
	keys.Close()
	signing.Wait()
	for _, word := range private.D.Bits()[:cap(private.D.Bits())] { //nolint:staticcheck // SA1019: looks at the key's own memory
		if word != 0 {
			t.Fatal("the key is still in memory")
		}
	}
	if _, err := signer.Sign(t.Context(), anyTx(1337)); err == nil {
		t.Error("a closed keystore signs")
	}
	if _, err := keys.Signer(addresses[0]); err == nil {
		t.Error("a closed keystore gives signers")
	}
}

func TestAKeystoreThatCannotBeOpenedNamesTheFileAndNeverThePassword(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name string
		make func(t *testing.T, dir string)
		want string
		why  string
	}{
		{"wrong password", func(t *testing.T, dir string) { writeKey(t, filepath.Join(dir, "a.json"), newKey(t)) }, "a.json: wrong password", "the file, not the secret"},
		{"no keystore", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "b.json"), "{}") }, "b.json", "a JSON file that holds no key"},
		{"no JSON", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "c.txt"), "hello") }, "c.txt is no JSON keystore", "a stray file is better refused than overlooked"},
		{"huge", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "d.json"), strings.Repeat(" ", keyFileBytesMax+1))
		}, "d.json", "a file of any size must not be read"},
		{"empty", func(*testing.T, string) {}, "holds no key file", "a process without signers is a mistake"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			row.make(t, dir)
			_, err := OpenKeystore(dir, PasswordText("wrong secret"))
			if settlement.KindOf(err) != settlement.Invalid || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), "wrong secret") {
				t.Errorf("got %v, want an invalid error with %q: %s", err, row.want, row.why)
			}
		})
	}
}

func TestAKeystoreFileThatLiesAboutItsAddressIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "liar.json")
	address := writeKey(t, path, newKey(t))
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, strings.Replace(string(content), strings.ToLower(address.Hex()[2:]), strings.Repeat("11", 20), 1))
	if _, err := OpenKeystore(dir, PasswordText(testPassword)); err == nil || !strings.Contains(err.Error(), "liar.json says it is") {
		t.Errorf("got %v", err)
	}
}

func TestTheSameKeyInTwoFilesIsRefusedAndHiddenFilesAreSkipped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	key := newKey(t)
	writeKey(t, filepath.Join(dir, "one"), key)
	write(t, filepath.Join(dir, ".hidden"), "no key")
	write(t, filepath.Join(dir, "backup~"), "no key")
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	password := filepath.Join(t.TempDir(), "password")
	write(t, password, testPassword+"\r\nsecond line")
	keys, err := OpenKeystore(dir, PasswordFile(password))
	if err != nil {
		t.Fatal(err)
	}
	keys.Close()
	writeKey(t, filepath.Join(dir, "two"), key)
	if _, err := OpenKeystore(dir, PasswordFile(password)); err == nil || !strings.Contains(err.Error(), "another file") {
		t.Errorf("got %v", err)
	}
	if _, err := OpenKeystore(dir, PasswordFile(password+".missing")); settlement.KindOf(err) != settlement.Invalid {
		t.Errorf("a missing password file: %v", err)
	}
}

// T42, https://github.com/Nethereum/Nethereum/issues/1035: a key management service returned a high s now and then, and nodes
// said "invalid sender". T41: a transaction signed for another chain.
func TestT41T42ABadSignatureIsFoundBeforeItIsStored(t *testing.T) {
	t.Parallel()
	key, other := newKey(t), newKey(t)
	address := crypto.PubkeyToAddress(key.PublicKey)
	rules := types.LatestSignerForChainID(big.NewInt(1337))
	tx := anyTx(1337)
	good, err := types.SignTx(tx, rules, key)
	if err != nil {
		t.Fatal(err)
	}
	v, r, s := good.RawSignatureValues()
	highS := types.NewTx(&types.DynamicFeeTx{
		ChainID: tx.ChainId(), Gas: tx.Gas(), GasFeeCap: tx.GasFeeCap(), GasTipCap: tx.GasTipCap(), To: tx.To(),
		V: new(big.Int).Xor(v, big.NewInt(1)), R: r, S: new(big.Int).Sub(crypto.S256().Params().N, s),
	})
	foreign, err := types.SignTx(tx, rules, other)
	if err != nil {
		t.Fatal(err)
	}
	changed, err := types.SignTx(types.NewTx(&types.DynamicFeeTx{ChainID: tx.ChainId(), Nonce: 1, Gas: 21_000, GasFeeCap: tx.GasFeeCap(), GasTipCap: tx.GasTipCap(), To: tx.To()}), rules, key)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere, err := types.SignTx(anyTx(1), types.LatestSignerForChainID(big.NewInt(1)), key)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		signed *types.Transaction
		ok     bool
		why    string
	}{
		{good, true, "the signer's own"},
		{highS, false, "s in the upper half: every node refuses it"},
		{foreign, false, "another key's"},
		{changed, false, "another nonce than it was given"},
		{elsewhere, false, "another chain's"},
		{tx, false, "not signed at all"},
	} {
		if err := checkSigned(tx, row.signed, address, 1337); (err == nil) != row.ok {
			t.Errorf("%s: %v", row.why, err)
		}
	}
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
