package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// lanesCmd is the operator's view of the signers; `starter signer` adds them.
type lanesCmd struct {
	List     lanesListCmd     `cmd:"" default:"1" help:"Show every lane: state, key, nonces, age of the oldest, funds, foreign use."`
	Report   lanesReportCmd   `cmd:"" help:"Tell everything about a lane: who used its key, which settlements lost a nonce and what became of them, what was done."`
	Freeze   lanesFreezeCmd   `cmd:"" help:"Give the lane no nonce any more, at once. What is out stays supervised."`
	Drain    lanesDrainCmd    `cmd:"" help:"The same, before the lane is removed."`
	Thaw     lanesThawCmd     `cmd:"" help:"Use a frozen lane again."`
	Activate lanesActivateCmd `cmd:"" help:"Use a lane again that drains or was removed."`
	Remove   lanesRemoveCmd   `cmd:"" help:"End the use of a lane of which no nonce is out. Its signer stays watched."`
}

// laneRow is a lane as scripts see it.
type laneRow struct {
	signerRow
	MinedNonce   uint64            `json:"mined_nonce"` // the chain's count at the last block
	Granted      int               `json:"granted"`     // slots promised to settlements in the queue; they count as in flight
	Live         int               `json:"live"`        // nonces that no final block has consumed
	HeadOfLine   float64           `json:"head_of_line_seconds"`
	Committed    settlement.Amount `json:"committed_wei"` // what its unmined transactions may cost at most
	Unsigned     *time.Time        `json:"unsigned_since"`
	Foreign      int               `json:"foreign_transactions"`
	ForeignOpen  int               `json:"foreign_open"` // of which it is in doubt what they do to us
	headOfLineIs time.Duration
}

func viewLane(r ledger.LaneReport) laneRow {
	row := laneRow{signerRow: viewSigner(r.Lane), MinedNonce: r.MinedNonce, Granted: r.Granted, Live: r.Live, HeadOfLine: r.HeadOfLine.Seconds(),
		Committed: r.Committed, Unsigned: r.UnsignedSince, Foreign: len(r.Foreign), headOfLineIs: r.HeadOfLine.Round(time.Second)}
	for _, f := range r.Foreign {
		if f.Open() {
			row.ForeignOpen++
		}
	}
	return row
}

func (r laneRow) state() string { return strings.TrimSuffix(r.State+": "+r.StateReason, ": ") }

func (r laneRow) key() string {
	if r.Unsigned != nil {
		return r.Custody + ", unsigned since " + r.Unsigned.UTC().Format(time.RFC3339)
	}
	return strings.TrimSuffix(r.Custody+", "+strings.TrimPrefix(r.signerRow.key(), "yes"), ", ")
}

func (r laneRow) inFlight() string {
	return fmt.Sprintf("%d of %d, %d granted", r.InFlight, r.InFlightMax, r.Granted)
}

func (r laneRow) foreign() string {
	switch {
	case r.Foreign == 0:
		return "none"
	case r.ForeignOpen > 0:
		return fmt.Sprintf("%d, %d in doubt", r.Foreign, r.ForeignOpen)
	}
	return fmt.Sprint(r.Foreign)
}

type lanesListCmd struct{}

func (c *lanesListCmd) Run(ctx context.Context, s *session) error {
	l, err := s.ledger(ctx)
	if err != nil {
		return err
	}
	reports, err := l.LaneReports(ctx, 0)
	if err != nil {
		return err
	}
	header := []string{"SIGNER", "CHAIN", "STATE", "KEY", "OPERATOR", "NEXT", "MINED", "IN FLIGHT", "OLDEST", "BALANCE", "COMMITTED", "FOREIGN"}
	return rows(s.out, views(reports, viewLane), header, func(r laneRow) []string {
		return []string{r.Signer, fmt.Sprint(r.ChainID), r.state(), r.key(), r.operator(), fmt.Sprint(r.NextNonce), fmt.Sprint(r.MinedNonce), r.inFlight(),
			r.headOfLineIs.String(), r.Balance.Units(coinDecimals), r.Committed.Units(coinDecimals), r.foreign()}
	})
}

