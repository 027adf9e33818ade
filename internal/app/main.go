package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"text/tabwriter"

	"github.com/quittance/quittance/internal/config"
	"github.com/quittance/quittance/internal/telemetry"
)

// Service is one of the programs that run until they are told to stop.
type Service[C any] struct {
	Name string
	Job  string // what it does, for --help
	Load func(environ []string) (C, error)
	Run  func(ctx context.Context, log *slog.Logger, c C) error
}

// Main runs a service until SIGINT or SIGTERM and returns its exit code: 0 after a clean stop, 2 for a configuration that
// the operator must mend, 1 for anything else. The error is printed once, in one line, to stderr. It takes no arguments but
// -h and --help, so that a typing error does not start a process that signs.
func (s Service[C]) Main(args []string) int {
	switch {
	case slices.Contains(args, "-h"), slices.Contains(args, "--help"), slices.Contains(args, "-help"):
		if err := s.usage(os.Stdout); err != nil {
			return 1
		}
		return 0
	case len(args) > 0:
		return s.refuse(fmt.Errorf("takes no arguments, its configuration is the environment (see --help), got %q", args[0]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	environ, err := config.Process()
	if err != nil {
		return s.refuse(err)
	}
	logConfig, err := config.LoadLog(environ)
	if err != nil {
		return s.refuse(err)
	}
	c, err := s.Load(environ)
	if err != nil {
		return s.refuse(err)
	}
	log := telemetry.NewLogger(os.Stderr, logConfig.Format, logConfig.Level).With("process", s.Name)
	err = s.Run(ctx, log, c)
	switch {
	case err == nil, ctx.Err() != nil && errors.Is(err, context.Canceled):
		log.Info("stopped")
		return 0
	case invalid(err):
		log.Error("cannot start", "err", err)
		return 2
	}
	log.Error("ended", "err", err)
	return 1
}

func (s Service[C]) refuse(err error) int {
	fmt.Fprintf(os.Stderr, "%s: %v\n", s.Name, err)
	return 2
}

// usage lists the variables as the configuration's own structs have them.
func (s Service[C]) usage(to io.Writer) error {
	fmt.Fprintf(to, "Usage: %s\n\n%s It runs until SIGINT or SIGTERM and takes no arguments.\n\n", s.Name, s.Job)
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "VARIABLE\tDEFAULT\tMEANING")
	for _, v := range config.Variables[C]() {
		fmt.Fprintf(w, "%s\t%s\t%s\n", v.Name, v.Default, v.Meaning)
	}
	return w.Flush()
}
