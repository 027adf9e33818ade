package chain

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/ethereum/go-ethereum/rpc"
)

// Class is what a node's answer to a transaction means for the lane. None of them ever makes the nonce free again.
type Class string

const (
	Accepted           Class = "accepted"            // OK: taken, which does not mean pooled
	AcceptedBefore     Class = "accepted_before"     // these bytes were there already: a success
	NonceUsed          Class = "nonce_used"          // the nonce is mined: the blocks tell by which transaction
	NonceAhead         Class = "nonce_ahead"         // a lower nonce is missing: same bytes later, head first
	ReplaceUnderpriced Class = "replace_underpriced" // another attempt is pooled: raise both fees
	Underpriced        Class = "underpriced"         // below what the node takes: raise the fees of the same nonce
	Funds              Class = "funds"               // the signer cannot pay: same bytes after a top-up
	PoolFull           Class = "pool"                // no room or not ready: same bytes later
	TypeConflict       Class = "type_conflict"       // another transaction family of this signer is pooled
	FeeCapNode         Class = "fee_cap_node"        // this node's own limit; another node may take it
	Rejected           Class = "rejected"            // this payload can never run: fill its nonce
	Identity           Class = "identity"            // signature, chain id or account: stop the signer
	PossiblySent       Class = "possibly_sent"       // no answer, or one that no rule knows
)

// Verdict is one answer, or the sum of several, to one send.
type Verdict struct {
	Class    Class
	Endpoint string // who said so
	Text     string // its words, cleaned and cut; empty if accepted
}

// Accepted says that some node has the bytes. A node may still drop them: ask by hash.
func (v Verdict) Accepted() bool { return v.Class == Accepted || v.Class == AcceptedBefore }

// place says where a phrase must stand. Letters and digits on either side of it never match, so "known transaction" is not
// found in "unknown transaction".
type place uint8

const (
	within place = iota // anywhere
	start               // at the beginning, after the known prefixes
	whole               // nothing else
)

// sendRule is one phrase, lower-case; * stands for any text.
type sendRule struct {
	class  Class
	at     place
	phrase string
}

// sendRules is the one table of send errors, across clients, read from the top. Order matters: a revert's reason may quote
// any other line, and "replacement transaction underpriced" holds "transaction underpriced".
var sendRules = []sendRule{
	{Rejected, within, "execution reverted"},
	{Rejected, within, "vm exception while processing transaction"},

	{AcceptedBefore, within, "already known"},
	{AcceptedBefore, within, "alreadyknown"},
	{AcceptedBefore, within, "ownnoncealreadyused"}, // of Nethermind: another one of ours may hold the nonce; the next look by hash tells
	{AcceptedBefore, within, "existing tx with same hash"},
	{AcceptedBefore, within, "already imported"},
	{AcceptedBefore, within, "transaction already in pool"},
	{AcceptedBefore, within, "tx already exists in cache"},
	{AcceptedBefore, within, "pool(alreadyimported)"},
	{AcceptedBefore, start, "known transaction"},

	{FeeCapNode, within, "tx fee (*) exceeds the configured cap"},
	{FeeCapNode, within, "transaction fee cap exceeded"},

	{NonceAhead, within, "gapped nonce"},
	{NonceAhead, within, "nonce too high"},
	{NonceAhead, within, "noncegap"},
	{NonceAhead, within, "nonce too far in future"},
	{NonceAhead, within, "future transaction tries to replace pending"},

	{NonceUsed, within, "nonce too low"},
	{NonceUsed, within, "oldnonce"},
	{NonceUsed, within, "nonce is too low"},
	{NonceUsed, within, "nonce has already been used"},
	{NonceUsed, within, "invalid transaction nonce"}, // of Arbitrum, for either side; the blocks tell
	{NonceUsed, within, "pool(stale)"},
	{NonceUsed, within, "transaction already finalized"},

	{TypeConflict, within, "address already reserved"},
	{TypeConflict, within, "authority already reserved"},
	{TypeConflict, within, "pendingtxsofconflictingtype"},
	{TypeConflict, within, "pending txs of conflicting type"},
	{TypeConflict, within, "can't replace blob-txn with a non-blob-txn"},

	{ReplaceUnderpriced, within, "replacement transaction underpriced"},
	{ReplaceUnderpriced, within, "could not replace existing tx"},
	{ReplaceUnderpriced, within, "insufficient gas price to replace existing transaction"},
	{ReplaceUnderpriced, within, "replacementnotallowed"},
	{ReplaceUnderpriced, within, "there is another tx which has the same nonce"},
	{ReplaceUnderpriced, within, "transaction gas price * is too low. there is another transaction with same nonce"},

	{Funds, within, "insufficient funds"},
	{Funds, within, "insufficientfunds"},
	{Funds, within, "transaction would cause overdraft"},
	{Funds, within, "upfront cost exceeds account balance"},
	{Funds, within, "gas required exceeds allowance"},

	{Underpriced, within, "transaction underpriced"},
	{Underpriced, whole, "underpriced"},
	{Underpriced, within, "fee too low"},
	{Underpriced, within, "feetoolow"},
	{Underpriced, within, "feetoolowtocompete"},
	{Underpriced, within, "gas price below configured minimum gas price"},
	{Underpriced, within, "max fee per gas less than block base fee"},
	{Underpriced, within, "fee cap less than base fee"},
	{Underpriced, within, "fee cap less than block base fee"},
	{Underpriced, within, "transaction gas price below minimum"},
	{Underpriced, within, "transaction priority fee below minimum required priority fee"},
	{Underpriced, within, "max fee per blob gas less than block blob gas fee"},

	{PoolFull, within, "in-flight transaction limit reached for delegated accounts"},
	{PoolFull, within, "txpool is full"},
	{PoolFull, within, "out of capacity"},
	{PoolFull, within, "account limit exceeded"},
	{PoolFull, within, "spammer"},
	{PoolFull, within, "pending sub-pool is full"},
	{PoolFull, within, "queued sub-pool is full"},
	{PoolFull, within, "queue full"},
	{PoolFull, within, "sequencer pending tx pool full"},
	{PoolFull, within, "syncing"},

	{Rejected, within, "intrinsic gas too low"},
	{Rejected, within, "intrinsicgas"},
	{Rejected, within, "intrinsic gas exceeds gas limit"},
	{Rejected, within, "exceeds block gas limit"},
	{Rejected, within, "transaction gas limit too high"},
	{Rejected, within, "floor data gas"},
	{Rejected, within, "oversized data"},
	{Rejected, within, "max initcode size exceeded"},
	{Rejected, within, "negative value"},
	{Rejected, within, "gas uint64 overflow"},
	{Rejected, within, "max priority fee per gas higher than max fee per gas"},

	{Identity, within, "invalid sender"},
	{Identity, within, "invalid chain id"},
	{Identity, within, "incompatible eip-155 transaction"},
	{Identity, within, "only replay-protected (eip-155) transactions allowed"},
	{Identity, within, "sender not an eoa"},
}