// lane finds the one lane of a signer, on the configured chain if there is one.
func (s *session) lane(ctx context.Context, text string) (ledger.LaneReport, error) {
	signer, err := settlement.ParseAddress("signer", text)
	if err != nil {
		return ledger.LaneReport{}, err
	}
	l, err := s.ledger(ctx)
	if err != nil {
		return ledger.LaneReport{}, err
	}
	reports, err := l.LaneReports(ctx, s.config.ChainID)
	if err != nil {
		return ledger.LaneReport{}, err
	}
	var found []ledger.LaneReport
	for _, r := range reports {
		if r.Signer == signer {
			found = append(found, r)
		}
	}
	switch len(found) {
	case 0:
		return ledger.LaneReport{}, settlement.Invalidf("signer", "has no lane: %s", signer)
	case 1:
		return found[0], nil
	}
	return ledger.LaneReport{}, settlement.Invalidf("CHAIN_ID", "must say which chain: %s has %d lanes", signer, len(found))
}

type lanesReportCmd struct {
	Signer string `arg:"" help:"The lane's signer." placeholder:"0x…"`
}

// laneReportView is a lane's whole report.
type laneReportView struct {
	laneRow
	ForeignUse []ledger.Foreign      `json:"foreign"`
	Journal    []ledger.JournalEntry `json:"journal"`
}

func (c *lanesReportCmd) Run(ctx context.Context, s *session) error {
	report, err := s.lane(ctx, c.Signer)
	if err != nil {
		return err
	}
	journal, err := s.books.LaneJournal(ctx, report.Signer)
	if err != nil {
		return err
	}
	v := laneReportView{viewLane(report), report.Foreign, journal}
	if err := s.out.one(v, v.pairs()...); err != nil || s.out.json {
		return err
	}
	if len(v.ForeignUse) > 0 {
		fmt.Fprintf(s.out.w, "\nforeign transactions: %d\n", len(v.ForeignUse))
		header := []string{"NONCE", "TX", "BLOCK", "STATE", "TO", "VALUE", "OUR NONCE", "LOST BY"}
		if err := rows(s.out, v.ForeignUse, header, foreignColumns); err != nil {
			return err
		}
	}
	fmt.Fprintln(s.out.w, "\nwhat was done and found")
	return rows(s.out, journal, []string{"AT", "WHO", "WHAT", "WHY"}, func(e ledger.JournalEntry) []string {
		return []string{e.At.UTC().Format(time.RFC3339), e.Actor, e.Action, why(e)}
	})
}

func (v laneReportView) pairs() [][2]string {
	return [][2]string{{"signer", v.Signer}, {"chain", fmt.Sprint(v.ChainID)}, {"state", v.state()}, {"key", v.key()}, {"operator", v.operator()},
		{"next nonce", fmt.Sprint(v.NextNonce)}, {"mined nonce", fmt.Sprint(v.MinedNonce)}, {"in flight", v.inFlight()}, {"not final", fmt.Sprint(v.Live)},
		{"oldest", v.headOfLineIs.String()}, {"balance", v.Balance.Units(coinDecimals)}, {"committed", v.Committed.Units(coinDecimals)}, {"foreign use", v.foreign()}}
}

func foreignColumns(f ledger.Foreign) []string {
	to, ours := "a new contract", "no"
	if f.To != nil {
		to = f.To.Hex()
	}
	if f.Ours != "" {
		ours = "yes, " + string(f.Ours)
	}
	if f.InHand {
		ours += ", not given up by proof yet"
	}
	var lost []string
	for _, s := range f.Losers {
		key := settlement.Key{Tenant: s.Tenant, Value: s.Key}.Canonical()
		lost = append(lost, strings.TrimSuffix(fmt.Sprintf("%s: %s, %s", key, s.State, s.Reason), ", "))
	}
	return []string{fmt.Sprint(f.Nonce), f.Hash.Hex(), fmt.Sprint(f.Block), string(f.State), to, f.Value.Units(coinDecimals), ours, strings.Join(lost, "; ")}
}

