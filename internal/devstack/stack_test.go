package devstack_test

import (
	"context"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"github.com/quittance/quittance/internal/devstack"
)

const rich = "0x00000000000000000000000000000000000000aa"

func noEnv(string) (string, bool) { return "", false }

func up(t *testing.T, opts devstack.Options) *devstack.Stack {
	t.Helper()
	if opts.LookupEnv == nil {
		opts.LookupEnv = noEnv
	}
	if opts.Log == nil {
		opts.Log = os.Stderr
	}
	t.Cleanup(func() {
		if err := devstack.Wipe(context.Background(), opts.Dir, nil); err != nil {
			t.Errorf("wipe: %v", err)
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute) // a first build
	defer cancel()
	s, err := devstack.Up(ctx, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func pids(s *devstack.Stack) map[string]int {
	got := map[string]int{}
	for _, p := range s.Parts() {
		got[p.Name()] = p.PID()
	}
	return got
}

// gone waits a little: a server that this test process started is a zombie
// from its end until it is reaped, which happens beside the test.
func gone(pid int) bool {
	deadline := time.After(10 * time.Second)
	for {
		if syscall.Kill(pid, 0) == syscall.ESRCH {
			return true
		}
		select {
		case <-deadline:
			return false
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// leaveTraces writes something to every server.
func leaveTraces(t *testing.T, s *devstack.Stack) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), "CREATE TABLE trace AS SELECT 42 AS n"); err != nil {
		t.Fatal(err)
	}
	c, err := client.Dial(client.Options{HostPort: s.TemporalAddress, Namespace: s.TemporalNamespace})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "trace", TaskQueue: "nobody"}, "Trace"); err != nil {
		t.Fatal(err)
	}
	broker, err := nats.Connect(s.NATSURL)
	if err != nil {
		t.Fatal(err)
	}
	defer broker.Close()
	js, err := broker.JetStream()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.AddStream(&nats.StreamConfig{Name: "TRACE", Subjects: []string{"trace"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish("trace", []byte("x")); err != nil {
		t.Fatal(err)
	}
}

func checkTraces(t *testing.T, s *devstack.Stack) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	var n int
	if err := conn.QueryRow(t.Context(), "SELECT n FROM trace").Scan(&n); err != nil || n != 42 {
		t.Errorf("postgres: %d, %v", n, err)
	}
	c, err := client.Dial(client.Options{HostPort: s.TemporalAddress, Namespace: s.TemporalNamespace})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	run, err := c.DescribeWorkflow(t.Context(), "trace", "")
	if err != nil || run.Status != enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING {
		t.Errorf("temporal: %v, %v", run, err)
	}
	broker, err := nats.Connect(s.NATSURL)
	if err != nil {
		t.Fatal(err)
	}
	defer broker.Close()
	js, err := broker.JetStream()
	if err != nil {
		t.Fatal(err)
	}
	if info, err := js.StreamInfo("TRACE"); err != nil || info.State.Msgs != 1 {
		t.Errorf("nats: %+v, %v", info, err)
	}
	chain, err := ethclient.Dial(s.ChainRPCURLs[0])
	if err != nil {
		t.Fatal(err)
	}
	defer chain.Close()
	if wei, err := chain.BalanceAt(t.Context(), common.HexToAddress(rich), nil); err != nil || wei.Cmp(million()) != 0 {
		t.Errorf("geth: balance %s, %v", wei, err)
	}
}

func million() *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(24), nil) }

func TestStackHealsWhatDiedAndKeepsTheRest(t *testing.T) {
	t.Parallel()
	opts := devstack.Options{Dir: t.TempDir(), Fund: []string{rich}, Namespace: "payments", Env: map[string]string{"VAULT_ADDRESS": rich}}
	first := up(t, opts)
	leaveTraces(t, first)
	began := pids(first)
	if len(began) != 4 || began["postgres"]*began["temporal"]*began["geth"]*began["nats"] == 0 {
		t.Fatalf("parts that run: %v", began)
	}

	// Up again changes nothing, and another part's pairs stay in the env file.
	if err := devstack.SetEnv(t.Context(), opts.Dir, map[string]string{"KEYSTORE_DIR": "/keys"}); err != nil {
		t.Fatal(err)
	}
	again := up(t, opts)
	if got := pids(again); fmt.Sprint(got) != fmt.Sprint(began) {
		t.Errorf("a second up: pids %v, were %v", got, began)
	}
	checkEnv(t, again, map[string]string{"VAULT_ADDRESS": rich, "KEYSTORE_DIR": "/keys", "TEMPORAL_NAMESPACE": "payments"})

	// All die without warning, and nobody tells us.
	for _, pid := range began {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	healed := up(t, opts)
	checkTraces(t, healed)
	checkEnv(t, again, map[string]string{"VAULT_ADDRESS": rich, "KEYSTORE_DIR": "/keys", "TEMPORAL_NAMESPACE": "payments"})

	// One dies: only that one is replaced.
	before := pids(healed)
	if err := healed.Geth.Kill(); err != nil {
		t.Fatal(err)
	}
	after := pids(up(t, opts))
	for name, pid := range before {
		if same := after[name] == pid; same == (name == "geth") || after[name] == 0 {
			t.Errorf("%s had pid %d, has %d", name, pid, after[name])
		}
	}
}

func TestDownLeavesNoProcessAndWipeLeavesNothing(t *testing.T) {
	t.Parallel()
	opts := devstack.Options{Dir: t.TempDir(), Fund: []string{rich}}
	s := up(t, opts)
	leaveTraces(t, s)
	running := pids(s)
	if err := s.Down(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, pid := range running {
		if pid == 0 || !gone(pid) {
			t.Errorf("%s (pid %d) survived down", name, pid)
		}
	}
	if files, err := filepath.Glob(filepath.Join(opts.Dir, "*", "pid")); err != nil || len(files) != 0 {
		t.Errorf("pid files stay: %v, %v", files, err)
	}
	checkTraces(t, up(t, opts)) // data stays

	opened, err := devstack.Open(opts.Dir) // as another process would
	if err != nil {
		t.Fatal(err)
	}
	running = pids(opened)
	if err := opened.Wipe(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, pid := range running {
		if pid == 0 || !gone(pid) {
			t.Errorf("%s (pid %d) was not found, or survived the wipe", name, pid)
		}
	}
	if _, err := os.Stat(opts.Dir); !os.IsNotExist(err) {
		t.Errorf("the folder survived the wipe: %v", err)
	}
}

func checkEnv(t *testing.T, s *devstack.Stack, more map[string]string) {
	t.Helper()
	env, err := devstack.ReadEnv(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"DATABASE_URL":     s.DatabaseURL,
		"TEMPORAL_ADDRESS": s.TemporalAddress,
		"TEMPORAL_UI_URL":  s.TemporalUIURL,
		"CHAIN_RPC_URLS":   strings.Join(s.ChainRPCURLs, ","),
		"CHAIN_ID":         "1337",
		"CHAIN_WS_URL":     s.ChainWSURL,
		"NATS_URL":         s.NATSURL,
	}
	for name, value := range more {
		want[name] = value
	}
	for name, value := range want {
		if env[name] != value || value == "" {
			t.Errorf("env file: %s=%q, want %q", name, env[name], value)
		}
	}
	if len(env) != len(want) {
		t.Errorf("env file has %d pairs, want %d: %v", len(env), len(want), env)
	}
}

func TestTwoStacksLiveSideBySide(t *testing.T) {
	t.Parallel()
	dirs := []string{t.TempDir(), t.TempDir()}
	stacks := make([]*devstack.Stack, 2)
	t.Run("both start at once", func(t *testing.T) {
		for i, dir := range dirs {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				var err error
				stacks[i], err = devstack.Up(t.Context(), devstack.Options{Dir: dir, LookupEnv: noEnv, ChainID: uint64(7000 + i)})
				if err != nil {
					t.Fatal(err)
				}
			})
		}
	})
	defer func() { _ = devstack.Wipe(context.Background(), dirs[0], nil) }() // the test is over: what stays is a folder
	defer func() { _ = devstack.Wipe(context.Background(), dirs[1], nil) }() // the test is over: what stays is a folder
	if stacks[0] == nil || stacks[1] == nil {
		t.FailNow()
	}
	addresses := map[string]bool{}
	for i, s := range stacks {
		if s.ChainID != uint64(7000+i) {
			t.Errorf("stack %d has chain %d", i, s.ChainID)
		}
		for _, a := range []string{s.DatabaseURL, s.TemporalAddress, s.TemporalUIURL, s.ChainRPCURLs[0], s.ChainWSURL, s.NATSURL} {
			if addresses[a] {
				t.Errorf("%s belongs to both", a)
			}
			addresses[a] = true
		}
	}
	if err := stacks[0].Wipe(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, p := range stacks[1].Parts() {
		if err := p.Ready(t.Context()); err != nil {
			t.Errorf("%s of the other stack: %v", p.Name(), err)
		}
	}
}
