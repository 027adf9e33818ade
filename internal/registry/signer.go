package registry

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// Signer says how a signer's lane is to be used. What is not given is as it was added, or has its default in a new lane.
type Signer struct {
	Address     common.Address
	Custody     ledger.Custody     // empty: not given
	InFlightMax int                // 0: not given
	CapCeiling  *settlement.Amount // wei per gas
}

// Signer adds a lane, with nonce, balance and operator as of one block, so that they belong together: the balance is booked as
// the lane's float. A lane that exists is returned as it is, or is a Conflict if it was added with other terms.
func (r Registrar) Signer(ctx context.Context, s Signer) (lane ledger.Lane, existed bool, err error) {
	chainID := r.Pool.ChainID()
	refused, err := r.Ledger.Refused(ctx, chainID)
	switch {
	case settlement.KindOf(err) == settlement.NotFound:
		return lane, false, settlement.Invalidf("chain", "is not registered: %d", chainID)
	case err != nil:
		return lane, false, err
	case s.CapCeiling != nil && s.CapCeiling.IsZero():
		return lane, false, settlement.Invalidf("cap_ceiling", "must be above zero")
	}
	refused.Signers = nil // added again, it is among them
	if err := refused.CheckDestination(s.Address); err != nil {
		var rule *settlement.Error
		errors.As(err, &rule)
		return lane, false, settlement.Invalidf("signer", "%s", rule.Rule)
	}
	c := ledger.LaneConfig{ChainID: chainID, Signer: s.Address, Custody: cmp.Or(s.Custody, ledger.CustodyKeystore), InFlightMax: s.InFlightMax,
		CapCeiling: settlement.NewAmount(CapCeilingDefault)}
	if s.CapCeiling != nil {
		c.CapCeiling = *s.CapCeiling
	}
	if err := r.read(ctx, refused.Vault, &c); err != nil {
		return lane, false, err
	}
	lane, existed, err = r.Ledger.AddLane(ctx, c)
	if err != nil {
		return lane, false, fmt.Errorf("add signer %s: %w", s.Address, err)
	}
	if existed {
		return lane, true, s.sameTerms(lane)
	}
	return lane, false, nil
}

func (s Signer) sameTerms(lane ledger.Lane) error {
	var fields []string
	if s.CapCeiling != nil && lane.CapCeiling.Cmp(*s.CapCeiling) != 0 {
		fields = append(fields, "cap ceiling")
	}
	if s.Custody != "" && lane.Custody != s.Custody {
		fields = append(fields, "custody")
	}
	if s.InFlightMax != 0 && lane.InFlightMax != s.InFlightMax {
		fields = append(fields, "in flight max")
	}
	if len(fields) > 0 {
		return conflict("signer "+s.Address.Hex(), fields...)
	}
	return nil
}

// read asks for the signer at one block, by its hash, in one batch of one node.
func (r Registrar) read(ctx context.Context, vaultAt common.Address, c *ledger.LaneConfig) error {
	var head *struct {
		Number hexutil.Uint64
		Hash   common.Hash
	}
	if err := r.Pool.Call(ctx, &head, "eth_getBlockByNumber", "latest", false); err != nil {
		return fmt.Errorf("ask head: %w", err)
	}
	if head == nil {
		return settlement.Errorf(settlement.Transient, "ask head: the node knows none")
	}
	at := map[string]any{"blockHash": head.Hash}
	var nonce hexutil.Uint64
	var balance hexutil.Big
	var operator, code hexutil.Bytes
	items := []rpc.BatchElem{
		{Method: "eth_getTransactionCount", Args: []any{c.Signer, at}, Result: &nonce},
		{Method: "eth_getBalance", Args: []any{c.Signer, at}, Result: &balance},
		{Method: "eth_getCode", Args: []any{c.Signer, at}, Result: &code},
		{Method: "eth_call", Args: []any{map[string]any{"to": vaultAt, "input": hexutil.Bytes(vault.PackIsOperator(c.Signer))}, at}, Result: &operator},
	}
	if err := r.Pool.Batch(ctx, items); err != nil {
		return fmt.Errorf("ask about signer %s: %w", c.Signer, err)
	}
	for _, item := range items {
		if item.Error != nil {
			return fmt.Errorf("ask about signer %s: %s: %w", c.Signer, item.Method, item.Error)
		}
	}
	if len(code) > 0 {
		return settlement.Invalidf("signer", "must have no code, %s has %d bytes", c.Signer, len(code))
	}
	wei, err := settlement.AmountFromBig(balance.ToInt())
	if err != nil {
		return fmt.Errorf("balance of signer %s: %w", c.Signer, err)
	}
	if c.Operator, err = vault.UnpackIsOperator(operator); err != nil {
		return fmt.Errorf("ask whether %s is an operator: %w", c.Signer, err)
	}
	c.Block, c.Nonce, c.Balance = uint64(head.Number), uint64(nonce), wei
	return nil
}
