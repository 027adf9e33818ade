package app_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/internal/app/apptest"
	"github.com/quittance/quittance/internal/cli"
	"github.com/quittance/quittance/internal/devstack"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// starter runs the CLI in the world's environment and returns what it printed.
func starter(w *apptest.World, args ...string) (code int, stdout, stderr string) {
	w.T.Helper()
	var out, errs bytes.Buffer
	code = cli.Run(w.T.Context(), args, w.Environ(), strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

func move(w *apptest.World, to func(context.Context, ledger.LaneMove) (bool, error), signer common.Address, why string) {
	w.T.Helper()
	_, err := to(w.T.Context(), ledger.LaneMove{ChainID: w.Site.ChainID, Signer: signer, Actor: "olga", Why: why})
	w.Must(err)
}

// alone freezes every lane but one.
func alone(w *apptest.World, but common.Address) {
	w.T.Helper()
	for _, signer := range w.Keys.Signers {
		if signer != but {
			move(w, w.Ledger.FreezeLane, signer, "the test is about another lane")
		}
	}
}

func laneOf(w *apptest.World, signer common.Address) ledger.Lane {
	w.T.Helper()
	lanes, err := w.Ledger.Lanes(w.T.Context(), w.Site.ChainID)
	w.Must(err)
	for _, lane := range lanes {
		if lane.Signer == signer {
			return lane
		}
	}
	w.T.Fatalf("no lane of %s", signer)
	return ledger.Lane{}
}

func TestARemoteLaneSettlesThroughARealClefThatRefusesGoesAwayAndComesBack(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	clef, signer := w.RemoteSigner()
	env := []string{"REMOTE_SIGNER_URL=" + clef.URL}
	w.WorkerOf(env...)
	w.ListenerOf(env...)
	w.Relay()
	w.Deposit(apptest.Alice, "100")

	code, stdout, stderr := starter(w, "-o", "json", "signer", "add", signer.Hex(), "--custody", "remote")
	if code != 0 || !strings.Contains(stdout, `"custody":"remote"`) {
		t.Fatalf("signer add: %d %s %s", code, stdout, stderr)
	}
	local := w.Keys.Signers[0]
	alone(w, signer)
	w.Start(w.Request("signed", apptest.Alice, "10"))
	s := w.Await("signed", settlement.Settled)
	if n := len(mustStory(w, "signed")); n != 1 {
		t.Errorf("%d attempts", n)
	}
	if s.TxHash == nil || w.Received("signed").Sign() == 0 {
		t.Errorf("%+v", s.Snapshot())
	}

	// The rules say no to one payment: its nonce waits, and can only be cancelled.
	payee := strings.TrimPrefix(strings.ToLower(apptest.Payee("refused").Hex()), "0x")
	no := `function ApproveTx(r) { return (r.transaction.input || r.transaction.data || "").indexOf("` + payee + `") >= 0 ? "Reject" : "Approve" }`
	w.Must(errors.Join(clef.Stop(t.Context()), clef.SetRules(no), clef.Start(t.Context())))
	w.Eventually("the lane's key is there again", func() bool { return !laneOf(w, signer).Keyless })
	w.Start(w.Request("refused", apptest.Alice, "10"))
	w.Eventually("the payment is owed", func() bool {
		owed, err := w.Ledger.Unsigned(t.Context(), w.Site.ChainID)
		w.Must(err)
		return len(owed) == 1 && owed[0].Key == w.Key("refused")
	})
	move(w, w.Ledger.ThawLane, local, "another lane goes on")
	w.Start(w.Request("elsewhere", apptest.Alice, "10"))
	w.Start(w.Request("elsewhere-too", apptest.Alice, "10"))
	ask(w, "refused", settlement.WishCancel)
	w.Await("refused", settlement.Cancelled)
	w.Await("elsewhere", settlement.Settled)
	w.Await("elsewhere-too", settlement.Settled)
	if w.Received("refused").Sign() != 0 {
		t.Error("what the signer refused was paid")
	}
	move(w, w.Ledger.FreezeLane, local, "the test is about another lane")

	// Away: nothing new is given to the lane, and what waits goes on when it is back.
	w.Must(clef.Kill())
	w.Eventually("the lane is known to be without its signer", func() bool { return laneOf(w, signer).Keyless })
	w.Start(w.Request("later", apptest.Alice, "10")) // the worker may not know yet: then its nonce waits for the signer
	w.Await("later", settlement.Queued, settlement.Waiting, settlement.Submitted)
	head, err := w.Ledger.Head(t.Context(), w.Site.ChainID)
	w.Must(err)
	w.Eventually("some blocks later everybody knows", func() bool {
		now, err := w.Ledger.Head(t.Context(), w.Site.ChainID)
		w.Must(err)
		return now.Number > head.Number+4
	})
	w.Start(w.Request("later-too", apptest.Alice, "10"))
	w.Await("later-too", settlement.Queued, settlement.Waiting)
	w.Must(errors.Join(clef.SetRules(devstack.ClefApproveAll), clef.Start(t.Context())))
	w.Await("later", settlement.Settled)
	w.Await("later-too", settlement.Settled)
	w.Holds()
}

// mustStory lists the hashes of a settlement's attempts.
func mustStory(w *apptest.World, name string) (hashes []common.Hash) {
	w.T.Helper()
	rows, err := w.SQL.Query(w.T.Context(), `SELECT a.hash FROM attempts a JOIN transaction_items i USING (transaction_id) JOIN settlements s ON s.id = i.settlement_id WHERE s.key = $1`, w.Key(name).Value)
	w.Must(err)
	defer rows.Close()
	for rows.Next() {
		var hash []byte
		w.Must(rows.Scan(&hash))
		hashes = append(hashes, common.BytesToHash(hash))
	}
	w.Must(rows.Err())
	return hashes
}

func TestAKeyFileThatAppearsLaterIsUsedWithoutARestart(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{})
	env := []string{"KEYSTORE_REREAD_INTERVAL=200ms"}
	w.WorkerOf(env...)
	w.ListenerOf(env...)
	w.Relay()
	w.Deposit(apptest.Alice, "100")
	password, err := os.ReadFile(w.Keys.PasswordFile)
	w.Must(err)
	w.Must(os.WriteFile(w.Keys.KeystoreDir+"/half-copied.json", []byte(`{"address":"`), 0o600))
	elsewhere := t.TempDir()
	signer := w.NewKeyFile(elsewhere, strings.TrimSpace(string(password)))
	w.Operate(signer)
	if code, _, stderr := starter(w, "signer", "add", signer.Hex()); code != 0 {
		t.Fatalf("signer add: %d %s", code, stderr)
	}
	w.Eventually("the listener says that the key is missing", func() bool { return laneOf(w, signer).Keyless })
	content, err := os.ReadFile(elsewhere + "/" + signer.Hex() + ".json")
	w.Must(err)
	w.Must(os.WriteFile(w.Keys.KeystoreDir+"/late.json", content, 0o600))
	w.Eventually("the listener found the key", func() bool { return !laneOf(w, signer).Keyless })
	alone(w, signer)
	w.Start(w.Request("late", apptest.Alice, "10"))
	w.Await("late", settlement.Settled)
}
