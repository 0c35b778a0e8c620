package queues_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

// publishMany publishes n jobs of a kind.
func publishMany(b *testing.B, broker *queuetest.Broker, kind usher.Kind, n int, job func(i int) string) {
	b.Helper()
	for i := range n {
		if _, err := broker.JS.PublishAsync("usher.jobs."+string(kind), []byte(job(i))); err != nil {
			b.Fatal(err)
		}
		if i%1000 == 999 {
			<-broker.JS.PublishAsyncComplete()
		}
	}
	<-broker.JS.PublishAsyncComplete()
}

// BenchmarkBacklog takes and ends adds while removals wait on another segment, behind one
// that runs. The figures should not depend on how many wait. burst-s is the time until the
// removals have been delivered, which are published right before the first add, and slowest-ms
// the longest time of an add meanwhile.
func BenchmarkBacklog(b *testing.B) {
	for _, waiting := range []int{0, 1_000, 100_000} {
		b.Run(fmt.Sprint(waiting), func(b *testing.B) {
			broker := queuetest.NewPatient(b)
			q := broker.Queue(b)
			publishMany(b, broker, usher.SegmentRemove, waiting, func(i int) string { return queuetest.JobOn(fmt.Sprintf("removal-%d", i), "1") })
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
			burst, slowest := time.Now(), time.Duration(0)
			for delivered := false; !delivered; delivered = allDelivered(b, broker, string(lanes.Audience)) {
				begun := time.Now()
				add()
				slowest = max(slowest, time.Since(begun))
			}
			passed := time.Since(burst)
			for b.Loop() {
				add()
			}
			b.ReportMetric(passed.Seconds(), "burst-s")
			b.ReportMetric(float64(slowest.Milliseconds()), "slowest-ms")
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
	publishMany(b, broker, usher.SegmentRemove, waiting, func(i int) string {
		return queuetest.JobOn(fmt.Sprintf("removal-%d", i), fmt.Sprint(i%2*(1+i/2%segments)))
	})
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

// awaitDelivered waits until each message of a lane has been delivered once.
func awaitDelivered(b *testing.B, broker *queuetest.Broker, lane string) {
	b.Helper()
	for !allDelivered(b, broker, lane) {
		time.Sleep(10 * time.Millisecond)
	}
}

// allDelivered reports whether each message of a lane has been delivered once.
func allDelivered(b *testing.B, broker *queuetest.Broker, lane string) bool {
	b.Helper()
	c, err := broker.JS.Consumer(b.Context(), "USHER_JOBS", lane)
	if err != nil {
		b.Fatal(err)
	}
	return c.CachedInfo().NumPending == 0
}

// BenchmarkRemovals takes and ends removals that wait on one segment, which run one after the
// other. The figures should not depend on how many wait. The requests to NATS include those
// that publish a removal and postpone another.
func BenchmarkRemovals(b *testing.B) {
	for _, waiting := range []int{0, 1_000, 100_000} {
		b.Run(fmt.Sprint(waiting), func(b *testing.B) {
			broker := queuetest.NewPatient(b)
			q := broker.Queue(b)
			n := 0
			publish := func(more int) {
				first := n
				n += more
				publishMany(b, broker, usher.SegmentRemove, more, func(i int) string { return queuetest.JobOn(fmt.Sprintf("removal-%d", first+i), "1") })
			}
			publish(waiting)
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
						leases <- l
						if err := l.End(queuetest.Done(1)); err != nil {
							b.Error(err)
						}
					}
				})
			}
			publish(1)
			<-leases
			awaitDelivered(b, broker, string(lanes.Audience))
			sent := broker.Conn.Stats().OutMsgs
			for b.Loop() {
				publish(1) // as many wait as at the beginning
				<-leases
			}
			b.ReportMetric(float64(broker.Conn.Stats().OutMsgs-sent)/float64(b.N), "requests/removal")
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "removals/s")
			go func() {
				for range leases { // until the slots have ended
				}
			}()
			stop()
			slots.Wait()
			close(leases)
		})
	}
}

