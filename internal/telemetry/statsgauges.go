package telemetry

import (
	"github.com/quittance/quittance/settlement"
)

// statsGauges are the metrics of the books. Their names and labels are a contract with dashboards and alarms.
func statsGauges(b *builder) []statsGauge {
	var all []statsGauge
	gauge := func(name, help string, observe func(settlement.Stats, emitFunc)) {
		all = append(all, statsGauge{b.gauge(name, help), observe})
	}
	total := func(name, help string, observe func(settlement.Stats, emitFunc)) {
		all = append(all, statsGauge{b.total(name, help), observe})
	}

	total("quittance_requests_total", "requests by outcome; duplicate hit rate = (replay + in_progress + conflict) / all but invalid",
		func(s settlement.Stats, emit emitFunc) {
			for outcome, n := range s.Requests {
				emit(float64(n), label("outcome", outcome))
			}
		})
	total("quittance_bumps_total", "attempts that replaced another", func(s settlement.Stats, emit emitFunc) { emit(float64(s.Bumps)) })

	destinations := func(value func(settlement.OutboxLag) float64) func(settlement.Stats, emitFunc) {
		return func(s settlement.Stats, emit emitFunc) {
			for _, g := range s.Outbox {
				emit(value(g), label(KeyDestination, g.Destination))
			}
		}
	}
	gauge("quittance_outbox_lag_seconds", "age of the oldest row not published, by destination",
		destinations(func(g settlement.OutboxLag) float64 { return g.OldestAge.Seconds() }))
	gauge("quittance_outbox_backlog", "rows not published, by destination",
		destinations(func(g settlement.OutboxLag) float64 { return float64(g.Backlog) }))
	gauge("quittance_outbox_parked_streams", "streams that wait for an operator, by destination",
		destinations(func(g settlement.OutboxLag) float64 { return float64(g.ParkedStreams) }))
	total("quittance_outbox_publishes_total", "rows published, by destination",
		destinations(func(g settlement.OutboxLag) float64 { return float64(g.Published) }))
	total("quittance_outbox_retries_total", "attempts after the first of their row; retry rate = retries / publishes",
		destinations(func(g settlement.OutboxLag) float64 { return float64(g.Retries) }))

	states := func(value func(settlement.StateStats) float64) func(settlement.Stats, emitFunc) {
		return func(s settlement.Stats, emit emitFunc) {
			for _, g := range s.States {
				emit(value(g), label("state", string(g.State)))
			}
		}
	}
	gauge("quittance_settlements", "settlements by state", states(func(g settlement.StateStats) float64 { return float64(g.Count) }))
	gauge("quittance_settlements_oldest_seconds", "age of the oldest settlement by state; 0 for states that end one",
		states(func(g settlement.StateStats) float64 { return g.Oldest.Seconds() }))
	gauge("quittance_settlements_waiting", "settlements that wait, by reason", func(s settlement.Stats, emit emitFunc) {
		for _, g := range s.Waiting {
			emit(float64(g.Count), label("reason", g.Reason))
		}
	})
	all = append(all, chainGauges(b)...)
	all = append(all, assetGauges(b)...)
	return append(all, laneGauges(b)...)
}

func chainGauges(b *builder) []statsGauge {
	var all []statsGauge
	chains := func(value func(settlement.ChainStats) float64) func(settlement.Stats, emitFunc) {
		return func(s settlement.Stats, emit emitFunc) {
			for _, c := range s.Chains {
				emit(value(c), chainLabel(c.ChainID))
			}
		}
	}
	gauge := func(name, help string, value func(settlement.ChainStats) float64) {
		all = append(all, statsGauge{b.gauge(name, help), chains(value)})
	}
	all = append(all, statsGauge{
		b.total("quittance_fees_spent_wei_total", "gas paid by our signers, booked from final blocks"),
		chains(func(c settlement.ChainStats) float64 { return wei(c.FeesSpent) }),
	})
	gauge("quittance_head_block", "newest block recorded", func(c settlement.ChainStats) float64 { return float64(c.Head) })
	gauge("quittance_head_age_seconds", "time since a block was recorded", func(c settlement.ChainStats) float64 { return c.SinceHead.Seconds() })
	gauge("quittance_final_block", "newest block whose effects are booked", func(c settlement.ChainStats) float64 { return float64(c.Final) })
	gauge("quittance_finality_lag_blocks", "blocks between the two", func(c settlement.ChainStats) float64 { return float64(c.FinalityLag()) })
	gauge("quittance_queue", "settlements without a slot", func(c settlement.ChainStats) float64 { return float64(c.Queued) })
	gauge("quittance_queue_oldest_seconds", "how long the oldest of them has waited", func(c settlement.ChainStats) float64 { return c.OldestQueued.Seconds() })
	gauge("quittance_quarantined", "logs that took no effect and that nobody has looked at", func(c settlement.ChainStats) float64 { return float64(c.Quarantined) })
	gauge("quittance_vault_paused", "1 while the vault is paused", func(c settlement.ChainStats) float64 { return boolean(c.Paused) })
	gauge("quittance_chain_stopped", "1 while an operator has stopped all payments", func(c settlement.ChainStats) float64 { return boolean(c.Halted != "") })
	gauge("quittance_listener_stopped", "1 after a reorg deeper than finality, until an operator accepts it", func(c settlement.ChainStats) float64 { return boolean(c.Stopped) })
	return all
}

