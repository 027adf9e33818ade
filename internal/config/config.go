// Package config turns environment variables into one struct per process. It is the only place that reads the
// environment. A variable that is set wins over the env file that the dev stack writes, so any part can be pointed
// elsewhere. It may import no other package of this project, and must never log a value: some are secrets.
package config

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/caarlos0/env/v11"
)

// Every variable says what it means in its help tag: the services print it when asked for --help.

// Postgres holds the ledger.
type Postgres struct {
	DatabaseURL string `env:"DATABASE_URL" help:"the ledger's Postgres"`
	PoolMax     int32  `env:"DATABASE_POOL_MAX" envDefault:"16" help:"connections of this process at most"`
}

// Temporal holds what error messages name; the connection itself is read by Temporal's own envconfig, so every
// TEMPORAL_* variable (API key, TLS, profile) works.
type Temporal struct {
	Address   string `env:"TEMPORAL_ADDRESS" envDefault:"127.0.0.1:7233" help:"Temporal; its other TEMPORAL_* variables work too"`
	Namespace string `env:"TEMPORAL_NAMESPACE" envDefault:"default" help:"namespace of the workflows"`
	UIURL     string `env:"TEMPORAL_UI_URL" help:"Temporal's Web UI, for the links that explain prints"`
	TaskQueue string `env:"TEMPORAL_TASK_QUEUE" envDefault:"quittance" help:"prefix of this installation's task queues"`
}

// Chain is the EVM chain and the vault that new settlements are paid from.
type Chain struct {
	ChainID    uint64        `env:"CHAIN_ID" help:"the chain"`
	RPCURLs    []string      `env:"CHAIN_RPC_URLS" envSeparator:"," help:"one or more nodes, comma separated"`
	WSURL      string        `env:"CHAIN_WS_URL" help:"a node's websocket; no process uses it yet"`
	Vault      string        `env:"VAULT_ADDRESS" help:"checked against the ledger when set"`
	RPCTimeout time.Duration `env:"CHAIN_RPC_TIMEOUT" envDefault:"10s" help:"how long one call to a node may take"`
}

// Keys are the encrypted keystore files of the lanes' signers, and the remote signer of the lanes whose keys are not here: one of
// them, or both.
type Keys struct {
	Dir           string        `env:"KEYSTORE_DIR" help:"folder of the signers' encrypted keystore files"`
	PasswordFile  string        `env:"KEYSTORE_PASSWORD_FILE" help:"file with their password"`
	RemoteURL     string        `env:"REMOTE_SIGNER_URL" help:"http, https, or the path of a socket: a signer that speaks clef's protocol"`
	RemoteTimeout time.Duration `env:"REMOTE_SIGNER_TIMEOUT" envDefault:"10s" help:"how long one signature may take; a person may have to approve it"`
	Reread        time.Duration `env:"KEYSTORE_REREAD_INTERVAL" envDefault:"5s" help:"how soon a new key file is noticed"`
}

// Broker is NATS with JetStream.
type Broker struct {
	NATSURL string `env:"NATS_URL" help:"the broker"`
	Stream  string `env:"NATS_STREAM" envDefault:"QUITTANCE" help:"its JetStream stream"`
	Subject string `env:"NATS_SUBJECT_PREFIX" envDefault:"quittance." help:"of the subjects; the event's type follows"`
}

// Log says how a process logs, always to stderr.
type Log struct {
	Format string `env:"LOG_FORMAT" envDefault:"text" help:"text or json"`
	Level  string `env:"LOG_LEVEL" envDefault:"info" help:"debug, info, warn or error"`
}

// Starter is the CLI. It opens no keys and needs no broker; audit and account commands need no Temporal.
type Starter struct {
	Postgres
	Temporal
	Chain
	Broker
	Log
	KeystoreDir string `env:"KEYSTORE_DIR" help:"signer add warns if it holds no key file of the signer"`
}

