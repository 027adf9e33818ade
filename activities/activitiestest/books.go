// Package activitiestest is a small model of the books and of a chain, for tests of the steps and of the workflow. It keeps
// the promises that the interfaces of package activities state, in memory, and records every breach it sees (bytes
// broadcast before they were stored, a second live nonce). It may be imported by tests only, and proves nothing about
// Postgres or an EVM node.
package activitiestest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/quittance/quittance/settlement"
)

// Signer is the model's only lane.
var Signer = common.HexToAddress("0x5161e700000000000000000000000000000000aa")

// Books is the model of the ledger. Its exported fields may be set before the first step runs; later only through Change.
type Books struct {
	Balance settlement.Amount // of every customer
	Slots   int               // free slots of the lane; 0 queues
	Expired int               // stored answers past their time
	Hold    string            // a reason for which Allocate answers "waiting"; empty: it does not

	// Before and After run around each method with its name; an error of Before is one before the commit, an error of After
	// a lost answer.
	Before, After func(method string) error

	mu       sync.Mutex
	rows     map[string]*settlement.Settlement
	stored   map[common.Hash]bool // attempts, by hash
	swept    map[string]bool
	nonce    uint64
	calls    map[string]int
	breaches []string
}

// NewBooks makes books with plenty of balance and one free slot.
func NewBooks() *Books {
	return &Books{
		Balance: settlement.NewAmount(1_000_000_000), Slots: 1,
		rows: map[string]*settlement.Settlement{}, stored: map[common.Hash]bool{}, calls: map[string]int{},
		swept: map[string]bool{},
	}
}

// do runs one unit of work under the model's lock.
func (b *Books) do(method string, f func() error) error {
	if b.Before != nil {
		if err := b.Before(method); err != nil {
			return err
		}
	}
	b.mu.Lock()
	b.calls[method]++
	err := f()
	b.mu.Unlock()
	if err == nil && b.After != nil {
		err = b.After(method)
	}
	return err
}

func (b *Books) Reserve(_ context.Context, r settlement.Reservation) (out settlement.Settlement, err error) {
	err = b.do("Reserve", func() error {
		if s, found := b.rows[r.Key.Canonical()]; found {
			stored, err := s.FieldDigests(settlement.FingerprintVersion)
			if err != nil {
				return err
			}
			asked, err := r.FieldDigests(settlement.FingerprintVersion)
			if err != nil {
				return err
			}
			if fields := stored.Differing(asked); len(fields) > 0 {
				return &settlement.Error{Kind: settlement.Conflict, Fields: fields}
			}
			if r.RequestID != s.RequestID {
				b.calls["hit"]++
			}
			out = clone(s)
			return nil
		}
		s := &settlement.Settlement{
			ID: int64(len(b.rows) + 1), OnchainID: r.Key.OnchainID(r.Asset.ChainID, r.Vault), Vault: r.Vault, RequestID: r.RequestID,
			Request: r.Request, State: settlement.Requested, CreatedAt: modelTime, ChangedAt: modelTime,
		}
		if r.Amount.Cmp(b.Balance) > 0 {
			s.State, s.Reason, s.Proof = settlement.Failed, "insufficient balance", settlement.ProofInsufficientBalance
		}
		b.rows[r.Key.Canonical()] = s
		out = clone(s)
		return nil
	})
	return out, err
}

// modelTime is fixed, so that histories made twice are equal.
var modelTime = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func (b *Books) Settlement(_ context.Context, key settlement.Key) (out settlement.Settlement, err error) {
	err = b.do("Settlement", func() error {
		s, found := b.rows[key.Canonical()]
		if !found {
			return settlement.Errorf(settlement.NotFound, "settlement %s: no such row", key)
		}
		out = clone(s)
		return nil
	})
	return out, err
}

func (b *Books) Wait(_ context.Context, id int64, reason string) error {
	return b.do("Wait", func() error {
		s := b.byID(id)
		if !s.State.BeforeNonce() || s.Live != nil {
			return settlement.Errorf(settlement.Stale, "settlement %s is %s", s.Key, s.State)
		}
		s.State, s.Reason = settlement.Waiting, reason
		return nil
	})
}

func (b *Books) FailUnpaid(_ context.Context, id int64, reason string, proof settlement.UnpaidProof) error {
	return b.endUnpaid("FailUnpaid", settlement.Failed, id, reason, proof)
}

func (b *Books) CancelUnpaid(_ context.Context, id int64, reason string, proof settlement.UnpaidProof) error {
	return b.endUnpaid("CancelUnpaid", settlement.Cancelled, id, reason, proof)
}

func (b *Books) endUnpaid(method string, state settlement.State, id int64, reason string, proof settlement.UnpaidProof) error {
	return b.do(method, func() error {
		s := b.byID(id)
		if !s.State.BeforeNonce() || s.Live != nil || s.NoncesAllocated != proof.NoncesAllocated {
			return settlement.Errorf(settlement.Stale, "settlement %s is %s with %d nonces", s.Key, s.State, s.NoncesAllocated)
		}
		if s.NoncesAllocated > 0 && proof.Block.Hash == (common.Hash{}) {
			return fmt.Errorf("settlement %s: consumed nonces need a block", s.Key)
		}
		s.State, s.Reason, s.Proof = state, reason, settlement.ProofNeverAllocated
		if s.NoncesAllocated > 0 {
			s.Proof = settlement.ProofNoncesConsumed
		}
		return nil
	})
}

