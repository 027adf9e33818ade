package stacktest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/sdk/client"

	"github.com/quittance/quittance/internal/devstack"
	"github.com/quittance/quittance/internal/devstack/stacktest"
)

func connect(t *testing.T, dsn string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

func TestEachTestGetsAnEmptyDatabaseOfItsOwn(t *testing.T) {
	t.Parallel()
	a, b := stacktest.Postgres(t), stacktest.Postgres(t)
	if a == b {
		t.Fatalf("two databases have one DSN %s", a)
	}
	if _, err := connect(t, a).Exec(t.Context(), "CREATE TABLE t (n int)"); err != nil {
		t.Fatal(err)
	}
	var exists bool
	if err := connect(t, b).QueryRow(t.Context(), "SELECT to_regclass('t') IS NOT NULL").Scan(&exists); err != nil || exists {
		t.Fatalf("table of the first database seen in the second: %v, %v", exists, err)
	}
}

func TestDatabaseIsDroppedAfterItsTest(t *testing.T) {
	t.Parallel()
	var dsn string
	t.Run("a test that leaves a connection open", func(t *testing.T) {
		dsn = stacktest.Postgres(t)
		conn, err := pgx.Connect(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn // dropping must not wait for it
	})
	if _, err := pgx.Connect(t.Context(), dsn); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Fatalf("connect to the dropped database: %v", err)
	}
}

func TestClusterIsDurableLikeProduction(t *testing.T) {
	t.Parallel()
	conn := connect(t, stacktest.Postgres(t))
	for setting, want := range map[string]string{
		"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on", "max_connections": "300",
	} {
		var got string
		if err := conn.QueryRow(t.Context(), "SELECT current_setting($1)", setting).Scan(&got); err != nil || got != want {
			t.Errorf("%s = %s, %v; want %s", setting, got, err, want)
		}
	}
}

func TestTemplateIsBuiltOnceHoweverManyAsk(t *testing.T) {
	t.Parallel()
	key := fmt.Sprintf("once %d", time.Now().UnixNano())
	var builds atomic.Int32
	build := func(dsn string) error {
		builds.Add(1)
		conn, err := pgx.Connect(context.Background(), dsn)
		if err != nil {
			return err
		}
		defer conn.Close(context.Background())
		_, err = conn.Exec(context.Background(), "CREATE TABLE filled AS SELECT generate_series(1, 10) AS n")
		return err
	}
	dsns := make([]string, 6)
	var wg sync.WaitGroup
	for i := range dsns {
		wg.Go(func() { dsns[i] = stacktest.PostgresTemplate(t, key, build) })
	}
	wg.Wait()
	if n := builds.Load(); n != 1 {
		t.Errorf("built %d times", n)
	}
	seen := map[string]bool{}
	for _, dsn := range dsns {
		var rows int
		if err := connect(t, dsn).QueryRow(t.Context(), "SELECT count(*) FROM filled").Scan(&rows); err != nil || rows != 10 {
			t.Errorf("%s has %d rows, %v", dsn, rows, err)
		}
		seen[dsn] = true
	}
	if len(seen) != len(dsns) {
		t.Errorf("%d databases for %d callers", len(seen), len(dsns))
	}
}

// failRecorder is a testing.TB that records Fatalf instead of failing.
type failRecorder struct {
	*testing.T
	fatal string
}

func (f *failRecorder) Fatalf(format string, args ...any) {
	f.fatal = fmt.Sprintf(format, args...)
	panic(f)
}

func TestTemplateWhoseBuildFailsIsNotKept(t *testing.T) {
	t.Parallel()
	key := fmt.Sprintf("fails %d", time.Now().UnixNano())
	recorder := &failRecorder{T: t}
	func() {
		defer func() { _ = recover() }()
		stacktest.PostgresTemplate(recorder, key, func(string) error { return errors.New("bad migration") })
	}()
	if !strings.Contains(recorder.fatal, "bad migration") {
		t.Fatalf("the test was told %q", recorder.fatal)
	}
	built := false
	stacktest.PostgresTemplate(t, key, func(string) error { built = true; return nil })
	if !built {
		t.Error("the failed template was used")
	}
}

func TestTemporalAnswersWithTheSearchAttributesAndTheWebUI(t *testing.T) {
	t.Parallel()
	s := stacktest.Temporal(t)
	c, err := client.Dial(client.Options{HostPort: s.Address, Namespace: s.Namespace})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	list, err := c.OperatorService().ListSearchAttributes(t.Context(), &operatorservice.ListSearchAttributesRequest{Namespace: s.Namespace})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"SettlementState", "Asset", "ChainID", "TxHash"} {
		if got := list.CustomAttributes[name].String(); got != "Keyword" {
			t.Errorf("search attribute %s is %s", name, got)
		}
	}
	resp, err := http.Get(s.UIURL + "/namespaces/" + s.Namespace + "/workflows")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if page, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != 200 || !strings.Contains(string(page), "<html") {
		t.Errorf("web ui: %s, %v", resp.Status, err)
	}
	api, err := http.Get(s.UIURL + "/api/v1/namespaces/" + s.Namespace)
	if err != nil {
		t.Fatal(err)
	}
	defer api.Body.Close()
	var namespace struct{ NamespaceInfo struct{ Name string } }
	if err := json.NewDecoder(api.Body).Decode(&namespace); err != nil || namespace.NamespaceInfo.Name != s.Namespace {
		t.Errorf("the web ui's api knows namespace %q, %v", namespace.NamespaceInfo.Name, err)
	}
}