// why is what a journal entry says of itself: an operator's reason, or the transaction that was found.
func why(e ledger.JournalEntry) string {
	for _, field := range []string{"why", "tx_hash"} {
		if text, ok := e.Details[field].(string); ok {
			return text
		}
	}
	return ""
}

// laneMoveCmd is what an operator says when he moves a lane.
type laneMoveCmd struct {
	operator
	Signer string `arg:"" help:"The lane's signer." placeholder:"0x…"`
	Reason string `required:"" help:"Why, for the record."`
}

// seenFlag is for moves after which a key that somebody else may have is used again.
type seenFlag struct {
	Acknowledge *int `help:"How many foreign transactions 'lanes report' shows. Needed while one of them is not final, or what it took is not given up by proof." placeholder:"N"`
}

type (
	lanesFreezeCmd struct{ laneMoveCmd }
	lanesDrainCmd  struct{ laneMoveCmd }
	lanesRemoveCmd struct{ laneMoveCmd }
	lanesThawCmd   struct {
		laneMoveCmd
		seenFlag
	}
	lanesActivateCmd struct {
		laneMoveCmd
		seenFlag
	}
)

type laneMover func(l *ledger.Ledger, ctx context.Context, m ledger.LaneMove) (bool, error)

func (c *lanesFreezeCmd) Run(ctx context.Context, s *session) error {
	return c.move(ctx, s, (*ledger.Ledger).FreezeLane, nil)
}
func (c *lanesDrainCmd) Run(ctx context.Context, s *session) error {
	return c.move(ctx, s, (*ledger.Ledger).DrainLane, nil)
}
func (c *lanesRemoveCmd) Run(ctx context.Context, s *session) error {
	return c.move(ctx, s, (*ledger.Ledger).RemoveLane, nil)
}
func (c *lanesThawCmd) Run(ctx context.Context, s *session) error {
	return c.move(ctx, s, (*ledger.Ledger).ThawLane, c.Acknowledge)
}
func (c *lanesActivateCmd) Run(ctx context.Context, s *session) error {
	return c.move(ctx, s, (*ledger.Ledger).ActivateLane, c.Acknowledge)
}

// move acts and shows the lane as it is afterwards. A lane that was in that state already is shown, and nothing is written.
func (c *laneMoveCmd) move(ctx context.Context, s *session, move laneMover, seen *int) error {
	if strings.TrimSpace(c.Reason) == "" {
		return settlement.Invalidf("reason", "must not be empty")
	}
	lane, err := s.lane(ctx, c.Signer)
	if err != nil {
		return err
	}
	return moveLane(ctx, s, lane.ChainID, lane.Signer, move, ledger.LaneMove{Actor: c.name(), Why: c.Reason, Seen: seen})
}

func moveLane(ctx context.Context, s *session, chainID uint64, signer common.Address, move laneMover, m ledger.LaneMove) error {
	m.ChainID, m.Signer = chainID, signer
	changed, err := move(s.books, ctx, m)
	if err != nil {
		return err
	}
	after, err := s.lane(ctx, signer.Hex())
	if err != nil {
		return err
	}
	row := struct {
		laneRow
		Changed bool `json:"changed"` // false: it was so already, and nothing was written
	}{viewLane(after), changed}
	return s.out.one(row, [2]string{"signer", row.Signer}, [2]string{"chain", fmt.Sprint(row.ChainID)}, [2]string{"state", row.state()},
		[2]string{"not final", fmt.Sprint(row.Live)}, [2]string{"changed", yesNo(changed)})
}

func yesNo(changed bool) string {
	if changed {
		return "yes"
	}
	return "no: it was so already, nothing was written"
}
