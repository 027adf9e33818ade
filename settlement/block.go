package settlement

import (
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// BlockRef names a block by number and hash.
type BlockRef struct {
	Number uint64
	Hash   common.Hash
}

// Block is what the listener learned of one block, read by hash, checked against the header's receipts root.
type Block struct {
	BlockRef
	Parent       common.Hash
	Time         time.Time
	BaseFee      Amount // wei per gas
	GasLimit     uint64
	Transactions []MinedTransaction // every transaction of one of our signers, and no other
	Incoming     []Incoming         // every transaction that brought coins to one of our signers, but its own
	Events       []Event            // every log of the vault, decoded or not, in order
	Reads        ChainReads
}

// ChainReads are the per-block readings that every settlement of that block shares. They are hints for choosing and
// waiting, never proof.
type ChainReads struct {
	Tip           Amount                    // eth_maxPriorityFeePerGas, wei per gas, not below the chain's floor
	VaultPaused   bool                      //
	VaultBalances map[int64]Amount          // by asset id
	Signers       map[common.Address]Signer // our lanes
}

// Signer is one lane's account at a block.
type Signer struct {
	Nonce    uint64 // the chain's count: the next nonce to be mined
	Balance  Amount // wei
	Operator bool   // the vault lets it settle
	HasCode  bool   // EIP-7702 delegation or a contract: refused
	Keyless  bool   // the listener, which has the keys that workers have, cannot sign for it
}

// MinedTransaction is one transaction of one of our signers as a block holds it.
type MinedTransaction struct {
	Hash     common.Hash
	Index    uint64
	From     common.Address
	To       *common.Address
	Nonce    uint64
	Value    Amount // wei
	OK       bool   // receipt status 1
	GasUsed  uint64
	GasLimit uint64
	GasPrice Amount // effective, wei per gas
}

// Incoming is a transaction that sent coins to one of our signers. What a contract passes on is not among them: only a top-up's
// adoption finds it.
type Incoming struct {
	TxHash common.Hash
	Signer common.Address
	Amount Amount // wei
}

// GasCost is what the signer paid for gas.
func (m MinedTransaction) GasCost() Amount {
	cost, _ := m.GasPrice.Mul(NewAmount(m.GasUsed)) // a chain's whole supply is below 2^128 wei
	return cost
}

// EventName is the vault's event; an empty one is a log that we cannot decode.
type EventName string

const (
	EventSettled   EventName = "Settled"
	EventDeposited EventName = "Deposited"
	EventRevoked   EventName = "Revoked"
	EventWithdrawn EventName = "Withdrawn"
	EventOther     EventName = "other" // known and without effect on the books (pause, operators, owner)
	EventUnknown   EventName = "unknown"
)

// Event is one log of a vault. TxLogIndex counts from the first log of its transaction's receipt: unlike LogIndex it
// survives a move of the transaction to another block, so (TxHash, TxLogIndex) identifies the effect.
type Event struct {
	Vault      common.Address
	TxHash     common.Hash
	LogIndex   uint64 // within the block
	TxLogIndex uint64
	Name       EventName

	ID      common.Hash    // Settled, Revoked: settlement id; Deposited: customer id
	Token   common.Address // Settled, Deposited, Withdrawn
	Party   common.Address // Settled, Withdrawn: recipient; Deposited: payer
	Amount  Amount
	Topics  []common.Hash // raw
	Data    []byte        // raw
	Problem string        // why it could not be decoded; empty otherwise
}
