package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/quittance/quittance/internal/devstack/stacktest"
)

type bench struct {
	*testing.T
	js     jetstream.JetStream
	stream string
	args   []string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	url := stacktest.NATS(t)
	conn, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	b := &bench{T: t, stream: "TEST_" + rand.Text()[:12]}
	if b.js, err = jetstream.New(conn); err != nil {
		t.Fatal(err)
	}
	if _, err := b.js.CreateStream(t.Context(), jetstream.StreamConfig{Name: b.stream, Subjects: []string{b.stream + ".>"}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = b.js.DeleteStream(ctx, b.stream)
	})
	b.args = []string{"-database", stacktest.Postgres(t), "-nats", url, "-stream", b.stream, "-idle", "1s"}
	return b
}

func (b *bench) publish(data string) {
	b.Helper()
	if _, err := b.js.Publish(b.Context(), b.stream+".x", []byte(data)); err != nil {
		b.Fatal(err)
	}
}

func settled(id string, amount int) string {
	return fmt.Sprintf(`{"specversion":"1.0","id":%q,"source":"/quittance/default","type":"com.quittance.settlement.settled","data":{"amount":"%d"}}`, id, amount)
}

func (b *bench) run() (report, error) {
	b.Helper()
	var stdout, stderr bytes.Buffer
	err := run(b.Context(), b.args, &stdout, &stderr)
	var r report
	if jsonErr := json.Unmarshal(stdout.Bytes(), &r); jsonErr != nil {
		b.Fatalf("stdout %q: %v\n%v\n%s", stdout.String(), jsonErr, err, stderr.String())
	}
	return r, err
}

func TestEachEventCountsOnceAcrossCopiesAndRestarts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.publish(settled("e1", 1))
	b.publish(settled("e2", 1))
	b.publish(settled("e1", 1))
	if _, err := b.run(); err != nil {
		t.Fatal(err)
	}
	b.publish(settled("e2", 1))
	b.publish(settled("e3", 1))
	got, err := b.run()
	if err != nil {
		t.Fatal(err)
	}
	want := report{Consumer: "example-counter", Counts: map[string]int64{"com.quittance.settlement.settled": 3}, Events: 3, Copies: 2}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func TestWhatCannotBeProcessedIsAlarmedOnceAndStopsNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.publish(settled("e1", 1))
	b.publish(settled("e1", 2)) // the same id with another payload
	b.publish(`{"not":"an event"}`)
	b.publish("no JSON")
	b.publish(settled("e2", 1))
	for range 2 {
		got, err := b.run()
		if err == nil || !strings.Contains(err.Error(), "3 events") {
			t.Errorf("err = %v, want one about 3 alarms", err)
		}
		if got.Counts["com.quittance.settlement.settled"] != 2 || got.Alarms != 3 {
			t.Errorf("report = %+v", got)
		}
	}
}

func TestAStopPrintsTheCounts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx, stop := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer stop()
	var stdout, stderr bytes.Buffer
	if err := run(ctx, append(b.args, "-idle", "0"), &stdout, &stderr); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	if !json.Valid(stdout.Bytes()) {
		t.Errorf("stdout = %q", stdout.String())
	}
}
