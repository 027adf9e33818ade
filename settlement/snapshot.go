package settlement

import "github.com/ethereum/go-ethereum/common"

// Snapshot is what a settlement looks like from outside: the stored answer of a finished key, the payload of its events, and
// what the CLI and the API print. Fields are only ever added. Amounts are decimal strings, addresses carry their checksum.
type Snapshot struct {
	Key         string       `json:"key"` // canonical
	State       State        `json:"state"`
	Account     string       `json:"account"`
	ChainID     uint64       `json:"chain_id"`
	Asset       string       `json:"asset"`
	Amount      string       `json:"amount"` // in the asset's own unit
	AmountBase  Amount       `json:"amount_base_units"`
	To          string       `json:"to"`
	TxHash      *common.Hash `json:"tx_hash"`      // of the payment, once mined
	BlockNumber *uint64      `json:"block_number"` // where it was mined
	Reason      string       `json:"reason"`       // why it waits or was not paid
	Proof       Proof        `json:"proof,omitempty"`
	OnchainID   common.Hash  `json:"settlement_id"`
	RetryOf     string       `json:"retry_of,omitempty"`
	Wish        Wish         `json:"wish,omitempty"` // how an operator asked that it end
}

// Snapshot describes the settlement as it was read.
func (s Settlement) Snapshot() Snapshot {
	return Snapshot{
		Key: s.Key.Canonical(), State: s.State, Account: s.Account,
		ChainID: s.Asset.ChainID, Asset: s.Asset.Symbol, Amount: s.Amount.Units(s.Asset.Decimals), AmountBase: s.Amount, To: s.To.Hex(),
		TxHash: s.TxHash, BlockNumber: s.BlockNumber, Reason: s.Reason, Proof: s.Proof,
		OnchainID: s.OnchainID, RetryOf: s.RetryOf, Wish: s.Wish,
	}
}
