package cli

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"os"

	"github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/quittance/quittance/chain"
	"github.com/quittance/quittance/internal/topup"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

type topUpCmd struct {
	Send  topUpSendCmd  `cmd:"" default:"withargs" help:"Send coins to a signer. Repeated, it sends the same transaction again while that is on its way."`
	Adopt topUpAdoptCmd `cmd:"" help:"Book what a contract sent to a signer. Plain transfers are found and booked without it."`
	List  topUpListCmd  `cmd:"" help:"List top-ups, newest first."`
}

// topUpRow is a top-up as scripts see it.
type topUpRow struct {
	Signer  string            `json:"signer"`
	ChainID uint64            `json:"chain_id"`
	TxHash  common.Hash       `json:"tx_hash"`
	Amount  settlement.Amount `json:"amount_wei"`
	Source  string            `json:"source"`
	Actor   string            `json:"actor"`
	Booked  bool              `json:"booked"` // its transaction is final
}

func viewTopUp(t ledger.TopUp) topUpRow {
	return topUpRow{t.Signer.Hex(), t.ChainID, t.TxHash, t.Amount, t.Source, t.Actor, t.Booked}
}

func (r topUpRow) state() string {
	if r.Booked {
		return "booked"
	}
	return "on its way: booked once it is final"
}

func (r topUpRow) show(out printer, note string) error {
	return out.one(r, [2]string{"signer", r.Signer}, [2]string{"transaction", r.TxHash.Hex()}, [2]string{"amount", r.Amount.Units(coinDecimals)}, [2]string{"state", r.state()}, [2]string{"note", note})
}

func (s *session) topUps(ctx context.Context) (topup.Desk, error) {
	site, err := s.chain(ctx)
	return topup.Desk{Ledger: s.books, Pool: site.Pool, Config: site.Config}, err
}

type topUpSendCmd struct {
	operator
	Signer       string `arg:"" help:"The signer to top up." placeholder:"0x…"`
	Amount       string `required:"" help:"In coins, such as 0.5."`
	Keystore     string `required:"" type:"path" help:"Encrypted key file of the account that pays: not a signer's."`
	PasswordFile string `required:"" type:"path" help:"File whose first line is its password."`
	Another      bool   `help:"Send one more while an earlier one is on its way."`
}

func (c *topUpSendCmd) Run(ctx context.Context, s *session) error {
	order := topup.Order{Actor: c.name(), Another: c.Another}
	var err error
	if order.Signer, err = settlement.ParseAddress("signer", c.Signer); err != nil {
		return err
	}
	if order.Amount, err = units("amount", c.Amount, coinDecimals); err != nil {
		return err
	}
	if order.Amount.IsZero() {
		return settlement.Invalidf("amount", "must be above zero")
	}
	key, err := keyOf(c.Keystore, c.PasswordFile)
	if err != nil {
		return err
	}
	desk, err := s.topUps(ctx)
	if err != nil {
		return err
	}
	t, repeated, err := desk.Send(ctx, key, order)
	if err != nil {
		return err
	}
	note := ""
	if repeated {
		note = "it was on its way already, and was sent again"
	}
	return viewTopUp(t).show(s.out, note)
}

// keyOf decrypts one key file. Errors name the files, never their content.
func keyOf(path, passwordFile string) (*ecdsa.PrivateKey, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, settlement.Invalidf("keystore", "cannot be read: %v", err)
	}
	password, err := chain.PasswordFile(passwordFile)()
	if err != nil {
		return nil, settlement.Invalidf("password_file", "cannot be read: %v", err)
	}
	defer clear(password)
	key, err := keystore.DecryptKey(content, string(password))
	switch {
	case errors.Is(err, keystore.ErrDecrypt):
		return nil, settlement.Invalidf("password_file", "is not the password of %s", path)
	case err != nil:
		return nil, settlement.Invalidf("keystore", "is no encrypted key file: %s", path)
	}
	return key.PrivateKey, nil
}

type topUpAdoptCmd struct {
	operator
	TxHash string `arg:"" name:"txhash" help:"The transaction that brought the coins." placeholder:"0x…"`
	Signer string `help:"The signer that got them; needed only if it brought some to several." placeholder:"0x…"`
}

func (c *topUpAdoptCmd) Run(ctx context.Context, s *session) error {
	raw, err := hexutil.Decode(c.TxHash)
	if err != nil || len(raw) != common.HashLength {
		return settlement.Invalidf("txhash", "must be 0x and 64 hex digits")
	}
	var signer common.Address
	if c.Signer != "" {
		if signer, err = settlement.ParseAddress("signer", c.Signer); err != nil {
			return err
		}
	}
	desk, err := s.topUps(ctx)
	if err != nil {
		return err
	}
	t, existed, err := desk.Adopt(ctx, common.BytesToHash(raw), signer, c.name())
	if err != nil {
		return err
	}
	note := ""
	if existed {
		note = "it was known before: nothing was booked now"
	}
	return viewTopUp(t).show(s.out, note)
}

type topUpListCmd struct {
	Limit int `default:"50" help:"How many at most."`
}

func (c *topUpListCmd) Run(ctx context.Context, s *session) error {
	if c.Limit < 1 || c.Limit > 1000 {
		return settlement.Invalidf("limit", "must be between 1 and 1000")
	}
	desk, err := s.topUps(ctx)
	if err != nil {
		return err
	}
	list, err := desk.Ledger.TopUps(ctx, desk.Config.ChainID, c.Limit)
	if err != nil {
		return err
	}
	return rows(s.out, views(list, viewTopUp), []string{"SIGNER", "AMOUNT", "TRANSACTION", "SOURCE", "ACTOR", "STATE"}, func(r topUpRow) []string {
		return []string{r.Signer, r.Amount.Units(coinDecimals), r.TxHash.Hex(), r.Source, r.Actor, r.state()}
	})
}
