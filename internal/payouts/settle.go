package payouts

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/quittance/quittance/internal/intake"
	"github.com/quittance/quittance/settlement"
)

// Options bound one import.
type Options struct {
	AtOnce   int             // submissions at once
	Wait     bool            // for the ends, not only for acceptance
	Progress func(ended int) // told how many lines' settlements have ended, or were accepted without Wait; may be nil
}

const (
	atOnceDefault = 32
	openMax       = 2000 // submitted and not ended: what a poll must read, and what Temporal holds at once
	readPage      = 500
	pollMin       = 200 * time.Millisecond
	pollMax       = 2 * time.Second
	retryPause    = time.Second // after Temporal or Postgres did not answer
)

// Trouble is one line that did not do what its writer expected.
type Trouble struct {
	Line   int      `json:"line"`
	Key    string   `json:"key"`
	Fields []string `json:"fields,omitempty"` // of a conflict: which differ
	Reason string   `json:"reason,omitempty"`
}

// Summary is what became of a file.
type Summary struct {
	Lines       int       `json:"lines"`
	Settlements int       `json:"settlements"` // keys without a conflict of their first line
	Duplicates  int       `json:"duplicates"`  // lines that repeat an earlier line of the file
	Settled     int       `json:"settled"`
	Accepted    int       `json:"accepted"` // not waited for
	Conflicts   []Trouble `json:"conflicts"`
	NotSettled  []Trouble `json:"not_settled"`
	Unknown     []Trouble `json:"unknown"`
}

// group is the lines of one key, in file order.
type group struct {
	lines     []Line
	requestID string // of the run that the first line started
	state     settlement.State
	reason    string
	accepted  bool
	refused   bool // the first line is a conflict
	troubles  []Trouble
	problem   error
}

// Settle submits the lines and waits for their ends. Lines of one key go one after the other, equal ones are one settlement,
// a different later one is a conflict; keys go side by side. When the context ends it returns what is known by then. It may be
// run again at any time with the same file: nothing is paid twice.
func Settle(ctx context.Context, in *intake.Intake, lines []Line, o Options) Summary {
	if o.AtOnce == 0 {
		o.AtOnce = atOnceDefault
	}
	if o.Progress == nil {
		o.Progress = func(int) {}
	}
	groups := byKey(lines)
	collected := make(chan struct{})
	submitting, submitted := context.WithCancel(ctx)
	watch := &watcher{in: in, options: o, slots: make(chan struct{}, openMax)}
	go func() {
		defer close(collected)
		watch.run(ctx, submitting.Done())
	}()
	var workers errgroup.Group
	workers.SetLimit(o.AtOnce)
	for _, g := range groups {
		if !watch.enter(ctx) {
			break
		}
		workers.Go(func() error {
			submitGroup(ctx, in, g)
			watch.add(g)
			return nil
		})
	}
	_ = workers.Wait() // workers keep their errors in their groups
	submitted()
	<-collected
	return summarize(lines, groups, o)
}

// byKey keeps the order of first appearance.
func byKey(lines []Line) []*group {
	index := make(map[settlement.Key]*group, len(lines))
	groups := make([]*group, 0, len(lines))
	for _, l := range lines {
		g, found := index[l.Request.Key]
		if !found {
			g = &group{}
			index[l.Request.Key] = g
			groups = append(groups, g)
		}
		g.lines = append(g.lines, l)
	}
	return groups
}

// submitGroup starts the first line and, once that is accepted, asks for each further one.
func submitGroup(ctx context.Context, in *intake.Intake, g *group) {
	first := g.lines[0]
	for {
		id, answer, err := in.Begin(ctx, first.Request)
		if err == nil && answer == nil && len(g.lines) > 1 { // the next lines need its row
			var accepted intake.Answer
			accepted, err = in.Accepted(ctx, first.Request, id)
			answer = &accepted
		}
		switch {
		case err == nil:
			g.requestID = id
			if answer != nil {
				g.see(answer.Settlement)
			}
		case settlement.KindOf(err) == settlement.Conflict:
			g.refused = true
			g.conflict(first, err)
		case retryable(err) && pause(ctx, retryPause):
			continue
		default:
			g.problem = err
			return
		}
		break
	}
	for _, l := range g.lines[1:] {
		if err := again(ctx, in, l); settlement.KindOf(err) == settlement.Conflict {
			g.conflict(l, err)
		} else if err != nil {
			g.problem = err
			return
		}
	}
}

// again asks for a later line of a key until it is answered.
func again(ctx context.Context, in *intake.Intake, l Line) error {
	for {
		_, err := in.Submit(ctx, l.Request)
		if err != nil && retryable(err) && pause(ctx, retryPause) {
			continue
		}
		return err
	}
}

func retryable(err error) bool {
	switch settlement.KindOf(err) {
	case settlement.Unknown, settlement.Transient:
		return true
	case settlement.Invalid, settlement.Conflict, settlement.NotFound, settlement.Rejected, settlement.Stale:
	}
	return false
}

// pause reports false if the context ended first.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

func (g *group) see(s settlement.Settlement) {
	g.accepted, g.state, g.reason = true, s.State, s.Reason
}

func (g *group) conflict(l Line, err error) {
	var known *settlement.Error
	errors.As(err, &known)
	g.troubles = append(g.troubles, Trouble{Line: l.Number, Key: l.Request.Key.Value, Fields: known.Fields})
}

func summarize(lines []Line, groups []*group, o Options) Summary {
	s := Summary{Lines: len(lines), Conflicts: []Trouble{}, NotSettled: []Trouble{}, Unknown: []Trouble{}}
	for _, g := range groups {
		s.Conflicts = append(s.Conflicts, g.troubles...)
		if g.refused {
			s.Duplicates += len(g.lines) - len(g.troubles)
			continue
		}
		s.Settlements++
		s.Duplicates += len(g.lines) - 1 - len(g.troubles)
		trouble := Trouble{Line: g.lines[0].Number, Key: g.lines[0].Request.Key.Value, Reason: g.reason}
		switch {
		case g.state == settlement.Settled:
			s.Settled++
		case g.state.Terminal():
			s.NotSettled = append(s.NotSettled, trouble)
		case g.accepted && !o.Wait:
			s.Accepted++
		default:
			switch {
			case g.problem != nil:
				trouble.Reason = g.problem.Error()
			case g.state != "":
				trouble.Reason = "still " + string(g.state)
			default:
				trouble.Reason = "not accepted yet"
			}
			s.Unknown = append(s.Unknown, trouble)
		}
	}
	return s
}
