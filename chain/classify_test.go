package chain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/rpc"
)

// said is a node's JSON-RPC error.
type said struct {
	code int
	text string
	data any
}

func (s said) Error() string  { return s.text }
func (s said) ErrorCode() int { return s.code }
func (s said) ErrorData() any { return s.data }

var sendAnswers = []struct {
	text string
	want Class
	why  string
}{
	{"already known", AcceptedBefore, "geth: the same bytes are pooled (T39)"},
	{"Known transaction", AcceptedBefore, "Besu"},
	{"known transaction: 0x1234", AcceptedBefore, "old geth appends the hash"},
	{"unknown transaction", PossiblySent, "holds the words of the opposite"},
	{"thresholdnonce exceeded", PossiblySent, "holds oldnonce inside of another word"},
	{"not a known transaction", PossiblySent, "only at the beginning do the words mean success"},
	{"AlreadyKnown", AcceptedBefore, "Nethermind"},
	{"OwnNonceAlreadyUsed", AcceptedBefore, "Nethermind: one of ours holds the nonce"},
	{"existing tx with same hash", AcceptedBefore, "Erigon"},
	{"transaction already imported", AcceptedBefore, "anvil"},
	{"Transaction with the same hash was already imported.", AcceptedBefore, "OpenEthereum"},
	{"transaction already in pool", AcceptedBefore, "alloy"},
	{"tx already exists in cache", AcceptedBefore, "Sei"},
	{"submit transaction to pool failed: Pool(AlreadyImported)", AcceptedBefore, "Substrate"},
	{"known transaction. transaction with hash 0xabc is already in the system", AcceptedBefore, "zkSync"},
	{"ALREADY_EXISTS: already known", AcceptedBefore, "a proxy's prefix"},
	{"rpc error: code = Unknown desc = known transaction", AcceptedBefore, "a gRPC prefix"},

	{"nonce too low", NonceUsed, "geth, Erigon, anvil"},
	{"nonce too low: next nonce 1, tx nonce 0", NonceUsed, "geth and reth with numbers"},
	{"Transaction nonce too low", NonceUsed, "Besu"},
	{"OldNonce", NonceUsed, "Nethermind"},
	{"nonce is too low", NonceUsed, "others"},
	{"nonce has already been used", NonceUsed, "others"},
	{"invalid transaction nonce", NonceUsed, "Arbitrum"},
	{"Pool(Stale)", NonceUsed, "Substrate"},
	{"transaction already finalized", NonceUsed, "Harmony"},

	{"nonce too high", NonceAhead, "transient, not fatal (T25)"},
	{"NonceGap", NonceAhead, "Nethermind"},
	{"nonce too far in future", NonceAhead, "others"},
	{"nonce too high: tx nonce 7, gapped nonce 5", NonceAhead, "geth's blob pool (T36)"},
	{"future transaction tries to replace pending", NonceAhead, "geth's full pool"},

	{"replacement transaction underpriced", ReplaceUnderpriced, "geth, reth, Besu: holds the words of underpriced"},
	{"could not replace existing tx", ReplaceUnderpriced, "Erigon"},
	{"insufficient gas price to replace existing transaction", ReplaceUnderpriced, "anvil, Substrate"},
	{"ReplacementNotAllowed", ReplaceUnderpriced, "Nethermind"},
	{"there is another tx which has the same nonce in the tx pool", ReplaceUnderpriced, "Klaytn"},
	{"Transaction gas price 1 is too low. There is another transaction with same nonce in the queue.", ReplaceUnderpriced, "OpenEthereum"},

	{"transaction underpriced", Underpriced, "geth"},
	{"underpriced", Underpriced, "Erigon's whole answer"},
	{"fee too low", Underpriced, "others"},
	{"FeeTooLow", Underpriced, "Nethermind"},
	{"FeeTooLowToCompete", Underpriced, "Nethermind"},
	{"Gas price below configured minimum gas price", Underpriced, "Besu"},
	{"max fee per gas less than block base fee: address 0x1, maxFeePerGas: 1, baseFee: 2", Underpriced, "geth, anvil (T35)"},
	{"fee cap less than base fee", Underpriced, "others (T35)"},
	{"transaction gas price below minimum: gas tip cap 0, minimum needed 1", Underpriced, "geth"},
	{"transaction priority fee below minimum required priority fee", Underpriced, "reth"},
	{"max fee per blob gas less than block blob gas fee", Underpriced, "blob fees"},

	{"insufficient funds for gas * price + value: balance 1, tx cost 2, overshot 1", Funds, "geth"},
	{"insufficient funds for gas * price + value: balance 5, queued cost 4, tx cost 2, overshot 1", Funds, "geth counts what is queued"},
	{"Insufficient funds for gas * price + value", Funds, "anvil"},
	{"insufficient funds for transfer", Funds, "geth's estimate"},
	{"transaction would cause overdraft", Funds, "others"},
	{"InsufficientFunds", Funds, "Nethermind"},
	{"Upfront cost exceeds account balance", Funds, "Besu"},
	{"gas required exceeds allowance (0)", Funds, "an estimate of a signer without funds"},
	{"Insufficient funds. The account you tried to send transaction from does not have enough funds.", Funds, "OpenEthereum"},

	{"in-flight transaction limit reached for delegated accounts", PoolFull, "geth, EIP-7702"},
	{"txpool is full", PoolFull, "geth"},
	{"account limit exceeded: pooled 16 txs", PoolFull, "geth"},
	{"spammer", PoolFull, "Erigon"},
	{"pending sub-pool is full", PoolFull, "Erigon"},
	{"queued sub-pool is full", PoolFull, "Erigon"},
	{"queue full", PoolFull, "Arbitrum"},
	{"sequencer pending tx pool full, please try again", PoolFull, "Arbitrum"},
	{"Syncing", PoolFull, "Nethermind while it syncs"},

	{"address already reserved", TypeConflict, "geth: blob and other transactions of one account (T34)"},
	{"authority already reserved", TypeConflict, "geth"},
	{"PendingTxsOfConflictingType", TypeConflict, "Nethermind"},
	{"can't replace blob-txn with a non-blob-txn", TypeConflict, "Erigon"},

	{"tx fee (2.10 ether) exceeds the configured cap (1.00 ether)", FeeCapNode, "geth's rpc.txfeecap"},
	{"Transaction fee cap exceeded", FeeCapNode, "Besu"},

	{"intrinsic gas too low: gas 20000, minimum needed 21000", Rejected, "geth (T24)"},
	{"IntrinsicGas", Rejected, "Erigon"},
	{"Intrinsic gas exceeds gas limit", Rejected, "Besu"},
	{"exceeds block gas limit", Rejected, "geth"},
	{"transaction gas limit too high (cap: 16777216, tx: 16777217)", Rejected, "EIP-7825"},
	{"insufficient gas for floor data gas cost: gas 21000, minimum needed 22000", Rejected, "EIP-7623"},
	{"oversized data: transaction size 140000, limit 131072", Rejected, "geth"},
	{"max initcode size exceeded", Rejected, "geth"},
	{"negative value", Rejected, "geth"},
	{"gas uint64 overflow", Rejected, "geth"},
	{"max priority fee per gas higher than max fee per gas", Rejected, "holds no price that a bump would help"},
	{"execution reverted", Rejected, "chains that run it on arrival"},
	{"execution reverted: nonce too low", Rejected, "a revert's reason may quote any wording"},
	{"execution reverted: already known", Rejected, "and must not pass for success"},
	{"VM Exception while processing transaction: revert known transaction", Rejected, "the same, of another client"},

	{"invalid sender", Identity, "geth (T42)"},
	{"invalid sender: invalid chain id for signer: have 999 want 1337", Identity, "geth (T41)"},
	{"invalid chain id for signer", Identity, "geth"},
	{"invalid chain id", Identity, "others"},
	{"Incompatible EIP-155 transaction, max v value is 0", Identity, "OpenEthereum"},
	{"only replay-protected (EIP-155) transactions allowed over RPC", Identity, "geth"},
	{"sender not an eoa", Identity, "EIP-3607"},

	{"internal server error", PossiblySent, "says nothing about whether it was taken"},
	{"request timed out", PossiblySent, "the node may have done it"},
	{"project ID request rate exceeded", PossiblySent, "an unlisted text"},
	{"", PossiblySent, "no words at all"},
}

