package devstack_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/ethclient"

	"github.com/quittance/quittance/internal/devstack"
	"github.com/quittance/quittance/internal/devstack/stacktest"
)

func dial(t *testing.T, g *devstack.Geth) *ethclient.Client {
	t.Helper()
	c, err := ethclient.Dial(g.RPCURL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// head waits until the chain is at least n blocks high.
func head(t *testing.T, c *ethclient.Client, n uint64) uint64 {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		got, err := c.BlockNumber(ctx)
		if err == nil && got >= n {
			return got
		}
		select {
		case <-ctx.Done():
			t.Fatalf("chain at %d, want %d: %v", got, n, err)
		case <-tick.C:
		}
	}
}

func TestGethKeepsItsChainOverStopAndItsBalancesOverKill(t *testing.T) {
	t.Parallel()
	g := stacktest.Geth(t, devstack.GethOptions{Fund: []string{rich}})
	c := dial(t, g)
	reached := head(t, c, 3)
	block, err := c.HeaderByNumber(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if g.Running() {
		t.Fatal("running after a stop")
	}
	if err := g.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := head(t, c, 1); got < reached {
		t.Errorf("a clean stop lost blocks: %d, was %d", got, reached)
	}
	kept, err := c.HeaderByNumber(t.Context(), block.Number)
	if err != nil || kept.Hash() != block.Hash() {
		t.Errorf("block %s is %v after a clean stop, was %v (%v)", block.Number, kept, block, err)
	}

	if err := g.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := g.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if wei, err := c.BalanceAt(t.Context(), common.HexToAddress(rich), nil); err != nil || wei.Cmp(million()) != 0 {
		t.Errorf("after a kill: balance %s, %v", wei, err)
	}
	head(t, c, 2)
}

func TestGethReorganisesOnDemand(t *testing.T) {
	t.Parallel()
	g := stacktest.Geth(t, devstack.GethOptions{})
	c := dial(t, g)
	head(t, c, 3)
	old, err := c.HeaderByNumber(t.Context(), common.Big3)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Client().CallContext(t.Context(), nil, "debug_setHead", hexutil.Uint64(2)); err != nil {
		t.Fatal(err)
	}
	head(t, c, 3)
	fresh, err := c.HeaderByNumber(t.Context(), common.Big3)
	if err != nil {
		t.Fatal(err)
	}
	if fresh.Hash() == old.Hash() || fresh.ParentHash != old.ParentHash {
		t.Errorf("block 3 was %s on %s, is %s on %s", old.Hash(), old.ParentHash, fresh.Hash(), fresh.ParentHash)
	}
}

func TestChainIsLikeTheLiveNetworks(t *testing.T) {
	t.Parallel()
	g := stacktest.SharedGeth(t)
	c := dial(t, g)
	var info struct {
		Protocols struct {
			Eth struct{ Config map[string]json.RawMessage }
		}
	}
	if err := c.Client().CallContext(t.Context(), &info, "admin_nodeInfo"); err != nil {
		t.Fatal(err)
	}
	config := info.Protocols.Eth.Config
	if _, ok := config["osakaTime"]; !ok {
		t.Errorf("the newest live fork is missing: %v", config)
	}
	if _, ok := config["bogotaTime"]; ok {
		t.Error("a fork that is not live anywhere is active: gas costs are wrong")
	}
	block, err := c.HeaderByNumber(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if block.GasLimit != 30_000_000 {
		t.Errorf("gas limit %d", block.GasLimit)
	}
}

func TestAnExistingChainRefusesOtherOptions(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "geth")
	g, err := devstack.StartGeth(t.Context(), dir, devstack.GethOptions{Fund: []string{rich}, Log: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = g.Wipe(context.Background()) }() // the test is over: what stays is a folder
	for _, row := range []struct {
		opts devstack.GethOptions
		says string // empty: accepted
		why  string
	}{
		{devstack.GethOptions{}, "", "the zero value takes what is there"},
		{devstack.GethOptions{Fund: []string{strings.ToUpper(rich[2:])}}, "", "another spelling of a funded address"},
		{devstack.GethOptions{ChainID: 1337, BlockPeriod: time.Second, GasLimit: 30_000_000}, "", "the defaults, spelled out"},
		{devstack.GethOptions{ChainID: 5}, "chain id", "signatures are bound to it"},
		{devstack.GethOptions{BlockPeriod: 2 * time.Second}, "block period", "the caller would wait in vain"},
		{devstack.GethOptions{GasLimit: 1_000_000}, "gas limit", "capacity would differ"},
		{devstack.GethOptions{Fund: []string{"0x00000000000000000000000000000000000000bb"}}, "does not fund", "a genesis cannot be changed"},
		{devstack.GethOptions{Fund: []string{"0x12"}}, "not an address", "a typing error"},
		{devstack.GethOptions{BlockPeriod: 1500 * time.Millisecond}, "whole seconds", "geth counts in seconds"},
	} {
		same, err := devstack.StartGeth(t.Context(), dir, row.opts)
		switch {
		case row.says == "" && (err != nil || same.PID() != g.PID()):
			t.Errorf("%s: %v", row.why, err)
		case row.says != "" && (err == nil || !strings.Contains(err.Error(), row.says)):
			t.Errorf("%s: error is %v", row.why, err)
		}
	}
}
