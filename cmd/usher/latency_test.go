package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"usher"
	"usher/internal/sandbox"
)

// BenchmarkPause measures the latency from the publication of a pause to the
// platform's status POST, in milliseconds: on an idle worker, and during large
// uploads that use all cores, which NATS, Redis, the platform and the worker share.
// The goal is a p99 of 50 ms.
func BenchmarkPause(b *testing.B) {
	for _, busy := range []bool{false, true} {
		b.Run(map[bool]string{false: "idle", true: "uploading"}[busy], func(b *testing.B) {
			p := newPlantOn(b, sandbox.Options{})
			p.startPlatformProcess()
			p.worker("worker")
			if busy {
				p.keepUploading(b)
			}
			measure(b, p, "campaigns.set-status", func(i int) string {
				kind := usher.CampaignPause
				if i%2 == 1 {
					kind = usher.CampaignResume
				}
				id := fmt.Sprintf("action-%d", i)
				p.publish(kind, job{"id": id, "campaign": "SANDBOX1-spring"})
				return id
			})
		})
	}
}

// BenchmarkEvent measures the latency from the publication of a metrics event, for
// which rules are evaluated, to the platform's status POST. The goal is a p99 of
// 50 ms.
func BenchmarkEvent(b *testing.B) {
	for _, busy := range []bool{false, true} {
		b.Run(map[bool]string{false: "idle", true: "uploading"}[busy], func(b *testing.B) {
			file := filepath.Join(b.TempDir(), "budgets.yaml")
			if err := os.WriteFile(file, []byte(eventRules), 0o600); err != nil {
				b.Fatal(err)
			}
			p := newPlantOn(b, sandbox.Options{}, "USHER_RULES_FILES="+file)
			p.startPlatformProcess()
			p.worker("worker")
			if busy {
				p.keepUploading(b)
			}
			measure(b, p, "campaigns.set-status", func(i int) string {
				spent, verb := 97, "pause"
				if i%2 == 1 {
					spent, verb = 10, "resume"
				}
				id := fmt.Sprintf("event-%d", i)
				p.publish(usher.RulesEvaluate, job{"id": id, "rules": "budgets", "metrics": job{
					"campaign": "SANDBOX1-spring", "at": time.Now(), "values": job{"grossMediaSpend": spent, "budget": 100},
				}})
				return id + ".SANDBOX1-spring." + verb
			})
		})
	}
}

const eventRules = `
account: SANDBOX1
timezone: Europe/London
rules:
  - name: stop
    scope: {campaigns: ["SANDBOX1-*"]}
    window: today
    pause_when: grossMediaSpend >= 0.95 * budget
    resume_when: grossMediaSpend < 0.80 * budget
`

// measure publishes jobs one at a time and reports the latency from each publication
// to the platform's call of op. publish returns the id of the job whose end completes
// the round.
func measure(b *testing.B, p *plant, op string, publish func(i int) (last string)) {
	ended := make(chan *nats.Msg, 1000)
	if _, err := p.nc.ChanSubscribe("usher.events.>", ended); err != nil {
		b.Fatal(err)
	}
	var published []time.Time
	b.ResetTimer()
	for i := range b.N + 1 { // the first round logs in and is not counted
		published = append(published, time.Now())
		id := publish(i)
		for m := range ended {
			if m.Subject == "usher.events."+id && p.record(id).State.Ended() {
				break
			}
		}
	}
	b.StopTimer()
	calls := p.journal(op)
	if len(calls) != b.N+1 {
		b.Fatalf("%d calls of %s in %d rounds", len(calls), op, b.N)
	}
	var latencies []time.Duration
	for i, call := range calls[1:] {
		latencies = append(latencies, call.At.Sub(published[i+1]))
	}
	slices.Sort(latencies)
	for _, percent := range []int{50, 99} {
		at := latencies[min(len(latencies)*percent/100, len(latencies)-1)]
		b.ReportMetric(float64(at.Microseconds())/1000, fmt.Sprintf("p%d-ms", percent))
	}
}

// startPlatformProcess runs the platform in its own process, so that receiving
// uploads does not delay publishing in this one. It keeps fingerprints instead of
// sets of digests, which would dominate the latency.
func (p *plant) startPlatformProcess() {
	p.t.Helper()
	self, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	at := fmt.Sprintf("127.0.0.1:%d", freePort(p.t))
	startProcess(p.t, "sandbox", []string{asUsher + "=1"}, self, "sandbox", "--listen", at, "--members", "fingerprint")
	p.server.URL = "http://" + at
	p.env = append(p.env, "USHER_PLATFORM_URL="+p.server.URL)
	eventually(p.t, "the platform answers", func() bool {
		response, err := http.Get(p.server.URL + "/sandbox/journal")
		if err == nil {
			_ = response.Body.Close()
		}
		return err == nil
	})
}

// keepUploading keeps two uploads of a large export running until the benchmark
// ends.
func (p *plant) keepUploading(b *testing.B) {
	path := writeIDFile(b, p.exports, 5_000_000)
	p.publish(usher.SegmentAdd, p.addJob("big-0", path))
	p.publish(usher.SegmentAdd, p.addJob("big-1", path))
	next := 2
	subscription, err := p.nc.Subscribe("usher.events.*", func(m *nats.Msg) {
		if !strings.HasPrefix(m.Subject, "usher.events.big-") || !strings.Contains(string(m.Data), `"state":"done"`) {
			return
		}
		body, err := json.Marshal(p.addJob(fmt.Sprintf("big-%d", next), path))
		if err == nil {
			err = p.nc.Publish("usher.jobs.segment.add", body)
		}
		if err != nil {
			b.Error(err)
		}
		next++
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = subscription.Unsubscribe() })
	eventually(b, "an upload is running", func() bool { return p.record("big-0").State == usher.Running })
}
