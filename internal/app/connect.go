package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"
	sdklog "go.temporal.io/sdk/log"
	"google.golang.org/grpc"

	"github.com/quittance/quittance/chain"
	"github.com/quittance/quittance/internal/config"
	"github.com/quittance/quittance/internal/registry"
	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// connectTimeout bounds one try to reach a service.
const connectTimeout = 5 * time.Second

// OpenLedger connects to Postgres and checks the server. An unreachable one is *Down.
func OpenLedger(ctx context.Context, c config.Postgres, opts ...ledger.Option) (*ledger.Ledger, error) {
	l, err := ConnectLedger(ctx, c, opts...)
	if err != nil {
		return nil, err
	}
	if err := CheckLedger(ctx, l); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// CheckLedger refuses a server or a schema that cannot keep the ledger's promises: DATABASE_URL is the operator's to mend. A
// server that was restored is refused too, but another address would not mend that; and one that could not be asked keeps
// its error.
func CheckLedger(ctx context.Context, l *ledger.Ledger) error {
	err := l.CheckServer(ctx)
	if err != nil && settlement.KindOf(err) == settlement.Unknown && !errors.Is(err, ledger.ErrRestored) {
		return &settlement.Error{Kind: settlement.Invalid, Field: "DATABASE_URL", Rule: strings.Join(strings.Fields(err.Error()), " "), Err: err}
	}
	return err
}

// ConnectLedger connects without checking the schema: for the command that applies it.
func ConnectLedger(ctx context.Context, c config.Postgres, opts ...ledger.Option) (*ledger.Ledger, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	l, err := ledger.Open(ctx, c.DatabaseURL, append([]ledger.Option{ledger.WithConns(int(c.PoolMax))}, opts...)...)
	if err == nil {
		return l, nil
	}
	var refused *pgconn.PgError
	if errors.As(err, &refused) && !ledger.ServerGone(err) {
		return nil, fmt.Errorf("postgres at %s refuses: %s", postgresAddress(c.DatabaseURL), refused.Message)
	}
	return nil, PostgresDown(c, err)
}

// PostgresDown names the server that err could not reach.
func PostgresDown(c config.Postgres, err error) *Down {
	return &Down{"postgres", postgresAddress(c.DatabaseURL), err}
}

// postgresAddress names host, port and database, never user or password.
func postgresAddress(dsn string) string {
	c, err := pgx.ParseConfig(dsn)
	if err != nil {
		return "an address that cannot be parsed"
	}
	return net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port))) + "/" + c.Database
}

// DialTemporal connects with Temporal's own configuration (TEMPORAL_* variables and its profile file). An unreachable server
// is *Down.
func DialTemporal(ctx context.Context, c config.Temporal, log *slog.Logger) (client.Client, error) {
	options, err := envconfig.LoadDefaultClientOptions()
	if err != nil {
		return nil, fmt.Errorf("read Temporal's configuration: %w", err)
	}
	if options.HostPort == "" {
		options.HostPort = c.Address
	}
	if options.Namespace == "" {
		options.Namespace = c.Namespace
	}
	options.Logger = sdklog.NewStructuredLogger(log)
	options.ConnectionOptions.DialOptions = append(options.ConnectionOptions.DialOptions, grpc.WithChainUnaryInterceptor(printableHeaders))
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	t, err := client.DialContext(ctx, options)
	if err != nil {
		return nil, &Down{"temporal", options.HostPort + " (namespace " + options.Namespace + ")", err}
	}
	return t, nil
}

// Site is a chain that the ledger knows, with nodes that proved to be of it.
type Site struct {
	Config ledger.ChainConfig
	Pool   *chain.Pool
}

// Unpaid asks the nodes whether the vault has used a settlement's id at a final block: one half of I7's proof.
func (s Site) Unpaid(ctx context.Context, st settlement.Settlement, final settlement.BlockRef) (bool, error) {
	return chain.NewSender(s.Pool, nil).Unpaid(ctx, st, final)
}

