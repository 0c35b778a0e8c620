package main_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"usher"
	"usher/internal/sandbox"
)

// A worker is killed while it carries out many removals together. Each ends once, with its
// own tally, and an add that was published behind them finds them all done.
func TestKillAmongRemovals(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	const jobs, stay = 40, 5
	var all []string
	for i := range jobs + stay {
		all = append(all, optOutID(i))
	}
	d.publish(usher.SegmentAdd, job{"id": "before", "segment": "1", "profile": "idfa", "source": job{"ids": all}})
	d.publishOptOuts(jobs)
	d.publish(usher.SegmentAdd, job{"id": "after", "segment": "1", "profile": "idfa", "source": job{"ids": all[:stay]}})
	events := make(chan *nats.Msg, 20*jobs)
	if _, err := d.nc.ChanSubscribe("usher.events.>", events); err != nil {
		t.Fatal(err)
	}
	d.control("POST", "faults", job{"op": "segments.remove-user", "kind": "hang", "times": 1000, "after": jobs / 4}, nil)
	first := d.worker("first")
	eventually(t, "some removals have ended, and others are under way", func() bool { return len(d.journal("segments.remove-user")) >= jobs/4 })
	first.kill()
	d.control("DELETE", "faults", nil, nil)
	d.worker("second")
	if r := d.ended("after"); r.State != usher.Done || r.Tally.Accepted != stay {
		t.Errorf("the add behind them: %s", recordText(r))
	}
	crashes := 0
	for i := range jobs {
		r := d.record(fmt.Sprintf("opt-out-%d", i))
		if r.State != usher.Done || r.Attempts != 1 || r.Crashes > 1 || r.Tally.Read != 1 || r.Tally.Accepted != 1 {
			t.Errorf("a removal: %s", recordText(r))
		}
		crashes += r.Crashes
	}
	if m := d.members("segments/1"); m.Count != 2*stay {
		t.Errorf("%d members, not %d", m.Count, 2*stay)
	}
	if crashes < 2 {
		t.Errorf("%d jobs were under way when the worker was killed", crashes)
	}
	ended := map[string]bool{}
	for len(ended) < jobs+2 {
		if m := <-events; strings.Contains(string(m.Data), `"state":"done"`) {
			ended[m.Header.Get("Nats-Msg-Id")] = true
		}
	}
}

// optOutID returns the id that the i-th removal of publishOptOuts removes.
func optOutID(i int) string { return fmt.Sprintf("6D92078A-8246-4BA4-AE5B-%012d", i) }

// BenchmarkOptOuts measures how many removals of one id, on one segment, one worker ends in a
// second, while others wait. calls/job is the number of calls of the platform for each. NATS
// syncs every write to disk.
func BenchmarkOptOuts(b *testing.B) {
	const measured = 1_000
	for _, waiting := range []int{0, 1_000, 100_000} {
		b.Run(fmt.Sprint(waiting), func(b *testing.B) {
			for b.Loop() {
				d := newDeploymentOn(b, sandbox.Options{}, "USHER_PLATFORM_RATE=5000", "USHER_PLATFORM_BURST=100")
				ended := make(chan *nats.Msg, measured+waiting)
				if _, err := d.nc.ChanSubscribe("usher.events.>", ended); err != nil {
					b.Fatal(err)
				}
				d.publishOptOuts(waiting + measured)
				d.worker("worker")
				var began time.Time
				for n := -10; n < measured-10; {
					if m := <-ended; strings.Contains(string(m.Data), `"state":"done"`) {
						if n++; n == 0 {
							began = time.Now()
						}
					}
				}
				took := time.Since(began).Seconds()
				b.ReportMetric((measured-10)/took, "jobs/s")
				b.ReportMetric(took*1000/(measured-10), "ms/job")
				b.ReportMetric(float64(len(d.journal("")))/float64(measured), "calls/job")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// publishOptOuts publishes removals of one id each from one segment.
func (d *deployment) publishOptOuts(n int) {
	d.t.Helper()
	for i := range n {
		body := fmt.Sprintf(`{"id":"opt-out-%d","segment":"1","profile":"idfa","source":{"ids":[%q]}}`, i, optOutID(i))
		if _, err := d.js.PublishAsync("usher.jobs."+string(usher.SegmentRemove), []byte(body)); err != nil {
			d.t.Fatal(err)
		}
		if i%1000 == 999 {
			<-d.js.PublishAsyncComplete()
		}
	}
	<-d.js.PublishAsyncComplete()
}

// BenchmarkDrain measures how fast one worker ends removals of one id on one segment, on which 100,000
// wait, as a share of the rate limit without its reserve for campaign jobs: the first 5,000, or with
// USHER_BENCH_LARGE=1 all, which takes 21 minutes.
func BenchmarkDrain(b *testing.B) {
	const waiting, burst = 100_000, 200
	measured := 5_000
	if os.Getenv("USHER_BENCH_LARGE") != "" {
		measured = waiting - burst
	}
	limit := usher.Rate{PerSecond: 100} // of a new installation
	for b.Loop() {
		d := newDeployment(b, fmt.Sprintf("USHER_PLATFORM_RATE=%v", limit.PerSecond))
		ended := make(chan *nats.Msg, 5*waiting)
		if _, err := d.nc.ChanSubscribe("usher.events.>", ended); err != nil {
			b.Fatal(err)
		}
		d.publishOptOuts(waiting)
		d.worker("worker")
		var began time.Time
		for n := -burst; n < measured; {
			if m := <-ended; strings.Contains(string(m.Data), `"state":"done"`) {
				if n++; n == 0 {
					began = time.Now()
				}
			}
		}
		b.ReportMetric(float64(measured)/time.Since(began).Seconds()/limit.Shared(), "of-the-limit")
	}
	b.ReportMetric(0, "ns/op")
}
