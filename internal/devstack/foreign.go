package devstack

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// This file asks servers that the user brought whether they answer at all.
// Nothing is changed on them.

func answersPostgres(ctx context.Context, dsn string) error {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}

func answersTemporal(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = workflowservice.NewWorkflowServiceClient(conn).GetSystemInfo(ctx, &workflowservice.GetSystemInfoRequest{})
	return err
}

func answersNATS(_ context.Context, url string) error {
	conn, err := nats.Connect(url, nats.Timeout(probeTimeout), nats.NoReconnect())
	if err != nil {
		return err
	}
	conn.Close()
	return nil
}

// chainOf must be answered: without its id the chain cannot be used at all.
func chainOf(ctx context.Context, rpcURL string) (uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	id, err := rpcNumber(ctx, strings.TrimSpace(rpcURL), "eth_chainId")
	if err != nil {
		return 0, fmt.Errorf("CHAIN_RPC_URLS is set, so geth is not started, but its first node does not answer: "+
			"unset it to run one here: %w", err)
	}
	return id, nil
}

// redact hides a password in an address that is about to be printed.
func redact(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return address
	}
	return u.Redacted()
}
