package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/quittance/quittance/internal/devchain"
	"github.com/quittance/quittance/internal/fleet"
	"github.com/quittance/quittance/settlement"
)

const (
	amount = 10_000 // base units of the test token: 0.01
	payees = 1_000  // so that most payments meet an existing holder
	quiet  = 20     // settlements whose cost is counted
)

func customer(i int) string { return devchain.Customers[i%len(devchain.Customers)] }

func payee(i int) common.Address {
	return common.BytesToAddress(crypto.Keccak256(fmt.Appendf(nil, "payee %d", i%payees)))
}

// fund gives every customer enough for all payments.
func (b *bench) fund(ctx context.Context) error {
	need := big.NewInt(int64(amount * 2 * (b.payments + b.paced + quiet)))
	for _, name := range devchain.Customers {
		if _, err := b.Starter(ctx, nil, "account", "create", name); err != nil {
			return err
		}
		wallet, err := devchain.NewWallet(ctx, b.clients.node, b.world.Keys.Customers[name])
		if err != nil {
			return err
		}
		if err := b.world.Site.DepositToken(ctx, wallet, settlement.CustomerID(settlement.DefaultTenant, name), need); err != nil {
			return fmt.Errorf("deposit for %s: %w", name, err)
		}
	}
	for _, name := range devchain.Customers {
		err := fleet.Until(ctx, name+"'s deposit is credited", func() (bool, error) {
			var a struct{ Balances []struct{ Asset string } }
			_, err := b.Starter(ctx, &a, "account", "show", name)
			return len(a.Balances) == 1, err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) quietPayments() [][]string {
	var all [][]string
	for i := range quiet {
		all = append(all, []string{"submit", "--key", fmt.Sprintf("quiet-%02d", i), "--account", customer(i), "--to", payee(i).Hex(),
			"--asset", devchain.TokenSymbol, "--amount", "0.01"})
	}
	return all
}

// writePayouts makes the file that is imported.
func (b *bench) writePayouts() (path string, err error) {
	path = filepath.Join(b.world.Stack.Dir, "payouts.csv")
	f, err := os.Create(path)
	if err != nil {
		return "", fmt.Errorf("write the payouts file: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriter(f)
	fmt.Fprintln(w, "key,account,to,asset,amount")
	for i := range b.payments {
		fmt.Fprintf(w, "bench-%05d,%s,%s,%s,0.01\n", i, customer(i), payee(i).Hex(), devchain.TokenSymbol)
	}
	return path, w.Flush()
}
