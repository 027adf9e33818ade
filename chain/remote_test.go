package chain

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/quittance/quittance/internal/devstack"
	"github.com/quittance/quittance/internal/devstack/stacktest"
	"github.com/quittance/quittance/settlement"
)

const remoteTimeout = 30 * time.Second // a slow machine decrypts a key file for every signature

// signs is what the tests ask a remote signer for: a call of the vault.
func vaultCall(chainID uint64) *types.Transaction {
	to := common.HexToAddress("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")
	return types.NewTx(&types.DynamicFeeTx{
		ChainID: new(big.Int).SetUint64(chainID), Nonce: 7, GasTipCap: big.NewInt(1), GasFeeCap: big.NewInt(1_000_000_007), Gas: 100_000, To: &to,
		Value: new(big.Int), Data: vaultABI.PackRevoke([32]byte{1}),
	})
}

func TestARealClefSignsRefusesAndComesBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	signer := writeKey(t, filepath.Join(dir, "one"), newKey(t))
	clef := stacktest.Clef(t, devstack.ClefOptions{ChainID: 1337, Keystore: dir, Password: testPassword})
	for _, address := range []string{clef.URL, clef.IPCPath} {
		remote, err := NewRemote(address, remoteTimeout)
		if err != nil {
			t.Fatal(err)
		}
		defer remote.Close()
		key := &remoteKey{remote: remote, address: signer}
		unsigned := vaultCall(1337)
		if !remote.Up(t.Context()) {
			t.Errorf("%s: clef is there and does not answer", address)
		}
		signed, err := key.Sign(t.Context(), unsigned)
		if err != nil {
			t.Fatalf("%s: %v", address, err)
		}
		if err := checkSigned(unsigned, signed, signer, 1337); err != nil {
			t.Errorf("%s: %v", address, err)
		}
		again, err := key.Sign(t.Context(), unsigned)
		if err != nil || again.Hash() != signed.Hash() {
			t.Errorf("%s: asked again, clef signs other bytes: %v %v", address, again, err)
		}
		for _, row := range []struct {
			why  string
			key  *remoteKey
			tx   *types.Transaction
			text string
		}{
			{"clef is set to one chain", key, vaultCall(1), "requested chainid 1 does not match"},
			{"clef has no such key", &remoteKey{remote: remote, address: common.HexToAddress("0x01")}, vaultCall(1337), "unknown account"},
		} {
			if _, err := row.key.Sign(t.Context(), row.tx); !errors.Is(err, ErrSignerRefused) || settlement.KindOf(err) != settlement.Transient || !strings.Contains(err.Error(), row.text) {
				t.Errorf("%s: %v", row.why, err)
			}
		}
		if err := clef.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := key.Sign(t.Context(), unsigned); !errors.Is(err, ErrSignerAway) || settlement.KindOf(err) != settlement.Transient {
			t.Errorf("%s: clef is stopped: %v", address, err)
		}
		if err := clef.SetRules(`function ApproveTx(r) { return r.transaction.nonce == "0x7" ? "Reject" : "Approve" }`); err != nil {
			t.Fatal(err)
		}
		if err := clef.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := key.Sign(t.Context(), unsigned); !errors.Is(err, ErrSignerRefused) || !strings.Contains(err.Error(), "request denied") {
			t.Errorf("%s: the rules say no: %v", address, err)
		}
		if err := errors.Join(clef.Stop(t.Context()), clef.SetRules(devstack.ClefApproveAll), clef.Start(t.Context())); err != nil {
			t.Fatal(err)
		}
		if back, err := key.Sign(t.Context(), unsigned); err != nil || back.Hash() != signed.Hash() {
			t.Errorf("%s: clef is back: %v", address, err)
		}
	}
}

// faulty is a remote signer that answers as it is told: what no clef does.
func faulty(t *testing.T, answer func(args map[string]any) (result any)) *Remote {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			ID     json.RawMessage
			Params []json.RawMessage
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			t.Errorf("decode: %v", err)
		}
		var args map[string]any
		if len(request.Params) > 0 {
			_ = json.Unmarshal(request.Params[0], &args)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": request.ID, "result": answer(args)})
	}))
	t.Cleanup(server.Close)
	remote, err := NewRemote(server.URL+"/secret-path?token=hidden", remoteTimeout)
	if err != nil {
		t.Fatal(err)
	}
	return remote
}

