package chain

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/settlement"
)

// memStore keeps the promises of FollowStore in memory, and the effects that final blocks had.
type memStore struct {
	start uint64
	token int64 // of the lease that may write

	mu        sync.Mutex
	chain     []settlement.Block // canonical, from the start block
	orphans   []settlement.BlockRef
	final     settlement.BlockRef
	stopped   string
	effects   map[effectKey]settlement.BlockRef // where each took place
	repeated  []effectKey                       // effects that a final block had once more
	finalized []uint64
	rewinds   int
}

// effectKey is an event's identity: it survives a move to another block.
type effectKey struct {
	tx    common.Hash
	index uint64
}

var testLease = settlement.Lease{Name: "listener/1337", Token: 1}

func newMemStore(start uint64) *memStore {
	return &memStore{start: start, token: testLease.Token, effects: map[effectKey]settlement.BlockRef{}}
}

func (m *memStore) Head(_ context.Context, _ uint64) (settlement.Head, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.final.Hash == (common.Hash{}) {
		return settlement.Head{}, settlement.Errorf(settlement.NotFound, "no head")
	}
	head := settlement.Head{BlockRef: m.head(), Final: m.final, Stopped: m.stopped}
	if len(m.chain) > 0 {
		reads := m.chain[len(m.chain)-1].Reads
		head.Tip, head.Paused = reads.Tip, reads.VaultPaused
	}
	return head, nil
}

func (m *memStore) head() settlement.BlockRef {
	if len(m.chain) == 0 {
		return m.final
	}
	return m.chain[len(m.chain)-1].BlockRef
}

func (m *memStore) Blocks(_ context.Context, _, from, to uint64) ([]settlement.BlockRef, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var refs []settlement.BlockRef
	for _, block := range m.chain {
		if block.Number >= from && block.Number <= to {
			refs = append(refs, block.BlockRef)
		}
	}
	return refs, nil
}

func (m *memStore) RecordBlock(_ context.Context, lease settlement.Lease, _ uint64, block settlement.Block) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if lease.Token != m.token {
		return fmt.Errorf("record: %w", settlement.ErrLeaseLost)
	}
	if m.final.Hash == (common.Hash{}) {
		if block.Number != m.start {
			return settlement.ErrDiscontinuous
		}
		m.final = settlement.BlockRef{Number: block.Number - 1, Hash: block.Parent}
	} else if head := m.head(); block.Hash == head.Hash {
		return nil
	} else if block.Parent != head.Hash || block.Number != head.Number+1 {
		return settlement.ErrDiscontinuous
	}
	m.chain = append(m.chain, block)
	return nil
}

func (m *memStore) Rewind(_ context.Context, lease settlement.Lease, _ uint64, to settlement.BlockRef) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if lease.Token != m.token {
		return fmt.Errorf("rewind: %w", settlement.ErrLeaseLost)
	}
	if to.Number < m.final.Number {
		m.stopped = fmt.Sprintf("reorg to block %d", to.Number)
		return fmt.Errorf("rewind: %w", settlement.ErrBelowFinal)
	}
	at := slices.IndexFunc(m.chain, func(b settlement.Block) bool { return b.BlockRef == to })
	if at < 0 && to != m.final {
		return fmt.Errorf("rewind: block %d %s is not recorded", to.Number, to.Hash)
	}
	for _, block := range m.chain[at+1:] {
		m.orphans = append(m.orphans, block.BlockRef)
	}
	m.chain = m.chain[:at+1]
	m.rewinds++
	return nil
}

func (m *memStore) Finalize(_ context.Context, lease settlement.Lease, _, number uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if lease.Token != m.token {
		return fmt.Errorf("finalize: %w", settlement.ErrLeaseLost)
	}
	if number != m.final.Number+1 || number > m.head().Number {
		return fmt.Errorf("finalize %d: the final block is %d and the head %d", number, m.final.Number, m.head().Number)
	}
	block := m.chain[number-m.start]
	for _, event := range block.Events {
		key := effectKey{event.TxHash, event.TxLogIndex}
		if _, before := m.effects[key]; before {
			m.repeated = append(m.repeated, key)
			continue
		}
		m.effects[key] = block.BlockRef
	}
	m.final = block.BlockRef
	m.finalized = append(m.finalized, number)
	return nil
}

// recorded is the canonical block at a height.
func (m *memStore) recorded(number uint64) settlement.Block {
	m.mu.Lock()
	defer m.mu.Unlock()
	if number < m.start || number-m.start >= uint64(len(m.chain)) {
		return settlement.Block{}
	}
	return m.chain[number-m.start]
}
