// Command temporal is the dev stack's Temporal server: all four services and
// the Web UI in one process on loopback, storing to one SQLite file.
//
// A restart keeps every run, because the file does; a namespace that already
// exists keeps its retention and search attributes whatever the flags say.
// It must never be used in production: no TLS, no authorisation, one shard.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strings"
	"time"

	uiserver "github.com/temporalio/ui-server/v2/server"
	uiconfig "github.com/temporalio/ui-server/v2/server/config"
	uioptions "github.com/temporalio/ui-server/v2/server/server_options"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/server/common/cluster"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/dynamicconfig"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/membership/static"
	sqliteplugin "go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	"go.temporal.io/server/common/primitives"
	sqliteschema "go.temporal.io/server/schema/sqlite"
	"go.temporal.io/server/temporal"
	"google.golang.org/protobuf/types/known/durationpb"
)

const loopback = "127.0.0.1"

// searchAttributes are the ones that settlement workflows set. The server
// refuses a start or an upsert that names an unregistered one.
var searchAttributes = map[string]enumspb.IndexedValueType{
	"SettlementState": enumspb.INDEXED_VALUE_TYPE_KEYWORD,
	"Asset":           enumspb.INDEXED_VALUE_TYPE_KEYWORD,
	"ChainID":         enumspb.INDEXED_VALUE_TYPE_KEYWORD,
	"TxHash":          enumspb.INDEXED_VALUE_TYPE_KEYWORD,
}

type flags struct {
	port, uiPort int
	db           string
	namespaces   string
	retention    time.Duration
	logLevel     string
}

func main() {
	var f flags
	flag.IntVar(&f.port, "port", 7233, "gRPC port of the frontend")
	flag.IntVar(&f.uiPort, "ui-port", 8233, "HTTP port of the Web UI; 0 starts none")
	flag.StringVar(&f.db, "db", "", "SQLite file; empty keeps everything in memory")
	flag.StringVar(&f.namespaces, "namespaces", "default", "comma-separated namespaces to create")
	flag.DurationVar(&f.retention, "retention", 7*24*time.Hour, "how long closed runs of a new namespace are kept")
	flag.StringVar(&f.logLevel, "log-level", "warn", "debug, info, warn or error")
	flag.Parse()
	if err := run(f); err != nil {
		fmt.Fprintln(os.Stderr, "temporal:", err)
		os.Exit(1)
	}
}

// run blocks until SIGINT or SIGTERM, then stops the services in order.
func run(f flags) error {
	ports, err := freePorts(3)
	if err != nil {
		return err
	}
	hosts := map[primitives.ServiceName]int{
		primitives.FrontendService: f.port,
		primitives.HistoryService:  ports[0],
		primitives.MatchingService: ports[1],
		primitives.WorkerService:   ports[2],
	}
	store := sqlStore(f.db)
	cfg := serverConfig(store, hosts)
	if err := prepareStore(store, f); err != nil {
		return err
	}

	static := staticHosts(hosts)
	srv, err := temporal.NewServer(
		temporal.WithConfig(cfg),
		temporal.ForServices(temporal.DefaultServices),
		temporal.WithStaticHosts(static),
		temporal.WithDynamicConfigClient(dynamicConfig()),
		temporal.WithLogger(log.NewZapLogger(log.BuildZapLogger(log.Config{Stdout: true, Level: f.logLevel}))),
		temporal.InterruptOn(temporal.InterruptCh()),
	)
	if err != nil {
		return fmt.Errorf("assemble server: %w", err)
	}
	if f.uiPort != 0 {
		ui := webUI(f)
		defer ui.Stop()
		go func() {
			if err := ui.Start(); err != nil {
				fmt.Fprintln(os.Stderr, "temporal: web ui:", err)
				os.Exit(1)
			}
		}()
	}
	// Start returns only after the interrupt, once all services have stopped.
	if err := srv.Start(); err != nil {
		return fmt.Errorf("run server on port %d: %w", f.port, err)
	}
	return nil
}

// sqlStore describes the file, or a database in memory when there is none.
// WAL with synchronous=NORMAL survives a kill of the process; SQLite's own
// defaults are two to ten times slower here.
func sqlStore(file string) *config.SQL {
	if file == "" {
		return &config.SQL{
			PluginName:        sqliteplugin.PluginName,
			DatabaseName:      fmt.Sprintf("quittance-%d", os.Getpid()),
			ConnectAttributes: map[string]string{"mode": "memory", "cache": "shared"},
		}
	}
	return &config.SQL{
		PluginName:   sqliteplugin.PluginName,
		DatabaseName: file,
		ConnectAttributes: map[string]string{
			"mode":         "rwc",
			"journal_mode": "WAL",
			"synchronous":  "NORMAL",
			"busy_timeout": "10000",
		},
	}
}

