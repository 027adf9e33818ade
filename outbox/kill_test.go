package outbox_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/quittance/quittance/inbox"
	"github.com/quittance/quittance/internal/crash"
	"github.com/quittance/quittance/internal/devstack/stacktest"
	"github.com/quittance/quittance/outbox"
)

var relaydDir string

// relayd builds the relay process with crash points, once.
var relayd = sync.OnceValues(func() (binary string, err error) {
	if relaydDir, err = os.MkdirTemp("", "relayd-"); err != nil {
		return "", err
	}
	binary = filepath.Join(relaydDir, "relayd")
	out, err := exec.Command("go", "build", "-tags", "crashpoints", "-o", binary, "./testdata/relayd").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build relayd: %w\n%s", err, out)
	}
	return binary, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if relaydDir != "" {
		os.RemoveAll(relaydDir)
	}
	os.Exit(code)
}

// process is a relay of its own.
type process struct {
	cmd  *exec.Cmd
	log  bytes.Buffer // complete when ended is closed
	err  error        // likewise
	up   string       // a file that exists once it handles signals
	done chan struct{}
}

// start runs a relay process that dies at the crash point, if one is named.
func (b *bench) start(broker *broker, crashAt string, extra ...string) *process {
	b.t.Helper()
	binary, err := relayd()
	if err != nil {
		b.t.Fatal(err)
	}
	p := &process{done: make(chan struct{}), up: filepath.Join(b.t.TempDir(), "up")}
	p.cmd = exec.Command(binary, append([]string{
		"-database", b.dsn, "-nats", broker.url, "-stream", broker.stream, "-prefix", broker.prefix, "-up", p.up}, extra...)...)
	p.cmd.Env = append(os.Environ(), crash.Variable+"="+crashAt)
	p.cmd.Stdout, p.cmd.Stderr = &p.log, &p.log
	if err := p.cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	go func() { p.err = p.cmd.Wait(); close(p.done) }()
	b.t.Cleanup(func() { _ = p.cmd.Process.Kill(); <-p.done })
	return p
}

// killed waits for its end and says whether that was SIGKILL.
func (p *process) killed() bool {
	<-p.done
	var exit *exec.ExitError
	return errors.As(p.err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
}

func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// stop asks it to end, and fails unless it does so cleanly.
func (p *process) stop(t *testing.T) {
	t.Helper()
	eventually(t, "the relay is up", func() bool { _, err := os.Stat(p.up); return err == nil })
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if <-p.done; p.err != nil {
		t.Errorf("a stopped relay ends cleanly: %v\n%s", p.err, &p.log)
	}
}

// createStream has the shortest window for duplicates, so that the stream shows each publication and the consumer alone
// has to tell copies.
func (b *broker) createStream() {
	b.t.Helper()
	_, err := b.js.CreateStream(b.t.Context(), jetstream.StreamConfig{
		Name: b.stream, Subjects: []string{b.prefix + ">"}, Duplicates: 100 * time.Millisecond,
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// consume lets every message in the stream take effect by way of an inbox, and returns how many effects each event had.
func (b *broker) consume() map[string]int {
	b.t.Helper()
	pool, err := pgxpool.New(b.t.Context(), stacktest.Postgres(b.t))
	if err != nil {
		b.t.Fatal(err)
	}
	defer pool.Close()
	if _, err := pool.Exec(b.t.Context(), inbox.Schema+`; CREATE TABLE effects (event_id text)`); err != nil {
		b.t.Fatal(err)
	}
	for _, msg := range b.messages() {
		id := msg.Header.Get(jetstream.MsgIDHeader)
		_, err := inbox.Process(b.t.Context(), pool, "test", id, msg.Data, func(tx pgx.Tx) error {
			_, err := tx.Exec(b.t.Context(), `INSERT INTO effects VALUES ($1)`, id)
			return err
		})
		if err != nil {
			b.t.Fatal(err)
		}
	}
	effects := map[string]int{}
	rows, _ := pool.Query(b.t.Context(), `SELECT event_id, count(*) FROM effects GROUP BY event_id`)
	var id string
	var n int
	if _, err := pgx.ForEachRow(rows, []any{&id, &n}, func() error { effects[id] = n; return nil }); err != nil {
		b.t.Fatal(err)
	}
	return effects
}

// O13: https://github.com/JasperFx/wolverine/issues/565, O14: https://github.com/JasperFx/wolverine/issues/585,
// O15: https://github.com/JasperFx/wolverine/issues/1677
func TestARelayKilledAtAnyPointLosesNothingAndItsCopiesTakeNoEffect(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why       string
		at        string
		published int
	}{
		{"nothing was published", outbox.CrashBeforePublish, 1},
		{"published and not marked: published again", outbox.CrashAfterPublish, 2},
		{"published and marked: never again", outbox.CrashAfterMark, 1},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			b, broker := newBench(t), newBroker(t)
			broker.createStream()
			b.emitSeries("settlement/a", 1)
			if first := b.start(broker, row.at); !first.killed() {
				t.Fatalf("the relay was not killed: %v\n%s", first.err, &first.log)
			}
			second := b.start(broker, "")
			eventually(t, "nothing is pending", func() bool { return b.pending() == 0 })
			second.stop(t)
			if n := len(broker.messages()); n != row.published {
				t.Errorf("published %d times, want %d", n, row.published)
			}
			for id, n := range broker.consume() {
				if n != 1 {
					t.Errorf("event %s took effect %d times", id, n)
				}
			}
		})
	}
}

func TestRelaysThatAreKilledAgainAndAgainDeliverEverythingInOrder(t *testing.T) {
	t.Parallel()
	b, broker := newBench(t), newBroker(t)
	broker.createStream()
	streams := streamNames("settlement/", 8)
	const perStream, kills = 40, 12
	for _, s := range streams {
		b.emitSeries(s, perStream)
	}
	points := []string{outbox.CrashBeforePublish, outbox.CrashAfterPublish, outbox.CrashAfterMark}
	steady := b.start(broker, "", "-lease", "300ms", "-batch", "1") // slow, but never killed
	var killed int
	for i := range kills {
		at := fmt.Sprintf("%s:%d", points[i%len(points)], 1+rand.IntN(4))
		p := b.start(broker, at, "-lease", "300ms", "-batch", "5")
		eventually(t, "the relay dies or nothing is left for it", func() bool { return p.ended() || b.pending() == 0 })
		if p.ended() && p.killed() {
			killed++
		}
	}
	if killed < kills/2 {
		t.Errorf("only %d relays were killed: the test has too few rows", killed)
	}
	eventually(t, "nothing is pending", func() bool { return b.pending() == 0 })
	steady.stop(t)
	target := natsView(t, broker)
	checkOrder(t, target, streams, perStream)
	effects := broker.consume()
	if len(effects) != len(streams)*perStream {
		t.Errorf("%d events took effect, want %d", len(effects), len(streams)*perStream)
	}
	for id, n := range effects {
		if n != 1 {
			t.Errorf("event %s took effect %d times", id, n)
		}
	}
	t.Logf("%d messages for %d events", len(target), len(effects))
}
