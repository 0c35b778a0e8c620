package queues_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/lanes"
	"usher/queues/queuetest"
	"usher/queues/status"
)

// Whatever happens to jobs, what Live has in memory is what reading all records returns: the
// numbers, the newest jobs, why they wait, and the sums of their parts.
func TestLive(t *testing.T) {
	t.Parallel()
	const keep = 6
	b := queuetest.New(t)
	q := b.Queue(t)
	live := followLive(t, q, keep)
	random, lane, bulk := rand.New(rand.NewPCG(1, 2)), queuetest.NewSlot(t, q, lanes.Audience), queuetest.NewSlot(t, q, lanes.Bulk)
	for i := range 40 {
		id := fmt.Sprintf("j%02d", i)
		b.Publish(t, usher.SegmentAdd, queuetest.JobOn(id, fmt.Sprint(i)))
		switch random.IntN(7) {
		case 0: // it waits
		case 1:
			if err := q.Cancel(t.Context(), id, audit.Act{Actor: "a", Reason: "a test"}); err != nil {
				t.Fatal(err)
			}
		case 2:
			l := lane.Take(t)
			if err := l.Retry(l.Work().Progress, time.Hour, "a test", true); err != nil {
				t.Fatal(err)
			}
		case 3, 4:
			if err := lane.Take(t).End(queuetest.Done(int64(i))); err != nil {
				t.Fatal(err)
			}
		case 5:
			if err := lane.Take(t).End(queuetest.Failed(usher.Refused)); err != nil {
				t.Fatal(err)
			}
			if letters := queuetest.Letters(t, q); random.IntN(2) == 0 {
				if err := queuetest.Replay(t, q, letters[random.IntN(len(letters))].Seq); err != nil {
					t.Fatal(err)
				}
			}
		case 6: // a part of a cut job is done
			if err := lane.Take(t).Split(planOf(2, "v1"), usher.Progress{}); err != nil {
				t.Fatal(err)
			}
			if err := bulk.Take(t).End(queuetest.Done(int64(i))); err != nil {
				t.Fatal(err)
			}
		}
		if i%4 == 3 {
			checkLive(t, q, live, keep)
		}
	}
}

// Nothing announces that a record has expired. It is no longer counted when all are read again.
func TestLiveForgetsExpiredRecords(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	for i := range 5 {
		b.Publish(t, usher.SegmentAdd, queuetest.JobOn(fmt.Sprintf("j%d", i), "1"))
		if err := lane.Take(t).End(queuetest.Done(1)); err != nil {
			t.Fatal(err)
		}
	}
	live := q.Status().NewLive(10)
	for range 2 {
		ctx, stop := context.WithCancel(t.Context())
		done := watchJobs(ctx, t, live)
		checkLive(t, q, live, 10)
		stop()
		<-done
		records, err := b.JS.Stream(t.Context(), "KV_usher_state")
		if err != nil {
			t.Fatal(err)
		}
		if err := records.Purge(t.Context(), jetstream.WithPurgeSubject("$KV.usher_state.jobs.j2")); err != nil {
			t.Fatal(err)
		}
	}
}

// If there is too little time to read all waiting jobs, the next call continues. It would begin
// again and again otherwise, and never end beside many of them.
func TestLiveContinues(t *testing.T) {
	t.Parallel()
	const jobs, each = 600, 100
	b := queuetest.New(t)
	seal, read, stop := b.Options.HashInline, 0, func() {}
	b.Options.HashInline = func(j *usher.Job) (usher.Tally, error) {
		if read++; read%each == 0 {
			stop()
		}
		return seal(j)
	}
	q := b.Queue(t)
	for i := range jobs {
		b.Publish(t, usher.SegmentRemove, fmt.Sprintf(`{"id":"j%d","segment":"1","profile":"idfa","source":{"ids":["6D92078A-8246-4BA4-AE5B-76104861E7DC"]}}`, i))
	}
	live := followLive(t, q, 10)
	for calls := 0; live.Counts(time.Now()).States[usher.Queued] < jobs; calls++ {
		ctx, cancel := context.WithCancel(t.Context())
		stop = cancel
		if err := live.Refresh(ctx, time.Now()); err != nil {
			t.Fatal(err)
		}
		cancel()
		if calls > jobs/each {
			t.Fatalf("after %d calls, %d of %d jobs are counted", calls, live.Counts(time.Now()).States[usher.Queued], jobs)
		}
	}
	if read != jobs {
		t.Errorf("%d messages were read for %d jobs", read, jobs)
	}
}

// followLive returns a Live that follows the jobs until the test ends.
func followLive(t *testing.T, q *queues.Queue, keep int) *status.Live {
	t.Helper()
	live := q.Status().NewLive(keep)
	ctx, stop := context.WithCancel(t.Context())
	done := watchJobs(ctx, t, live)
	t.Cleanup(func() { stop(); <-done })
	return live
}

func watchJobs(ctx context.Context, t *testing.T, live *status.Live) (done chan struct{}) {
	done = make(chan struct{})
	go func() {
		defer close(done)
		if err := live.Follow(ctx, func(string) {}); err != nil {
			t.Error(err)
		}
	}()
	return done
}

// checkLive compares Live with the records.
func checkLive(t *testing.T, q *queues.Queue, live *status.Live, keep int) {
	t.Helper()
	want, err := q.Status().Records(t.Context(), status.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for now := time.Now(); !live.Counts(now).At.Equal(now); {
		if err := live.Refresh(t.Context(), now); err != nil {
			t.Fatal(err)
		}
	}
	states, ended, open := map[usher.State]int{}, 0, map[string]bool{}
	for i := range want {
		if states[want[i].State]++; want[i].State.Ended() {
			ended++
		} else {
			open[want[i].ID] = true
		}
	}
	counts := live.Counts(time.Now().Add(-time.Hour))
	for _, of := range counts.Ended {
		for _, n := range of {
			ended -= n
		}
	}
	if fmt.Sprint(counts.States) != fmt.Sprint(states) || ended != 0 || !counts.Ready {
		t.Fatalf("Live counts %v, and %d fewer ended jobs; want %v", counts.States, ended, states)
	}
	kept := live.Kept()
	if kept.Whole < min(keep, len(want)) || kept.Older != (kept.Whole < len(want)) || len(kept.Jobs) > 5*keep/2 {
		t.Fatalf("Live keeps %d of %d jobs, %d of them whole, older: %v", len(kept.Jobs), len(want), kept.Whole, kept.Older)
	}
	shown, err := live.Explain(t.Context(), kept.Jobs)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := describe(shown[:kept.Whole]), describe(want[:kept.Whole]); !slices.Equal(got, want) {
		t.Fatalf("Live keeps\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, r := range kept.Jobs[kept.Whole:] {
		if !open[r.ID] {
			t.Errorf("Live keeps job %s, which is %s, among the older ones", r.ID, r.State)
		}
	}
}

// describe returns what lists show of jobs.
func describe(jobs []usher.Record) []string {
	lines := make([]string, 0, len(jobs))
	for i := range jobs {
		r := &jobs[i]
		line := fmt.Sprintf("%s run %d %s %s read %d error %v", r.ID, r.Run, r.Kind, r.State, r.Tally.Read, r.Error != nil)
		if r.Why != nil {
			line += " " + *r.Why
		}
		lines = append(lines, line)
	}
	return lines
}
