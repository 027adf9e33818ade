// Package config turns environment variables into one struct per process. It is the only place that reads the
// environment. A variable that is set wins over the env file that the dev stack writes, so any part can be pointed
// elsewhere. It may import no other package of this project, and must never log a value: some are secrets.
package config

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/ethereum/go-ethereum/common"
)

// Postgres holds the ledger.
type Postgres struct {
	DatabaseURL string `env:"DATABASE_URL"`
	PoolMax     int32  `env:"DATABASE_POOL_MAX" envDefault:"16"`
}

// Temporal holds what error messages name; the connection itself is read by Temporal's own envconfig, so every
// TEMPORAL_* variable (API key, TLS, profile) works.
type Temporal struct {
	Address   string `env:"TEMPORAL_ADDRESS" envDefault:"127.0.0.1:7233"`
	Namespace string `env:"TEMPORAL_NAMESPACE" envDefault:"default"`
	UIURL     string `env:"TEMPORAL_UI_URL"`
	TaskQueue string `env:"TEMPORAL_TASK_QUEUE" envDefault:"quittance"` // prefix of this installation's queues
}

// Chain is the EVM chain and the vault that new settlements are paid from.
type Chain struct {
	ChainID    uint64        `env:"CHAIN_ID"`
	RPCURLs    []string      `env:"CHAIN_RPC_URLS" envSeparator:","`
	WSURL      string        `env:"CHAIN_WS_URL"` // a hint only: new heads wake the listener early
	Vault      string        `env:"VAULT_ADDRESS"`
	RPCTimeout time.Duration `env:"CHAIN_RPC_TIMEOUT" envDefault:"10s"`
}

// Keys are the encrypted keystore files of the lanes' signers, and the remote signer of the lanes whose keys are not here: one of
// them, or both.
type Keys struct {
	Dir           string        `env:"KEYSTORE_DIR"`
	PasswordFile  string        `env:"KEYSTORE_PASSWORD_FILE"`
	RemoteURL     string        `env:"REMOTE_SIGNER_URL"`                        // http, https, or the path of a socket; speaks clef's protocol
	RemoteTimeout time.Duration `env:"REMOTE_SIGNER_TIMEOUT" envDefault:"10s"`   // of one signature; a person may have to approve it
	Reread        time.Duration `env:"KEYSTORE_REREAD_INTERVAL" envDefault:"5s"` // how soon a new key file is noticed
}

// Broker is NATS with JetStream.
type Broker struct {
	NATSURL string `env:"NATS_URL"`
	Stream  string `env:"NATS_STREAM" envDefault:"QUITTANCE"`
	Subject string `env:"NATS_SUBJECT_PREFIX" envDefault:"quittance."` // the event's type follows
}

// Log says how a process logs, always to stderr.
type Log struct {
	Format string `env:"LOG_FORMAT" envDefault:"text"`
	Level  string `env:"LOG_LEVEL" envDefault:"info"`
}

// Starter is the CLI. It needs no keys and no broker; audit and account commands need no Temporal.
type Starter struct {
	Postgres
	Temporal
	Chain
	Broker
	Log
}

// Worker runs the workflows and signs.
type Worker struct {
	Postgres
	Temporal
	Chain
	Keys
	Log
	HTTPAddress   string        `env:"WORKER_HTTP_ADDRESS" envDefault:"127.0.0.1:9464"`
	Slots         int           `env:"WORKER_SLOTS" envDefault:"64"`
	SweepInterval time.Duration `env:"SWEEP_INTERVAL" envDefault:"30s"`
}

// Listener follows the chain and keeps the lanes, so it signs like the worker.
type Listener struct {
	Postgres
	Chain
	Keys
	Log
	HTTPAddress  string        `env:"LISTENER_HTTP_ADDRESS" envDefault:"127.0.0.1:9465"`
	PollInterval time.Duration `env:"LISTENER_POLL_INTERVAL" envDefault:"500ms"`
	LeaseTTL     time.Duration `env:"LISTENER_LEASE_TTL" envDefault:"5s"`
}

// Relay publishes the outbox.
type Relay struct {
	Postgres
	Temporal
	Broker
	Log
	HTTPAddress string        `env:"RELAY_HTTP_ADDRESS" envDefault:"127.0.0.1:9466"`
	LeaseTTL    time.Duration `env:"RELAY_LEASE_TTL" envDefault:"10s"`
	Retention   time.Duration `env:"OUTBOX_RETENTION" envDefault:"72h"`
}

// LoadStarter reads the starter's configuration.
func LoadStarter(environ []string) (Starter, error) {
	return load[Starter](environ, func(c *Starter) []error {
		return append(c.Postgres.problems(), c.Log.problems()...)
	})
}

