package devchain

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"

	"github.com/quittance/quittance/contracts"
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
	id, err := client.ChainID(ctx)
	if err != nil {
		return Site{}, fmt.Errorf("ask chain id: %w", err)
	}
	genesis, err := client.HeaderByNumber(ctx, common.Big0)
	if err != nil {
		return Site{}, fmt.Errorf("ask genesis: %w", err)
	}
	site := Site{Contracts: c, ChainID: id.Uint64()}
	err = l.RegisterChain(ctx, ledger.ChainConfig{ChainID: site.ChainID, Genesis: genesis.Hash(), Vault: c.Vault, StartBlock: c.Block,
		Finality: ledger.FinalityDepth, FinalityDepth: finalityDepth, TipFloor: settlement.NewAmount(tipFloorWei)})
	if err != nil {
		return Site{}, fmt.Errorf("register chain %d: %w", site.ChainID, err)
	}
	ceiling := settlement.NewAmount(feeCeilingGwei * gwei)
	site.Ether, err = l.RegisterAsset(ctx, settlement.Asset{ChainID: site.ChainID, Symbol: CoinSymbol, Token: settlement.NativeToken, Decimals: CoinDecimals}, ceiling)
	if err != nil {
		return Site{}, fmt.Errorf("register %s: %w", CoinSymbol, err)
	}
	site.USDC, err = l.RegisterAsset(ctx, settlement.Asset{ChainID: site.ChainID, Symbol: TokenSymbol, Token: c.Token, Decimals: TokenDecimals}, ceiling)
	if err != nil {
		return Site{}, fmt.Errorf("register %s: %w", TokenSymbol, err)
	}
	for _, signer := range signers {
		if err := addLane(ctx, l, client, c, site.ChainID, signer); err != nil {
			return Site{}, fmt.Errorf("add lane %s: %w", signer, err)
		}
	}
	return site, nil
}

// addLane reads the signer at one block, so that its nonce and its balance belong together.
func addLane(ctx context.Context, l *ledger.Ledger, client *ethclient.Client, c Contracts, chainID uint64, signer common.Address) error {
	head, err := client.HeaderByNumber(ctx, nil)
	if err != nil {
		return fmt.Errorf("ask head: %w", err)
	}
	nonce, err := client.NonceAt(ctx, signer, head.Number)
	if err != nil {
		return fmt.Errorf("ask nonce: %w", err)
	}
	balance, err := client.BalanceAt(ctx, signer, head.Number)
	if err != nil {
		return fmt.Errorf("ask balance: %w", err)
	}
	wei, err := settlement.AmountFromBig(balance)
	if err != nil {
		return err
	}
	vault := contracts.NewVault()
	answer, err := client.CallContract(ctx, callMsg(c.Vault, vault.PackIsOperator(signer)), head.Number)
	if err != nil {
		return fmt.Errorf("ask whether it is an operator: %w", err)
	}
	operator, err := vault.UnpackIsOperator(answer)
	if err != nil {
		return fmt.Errorf("read whether it is an operator: %w", err)
	}
	_, _, err = l.AddLane(ctx, ledger.LaneConfig{ChainID: chainID, Signer: signer, Custody: ledger.CustodyKeystore,
		CapCeiling: settlement.NewAmount(capCeilingGwei * gwei), Block: head.Number.Uint64(), Nonce: nonce, Balance: wei, Operator: operator})
	return err
}
