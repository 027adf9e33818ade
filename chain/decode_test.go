package chain

import (
	"bytes"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/quittance/quittance/settlement"
)

var (
	testVault   = common.HexToAddress("0xa11ce00000000000000000000000000000000001")
	testToken   = common.HexToAddress("0x70cafe0000000000000000000000000000000002")
	testPayee   = common.HexToAddress("0xbeef000000000000000000000000000000000003")
	testEventID = crypto.Keccak256Hash([]byte("order-1"))
)

func topicOf(name string) common.Hash { return vaultABI.GetABI().Events[name].ID }

func word(n int64) []byte { return common.BigToHash(big.NewInt(n)).Bytes() }

func settledLog() *types.Log {
	return &types.Log{
		Address: testVault,
		Topics:  []common.Hash{topicOf("Settled"), testEventID, common.BytesToHash(testToken[:]), common.BytesToHash(testPayee[:])},
		Data:    word(125),
		TxHash:  common.HexToHash("0x77"),
		Index:   9,
	}
}

func TestEveryEventOfTheVaultIsDecodedIntoItsFields(t *testing.T) {
	t.Parallel()
	token, payee := common.BytesToHash(testToken[:]), common.BytesToHash(testPayee[:])
	for _, tc := range []struct {
		event  string
		topics []common.Hash
		data   []byte
		want   settlement.Event
	}{
		{"Settled", []common.Hash{testEventID, token, payee}, word(125),
			settlement.Event{Name: settlement.EventSettled, ID: testEventID, Token: testToken, Party: testPayee, Amount: settlement.NewAmount(125)}},
		{"Deposited", []common.Hash{testEventID, token, payee}, word(7),
			settlement.Event{Name: settlement.EventDeposited, ID: testEventID, Token: testToken, Party: testPayee, Amount: settlement.NewAmount(7)}},
		{"Withdrawn", []common.Hash{token, payee}, word(3),
			settlement.Event{Name: settlement.EventWithdrawn, Token: testToken, Party: testPayee, Amount: settlement.NewAmount(3)}},
		{"Revoked", []common.Hash{testEventID}, nil, settlement.Event{Name: settlement.EventRevoked, ID: testEventID}},
		{"Paused", nil, word(1), settlement.Event{Name: settlement.EventOther}},
		{"OperatorSet", []common.Hash{payee}, word(1), settlement.Event{Name: settlement.EventOther}},
	} {
		t.Run(tc.event, func(t *testing.T) {
			t.Parallel()
			log := &types.Log{Address: testVault, Topics: append([]common.Hash{topicOf(tc.event)}, tc.topics...), Data: tc.data, Index: 12}
			got := decodeLog(log, 4)
			if got.Problem != "" {
				t.Fatalf("problem: %s", got.Problem)
			}
			if got.Name != tc.want.Name || got.ID != tc.want.ID || got.Token != tc.want.Token || got.Party != tc.want.Party || got.Amount != tc.want.Amount {
				t.Fatalf("decoded %+v, want the fields of %+v", got, tc.want)
			}
			if got.LogIndex != 12 || got.TxLogIndex != 4 || got.Vault != testVault {
				t.Fatalf("place is %d/%d of %s", got.LogIndex, got.TxLogIndex, got.Vault)
			}
		})
	}
}

