package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// brakeCmd says what is to be stopped, or to go on.
type brakeCmd struct {
	operator
	Asset  string `xor:"what" required:"" help:"Payments of one asset."`
	Signer string `xor:"what" required:"" help:"One signer's lane, as 'lanes freeze' and 'lanes thaw' do." placeholder:"0x…"`
	All    bool   `xor:"what" required:"" help:"All payments of the chain."`
	Reason string `required:"" help:"Why, for the record and for the settlements that wait."`
}

// stopCmd halts the allocation of nonces. What is out stays supervised: it is bumped, cancelled, revoked and booked as before.
// When the command has ended, no payment gets a nonce any more.
type stopCmd struct{ brakeCmd }

// goCmd ends a stop and wakes who waits. Each stop has a go of its own: an asset that is stopped stays so when all others go on.
type goCmd struct{ brakeCmd }

func (c *stopCmd) Run(ctx context.Context, s *session) error {
	return c.run(ctx, s, true)
}
func (c *goCmd) Run(ctx context.Context, s *session) error {
	return c.run(ctx, s, false)
}

// brakeView is what stop and go print for scripts.
type brakeView struct {
	ChainID uint64 `json:"chain_id"`
	Asset   string `json:"asset,omitempty"` // empty: the whole chain
	Stopped string `json:"stopped"`         // why; empty: it goes on
	Changed bool   `json:"changed"`         // false: it was so already, and nothing was written
}

func (c *brakeCmd) run(ctx context.Context, s *session, stop bool) error {
	if strings.TrimSpace(c.Reason) == "" {
		return settlement.Invalidf("reason", "must not be empty")
	}
	if c.Signer != "" {
		return c.signer(ctx, s, stop)
	}
	l, err := s.ledger(ctx)
	if err != nil {
		return err
	}
	chainID, err := s.chainID(ctx)
	if err != nil {
		return err
	}
	v := brakeView{ChainID: chainID, Asset: c.Asset}
	if c.All {
		act := l.StartChain
		if stop {
			act = l.StopChain
		}
		v.Changed, err = act(ctx, chainID, c.name(), c.Reason)
	} else {
		var asset settlement.Asset
		if asset, err = s.asset(ctx, c.Asset); err != nil {
			return err
		}
		act := l.StartAsset
		if stop {
			act = l.StopAsset
		}
		v.Changed, err = act(ctx, asset.ID, c.name(), c.Reason)
	}
	if err != nil {
		return err
	}
	return v.print(ctx, s)
}

// print shows the stop as it is now, with the reason of whoever came first.
func (v brakeView) print(ctx context.Context, s *session) error {
	stats, err := s.books.Stops(ctx, v.ChainID)
	if err != nil {
		return err
	}
	v.Stopped = stats.Assets[v.Asset]
	what := v.Asset
	if v.Asset == "" {
		v.Stopped, what = stats.Chain, "all payments"
	}
	state := "goes on"
	if v.Stopped != "" {
		state = "stopped: " + v.Stopped
	}
	if v.Asset != "" && v.Stopped == "" && stats.Chain != "" {
		state += ", but all payments are stopped: " + stats.Chain
	}
	return s.out.one(v, [2]string{"chain", fmt.Sprint(v.ChainID)}, [2]string{"what", what}, [2]string{"state", state}, [2]string{"changed", yesNo(v.Changed)})
}

// signer freezes or thaws a lane. A key that somebody else used wants a look at the report first, which is not this command's.
func (c *brakeCmd) signer(ctx context.Context, s *session, stop bool) error {
	lane, err := s.lane(ctx, c.Signer)
	if err != nil {
		return err
	}
	move := (*ledger.Ledger).ThawLane
	if stop {
		move = (*ledger.Ledger).FreezeLane
	}
	err = moveLane(ctx, s, lane.ChainID, lane.Signer, move, ledger.LaneMove{Actor: c.name(), Why: c.Reason})
	var known *settlement.Error
	if errors.As(err, &known) && known.Field == "acknowledge" {
		return settlement.Invalidf("signer", "was used by somebody else, and that is in doubt yet: read `starter lanes report %s`, then `starter lanes thaw`", lane.Signer)
	}
	return err
}

// chainID is the configured chain, or the only one there is.
func (s *session) chainID(ctx context.Context) (uint64, error) {
	l, err := s.ledger(ctx)
	if err != nil {
		return 0, err
	}
	chains, err := l.Chains(ctx)
	if err != nil {
		return 0, err
	}
	for _, c := range chains {
		if c.ChainID == s.config.ChainID || s.config.ChainID == 0 && len(chains) == 1 {
			return c.ChainID, nil
		}
	}
	return 0, settlement.Invalidf("CHAIN_ID", "must name a registered chain, got %d", s.config.ChainID)
}

// asset finds a registered asset by its symbol.
func (s *session) asset(ctx context.Context, symbol string) (settlement.Asset, error) {
	chainID, err := s.chainID(ctx)
	if err != nil {
		return settlement.Asset{}, err
	}
	a, err := s.books.Asset(ctx, chainID, symbol)
	if settlement.KindOf(err) == settlement.NotFound {
		return a, settlement.Invalidf("asset", "is not registered on chain %d: %s", chainID, symbol)
	}
	return a, err
}
