package chain

import (
	"context"
	"encoding/json"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/quittance/quittance/settlement"
)

// owedRows is a store of unsigned attempts.
type owedRows struct {
	rows   []settlement.Unsigned
	stored map[int64]settlement.Attempt
	stale  map[int64]bool
}

func (o *owedRows) Unsigned(context.Context, uint64) ([]settlement.Unsigned, error) {
	var owed []settlement.Unsigned
	for _, row := range o.rows {
		if !o.stored[row.ID].Signed() && !o.stale[row.ID] {
			owed = append(owed, row)
		}
	}
	return owed, nil
}

func (o *owedRows) StoreBytes(_ context.Context, id int64, signed settlement.Attempt) (settlement.Attempt, bool, error) {
	if id == 99 { // replaced while it was signed
		o.stale[id] = true
		return settlement.Attempt{}, false, settlement.Errorf(settlement.Stale, "replaced")
	}
	o.stored[id] = signed
	return signed, true, nil
}

func TestTheSignatorySignsWhatIsOwedHeadFirstAndLeavesAFailingSignerAlone(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	signer := crypto.PubkeyToAddress(key.PublicKey)
	node := newScripted(t, func(string) (any, *said, int) { return "0x00", nil, 0 })
	down, asked := true, []string{}
	remote := faulty(t, func(args map[string]any) any {
		if args == nil {
			return "6.1.0"
		}
		asked = append(asked, args["nonce"].(string))
		if down {
			return nil
		}
		var nonce hexutil.Uint64
		_ = json.Unmarshal([]byte(`"`+args["nonce"].(string)+`"`), &nonce)
		to := common.HexToAddress(args["to"].(string))
		tx, err := types.SignNewTx(key, types.LatestSignerForChainID(big.NewInt(1337)), &types.DynamicFeeTx{ChainID: big.NewInt(1337), Nonce: uint64(nonce),
			GasTipCap: big.NewInt(1), GasFeeCap: big.NewInt(2), Gas: 21_000, To: &to, Value: new(big.Int)})
		if err != nil {
			t.Error(err)
		}
		raw, _ := tx.MarshalBinary()
		return map[string]any{"raw": hexutil.Bytes(raw)}
	})
	ring := NewKeyring(nil, remote)
	ring.Look(t.Context(), []common.Address{signer})
	sender := NewSender(dialScripted(t, node), ring)
	began := time.Now()
	store := &owedRows{stored: map[int64]settlement.Attempt{}, stale: map[int64]bool{}}
	for i, id := range []int64{1, 99, 3} {
		a, err := sender.Sign(t.Context(), settlement.AttemptNoop, SelfTransfer(signer), settlement.Fees{Cap: settlement.NewAmount(2), Tip: settlement.NewAmount(1)}, signer, uint64(i))
		if err != nil || a.Signed() || a.SigningHash == (common.Hash{}) {
			t.Fatalf("a remote attempt is made without bytes: %+v %v", a, err)
		}
		store.rows = append(store.rows, settlement.Unsigned{Transaction: settlement.Transaction{ID: id, Signer: signer, Nonce: uint64(i), Newest: a}, Since: began})
	}
	now := began
	s := &Signatory{Store: store, Sender: sender, Age: 5 * time.Second, Log: slog.New(slog.DiscardHandler), now: func() time.Time { return now }}
	look := func(why string, after time.Duration, wantAsked string, wantStored int) {
		t.Helper()
		asked, now = nil, began.Add(after)
		report, err := s.RunOnce(t.Context())
		if err != nil || strings.Join(asked, " ") != wantAsked || report.Stored != wantStored {
			t.Errorf("%s: asked for %q, stored %d, %v", why, asked, report.Stored, err)
		}
	}
	look("young ones are left to the step that made them", 4*time.Second, "", 0)
	look("the first failure ends the signer's turn", 5*time.Second, "0x0", 0)
	look("and it is left alone", 5*time.Second+backOffMin/2, "", 0)
	look("then asked again", 5*time.Second+backOffMin, "0x0", 0)
	down = false
	look("the pause has doubled", 5*time.Second+2*backOffMin, "", 0)
	look("it is back: all of the lane, the one that was replaced meanwhile too", 60*time.Second, "0x0 0x1 0x2", 2)
	look("nothing is owed", 61*time.Second, "", 0)
}

func TestAKeyFileIsDecryptedOnceAndAHalfCopiedOneIsTriedAgainWhenItIsWhole(t *testing.T) {
	t.Parallel()
	dir, whole := t.TempDir(), t.TempDir()
	writeKey(t, filepath.Join(dir, "one"), newKey(t))
	passwords := 0
	keys, err := OpenKeystore(dir, func() ([]byte, error) { passwords++; return []byte(testPassword), nil })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(keys.Close)
	late := writeKey(t, filepath.Join(whole, "late"), newKey(t))
	content, err := os.ReadFile(filepath.Join(whole, "late"))
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, content []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	refresh := func(why string, wantAdded, wantPasswords int, wantErr bool) {
		t.Helper()
		added, err := keys.Refresh()
		if len(added) != wantAdded || (err != nil) != wantErr || passwords != wantPasswords {
			t.Errorf("%s: added %v, %v, password asked %d times", why, added, err, passwords)
		}
	}
	refresh("nothing new: no file is decrypted", 0, 1, false)
	write("late", content[:len(content)/2])
	refresh("a half-copied file", 0, 2, true)
	refresh("it is not tried again as it is", 0, 2, false)
	write("late", content)
	refresh("whole", 1, 3, false)
	refresh("once", 0, 3, false)
	if _, err := keys.Signer(late); err != nil {
		t.Error(err)
	}
	write("twin", content)
	refresh("the same key in another file", 0, 4, true)
}
