package ledger

import (
	"context"
	"errors"
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

// Asset is a registered asset with what the ledger knows beyond its meaning.
type Asset struct {
	settlement.Asset
	FeeCeiling settlement.Amount // wei a settlement may cost before its nonce is taken
	Stopped    string            // why new submissions are stopped; empty when they are not
	Balance    settlement.Amount // of the vault, at BalanceBlock
	InFlight   settlement.Amount // allocated and not finally consumed
}

const selectAssets = `SELECT a.id, a.chain_id, a.symbol, a.token, a.decimals, a.fee_ceiling, coalesce(a.stopped, ''), q.balance, q.in_flight
	FROM assets a JOIN asset_liquidity q ON q.asset_id = a.id`

func toAsset(row pgx.CollectableRow) (a Asset, err error) {
	err = row.Scan(&a.ID, &a.ChainID, &a.Symbol, &a.Token, &a.Decimals, &a.FeeCeiling, &a.Stopped, &a.Balance, &a.InFlight)
	return a, err
}

// RegisterAsset makes a token or the native coin known to the ledger and returns it with its id. The same again returns what
// is stored and takes over the fee ceiling; another token or other decimals under a known symbol are a Conflict.
func (l *Ledger) RegisterAsset(ctx context.Context, a settlement.Asset, feeCeiling settlement.Amount) (settlement.Asset, error) {
	var stored Asset
	err := l.do(ctx, "register asset: "+a.Symbol, func(t *Tx) error {
		_, err := t.Exec(`WITH a AS (
			INSERT INTO assets (chain_id, symbol, token, decimals, fee_ceiling) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT DO NOTHING RETURNING id)
			INSERT INTO asset_liquidity (asset_id) SELECT id FROM a`, a.ChainID, a.Symbol, a.Token, a.Decimals, num(feeCeiling))
		if violates(err, "assets_chain_id_fkey") {
			return settlement.Invalidf("chain", "is not registered: %d", a.ChainID)
		}
		if err != nil {
			return err
		}
		found, err := collect(t, toAsset, selectAssets+` WHERE a.chain_id = $1 AND (a.symbol = $2 OR a.token = $3)`, a.ChainID, a.Symbol, a.Token)
		if err != nil {
			return err
		}
		if len(found) != 1 || found[0].Symbol != a.Symbol || found[0].Token != a.Token || found[0].Decimals != a.Decimals {
			return &settlement.Error{Kind: settlement.Conflict, Fields: []string{"decimals", "symbol", "token"}}
		}
		stored = found[0]
		_, err = t.Exec(`UPDATE assets SET fee_ceiling = $2 WHERE id = $1 AND fee_ceiling <> $2`, stored.ID, num(feeCeiling))
		return err
	})
	return stored.Asset, err
}

// Assets lists the assets of one chain, or of all chains with chainID 0.
func (l *Ledger) Assets(ctx context.Context, chainID uint64) ([]Asset, error) {
	return read(ctx, l, "list assets", toAsset, selectAssets+` WHERE $1 = 0 OR a.chain_id = $1 ORDER BY a.id`, int64(chainID))
}

// Asset reads one asset by its symbol, or an error of kind NotFound.
func (l *Ledger) Asset(ctx context.Context, chainID uint64, symbol string) (settlement.Asset, error) {
	a, err := readOne(ctx, l, "read asset: "+symbol, toAsset, selectAssets+` WHERE a.chain_id = $1 AND a.symbol = $2`, chainID, symbol)
	return a.Asset, err
}

// StopAsset stops new submissions of an asset; StartAsset lets them go on. Both are journaled when they change something.
func (l *Ledger) StopAsset(ctx context.Context, assetID int64, actor, why string) error {
	if why == "" {
		return settlement.Invalidf("why", "must not be empty")
	}
	return l.do(ctx, "stop asset", func(t *Tx) error {
		n, err := t.Exec(`UPDATE assets SET stopped = $2 WHERE id = $1 AND stopped IS NULL`, assetID, why)
		if err != nil || n == 0 {
			return err
		}
		return journal(t, actor, "stop asset", strconv.FormatInt(assetID, 10), map[string]string{"why": why})
	})
}

// StartAsset also forgets the reverts in a row, and wakes what waits for the asset at the next block.
func (l *Ledger) StartAsset(ctx context.Context, assetID int64, actor string) error {
	return l.do(ctx, "start asset", func(t *Tx) error {
		n, err := t.Exec(`UPDATE assets SET stopped = NULL, reverts_in_row = 0 WHERE id = $1 AND stopped IS NOT NULL`, assetID)
		if err != nil || n == 0 {
			return err
		}
		if _, err := t.Exec(`UPDATE settlements s SET wake_block = coalesce((SELECT head_number FROM heads h WHERE h.chain_id = s.chain_id), 0)
			WHERE s.asset_id = $1 AND s.state = 'waiting'`, assetID); err != nil {
			return err
		}
		return journal(t, actor, "start asset", strconv.FormatInt(assetID, 10), map[string]string{})
	})
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

var errNoNativeAsset = errors.New("the chain's native coin is not registered as an asset")
