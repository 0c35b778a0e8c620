package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
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
			p := newDeploymentOn(b, sandbox.Options{})
			p.startPlatformProcess()
			p.worker("worker")
			ready := func() {}
			if busy {
				ready = p.keepUploading(b)
			}
			measure(b, p, "campaigns.set-status", ready, func(i int) string {
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
			p := newDeploymentOn(b, sandbox.Options{}, "USHER_RULES_FILES="+file)
			p.startPlatformProcess()
			p.worker("worker")
			ready := func() {}
			if busy {
				ready = p.keepUploading(b)
			}
			measure(b, p, "campaigns.set-status", ready, func(i int) string {
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

// measure publishes jobs one at a time, each after ready returns, and reports the
// latency from each publication to the platform's call of op. publish returns the id of
// the job whose end completes the round.
func measure(b *testing.B, p *deployment, op string, ready func(), publish func(i int) (last string)) {
	b.Helper()
	ended := make(chan *nats.Msg, 1000)
	if _, err := p.nc.ChanSubscribe("usher.events.>", ended); err != nil {
		b.Fatal(err)
	}
	var published []time.Time
	round := func() {
		ready()
		published = append(published, time.Now())
		id := publish(len(published) - 1)
		for m := range ended {
			// The event and not the record, which takes requests that would compete with the job.
			var e usher.Event
			if err := json.Unmarshal(m.Data, &e); err != nil {
				b.Fatal(err)
			}
			if e.ID == id && e.State.Ended() {
				break
			}
		}
	}
	round() // logs in and is not counted
	for b.Loop() {
		round()
	}
	b.ReportMetric(0, "ns/op") // it includes ready
	calls := p.journal(op)
	if len(calls) != len(published) {
		b.Fatalf("%d calls of %s in %d rounds", len(calls), op, len(published))
	}
	var latencies []time.Duration
	for i := range b.N {
		latencies = append(latencies, calls[i+1].At.Sub(published[i+1]))
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
func (d *deployment) startPlatformProcess() {
	d.t.Helper()
	self, err := os.Executable()
	if err != nil {
		d.t.Fatal(err)
	}
	at := fmt.Sprintf("127.0.0.1:%d", freePort(d.t))
	startProcess(d.t, "sandbox", []string{asUsher + "=1"}, self, "sandbox", "--listen", at, "--members", "fingerprint")
	d.server.URL = "http://" + at
	d.env = append(d.env, "USHER_PLATFORM_URL="+d.server.URL)
	eventually(d.t, "the platform answers", func() bool {
		response, err := http.Get(d.server.URL + "/sandbox/journal")
		if err == nil {
			_ = response.Body.Close()
		}
		return err == nil
	})
}

// uploadJobs is the number of uploads that keepUploading keeps published. It is more than
// a worker has slots, so that a slot that ends its upload or part finds another one.
const uploadJobs = 6

// keepUploading uploads a large export again and again until the benchmark ends. The
// returned function waits until at least two uploads are running and the platform has
// received another batch. Without that wait, a job would arrive while uploads are still
// paused for the previous job.
func (d *deployment) keepUploading(b *testing.B) (progressed func()) {
	b.Helper()
	path := writeIDFile(b, d.exports, 5_000_000)
	var published, running atomic.Int64
	publish := func() {
		body, err := json.Marshal(d.addJob(fmt.Sprintf("big-%d", published.Add(1)), path))
		if err == nil {
			err = d.nc.Publish("usher.jobs.segment.add", body)
		}
		if err != nil {
			b.Error(err)
		}
	}
	subscription, err := d.nc.Subscribe("usher.events.*", func(m *nats.Msg) {
		var e usher.Event
		if err := json.Unmarshal(m.Data, &e); err != nil {
			b.Error(err)
		}
		switch {
		case e.Kind != usher.SegmentAdd:
		case e.State == usher.Running:
			running.Add(1)
		case e.State.Ended() && e.State != usher.Done:
			b.Errorf("upload %s: %s, %+v", e.ID, e.State, e.Error)
		default: // done, or to be taken again
			running.Add(-1)
			if e.State == usher.Done {
				publish()
			}
		}
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = subscription.Unsubscribe() })
	for range uploadJobs {
		publish()
	}
	var seq int64
	return func() {
		since := time.Now()
		eventually(b, "two uploads are running and the platform receives another batch", func() bool {
			var entries []journalEntry
			d.control("GET", fmt.Sprintf("journal?since=%d", seq), nil, &entries)
			if len(entries) > 0 {
				seq = entries[len(entries)-1].Seq
			}
			return running.Load() >= 2 && slices.ContainsFunc(entries, func(e journalEntry) bool {
				return e.Op == "segments.upload" && e.At.After(since)
			})
		})
	}
}