func (b *Books) Allocate(_ context.Context, a settlement.Allocation, sign func(common.Address, uint64) (settlement.Attempt, error)) (out settlement.Allocated, err error) {
	err = b.do("Allocate", func() error {
		s := b.byID(a.SettlementID)
		switch {
		case s.Live != nil:
			live := *s.Live
			out = settlement.Allocated{Outcome: settlement.AllocatedLive, Transaction: &live}
			return nil
		case !s.State.BeforeNonce(), s.Wish != "":
			return settlement.Errorf(settlement.Stale, "settlement %s is %s", s.Key, s.State)
		case b.Hold != "":
			s.State, s.Reason = settlement.Waiting, b.Hold
			out = settlement.Allocated{Outcome: settlement.AllocatedWait, Reason: b.Hold}
			return nil
		case b.Slots == 0:
			s.State, s.Reason = settlement.Queued, ""
			out = settlement.Allocated{Outcome: settlement.AllocatedQueue}
			return nil
		}
		if !slices.Contains(a.Signers, Signer) {
			b.breaches = append(b.breaches, fmt.Sprintf("a nonce was asked for without saying whose key is held: %v", a.Signers))
		}
		attempt, err := sign(Signer, b.nonce)
		if err != nil {
			return err
		}
		live := settlement.Transaction{ID: int64(b.nonce + 1), LaneID: 1, Signer: Signer, Nonce: b.nonce, Kind: settlement.KindPay, Newest: attempt}
		b.nonce++
		b.stored[attempt.Hash] = attempt.Signed()
		s.State, s.Reason, s.Live = settlement.Submitted, "", &live
		s.NoncesAllocated++
		returned := live
		out = settlement.Allocated{Outcome: settlement.AllocatedNonce, Transaction: &returned}
		return nil
	})
	return out, err
}

// StoreBytes keeps the first bytes of an attempt.
func (b *Books) StoreBytes(_ context.Context, id int64, signed settlement.Attempt) (stored settlement.Attempt, won bool, err error) {
	err = b.do("StoreBytes", func() error {
		for _, s := range b.rows {
			if s.Live == nil || s.Live.ID != id {
				continue
			}
			if !s.Live.Newest.Signed() {
				s.Live.Newest = signed
				b.stored[signed.Hash] = true
			}
			stored, won = s.Live.Newest, s.Live.Newest.Hash == signed.Hash
			return nil
		}
		return settlement.Errorf(settlement.Stale, "transaction %d is consumed", id)
	})
	return stored, won, err
}

func (b *Books) RecordRefusal(context.Context, common.Hash, string, string) error {
	return b.do("RecordRefusal", func() error { return nil })
}

func (b *Books) MarkUnrunnable(context.Context, int64, string) error {
	return b.do("MarkUnrunnable", func() error { return nil })
}

// Replace plays the lane keeper's replace code.
func (b *Books) Replace(_ context.Context, _ uint64, t settlement.Transaction) error {
	return b.do("Replace", func() error {
		for _, s := range b.rows {
			if s.Live != nil && s.Live.ID == t.ID {
				raw := append([]byte{}, t.Newest.Raw...)
				raw = append(raw, '+')
				s.Live.Newest.Raw, s.Live.Newest.Hash, s.Live.BumpAsked = raw, crypto.Keccak256Hash(raw), false
				b.stored[s.Live.Newest.Hash] = true
			}
		}
		return nil
	})
}

// Cancel plays the empty attempt in the payment's place.
func (b *Books) Cancel(_ context.Context, _ uint64, t settlement.Transaction) error {
	return b.do("Cancel", func() error {
		for _, s := range b.rows {
			if s.Live != nil && s.Live.ID == t.ID {
				raw := fmt.Appendf(nil, "nothing from %s with nonce %d", t.Signer, t.Nonce)
				s.Live.Newest = settlement.Attempt{Raw: raw, Hash: crypto.Keccak256Hash(raw), Kind: settlement.AttemptCancel}
				b.stored[s.Live.Newest.Hash] = true
			}
		}
		return nil
	})
}

// Revoke plays the call that the vault answers with a final Revoked event, by and by.
func (b *Books) Revoke(_ context.Context, s settlement.Settlement) error {
	return b.do("Revoke", func() error {
		b.byID(s.ID).RevokeOut = true
		return nil
	})
}

func (b *Books) byID(id int64) *settlement.Settlement {
	for _, s := range b.rows {
		if s.ID == id {
			return s
		}
	}
	panic(fmt.Sprintf("activitiestest: settlement %d was never reserved", id))
}

func clone(s *settlement.Settlement) settlement.Settlement {
	out := *s
	if s.Live != nil {
		live := *s.Live
		out.Live = &live
	}
	return out
}
