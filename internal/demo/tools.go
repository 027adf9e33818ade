package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/quittance/quittance/internal/devstack"
)

// starter runs one command and decodes its JSON object; the exit code is an answer, not an error.
func (d *demo) starter(ctx context.Context, into any, args ...string) (code int, err error) {
	cmd := d.command(ctx, append(args, "-o", "json")...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		return -1, fmt.Errorf("starter %v: %w", args, err)
	}
	code = cmd.ProcessState.ExitCode()
	if into != nil && stdout.Len() > 0 {
		if err := json.Unmarshal(stdout.Bytes(), into); err != nil {
			return code, fmt.Errorf("starter %v printed %q: %w", args, stdout.String(), err)
		}
	}
	if code == 1 || into != nil && stdout.Len() == 0 {
		return code, fmt.Errorf("starter %v: exit %d: %s", args, code, bytes.TrimSpace(stderr.Bytes()))
	}
	return code, nil
}

func (d *demo) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(d.root, "bin", "starter"), args...)
	cmd.Env = d.env()
	return cmd
}

// until polls a condition; what it waits for is said when it waits in vain.
func until(ctx context.Context, what string, done func() (bool, error)) error {
	for {
		ok, err := done()
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		if ok {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waited in vain until %s: %w", what, context.Cause(ctx))
		case <-time.After(200 * time.Millisecond):
		}
	}
}

func (d *demo) address(variable string) (string, error) {
	env, err := devstack.ReadEnv(d.world.Stack.Dir)
	return env[variable], err
}

func (d *demo) healthy(ctx context.Context, variable string) error {
	address, err := d.address(variable)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	return until(ctx, variable+" answers on /healthz", func() (bool, error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/healthz", nil)
		if err != nil {
			return false, err
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			return false, nil // not up yet
		}
		defer answer.Body.Close()
		return answer.StatusCode == http.StatusOK, nil
	})
}

// scrape sums a service's metrics by name and the value of one label (empty: without).
func (d *demo) scrape(ctx context.Context, variable string) (map[string]float64, error) {
	address, err := d.address(variable)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("scrape %s: %w", variable, err)
	}
	defer answer.Body.Close()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(answer.Body)
	if err != nil {
		return nil, fmt.Errorf("read the metrics of %s: %w", variable, err)
	}
	sums := map[string]float64{}
	for name, family := range families {
		for _, m := range family.GetMetric() {
			value := m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
			sums[name] += value
			for _, l := range m.GetLabel() {
				sums[name+"/"+l.GetValue()] += value
			}
		}
	}
	return sums, nil
}
