package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient/gethclient"
	"golang.org/x/sync/errgroup"

	"github.com/quittance/quittance/internal/devchain"
	"github.com/quittance/quittance/internal/fleet"
	"github.com/quittance/quittance/internal/intake"
	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

// latency of paced payments: from the request until the node had the transaction, and from the moment at which its block
// became final until the hold was posted.
type latency struct {
	perSecond float64
	broadcast []time.Duration // sorted
	posted    []time.Duration // sorted
}

// observer notes when the node had a transaction, and when it had a block.
type observer struct {
	mu     sync.Mutex
	txs    map[common.Hash]time.Time
	blocks map[uint64]time.Time
}

// observe subscribes until the context ends.
func (b *bench) observe(ctx context.Context) (*observer, error) {
	o := &observer{txs: map[common.Hash]time.Time{}, blocks: map[uint64]time.Time{}}
	hashes, heads := make(chan common.Hash, 10_000), make(chan *types.Header, 100)
	pending, err := gethclient.New(b.clients.socket.Client()).SubscribePendingTransactions(ctx, hashes)
	if err != nil {
		return nil, fmt.Errorf("subscribe to pending transactions: %w", err)
	}
	newHeads, err := b.clients.socket.SubscribeNewHead(ctx, heads)
	if err != nil {
		pending.Unsubscribe()
		return nil, fmt.Errorf("subscribe to heads: %w", err)
	}
	go func() {
		defer pending.Unsubscribe()
		defer newHeads.Unsubscribe()
		for {
			select {
			case <-ctx.Done():
				return
			case hash := <-hashes:
				o.mu.Lock()
				o.txs[hash] = time.Now()
				o.mu.Unlock()
			case head := <-heads:
				o.mu.Lock()
				o.blocks[head.Number.Uint64()] = time.Now()
				o.mu.Unlock()
			}
		}
	}()
	return o, nil
}

// pacedPayments sends requests at a fixed rate, whatever becomes of the earlier ones.
func (b *bench) pacedPayments(ctx context.Context, perSecond float64) (latency, error) {
	watching, stop := context.WithCancel(ctx)
	defer stop()
	seen, err := b.observe(watching)
	if err != nil {
		return latency{}, err
	}
	desk, err := intake.OpenDesk(ctx, b.clients.books, b.world.Site.ChainID)
	if err != nil {
		return latency{}, err
	}
	in := &intake.Intake{Ledger: b.clients.books, Desk: desk, Runs: workflows.Runs{Client: b.clients.temporal}}
	requested := make([]time.Time, b.paced)
	var group errgroup.Group
	tick := time.NewTicker(time.Duration(float64(time.Second) / perSecond))
	defer tick.Stop()
	for i := range b.paced {
		request, err := desk.Request(ctx, intake.Spec{Key: pacedKey(i), Account: customer(i), To: payee(i).Hex(), Asset: devchain.TokenSymbol, Amount: "0.01"})
		if err != nil {
			return latency{}, err
		}
		select {
		case <-ctx.Done():
			return latency{}, context.Cause(ctx)
		case <-tick.C:
		}
		requested[i] = time.Now()
		group.Go(func() error {
			_, err := in.Submit(ctx, request)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return latency{}, err
	}
	l := latency{perSecond: perSecond}
	return l, b.collect(ctx, &l, requested, seen)
}

func pacedKey(i int) string { return fmt.Sprintf("paced-%05d", i) }

// collect waits for the ends and joins what the ledger stored with what was observed.
func (b *bench) collect(ctx context.Context, l *latency, requested []time.Time, seen *observer) error {
	keys := make([]string, len(requested))
	for i := range keys {
		keys[i] = pacedKey(i)
	}
	err := fleet.Until(ctx, "the paced payments are settled", func() (bool, error) {
		rows, err := b.clients.books.SettlementsOf(ctx, settlement.DefaultTenant, keys)
		n := 0
		for _, s := range rows {
			if s.State == settlement.Settled {
				n++
			}
		}
		return n == len(keys), err
	})
	if err != nil {
		return err
	}
	rows, err := b.clients.books.SettlementsOf(ctx, settlement.DefaultTenant, keys)
	if err != nil {
		return err
	}
	seen.mu.Lock()
	defer seen.mu.Unlock()
	at := map[string]time.Time{}
	for i, key := range keys {
		at[key] = requested[i]
	}
	for _, s := range rows {
		if node, ok := seen.txs[*s.TxHash]; ok {
			l.broadcast = append(l.broadcast, node.Sub(at[s.Key.Value]))
		}
		if final, ok := seen.blocks[*s.BlockNumber+devchain.FinalityDepthDefault]; ok {
			l.posted = append(l.posted, s.ChangedAt.Sub(final))
		}
	}
	slices.Sort(l.broadcast)
	slices.Sort(l.posted)
	if len(l.broadcast) < len(keys)*9/10 || len(l.posted) < len(keys)*9/10 {
		return fmt.Errorf("only %d broadcasts and %d final blocks of %d were observed", len(l.broadcast), len(l.posted), len(keys))
	}
	return nil
}

func percentile(sorted []time.Duration, p float64) time.Duration {
	return sorted[min(int(p*float64(len(sorted))), len(sorted)-1)].Round(time.Millisecond)
}
