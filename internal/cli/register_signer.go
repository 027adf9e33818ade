package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/keystore"

	"github.com/quittance/quittance/internal/registry"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// signerRow is a signer's lane as scripts see it.
type signerRow struct {
	Signer      string            `json:"signer"`
	ChainID     uint64            `json:"chain_id"`
	State       string            `json:"state"`
	StateReason string            `json:"state_reason"`
	Custody     string            `json:"custody"`
	Operator    bool              `json:"operator"` // the vault lets it settle
	Keyless     bool              `json:"keyless"`  // the listener cannot sign for it
	NextNonce   uint64            `json:"next_nonce"`
	InFlight    int               `json:"in_flight"`
	InFlightMax int               `json:"in_flight_max"`
	CapCeiling  settlement.Amount `json:"cap_ceiling_wei"`
	Balance     settlement.Amount `json:"balance_wei"`
	AddedBlock  uint64            `json:"added_block"`
}

func viewSigner(l ledger.Lane) signerRow {
	return signerRow{l.Signer.Hex(), l.ChainID, string(l.State), l.StateReason, string(l.Custody), l.Operator, l.Keyless, l.NextNonce, l.InFlight(), l.InFlightMax, l.CapCeiling, l.Balance, l.Block}
}

func (r signerRow) operator() string {
	if r.Operator {
		return "yes"
	}
	return "no: the vault's owner must allow it"
}

func (r signerRow) key() string {
	if r.Keyless {
		return "the listener does not have it: no payments"
	}
	return "yes"
}

type signerAddCmd struct {
	Address        string  `arg:"" help:"The signer's address." placeholder:"0x…"`
	Custody        string  `enum:",keystore,remote" default:"" help:"Where its key is: an encrypted file of worker and listener, or a remote signer (keystore for a new one)." placeholder:"keystore,remote"`
	InFlightMax    *int    `help:"Nonces on their way at once (16 for a new one; geth pools 16 per account by default)." placeholder:"N"`
	CapCeilingGwei *string `help:"What a gas may cost at most (500 for a new one); cancels may use a quarter more." placeholder:"GWEI"`
}

const inFlightBound = 1_000 // the schema's

func (c *signerAddCmd) Run(ctx context.Context, s *session) error {
	signer := registry.Signer{Custody: ledger.Custody(c.Custody)}
	var err error
	if signer.Address, err = settlement.ParseAddress("signer", c.Address); err != nil {
		return err
	}
	if signer.CapCeiling, err = given("cap_ceiling_gwei", c.CapCeilingGwei, gweiDecimals); err != nil {
		return err
	}
	if c.InFlightMax != nil {
		if signer.InFlightMax = *c.InFlightMax; signer.InFlightMax < 1 || signer.InFlightMax > inFlightBound {
			return settlement.Invalidf("in_flight_max", "must be between 1 and %d", inFlightBound)
		}
	}
	r, err := s.registrar(ctx)
	if err != nil {
		return err
	}
	lane, _, err := r.Signer(ctx, signer)
	if err != nil {
		return err
	}
	s.warnOfUse(lane)
	row := viewSigner(lane)
	return s.out.one(row, [2]string{"signer", row.Signer}, [2]string{"chain", fmt.Sprint(row.ChainID)}, [2]string{"state", row.State}, [2]string{"operator", row.operator()},
		[2]string{"balance", row.Balance.Units(coinDecimals)}, [2]string{"next nonce", fmt.Sprint(row.NextNonce)}, [2]string{"in flight at most", fmt.Sprint(row.InFlightMax)})
}

// warnOfUse tells a person, on stderr, why a lane that was added will not pay. Scripts read operator and keyless.
func (s *session) warnOfUse(lane ledger.Lane) {
	warn := func(format string, args ...any) {
		if !s.out.json {
			fmt.Fprintf(s.progress, "starter: warning: "+format+"\n", args...)
		}
	}
	if !lane.Operator {
		warn("%s is no operator of the vault: it pays nothing until the vault's owner calls setOperator", lane.Signer)
	}
	switch dir := s.config.KeystoreDir; {
	case lane.Keyless:
		warn("the listener has no key of %s: it pays nothing until KEYSTORE_DIR or the remote signer holds one", lane.Signer)
	case lane.Custody == ledger.CustodyKeystore && dir != "" && !keystore.NewKeyStore(dir, 0, 0).HasAddress(lane.Signer):
		warn("no key file of %s is in KEYSTORE_DIR (%s): it pays nothing until worker and listener have one", lane.Signer, dir)
	}
}

type signerListCmd struct{}

func (c *signerListCmd) Run(ctx context.Context, s *session) error {
	l, err := s.ledger(ctx)
	if err != nil {
		return err
	}
	lanes, err := l.Lanes(ctx, 0)
	if err != nil {
		return err
	}
	return rows(s.out, views(lanes, viewSigner), []string{"SIGNER", "CHAIN", "STATE", "OPERATOR", "KEY", "IN FLIGHT", "NEXT NONCE", "BALANCE"}, func(r signerRow) []string {
		return []string{r.Signer, fmt.Sprint(r.ChainID), strings.TrimSuffix(r.State+": "+r.StateReason, ": "), r.operator(), r.key(), fmt.Sprintf("%d of %d", r.InFlight, r.InFlightMax),
			fmt.Sprint(r.NextNonce), r.Balance.Units(coinDecimals)}
	})
}
