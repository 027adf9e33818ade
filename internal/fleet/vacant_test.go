package fleet

import (
	"net"
	"os"
	"strings"
	"testing"

	"github.com/quittance/quittance/internal/devchain"
	"github.com/quittance/quittance/internal/devstack"
)

func TestServicesAreNotStartedBesideOthersAtTheirAddresses(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free.Close()
	dir := t.TempDir()
	env := "WORKER_HTTP_ADDRESS=" + free.Addr().String() + "\nLISTENER_HTTP_ADDRESS=" + taken.Addr().String() + "\nRELAY_HTTP_ADDRESS=" + free.Addr().String() + "\n"
	if err := os.WriteFile(devstack.EnvPath(dir), []byte(env), 0o600); err != nil {
		t.Fatal(err)
	}
	f := &Fleet{World: &devchain.World{Stack: &devstack.Stack{Dir: dir}}, services: map[string]*service{}}
	err = f.StartServices(t.Context())
	if err == nil {
		t.Fatal("they were started")
	}
	for _, want := range []string{"listener (" + taken.Addr().String() + ")", "stop the services", "DEVSTACK_DIR"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	if strings.Contains(err.Error(), "worker (") || f.PID("worker") != 0 {
		t.Errorf("%q blames or starts a service whose address is free", err)
	}
}