// assetGauges tell what holds an asset's payments back. Amounts are in its own units.
func assetGauges(b *builder) []statsGauge {
	var all []statsGauge
	gauge := func(name, help string, value func(settlement.AssetStats) (float64, bool)) {
		all = append(all, statsGauge{b.gauge(name, help), func(s settlement.Stats, emit emitFunc) {
			for _, g := range s.Assets {
				if v, known := value(g); known {
					emit(v, chainLabel(g.ChainID), label("asset", g.Symbol))
				}
			}
		}})
	}
	gauge("quittance_asset_stopped", "1 while new payments of the asset are stopped, by an operator or by reverts in a row",
		func(g settlement.AssetStats) (float64, bool) { return boolean(g.Stopped != ""), true })
	gauge("quittance_asset_reverts_in_row", "payments in a row that reverted and count; the third stops the asset",
		func(g settlement.AssetStats) (float64, bool) { return float64(g.RevertsInRow), true })
	gauge("quittance_asset_hourly_budget", "what may be allocated within an hour; absent without a bound",
		func(g settlement.AssetStats) (float64, bool) {
			if g.HourlyBudget == nil {
				return 0, false
			}
			return units(*g.HourlyBudget, g.Decimals), true
		})
	gauge("quittance_asset_hourly_spent", "what was allocated in the last hour; absent without a bound",
		func(g settlement.AssetStats) (float64, bool) {
			return units(g.Spent, g.Decimals), g.HourlyBudget != nil
		})
	return all
}

func laneGauges(b *builder) []statsGauge {
	var all []statsGauge
	gauge := func(name, help string, value func(settlement.LaneStats) float64) {
		all = append(all, statsGauge{b.gauge(name, help), func(s settlement.Stats, emit emitFunc) {
			for _, g := range s.Lanes {
				emit(value(g), chainLabel(g.ChainID), label(KeySigner, g.Signer.Hex()))
			}
		}})
	}
	gauge("quittance_lane_in_flight", "nonces allocated and not mined, and grants", func(g settlement.LaneStats) float64 { return float64(g.InFlight) })
	gauge("quittance_lane_in_flight_max", "slots", func(g settlement.LaneStats) float64 { return float64(g.InFlightMax) })
	gauge("quittance_lane_queue", "slots granted to queued settlements that have not used them yet", func(g settlement.LaneStats) float64 { return float64(g.Granted) })
	gauge("quittance_lane_head_of_line_seconds", "how long the oldest unmined nonce has been allocated", func(g settlement.LaneStats) float64 { return g.HeadOfLine.Seconds() })
	gauge("quittance_lane_balance_wei", "the signer's balance at the last block", func(g settlement.LaneStats) float64 { return wei(g.Balance) })
	gauge("quittance_lane_unsigned", "nonces that wait for a remote signer", func(g settlement.LaneStats) float64 { return float64(g.Unsigned) })
	gauge("quittance_lane_unsigned_seconds", "how long the oldest of them has waited", func(g settlement.LaneStats) float64 { return g.UnsignedFor.Seconds() })
	all = append(all, statsGauge{b.gauge("quittance_signer_settlements_left", "settlements that the balance still pays at present prices"), func(s settlement.Stats, emit emitFunc) {
		for _, g := range s.Lanes {
			if g.Left != nil {
				emit(*g.Left, chainLabel(g.ChainID), label(KeySigner, g.Signer.Hex()))
			}
		}
	}})
	gauge("quittance_lane_operator", "1 if the vault lets the signer settle", func(g settlement.LaneStats) float64 { return boolean(g.Operator) })
	all = append(all, statsGauge{b.gauge("quittance_lane_state", "1 for the state that the lane is in"), func(s settlement.Stats, emit emitFunc) {
		for _, g := range s.Lanes {
			for _, state := range []settlement.LaneState{settlement.LaneActive, settlement.LaneDraining, settlement.LaneFrozen, settlement.LaneRemoved} {
				emit(boolean(g.State == state), chainLabel(g.ChainID), label(KeySigner, g.Signer.Hex()), label("state", string(state)))
			}
		}
	}})
	return all
}
