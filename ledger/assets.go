package ledger

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/quittance/quittance/settlement"
)

// Asset is a registered asset with what the ledger knows beyond its meaning.
type Asset struct {
	settlement.Asset
	FeeCeiling settlement.Amount // wei a settlement may cost before its nonce is taken
	Stopped    string            // why new submissions are stopped; empty when they are not
	Balance    settlement.Amount // of the vault, at BalanceBlock
	InFlight   settlement.Amount // allocated and not finally consumed

	HourlyBudget *settlement.Amount // nil: no bound
	Spent        settlement.Amount  // of the budget, in the last 60 to 61 minutes; counted only while there is one
	RevertsInRow int                // payments in a row that reverted and count; the third stops the asset
}

const selectAssets = `SELECT a.id, a.chain_id, a.symbol, a.token, a.decimals, a.fee_ceiling, coalesce(a.stopped, ''), q.balance, q.in_flight,
		a.hourly_budget, ` + spentSQL + `, a.reverts_in_row
	FROM assets a JOIN asset_liquidity q ON q.asset_id = a.id`

func toAsset(row pgx.CollectableRow) (a Asset, err error) {
	err = row.Scan(&a.ID, &a.ChainID, &a.Symbol, &a.Token, &a.Decimals, &a.FeeCeiling, &a.Stopped, &a.Balance, &a.InFlight, &a.HourlyBudget, &a.Spent, &a.RevertsInRow)
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

var errNoNativeAsset = errors.New("the chain's native coin is not registered as an asset")
