package cli

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/internal/app"
	"github.com/quittance/quittance/internal/registry"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// chainRow is a chain as scripts see it.
type chainRow struct {
	ChainID       uint64            `json:"chain_id"`
	Genesis       common.Hash       `json:"genesis"`
	Vault         string            `json:"vault"`
	StartBlock    uint64            `json:"start_block"`
	Finality      string            `json:"finality"`
	FinalityDepth int               `json:"finality_depth"`
	TipFloor      settlement.Amount `json:"tip_floor_wei"`
}

func viewChain(c ledger.ChainConfig) chainRow {
	return chainRow{c.ChainID, c.Genesis, c.Vault.Hex(), c.StartBlock, c.Finality, c.FinalityDepth, c.TipFloor}
}

type chainRegisterCmd struct {
	Vault         string  `help:"Address of the vault (VAULT_ADDRESS if not given)." placeholder:"0x…"`
	StartBlock    *uint64 `help:"Block of the vault's deployment (searched for if not given)." placeholder:"N"`
	Finality      string  `enum:",depth,tag" default:"" help:"A block is final by its depth, or by the node's finalized tag (depth for a new chain)." placeholder:"depth,tag"`
	FinalityDepth *int    `help:"Blocks that make one final; with the tag, the least that must follow (64 for a new chain)." placeholder:"N"`
	TipFloorGwei  *string `help:"Lowest tip per gas (0.01 for a new chain)." placeholder:"GWEI"`
}

func (c *chainRegisterCmd) Run(ctx context.Context, s *session) error {
	v := registry.Vault{StartBlock: c.StartBlock, Finality: c.Finality}
	var err error
	if c.Vault == "" {
		c.Vault = s.config.Vault
	}
	if v.Address, err = settlement.ParseAddress("vault", c.Vault); err != nil {
		return err
	}
	if v.TipFloor, err = given("tip_floor_gwei", c.TipFloorGwei, gweiDecimals); err != nil {
		return err
	}
	if c.FinalityDepth != nil {
		if v.FinalityDepth = *c.FinalityDepth; v.FinalityDepth < 1 || v.FinalityDepth > finalityDepthMax {
			return settlement.Invalidf("finality_depth", "must be between 1 and %d", finalityDepthMax)
		}
	}
	l, err := s.ledger(ctx)
	if err != nil {
		return err
	}
	if len(s.config.RPCURLs) == 0 {
		return settlement.Invalidf("CHAIN_RPC_URLS", "must name one or more nodes")
	}
	pool, err := app.DialNewChain(ctx, s.config.Chain)
	if err != nil {
		return err
	}
	defer pool.Close()
	registered, err := registry.Registrar{Ledger: l, Pool: pool}.Chain(ctx, v)
	if err != nil {
		return err
	}
	row := viewChain(registered)
	return s.out.one(row, [2]string{"chain", fmt.Sprint(row.ChainID)}, [2]string{"genesis", row.Genesis.Hex()}, [2]string{"vault", row.Vault},
		[2]string{"start block", fmt.Sprint(row.StartBlock)}, [2]string{"finality", row.finality()}, [2]string{"tip floor", row.TipFloor.Units(gweiDecimals) + " gwei"})
}

const finalityDepthMax = 10_000 // the schema's bound

func (r chainRow) finality() string { return fmt.Sprintf("%s %d", r.Finality, r.FinalityDepth) }

type chainListCmd struct{}

func (c *chainListCmd) Run(ctx context.Context, s *session) error {
	l, err := s.ledger(ctx)
	if err != nil {
		return err
	}
	chains, err := l.Chains(ctx)
	if err != nil {
		return err
	}
	return rows(s.out, views(chains, viewChain), []string{"CHAIN", "VAULT", "START", "FINALITY", "TIP FLOOR", "GENESIS"}, func(r chainRow) []string {
		return []string{fmt.Sprint(r.ChainID), r.Vault, fmt.Sprint(r.StartBlock), r.finality(), r.TipFloor.Units(gweiDecimals) + " gwei", r.Genesis.Hex()}
	})
}
