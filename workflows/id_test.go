package workflows_test

import (
	"testing"

	"github.com/quittance/quittance/settlement"
	"github.com/quittance/quittance/workflows"
)

func FuzzAnIDLeadsBackToItsKey(f *testing.F) {
	f.Add("", "pay-7")
	f.Add("acme", "pay/7")
	f.Add("acme", "ключ")
	f.Add("default", "@x")
	f.Fuzz(func(t *testing.T, tenant, value string) {
		key, err := settlement.ParseKey(tenant, value)
		if err != nil {
			return
		}
		id := workflows.ID(key)
		back, err := workflows.KeyFromID(id)
		if err != nil || back != key {
			t.Fatalf("%+v became %q and came back as %+v (%v)", key, id, back, err)
		}
		if len(id) > 255 {
			t.Fatalf("the ID has %d bytes", len(id))
		}
	})
}
