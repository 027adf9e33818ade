package devstack

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// NATS is one nats-server with JetStream on a file store.
type NATS struct {
	*Part
	URL string
}

// StartNATS starts the server that lives in dir, or finds it running. It
// fsyncs rarely by default: a SIGKILL keeps what was published, a power cut
// may not.
func StartNATS(ctx context.Context, dir string, log io.Writer) (*NATS, error) {
	n, err := openNATS(dir, log)
	if err != nil {
		return nil, err
	}
	if err := n.start(ctx, true); err != nil {
		return nil, err
	}
	n.URL = n.url()
	return n, nil
}

func openNATS(dir string, log io.Writer) (*NATS, error) {
	part, err := openPart("nats", dir, log, syscall.SIGTERM, &struct{}{}, "client")
	if err != nil {
		return nil, err
	}
	part.data = filepath.Join(part.dir, "data")
	n := &NATS{Part: part}
	var binary string
	part.setup = func(ctx context.Context) (err error) {
		binary, err = serverBinary(ctx, "nats-server", part.log)
		return err
	}
	part.command = func() *exec.Cmd {
		return exec.Command(binary, "--addr", loopback, "--port", fmt.Sprint(part.ports["client"]),
			"--jetstream", "--store_dir", part.data)
	}
	part.probe = n.ready
	n.URL = n.url()
	return n, nil
}

func (n *NATS) url() string { return "nats://" + n.addr("client") }

func (n *NATS) ready(ctx context.Context) error {
	conn, err := nats.Connect(n.url(), nats.Timeout(probeTimeout), nats.NoReconnect())
	if err != nil {
		return fmt.Errorf("connect to nats: %w", err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return fmt.Errorf("use jetstream: %w", err)
	}
	if _, err := js.AccountInfo(ctx); err != nil {
		return fmt.Errorf("ask jetstream for its account: %w", err)
	}
	return nil
}
