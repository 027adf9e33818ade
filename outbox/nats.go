package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/quittance/quittance/settlement"
)

// NATS publishes CloudEvents to a JetStream stream; the subject is SubjectPrefix plus the event's type. The event id is
// the message id, so the server drops copies within its window: that saves work, it is no promise. Consumers deduplicate.
type NATS struct {
	conn   *nats.Conn
	js     jetstream.JetStream
	addr   string // for error messages: without a password
	stream string
	prefix string
	log    *slog.Logger
	ready  bool // the stream was seen on this connection's server; only the relay's goroutine looks
}

// NATSConfig names the stream. Zero fields take the defaults.
type NATSConfig struct {
	URL           string
	Stream        string // QUITTANCE
	SubjectPrefix string // "quittance."; the stream takes all subjects below it
	Log           *slog.Logger
}

// What a stream gets that this sink has to create. An operator may create it before, with other settings.
const (
	natsRetention = 7 * 24 * time.Hour // how long a consumer may be away
	// natsDuplicates covers a relay that was killed between publishing and marking, and its restart.
	natsDuplicates = 10 * time.Minute
	natsConnect    = 5 * time.Second
	natsAwaitPoll  = 100 * time.Millisecond
)

// NewNATS does not need the server to be there: while it is away, Publish answers Down, and the client connects by itself
// when it comes back.
func NewNATS(cfg NATSConfig) (*NATS, error) {
	if cfg.Stream == "" {
		cfg.Stream = "QUITTANCE"
	}
	if cfg.SubjectPrefix == "" {
		cfg.SubjectPrefix = "quittance."
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	addr := redacted(cfg.URL)
	conn, err := nats.Connect(cfg.URL,
		nats.Name("quittance relay"), nats.Timeout(natsConnect),
		nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.ReconnectWait(250*time.Millisecond),
		// Nothing is kept for a later connection: a row must not be sent after its lease ran out.
		nats.ReconnectBufSize(-1))
	if err != nil {
		return nil, fmt.Errorf("connect to nats at %s: %w", addr, err)
	}
	js, err := jetstream.New(conn, jetstream.WithPublishAsyncMaxPending(4096), jetstream.WithPublishAsyncTimeout(time.Minute))
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("use jetstream at %s: %w", addr, err)
	}
	return &NATS{conn: conn, js: js, addr: addr, stream: cfg.Stream, prefix: cfg.SubjectPrefix, log: cfg.Log}, nil
}

func redacted(urls string) string {
	var out []string
	for _, raw := range strings.Split(urls, ",") {
		u, err := url.Parse(strings.TrimSpace(raw))
		if err != nil {
			return "an address that cannot be parsed"
		}
		out = append(out, u.Redacted())
	}
	return strings.Join(out, ",")
}

// Close ends the connection. Publish must not run any more.
func (s *NATS) Close() { s.conn.Close() }

// Destination is "nats".
func (s *NATS) Destination() string { return settlement.DestinationNATS }

// Address names the servers for error messages, without a password.
func (s *NATS) Address() string { return s.addr }

// Await waits for the first connection, until the context ends: the connection is made in the background.
func (s *NATS) Await(ctx context.Context) error {
	for {
		err := s.Ping(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(natsAwaitPoll):
		}
	}
}

// Ping says whether the server answers.
func (s *NATS) Ping(ctx context.Context) error {
	if !s.conn.IsConnected() {
		return fmt.Errorf("nats at %s: %s", s.addr, s.conn.Status())
	}
	return s.conn.FlushWithContext(ctx)
}

// Publish sends all rows, then waits for the server's answers: one round trip for the batch.
func (s *NATS) Publish(ctx context.Context, rows []settlement.OutboxRow) []error {
	errs := make([]error, len(rows))
	if err := s.ensure(ctx); err != nil {
		for i := range errs {
			errs[i] = Down(err)
		}
		return errs
	}
	acks := make([]jetstream.PubAckFuture, len(rows))
	for i, row := range rows {
		acks[i], errs[i] = s.send(row)
	}
	for i, ack := range acks {
		if errs[i] == nil {
			errs[i] = s.await(ctx, ack)
		}
	}
	return errs
}