func TestALogThatTheVaultCannotHaveWrittenIsKeptRawAndUnknown(t *testing.T) {
	t.Parallel()
	dirty := common.HexToHash("0x0100000000000000000000000000000000000000000000000000000000000003")
	for _, tc := range []struct {
		name   string
		change func(*types.Log)
		why    string
	}{
		{"no topics", func(l *types.Log) { l.Topics = nil }, "anonymous events name nothing"},
		{"foreign topic", func(l *types.Log) { l.Topics[0] = common.HexToHash("0x01") }, "a later vault may have more events"},
		{"a topic too few", func(l *types.Log) { l.Topics = l.Topics[:3] }, "an event of the same signature, indexed otherwise"},
		{"a topic too many", func(l *types.Log) { l.Topics = append(l.Topics, testEventID) }, "the log is no event of this code"},
		{"no data", func(l *types.Log) { l.Data = nil }, "the bindings would leave the amount nil"},
		{"short data", func(l *types.Log) { l.Data = l.Data[:31] }, "truncated"},
		{"long data", func(l *types.Log) { l.Data = append(l.Data, 0) }, "the bindings would not look at the rest"},
		{"token with upper bytes", func(l *types.Log) { l.Topics[2] = dirty }, "the bindings would cut it to another address"},
		{"recipient with upper bytes", func(l *types.Log) { l.Topics[3] = dirty }, "the bindings would cut it to another address"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			log := settledLog()
			tc.change(log)
			got := decodeLog(log, 0)
			if got.Name != settlement.EventUnknown || got.Problem == "" {
				t.Fatalf("decoded as %s with problem %q (%s)", got.Name, got.Problem, tc.why)
			}
			if !got.Amount.IsZero() || got.ID != (common.Hash{}) || got.Party != (common.Address{}) {
				t.Fatalf("half-decoded fields are left: %+v", got)
			}
			if got.Topics == nil || got.Data == nil || !slices.Equal(got.Topics, log.Topics) || !bytes.Equal(got.Data, log.Data) {
				t.Fatalf("raw parts are %v %x, want %v %x", got.Topics, got.Data, log.Topics, log.Data)
			}
		})
	}
}

func TestTheIndexWithinATransactionCountsFromItsFirstLogWhoeverWroteIt(t *testing.T) {
	t.Parallel()
	foreign := func(index uint) *types.Log {
		return &types.Log{Address: testToken, Topics: []common.Hash{topicOf("Settled")}, TxHash: common.HexToHash("0x77"), Index: index}
	}
	first, second := settledLog(), settledLog()
	first.Index, second.Index = 6, 8
	events, err := decodeReceipt([]*types.Log{foreign(5), first, foreign(7), second, foreign(9)}, []common.Address{testVault})
	if err != nil {
		t.Fatal(err)
	}
	if len(events) != 2 || events[0].TxLogIndex != 1 || events[1].TxLogIndex != 3 {
		t.Fatalf("events are %+v, want two at 1 and 3 of the transaction", events)
	}
}

// T50 https://github.com/graphprotocol/graph-node/issues/5661
func TestT50ARemovedLogIsAnErrorAndNeverAnEvent(t *testing.T) {
	t.Parallel()
	log := settledLog()
	log.Removed = true
	events, err := decodeReceipt([]*types.Log{log}, []common.Address{testVault})
	if err == nil || !strings.Contains(err.Error(), "removed") || events != nil {
		t.Fatalf("events %v, error %v; want an error that says removed", events, err)
	}
}

func FuzzDecodeLosesNoByteAndNeverPanics(f *testing.F) {
	for name := range vaultABI.GetABI().Events {
		f.Add(topicOf(name).Bytes(), word(5))
	}
	whole := settledLog()
	var topics []byte
	for _, topic := range whole.Topics {
		topics = append(topics, topic[:]...)
	}
	f.Add(topics, whole.Data)
	f.Add(topics[:95], whole.Data[:31])
	f.Add([]byte{}, []byte{})
	f.Fuzz(func(t *testing.T, topicBytes, data []byte) {
		log := &types.Log{Address: testVault, Data: data}
		for chunk := range slices.Chunk(topicBytes, common.HashLength) {
			log.Topics = append(log.Topics, common.BytesToHash(chunk))
		}
		got := decodeLog(log, 0)
		if !slices.Equal(got.Topics, log.Topics) || !bytes.Equal(got.Data, data) {
			t.Fatalf("raw parts are %v %x, want %v %x", got.Topics, got.Data, log.Topics, data)
		}
		if (got.Problem != "") != (got.Name == settlement.EventUnknown) {
			t.Fatalf("name %s with problem %q", got.Name, got.Problem)
		}
		if got.Name == settlement.EventSettled && common.Hash(got.Amount.Bytes32()) != common.BytesToHash(data) {
			t.Fatalf("amount %s of data %x", got.Amount, data)
		}
	})
}
