package ledger

import (
	"context"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// ChainConfig is a registered chain: what it is pinned to, and how finality is told.
type ChainConfig struct {
	ChainID       uint64
	Genesis       common.Hash
	Vault         common.Address // where new settlements are paid from
	StartBlock    uint64         // the vault's deployment: the listener begins here
	Finality      string         // FinalityDepth or FinalityTag
	FinalityDepth int            // blocks below the head; with a tag, how deep an answer is kept at least
	TipFloor      settlement.Amount
}

const (
	// FinalityDepth calls a block final when so many blocks follow it.
	FinalityDepth = "depth"
	// FinalityTag believes the node's finalized tag.
	FinalityTag = "tag"
)

// RegisterChain pins a chain, its vault and its accounts. The same again changes nothing; another genesis, vault, start or
// finality of a known chain is a Conflict that names the fields, and nothing is written.
func (l *Ledger) RegisterChain(ctx context.Context, c ChainConfig) error {
	return l.do(ctx, "register chain: "+strconv.FormatUint(c.ChainID, 10), func(t *Tx) error {
		inserted, err := t.Exec(`INSERT INTO chains (chain_id, genesis, vault, start_block, finality, finality_depth, tip_floor)
			VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
			c.ChainID, c.Genesis, c.Vault, c.StartBlock, c.Finality, c.FinalityDepth, num(c.TipFloor))
		if err != nil {
			return err
		}
		if inserted == 0 {
			stored, err := collect(t, toChain, selectChains+` WHERE chain_id = $1`, c.ChainID)
			if err != nil {
				return err
			}
			if fields := c.differing(stored[0]); len(fields) > 0 {
				return &settlement.Error{Kind: settlement.Conflict, Fields: fields}
			}
			return nil
		}
		if _, err := t.Exec(`INSERT INTO vaults (chain_id, vault) VALUES ($1, $2)`, c.ChainID, c.Vault); err != nil {
			return err
		}
		for kind, name := range map[string]string{
			kindVault: vaultAccountName(c.ChainID, c.Vault), kindGasExpense: chainAccountName(c.ChainID), kindFunding: chainAccountName(c.ChainID),
			kindSuspense: chainAccountName(c.ChainID), kindUnexplained: chainAccountName(c.ChainID),
		} {
			if _, err := systemAccount(t, kind, name); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c ChainConfig) differing(stored ChainConfig) []string {
	var fields []string
	for name, differs := range map[string]bool{
		"genesis": c.Genesis != stored.Genesis, "vault": c.Vault != stored.Vault, "start block": c.StartBlock != stored.StartBlock,
		"finality": c.Finality != stored.Finality || c.FinalityDepth != stored.FinalityDepth,
	} {
		if differs {
			fields = append(fields, name)
		}
	}
	sortStrings(fields)
	return fields
}

const selectChains = `SELECT chain_id, genesis, vault, start_block, finality, finality_depth, tip_floor FROM chains`

func toChain(row pgx.CollectableRow) (c ChainConfig, err error) {
	err = row.Scan(&c.ChainID, &c.Genesis, &c.Vault, &c.StartBlock, &c.Finality, &c.FinalityDepth, &c.TipFloor)
	return c, err
}

// Chains lists every registered chain.
func (l *Ledger) Chains(ctx context.Context) ([]ChainConfig, error) {
	return read(ctx, l, "list chains", toChain, selectChains+` ORDER BY chain_id`)
}

// Chain reads one chain, or an error of kind NotFound.
func (l *Ledger) Chain(ctx context.Context, chainID uint64) (ChainConfig, error) {
	return readOne(ctx, l, "read chain: "+strconv.FormatUint(chainID, 10), toChain, selectChains+` WHERE chain_id = $1`, chainID)
}

// Refused lists the destinations of a chain that would lose the money or confuse the books.
func (l *Ledger) Refused(ctx context.Context, chainID uint64) (settlement.Refused, error) {
	type lists struct {
		Vault           common.Address
		Tokens, Signers [][]byte
	}
	found, err := readOne(ctx, l, "read refused destinations", pgx.RowToStructByPos[lists],
		`SELECT c.vault, ARRAY(SELECT token::bytea FROM assets a WHERE a.chain_id = c.chain_id ORDER BY id),
		        ARRAY(SELECT signer::bytea FROM lanes l WHERE l.chain_id = c.chain_id ORDER BY id)
		   FROM chains c WHERE c.chain_id = $1`, chainID)
	if err != nil {
		return settlement.Refused{}, err
	}
	refused := settlement.Refused{Vault: found.Vault}
	for _, t := range found.Tokens {
		refused.Tokens = append(refused.Tokens, common.BytesToAddress(t))
	}
	for _, s := range found.Signers {
		refused.Signers = append(refused.Signers, common.BytesToAddress(s))
	}
	return refused, nil
}
