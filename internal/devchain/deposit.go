package devchain

import (
	"context"
	"fmt"
	"math/big"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"

	"github.com/quittance/quittance/internal/devstack"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// Deposited is what became of a deposit.
type Deposited struct {
	Block    uint64 // in which it was mined
	Credited bool   // the ledger has booked it: its block is final
}

// Deposit sends test tokens or coins into a running stack's vault for a customer of the ledger, from an example wallet. It
// returns once the transaction is mined, or, told to wait, once the ledger has credited it, which takes a listener and the
// chain's finality; when the context ends before that, the deposit stands and Credited is false. Each call deposits again.
func Deposit(ctx context.Context, dir, account, units, symbol string, wait bool) (Deposited, error) {
	vars, err := devstack.ReadEnv(dir)
	if err != nil {
		return Deposited{}, err
	}
	block, err := strconv.ParseUint(vars[startVariable], 10, 64)
	if err != nil {
		return Deposited{}, fmt.Errorf("the stack in %s has no vault: run `make up` first", dir)
	}
	amount, send, err := depositOf(units, symbol)
	if err != nil {
		return Deposited{}, err
	}
	l, err := ledger.Open(ctx, vars["DATABASE_URL"], ledger.WithConns(1))
	if err != nil {
		return Deposited{}, err
	}
	defer l.Close()
	before, err := l.Account(ctx, settlement.DefaultTenant, account)
	if settlement.KindOf(err) == settlement.NotFound {
		return Deposited{}, fmt.Errorf("the ledger has no account %q: bin/starter account create %s", account, account)
	}
	if err != nil {
		return Deposited{}, err
	}
	keys, err := EnsureKeys(dir, 0, Customers[:1])
	if err != nil {
		return Deposited{}, err
	}
	client, err := ethclient.DialContext(ctx, vars["CHAIN_RPC_URLS"])
	if err != nil {
		return Deposited{}, fmt.Errorf("connect to the node: %w", err)
	}
	defer client.Close()
	wallet, err := NewWallet(ctx, client, keys.Customers[Customers[0]])
	if err != nil {
		return Deposited{}, err
	}
	c := Contracts{Vault: common.HexToAddress(vars[vaultVariable]), Token: common.HexToAddress(vars[tokenVariable]), Block: block}
	if err := send(ctx, c, wallet, settlement.CustomerID(settlement.DefaultTenant, account), amount.Big()); err != nil {
		return Deposited{}, err
	}
	d := Deposited{}
	if d.Block, err = client.BlockNumber(ctx); err != nil || !wait {
		return d, err
	}
	d.Credited, err = credited(ctx, l, account, symbol, received(before, symbol))
	return d, err
}

// depositOf reads the amount and finds the way to send it.
func depositOf(units, symbol string) (settlement.Amount, func(context.Context, Contracts, *Wallet, common.Hash, *big.Int) error, error) {
	decimals, send := uint8(TokenDecimals), func(ctx context.Context, c Contracts, w *Wallet, id common.Hash, amount *big.Int) error {
		return c.DepositToken(ctx, w, id, amount)
	}
	switch symbol {
	case TokenSymbol:
	case CoinSymbol:
		decimals, send = CoinDecimals, func(ctx context.Context, c Contracts, w *Wallet, id common.Hash, amount *big.Int) error {
			return c.DepositCoin(ctx, w, id, amount)
		}
	default:
		return settlement.Amount{}, nil, fmt.Errorf("asset %q: the dev chain has %s and %s", symbol, TokenSymbol, CoinSymbol)
	}
	amount, err := settlement.ParseUnits(units, decimals)
	if err == nil {
		err = settlement.CheckAmount(amount)
	}
	return amount, send, err
}

// received is what an account was ever given of an asset, less what it paid: it rises with a deposit.
func received(a ledger.Account, symbol string) settlement.Amount {
	for _, b := range a.Balances {
		if b.Asset.Symbol == symbol {
			sum, over := b.Available.Add(b.Held)
			if !over {
				return sum
			}
		}
	}
	return settlement.Amount{}
}

// credited waits until the account has more than before.
func credited(ctx context.Context, l *ledger.Ledger, account, symbol string, before settlement.Amount) (bool, error) {
	for {
		a, err := l.Account(ctx, settlement.DefaultTenant, account)
		switch {
		case ctx.Err() != nil:
			return false, nil
		case err != nil:
			return false, err
		case received(a, symbol).Cmp(before) > 0:
			return true, nil
		}
		select {
		case <-ctx.Done():
			return false, nil
		case <-time.After(250 * time.Millisecond):
		}
	}
}