func TestEverySendErrorOfEveryClientHasItsClass(t *testing.T) {
	t.Parallel()
	for _, row := range sendAnswers {
		t.Run(row.text, func(t *testing.T) {
			t.Parallel()
			for _, code := range []int{-32000, -32003, -32603, 3} { // T37: text before code
				if got := Classify(&CallError{Endpoint: "http://node", Method: "eth_sendRawTransaction", Err: said{code: code, text: row.text}}); got.Class != row.want {
					t.Errorf("code %d: got %s, want %s: %s", code, got.Class, row.want, row.why)
				} else if got.Endpoint != "http://node" {
					t.Errorf("the node's name is lost: %q", got.Endpoint)
				}
			}
		})
	}
}

func TestWhatIsNoAnswerIsPossiblySent(t *testing.T) {
	t.Parallel()
	for _, err := range []error{
		io.EOF, context.DeadlineExceeded, errors.New("read tcp: connection reset by peer"),
		rpc.HTTPError{StatusCode: 429, Status: "429 Too Many Requests"}, rpc.HTTPError{StatusCode: 502, Status: "502 Bad Gateway", Body: []byte("<html>")},
		fmt.Errorf("%w: its chain id is 1, not 2", ErrWrongChain),
	} {
		if got := Classify(err); got.Class != PossiblySent || got.Accepted() {
			t.Errorf("%v is %s", err, got.Class)
		}
	}
	body := `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"nonce too low"}}`
	if got := Classify(rpc.HTTPError{StatusCode: 400, Status: "400 Bad Request", Body: []byte(body)}); got.Class != NonceUsed {
		t.Errorf("a verdict in the body of an HTTP error is %s", got.Class)
	}
	if got := Classify(nil); got.Class != Accepted || !got.Accepted() {
		t.Errorf("no error is %s", got.Class)
	}
}

