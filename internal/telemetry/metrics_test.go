package telemetry_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/quittance/quittance/internal/telemetry"
	"github.com/quittance/quittance/settlement"
)

// books are a Stats that a test writes.
type books struct {
	stats settlement.Stats
	err   error
	reads atomic.Int64
}

func (b *books) Stats(context.Context) (settlement.Stats, error) {
	b.reads.Add(1)
	return b.stats, b.err
}

func newMetrics(t *testing.T) *telemetry.Metrics {
	t.Helper()
	m, err := telemetry.NewMetrics()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close(context.Background()) })
	return m
}

// page is what a scraper reads.
func page(t *testing.T, m *telemetry.Metrics) map[string]*dto.MetricFamily {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(w.Body.String()))
	if err != nil {
		t.Fatalf("parse the page: %v\n%s", err, w.Body)
	}
	return families
}

// value finds one series by its labels, given as key=value, and fails unless it is the only one.
func value(t *testing.T, families map[string]*dto.MetricFamily, name string, labels ...string) float64 {
	t.Helper()
	family := families[name]
	if family == nil {
		t.Errorf("%s is not on the page", name)
		return -1
	}
	slices.Sort(labels)
	for _, m := range family.Metric {
		var have []string
		for _, l := range m.Label {
			have = append(have, l.GetName()+"="+l.GetValue())
		}
		slices.Sort(have)
		if !slices.Equal(have, labels) {
			continue
		}
		switch family.GetType() {
		case dto.MetricType_COUNTER:
			return m.Counter.GetValue()
		case dto.MetricType_GAUGE:
			return m.Gauge.GetValue()
		case dto.MetricType_HISTOGRAM:
			return float64(m.Histogram.GetSampleCount())
		default:
			t.Errorf("%s is a %s", name, family.GetType())
		}
	}
	t.Errorf("%s has no series %v", name, labels)
	return -1
}

var signer = common.HexToAddress("0x00000000000000000000000000000000000000aa")

func someStats() settlement.Stats {
	return settlement.Stats{
		Requests: map[string]int64{"new": 5, "replay": 3, "in_progress": 1, "conflict": 1, "invalid": 9},
		Outbox: []settlement.OutboxLag{
			{Destination: "nats", Enabled: true, Backlog: 4, OldestAge: 1500 * time.Millisecond, ParkedStreams: 2, Published: 100, Retries: 7},
			{Destination: "temporal", Enabled: true},
		},
		States:  []settlement.StateStats{{State: settlement.Requested, Count: 2, Oldest: time.Minute}, {State: settlement.Settled, Count: 7}},
		Waiting: []settlement.WaitingStats{{Reason: settlement.WaitPaused, Count: 1}},
		Chains: []settlement.ChainStats{{
			ChainID: 1337, Head: 120, Final: 115, SinceHead: 2 * time.Second, Queued: 3, OldestQueued: 8 * time.Second,
			Quarantined: 1, FeesSpent: settlement.NewAmount(42_000_000_000_000), Paused: true, Halted: "drill",
		}},
		Lanes: []settlement.LaneStats{{
			ChainID: 1337, Signer: signer, State: settlement.LaneFrozen, InFlight: 5, InFlightMax: 16, Granted: 2,
			HeadOfLine: 3 * time.Second, Balance: settlement.NewAmount(1e18), Operator: true,
		}},
		Assets: []settlement.AssetStats{
			{Asset: settlement.Asset{ChainID: 1337, Symbol: "USDC", Decimals: 6}, Stopped: "three in a row", RevertsInRow: 3, HourlyBudget: new(settlement.NewAmount(1_500_000_000)), Spent: settlement.NewAmount(250_000)},
			{Asset: settlement.Asset{ChainID: 1337, Symbol: "ETH", Decimals: 18}},
		},
		Bumps: 11,
	}
}

