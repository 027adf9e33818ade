package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/quittance/quittance/inbox"
)

const (
	ackWait    = 30 * time.Second // then the broker delivers again
	retryDelay = time.Second      // after our own database refused
	fetchWait  = 200 * time.Millisecond
)

// follow handles events until ctx ends or none came for the idle time.
func follow(ctx context.Context, o options, b *books, log *slog.Logger) error {
	conn, err := nats.Connect(o.nats, nats.Name("quittance example consumer"), nats.MaxReconnects(-1))
	if err != nil {
		return fmt.Errorf("connect to the broker: %w", err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return fmt.Errorf("use jetstream: %w", err)
	}
	consumer, err := subscribe(ctx, js, o, log)
	if err != nil {
		return fmt.Errorf("follow stream %s: %w", o.stream, err)
	}
	for last := time.Now(); ctx.Err() == nil && (o.idle == 0 || time.Since(last) < o.idle); {
		msg, err := consumer.Next(jetstream.FetchMaxWait(fetchWait))
		if errors.Is(err, nats.ErrTimeout) || errors.Is(err, jetstream.ErrNoMessages) {
			continue
		}
		if err != nil {
			log.Warn("no event could be fetched", "err", err)
			select { // the client connects again by itself
			case <-ctx.Done():
			case <-time.After(retryDelay):
			}
			continue
		}
		last = time.Now()
		answer(ctx, b, msg, log)
	}
	return nil
}

// answer acknowledges only what is committed. What can never be processed is not asked for again, but alarmed.
func answer(ctx context.Context, b *books, msg jetstream.Msg, log *slog.Logger) {
	var e event.Event
	err := json.Unmarshal(msg.Data(), &e)
	if err == nil {
		err = e.Validate()
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", errNoEvent, err)
	} else {
		err = b.count(ctx, e)
	}
	switch {
	case err == nil:
		err = msg.DoubleAck(ctx) // the broker confirms: a lost acknowledgement is only one more copy
	case errors.Is(err, inbox.ErrPayloadDiffers), errors.Is(err, errNoEvent):
		log.Error("ALARM", "subject", msg.Subject(), "event", e.ID(), "err", err)
		if err = b.alarm(ctx, e.ID(), err.Error()); err == nil {
			err = msg.Term()
		}
	}
	if err != nil && ctx.Err() == nil {
		log.Warn("event will come again", "event", e.ID(), "err", err)
		_ = msg.NakWithDelay(retryDelay) // if this is lost, AckWait brings the event back
	}
}

// subscribe waits for the stream: the relay makes it when it first publishes.
func subscribe(ctx context.Context, js jetstream.JetStream, o options, log *slog.Logger) (jetstream.Consumer, error) {
	for told := false; ; told = true {
		// Order matters within a stream of events only; one message at a time is the simplest way to keep it.
		consumer, err := js.CreateOrUpdateConsumer(ctx, o.stream, jetstream.ConsumerConfig{
			Durable: o.name, AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxDeliver: -1, MaxAckPending: 1,
		})
		if !errors.Is(err, jetstream.ErrStreamNotFound) {
			return consumer, err
		}
		if !told {
			log.Info("waiting for the stream", "stream", o.stream)
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(retryDelay):
		}
	}
}