func TestOneNodeThatHasTheBytesOutweighsAllOthers(t *testing.T) {
	t.Parallel()
	answer := func(text string) SendAnswer {
		if text == "" {
			return SendAnswer{}
		}
		if text == "EOF" {
			return SendAnswer{Err: io.EOF}
		}
		return SendAnswer{Err: said{code: -32000, text: text}}
	}
	for _, row := range []struct {
		texts []string
		want  Class
		why   string
	}{
		{[]string{"intrinsic gas too low", ""}, Accepted, "one took it"},
		{[]string{"nonce too low", "already known"}, AcceptedBefore, "one has it"},
		{[]string{"EOF", "already known", "txpool is full"}, AcceptedBefore, "one has it"},
		{[]string{"intrinsic gas too low", "txpool is full"}, PoolFull, "one is only too full: do not give the payload up"},
		{[]string{"EOF", "intrinsic gas too low"}, Rejected, "a node that is down for ever must not block the lane for ever"},
		{[]string{"EOF", "EOF"}, PossiblySent, "nobody said anything"},
		{nil, PossiblySent, "nobody was asked"},
	} {
		var answers []SendAnswer
		for _, text := range row.texts {
			answers = append(answers, answer(text))
		}
		if got := ClassifyAll(answers); got.Class != row.want {
			t.Errorf("%q: got %s, want %s: %s", row.texts, got.Class, row.want, row.why)
		}
	}
}

func TestEveryClassHasAPlaceInThePrecedence(t *testing.T) {
	t.Parallel()
	place := map[Class]bool{Accepted: true, PossiblySent: true}
	for _, rule := range sendRules {
		place[rule.class] = true
	}
	for _, class := range precedence {
		if !place[class] {
			t.Errorf("%s is in no rule", class)
		}
		delete(place, class)
	}
	for class := range place {
		t.Errorf("%s has no place", class)
	}
}

func TestLogQueriesThatAreTooWideAreTold(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"query returned more than 10000 results", "log response size exceeded", "range 2000 exceeds limit of 1000", "query exceeds max results 20000",
		"eth_getLogs is limited to a 10,000 range", "block range is larger than max block range", "requested too many blocks from 1 to 5",
		"too wide blocks range", "exceed maximum block range: 5000", "request timed out",
	} {
		if !LogRangeTooWide(said{code: -32000, text: text}) {
			t.Errorf("%q is not told", text)
		}
	}
	for _, err := range []error{nil, said{code: -32000, text: "header not found"}, said{code: -32000, text: "range of blocks is unknown"}} {
		if LogRangeTooWide(err) {
			t.Errorf("%v is taken for a range error", err)
		}
	}
}

func FuzzClassifyNeverPanicsAndItsTextFitsARow(f *testing.F) {
	for _, row := range sendAnswers {
		f.Add(row.text)
	}
	f.Add(strings.Repeat("transaction gas price ", 50) + "\x00\xff")
	f.Fuzz(func(t *testing.T, text string) {
		v := Classify(said{code: -32000, text: text})
		if v.Class == "" {
			t.Fatal("no class")
		}
		if !utf8.ValidString(v.Text) || strings.ContainsRune(v.Text, 0) || len(v.Text) > textBytesMax+len("…") {
			t.Fatalf("text %q does not fit a row", v.Text)
		}
	})
}
