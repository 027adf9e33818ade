package apptest

import (
	"math/big"
	"os"
	"path/filepath"

	"github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/google/uuid"

	"github.com/quittance/quittance/contracts"
	"github.com/quittance/quittance/internal/devchain"
	"github.com/quittance/quittance/internal/devstack"
	"github.com/quittance/quittance/internal/devstack/stacktest"
)

const remotePassword = "a-password-of-clef"

// RemoteSigner starts a real clef with a key of its own, which it funds and makes an operator of the vault. The ledger does not
// know it yet.
func (w *World) RemoteSigner() (*devstack.Clef, common.Address) {
	w.T.Helper()
	dir := w.T.TempDir()
	signer := w.NewKeyFile(dir, remotePassword)
	w.Operate(signer)
	return stacktest.Clef(w.T, devstack.ClefOptions{ChainID: w.Site.ChainID, Keystore: dir, Password: remotePassword}), signer
}

// NewKeyFile writes an encrypted key of a new account.
func (w *World) NewKeyFile(dir, password string) common.Address {
	w.T.Helper()
	private, err := crypto.GenerateKey()
	w.Must(err)
	key := &keystore.Key{Id: uuid.New(), Address: crypto.PubkeyToAddress(private.PublicKey), PrivateKey: private}
	content, err := keystore.EncryptKey(key, password, keystore.LightScryptN, keystore.LightScryptP)
	w.Must(err)
	w.Must(os.WriteFile(filepath.Join(dir, key.Address.Hex()+".json"), content, 0o600))
	return key.Address
}

// Operate funds an account with one coin and lets it settle.
func (w *World) Operate(signer common.Address) {
	w.T.Helper()
	_, err := w.Owner().Do(w.T.Context(),
		devchain.Call{To: &signer, Value: big.NewInt(params.Ether)},
		devchain.Call{To: &w.Site.Vault, Data: contracts.NewVault().PackSetOperator(signer, true)})
	w.Must(err)
}