// LoadWorker reads the worker's configuration and reports every problem at once.
func LoadWorker(environ []string) (Worker, error) {
	return load[Worker](environ, func(c *Worker) []error {
		return all(c.Postgres.problems(), c.Chain.problems(), c.Keys.problems(), c.Log.problems(),
			positive("WORKER_SLOTS", c.Slots), positive("SWEEP_INTERVAL", c.SweepInterval))
	})
}

// LoadListener reads the listener's configuration and reports every problem at once.
func LoadListener(environ []string) (Listener, error) {
	return load[Listener](environ, func(c *Listener) []error {
		return all(c.Postgres.problems(), c.Chain.problems(), c.Keys.problems(), c.Log.problems(),
			positive("LISTENER_POLL_INTERVAL", c.PollInterval), positive("LISTENER_LEASE_TTL", c.LeaseTTL))
	})
}

// LoadRelay reads the relay's configuration and reports every problem at once.
func LoadRelay(environ []string) (Relay, error) {
	return load[Relay](environ, func(c *Relay) []error {
		return all(c.Postgres.problems(), c.Broker.problems(), c.Log.problems(),
			positive("RELAY_LEASE_TTL", c.LeaseTTL), positive("OUTBOX_RETENTION", c.Retention))
	})
}

// LoadLog reads how to log, which every process needs before anything else can fail.
func LoadLog(environ []string) (Log, error) {
	return load[Log](environ, func(c *Log) []error { return c.problems() })
}

func load[T any](environ []string, problems func(*T) []error) (T, error) {
	var c T
	vars, err := withEnvFile(environ)
	if err != nil {
		return c, err
	}
	if err := env.ParseWithOptions(&c, env.Options{Environment: vars}); err != nil {
		return c, fmt.Errorf("invalid configuration: %w", err)
	}
	if found := problems(&c); len(found) > 0 {
		return c, fmt.Errorf("invalid configuration: %w", errors.Join(found...))
	}
	return c, nil
}

func (p Postgres) problems() []error {
	var found []error
	if p.DatabaseURL == "" {
		found = append(found, missing("DATABASE_URL", "the ledger's Postgres"))
	}
	return append(found, positive("DATABASE_POOL_MAX", p.PoolMax)...)
}

// Problems lists what a process that talks to the chain lacks.
func (c Chain) problems() []error {
	var found []error
	if c.ChainID == 0 {
		found = append(found, missing("CHAIN_ID", "the chain"))
	}
	if len(c.RPCURLs) == 0 {
		found = append(found, missing("CHAIN_RPC_URLS", "one or more nodes, comma separated"))
	}
	for _, raw := range c.RPCURLs {
		u, err := url.Parse(raw)
		if err != nil || u.Host == "" || !strings.Contains("http https ws wss", u.Scheme) {
			found = append(found, errors.New("CHAIN_RPC_URLS: each must be an http, https, ws or wss URL"))
		}
	}
	if c.Vault != "" && !common.IsHexAddress(c.Vault) {
		found = append(found, errors.New("VAULT_ADDRESS: must be a 20-byte address"))
	}
	return append(found, positive("CHAIN_RPC_TIMEOUT", c.RPCTimeout)...)
}

// Check reports what commands that need the chain lack.
func (c Chain) Check() error { return errors.Join(c.problems()...) }

func (k Keys) problems() []error {
	found := append(positive("REMOTE_SIGNER_TIMEOUT", k.RemoteTimeout), positive("KEYSTORE_REREAD_INTERVAL", k.Reread)...)
	if k.Dir == "" && k.RemoteURL == "" {
		found = append(found, missing("KEYSTORE_DIR", "the folder of encrypted keystore files; or REMOTE_SIGNER_URL, a remote signer"))
	}
	if k.PasswordFile == "" && (k.Dir != "" || k.RemoteURL == "") {
		found = append(found, missing("KEYSTORE_PASSWORD_FILE", "the file with their password"))
	}
	return found
}

func (b Broker) problems() []error {
	if b.NATSURL == "" {
		return []error{missing("NATS_URL", "the broker")}
	}
	return nil
}

func (l Log) problems() []error {
	var found []error
	if l.Format != "text" && l.Format != "json" {
		found = append(found, errors.New("LOG_FORMAT: must be text or json"))
	}
	switch l.Level {
	case "debug", "info", "warn", "error":
	default:
		found = append(found, errors.New("LOG_LEVEL: must be debug, info, warn or error"))
	}
	return found
}

func missing(name, what string) error { return fmt.Errorf("%s: is not set (%s)", name, what) }

func positive[N int | int32 | time.Duration](name string, n N) []error {
	if n <= 0 {
		return []error{fmt.Errorf("%s: must be above zero", name)}
	}
	return nil
}

func all(lists ...[]error) []error {
	var found []error
	for _, l := range lists {
		found = append(found, l...)
	}
	return found
}
