package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/quittance/quittance/settlement"
)

type statsCmd struct{}

// statsView is what stats prints for scripts. Durations are seconds.
type statsView struct {
	DuplicateHitRate float64            `json:"duplicate_hit_rate"` // (replay + in_progress + conflict) / all but invalid
	Requests         map[string]int64   `json:"requests"`
	Outbox           []outboxView       `json:"outbox"`
	States           map[string]int64   `json:"states"`
	OldestSeconds    map[string]float64 `json:"oldest_seconds"`
	Waiting          map[string]int64   `json:"waiting"`
	Lanes            []laneView         `json:"lanes"`
	Chains           []chainView        `json:"chains"`
	Assets           []assetView        `json:"assets"`
	Bumps            int64              `json:"bumps"`
}

type outboxView struct {
	Destination string  `json:"destination"`
	LagSeconds  float64 `json:"lag_seconds"` // now - oldest unpublished
	Backlog     int64   `json:"backlog"`
	Parked      int64   `json:"parked_streams"`
	Published   int64   `json:"published"`
	Retries     int64   `json:"retries"`
	RetryRate   float64 `json:"retry_rate"` // retries / publishes
}

type laneView struct {
	Signer     string `json:"signer"`
	State      string `json:"state"`
	InFlight   int64  `json:"in_flight"`
	Max        int64  `json:"in_flight_max"`
	HeadOfLine int64  `json:"head_of_line_seconds"`
	BalanceWei string `json:"balance_wei"`
	Unsigned   int64  `json:"unsigned"`         // nonces that wait for a remote signer
	Left       *int64 `json:"settlements_left"` // that the balance pays at present prices; null: no price is known
}

type chainView struct {
	ChainID     uint64 `json:"chain_id"`
	Head        uint64 `json:"head"`
	Final       uint64 `json:"final"`
	Queued      int64  `json:"queued"`
	Quarantined int64  `json:"quarantined"`
	FeesWei     string `json:"fees_spent_wei"`
	Stopped     bool   `json:"stopped"`          // the listener
	Halted      string `json:"payments_stopped"` // why an operator stopped all payments; empty when they go on
}

type assetView struct {
	Asset        string  `json:"asset"`
	ChainID      uint64  `json:"chain_id"`
	Stopped      string  `json:"stopped"` // why; empty when payments go on
	RevertsInRow int64   `json:"reverts_in_row"`
	HourlyBudget *string `json:"hourly_budget"` // null: no bound
	HourlySpent  string  `json:"hourly_spent"`
}

func (v assetView) text() string {
	text := "goes on"
	if v.Stopped != "" {
		text = "stopped: " + v.Stopped
	}
	if v.RevertsInRow > 0 {
		text += fmt.Sprintf(", reverts in a row %d", v.RevertsInRow)
	}
	if v.HourlyBudget != nil {
		text += fmt.Sprintf(", spent %s of %s an hour", v.HourlySpent, *v.HourlyBudget)
	}
	return text
}

func (c *statsCmd) Run(ctx context.Context, s *session) error {
	l, err := s.ledger(ctx)
	if err != nil {
		return err
	}
	stats, err := l.Stats(ctx)
	if err != nil {
		return err
	}
	v := viewStats(stats)
	pairs := [][2]string{
		{"duplicate hit rate", fmt.Sprintf("%.4f", v.DuplicateHitRate)},
		{"requests", fmt.Sprintf("%d new, %d replay, %d in progress, %d conflict, %d invalid",
			v.Requests["new"], v.Requests["replay"], v.Requests["in_progress"], v.Requests["conflict"], v.Requests["invalid"])},
	}
	for _, o := range v.Outbox {
		pairs = append(pairs, [2]string{"outbox to " + o.Destination, fmt.Sprintf("lag %.1fs, backlog %d, published %d, retries %d (rate %.4f), parked streams %d",
			o.LagSeconds, o.Backlog, o.Published, o.Retries, o.RetryRate, o.Parked)})
	}
	for _, state := range settlement.States {
		pairs = append(pairs, [2]string{string(state), fmt.Sprint(v.States[string(state)])})
	}
	for _, ch := range v.Chains {
		pairs = append(pairs, [2]string{fmt.Sprintf("chain %d", ch.ChainID), fmt.Sprintf("head %d, final %d, queue %d, quarantine %d", ch.Head, ch.Final, ch.Queued, ch.Quarantined) + stopped(ch.Halted)})
	}
	for _, a := range v.Assets {
		pairs = append(pairs, [2]string{"asset " + a.Asset, a.text()})
	}
	for _, lane := range v.Lanes {
		pairs = append(pairs, [2]string{"lane " + lane.Signer, fmt.Sprintf("%s, in flight %d of %d%s", lane.State, lane.InFlight, lane.Max, lane.fuel())})
	}
	return s.out.one(v, pairs...)
}