func (s *NATS) send(row settlement.OutboxRow) (jetstream.PubAckFuture, error) {
	e, err := Envelope(row)
	if err != nil {
		return nil, Permanent(err)
	}
	data, err := json.Marshal(e)
	if err != nil {
		return nil, Permanent(fmt.Errorf("encode event %s: %w", row.EventID, err))
	}
	msg := nats.NewMsg(s.prefix + row.Type)
	msg.Header.Set("Content-Type", "application/cloudevents+json")
	msg.Data = data
	ack, err := s.js.PublishMsgAsync(msg, jetstream.WithMsgID(e.ID()), jetstream.WithExpectStream(s.stream), jetstream.WithRetryAttempts(0))
	if err != nil {
		return nil, s.classify(err)
	}
	return ack, nil
}

// await takes a reported duplicate as success: an earlier attempt arrived.
func (s *NATS) await(ctx context.Context, ack jetstream.PubAckFuture) error {
	select {
	case <-ack.Ok():
		return nil
	case err := <-ack.Err():
		return s.classify(err)
	case <-ctx.Done():
		return s.classify(fmt.Errorf("no acknowledgement: %w", ctx.Err()))
	}
}

// classify: what the server says about one message is the row's; whatever else goes wrong concerns every row.
func (s *NATS) classify(err error) error {
	var refusal *jetstream.APIError
	switch {
	case errors.Is(err, nats.ErrMaxPayload), errors.Is(err, nats.ErrBadSubject), errors.Is(err, jetstream.ErrInvalidSubject),
		errors.Is(err, jetstream.ErrStreamMessageExceedsMaximum), errors.Is(err, jetstream.ErrMaxBytesExceeded):
		return Permanent(err)
	case errors.As(err, &refusal) && refusal.Code == 400:
		return err // of this message, perhaps: "down" would stop every other row with it
	case errors.Is(err, context.DeadlineExceeded):
		return err // the relay decides: one row or all of them
	}
	s.ready = false
	return Down(err)
}

// ensure creates the stream if it is missing, also after the server has lost it.
func (s *NATS) ensure(ctx context.Context) error {
	if !s.conn.IsConnected() {
		return fmt.Errorf("nats at %s: %s", s.addr, s.conn.Status())
	}
	if s.ready {
		return nil
	}
	stream, err := s.js.Stream(ctx, s.stream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		stream, err = s.js.CreateStream(ctx, s.streamConfig())
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // another relay was first
			stream, err = s.js.Stream(ctx, s.stream)
		}
	}
	if err != nil {
		return fmt.Errorf("stream %s at %s: %w", s.stream, s.addr, err)
	}
	s.warn(stream.CachedInfo().Config)
	s.ready = true
	return nil
}

func (s *NATS) streamConfig() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name:        s.stream,
		Description: "events of settlements and accounts, as CloudEvents",
		Subjects:    []string{s.prefix + ">"},
		Storage:     jetstream.FileStorage,
		Retention:   jetstream.LimitsPolicy,
		MaxAge:      natsRetention,
		Duplicates:  natsDuplicates,
		Discard:     jetstream.DiscardOld,
	}
}

// warn tells an operator what a stream of his own making gives up.
func (s *NATS) warn(cfg jetstream.StreamConfig) {
	if cfg.Storage != jetstream.FileStorage {
		s.log.Warn("stream keeps events in memory only: a restart of the broker loses them", "stream", s.stream)
	}
	if cfg.Duplicates < time.Minute {
		s.log.Warn("stream's window for duplicates is short: consumers see more copies", "stream", s.stream, "window", cfg.Duplicates)
	}
}
