package ledger_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

// https://github.com/interledger-deprecated/five-bells-ledger/issues/402: 40001 is no business answer.
func TestWhatOnlyCollidedRunsAgainAndIsNeverABusinessAnswer(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t, ledgertest.Empty())
	for _, code := range []string{"40001", "40P01", "55P03"} {
		tries := 0
		before := w.Counts()
		err := w.Do(t.Context(), "collide", func(tx *ledger.Tx) error {
			if tries++; tries < 4 {
				_, err := tx.Exec(raise(code))
				return err
			}
			_, err := tx.Exec(`INSERT INTO journal (actor, action, subject) VALUES ('test', 'collide', $1)`, code)
			return err
		})
		if after := w.Counts(); err != nil || tries != 4 || after.Retries-before.Retries != 3 || after.Commits-before.Commits != 1 {
			t.Errorf("%s: %d tries, %+v, %v", code, tries, after, err)
		}
		err = w.Do(t.Context(), "collide for ever", func(tx *ledger.Tx) error {
			_, err := tx.Exec(raise(code))
			return err
		})
		if settlement.KindOf(err) != settlement.Transient {
			t.Errorf("%s for ever: %v", code, err)
		}
		err = w.Do(t.Context(), "collide at commit", func(tx *ledger.Tx) error {
			tx.AtCommit(raise(code))
			return nil
		})
		if settlement.KindOf(err) != settlement.Transient {
			t.Errorf("%s at commit: %v", code, err)
		}
	}
	if n := ledgertest.Value[int](w, `SELECT count(*) FROM journal`); n != 3 {
		t.Errorf("%d rows, want 3", n)
	}
}

func raise(code string) string {
	return fmt.Sprintf(`DO $$ BEGIN RAISE EXCEPTION 'as if' USING ERRCODE = '%s'; END $$`, code)
}

// https://github.com/latitude-dev/latitude-llm/pull/3463: two writers that take rows in two orders.
func TestADeadlockIsRetriedUntilBothPass(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	var met sync.WaitGroup
	met.Add(2)
	errs := make([]error, 2)
	var both sync.WaitGroup
	for i, order := range [][2]int64{{w.USDC.ID, w.ETH.ID}, {w.ETH.ID, w.USDC.ID}} {
		both.Go(func() {
			first := true
			errs[i] = w.Do(t.Context(), "cross", func(tx *ledger.Tx) error {
				if _, err := tx.Exec(`UPDATE asset_liquidity SET balance_block = balance_block + 1 WHERE asset_id = $1`, order[0]); err != nil {
					return err
				}
				if first {
					first = false
					met.Done()
					met.Wait() // both hold their first row
				}
				_, err := tx.Exec(`UPDATE asset_liquidity SET balance_block = balance_block + 1 WHERE asset_id = $1`, order[1])
				return err
			})
		})
	}
	both.Wait()
	if errs[0] != nil || errs[1] != nil || w.Counts().Retries == 0 {
		t.Errorf("%v, %v, %+v", errs[0], errs[1], w.Counts())
	}
	if n := ledgertest.Value[int](w, `SELECT sum(balance_block)::int FROM asset_liquidity`); n != 4 {
		t.Errorf("sum %d, want 4", n)
	}
}

func TestAUnitThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t, ledgertest.Empty())
	boom := errors.New("boom")
	for _, row := range []struct {
		why  string
		f    func(*ledger.Tx) error
		kind settlement.Kind
	}{
		{"its own error", func(*ledger.Tx) error { return boom }, settlement.Transient},
		{"a guard that touched no row", func(tx *ledger.Tx) error {
			tx.AtCommitOne("nobody's there", `UPDATE cluster SET epoch = 2 WHERE epoch = 99`)
			return nil
		}, settlement.Stale},
		{"a rule of the schema, at commit", func(tx *ledger.Tx) error {
			tx.AtCommit(`INSERT INTO journal (actor, action, subject) VALUES ('test', 'x', NULL)`)
			return nil
		}, settlement.Stale},
		{"a value that no domain takes", func(tx *ledger.Tx) error {
			_, err := tx.Exec(`SELECT (-1)::amount`)
			return err
		}, settlement.Invalid},
		{"no row", func(tx *ledger.Tx) error {
			var n int
			return tx.QueryRow(`SELECT 1 WHERE false`).Scan(&n)
		}, settlement.NotFound},
	} {
		err := w.Do(t.Context(), "fail", func(tx *ledger.Tx) error {
			if _, err := tx.Exec(`INSERT INTO journal (actor, action, subject) VALUES ('test', 'fail', $1)`, row.why); err != nil {
				return err
			}
			return row.f(tx)
		})
		if err == nil || settlement.KindOf(err) != row.kind {
			t.Errorf("%s: %s %v", row.why, settlement.KindOf(err), err)
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	err := w.Do(cancelled, "cancel", func(tx *ledger.Tx) error {
		_, err := tx.Exec(`INSERT INTO journal (actor, action, subject) VALUES ('test', 'fail', 'cancelled')`)
		cancel()
		if err == nil {
			_, err = tx.Exec(`SELECT pg_sleep(60)`)
		}
		return err
	})
	if settlement.KindOf(err) != settlement.Transient || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	func() {
		defer func() { _ = recover() }()
		_ = w.Do(t.Context(), "panic", func(tx *ledger.Tx) error {
			_, _ = tx.Exec(`INSERT INTO journal (actor, action, subject) VALUES ('test', 'fail', 'panic')`)
			panic("boom")
		})
	}()
	if left := ledgertest.Value[string](w, `SELECT coalesce(string_agg(subject, ', '), '') FROM journal`); left != "" {
		t.Errorf("left %s", left)
	}
}

func TestAConnectionThatDiesBeforeCommitCostsARetry(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	tries := 0
	err := w.Do(t.Context(), "die", func(tx *ledger.Tx) error {
		var pid int
		if err := tx.QueryRow(`SELECT pg_backend_pid() FROM cluster FOR UPDATE`).Scan(&pid); err != nil {
			return err
		}
		if tries++; tries == 1 {
			w.Exec(`SELECT pg_terminate_backend($1, 10000)`, pid)
		}
		_, err := tx.Exec(`UPDATE cluster SET epoch = epoch + 1`)
		return err
	})
	if epoch := ledgertest.Value[int](w, `SELECT epoch FROM cluster`); err != nil || tries != 2 || epoch != 2 {
		t.Errorf("%d tries, epoch %d, %v", tries, epoch, err)
	}
}

// https://github.com/pathosDev/actor-ts/issues/984: a claim that is deleted, or reported as failed, after its side effect.
func TestALostAnswerToCommitIsUnknownAndTheRepeatFindsTheRow(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	proxy := newProxy(t, w.DSN)
	l, err := ledger.Open(t.Context(), proxy.dsn, ledger.WithHook(func(point string) {
		if point == "reserve.before_commit" {
			proxy.cut.Store(true)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	r := w.Reservation("order-1", "10")
	if _, err = l.Reserve(t.Context(), r); settlement.KindOf(err) != settlement.Unknown || err == nil {
		t.Fatalf("the answer was lost: %s %v", settlement.KindOf(err), err)
	}
	if l.Counts().Retries != 0 {
		t.Error("a unit that may have committed ran again")
	}
	s, err := w.Reserve(t.Context(), r)
	if err != nil || s.State != settlement.Requested {
		t.Fatalf("%+v %v", s, err)
	}
	if b := usdcOf(t, w, ledgertest.Alice); b.Held != w.Units("USDC", "10") {
		t.Errorf("held %s", b.Held)
	}
	if hits := ledgertest.Value[int](w, `SELECT hits FROM idempotency_keys`); hits != 0 {
		t.Errorf("%d hits: the same request again is no duplicate", hits)
	}
}

// proxy stands between a ledger and Postgres. Once cut, it lets the next request reach the server, waits for the whole answer,
// and closes the client's connection instead of passing it on.
type proxy struct {
	dsn string
	cut atomic.Bool
}

func newProxy(t *testing.T, dsn string) *proxy {
	t.Helper()
	target, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	p := &proxy{}
	server := target.Host
	target.Host = listener.Addr().String()
	p.dsn = target.String()
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go p.serve(client, server)
		}
	}()
	return p
}

func (p *proxy) serve(client net.Conn, address string) {
	defer client.Close()
	server, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		_, _ = io.Copy(server, client)
		server.Close()
	}()
	buffer := make([]byte, 1<<16)
	for {
		n, err := server.Read(buffer)
		if err != nil {
			return
		}
		if p.cut.Load() {
			if bytes.Contains(buffer[:n], []byte("COMMIT\x00")) {
				p.cut.Store(false)
				return // committed, and nobody hears of it
			}
			continue
		}
		if _, err := client.Write(buffer[:n]); err != nil {
			return
		}
	}
}

func TestATestOfTheUnitCanSeeItsCrashPoints(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var seen []string
	w := ledgertest.New(t, ledgertest.WithLedger(ledger.WithHook(func(point string) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, point)
	})))
	mu.Lock()
	seen = nil
	mu.Unlock()
	w.Reserved("order-1", "1")
	if fmt.Sprint(seen) != "[reserve.before_commit reserve.after_commit]" {
		t.Errorf("points %v", seen)
	}
}
