package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/quittance/quittance/internal/fleet"
	"github.com/quittance/quittance/outbox"
	"github.com/quittance/quittance/settlement"
)

// killRelay is the exercise this project exists for: the relay dies after the broker's acknowledgement and before the row is
// marked. It publishes again, and the consumer's effect happens once.
func (d *demo) killRelay(ctx context.Context) error {
	say("Killing the relay after the broker's acknowledgement and before the row is marked")
	point := outbox.CrashAfterPublish + "/" + settlement.DestinationNATS
	d.Stop("relay")
	if err := d.Start("relay", fleet.Armed(point)); err != nil {
		return err
	}
	var s settlement.Snapshot
	if _, err := d.Starter(ctx, &s, d.payment("relay", "bob", "2.5")...); err != nil {
		return err
	}
	if err := d.CrashesItself(ctx, "relay", point); err != nil {
		return err
	}
	db, err := pgx.Connect(ctx, d.world.Stack.DatabaseURL)
	if err != nil {
		return fmt.Errorf("look at the outbox: %w", err)
	}
	defer db.Close(context.WithoutCancel(ctx))
	var row int64
	var event []byte
	var kind string
	err = db.QueryRow(ctx, `SELECT id, event_id, type FROM outbox WHERE destination = $1 AND published_at IS NULL AND lease_token IS NOT NULL ORDER BY id LIMIT 1`,
		settlement.DestinationNATS).Scan(&row, &event, &kind)
	if err != nil {
		return fmt.Errorf("find the row that was published and not marked: %w", err)
	}
	id := common.BytesToHash(event).Hex()
	if err := d.inBroker(ctx, id); err != nil {
		return err
	}
	note("relay killed itself by SIGKILL; the broker has %s %s…, the outbox does not know", kind, id[:14])
	d.Stop("relay")
	if err := d.Start("relay", nil); err != nil {
		return err
	}
	var retries int
	err = fleet.Until(ctx, "the row is marked as published", func() (bool, error) {
		var marked bool
		err := db.QueryRow(ctx, `SELECT published_at IS NOT NULL, retry_count FROM outbox WHERE id = $1`, row).Scan(&marked, &retries)
		return marked, err
	})
	if err != nil {
		return err
	}
	var effects int
	err = fleet.Until(ctx, "the consumer has handled the event", func() (bool, error) {
		err := db.QueryRow(ctx, `SELECT count(*) FROM inbox WHERE event_id = $1`, id).Scan(&effects)
		return effects > 0, err
	})
	if err != nil {
		return err
	}
	note("published %d times, effect %d time", retries+1, effects)
	if retries+1 != 2 || effects != 1 {
		return errors.New("the exercise wants: published 2 times, effect 1 time")
	}
	_, err = d.Starter(ctx, &s, "wait", s.Key, "--timeout", "5m")
	return err
}

// inBroker looks for the event among the stream's last messages.
func (d *demo) inBroker(ctx context.Context, id string) error {
	conn, err := nats.Connect(d.world.Stack.NATSURL)
	if err != nil {
		return fmt.Errorf("connect to the broker: %w", err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return fmt.Errorf("use jetstream: %w", err)
	}
	stream, err := js.Stream(ctx, "QUITTANCE")
	if err != nil {
		return fmt.Errorf("open the stream: %w", err)
	}
	info, err := stream.Info(ctx)
	if err != nil {
		return fmt.Errorf("ask the stream: %w", err)
	}
	for seq := info.State.LastSeq; seq > 0 && seq+500 > info.State.LastSeq; seq-- {
		msg, err := stream.GetMsg(ctx, seq)
		if err == nil && msg.Header.Get(nats.MsgIdHdr) == id {
			return nil
		}
	}
	return fmt.Errorf("the broker does not have event %s, so nothing was published before the kill", id)
}
