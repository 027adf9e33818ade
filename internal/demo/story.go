package main

import (
	"context"
	"fmt"
	"math/big"
	"path/filepath"
	"sync"

	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/params"

	"github.com/quittance/quittance/internal/devchain"
	"github.com/quittance/quittance/internal/fleet"
	"github.com/quittance/quittance/internal/payouts"
	"github.com/quittance/quittance/settlement"
)

// What examples/payouts.csv must come to. Another outcome is a failure of the demo.
const (
	fileLines      = 209
	fileConflicts  = 1 // a key used again with another amount
	fileNotSettled = 1 // erin asks for more than she has
)

// depositUnits is what each customer brings; erin brings little.
func depositUnits(customer string) int64 {
	if customer == "erin" {
		return 20
	}
	return 1_000
}

func (d *demo) startServices(ctx context.Context) error {
	say("Starting worker, listener, relay and an example consumer as processes")
	if err := d.StartServices(ctx); err != nil {
		return err
	}
	for _, name := range fleet.Services {
		note("%s: pid %d, log %s", name, d.PID(name), d.LogPath(name))
	}
	return d.StartConsumer()
}

// deposit sends real transactions to the vault and waits until the ledger has credited them, after finality.
func (d *demo) deposit(ctx context.Context) error {
	say("Customers deposit tokens and coins into the vault %s", d.world.Site.Vault)
	client, err := ethclient.DialContext(ctx, d.world.Stack.ChainRPCURLs[0])
	if err != nil {
		return fmt.Errorf("connect to geth: %w", err)
	}
	defer client.Close()
	before := map[string]account{}
	for _, name := range devchain.Customers {
		var a account
		if _, err := d.Starter(ctx, &a, "account", "create", name); err != nil {
			return err
		}
		before[name] = a
	}
	for _, name := range devchain.Customers {
		wallet, err := devchain.NewWallet(ctx, client, d.world.Keys.Customers[name])
		if err != nil {
			return err
		}
		id := settlement.CustomerID(settlement.DefaultTenant, name)
		units := big.NewInt(depositUnits(name) * 1_000_000)
		if err := d.world.Site.DepositToken(ctx, wallet, id, units); err != nil {
			return fmt.Errorf("deposit for %s: %w", name, err)
		}
		if err := d.world.Site.DepositCoin(ctx, wallet, id, big.NewInt(params.Ether)); err != nil {
			return fmt.Errorf("deposit for %s: %w", name, err)
		}
	}
	for _, name := range devchain.Customers {
		err := fleet.Until(ctx, name+"'s deposits are final and credited", func() (bool, error) {
			var a account
			_, err := d.Starter(ctx, &a, "account", "show", name)
			return len(a.Balances) == 2 && fmt.Sprint(a.Balances) != fmt.Sprint(before[name].Balances) && a.grew(before[name]), err
		})
		if err != nil {
			return err
		}
		note("%s: %d %s and 1 %s", name, depositUnits(name), devchain.TokenSymbol, devchain.CoinSymbol)
	}
	return nil
}

type account struct {
	Account  string
	Balances []struct{ Asset, Available, Held string }
}

// grew reports whether each asset's balance changed since.
func (a account) grew(before account) bool {
	old := map[string]string{}
	for _, b := range before.Balances {
		old[b.Asset] = b.Available
	}
	for _, b := range a.Balances {
		if old[b.Asset] == b.Available {
			return false
		}
	}
	return true
}

// killAfter is how many settlements of the import are under way or done when the worker is killed.
const killAfter = 40