// DialChain connects to the chain's nodes. The chain id, the genesis and the vault are the ledger's; a node of another
// chain is refused and so is a configuration that names another vault. Nodes that do not answer are *Down.
func DialChain(ctx context.Context, c config.Chain, l *ledger.Ledger, opts ...chain.PoolOption) (Site, error) {
	stored, err := l.Chain(ctx, c.ChainID)
	if settlement.KindOf(err) == settlement.NotFound {
		return Site{}, settlement.Invalidf("CHAIN_ID", "chain %d is not registered in the ledger: `starter chain register` does that", c.ChainID)
	}
	if err != nil {
		return Site{}, err
	}
	if err := CheckVault(c, stored.Vault); err != nil {
		return Site{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout+c.RPCTimeout)
	defer cancel()
	pool, err := chain.Dial(ctx, c.RPCURLs, c.ChainID, stored.Genesis, append([]chain.PoolOption{chain.WithTimeout(c.RPCTimeout)}, opts...)...)
	if errors.Is(err, chain.ErrWrongChain) {
		return Site{}, settlement.Invalidf("CHAIN_RPC_URLS", "%v", err)
	}
	if err != nil {
		return Site{}, &Down{"chain node", nodeAddresses(c.RPCURLs), err}
	}
	return Site{Config: stored, Pool: pool}, nil
}

// CheckVault refuses a configuration that names another vault than the one that the ledger pays from.
func CheckVault(c config.Chain, stored common.Address) error {
	if c.Vault != "" && (!common.IsHexAddress(c.Vault) || common.HexToAddress(c.Vault) != stored) {
		return settlement.Invalidf("VAULT_ADDRESS", "is %s, but the ledger pays from %s", c.Vault, stored)
	}
	return nil
}

// DialNewChain connects to the nodes of a chain that the ledger does not know yet: the first that answers says which chain it
// is, and all others must be of the same. CHAIN_ID need not be set; if it is, it must be that chain's.
func DialNewChain(ctx context.Context, c config.Chain) (*chain.Pool, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout+c.RPCTimeout)
	defer cancel()
	var failures []error
	for _, node := range c.RPCURLs {
		id, genesis, err := registry.Identify(ctx, node)
		if err != nil {
			failures = append(failures, err)
			continue
		}
		if c.ChainID != 0 && id != c.ChainID {
			return nil, settlement.Invalidf("CHAIN_ID", "is %d, but the node is of chain %d", c.ChainID, id)
		}
		pool, err := chain.Dial(ctx, c.RPCURLs, id, genesis, chain.WithTimeout(c.RPCTimeout))
		if errors.Is(err, chain.ErrWrongChain) {
			return nil, settlement.Invalidf("CHAIN_RPC_URLS", "%v", err)
		}
		if err == nil {
			return pool, nil
		}
		failures = append(failures, err)
	}
	return nil, &Down{"chain node", nodeAddresses(c.RPCURLs), errors.Join(failures...)}
}

// nodeAddresses names scheme, host and port: paths and queries of providers' URLs hold keys.
func nodeAddresses(urls []string) string {
	var names []string
	for _, raw := range urls {
		if u, err := url.Parse(raw); err == nil {
			names = append(names, u.Scheme+"://"+u.Host)
		}
	}
	return strings.Join(names, ", ")
}

// OpenKeys decrypts the lanes' keystore files, and names the remote signer, which may be down.
func OpenKeys(c config.Keys) (*chain.Keyring, error) {
	var remote *chain.Remote
	if c.RemoteURL != "" {
		var err error
		if remote, err = chain.NewRemote(c.RemoteURL, c.RemoteTimeout); err != nil {
			return nil, fmt.Errorf("REMOTE_SIGNER_URL: %w", err)
		}
	}
	if c.Dir == "" {
		return chain.NewKeyring(nil, remote), nil
	}
	keys, err := chain.OpenKeystore(c.Dir, chain.PasswordFile(c.PasswordFile))
	if err != nil {
		return nil, fmt.Errorf("open the keys (KEYSTORE_DIR is %s, KEYSTORE_PASSWORD_FILE is %s): %w", c.Dir, c.PasswordFile, err)
	}
	return chain.NewKeyring(keys, remote), nil
}

// lookForKeys tells the keyring which lanes are a remote signer's.
func lookForKeys(ctx context.Context, keys *chain.Keyring, lanes []ledger.Lane) {
	var remote []common.Address
	for _, lane := range lanes {
		if lane.Custody == ledger.CustodyRemote && lane.State != settlement.LaneRemoved {
			remote = append(remote, lane.Signer)
		}
	}
	keys.Look(ctx, remote)
}
