package devchain

import (
	"context"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/quittance/quittance/chain"
	"github.com/quittance/quittance/internal/registry"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

const (
	gwei = 1_000_000_000
	// tipFloorWei: geth's miner takes nothing below 1,000,000 wei.
	tipFloorWei = gwei / 100
	// capCeilingGwei and feeCeilingGwei are far above what an idle dev chain asks for.
	capCeilingGwei = 1_000
	feeCeilingGwei = 100_000_000 // 0.1 ETH per settlement
)

// Site is a dev chain that a ledger knows: what `make up` leaves behind.
type Site struct {
	Contracts
	ChainID     uint64
	USDC, Ether settlement.Asset
}

// Register makes a deployed vault, its token, the coin and the signers known to the ledger. Running it again changes nothing.
func Register(ctx context.Context, l *ledger.Ledger, client *ethclient.Client, c Contracts, signers []common.Address, finalityDepth int) (Site, error) {
	id, genesis, err := registry.IdentifyBy(ctx, client.Client())
	if err != nil {
		return Site{}, err
	}
	pool, err := chain.PoolOf(ctx, map[string]*rpc.Client{"dev chain": client.Client()}, id, genesis) // not closed: the client is the caller's
	if err != nil {
		return Site{}, err
	}
	r, site := registry.Registrar{Ledger: l, Pool: pool}, Site{Contracts: c, ChainID: id}
	if _, err := r.Chain(ctx, registry.Vault{Address: c.Vault, StartBlock: &c.Block, Finality: ledger.FinalityDepth, FinalityDepth: finalityDepth,
		TipFloor: new(settlement.NewAmount(tipFloorWei))}); err != nil {
		return Site{}, err
	}
	ceiling := new(settlement.NewAmount(feeCeilingGwei * gwei))
	if site.Ether, err = r.Asset(ctx, CoinSymbol, settlement.NativeToken, ceiling); err != nil {
		return Site{}, err
	}
	if site.USDC, err = r.Asset(ctx, TokenSymbol, c.Token, ceiling); err != nil {
		return Site{}, err
	}
	for _, signer := range signers {
		if _, _, err := r.Signer(ctx, registry.Signer{Address: signer, Custody: ledger.CustodyKeystore, CapCeiling: new(settlement.NewAmount(capCeilingGwei * gwei))}); err != nil {
			return Site{}, err
		}
	}
	return site, nil
}