// importWhileKilling settles the payouts file; in the middle the worker is killed. When the lines that no earlier run has settled
// are too few for that, it says so.
func (d *demo) importWhileKilling(ctx context.Context) error {
	say("Importing examples/payouts.csv (%d lines), and killing the worker in the middle", fileLines)
	before, err := d.moved(ctx)
	if err != nil {
		return err
	}
	var summary payouts.Summary
	done := make(chan error, 1)
	go func() {
		code, err := d.Starter(ctx, &summary, "import", filepath.Join(d.Root, "examples", "payouts.csv"), "--timeout", "15m")
		if err == nil && code != 3 {
			err = fmt.Errorf("the import ended with exit code %d, want 3 (one line is a conflict)", code)
		}
		done <- err
	}()
	var moved int64
	var ended bool
	err = fleet.Until(ctx, "settlements are under way", func() (bool, error) {
		ended = len(done) > 0 // read before the count: what it counts is then all there is
		now, err := d.moved(ctx)
		moved = now - before
		return ended || moved >= killAfter, err
	})
	switch {
	case err != nil:
		return err
	case moved == 0:
		note("an earlier run has settled the file: every line is answered from the ledger, none is paid again, and there is nothing to kill the worker in")
	case ended:
		note("the %d settlements that were left ended before the worker could be killed", moved)
	default:
		if err := d.killWorker(moved); err != nil {
			return err
		}
	}
	if err := <-done; err != nil {
		return err
	}
	note("%d lines: %d settlements, %d repeated lines, %d settled, %d not settled, %d conflict",
		summary.Lines, summary.Settlements, summary.Duplicates, summary.Settled, len(summary.NotSettled), len(summary.Conflicts))
	if summary.Lines != fileLines || len(summary.Conflicts) != fileConflicts || len(summary.NotSettled) != fileNotSettled ||
		len(summary.Unknown) != 0 || summary.Settled != summary.Settlements-fileNotSettled {
		return fmt.Errorf("the import came to %+v", summary)
	}
	note("conflict: line %d, key %s, another %v; not settled: line %d, key %s: %s", summary.Conflicts[0].Line, summary.Conflicts[0].Key,
		summary.Conflicts[0].Fields, summary.NotSettled[0].Line, summary.NotSettled[0].Key, summary.NotSettled[0].Reason)
	return nil
}

// moved counts the ledger's settlements that were sent at least.
func (d *demo) moved(ctx context.Context) (int64, error) {
	var s fleet.Stats
	_, err := d.Starter(ctx, &s, "stats")
	return s.States["settled"] + s.States["submitted"] + s.States["mined"], err
}

func (d *demo) killWorker(moved int64) error {
	if err := d.Kill("worker"); err != nil {
		return err
	}
	note("worker killed by SIGKILL with %d of the settlements under way or done", moved)
	if err := d.Start("worker", nil); err != nil {
		return err
	}
	note("worker started again: pid %d", d.PID("worker"))
	return nil
}

const twins = 5

// sameRequestTwiceAtOnce races two starters with one key: one settlement, two equal answers.
func (d *demo) sameRequestTwiceAtOnce(ctx context.Context) error {
	say("Sending %d requests twice at the same time", twins)
	for i := range twins {
		args := d.payment(fmt.Sprintf("twin-%d", i), "alice", "1.25")
		var answers [2]settlement.Snapshot
		var codes [2]int
		var errs [2]error
		var both sync.WaitGroup
		for j := range answers {
			both.Go(func() {
				codes[j], errs[j] = d.Starter(ctx, &answers[j], append(args, "--wait", "--timeout", "5m")...)
			})
		}
		both.Wait()
		for j := range answers {
			if errs[j] != nil {
				return errs[j]
			}
			if codes[j] != 0 || answers[j].State != settlement.Settled {
				return fmt.Errorf("twin %d of request %d: exit code %d, state %s", j, i, codes[j], answers[j].State)
			}
		}
		if *answers[0].TxHash != *answers[1].TxHash {
			return fmt.Errorf("request %d was answered with two transactions: %s and %s", i, answers[0].TxHash, answers[1].TxHash)
		}
		note("%s: two answers, one transaction %s", answers[0].Key, answers[0].TxHash)
	}
	return nil
}

// payment is a submit of this run's own key.
func (d *demo) payment(name, account, amount string) []string {
	return []string{"submit", "--key", "demo-" + d.tag + "-" + name, "--account", account, "--to", "0x00000000000000000000000000000000DeaDBeef",
		"--asset", devchain.TokenSymbol, "--amount", amount}
}
