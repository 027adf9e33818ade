package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

// https://github.com/latitude-dev/latitude-llm/pull/3463 (O54): deadlocks of statements that lock many rows. Workers reserve and
// submit while the listener mines and finalizes: each takes locks in the design's order, and what deadlocks nevertheless is
// retried and never becomes an answer.
func TestWorkersAndTheListenerNeverStandInEachOthersWay(t *testing.T) {
	t.Parallel()
	s := newSim(t, 2, 4)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	const workers, each = 4, 12
	byID := sync.Map{} // settlements by transaction id
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for i := range each {
				if err := s.settleOne(ctx, fmt.Sprintf("w%d-%d", w, i), &byID); err != nil {
					t.Errorf("worker %d: %v", w, err)
					cancel()
					return
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { group.Wait(); close(done) }()
	for settled := 0; settled < workers*each; {
		if ctx.Err() != nil {
			t.Fatalf("%d settled when it stopped", settled)
		}
		s.mine(s.mineWhatIsOut(ctx, &byID)...)
		if s.head.Number > 2 {
			s.finalize(s.head.Number - 2)
		}
		settled = ledgertest.Value[int](s.World, `SELECT count(*) FROM settlements WHERE state = 'settled'`)
	}
	<-done
	s.finalize(s.head.Number)
	s.check()
	if got := s.balance("customer", ledgertest.Alice, s.USDC); got != fmt.Sprint(1_000_000_000-workers*each*1_000_000) {
		t.Errorf("alice has %s", got)
	}
	t.Logf("%+v", s.Counts())
}

// settleOne reserves a settlement and asks for a nonce, again after each lost one, until it is settled.
func (s *chainSim) settleOne(ctx context.Context, key string, byID *sync.Map) error {
	x, err := s.Reserve(ctx, settlement.Reservation{
		RequestID: "run of " + key, Vault: s.Chain.Vault,
		Request: settlement.Request{
			Key: settlement.Key{Tenant: settlement.DefaultTenant, Value: key}, Account: ledgertest.Alice, Asset: s.USDC,
			To: ledgertest.Address("payee of " + key), Amount: settlement.NewAmount(1_000_000),
		},
	})
	for err == nil && !x.State.Terminal() {
		if x.State.BeforeNonce() {
			out, allocateErr := s.allocate(x)
			if allocateErr != nil && settlement.KindOf(allocateErr) != settlement.Stale {
				return allocateErr
			}
			if out.Outcome == settlement.AllocatedNonce {
				byID.Store(out.Transaction.ID, x)
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond): // a wake-up, which here nobody delivers
		}
		x, err = s.Settlement(ctx, x.Key)
	}
	if err == nil && x.State != settlement.Settled {
		err = errors.New("it ended " + string(x.State))
	}
	return err
}

// mineWhatIsOut mines the nonces that are out, in order; every fifth reverts, of which an operator takes no notice.
func (s *chainSim) mineWhatIsOut(ctx context.Context, byID *sync.Map) []simTx {
	s.t.Helper()
	s.Exec(`UPDATE assets SET stopped = NULL, reverts_to = '{}', reverts_by = '{}'`)
	unmined, err := s.Unmined(ctx, 1337)
	s.ok(err)
	next := map[common.Address]uint64{}
	for lane, signer := range s.reads.Signers {
		next[lane] = signer.Nonce
	}
	var txs []simTx
	for _, u := range unmined {
		x, known := byID.Load(u.ID)
		if !known || u.Nonce != next[u.Signer] {
			continue
		}
		next[u.Signer]++
		if u.Nonce%5 == 4 {
			txs = append(txs, s.reverts(u.Transaction))
		} else {
			txs = append(txs, s.pays(x.(settlement.Settlement), u.Transaction))
		}
	}
	return txs
}
