package ledger_test

import (
	"testing"

	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

func TestTheForecastDividesWhatIsNotCommittedByThePresentPrice(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	left := func(why string, want *float64) {
		t.Helper()
		lanes, err := w.Forecast(t.Context(), w.Chain.ChainID)
		if err != nil || len(lanes) == 0 {
			t.Fatal(lanes, err)
		}
		stats, err := w.Stats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range []*float64{lanes[0].Left, stats.Lanes[0].Left} {
			if (got == nil) != (want == nil) || want != nil && (*got < *want*0.999 || *got > *want*1.001) {
				t.Errorf("%s: %v, want %v", why, got, want)
			}
		}
		if low := want != nil && *want < settlement.LeftWarn; lanes[0].Low() != low {
			t.Errorf("%s: low is %v", why, lanes[0].Low())
		}
	}
	number := func(n float64) *float64 { return &n }
	left("no block yet: no price", nil)
	w.SetHead(50, 40) // base fee 1 gwei, tip 0.01
	price := 1.01e9
	w.Exec(`UPDATE lanes SET balance = 1000000000000000000`)
	left("before the first payment the dearest counts", number(1e18/(85_000*price)))
	w.Exec(`UPDATE lanes SET balance = 85000 * 1010000000::numeric * 10`)
	left("ten are left, which is low", number(10))
	w.Exec(`UPDATE heads SET base_fee = 2010000000`)
	left("the market doubled", number(5))
	w.Exec(`UPDATE lanes SET balance = 0`)
	left("none", number(0))
}
