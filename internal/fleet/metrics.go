package fleet

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/quittance/quittance/internal/devstack"
)

func (f *Fleet) address(service string) (string, error) {
	env, err := devstack.ReadEnv(f.World.Stack.Dir)
	return env[strings.ToUpper(service)+"_HTTP_ADDRESS"], err
}

// Vacant reports which of the services' addresses are taken, and what to do about it.
func (f *Fleet) Vacant(ctx context.Context) error {
	var taken []string
	for _, name := range Services {
		address, err := f.address(name)
		if err != nil {
			return err
		}
		conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", address)
		if err == nil {
			taken = append(taken, name+" ("+address+")")
			_ = conn.Close() // nothing was said
		}
	}
	if len(taken) > 0 {
		return fmt.Errorf("somebody listens already where these are to run: %s: stop the services of %s first, or use another stack with DEVSTACK_DIR",
			strings.Join(taken, ", "), f.World.Stack.Dir)
	}
	return nil
}

// Healthy waits until a service says on /healthz that it is.
func (f *Fleet) Healthy(ctx context.Context, service string) error {
	address, err := f.address(service)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	return Until(ctx, service+" answers on /healthz", func() (bool, error) {
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

// Metrics are sums of a service's metrics, by name and by "name/value of one label". Of a histogram it is the count.
type Metrics map[string]float64

// Scrape reads a service's /metrics.
func (f *Fleet) Scrape(ctx context.Context, service string) (Metrics, error) {
	address, err := f.address(service)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("scrape %s: %w", service, err)
	}
	defer answer.Body.Close()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(answer.Body)
	if err != nil {
		return nil, fmt.Errorf("read the metrics of %s: %w", service, err)
	}
	sums := Metrics{}
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
