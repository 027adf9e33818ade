package chain

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/quittance/quittance/contracts"
	"github.com/quittance/quittance/settlement"
)

// A decoded field is taken only if the log is exactly what the vault's compiler writes: as many topics and bytes as the
// event has, and addresses with their upper twelve bytes zero. Solidity writes no other form, so anything else is not an
// event of this vault's code and must not pass for one.
const (
	settledTopics   = 4  // signature, id, token, to
	depositedTopics = 4  // signature, account, token, from
	withdrawnTopics = 3  // signature, token, to
	revokedTopics   = 2  // signature, id
	amountBytes     = 32 // the data of all but Revoked, which has none
	addressPadding  = 12 // bytes before an address in a topic
)

var (
	vaultABI    = contracts.NewVault()
	vaultEvents = namesByTopic()
)

// namesByTopic knows every event of the vault's ABI; those without effect on the books are all called other.
func namesByTopic() map[common.Hash]settlement.EventName {
	names := map[common.Hash]settlement.EventName{}
	for name, event := range vaultABI.GetABI().Events {
		switch name {
		case contracts.VaultSettledEventName, contracts.VaultDepositedEventName, contracts.VaultRevokedEventName, contracts.VaultWithdrawnEventName:
			names[event.ID] = settlement.EventName(name)
		default:
			names[event.ID] = settlement.EventOther
		}
	}
	return names
}

// decodeReceipt turns the vaults' logs among the logs of one receipt into events, in order, and passes over every other
// address. It must be given all logs of the receipt: the index within the transaction counts from the first of them,
// whoever wrote it. A log flagged as removed belongs to no block, so an answer that holds one is the node's fault.
func decodeReceipt(logs []*types.Log, vaults []common.Address) ([]settlement.Event, error) {
	var events []settlement.Event
	for _, log := range logs {
		switch {
		case log.Removed:
			return nil, fmt.Errorf("log %d of transaction %s is flagged as removed", log.Index, log.TxHash)
		case log.TxHash != logs[0].TxHash:
			return nil, fmt.Errorf("log %d is of transaction %s, not of %s", log.Index, log.TxHash, logs[0].TxHash)
		case log.Index < logs[0].Index:
			return nil, fmt.Errorf("log %d of transaction %s comes after log %d", log.Index, log.TxHash, logs[0].Index)
		}
		if slices.Contains(vaults, log.Address) {
			events = append(events, decodeLog(log, uint64(log.Index-logs[0].Index)))
		}
	}
	return events, nil
}

// decodeLog never fails: a log that it cannot read becomes an unknown event with the problem named and the raw bytes
// kept, since nothing that a contract writes may stop the cursor.
func decodeLog(log *types.Log, txLogIndex uint64) settlement.Event {
	event := settlement.Event{
		Vault:      log.Address,
		TxHash:     log.TxHash,
		LogIndex:   uint64(log.Index),
		TxLogIndex: txLogIndex,
		Name:       settlement.EventUnknown,
		Topics:     append([]common.Hash{}, log.Topics...), // never nil: an empty list is a value, not an absence
		Data:       append([]byte{}, log.Data...),
	}
	if len(log.Topics) == 0 {
		event.Problem = "the log has no topic"
		return event
	}
	name, known := vaultEvents[log.Topics[0]]
	if !known {
		event.Problem = fmt.Sprintf("the vault has no event with topic %s", log.Topics[0])
		return event
	}
	decoded := event
	decoded.Name = name
	if err := decodeFields(&decoded, log); err != nil {
		event.Problem = fmt.Sprintf("%s: %v", name, err)
		return event
	}
	return decoded
}

// decodeFields fills what the books need of the event.
func decodeFields(event *settlement.Event, log *types.Log) error {
	switch event.Name {
	case settlement.EventSettled:
		if err := checkShape(log, settledTopics, amountBytes, 2, 3); err != nil {
			return err
		}
		got, err := vaultABI.UnpackSettledEvent(log)
		if err != nil {
			return err
		}
		event.ID, event.Token, event.Party = got.Id, got.Token, got.To
		return setAmount(event, got.Amount)
	case settlement.EventDeposited:
		if err := checkShape(log, depositedTopics, amountBytes, 2, 3); err != nil {
			return err
		}
		got, err := vaultABI.UnpackDepositedEvent(log)
		if err != nil {
			return err
		}
		event.ID, event.Token, event.Party = got.Account, got.Token, got.From
		return setAmount(event, got.Amount)
	case settlement.EventWithdrawn:
		if err := checkShape(log, withdrawnTopics, amountBytes, 1, 2); err != nil {
			return err
		}
		got, err := vaultABI.UnpackWithdrawnEvent(log)
		if err != nil {
			return err
		}
		event.Token, event.Party = got.Token, got.To
		return setAmount(event, got.Amount)
	case settlement.EventRevoked:
		if err := checkShape(log, revokedTopics, 0); err != nil {
			return err
		}
		got, err := vaultABI.UnpackRevokedEvent(log)
		if err != nil {
			return err
		}
		event.ID = got.Id
	case settlement.EventOther, settlement.EventUnknown:
	}
	return nil
}

// checkShape compares the log with the one form that the vault writes.
func checkShape(log *types.Log, topics, dataBytes int, addressTopics ...int) error {
	if len(log.Topics) != topics {
		return fmt.Errorf("the log has %d topics, not %d", len(log.Topics), topics)
	}
	if len(log.Data) != dataBytes {
		return fmt.Errorf("the log has %d bytes of data, not %d", len(log.Data), dataBytes)
	}
	for _, i := range addressTopics {
		if !bytes.Equal(log.Topics[i][:addressPadding], make([]byte, addressPadding)) {
			return fmt.Errorf("topic %d is no address: %s", i, log.Topics[i])
		}
	}
	return nil
}

func setAmount(event *settlement.Event, amount *big.Int) (err error) {
	event.Amount, err = settlement.AmountFromBig(amount)
	return err
}
