package config

import (
	"errors"
	"net"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Problem is a variable and the rule that its value breaks, never the value.
type Problem struct{ Variable, Rule string }

func (p Problem) String() string { return p.Variable + ": " + p.Rule }

// Problems is everything that is wrong with a configuration, as an error in one line.
type Problems []Problem

func (p Problems) Error() string {
	texts := make([]string, len(p))
	for i, one := range p {
		texts[i] = one.String()
	}
	return "invalid configuration: " + strings.Join(texts, "; ")
}

func (p Problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return p
}

// with adds the problems of variables that have none yet: what could not be read is zero, and breaks other rules too.
func (p Problems) with(more Problems) Problems {
	known := slices.Clone(p)
	for _, one := range more {
		if !slices.ContainsFunc(known, func(k Problem) bool { return k.Variable == one.Variable }) {
			p = append(p, one)
		}
	}
	return p
}

// unreadable names the variables behind the fields that could not be parsed. Any other error is a mistake in the structs.
func unreadable(config reflect.Type, err error) (found Problems, other error) {
	var all env.AggregateError
	if !errors.As(err, &all) {
		return nil, err
	}
	for _, one := range all.Errors {
		var unparsed env.ParseError
		if !errors.As(one, &unparsed) {
			return nil, err
		}
		field, ok := config.FieldByName(unparsed.Name)
		if !ok {
			return nil, err
		}
		found = append(found, Problem{field.Tag.Get("env"), ruleOf(field.Type)})
	}
	return found, nil
}

func ruleOf(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return "must be a duration such as 500ms, 10s or 72h"
	case t.Kind() == reflect.Uint64:
		return "must be a whole number, not negative"
	}
	return "must be a whole number that fits " + strconv.Itoa(t.Bits()) + " bits"
}

func (p Postgres) problems() Problems {
	found := positive("DATABASE_POOL_MAX", p.PoolMax)
	if p.DatabaseURL == "" {
		return append(found, missing("DATABASE_URL", "the ledger's Postgres"))
	}
	if _, err := pgxpool.ParseConfig(p.DatabaseURL); err != nil { // the error may quote what is secret
		found = append(found, Problem{"DATABASE_URL", "must be a Postgres URL such as postgres://user@host:5432/database, or its key=value form"})
	}
	return found
}

func (t Temporal) problems() Problems {
	if _, _, err := net.SplitHostPort(t.Address); err != nil && !strings.Contains(t.Address, "://") {
		return Problems{{"TEMPORAL_ADDRESS", "must be host:port"}}
	}
	return nil
}

// Check reports what is wrong for commands that need Temporal.
func (t Temporal) Check() error { return t.problems().err() }

func (c Chain) problems() Problems {
	found := positive("CHAIN_RPC_TIMEOUT", c.RPCTimeout)
	if c.ChainID == 0 {
		found = append(found, missing("CHAIN_ID", "the chain"))
	}
	if len(c.RPCURLs) == 0 {
		found = append(found, missing("CHAIN_RPC_URLS", "one or more nodes, comma separated"))
	}
	if !areURLs(c.RPCURLs, "http", "https", "ws", "wss") {
		found = append(found, Problem{"CHAIN_RPC_URLS", "each must be an http, https, ws or wss URL"})
	}
	if c.Vault != "" && !common.IsHexAddress(c.Vault) {
		found = append(found, Problem{"VAULT_ADDRESS", "must be a 20-byte address"})
	}
	return found
}

// Check reports what commands that need the chain lack.
func (c Chain) Check() error { return c.problems().err() }

func (k Keys) problems() Problems {
	found := slices.Concat(positive("REMOTE_SIGNER_TIMEOUT", k.RemoteTimeout), positive("KEYSTORE_REREAD_INTERVAL", k.Reread))
	if k.Dir == "" && k.RemoteURL == "" {
		found = append(found, missing("KEYSTORE_DIR", "the folder of encrypted keystore files; or REMOTE_SIGNER_URL, a remote signer"))
	}
	if k.PasswordFile == "" && (k.Dir != "" || k.RemoteURL == "") {
		found = append(found, missing("KEYSTORE_PASSWORD_FILE", "the file with their password"))
	}
	if k.RemoteURL != "" && !strings.HasPrefix(k.RemoteURL, "/") && !areURLs([]string{k.RemoteURL}, "http", "https") {
		found = append(found, Problem{"REMOTE_SIGNER_URL", "must be an http or https URL, or the absolute path of a socket"})
	}
	return found
}

func (b Broker) problems() Problems {
	switch {
	case b.NATSURL == "":
		return Problems{missing("NATS_URL", "the broker")}
	case !areURLs(strings.Split(b.NATSURL, ","), "nats", "tls", "ws", "wss"):
		return Problems{{"NATS_URL", "must be one or more nats, tls, ws or wss URLs, comma separated"}}
	}
	return nil
}

func (l Log) problems() (found Problems) {
	if l.Format != "text" && l.Format != "json" {
		found = append(found, Problem{"LOG_FORMAT", "must be text or json"})
	}
	if !slices.Contains([]string{"debug", "info", "warn", "error"}, l.Level) {
		found = append(found, Problem{"LOG_LEVEL", "must be debug, info, warn or error"})
	}
	return found
}

func missing(variable, what string) Problem {
	return Problem{variable, "is not set (" + what + ")"}
}

func positive[N int | int32 | time.Duration](variable string, n N) Problems {
	if n <= 0 {
		return Problems{{variable, "must be above zero"}}
	}
	return nil
}

func listens(variable, address string) Problems {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return Problems{{variable, "must be host:port, such as 127.0.0.1:9464"}}
	}
	return nil
}

func areURLs(list []string, schemes ...string) bool {
	for _, raw := range list {
		u, err := url.Parse(strings.TrimSpace(raw))
		if err != nil || u.Host == "" || !slices.Contains(schemes, u.Scheme) {
			return false
		}
	}
	return true
}
