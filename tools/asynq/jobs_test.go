// Package asynq measures the job queue asynq on Redis, for comparison with usher's jobs on NATS.
package asynq

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/hibiken/asynq"
	"golang.org/x/sync/errgroup"
)

// BenchmarkAsynq measures the throughput of jobs that do nothing, from publication to end,
// with a Redis that syncs every write to disk. usher's BenchmarkJobs measures the same with
// the same numbers of publishers and slots. Jobs of asynq have no order, no record after
// their end, no events and no tally.
func BenchmarkAsynq(b *testing.B) {
	for _, slots := range []int{2, 16} {
		b.Run(fmt.Sprintf("slots=%d", slots), func(b *testing.B) { measure(b, slots) })
	}
}

func measure(b *testing.B, slots int) {
	const jobs, publishers = 200, 4
	redis := asynq.RedisClientOpt{Addr: startRedis(b)}
	client := asynq.NewClient(redis)
	b.Cleanup(func() { _ = client.Close() })
	ended := make(chan struct{}, jobs)
	server := asynq.NewServer(redis, asynq.Config{Concurrency: slots, LogLevel: asynq.FatalLevel})
	if err := server.Start(asynq.HandlerFunc(func(context.Context, *asynq.Task) error {
		ended <- struct{}{}
		return nil
	})); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(server.Shutdown)
	var rates []float64
	for b.Loop() {
		began := time.Now()
		var publishing errgroup.Group
		publishing.SetLimit(publishers)
		for range jobs {
			publishing.Go(func() error {
				_, err := client.Enqueue(asynq.NewTask("segment.add", []byte(`{"segment":"1"}`)))
				return err
			})
		}
		if err := publishing.Wait(); err != nil {
			b.Fatal(err)
		}
		for range jobs {
			<-ended
		}
		rates = append(rates, jobs/time.Since(began).Seconds())
	}
	slices.Sort(rates)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(rates[len(rates)/2], "jobs/s")
}

// startRedis starts a redis-server that syncs every write, and returns its address.
func startRedis(b *testing.B) string {
	b.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	address := listener.Addr().String()
	_, port, _ := net.SplitHostPort(address)
	if err := listener.Close(); err != nil {
		b.Fatal(err)
	}
	server := exec.Command("redis-server", "--bind", "127.0.0.1", "--port", port, "--dir", b.TempDir(),
		"--appendonly", "yes", "--appendfsync", "always", "--save", "")
	if err := server.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	for began := time.Now(); ; {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
			return address
		}
		if time.Since(began) > time.Minute {
			b.Fatal(fmt.Errorf("redis-server does not answer: %w", err))
		}
	}
}
