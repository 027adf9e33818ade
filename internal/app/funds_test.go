package app

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/quittance/quittance/settlement"
)

// readings gives one forecast per look and ends the watch after the last.
type readings struct {
	left []*float64
	end  context.CancelFunc
}

func (r *readings) Forecast(context.Context, uint64) ([]settlement.LaneStats, error) {
	if len(r.left) == 1 {
		r.end()
	}
	left := r.left[0]
	r.left = r.left[1:]
	return []settlement.LaneStats{{Left: left}}, nil
}

func TestALowSignerIsWarnedOfOnceUntilItIsToppedUp(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	n := func(v float64) *float64 { return &v }
	var out bytes.Buffer
	source := &readings{left: []*float64{nil, n(50), n(49.9), n(3), n(200), n(1)}, end: cancel}
	_ = watchFunds(ctx, source, 1337, time.Millisecond, slog.New(slog.NewTextHandler(&out, nil))) // ends with its context
	if low, well := strings.Count(out.String(), "low on gas"), strings.Count(out.String(), "enough gas again"); low != 2 || well != 1 {
		t.Errorf("%d warnings, %d all-clears:\n%s", low, well, out.String())
	}
	if !strings.Contains(out.String(), "settlements_left=49") {
		t.Errorf("the warning does not say how many are left:\n%s", out.String())
	}
}
