package main

import (
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"

	"usher"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/embedded"
	"usher/internal/feeds"
	"usher/internal/fleet"
	"usher/internal/intake"
	"usher/queues"
	"usher/queues/backups"
	"usher/queues/decisions"
	"usher/queues/heads"
	"usher/queues/letters"
)

// registerMetrics registers all metrics of a worker except usher_build_info.
func registerMetrics(t *testing.T, registry prometheus.Registerer) {
	t.Helper()
	server, err := embedded.StartNATS(t.Context(), "127.0.0.1:0", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	nc, err := nats.Connect(server.URL(), nats.Timeout(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	o := queues.Options{Metrics: registry}
	if err := queues.Declare(t.Context(), js, o); err != nil {
		t.Fatal(err)
	}
	q, err := queues.Open(t.Context(), nc, o)
	if err != nil {
		t.Fatal(err)
	}
	registry.MustRegister(queues.NewCollector(q, letters.New(q).Count))
	registry.MustRegister(feeds.NewCollector(feeds.NewStates(q), slog.New(slog.DiscardHandler)))
	registry.MustRegister(decisions.NewBlindCollector(decisions.New(q, registry), slog.New(slog.DiscardHandler)))
	registry.MustRegister(heads.NewCollector(heads.In(q.Store()), slog.New(slog.DiscardHandler)))
	registry.MustRegister(backups.NewCollector(q.Store(), q.Now, slog.New(slog.DiscardHandler)))
	rdb := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1"}) // never connects
	t.Cleanup(func() { _ = rdb.Close() })
	f := fleet.New(rdb, fleet.Options{Metrics: registry})
	t.Cleanup(f.Close)
	c, err := config.Defaults()
	if err != nil {
		t.Fatal(err)
	}
	intake.New(intake.Options{Metrics: registry})
	if _, err := newPlatform(c, f, &advertisers{config: c}, registry, time.Now, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
}

// The dashboard, the alerts and the autoscaler use only metrics that usher
// exports.
func TestDeployedMetricsExist(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, m := range metricsInCode(t) {
		names[m.name] = true
	}
	for _, file := range []string{"deploy/grafana/dashboards/usher.json", "deploy/prometheus/alerts.yml", "deploy/chart/templates/scaledobject.yaml"} {
		text, err := os.ReadFile(atRoot(file))
		if err != nil {
			t.Fatal(err)
		}
		used := regexp.MustCompile(`\busher_[a-z_]+[a-z]\b`).FindAllString(string(text), -1)
		if len(used) == 0 {
			t.Errorf("%s uses no metric of usher", file)
		}
		for _, name := range used {
			if base := regexp.MustCompile(`_(bucket|count|sum)$`).ReplaceAllString(name, ""); !names[name] && !names[base] {
				t.Errorf("%s uses %s, which usher does not export", file, name)
			}
		}
	}
}

// A worker that has just started exports each counter that an alert watches, at 0, because
// Prometheus sees no increase in a series that begins at 1.
func TestAlertsSeeTheFirstEvent(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	registerMetrics(t, registry)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	series := map[string]int{} // by name, by name{label="value"}, and by name with all labels
	for _, f := range families {
		for _, m := range f.GetMetric() {
			series[f.GetName()]++
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
				series[fmt.Sprintf("%s{%s}", f.GetName(), labels[len(labels)-1])]++
			}
			if len(labels) > 1 {
				series[fmt.Sprintf("%s{%s}", f.GetName(), strings.Join(labels, ","))]++
			}
			if m.GetCounter().GetValue() != 0 {
				t.Errorf("%s begins at %v", f.GetName(), m.GetCounter().GetValue())
			}
		}
	}
	text, err := os.ReadFile(atRoot("deploy/prometheus/alerts.yml"))
	if err != nil {
		t.Fatal(err)
	}
	watched := regexp.MustCompile(`increase\((usher_\w+(?:\{[^}]*\})?)\[`).FindAllStringSubmatch(string(text), -1)
	if len(watched) < 4 {
		t.Fatalf("alerts.yml watches the increase of %d series", len(watched))
	}
	for _, w := range watched {
		if series[w[1]] == 0 {
			t.Errorf("%s is not exported before its first event", w[1])
		}
	}
	if n := series["usher_dead_letters_total"]; n != len(usher.Classes()) {
		t.Errorf("usher_dead_letters_total has %d series, want one for each of %d classes", n, len(usher.Classes()))
	}
}

// Each alert has a summary, a runbook and a known severity.
func TestAlertsHaveRunbooks(t *testing.T) {
	t.Parallel()
	rules := alertRules(t)
	if len(rules) < 10 {
		t.Fatalf("the file has %d rules, want at least 10", len(rules))
	}
	for _, rule := range rules {
		if rule.Alert == "" || rule.Annotations.Summary == "" || rule.Annotations.Runbook == "" || rule.Labels.Severity != "page" && rule.Labels.Severity != "ticket" {
			t.Errorf("incomplete alert %+v", rule)
		}
	}
}

// promtool accepts the configuration and the alerts, and its unit tests of the
// alerts pass.
func TestPromtool(t *testing.T) {
	t.Parallel()
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("no promtool: .ci/setup installs it")
	}
	for _, args := range [][]string{
		{"check", "config", "prometheus.yml"}, {"check", "rules", "alerts.yml"}, {"test", "rules", "alerts_test.yml"},
	} {
		cmd := exec.CommandContext(t.Context(), promtool, args...)
		cmd.Dir = atRoot(filepath.Join("deploy", "prometheus"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %v: %v\n%s", args, err, out)
		}
	}
}