func stopped(why string) string {
	if why == "" {
		return ""
	}
	return ", all payments stopped: " + why
}

func viewStats(stats settlement.Stats) statsView {
	v := statsView{DuplicateHitRate: stats.DuplicateHitRate(), Requests: stats.Requests, Outbox: []outboxView{}, States: map[string]int64{},
		OldestSeconds: map[string]float64{}, Waiting: map[string]int64{}, Lanes: []laneView{}, Chains: []chainView{}, Assets: []assetView{}, Bumps: stats.Bumps}
	for _, o := range stats.Outbox {
		v.Outbox = append(v.Outbox, outboxView{Destination: o.Destination, LagSeconds: o.OldestAge.Seconds(), Backlog: o.Backlog,
			Parked: o.ParkedStreams, Published: o.Published, Retries: o.Retries, RetryRate: o.RetryRate()})
	}
	for _, st := range stats.States {
		v.States[string(st.State)] = st.Count
		if st.Oldest > 0 {
			v.OldestSeconds[string(st.State)] = st.Oldest.Round(time.Millisecond).Seconds()
		}
	}
	for _, w := range stats.Waiting {
		v.Waiting[w.Reason] = w.Count
	}
	for _, lane := range stats.Lanes {
		v.Lanes = append(v.Lanes, laneView{lane.Signer.Hex(), string(lane.State), lane.InFlight, lane.InFlightMax, int64(lane.HeadOfLine.Seconds()), lane.Balance.String(), lane.Unsigned, whole(lane.Left)})
	}
	for _, ch := range stats.Chains {
		v.Chains = append(v.Chains, chainView{ch.ChainID, ch.Head, ch.Final, ch.Queued, ch.Quarantined, ch.FeesSpent.String(), ch.Stopped, ch.Halted})
	}
	for _, a := range stats.Assets {
		view := assetView{Asset: a.Symbol, ChainID: a.ChainID, Stopped: a.Stopped, RevertsInRow: a.RevertsInRow, HourlySpent: a.Spent.Units(a.Decimals)}
		if a.HourlyBudget != nil {
			view.HourlyBudget = new(a.HourlyBudget.Units(a.Decimals))
		}
		v.Assets = append(v.Assets, view)
	}
	slices.SortFunc(v.Outbox, func(a, b outboxView) int { return len(a.Destination) - len(b.Destination) })
	return v
}

// fuel says how long the balance lasts, louder when it is time to top up.
func (l laneView) fuel() string {
	text := ""
	if l.Unsigned > 0 {
		text = fmt.Sprintf(", %d not signed", l.Unsigned)
	}
	switch {
	case l.Left == nil:
		return text
	case *l.Left < settlement.LeftWarn:
		return text + fmt.Sprintf(", LOW: its balance pays %d more settlements: starter top-up %s", *l.Left, l.Signer)
	}
	return text + fmt.Sprintf(", its balance pays %d more settlements", *l.Left)
}

// whole rounds down, and bounds what a rich signer on a cheap chain gives.
func whole(n *float64) *int64 {
	if n == nil {
		return nil
	}
	whole := int64(min(*n, 1e15))
	return &whole
}
