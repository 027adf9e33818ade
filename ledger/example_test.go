package ledger_test

import (
	"context"
	"fmt"
	"os"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// A request is accepted when Reserve has committed. Asking again, after a timeout or a crash, gives the same answer.
func ExampleLedger_Reserve() {
	ctx := context.Background()
	l, err := ledger.Open(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	usdc, err := l.Asset(ctx, 1337, "USDC")
	if err != nil {
		fmt.Println(err)
		return
	}
	amount, err := settlement.ParseUnits("12.5", usdc.Decimals)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := l.Reserve(ctx, settlement.Reservation{
		RequestID: "6f1c1f0e", // random; the same when this very request is tried again
		Vault:     common.HexToAddress("0x5FbDB2315678afecb367f032d93F642f64180aa3"),
		Request: settlement.Request{
			Key:     settlement.Key{Tenant: settlement.DefaultTenant, Value: "order-1"},
			Account: "alice", Asset: usdc, Amount: amount,
			To: common.HexToAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8"),
		},
	})
	switch settlement.KindOf(err) {
	case settlement.Conflict:
		fmt.Println("the key was used for something else:", err)
	case settlement.Unknown:
		if err == nil {
			fmt.Println(s.Key, "is", s.State) // requested; or failed, with s.Reason, for lack of balance
			return
		}
		fmt.Println("it may have been accepted: ask again with the same key")
	default:
		fmt.Println(err)
	}
}
