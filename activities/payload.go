package activities

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/settlement"
)

// Payloads live in histories for months. Fields are added, optional, and never renamed, removed or given another meaning.
// Numbers that may grow are decimal strings, addresses and hashes 0x strings, times RFC 3339.

// Request is the input of a settlement's workflow and of Reserve. It is text on purpose: a run started by hand with a
// misspelt amount must end as invalid input, not hang in a decoder.
type Request struct {
	Tenant    string `json:"tenant,omitempty"` // empty: the default tenant
	Key       string `json:"key"`
	RequestID string `json:"request_id"` // random per request; resume takes the row's
	Account   string `json:"account"`
	Asset     Asset  `json:"asset"`
	To        string `json:"to"`
	Amount    string `json:"amount"` // base units
	Vault     string `json:"vault"`  // for a new row; a stored one keeps its own
	RetryOf   string `json:"retry_of,omitempty"`
}

// Asset is a registered asset as it was when the request was accepted; a registered asset never changes.
type Asset struct {
	ID       int64  `json:"id,string"`
	ChainID  uint64 `json:"chain_id,string"`
	Symbol   string `json:"symbol"`
	Token    string `json:"token"` // the zero address for the native coin
	Decimals uint8  `json:"decimals"`
}

// NewRequest is the inverse of Request.Decode.
func NewRequest(r settlement.Reservation) Request {
	return Request{
		Tenant: r.Key.Tenant, Key: r.Key.Value, RequestID: r.RequestID, Account: r.Account,
		Asset: Asset{ID: r.Asset.ID, ChainID: r.Asset.ChainID, Symbol: r.Asset.Symbol, Token: r.Asset.Token.Hex(), Decimals: r.Asset.Decimals},
		To:    r.To.Hex(), Amount: r.Amount.String(), Vault: r.Vault.Hex(), RetryOf: r.RetryOf,
	}
}

// Decode checks every field again, since a run may be started by anyone who reaches Temporal. Its errors are Invalid.
func (r Request) Decode() (settlement.Reservation, error) {
	key, err := settlement.ParseKey(r.Tenant, r.Key)
	if err != nil {
		return settlement.Reservation{}, err
	}
	token, err := settlement.ParseAddress("asset.token", r.Asset.Token)
	if err != nil {
		return settlement.Reservation{}, err
	}
	to, err := settlement.ParseAddress("to", r.To)
	if err != nil {
		return settlement.Reservation{}, err
	}
	vault, err := settlement.ParseAddress("vault", r.Vault)
	if err != nil {
		return settlement.Reservation{}, err
	}
	amount, err := settlement.AmountFromDecimal(r.Amount)
	if err != nil {
		return settlement.Reservation{}, settlement.Invalidf("amount", "must be a whole decimal number of base units, at most 2^256-1")
	}
	reservation := settlement.Reservation{
		Request: settlement.Request{
			Key: key, Account: r.Account, To: to, Amount: amount, RetryOf: r.RetryOf,
			Asset: settlement.Asset{ID: r.Asset.ID, ChainID: r.Asset.ChainID, Symbol: r.Asset.Symbol, Token: token, Decimals: r.Asset.Decimals},
		},
		RequestID: r.RequestID, Vault: vault,
	}
	return reservation, check(reservation)
}

func check(r settlement.Reservation) error {
	switch {
	case r.RequestID == "":
		return settlement.Invalidf("request_id", "must not be empty")
	case r.Asset.ChainID == 0:
		return settlement.Invalidf("asset.chain_id", "must be above zero")
	case r.Vault == common.Address{}:
		return settlement.Invalidf("vault", "must not be the zero address")
	}
	if err := settlement.CheckAccountName(r.Account); err != nil {
		return err
	}
	if err := settlement.CheckAmount(r.Amount); err != nil {
		return err
	}
	return settlement.Refused{Vault: r.Vault, Tokens: []common.Address{r.Asset.Token}}.CheckDestination(r.To)
}

// Ref names the row that a step works on.
type Ref struct {
	Tenant string `json:"tenant,omitempty"`
	Key    string `json:"key"`
}

func (r Ref) decode() (settlement.Key, error) { return settlement.ParseKey(r.Tenant, r.Key) }

// View is what a step saw or left: enough to go on and to show, never the bytes of a transaction.
type View struct {
	Settlement settlement.Snapshot `json:"settlement"`
	Next       settlement.Act      `json:"next"`
	ChangedAt  string              `json:"changed_at,omitempty"`
	Live       *Live               `json:"live,omitempty"`
}

// Live is the nonce that may pay, and its newest attempt.
type Live struct {
	Signer  string `json:"signer"`
	Nonce   string `json:"nonce"`
	Attempt string `json:"attempt"`
}

// reasonBytesMax keeps a contract's revert text, which its author chose, from filling histories and pages.
const reasonBytesMax = 300

func viewOf(s settlement.Settlement) View {
	v := View{Settlement: s.Snapshot(), Next: s.Next()}
	v.Settlement.Reason = clip(v.Settlement.Reason)
	if !s.ChangedAt.IsZero() {
		v.ChangedAt = s.ChangedAt.UTC().Format(timeLayout)
	}
	if s.Live != nil {
		v.Live = &Live{
			Signer: s.Live.Signer.Hex(), Nonce: strconv.FormatUint(s.Live.Nonce, 10), Attempt: s.Live.Newest.Hash.Hex(),
		}
	}
	return v
}

// timeLayout is RFC 3339 in UTC with the precision of Postgres.
const timeLayout = "2006-01-02T15:04:05.000000Z07:00"

// clip makes a text that a stranger may have chosen fit for Postgres, histories and pages: valid UTF-8, without control
// characters, bounded.
func clip(text string) string {
	clean := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	if len(clean) <= reasonBytesMax {
		return clean
	}
	return strings.ToValidUTF8(clean[:reasonBytesMax], "") + "…"
}
