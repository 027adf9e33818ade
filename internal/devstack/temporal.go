package devstack

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// TemporalOptions matter only when the data folder is made: a restart keeps
// what was chosen first. The namespace "default" always exists.
type TemporalOptions struct {
	Namespace string        // a second namespace, first in the Web UI; default "default"
	Retention time.Duration // of closed runs; default 7 days
	Log       io.Writer     // progress lines; default none
}

// Temporal is one server process with all services and the Web UI, on SQLite.
type Temporal struct {
	*Part
	Address   string
	Namespace string
	UIURL     string

	settings temporalSettings
}

type temporalSettings struct {
	Namespace string        `json:"namespace"`
	Retention time.Duration `json:"retention"`
}

// StartTemporal starts the server that lives in dir, or finds it running.
// Runs survive a restart, and a SIGKILL too.
func StartTemporal(ctx context.Context, dir string, opts TemporalOptions) (*Temporal, error) {
	t, err := openTemporal(dir, opts.Log)
	if err != nil {
		return nil, err
	}
	if t.settings == (temporalSettings{}) {
		t.settings = temporalSettings{Namespace: opts.Namespace, Retention: opts.Retention}
		if t.settings.Namespace == "" {
			t.settings.Namespace = "default"
		}
		if t.settings.Retention == 0 {
			t.settings.Retention = 7 * 24 * time.Hour
		}
	}
	if opts.Namespace != "" && opts.Namespace != t.settings.Namespace {
		return nil, fmt.Errorf("temporal in %s has namespace %q, not %q: wipe it to change that", dir, t.settings.Namespace, opts.Namespace)
	}
	if err := t.start(ctx, true); err != nil {
		return nil, err
	}
	t.describe()
	return t, nil
}

func openTemporal(dir string, log io.Writer) (*Temporal, error) {
	t := &Temporal{}
	part, err := openPart("temporal", dir, log, syscall.SIGTERM, &t.settings, "grpc", "ui")
	if err != nil {
		return nil, err
	}
	t.Part = part
	part.data = filepath.Join(part.dir, "temporal.db")
	var binary string
	part.setup = func(ctx context.Context) (err error) {
		binary, err = serverBinary(ctx, "temporal", part.log)
		return err
	}
	part.command = func() *exec.Cmd {
		namespaces := t.settings.Namespace
		if namespaces != "default" {
			namespaces += ",default"
		}
		return exec.Command(binary,
			"-port", fmt.Sprint(part.ports["grpc"]), "-ui-port", fmt.Sprint(part.ports["ui"]),
			"-db", part.data,
			"-namespaces", namespaces, "-retention", t.settings.Retention.String())
	}
	part.probe = t.ready
	t.describe()
	return t, nil
}

func (t *Temporal) describe() {
	t.Address = t.addr("grpc")
	t.UIURL = "http://" + t.addr("ui")
	t.Namespace = t.settings.Namespace
}

// ready asks the frontend, the namespace and the Web UI.
func (t *Temporal) ready(ctx context.Context) error {
	conn, err := grpc.NewClient(t.addr("grpc"), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return fmt.Errorf("connect to temporal: %w", err)
	}
	defer conn.Close()
	frontend := workflowservice.NewWorkflowServiceClient(conn)
	if _, err := frontend.GetSystemInfo(ctx, &workflowservice.GetSystemInfoRequest{}); err != nil {
		return fmt.Errorf("ask temporal for its version: %w", err)
	}
	for _, ns := range []string{t.settings.Namespace, "default"} {
		if _, err := frontend.DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{Namespace: ns}); err != nil {
			return fmt.Errorf("look up namespace %s: %w", ns, err)
		}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+t.addr("ui")+"/", nil)
	if err != nil {
		return fmt.Errorf("ask the web ui: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("ask the web ui: %w", err)
	}
	defer resp.Body.Close()
	page, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(strings.ToLower(string(page)), "<html") {
		return fmt.Errorf("the web ui answers %s without a page", resp.Status)
	}
	return nil
}