// Worker runs the workflows and signs.
type Worker struct {
	Postgres
	Temporal
	Chain
	Keys
	Log
	HTTPAddress   string        `env:"WORKER_HTTP_ADDRESS" envDefault:"127.0.0.1:9464" help:"serves /metrics and /healthz"`
	Slots         int           `env:"WORKER_SLOTS" envDefault:"64" help:"submissions at once"`
	SweepInterval time.Duration `env:"SWEEP_INTERVAL" envDefault:"30s" help:"pause between two looks for lost runs"`
}

// Listener follows the chain and keeps the lanes, so it signs like the worker.
type Listener struct {
	Postgres
	Chain
	Keys
	Log
	HTTPAddress  string        `env:"LISTENER_HTTP_ADDRESS" envDefault:"127.0.0.1:9465" help:"serves /metrics and /healthz"`
	PollInterval time.Duration `env:"LISTENER_POLL_INTERVAL" envDefault:"500ms" help:"pause between two looks at the chain"`
	LeaseTTL     time.Duration `env:"LISTENER_LEASE_TTL" envDefault:"5s" help:"how long a killed listener keeps the next one waiting"`
}

// Relay publishes the outbox.
type Relay struct {
	Postgres
	Temporal
	Broker
	Log
	HTTPAddress string        `env:"RELAY_HTTP_ADDRESS" envDefault:"127.0.0.1:9466" help:"serves /metrics and /healthz"`
	LeaseTTL    time.Duration `env:"RELAY_LEASE_TTL" envDefault:"10s" help:"how long a dead relay's rows stay out of reach"`
	Retention   time.Duration `env:"OUTBOX_RETENTION" envDefault:"72h" help:"how long published rows are kept"`
}

// LoadStarter reads the starter's configuration. What only some commands need is checked by them, with Check.
func LoadStarter(environ []string) (Starter, error) {
	return load(environ, func(c *Starter) Problems { return slices.Concat(c.Postgres.problems(), c.Log.problems()) })
}

// LoadWorker reads the worker's configuration and reports every problem at once.
func LoadWorker(environ []string) (Worker, error) {
	return load(environ, func(c *Worker) Problems {
		return slices.Concat(c.Postgres.problems(), c.Temporal.problems(), c.Chain.problems(), c.Keys.problems(), c.Log.problems(),
			listens("WORKER_HTTP_ADDRESS", c.HTTPAddress), positive("WORKER_SLOTS", c.Slots), positive("SWEEP_INTERVAL", c.SweepInterval))
	})
}

// LoadListener reads the listener's configuration and reports every problem at once.
func LoadListener(environ []string) (Listener, error) {
	return load(environ, func(c *Listener) Problems {
		return slices.Concat(c.Postgres.problems(), c.Chain.problems(), c.Keys.problems(), c.Log.problems(),
			listens("LISTENER_HTTP_ADDRESS", c.HTTPAddress), positive("LISTENER_POLL_INTERVAL", c.PollInterval), positive("LISTENER_LEASE_TTL", c.LeaseTTL))
	})
}

// LoadRelay reads the relay's configuration and reports every problem at once.
func LoadRelay(environ []string) (Relay, error) {
	return load(environ, func(c *Relay) Problems {
		return slices.Concat(c.Postgres.problems(), c.Temporal.problems(), c.Broker.problems(), c.Log.problems(),
			listens("RELAY_HTTP_ADDRESS", c.HTTPAddress), positive("RELAY_LEASE_TTL", c.LeaseTTL), positive("OUTBOX_RETENTION", c.Retention))
	})
}

// LoadLog reads how to log, which every process needs before anything else can fail.
func LoadLog(environ []string) (Log, error) {
	return load(environ, func(c *Log) Problems { return c.problems() })
}

func load[T any](environ []string, problems func(*T) Problems) (T, error) {
	var c T
	vars, err := withEnvFile(environ)
	if err != nil {
		return c, err
	}
	found, err := unreadable(reflect.TypeFor[T](), env.ParseWithOptions(&c, env.Options{Environment: vars}))
	if err != nil {
		return c, fmt.Errorf("invalid configuration: %w", err)
	}
	return c, found.with(problems(&c)).err()
}
