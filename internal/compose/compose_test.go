// Package compose holds no code, only tests of docker-compose.yml and the Dockerfile: they are read as Compose reads them
// and compared with the configuration structs and the pinned modules. No container is started.
package compose

import (
	"maps"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"

	"github.com/quittance/quittance/internal/config"
)

const root = "../.."

func project(t *testing.T) *types.Project {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{filepath.Join(root, "docker-compose.yml")}, cli.WithProfiles([]string{"cli"}))
	if err != nil {
		t.Fatal(err)
	}
	p, err := options.LoadProject(t.Context())
	if err != nil {
		t.Fatalf("docker-compose.yml is refused: %v", err)
	}
	return p
}

func servers() []string { return []string{"geth", "nats", "postgres", "temporal", "temporal-ui"} }
func ours() []string    { return []string{"listener", "relay", "worker"} }
func steps() []string {
	return []string{"dev-genesis", "genesis", "settle-in", "temporal-schema", "temporal-settings"}
}

func TestTheStackHasEveryServerServiceAndStep(t *testing.T) {
	t.Parallel()
	want := slices.Sorted(slices.Values(slices.Concat(servers(), ours(), steps(), []string{"starter"})))
	if got := slices.Sorted(maps.Keys(project(t).Services)); !slices.Equal(got, want) {
		t.Errorf("services %v, want %v", got, want)
	}
}

func TestEveryImageIsPinned(t *testing.T) {
	t.Parallel()
	exact := regexp.MustCompile(`^[a-z/-]+:v?\d+\.\d+(\.\d+)?(-[a-z]+)?$`)
	for name, s := range project(t).Services {
		switch {
		case s.Build != nil && s.Image != "quittance:dev":
			t.Errorf("%s is built as %q", name, s.Image)
		case s.Build == nil && !exact.MatchString(s.Image):
			t.Errorf("%s: image %q does not name an exact version", name, s.Image)
		}
	}
}

func TestServersAreOfTheVersionsThatAreTestedAgainst(t *testing.T) {
	t.Parallel()
	p := project(t)
	for _, row := range []struct{ services, image, mod, module, why string }{
		{"geth dev-genesis", "ethereum/client-go:v", "go.mod", "github.com/ethereum/go-ethereum", "genesis and flags fit this version"},
		{"temporal", "temporalio/server:", "internal/devstack/servers/go.mod", "go.temporal.io/server", "same server as in the tests"},
		{"temporal-schema temporal-settings", "temporalio/admin-tools:", "internal/devstack/servers/go.mod", "go.temporal.io/server", "the schema belongs to the server"},
		{"temporal-ui", "temporalio/ui:", "internal/devstack/servers/go.mod", "github.com/temporalio/ui-server/v2", "same UI as in the tests"},
	} {
		want := row.image + moduleVersion(t, row.mod, row.module)
		for name := range strings.FieldsSeq(row.services) {
			if got := p.Services[name].Image; got != want {
				t.Errorf("%s: image %s, want %s: %s", name, got, want, row.why)
			}
		}
	}
}

