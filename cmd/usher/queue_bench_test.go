package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/internal/sandbox"
	"usher/queues"
	"usher/queues/lanes"
)

// BenchmarkHandler measures the latency, in microseconds, from the publication of a
// pause until its handler may act, that is, until the worker has the lease: on an
// idle server, and while hundreds of audience jobs wait and all slots of their lane
// are busy. For comparison it measures, in turn, a plain message on the same server,
// from publish to fetch. The pause takes one more call of NATS, which writes the lease
// into its record. About one round in a hundred meets a garbage collection, which costs
// it 1 to 2 ms. NATS does not sync to disk, because that would dominate the latency.
func BenchmarkHandler(b *testing.B) {
	for _, busy := range []bool{false, true} {
		b.Run(map[bool]string{false: "idle", true: "full"}[busy], func(b *testing.B) {
			d := newDeploymentWithServers(b, startUnsyncedNATS(b), startRedisProcess(b), sandbox.Options{})
			if busy {
				d.fillAudience(b)
			}
			campaign, bare := d.lane(b, lanes.Lane("campaign")), d.bareQueue(b)
			var latencies, baseline []float64
			for b.Loop() {
				began := publishDelayed(func() {
					d.publish(usher.CampaignPause, job{"id": fmt.Sprintf("pause-%d", len(latencies)), "campaign": "SANDBOX1-spring"})
				})
				lease, err := campaign.Next(b.Context(), b.Context())
				if err != nil {
					b.Fatal(err)
				}
				taken := time.Now()
				latencies = append(latencies, float64(taken.Sub(<-began).Microseconds()))
				if err := lease.End(usher.Ending{State: usher.Cancelled}); err != nil {
					b.Fatal(err)
				}
				baseline = append(baseline, bare())
			}
			b.ReportMetric(0, "ns/op")
			for prefix, all := range map[string][]float64{"": latencies, "bare-": baseline} {
				slices.Sort(all)
				b.ReportMetric(all[len(all)/2], prefix+"p50-µs")
				b.ReportMetric(all[len(all)*99/100], prefix+"p99-µs")
			}
		})
	}
}