// BenchmarkRelease measures the time from the end of a removal, which ran for a while, until a slot
// has the next one of its segment, while 10,000 wait there. Each runs long enough that its delivery is
// extended and all others have been put away.
func BenchmarkRelease(b *testing.B) {
	const waiting = 10_000
	for _, running := range []time.Duration{0, 16 * time.Second} {
		b.Run(running.String(), func(b *testing.B) {
			broker := queuetest.NewPatient(b)
			q := broker.Queue(b)
			publishMany(b, broker, usher.SegmentRemove, waiting, func(i int) string {
				return queuetest.JobOn(fmt.Sprintf("removal-%d", i), "1")
			})
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
						leases <- l
					}
				})
			}
			last := <-leases
			awaitDelivered(b, broker, string(lanes.Audience))
			var gaps []time.Duration
			for b.Loop() {
				time.Sleep(running) // it runs
				ended := make(chan error, 1)
				begun := time.Now()
				go func(l *queues.Lease) { ended <- l.End(queuetest.Done(1)) }(last)
				last = <-leases
				gaps = append(gaps, time.Since(begun))
				if err := <-ended; err != nil {
					b.Error(err)
				}
			}
			slices.Sort(gaps)
			b.ReportMetric(gaps[len(gaps)/2].Seconds()*1000, "median-ms")
			b.ReportMetric(gaps[len(gaps)-1].Seconds()*1000, "slowest-ms")
			b.ReportMetric(0, "ns/op")
			stop()
			if err := last.End(queuetest.Done(1)); err != nil {
				b.Error(err)
			}
			go func() {
				for l := range leases {
					_ = l.End(queuetest.Done(1))
				}
			}()
			slots.Wait()
			close(leases)
		})
	}
}

// BenchmarkPauses takes and ends 100,000 pauses of 10,000 campaigns: the newest one of each,
// and then those that are superseded. first-s is the time from the opening of the slots to
// the newest of all, newest-s to the last newest one of a campaign, without those that were
// taken while the slots still read the backlog and so did not know the newest one. These are
// early; none may be taken after the newest one of its campaign.
func BenchmarkPauses(b *testing.B) {
	const waiting, campaigns = 100_000, 10_000
	for b.Loop() {
		broker := queuetest.NewPatient(b)
		q := broker.Queue(b)
		publishMany(b, broker, usher.CampaignPause, waiting, func(i int) string {
			return fmt.Sprintf(`{"id":"pause-%d","campaign":"c%d","reason":"budget"}`, i, i%campaigns)
		})
		begun := time.Now()
		var first, newest, early, superseded, took atomic.Int64
		var ended [campaigns]atomic.Bool // the newest pause of a campaign has ended
		fetch, stop := context.WithCancel(b.Context())
		var slots sync.WaitGroup
		for range 8 {
			slot := queuetest.NewSlot(b, q, lanes.Campaign)
			slots.Go(func() {
				for {
					l, err := slot.Next(fetch, b.Context())
					if err != nil {
						return
					}
					w := l.Work()
					number, err := strconv.Atoi(strings.TrimPrefix(w.ID, "pause-"))
					isNewest := number >= waiting-campaigns
					switch {
					case err != nil:
					case w.Superseded != "":
						superseded.Add(1)
					case isNewest:
						if number == waiting-1 {
							first.Store(int64(time.Since(begun)))
						}
						if newest.Add(1) == campaigns {
							took.Store(int64(time.Since(begun)))
						}
						err = l.ClaimCampaign(b.Context())
					case ended[number%campaigns].Load():
						b.Errorf("%s was not superseded", w.ID)
					default:
						early.Add(1)
						err = l.ClaimCampaign(b.Context())
					}
					if err := errors.Join(err, l.End(queuetest.Done(1))); err != nil {
						b.Error(err)
					}
					if isNewest {
						ended[number%campaigns].Store(true)
					}
					if newest.Load()+early.Load()+superseded.Load() == waiting {
						stop()
					}
				}
			})
		}
		slots.Wait()
		stop()
		all := time.Since(begun)
		if got := newest.Load(); got != campaigns {
			b.Errorf("the newest of %d campaigns ran, not of all", got)
		}
		if got := early.Load(); got > campaigns/50 {
			b.Errorf("%d jobs ran before the newest one of their campaign", got)
		}
		b.ReportMetric(float64(early.Load()), "early")
		b.ReportMetric(time.Duration(first.Load()).Seconds(), "first-s")
		b.ReportMetric(time.Duration(took.Load()).Seconds(), "newest-s")
		b.ReportMetric(float64(waiting)/all.Seconds(), "jobs/s")
	}
}
