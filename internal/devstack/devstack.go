// Package devstack runs the servers that Quittance needs, without Docker:
// Postgres, Temporal with its Web UI, geth in dev mode and NATS JetStream.
// Each is a process of its own that outlives the program which started it,
// with data, log, ports and pid in one folder, so that any process can find
// it, restart it after a crash, or stop it.
//
// The package imports none of ours and may be imported by internal tools and
// tests. It must never be used in production: everything listens on loopback
// without passwords. It needs a Unix: it relies on flock and sessions.
package devstack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// EnvDir names the folder of the stack.
const EnvDir = "DEVSTACK_DIR"

// Options of Up. What shapes data (namespace, chain) is fixed when that data
// is made: asking for something else later is an error that says to wipe.
type Options struct {
	Dir         string            // default DefaultDir()
	Namespace   string            // of Temporal; default "default"
	Retention   time.Duration     // of closed runs; default 7 days
	ChainID     uint64            // default 1337
	BlockPeriod time.Duration     // default 1 s
	GasLimit    uint64            // of a block; default 30 million
	Fund        []string          // addresses that hold 1,000,000 ether at block 0
	Env         map[string]string // further pairs for the env file
	Log         io.Writer         // progress lines; default none

	// LookupEnv tells what the user has set; default os.LookupEnv. A server
	// whose address is set there is not started: the user brings their own.
	LookupEnv func(string) (string, bool)
}

// Stack is a set of servers with the addresses that clients need. A part that
// the user brought is nil and only its address is known.
type Stack struct {
	Dir string

	DatabaseURL       string
	TemporalAddress   string
	TemporalNamespace string
	TemporalUIURL     string
	ChainID           uint64
	ChainRPCURLs      []string
	ChainWSURL        string
	NATSURL           string

	Postgres *Postgres
	Temporal *Temporal
	Geth     *Geth
	NATS     *NATS
}

// Up starts what does not run and returns when everything answers. Running it
// again is a no-op; after one server died it restarts that one. When a server
// fails, the others are left up, and the error shows the end of its log.
func Up(ctx context.Context, opts Options) (*Stack, error) {
	if err := opts.complete(); err != nil {
		return nil, err
	}
	if err := Claim(opts.Dir); err != nil {
		return nil, err
	}
	unlock, err := lockFile(ctx, filepath.Join(opts.Dir, "lock"))
	if err != nil {
		return nil, err
	}
	defer unlock()

	s := &Stack{Dir: opts.Dir}
	var group errgroup.Group // no shared cancel: one failure must not kill the rest
	var errs [4]error
	for i, start := range []func(context.Context, Options) error{s.upPostgres, s.upTemporal, s.upChain, s.upNATS} {
		group.Go(func() error {
			errs[i] = start(ctx, opts)
			return nil
		})
	}
	_ = group.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	if err := writeStackEnv(ctx, s, opts); err != nil {
		return nil, err
	}
	return s, nil
}

// DefaultDir is $DEVSTACK_DIR, else .devstack at the module root.
func DefaultDir() (string, error) {
	if dir := os.Getenv(EnvDir); dir != "" {
		return filepath.Abs(dir)
	}
	root, err := ModuleRoot()
	if err != nil {
		return "", err
	}
	return filepath.Join(root, ".devstack"), nil
}

