package cli

import (
	"context"
	"os/user"
	"strconv"
	"time"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// outboxCmd is for whoever has to decide about events that a destination does not take. What it changes it records, with
// the name of the person.
type outboxCmd struct {
	Parked    outboxParkedCmd    `cmd:"" help:"List the streams that wait for an operator."`
	List      outboxListCmd      `cmd:"" help:"List events on their way, oldest first."`
	Retry     outboxRetryCmd     `cmd:"" help:"Let a parked stream go on, with the event that parked it."`
	Skip      outboxSkipCmd      `cmd:"" help:"Give up the event that parked a stream and let the stream go on behind it."`
	Redeliver outboxRedeliverCmd `cmd:"" help:"Publish again what was published in a span of time, after a broker lost it."`
}

// operator is who acts, for the journal.
type operator struct {
	Actor string `help:"Who acts; by default the user of this machine."`
}

func (o operator) name() string {
	if o.Actor != "" {
		return o.Actor
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "unknown"
}

type outboxParkedCmd struct {
	Limit int `default:"100" help:"At most so many."`
}

type parkedJSON struct {
	Destination string    `json:"destination"`
	Stream      string    `json:"stream"`
	ParkedAt    time.Time `json:"parked_at"`
	Reason      string    `json:"reason"`
	Backlog     int64     `json:"backlog"`
	Event       eventJSON `json:"event"`
}

func (c *outboxParkedCmd) Run(ctx context.Context, s *session) error {
	l, err := s.ledger(ctx)
	if err != nil {
		return err
	}
	parked, err := l.ParkedStreams(ctx, c.Limit)
	if err != nil {
		return err
	}
	var list []parkedJSON
	for _, p := range parked {
		list = append(list, parkedJSON{p.Destination, p.Stream, p.ParkedAt.UTC(), p.Reason, p.Backlog, asEvent(*p.Head)})
	}
	return rows(s.out, list, []string{"DESTINATION", "STREAM", "PARKED", "BACKLOG", "REASON"}, func(p parkedJSON) []string {
		return []string{p.Destination, p.Stream, p.ParkedAt.Format(time.DateTime), strconv.FormatInt(p.Backlog, 10), p.Reason}
	})
}

type outboxListCmd struct {
	Destination string `help:"Only this destination."`
	Stream      string `help:"Only this stream, such as settlement/KEY."`
	All         bool   `help:"Published ones too, as long as they are kept."`
	Failing     bool   `help:"Only those that a destination has refused."`
	After       int64  `help:"Go on behind this id."`
	Limit       int    `default:"100" help:"At most so many."`
}

type eventJSON struct {
	ID            int64      `json:"id"`
	EventID       string     `json:"event_id"`
	Destination   string     `json:"destination"`
	Stream        string     `json:"stream"`
	Sequence      int64      `json:"sequence"`
	Type          string     `json:"type"`
	Retries       int        `json:"retries"`
	NextAttemptAt time.Time  `json:"next_attempt_at"`
	PublishedAt   *time.Time `json:"published_at,omitempty"`
	SkippedAt     *time.Time `json:"skipped_at,omitempty"`
	LastError     *string    `json:"last_error,omitempty"`
}

func asEvent(e ledger.OutboxEntry) eventJSON {
	return eventJSON{e.ID, e.EventID.Hex(), e.Destination, e.Stream, e.Seq, e.Type, e.Retries, e.NextAttemptAt.UTC(), e.PublishedAt, e.SkippedAt, e.LastError}
}

func (e eventJSON) state() string {
	switch {
	case e.PublishedAt != nil:
		return "published"
	case e.SkippedAt != nil:
		return "skipped"
	case e.LastError != nil:
		return "failing: " + *e.LastError
	}
	return "pending"
}

func (c *outboxListCmd) Run(ctx context.Context, s *session) error {
	l, err := s.ledger(ctx)
	if err != nil {
		return err
	}
	filter := ledger.OutboxFilter{Destination: c.Destination, Stream: c.Stream, Pending: !c.All, Failing: c.Failing}
	entries, err := l.OutboxRows(ctx, filter, c.After, c.Limit)
	if err != nil {
		return err
	}
	var list []eventJSON
	for _, e := range entries {
		list = append(list, asEvent(e))
	}
	return rows(s.out, list, []string{"ID", "DESTINATION", "STREAM", "SEQUENCE", "TYPE", "RETRIES", "STATE"}, func(e eventJSON) []string {
		return []string{strconv.FormatInt(e.ID, 10), e.Destination, e.Stream, strconv.FormatInt(e.Sequence, 10), e.Type, strconv.Itoa(e.Retries), e.state()}
	})
}

// parkedStream names what an operator decides about.
type parkedStream struct {
	Stream      string `arg:"" help:"As outbox parked shows it."`
	Destination string `default:"nats" help:"Where it is parked."`
	operator
}

func (p parkedStream) decided(what string) (map[string]any, [][2]string) {
	return map[string]any{"stream": p.Stream, "destination": p.Destination, "decision": what},
		[][2]string{{"stream", p.Stream}, {"destination", p.Destination}, {"decision", what}}
}

type outboxRetryCmd struct{ parkedStream }

func (c *outboxRetryCmd) Run(ctx context.Context, s *session) error {
	l, err := s.ledger(ctx)
	if err != nil {
		return err
	}
	if err := l.Unpark(ctx, c.name(), c.Stream, c.Destination); err != nil {
		return err
	}
	object, lines := c.decided("retry")
	return s.out.one(object, lines...)
}

type outboxSkipCmd struct{ parkedStream }

func (c *outboxSkipCmd) Run(ctx context.Context, s *session) error {
	l, err := s.ledger(ctx)
	if err != nil {
		return err
	}
	skipped, err := l.SkipParked(ctx, c.name(), c.Stream, c.Destination)
	if err != nil {
		return err
	}
	object, lines := c.decided("skip")
	object["event_id"] = skipped.EventID.Hex()
	return s.out.one(object, append(lines, [2]string{"event", skipped.EventID.Hex()})...)
}

type outboxRedeliverCmd struct {
	Destination string    `default:"nats" help:"Where to."`
	From        time.Time `required:"" help:"Published at or after this time, as 2026-11-29T12:00:00Z."`
	Until       time.Time `required:"" help:"Published before this time."`
	operator
}

const redeliverBatch = 1000

// Run may be interrupted and repeated with the same times: what it has marked already will be published after them.
func (c *outboxRedeliverCmd) Run(ctx context.Context, s *session) error {
	if !c.From.Before(c.Until) {
		return settlement.Invalidf("until", "must be after from")
	}
	if !c.Until.Before(time.Now()) {
		return settlement.Invalidf("until", "must lie in the past")
	}
	l, err := s.ledger(ctx)
	if err != nil {
		return err
	}
	for total := 0; ; {
		n, err := l.Redeliver(ctx, c.name(), c.Destination, c.From, c.Until, redeliverBatch)
		if err != nil {
			return err
		}
		if total += n; n < redeliverBatch {
			return s.out.one(map[string]any{"destination": c.Destination, "events": total},
				[2]string{"destination", c.Destination}, [2]string{"events", strconv.Itoa(total)})
		}
	}
}