func TestBrokerHasJetStream(t *testing.T) {
	t.Parallel()
	conn, err := nats.Connect(stacktest.NATS(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	js, err := conn.JetStream()
	if err != nil {
		t.Fatal(err)
	}
	stream := fmt.Sprintf("S%d", time.Now().UnixNano())
	if _, err := js.AddStream(&nats.StreamConfig{Name: stream, Subjects: []string{stream}}); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = js.DeleteStream(stream) }() // its name is this test's own
	for i, duplicate := range []bool{false, true} {
		ack, err := js.Publish(stream, []byte("x"), nats.MsgId("same"))
		if err != nil || ack.Duplicate != duplicate {
			t.Errorf("publish %d: duplicate = %v, %v", i, ack.Duplicate, err)
		}
	}
}

func TestSharedChainFundsTheFunder(t *testing.T) {
	t.Parallel()
	c, err := ethclient.Dial(stacktest.SharedGeth(t).RPCURL)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, address := stacktest.Funder()
	if balance, err := c.BalanceAt(t.Context(), address, nil); err != nil || balance.Sign() <= 0 {
		t.Errorf("funder has %s, %v", balance, err)
	}
}

func TestOwnChainsAreSeparateAndDeletedAtTheEnd(t *testing.T) {
	t.Parallel()
	rich := common.HexToAddress("0x00000000000000000000000000000000000000Aa")
	var pid int
	t.Run("a chain", func(t *testing.T) {
		g := stacktest.Geth(t, devstack.GethOptions{ChainID: 4242, Fund: []string{rich.Hex()}})
		pid = g.PID()
		c, err := ethclient.Dial(g.RPCURL)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if id, err := c.ChainID(t.Context()); err != nil || id.Uint64() != 4242 {
			t.Errorf("chain id %s, %v", id, err)
		}
		balance, err := c.BalanceAt(t.Context(), rich, nil)
		if err != nil || balance.String() != "1000000000000000000000000" {
			t.Errorf("funded account has %s, %v", balance, err)
		}
	})
	if pid == 0 {
		t.Fatal("the chain had no process")
	}
	deadline := time.After(10 * time.Second) // until it is reaped
	for syscall.Kill(pid, 0) == nil {
		select {
		case <-deadline:
			t.Fatalf("geth (pid %d) still runs", pid)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
