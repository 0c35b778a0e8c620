package main_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"usher/internal/sandbox"
)

// BenchmarkIntake measures the latency, in milliseconds, of small jobs over HTTP that
// arrive at 1,000 per second for ten seconds, whatever the responses take: at a worker
// without slots, and at one that runs the jobs meanwhile. Client, server, NATS and the
// platform share the cores. NATS does not sync to disk. Requests that are refused with 503
// are counted. The goal is a p99 of 50 ms, and none refused.
func BenchmarkIntake(b *testing.B) {
	for name, settings := range map[string][]string{
		"idle": {"USHER_LANES_AUDIENCE=0", "USHER_LANES_BULK=0", "USHER_LANES_CAMPAIGN=0", "USHER_LANES_RULES=0"}, "working": nil,
	} {
		b.Run(name, func(b *testing.B) {
			d := newDeploymentWithServers(b, startUnsyncedNATS(b), startRedisProcess(b), sandbox.Options{})
			d.startPlatformProcess()
			_, o := d.serveHTTP(settings...)
			var latencies []time.Duration
			var refused atomic.Int64
			round := 0
			for b.Loop() {
				latencies = append(latencies, d.sendSteadily(b, o, round, &refused)...)
				round++
			}
			slices.Sort(latencies)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(refused.Load()), "refused")
			b.ReportMetric(float64(latencies[len(latencies)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(latencies[len(latencies)*99/100].Microseconds())/1000, "p99-ms")
		})
	}
}

// sendSteadily sends 10,000 jobs, one each millisecond, and returns how long after its time
// each was answered.
func (d *deployment) sendSteadily(b *testing.B, o overHTTP, round int, refused *atomic.Int64) []time.Duration {
	b.Helper()
	const jobs, every = 10_000, time.Millisecond
	latencies := make([]time.Duration, jobs)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}
	defer client.CloseIdleConnections()
	var sending sync.WaitGroup
	start := time.Now()
	for i := range jobs {
		due := start.Add(time.Duration(i) * every)
		time.Sleep(time.Until(due))
		sending.Go(func() {
			body := asJSON(d.inlineJob(fmt.Sprintf("job-%d-%d", round, i)))
			r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, o.url+"/v1/jobs/segment.add", strings.NewReader(body))
			if err != nil {
				b.Error(err)
				return
			}
			r.Header.Set("Authorization", "Bearer "+o.token)
			answer, err := client.Do(r)
			if err != nil {
				b.Error(err)
				return
			}
			_ = answer.Body.Close()
			switch answer.StatusCode {
			case http.StatusAccepted:
			case http.StatusServiceUnavailable:
				refused.Add(1)
			default:
				b.Error(answer.Status)
			}
			latencies[i] = time.Since(due)
		})
	}
	sending.Wait()
	return latencies
}
