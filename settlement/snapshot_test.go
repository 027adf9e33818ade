package settlement

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
)

func TestASnapshotHasEveryFieldOfTheContractEvenWhenEmpty(t *testing.T) {
	t.Parallel()
	s := Settlement{
		Request: Request{
			Key: Key{Tenant: "acme", Value: "k1"}, Account: "alice", Asset: Asset{ChainID: 1337, Symbol: "USDC", Decimals: 6},
			To: common.HexToAddress("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"), Amount: NewAmount(12_500_000),
		},
		State: Waiting, Reason: WaitPaused,
	}
	raw, err := json.Marshal(s.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"key": "@acme/k1", "state": "waiting", "account": "alice", "asset": "USDC", "amount": "12.5", "amount_base_units": "12500000",
		"to": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "tx_hash": nil, "block_number": nil, "reason": WaitPaused,
	}
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s: got %v, want %v", name, got[name], value)
		}
	}
	for _, name := range []string{"tx_hash", "block_number"} {
		if _, there := got[name]; !there {
			t.Errorf("%s is absent: a script could not tell null from a misspelt name", name)
		}
	}
}
