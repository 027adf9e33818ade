package app

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/chain"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// boardAge bounds how old the shared readings may be. They choose and price; what they choose is checked again by the
// commit that acts, so an old reading costs a try at worst.
const boardAge = 500 * time.Millisecond

// Board holds the readings that all settlements of a chain share, so that none of them asks for itself: the head, the market,
// the assets' and the lanes' limits. It reads them from the ledger when somebody needs them and they are old.
type Board struct {
	ledger *ledger.Ledger
	chain  ledger.ChainConfig
	keys   *chain.Keyring

	mu   sync.Mutex
	read time.Time
	now  notice
}

// notice is one reading of it all.
type notice struct {
	head   settlement.Head
	assets map[int64]ledger.Asset
	lanes  []ledger.Lane // active operators whose keys are held, the emptiest first
	all    map[common.Address]ledger.Lane
}

// NewBoard makes a board; it reads nothing yet.
func NewBoard(l *ledger.Ledger, c ledger.ChainConfig, keys *chain.Keyring) *Board {
	return &Board{ledger: l, chain: c, keys: keys}
}

func (b *Board) look(ctx context.Context) (notice, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if time.Since(b.read) < boardAge {
		return b.now, nil
	}
	head, err := b.ledger.Head(ctx, b.chain.ChainID)
	if settlement.KindOf(err) == settlement.NotFound {
		return notice{}, settlement.Errorf(settlement.Transient, "chain %d: no block is recorded yet: is the listener running?", b.chain.ChainID)
	}
	if err != nil {
		return notice{}, err
	}
	assets, err := b.ledger.Assets(ctx, b.chain.ChainID)
	if err != nil {
		return notice{}, err
	}
	lanes, err := b.ledger.Lanes(ctx, b.chain.ChainID)
	if err != nil {
		return notice{}, err
	}
	b.now = notice{head: head, assets: map[int64]ledger.Asset{}, all: map[common.Address]ledger.Lane{}}
	for _, a := range assets {
		b.now.assets[a.ID] = a
	}
	lookForKeys(ctx, b.keys, lanes)
	for _, l := range lanes {
		b.now.all[l.Signer] = l
		if l.State == settlement.LaneActive && l.Operator && b.keys.Holds(l.Signer) {
			b.now.lanes = append(b.now.lanes, l)
		}
	}
	slices.SortStableFunc(b.now.lanes, func(x, y ledger.Lane) int { return cmp.Compare(x.InFlight(), y.InFlight()) })
	b.read = time.Now()
	return b.now, nil
}

// terms are what a payment of the asset is priced by.
func (n notice) terms(c ledger.ChainConfig, asset int64) chain.Terms {
	t := chain.Terms{Market: chain.MarketOf(n.head), TipFloor: c.TipFloor, BlockGasLimit: n.head.GasLimit, FeeCeiling: n.assets[asset].FeeCeiling}
	for i, l := range n.lanes {
		t.Operators = append(t.Operators, l.Signer)
		if i == 0 || l.CapCeiling.Cmp(t.CapCeiling) < 0 {
			t.CapCeiling = l.CapCeiling
		}
	}
	return t
}