// The names and labels are a contract with dashboards and alarms: a change here breaks them.
func TestTheBooksAreOnThePageUnderTheirContractualNames(t *testing.T) {
	t.Parallel()
	m := newMetrics(t)
	if err := m.ServeStats(&books{stats: someStats()}, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	lane := []string{"chain=1337", "signer=" + signer.Hex()}
	families := page(t, m)
	for _, row := range []struct {
		name   string
		labels []string
		want   float64
		kind   dto.MetricType
	}{
		{"quittance_requests_total", []string{"outcome=new"}, 5, dto.MetricType_COUNTER},
		{"quittance_requests_total", []string{"outcome=replay"}, 3, dto.MetricType_COUNTER},
		{"quittance_requests_total", []string{"outcome=in_progress"}, 1, dto.MetricType_COUNTER},
		{"quittance_requests_total", []string{"outcome=conflict"}, 1, dto.MetricType_COUNTER},
		{"quittance_requests_total", []string{"outcome=invalid"}, 9, dto.MetricType_COUNTER},
		{"quittance_outbox_lag_seconds", []string{"destination=nats"}, 1.5, dto.MetricType_GAUGE},
		{"quittance_outbox_lag_seconds", []string{"destination=temporal"}, 0, dto.MetricType_GAUGE},
		{"quittance_outbox_publishes_total", []string{"destination=nats"}, 100, dto.MetricType_COUNTER},
		{"quittance_outbox_retries_total", []string{"destination=nats"}, 7, dto.MetricType_COUNTER},
		{"quittance_outbox_backlog", []string{"destination=nats"}, 4, dto.MetricType_GAUGE},
		{"quittance_outbox_parked_streams", []string{"destination=nats"}, 2, dto.MetricType_GAUGE},
		{"quittance_settlements", []string{"state=settled"}, 7, dto.MetricType_GAUGE},
		{"quittance_settlements_oldest_seconds", []string{"state=requested"}, 60, dto.MetricType_GAUGE},
		{"quittance_settlements_waiting", []string{"reason=vault paused"}, 1, dto.MetricType_GAUGE},
		{"quittance_bumps_total", nil, 11, dto.MetricType_COUNTER},
		{"quittance_fees_spent_wei_total", []string{"chain=1337"}, 42_000_000_000_000, dto.MetricType_COUNTER},
		{"quittance_head_block", []string{"chain=1337"}, 120, dto.MetricType_GAUGE},
		{"quittance_head_age_seconds", []string{"chain=1337"}, 2, dto.MetricType_GAUGE},
		{"quittance_final_block", []string{"chain=1337"}, 115, dto.MetricType_GAUGE},
		{"quittance_finality_lag_blocks", []string{"chain=1337"}, 5, dto.MetricType_GAUGE},
		{"quittance_queue", []string{"chain=1337"}, 3, dto.MetricType_GAUGE},
		{"quittance_queue_oldest_seconds", []string{"chain=1337"}, 8, dto.MetricType_GAUGE},
		{"quittance_quarantined", []string{"chain=1337"}, 1, dto.MetricType_GAUGE},
		{"quittance_vault_paused", []string{"chain=1337"}, 1, dto.MetricType_GAUGE},
		{"quittance_chain_stopped", []string{"chain=1337"}, 1, dto.MetricType_GAUGE},
		{"quittance_asset_stopped", []string{"asset=USDC", "chain=1337"}, 1, dto.MetricType_GAUGE},
		{"quittance_asset_stopped", []string{"asset=ETH", "chain=1337"}, 0, dto.MetricType_GAUGE},
		{"quittance_asset_reverts_in_row", []string{"asset=USDC", "chain=1337"}, 3, dto.MetricType_GAUGE},
		{"quittance_asset_hourly_budget", []string{"asset=USDC", "chain=1337"}, 1500, dto.MetricType_GAUGE},
		{"quittance_asset_hourly_spent", []string{"asset=USDC", "chain=1337"}, 0.25, dto.MetricType_GAUGE},
		{"quittance_listener_stopped", []string{"chain=1337"}, 0, dto.MetricType_GAUGE},
		{"quittance_lane_in_flight", lane, 5, dto.MetricType_GAUGE},
		{"quittance_lane_in_flight_max", lane, 16, dto.MetricType_GAUGE},
		{"quittance_lane_queue", lane, 2, dto.MetricType_GAUGE},
		{"quittance_lane_head_of_line_seconds", lane, 3, dto.MetricType_GAUGE},
		{"quittance_lane_balance_wei", lane, 1e18, dto.MetricType_GAUGE},
		{"quittance_lane_operator", lane, 1, dto.MetricType_GAUGE},
		{"quittance_lane_state", append(slices.Clone(lane), "state=frozen"), 1, dto.MetricType_GAUGE},
		{"quittance_lane_state", append(slices.Clone(lane), "state=active"), 0, dto.MetricType_GAUGE},
		{"quittance_stats_up", nil, 1, dto.MetricType_GAUGE},
	} {
		if got := value(t, families, row.name, row.labels...); got != row.want {
			t.Errorf("%s%v = %v, want %v", row.name, row.labels, got, row.want)
		}
		if family := families[row.name]; family != nil && family.GetType() != row.kind {
			t.Errorf("%s is a %s, want a %s", row.name, family.GetType(), row.kind)
		}
	}
	if n := len(families["quittance_asset_hourly_budget"].GetMetric()); n != 1 {
		t.Errorf("%d assets show a budget: without a bound there is none to show", n)
	}
}

func TestWhatTheProcessDidItselfIsOnThePage(t *testing.T) {
	t.Parallel()
	m := newMetrics(t)
	m.LeaseLost("outbox/nats", 0)
	m.LeaseLost("outbox/nats", 2)
	m.Reorg(1337, 3)
	m.Reorg(1337, 7)
	m.Reorg(1337, 1)
	m.RPC("geth-1", "eth_call", "", time.Millisecond)
	m.RPC("geth-1", "eth_call", "timeout", time.Second)
	m.LaneAlert("ceiling")
	m.Destination("nats", false)
	families := page(t, m)
	for _, row := range []struct {
		name   string
		labels []string
		want   float64
	}{
		{"quittance_lease_losses_total", []string{"lease=outbox/nats"}, 2},
		{"quittance_reorgs_total", []string{"chain=1337"}, 3},
		{"quittance_reorg_depth_blocks", []string{"chain=1337"}, 7},
		{"quittance_rpc_errors_total", []string{"class=timeout", "endpoint=geth-1"}, 1},
		{"quittance_rpc_seconds", []string{"endpoint=geth-1", "method=eth_call"}, 2},
		{"quittance_lane_alerts_total", []string{"kind=ceiling"}, 1},
		{"quittance_outbox_destination_up", []string{"destination=nats"}, 0},
	} {
		if got := value(t, families, row.name, row.labels...); got != row.want {
			t.Errorf("%s%v = %v, want %v", row.name, row.labels, got, row.want)
		}
	}
}

func TestBooksThatCannotBeReadAreAbsentAndNeverOld(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	b := &books{err: errors.New("no connection")}
	m := newMetrics(t)
	if err := m.ServeStats(b, telemetry.NewLogger(&log, "json", "info")); err != nil {
		t.Fatal(err)
	}
	families := page(t, m)
	if up := value(t, families, "quittance_stats_up"); up != 0 {
		t.Errorf("up = %v", up)
	}
	for name := range maps.Keys(families) {
		if strings.HasPrefix(name, "quittance_") && name != "quittance_stats_up" {
			t.Errorf("%s is on the page although nobody knows it", name)
		}
	}
	if n := strings.Count(log.String(), "no connection"); n != 1 {
		t.Errorf("logged %d times:\n%s", n, &log)
	}
}

func TestManyScrapesAreOneReadingOfTheBooks(t *testing.T) {
	t.Parallel()
	b := &books{stats: someStats()}
	m := newMetrics(t)
	if err := m.ServeStats(b, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		page(t, m)
	}
	if n := b.reads.Load(); n < 1 || n > 10 { // a new one every two seconds at most
		t.Errorf("%d readings", n)
	}
}

func TestTwoProcessesInOneProgramDoNotShareMetrics(t *testing.T) {
	t.Parallel()
	a, b := newMetrics(t), newMetrics(t)
	a.Reorg(1, 2)
	if family := page(t, b)["quittance_reorgs_total"]; family != nil {
		t.Errorf("b shows %v", family)
	}
}
