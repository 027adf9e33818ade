package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"

	"github.com/quittance/quittance/activities"
	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

// The ceiling that Temporal sets: the product's own workflow and worker, whose steps do nothing. After its broadcast each run
// gets the one signal that the relay would send.

// atOnce is how many requests the import sends at once, too.
const atOnce = 32

// nothing is the books and the chain of the empty steps.
type nothing struct {
	mu    sync.Mutex
	rows  map[string]settlement.Settlement
	wakes chan settlement.Key
}

var errUnused = errors.New("the happy path does not come here")

func (n *nothing) Reserve(_ context.Context, r settlement.Reservation) (settlement.Settlement, error) {
	s := settlement.Settlement{Request: r.Request, RequestID: r.RequestID, Vault: r.Vault, State: settlement.Requested}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.rows[r.Key.Value] = s
	return s, nil
}

func (n *nothing) Settlement(_ context.Context, key settlement.Key) (settlement.Settlement, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.rows[key.Value], nil
}

func (n *nothing) Allocate(context.Context, settlement.Allocation, func(common.Address, uint64) (settlement.Attempt, error)) (settlement.Allocated, error) {
	return settlement.Allocated{Outcome: settlement.AllocatedNonce, Transaction: &settlement.Transaction{Newest: settlement.Attempt{Raw: []byte{0}}}}, nil
}

func (n *nothing) Estimate(context.Context, settlement.Settlement) (settlement.Estimate, error) {
	return settlement.Estimate{Verdict: settlement.VerdictPayable}, nil
}

func (n *nothing) Broadcast(_ context.Context, s settlement.Settlement, _ settlement.Attempt) (settlement.Sent, error) {
	s.State = settlement.Settled
	n.mu.Lock()
	n.rows[s.Key.Value] = s
	n.mu.Unlock()
	n.wakes <- s.Key
	return settlement.Sent{Outcome: settlement.SendAccepted}, nil
}

func (n *nothing) Wait(context.Context, int64, string) error { return errUnused }
func (n *nothing) FailUnpaid(context.Context, int64, string, settlement.UnpaidProof) error {
	return errUnused
}
func (n *nothing) CancelUnpaid(context.Context, int64, string, settlement.UnpaidProof) error {
	return errUnused
}
func (*nothing) StoreBytes(context.Context, int64, settlement.Attempt) (settlement.Attempt, bool, error) {
	return settlement.Attempt{}, false, errUnused
}
func (*nothing) SignStored(context.Context, settlement.Transaction) (settlement.Attempt, error) {
	return settlement.Attempt{}, errUnused
}
func (n *nothing) RecordRefusal(context.Context, common.Hash, string, string) error { return errUnused }
func (n *nothing) MarkUnrunnable(context.Context, int64, string) error              { return errUnused }
func (n *nothing) Sign(settlement.Settlement, settlement.Estimate, common.Address, uint64) (settlement.Attempt, error) {
	return settlement.Attempt{}, errUnused
}
func (n *nothing) Unpaid(context.Context, settlement.Settlement) (settlement.BlockRef, bool, error) {
	return settlement.BlockRef{}, false, errUnused
}

// emptyWorkflows returns how many runs per second started, did nothing and completed.
func (b *bench) emptyWorkflows(ctx context.Context) (perSecond float64, err error) {
	n := &nothing{rows: map[string]settlement.Settlement{}, wakes: make(chan settlement.Key, b.empty)}
	options := workflows.DefaultWorkerOptions()
	options.Queues = "empty"
	options.Submissions = 64 // as WORKER_SLOTS
	workers, err := workflows.NewWorkers(b.clients.temporal, &activities.Activities{Ledger: n, Chain: n}, options)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	running := make(chan error, 1)
	go func() { running <- workers.Run(ctx) }()
	defer func() {
		cancel()
		err = errors.Join(err, <-running)
	}()
	runs := workflows.Runs{Client: b.clients.temporal, Queues: options.Queues}
	go n.wake(ctx, runs)

	begun := time.Now()
	started := make([]client.WorkflowRun, b.empty)
	var starts errgroup.Group
	starts.SetLimit(atOnce)
	for i := range started {
		starts.Go(func() (err error) {
			started[i], err = runs.Start(ctx, activities.NewRequest(settlement.Reservation{
				RequestID: "bench", Vault: b.world.Site.Vault, Request: settlement.Request{
					Key:     settlement.Key{Tenant: settlement.DefaultTenant, Value: fmt.Sprintf("empty-%05d", i)},
					Account: customer(i), Asset: b.world.Site.USDC, To: payee(i), Amount: settlement.NewAmount(amount)},
			}))
			return err
		})
	}
	if err := starts.Wait(); err != nil {
		return 0, err
	}
	for _, run := range started {
		var result workflows.Result
		if err := run.Get(ctx, &result); err != nil {
			return 0, fmt.Errorf("empty workflow: %w", err)
		}
	}
	return float64(b.empty) / time.Since(begun).Seconds(), nil
}

// wake does the relay's part.
func (n *nothing) wake(ctx context.Context, runs workflows.Runs) {
	for range atOnce {
		go func() {
			for {
				select {
				case <-ctx.Done():
					return
				case key := <-n.wakes:
					_ = runs.Wake(ctx, key) // a run that misses its signal makes the measurement time out
				}
			}
		}()
	}
}