func moduleVersion(t *testing.T, file, module string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^\s*` + regexp.QuoteMeta(module) + ` v(\S+)`).FindSubmatch(raw)
	if found == nil {
		t.Fatalf("%s does not require %s", file, module)
	}
	return string(found[1])
}

func TestPortsAreOnLoopbackAndTakenOnce(t *testing.T) {
	t.Parallel()
	taken := map[string]string{}
	for name, s := range project(t).Services {
		for _, port := range s.Ports {
			if port.HostIP != "127.0.0.1" {
				t.Errorf("%s publishes %s on %q", name, port.Published, port.HostIP)
			}
			if other := taken[port.Published]; other != "" {
				t.Errorf("%s and %s both publish %s", name, other, port.Published)
			}
			taken[port.Published] = name
		}
		if len(s.Ports) == 0 && slices.Contains(slices.Concat(servers(), ours()), name) {
			t.Errorf("%s cannot be reached: no port", name)
		}
	}
}

func TestWhatRunsIsProbedAndWhatIsNeededIsWaitedFor(t *testing.T) {
	t.Parallel()
	p := project(t)
	for name, s := range p.Services {
		runs := slices.Contains(slices.Concat(servers(), ours()), name)
		if probed := s.HealthCheck != nil && len(s.HealthCheck.Test) > 0; probed != runs {
			t.Errorf("%s: health check %v, want %v", name, probed, runs)
		}
		for needed, how := range s.DependsOn {
			want := types.ServiceConditionHealthy
			if slices.Contains(steps(), needed) {
				want = types.ServiceConditionCompletedSuccessfully
			}
			if how.Condition != want {
				t.Errorf("%s waits for %s by %s, want %s", name, needed, how.Condition, want)
			}
		}
	}
	for _, name := range append(ours(), "starter") {
		for _, step := range []string{"settle-in", "temporal-settings"} {
			if _, waits := p.Services[name].DependsOn[step]; !waits {
				t.Errorf("%s does not wait for %s", name, step)
			}
		}
	}
}

// environ is what a service's process finds; every value must be given in the file.
func environ(t *testing.T, s types.ServiceConfig) []string {
	t.Helper()
	var list []string
	for name, value := range s.Environment {
		if value == nil {
			t.Fatalf("%s takes %s from the user's shell", s.Name, name)
		}
		list = append(list, name+"="+*value)
	}
	return list
}

func TestOurServicesAreGivenWhatTheyReadAndNothingElse(t *testing.T) {
	t.Parallel()
	p := project(t)
	for _, row := range []struct {
		name  string
		of    any
		load  func([]string) error
		httpd string
	}{
		{"worker", config.Worker{}, func(e []string) error { _, err := config.LoadWorker(e); return err }, "WORKER_HTTP_ADDRESS"},
		{"listener", config.Listener{}, func(e []string) error { _, err := config.LoadListener(e); return err }, "LISTENER_HTTP_ADDRESS"},
		{"relay", config.Relay{}, func(e []string) error { _, err := config.LoadRelay(e); return err }, "RELAY_HTTP_ADDRESS"},
		{"starter", config.Starter{}, func(e []string) error { _, err := config.LoadStarter(e); return err }, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := p.Services[row.name]
			known := append(tags(reflect.TypeOf(row.of)), config.DirVariable)
			for name := range s.Environment {
				if !slices.Contains(known, name) {
					t.Errorf("%s is given, but %s does not read it", name, row.name)
				}
			}
			if err := row.load(environ(t, s)); err != nil {
				t.Errorf("it would not start: %v", err)
			}
			if row.httpd == "" {
				return
			}
			address := s.Environment[row.httpd]
			if address == nil {
				t.Fatalf("%s is not given: it would listen on its container's loopback", row.httpd)
			}
			_, port, err := net.SplitHostPort(*address)
			if err != nil {
				t.Fatal(err)
			}
			if s.Ports[0].Published != port || !strings.Contains(strings.Join(s.HealthCheck.Test, " "), ":"+port+"/healthz") {
				t.Errorf("it listens on %s, publishes %s and is probed by %v", port, s.Ports[0].Published, s.HealthCheck.Test)
			}
		})
	}
}

// tags lists the variables of a configuration struct and of those embedded in it.
func tags(of reflect.Type) []string {
	var names []string
	for i := range of.NumField() {
		field := of.Field(i)
		if field.Anonymous {
			names = append(names, tags(field.Type)...)
		} else if name := field.Tag.Get("env"); name != "" {
			names = append(names, name)
		}
	}
	return names
}

func TestTheImageHoldsEveryProgramThatIsRunAndRunsUnprivileged(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join(root, "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	dockerfile := string(raw)
	for name, s := range project(t).Services {
		if s.Build == nil {
			continue
		}
		program := filepath.Base(append(slices.Clone(s.Entrypoint), s.Command...)[0])
		if !regexp.MustCompile(`(?m)go build .* \./(\S+/)?` + program + `(\s|$)`).MatchString(dockerfile) {
			t.Errorf("%s runs %s, which the image does not build", name, program)
		}
	}
	_, final, _ := strings.Cut(dockerfile, "\nFROM ")
	if !regexp.MustCompile(`(?m)^USER [1-9]\d*:`).MatchString(final) {
		t.Error("the image runs as root")
	}
}