// prefixes that clients and proxies put before the words of the pool.
var prefixes = []string{
	"rpc error:", "error:", "err:", "internal error:", "internal_error:", "invalid transaction:", "transaction rejected:", "rejected:",
	"failed to send transaction:", "already_exists:", "invalid_argument:", "pool error:", "txpool:",
}

// Classify reads the answer to one send. Text comes before the code: geth has one code for nearly everything, and others
// disagree about theirs.
func Classify(err error) Verdict {
	if err == nil {
		return Verdict{Class: Accepted}
	}
	v := Verdict{}
	var call *CallError
	if errors.As(err, &call) {
		v.Endpoint, err = call.Endpoint, call.Err
	}
	text := answerText(err)
	v.Class, v.Text = classOf(text), cleanText(text)
	return v
}

// classOf never panics and knows nothing but the words.
func classOf(text string) Class {
	text = normalise(text)
	for _, rule := range sendRules {
		if rule.matches(text) {
			return rule.class
		}
	}
	return PossiblySent
}

// answerText digs the node's words out of an HTTP error's body: some providers send their verdicts with a 4xx status.
func answerText(err error) string {
	var status rpc.HTTPError
	if !errors.As(err, &status) {
		return err.Error()
	}
	var body struct {
		Error struct{ Message string }
	}
	if json.Unmarshal(status.Body, &body) == nil && body.Error.Message != "" {
		return body.Error.Message
	}
	return status.Status
}

func normalise(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	if _, after, found := strings.Cut(text, " desc = "); found {
		text = after
	}
	for cut := true; cut; {
		cut = false
		for _, prefix := range prefixes {
			if rest, found := strings.CutPrefix(text, prefix); found {
				text, cut = strings.TrimSpace(rest), true
			}
		}
	}
	return text
}

func (r sendRule) matches(text string) bool {
	if r.at == whole {
		return strings.Trim(text, ". ") == r.phrase
	}
	first, rest, _ := strings.Cut(r.phrase, "*")
	for from := 0; ; {
		at := strings.Index(text[from:], first)
		if at < 0 || r.at == start && from+at > 0 {
			return false
		}
		begin, end := from+at, from+at+len(first)
		if rest != "" {
			if tail := strings.Index(text[end:], rest); tail >= 0 {
				end += tail + len(rest)
			} else {
				return false
			}
		}
		if !wordByte(text, begin-1) && !wordByte(text, end) {
			return true
		}
		from = begin + 1
	}
}

func wordByte(text string, at int) bool {
	if at < 0 || at >= len(text) {
		return false
	}
	b := text[at]
	return b >= 'a' && b <= 'z' || b >= '0' && b <= '9'
}

// textBytesMax keeps a node's words, which it may choose freely, from filling logs and rows.
const textBytesMax = 300

// cleanText makes a node's words fit for a database and a log line.
func cleanText(text string) string {
	text = strings.ToValidUTF8(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text), "?")
	if len(text) > textBytesMax {
		text = strings.ToValidUTF8(text[:textBytesMax], "") + "…"
	}
	return strings.TrimSpace(text)
}

// precedence orders the answers of several nodes to one send. That one has the bytes outweighs all; then what was said, the
// mildest first, so that one node cannot have a payment's nonce filled that another is merely too full for; silence comes last.
var precedence = []Class{
	Accepted, AcceptedBefore, NonceUsed, ReplaceUnderpriced, Underpriced, Funds, PoolFull, NonceAhead, TypeConflict, FeeCapNode,
	Identity, Rejected, PossiblySent,
}

// ClassifyAll sums up what all nodes answered to one send.
func ClassifyAll(answers []SendAnswer) Verdict {
	verdicts := make(map[Class]Verdict, len(answers))
	for _, answer := range answers {
		v := Classify(answer.Err)
		v.Endpoint = answer.Endpoint
		if _, seen := verdicts[v.Class]; !seen {
			verdicts[v.Class] = v
		}
	}
	for _, class := range precedence {
		if v, said := verdicts[class]; said {
			return v
		}
	}
	return Verdict{Class: PossiblySent}
}
