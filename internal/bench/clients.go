package main

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.temporal.io/sdk/client"

	"github.com/quittance/quittance/ledger"
)

// clients reach the stack past the services: to start what they do not know, and to look.
type clients struct {
	books    *ledger.Ledger
	sql      *pgxpool.Pool
	node     *ethclient.Client
	socket   *ethclient.Client // for subscriptions
	temporal client.Client
}

func (b *bench) connect(ctx context.Context) (c clients, err error) {
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	stack := b.world.Stack
	if c.books, err = ledger.Open(ctx, stack.DatabaseURL, ledger.WithConns(8)); err != nil {
		return c, err
	}
	if c.sql, err = pgxpool.New(ctx, stack.DatabaseURL); err != nil {
		return c, fmt.Errorf("connect to Postgres: %w", err)
	}
	if c.node, err = ethclient.DialContext(ctx, stack.ChainRPCURLs[0]); err != nil {
		return c, fmt.Errorf("connect to the node: %w", err)
	}
	if c.socket, err = ethclient.DialContext(ctx, stack.ChainWSURL); err != nil {
		return c, fmt.Errorf("connect to the node's socket: %w", err)
	}
	c.temporal, err = b.Temporal(ctx)
	return c, err
}

func (c clients) close() {
	if c.books != nil {
		c.books.Close()
	}
	if c.sql != nil {
		c.sql.Close()
	}
	for _, e := range []*ethclient.Client{c.node, c.socket} {
		if e != nil {
			e.Close()
		}
	}
	if c.temporal != nil {
		c.temporal.Close()
	}
}
