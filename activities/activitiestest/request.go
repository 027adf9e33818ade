package activitiestest

import "github.com/quittance/quittance/activities"

// Request asks for 12.5 USDC; a caller may change any field.
func Request(key string) activities.Request {
	return activities.Request{
		Key: key, RequestID: "request-of-" + key, Account: "alice",
		Asset:  activities.Asset{ID: 1, ChainID: 1337, Symbol: "USDC", Token: "0x00000000000000000000000000000000000c0ffe", Decimals: 6},
		To:     "0x00000000000000000000000000000000000A11cE",
		Amount: "12500000", Vault: "0x00000000000000000000000000000000000fA017",
	}
}