func TestWhatARemoteSignerReturnsIsNotTrusted(t *testing.T) {
	t.Parallel()
	key, thief := newKey(t), newKey(t)
	signer := crypto.PubkeyToAddress(key.PublicKey)
	rules := types.LatestSignerForChainID(big.NewInt(1337))
	raw := func(tx *types.Transaction, err error) any {
		if err != nil {
			t.Error(err)
		}
		bytes, err := tx.MarshalBinary()
		if err != nil {
			t.Error(err)
		}
		return map[string]any{"raw": hexutil.Bytes(bytes)}
	}
	changed := func(change func(*types.DynamicFeeTx)) any {
		tx := vaultCall(1337)
		data := &types.DynamicFeeTx{ChainID: tx.ChainId(), Nonce: tx.Nonce(), GasTipCap: tx.GasTipCap(), GasFeeCap: tx.GasFeeCap(), Gas: tx.Gas(), To: tx.To(), Value: tx.Value(), Data: tx.Data()}
		change(data)
		return raw(types.SignNewTx(key, rules, data))
	}
	high := func() any {
		signed, err := types.SignTx(vaultCall(1337), rules, key)
		if err != nil {
			t.Fatal(err)
		}
		v, r, s := signed.RawSignatureValues()
		return raw(types.NewTx(&types.DynamicFeeTx{ChainID: signed.ChainId(), Nonce: signed.Nonce(), GasTipCap: signed.GasTipCap(), GasFeeCap: signed.GasFeeCap(), Gas: signed.Gas(),
			To: signed.To(), Value: signed.Value(), Data: signed.Data(), V: new(big.Int).Sub(big.NewInt(1), v), R: r, S: new(big.Int).Sub(crypto.S256().Params().N, s)}), nil)
	}
	for _, row := range []struct {
		why    string
		answer any
		good   bool
	}{
		{"its own signature", raw(types.SignTx(vaultCall(1337), rules, key)), true},
		{"s in the upper half is the same signature, and is turned", high(), true},
		{"another key", raw(types.SignTx(vaultCall(1337), rules, thief)), false},
		{"another nonce", changed(func(d *types.DynamicFeeTx) { d.Nonce++ }), false},
		{"another recipient", changed(func(d *types.DynamicFeeTx) { d.To = &common.Address{1} }), false},
		{"a value", changed(func(d *types.DynamicFeeTx) { d.Value = big.NewInt(1) }), false},
		{"other data", changed(func(d *types.DynamicFeeTx) { d.Data = append([]byte{}, d.Data[:35]...) }), false},
		{"more gas", changed(func(d *types.DynamicFeeTx) { d.Gas++ }), false},
		{"a higher cap", changed(func(d *types.DynamicFeeTx) { d.GasFeeCap = big.NewInt(1_000_000_008) }), false},
		{"a higher tip", changed(func(d *types.DynamicFeeTx) { d.GasTipCap = big.NewInt(2) }), false},
		{"an access list", changed(func(d *types.DynamicFeeTx) { d.AccessList = types.AccessList{{Address: common.Address{1}}} }), false},
		{"no signature", raw(vaultCall(1337), nil), false},
		{"nothing", nil, false},
		{"no transaction", map[string]any{"raw": "0x02c0"}, false},
	} {
		remote := faulty(t, func(map[string]any) any { return row.answer })
		unsigned := vaultCall(1337)
		signed, err := (&remoteKey{remote: remote, address: signer}).Sign(t.Context(), unsigned)
		if err == nil {
			err = checkSigned(unsigned, signed, signer, 1337)
		}
		if (err == nil) != row.good {
			t.Errorf("%s: %v", row.why, err)
		}
	}
}

func TestAnUnreachableSignerIsAwayAndItsSecretIsNotTold(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	over := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-over }))
	t.Cleanup(func() { close(over); hanging.Close() })
	for _, row := range []struct{ why, url string }{
		{"nobody listens", closed.URL + "/secret?token=secret"},
		{"it hangs", hanging.URL + "/secret?token=secret"},
		{"there is no socket", filepath.Join(t.TempDir(), "clef.ipc")},
	} {
		remote, err := NewRemote(row.url, 200*time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		if remote.Up(t.Context()) {
			t.Errorf("%s: is up", row.why)
		}
		_, err = (&remoteKey{remote: remote}).Sign(t.Context(), vaultCall(1337))
		if !errors.Is(err, ErrSignerAway) || settlement.KindOf(err) != settlement.Transient || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", row.why, err)
		}
		remote.Close()
	}
	for _, bad := range []string{"", "ftp://host", "host:8550", "relative/clef.ipc", "http://"} {
		if _, err := NewRemote(bad, time.Second); settlement.KindOf(err) != settlement.Invalid {
			t.Errorf("%q is taken: %v", bad, err)
		}
	}
}

func TestTheKeyringKeepsNewPaymentsFromASignerThatIsAway(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	local := writeKey(t, filepath.Join(dir, "one"), newKey(t))
	both := writeKey(t, filepath.Join(dir, "two"), newKey(t))
	keys, err := OpenKeystore(dir, PasswordText(testPassword))
	if err != nil {
		t.Fatal(err)
	}
	away := common.HexToAddress("0xee")
	down, err := NewRemote(filepath.Join(t.TempDir(), "none.ipc"), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	up := faulty(t, func(map[string]any) any { return "6.1.0" })
	for _, row := range []struct {
		why    string
		remote *Remote
		lanes  []common.Address
		holds  []common.Address
		signs  []common.Address
	}{
		{"no remote signer, no remote lane", nil, nil, []common.Address{local, both}, []common.Address{local, both}},
		{"no remote signer for a remote lane", nil, []common.Address{away}, []common.Address{local, both}, []common.Address{local, both}},
		{"away: its lanes get nothing new, but what is out is still asked of it", down, []common.Address{away}, []common.Address{local, both}, []common.Address{local, both, away}},
		{"there", up, []common.Address{away}, []common.Address{local, both, away}, []common.Address{local, both, away}},
		{"a remote lane whose key lies here too is the remote signer's", down, []common.Address{away, both}, []common.Address{local}, []common.Address{local, both, away}},
	} {
		ring := NewKeyring(keys, row.remote)
		ring.Look(context.Background(), row.lanes)
		for _, a := range []common.Address{local, both, away} {
			_, err := ring.Signer(a)
			if ring.Holds(a) != contains(row.holds, a) || (err == nil) != contains(row.signs, a) {
				t.Errorf("%s: %s: holds %v, signer %v", row.why, a, ring.Holds(a), err)
			}
		}
	}
}

func contains(list []common.Address, a common.Address) bool {
	for _, x := range list {
		if x == a {
			return true
		}
	}
	return false
}
