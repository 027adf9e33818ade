package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/quittance/quittance/internal/devstack"
)

func printAddresses(out io.Writer, s *devstack.Stack) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "%s\t%s\n", name, value)
		}
	}
	row("Postgres", s.DatabaseURL)
	row("Temporal", s.TemporalAddress+"  namespace "+s.TemporalNamespace)
	row("Temporal Web UI", s.TemporalUIURL)
	row("Chain", fmt.Sprintf("%s  id %d", strings.Join(s.ChainRPCURLs, ","), s.ChainID))
	row("Chain websocket", s.ChainWSURL)
	row("NATS", s.NATSURL)
	if env, err := devstack.ReadEnv(s.Dir); err == nil { // a stack that settled in before knows its contracts
		row("Vault", env["VAULT_ADDRESS"])
		row("Test token", env["TOKEN_ADDRESS"])
		for _, service := range []string{"worker", "listener", "relay"} { // where they will listen once they are started
			if address := env[strings.ToUpper(service)+"_HTTP_ADDRESS"]; address != "" {
				row("Metrics of "+service, "http://"+address+"/metrics")
			}
		}
	}
	row("Env file", devstack.EnvPath(s.Dir))
	return w.Flush()
}

// printStatus fails when a server does not answer, so scripts can ask it.
func printStatus(ctx context.Context, out io.Writer, s *devstack.Stack) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PART\tSTATE\tPID\tLOG")
	var down []string
	for _, part := range s.Parts() {
		state := "answers"
		switch err := part.Ready(ctx); {
		case !part.Running():
			state = "down"
		case err != nil:
			state = "runs, does not answer"
		}
		if state != "answers" {
			down = append(down, part.Name())
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\n", part.Name(), state, part.PID(), part.LogPath())
	}
	fmt.Fprintln(w)
	if err := w.Flush(); err != nil {
		return err
	}
	if err := printAddresses(out, s); err != nil {
		return err
	}
	if len(down) > 0 {
		return errors.New("not up: " + strings.Join(down, ", "))
	}
	return nil
}
