package devchain

import (
	"context"
	"fmt"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"

	"github.com/quittance/quittance/internal/devstack"
	"github.com/quittance/quittance/settlement"
)

// Deposit sends test tokens or coins into a running stack's vault for a customer of the ledger, from an example wallet, and
// returns once the transaction is mined. The ledger credits it when its block is final. Each call deposits again.
func Deposit(ctx context.Context, dir, account, units, symbol string) error {
	vars, err := devstack.ReadEnv(dir)
	if err != nil {
		return err
	}
	block, err := strconv.ParseUint(vars[startVariable], 10, 64)
	if err != nil {
		return fmt.Errorf("the stack in %s has no vault: run `make up` first", dir)
	}
	c := Contracts{Vault: common.HexToAddress(vars[vaultVariable]), Token: common.HexToAddress(vars[tokenVariable]), Block: block}
	keys, err := EnsureKeys(dir, 0, Customers[:1])
	if err != nil {
		return err
	}
	client, err := ethclient.DialContext(ctx, vars["CHAIN_RPC_URLS"])
	if err != nil {
		return fmt.Errorf("connect to the node: %w", err)
	}
	defer client.Close()
	wallet, err := NewWallet(ctx, client, keys.Customers[Customers[0]])
	if err != nil {
		return err
	}
	id := settlement.CustomerID(settlement.DefaultTenant, account)
	switch symbol {
	case TokenSymbol:
		amount, err := settlement.ParseUnits(units, TokenDecimals)
		if err != nil {
			return err
		}
		return c.DepositToken(ctx, wallet, id, amount.Big())
	case CoinSymbol:
		amount, err := settlement.ParseUnits(units, CoinDecimals)
		if err != nil {
			return err
		}
		return c.DepositCoin(ctx, wallet, id, amount.Big())
	}
	return fmt.Errorf("asset %q: the dev chain has %s and %s", symbol, TokenSymbol, CoinSymbol)
}
