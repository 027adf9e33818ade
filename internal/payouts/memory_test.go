package payouts

import (
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/quittance/quittance/internal/intake"
	"github.com/quittance/quittance/ledger/ledgertest"
)

// Not parallel: it measures the process. Sys never falls, so it is the peak.
func TestAHundredThousandLinesAreReadAndGroupedBelow200MB(t *testing.T) {
	const lines, limit = 100_000, 200 << 20
	w := ledgertest.New(t)
	desk, err := intake.OpenDesk(t.Context(), w.Ledger, 0)
	if err != nil {
		t.Fatal(err)
	}
	read, write := io.Pipe()
	go func() {
		_, err := io.WriteString(write, "key,account,to,asset,amount\n")
		for i := 0; i < lines && err == nil; i++ {
			// every tenth line repeats the one before
			_, err = fmt.Fprintf(write, "payout-of-a-customer-with-quite-a-long-key-%06d,alice,0x8e817fa590614629819ad71754a7d05138f0e226,USDC,%d.%06d\n", i-i%10/9, 1+i-i%10/9, 5)
		}
		write.CloseWithError(err)
	}()
	got, err := Read(t.Context(), read, desk, "")
	if err != nil || len(got) != lines {
		t.Fatalf("read %d lines: %v", len(got), err)
	}
	groups := byKey(got)
	if want := lines - lines/10; len(groups) != want {
		t.Fatalf("%d keys, want %d", len(groups), want)
	}
	summary := summarize(got, groups, Options{Wait: true})
	if len(summary.Unknown) != len(groups) || summary.Duplicates != lines/10 {
		t.Fatalf("%d unknown of %d, %d duplicates", len(summary.Unknown), len(groups), summary.Duplicates)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d MB from the operating system, %d MB alive", m.Sys>>20, m.HeapAlloc>>20)
	if m.Sys > limit {
		t.Errorf("%d MB, want at most %d", m.Sys>>20, limit>>20)
	}
	runtime.KeepAlive(got)
}
