package app

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"golang.org/x/sync/errgroup"

	"github.com/quittance/quittance/chain"
	"github.com/quittance/quittance/internal/config"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// Listener follows the chain and keeps the lanes until the context ends. It may run many times: one acts, under a lease, and
// another takes over within seconds after a kill, at once after a clean stop.
func Listener(ctx context.Context, log *slog.Logger, c config.Listener) error {
	keys, err := OpenKeys(c.Keys)
	if err != nil {
		return err
	}
	defer keys.Close()
	page, err := openPage(c.HTTPAddress, log)
	if err != nil {
		return err
	}
	l, err := await(ctx, log, func(ctx context.Context) (*ledger.Ledger, error) { return OpenLedger(ctx, c.Postgres) })
	if err != nil {
		return err
	}
	defer l.Close()
	if err := page.ledger(l, log); err != nil {
		return err
	}
	site, err := await(ctx, log, func(ctx context.Context) (Site, error) { return DialChain(ctx, c.Chain, l, page.rpc()) })
	if err != nil {
		return err
	}
	defer site.Pool.Close()
	page.chain(site.Pool)

	follower, err := chain.NewFollower(followConfig(site.Config), site.Pool, l, watch(l, site.Config, keys), log)
	if err != nil {
		return err
	}
	sender := chain.NewSender(site.Pool, keys)
	keeper := chain.NewKeeper(l, sender, chain.KeeperConfig{TipFloor: site.Config.TipFloor, Log: log, Observe: page.kept})
	leader := &chain.Leader{Store: l, Name: chain.ListenerLease(site.Config.ChainID), Holder: holder(), TTL: c.LeaseTTL, Log: log}
	log.Info("listener is up", "chain", site.Config.ChainID, "vault", site.Config.Vault)
	loop := chain.LoopConfig{Interval: c.PollInterval, Hint: chain.Hints(ctx, site.Pool), Hook: keepLanes(l, keeper, site.Config.ChainID), OnRun: page.walked(site.Config.ChainID)}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return page.serve(ctx) })
	group.Go(func() error { return keys.Watch(ctx, c.Reread, log) })
	group.Go(func() error { return watchFunds(ctx, l, site.Config.ChainID, fundsInterval, log) })
	if c.RemoteURL != "" {
		signatory := &chain.Signatory{Store: l, Sender: sender, Look: look(l, site.Config.ChainID, keys), Every: time.Second, Age: signatoryAge, Log: log}
		group.Go(func() error { return signatory.Run(ctx) })
	}
	group.Go(func() error {
		return leader.Run(ctx, func(ctx context.Context, lease settlement.Lease) error { return follower.Run(ctx, lease, loop) })
	})
	return group.Wait()
}

func followConfig(c ledger.ChainConfig) chain.FollowConfig {
	finality := chain.FinalityByDepth(uint64(c.FinalityDepth))
	if c.Finality == ledger.FinalityTag {
		finality = chain.FinalityByTag(uint64(c.FinalityDepth))
	}
	return chain.FollowConfig{ChainID: c.ChainID, StartBlock: c.StartBlock, Finality: finality}
}

// watch tells the walk what to look for. It is read anew for each batch of blocks, so that an asset or a lane that is added
// while the listener runs is watched from then on. A lane whose key is not here, or whose remote signer is away, takes part in
// everything but grants.
func watch(l *ledger.Ledger, c ledger.ChainConfig, keys *chain.Keyring) func(context.Context) (chain.Watched, error) {
	return func(ctx context.Context) (chain.Watched, error) {
		w := chain.Watched{Vault: c.Vault, Vaults: []common.Address{c.Vault}, TipFloor: c.TipFloor}
		assets, err := l.Assets(ctx, c.ChainID)
		if err != nil {
			return w, err
		}
		for _, a := range assets {
			w.Assets = append(w.Assets, a.Asset)
		}
		lanes, err := l.Lanes(ctx, c.ChainID)
		if err != nil {
			return w, err
		}
		lookForKeys(ctx, keys, lanes)
		for _, lane := range lanes {
			w.Signers = append(w.Signers, lane.Signer)
			if !keys.Holds(lane.Signer) {
				w.Keyless = append(w.Keyless, lane.Signer)
			}
		}
		return w, nil
	}
}

// look is for what runs beside the walk, in a listener that does not act as well.
func look(l *ledger.Ledger, chainID uint64, keys *chain.Keyring) func(context.Context) error {
	return func(ctx context.Context) error {
		lanes, err := l.Lanes(ctx, chainID)
		if err == nil {
			lookForKeys(ctx, keys, lanes)
		}
		return err
	}
}

func keepLanes(l *ledger.Ledger, keeper *chain.Keeper, chainID uint64) chain.HeadHook {
	return func(ctx context.Context, lease settlement.Lease, _ settlement.BlockRef) error {
		head, err := l.Head(ctx, chainID)
		if err != nil {
			return err
		}
		_, err = keeper.RunOnce(ctx, lease, head)
		return err
	}
}

// signatoryAge leaves a young attempt to the step that made it: asked twice, a person would have to approve twice.
const signatoryAge = 5 * time.Second

// holder names this process in the lease, for people.
func holder() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	return fmt.Sprintf("%s/%d", host, os.Getpid())
}
