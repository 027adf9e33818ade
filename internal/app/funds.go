package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/settlement"
)

// fundsInterval is how often the balances are looked at; they change with every block, and the warning leaves hours.
const fundsInterval = 30 * time.Second

// forecaster tells how long the signers' balances last.
type forecaster interface {
	Forecast(ctx context.Context, chainID uint64) ([]settlement.LaneStats, error)
}

// watchFunds warns once when a signer's balance covers too few settlements, and tells when it is enough again.
func watchFunds(ctx context.Context, books forecaster, chainID uint64, every time.Duration, log *slog.Logger) error {
	low := map[common.Address]bool{}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		lanes, err := books.Forecast(ctx, chainID)
		if err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "the signers' balances cannot be read", "err", err)
		}
		for _, lane := range lanes {
			switch {
			case lane.Low() && !low[lane.Signer]:
				log.WarnContext(ctx, "a signer is low on gas: top it up", "signer", lane.Signer, "settlements_left", int64(*lane.Left), "balance_wei", lane.Balance.String())
			case !lane.Low() && low[lane.Signer]:
				log.InfoContext(ctx, "a signer has enough gas again", "signer", lane.Signer)
			}
			low[lane.Signer] = lane.Low()
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
		}
	}
}
