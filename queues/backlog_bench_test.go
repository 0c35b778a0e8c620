package queues_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

// BenchmarkBacklog takes and ends adds while removals wait on another segment, behind one
// that runs. The figures should not depend on how many wait. burst-s is how long the first
// add waits, which is published right behind the removals.
func BenchmarkBacklog(b *testing.B) {
	for _, waiting := range []int{0, 1_000, 10_000} {
		b.Run(fmt.Sprint(waiting), func(b *testing.B) {
			broker := queuetest.New(b)
			q := broker.Queue(b)
			for i := range waiting {
				if _, err := broker.JS.PublishAsync("usher.jobs.segment.remove", []byte(queuetest.JobOn(fmt.Sprintf("removal-%d", i), "1"))); err != nil {
					b.Fatal(err)
				}
				if i%1000 == 999 {
					<-broker.JS.PublishAsyncComplete()
				}
			}
			leases := make(chan *queues.Lease)
			fetch, stop := context.WithCancel(b.Context())
			var slots sync.WaitGroup
			for range 8 {
				slot := queuetest.NewSlot(b, q, lanes.Audience)
				slots.Go(func() {
					for {
						l, err := slot.Next(fetch, b.Context())
						if err != nil {
							return
						}
						select {
						case leases <- l:
						case <-fetch.Done():
						}
					}
				})
			}
			if waiting > 0 {
				defer func(l *queues.Lease) { _ = l.End(queuetest.Done(1)) }(<-leases) // the first removal runs
			}
			n := 0
			add := func() {
				broker.Publish(b, usher.SegmentAdd, queuetest.JobOn(fmt.Sprintf("add-%d", n), "2"))
				n++
				l := <-leases
				if err := l.End(queuetest.Done(1)); err != nil || l.Work().Kind != usher.SegmentAdd {
					b.Error(errors.Join(err, errors.New(l.Work().ID)))
				}
			}
			burst := time.Now()
			add() // is delivered when all removals have been
			passed := time.Since(burst)
			for b.Loop() {
				add()
			}
			b.ReportMetric(passed.Seconds(), "burst-s")
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
			stop()
			slots.Wait()
		})
	}
}

// BenchmarkElsewhere measures the time from the publish of an add until a slot has it, while
// eight slots end removals: 100,000 wait on one segment, and as many on a thousand others.
// first-s is the time of the first add, when the slots have just been opened and nobody has
// read the stream.
func BenchmarkElsewhere(b *testing.B) {
	const waiting, segments = 200_000, 1_000
	broker := queuetest.NewPatient(b)
	q := broker.Queue(b)
	for i := range waiting {
		if _, err := broker.JS.PublishAsync("usher.jobs.segment.remove", []byte(queuetest.JobOn(fmt.Sprintf("removal-%d", i), fmt.Sprint(i%2*(1+i/2%segments))))); err != nil {
			b.Fatal(err)
		}
		if i%1000 == 999 {
			<-broker.JS.PublishAsyncComplete()
		}
	}
	adds := make(chan string)
	fetch, stop := context.WithCancel(b.Context())
	var removed atomic.Int64
	var slots sync.WaitGroup
	for range 8 {
		slot := queuetest.NewSlot(b, q, lanes.Audience)
		slots.Go(func() {
			for {
				l, err := slot.Next(fetch, b.Context())
				if err != nil {
					return
				}
				switch w := l.Work(); w.Kind {
				case usher.SegmentAdd:
					adds <- w.ID
				default:
					removed.Add(1)
				}
				if err := l.End(queuetest.Done(1)); err != nil {
					b.Error(err)
				}
			}
		})
	}
	n := 0
	add := func() {
		id := fmt.Sprintf("add-%d", n)
		broker.Publish(b, usher.SegmentAdd, queuetest.JobOn(id, fmt.Sprintf("elsewhere-%d", n)))
		if got := <-adds; got != id {
			b.Error(got)
		}
		n++
	}
	begun := time.Now()
	add() // after the slots have read the stream
	first := time.Since(begun)
	var slowest time.Duration
	removed.Store(0)
	for b.Loop() {
		begun := time.Now()
		add()
		slowest = max(slowest, time.Since(begun))
	}
	b.ReportMetric(float64(slowest.Milliseconds()), "slowest-ms")
	b.ReportMetric(float64(removed.Load())/b.Elapsed().Seconds(), "removals/s")
	b.ReportMetric(first.Seconds(), "first-s")
	stop()
	slots.Wait()
}
