// Package registry makes chains, assets and signers known to the ledger after asking the chain what they are, so that a
// typing error is refused before money depends on it. The command line and the dev chain share it. It wires ledger and chain,
// sends no transaction and must never write money, save the first booking of a signer's balance that the ledger makes itself.
package registry

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/quittance/quittance/chain"
	"github.com/quittance/quittance/contracts"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// Registrar asks Pool and writes to Ledger. All its methods may be repeated: the same again changes nothing.
type Registrar struct {
	Ledger *ledger.Ledger
	Pool   *chain.Pool
}

// Defaults of what is new, in wei where it is money. A signer's nonces in flight are the ledger's default.
const (
	FinalityDepthDefault = 64
	TipFloorDefault      = 10_000_000             // 0.01 gwei per gas
	CapCeilingDefault    = 500_000_000_000        // 500 gwei per gas
	FeeCeilingDefault    = 50_000_000_000_000_000 // 0.05 coins for a settlement
)

var vault = contracts.NewVault()

// Identify asks a node, over a connection of its own, which chain it is of. Whoever registers a chain pins the answer; every
// later connection must give the same.
func Identify(ctx context.Context, nodeURL string) (chainID uint64, genesis common.Hash, err error) {
	client, err := rpc.DialContext(ctx, nodeURL)
	if err != nil {
		return 0, genesis, fmt.Errorf("connect: %w", withoutURL(err))
	}
	defer client.Close()
	return IdentifyBy(ctx, client)
}

// IdentifyBy is Identify over a connection that is there already.
func IdentifyBy(ctx context.Context, client *rpc.Client) (chainID uint64, genesis common.Hash, err error) {
	var id hexutil.Uint64
	if err := client.CallContext(ctx, &id, "eth_chainId"); err != nil {
		return 0, genesis, fmt.Errorf("ask chain id: %w", withoutURL(err))
	}
	var block *struct{ Hash common.Hash }
	if err := client.CallContext(ctx, &block, "eth_getBlockByNumber", "0x0", false); err != nil {
		return 0, genesis, fmt.Errorf("ask genesis: %w", withoutURL(err))
	}
	if block == nil {
		return 0, genesis, errors.New("the node does not know its block 0")
	}
	return uint64(id), block.Hash, nil
}

// withoutURL drops the node's URL from an error: it may hold a provider's key.
func withoutURL(err error) error {
	var withURL *url.Error
	if errors.As(err, &withURL) {
		return withURL.Err
	}
	return err
}

// conflict says in which fields something is registered already with another value.
func conflict(what string, fields ...string) error {
	return &settlement.Error{Kind: settlement.Conflict, Fields: fields,
		Err: fmt.Errorf("%s is registered already with another %s", what, join(fields))}
}

func join(fields []string) string {
	text := ""
	for i, f := range fields {
		switch {
		case i > 0 && i == len(fields)-1:
			text += " and "
		case i > 0:
			text += ", "
		}
		text += f
	}
	return text
}

// code asks whether something is deployed at an address.
func (r Registrar) code(ctx context.Context, at common.Address, block string) (bool, error) {
	var code hexutil.Bytes
	if err := r.Pool.Call(ctx, &code, "eth_getCode", at, block); err != nil {
		return false, fmt.Errorf("ask code of %s: %w", at, err)
	}
	return len(code) > 0, nil
}

// word asks a contract for one 32-byte word. A revert, or an answer of another length, is no answer: the contract is of
// another kind than the caller thinks.
func (r Registrar) word(ctx context.Context, to common.Address, data []byte) (word common.Hash, answered bool, err error) {
	var answer hexutil.Bytes
	err = r.Pool.Call(ctx, &answer, "eth_call", map[string]any{"to": to, "input": hexutil.Bytes(data)}, "latest")
	switch {
	case err == nil:
		return common.BytesToHash(answer), len(answer) == common.HashLength, nil
	case chain.IsVerdict(err):
		return word, false, nil
	}
	return word, false, fmt.Errorf("call %s: %w", to, err)
}