func (o *Options) complete() (err error) {
	if o.Dir == "" {
		o.Dir, err = DefaultDir()
	} else {
		o.Dir, err = filepath.Abs(o.Dir)
	}
	if o.LookupEnv == nil {
		o.LookupEnv = os.LookupEnv
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	o.Log = &lineWriter{to: o.Log}
	return err
}

// set is the user's value of a variable; an empty one counts as not set.
func (o *Options) set(name string) string {
	value, _ := o.LookupEnv(name)
	return value
}

// theirs is the user's address of a server, or empty if they have none or
// name the one that we run: people source the env file and run up again.
func (o *Options) theirs(name, ours string) string {
	if value := o.set(name); value != ours {
		return value
	}
	return ""
}

// warn tells of an address that is set but dead, most often the rest of a
// stack that was wiped. Not an error: their server may come up later.
func (o *Options) warn(name, value string, err error) {
	if err != nil {
		fmt.Fprintf(o.Log, "%s is set, so that server is not started, but %s does not answer: unset %s to run one here (%v)\n", name, redact(value), name, err)
	}
}

func (s *Stack) upPostgres(ctx context.Context, opts Options) error {
	dir := filepath.Join(s.Dir, "postgres")
	known, err := openPostgres(dir, opts.Log)
	if err != nil {
		return err
	}
	if s.DatabaseURL = opts.theirs("DATABASE_URL", known.URL); s.DatabaseURL != "" {
		opts.warn("DATABASE_URL", s.DatabaseURL, answersPostgres(ctx, s.DatabaseURL))
		return nil
	}
	if s.Postgres, err = StartPostgres(ctx, dir, opts.Log); err != nil {
		return err
	}
	s.DatabaseURL = s.Postgres.URL
	return nil
}

func (s *Stack) upTemporal(ctx context.Context, opts Options) error {
	dir := filepath.Join(s.Dir, "temporal")
	known, err := openTemporal(dir, opts.Log)
	if err != nil {
		return err
	}
	namespace := orDefault(opts.set("TEMPORAL_NAMESPACE"), opts.Namespace)
	if s.TemporalAddress = opts.theirs("TEMPORAL_ADDRESS", known.Address); s.TemporalAddress != "" {
		opts.warn("TEMPORAL_ADDRESS", s.TemporalAddress, answersTemporal(ctx, s.TemporalAddress))
		s.TemporalNamespace = orDefault(namespace, "default")
		s.TemporalUIURL = opts.set("TEMPORAL_UI_URL")
		return nil
	}
	s.Temporal, err = StartTemporal(ctx, dir, TemporalOptions{Namespace: namespace, Retention: opts.Retention, Log: opts.Log})
	if err != nil {
		return err
	}
	s.TemporalAddress, s.TemporalNamespace, s.TemporalUIURL = s.Temporal.Address, s.Temporal.Namespace, s.Temporal.UIURL
	return nil
}

func (s *Stack) upChain(ctx context.Context, opts Options) error {
	dir := filepath.Join(s.Dir, "geth")
	known, err := openGeth(dir, opts.Log)
	if err != nil {
		return err
	}
	if urls := opts.theirs("CHAIN_RPC_URLS", known.RPCURL); urls != "" {
		s.ChainRPCURLs = strings.Split(urls, ",")
		s.ChainWSURL = opts.set("CHAIN_WS_URL")
		s.ChainID, err = chainOf(ctx, s.ChainRPCURLs[0])
		return err
	}
	chainID := opts.ChainID
	if set := opts.set("CHAIN_ID"); set != "" {
		if chainID, err = strconv.ParseUint(set, 10, 64); err != nil {
			return fmt.Errorf("CHAIN_ID is not a number: %w", err)
		}
	}
	s.Geth, err = StartGeth(ctx, dir, GethOptions{
		ChainID: chainID, BlockPeriod: opts.BlockPeriod, GasLimit: opts.GasLimit, Fund: opts.Fund, Log: opts.Log,
	})
	if err != nil {
		return err
	}
	s.ChainID, s.ChainRPCURLs, s.ChainWSURL = s.Geth.ChainID, []string{s.Geth.RPCURL}, s.Geth.WSURL
	return nil
}

func (s *Stack) upNATS(ctx context.Context, opts Options) error {
	dir := filepath.Join(s.Dir, "nats")
	known, err := openNATS(dir, opts.Log)
	if err != nil {
		return err
	}
	if s.NATSURL = opts.theirs("NATS_URL", known.URL); s.NATSURL != "" {
		opts.warn("NATS_URL", s.NATSURL, answersNATS(ctx, s.NATSURL))
		return nil
	}
	if s.NATS, err = StartNATS(ctx, dir, opts.Log); err != nil {
		return err
	}
	s.NATSURL = s.NATS.URL
	return nil
}

// Parts lists the servers of ours in the order in which they are stopped
// last to first.
func (s *Stack) Parts() []*Part {
	var parts []*Part
	if s.Postgres != nil {
		parts = append(parts, s.Postgres.Part)
	}
	if s.Temporal != nil {
		parts = append(parts, s.Temporal.Part)
	}
	if s.Geth != nil {
		parts = append(parts, s.Geth.Part)
	}
	if s.NATS != nil {
		parts = append(parts, s.NATS.Part)
	}
	return parts
}

// Part finds a server of ours by name: postgres, temporal, geth or nats.
func (s *Stack) Part(name string) (*Part, error) {
	for _, p := range s.Parts() {
		if p.name == name {
			return p, nil
		}
	}
	return nil, fmt.Errorf("the stack in %s runs no %s of its own", s.Dir, name)
}

// Down stops all servers of ours; data stays.
func (s *Stack) Down(ctx context.Context) error { return Down(ctx, s.Dir, nil) }

// Wipe stops all servers of ours and deletes the folder.
func (s *Stack) Wipe(ctx context.Context) error { return Wipe(ctx, s.Dir, nil) }

// lineWriter lets servers that start at the same time share one log.
type lineWriter struct {
	mu sync.Mutex
	to io.Writer
}

func (w *lineWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}