// fillAudience publishes audience jobs and takes two of them, one for each slot.
func (d *deployment) fillAudience(b *testing.B) {
	b.Helper()
	for i := range 500 {
		d.publish(usher.SegmentAdd, d.inlineJob(fmt.Sprintf("add-%d", i)))
	}
	audience := d.lane(b, lanes.Lane("audience"))
	for range 2 {
		if _, err := audience.Next(b.Context(), b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// bareQueue creates a stream and a consumer without usher. The returned function
// sends a message through them and returns the latency in microseconds.
func (d *deployment) bareQueue(b *testing.B) func() float64 {
	b.Helper()
	_, err := d.js.CreateStream(b.Context(), jetstream.StreamConfig{Name: "BARE", Subjects: []string{"bare"}, Retention: jetstream.WorkQueuePolicy})
	if err != nil {
		b.Fatal(err)
	}
	consumer, err := d.js.CreateConsumer(b.Context(), "BARE", jetstream.ConsumerConfig{Durable: "bare"})
	if err != nil {
		b.Fatal(err)
	}
	return func() float64 {
		began := publishDelayed(func() {
			if _, err := d.js.Publish(b.Context(), "bare", []byte("{}")); err != nil {
				b.Error(err)
			}
		})
		msg, err := consumer.Next(jetstream.FetchMaxWait(2 * time.Second)) // as a worker fetches, without heartbeats
		if err != nil {
			b.Fatal(err)
		}
		took := time.Since(<-began)
		if err := msg.DoubleAck(b.Context()); err != nil {
			b.Fatal(err)
		}
		return float64(took.Microseconds())
	}
}

// publishDelayed calls publish after a delay, so that the receiver is already
// waiting, as a slot would be. The channel receives the time of the call.
func publishDelayed(publish func()) <-chan time.Time {
	began := make(chan time.Time, 1)
	go func() {
		time.Sleep(2 * time.Millisecond)
		began <- time.Now()
		publish()
	}()
	return began
}

func (d *deployment) lane(b *testing.B, lane lanes.Lane) *queues.Deliveries {
	b.Helper()
	deliveries, err := d.queue.Deliveries(b.Context(), lane)
	if err != nil {
		b.Fatal(err)
	}
	return deliveries
}

// inlineJob returns a job that takes almost no work.
func (d *deployment) inlineJob(id string) job {
	return job{"id": id, "segment": "1", "profile": "idfa", "dryRun": true, "source": job{"ids": []string{"6D92078A-8246-4BA4-AE5B-76104861E7DC"}}}
}

// startUnsyncedNATS starts a nats-server that does not sync each write to disk.
func startUnsyncedNATS(b *testing.B) *natsProcess {
	b.Helper()
	dir, port := b.TempDir(), freePort(b)
	n := &natsProcess{url: fmt.Sprintf("nats://127.0.0.1:%d", port), config: filepath.Join(dir, "nats.conf")}
	config := fmt.Sprintf("host: 127.0.0.1\nport: %d\njetstream { store_dir: %q }\n", port, filepath.Join(dir, "store"))
	if err := os.WriteFile(n.config, []byte(config), 0o600); err != nil {
		b.Fatal(err)
	}
	n.start(b)
	return n
}

// BenchmarkJobs measures the throughput of jobs that take almost no work, from
// publication to end, with one worker and a NATS that syncs every write to disk. 2 slots are
// the default.
func BenchmarkJobs(b *testing.B) {
	for _, slots := range []int{2, 16} {
		b.Run(fmt.Sprintf("slots=%d", slots), func(b *testing.B) { benchmarkJobs(b, slots) })
	}
}

func benchmarkJobs(b *testing.B, slots int) {
	const jobs = 200
	d := newDeployment(b, fmt.Sprintf("USHER_LANES_AUDIENCE=%d", slots))
	d.worker("worker")
	ended := make(chan *nats.Msg, 10*jobs)
	if _, err := d.nc.ChanSubscribe("usher.events.>", ended); err != nil {
		b.Fatal(err)
	}
	d.publish(usher.SegmentAdd, d.inlineJob("warm"))
	d.ended("warm")
	var rates, syncs []float64
	dir := b.TempDir()
	for b.Loop() {
		syncs = append(syncs, syncRate(b, dir))
		began := time.Now()
		prefix := fmt.Sprintf("round-%d-", len(rates))
		if err := runConcurrently(4, jobs, func(i int) error {
			d.publish(usher.SegmentAdd, d.inlineJob(fmt.Sprint(prefix, i)))
			return nil
		}); err != nil {
			b.Fatal(err)
		}
		for remaining := jobs; remaining > 0; {
			m := <-ended
			if strings.HasPrefix(m.Subject, "usher.events."+prefix) && strings.Contains(string(m.Data), `"state":"done"`) {
				remaining--
			}
		}
		rates = append(rates, jobs/time.Since(began).Seconds())
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(rates), "jobs/s")
	b.ReportMetric(median(syncs), "fsyncs/s")
}

// syncRate returns how many appends a second one file takes if each is followed by fsync,
// while two other files take as many. A job makes NATS sync the files of three streams, twice
// each, one after the other: half of this rate is the most jobs a second on this disk.
func syncRate(b *testing.B, dir string) float64 {
	b.Helper()
	const appends, files = 100, 3
	record := make([]byte, 700)
	began := time.Now()
	err := runConcurrently(files, files, func(int) error {
		f, err := os.CreateTemp(dir, "sync")
		if err != nil {
			return err
		}
		defer f.Close()
		for range appends {
			if _, err := f.Write(record); err != nil {
				return err
			}
			if err := f.Sync(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return appends / time.Since(began).Seconds()
}