// prepareStore creates schema and namespaces where they are missing. The
// schema is written to a temporary name first, so a kill in the middle leaves
// no half-made database behind.
func prepareStore(store *config.SQL, f flags) error {
	if f.db != "" {
		if _, err := os.Stat(f.db); errors.Is(err, fs.ErrNotExist) {
			if err := createFile(f.db); err != nil {
				return fmt.Errorf("create schema in %s: %w", f.db, err)
			}
		}
	}
	for name := range strings.SplitSeq(f.namespaces, ",") {
		ns, err := sqliteschema.NewNamespaceConfig("active", name, false, searchAttributes)
		if err != nil {
			return fmt.Errorf("describe namespace %q: %w", name, err)
		}
		ns.Detail.Config.Retention = durationpb.New(f.retention)
		if err := sqliteschema.CreateNamespaces(store, ns); err != nil {
			return fmt.Errorf("create namespace %q: %w", name, err)
		}
	}
	return nil
}

func createFile(db string) error {
	fresh := db + ".new"
	for _, suffix := range []string{"", "-journal", "-wal", "-shm"} {
		if err := os.RemoveAll(fresh + suffix); err != nil {
			return err
		}
	}
	// No WAL yet: everything must be in the one file that is renamed.
	err := sqliteschema.SetupSchema(&config.SQL{
		PluginName:        sqliteplugin.PluginName,
		DatabaseName:      fresh,
		ConnectAttributes: map[string]string{"mode": "rwc", "synchronous": "OFF"},
	})
	if err != nil {
		return err
	}
	return os.Rename(fresh, db)
}

func serverConfig(store *config.SQL, ports map[primitives.ServiceName]int) *config.Config {
	frontend := net.JoinHostPort(loopback, fmt.Sprint(ports[primitives.FrontendService]))
	services := map[string]config.Service{}
	for name, port := range ports {
		services[string(name)] = config.Service{RPC: config.RPC{GRPCPort: port, BindOnIP: loopback}}
	}
	const name = "sqlite"
	return &config.Config{
		Global: config.Global{
			Membership: config.Membership{MaxJoinDuration: 30 * time.Second, BroadcastAddress: loopback},
		},
		Persistence: config.Persistence{
			DefaultStore:     name,
			VisibilityStore:  name,
			NumHistoryShards: 1,
			DataStores:       map[string]config.DataStore{name: {SQL: store}},
		},
		ClusterMetadata: &cluster.Config{
			FailoverVersionIncrement: 10,
			MasterClusterName:        "active",
			CurrentClusterName:       "active",
			ClusterInformation: map[string]cluster.ClusterInformation{
				"active": {Enabled: true, InitialFailoverVersion: 1, RPCAddress: frontend},
			},
		},
		DCRedirectionPolicy: config.DCRedirectionPolicy{Policy: "noop"},
		Services:            services,
		Archival: config.Archival{
			History:    config.HistoryArchival{State: "disabled"},
			Visibility: config.VisibilityArchival{State: "disabled"},
		},
		NamespaceDefaults: config.NamespaceDefaults{
			Archival: config.ArchivalNamespaceDefaults{
				History:    config.HistoryArchivalNamespaceDefaults{State: "disabled"},
				Visibility: config.VisibilityArchivalNamespaceDefaults{State: "disabled"},
			},
		},
		PublicClient: config.PublicClient{HostPort: frontend},
	}
}

func staticHosts(ports map[primitives.ServiceName]int) map[primitives.ServiceName]static.Hosts {
	hosts := map[primitives.ServiceName]static.Hosts{}
	for name, port := range ports {
		hosts[name] = static.SingleLocalHost(net.JoinHostPort(loopback, fmt.Sprint(port)))
	}
	return hosts
}

// dynamicConfig uses one partition per task queue: on one box more of them
// only add forwarding, and the p99 with it. The request limits are those of a
// shared cloud cell and would throttle a load test before the machine does.
func dynamicConfig() dynamicconfig.StaticClient {
	return dynamicconfig.StaticClient{
		dynamicconfig.MatchingNumTaskqueueReadPartitions.Key():           1,
		dynamicconfig.MatchingNumTaskqueueWritePartitions.Key():          1,
		dynamicconfig.FrontendRPS.Key():                                  20_000,
		dynamicconfig.FrontendMaxNamespaceRPSPerInstance.Key():           20_000,
		dynamicconfig.FrontendMaxNamespaceVisibilityRPSPerInstance.Key(): 200,
	}
}

func webUI(f flags) *uiserver.Server {
	first, _, _ := strings.Cut(f.namespaces, ",")
	return uiserver.NewServer(uioptions.WithConfigProvider(&uiconfig.Config{
		TemporalGRPCAddress: net.JoinHostPort(loopback, fmt.Sprint(f.port)),
		Host:                loopback,
		Port:                f.uiPort,
		EnableUI:            true,
		DefaultNamespace:    first,
		DisableNewsFetch:    true,
		HideLogs:            true,
		CORS:                uiconfig.CORS{CookieInsecure: true},
	}))
}

// freePorts holds all listeners until the last is chosen, so that no port is
// returned twice.
func freePorts(n int) ([]int, error) {
	var ports []int
	for range n {
		l, err := net.Listen("tcp", net.JoinHostPort(loopback, "0"))
		if err != nil {
			return nil, fmt.Errorf("find a free port: %w", err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
