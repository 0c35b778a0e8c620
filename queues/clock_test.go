package queues_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"usher"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

// A worker whose clock is an hour fast does not let a young job overtake the one that it
// waits for, and a slow one does not let a job wait that is too old.
func TestWrongClockKeepsTurns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		wrong, age time.Duration
		taken      bool
	}{"fast": {time.Hour, time.Hour / 2, false}, "slow": {-time.Hour, time.Nanosecond, true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := queuetest.New(t)
			b.Publish(t, usher.SegmentRemove, queuetest.JobOn("first", "1"))
			queuetest.NewSlot(t, b.Queue(t), lanes.Audience).Take(t)
			b.Options.Age, b.Options.Now = c.age, func() time.Time { return time.Now().Add(c.wrong) }
			b.Publish(t, usher.SegmentAdd, queuetest.JobOn("second", "1"))
			slot := queuetest.NewSlot(t, b.Queue(t), lanes.Audience)
			if !c.taken {
				slot.None(t)
				return
			}
			if work := slot.Take(t).Work(); work.ID != "second" {
				t.Errorf("took job %s", work.ID)
			}
		})
	}
}

// A job that waits for its turn is taken at its deadline by NATS's clock, to end there.
func TestWrongClockKeepsDeadlines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		wrong, deadline time.Duration
		taken           bool
	}{"fast": {time.Hour, time.Hour / 2, false}, "slow": {-time.Hour, 0, true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := queuetest.New(t)
			b.Publish(t, usher.SegmentRemove, queuetest.JobOn("first", "1"))
			queuetest.NewSlot(t, b.Queue(t), lanes.Audience).Take(t)
			b.Options.Now = func() time.Time { return time.Now().Add(c.wrong) }
			deadline := time.Now().Add(c.deadline).UTC().Format(time.RFC3339Nano)
			b.Publish(t, usher.SegmentAdd, fmt.Sprintf(`{"id":"second","segment":"1","profile":"idfa","deadline":%q,"source":{"url":"file:///data/x.csv"}}`, deadline))
			slot := queuetest.NewSlot(t, b.Queue(t), lanes.Audience)
			if !c.taken {
				slot.None(t)
				return
			}
			if work := slot.Take(t).Work(); work.ID != "second" {
				t.Errorf("took job %s", work.ID)
			}
		})
	}
}

// Records have NATS's time, whatever the clock of the worker shows, and the worker says
// that its clock is wrong.
func TestWrongClockIsLoggedAndNotRecorded(t *testing.T) {
	t.Parallel()
	for name, wrong := range map[string]time.Duration{"fast": time.Hour, "slow": -time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := queuetest.New(t)
			var log bytes.Buffer
			b.Options.Logger, b.Options.Now = slog.New(slog.NewTextHandler(&log, nil)), func() time.Time { return time.Now().Add(wrong) }
			q := b.Queue(t)
			b.Fail(t, q, 1)
			r := queuetest.Record(t, q, "job-0")
			for what, at := range map[string]time.Time{"the start": *r.Started, "the end": *r.Finished, "the letter": queuetest.Letters(t, q)[0].At} {
				if off := at.Sub(r.Submitted).Abs(); off > time.Hour/2 {
					t.Errorf("%s is %s apart from the publish", what, off)
				}
			}
			if !strings.Contains(log.String(), fmt.Sprintf("ahead=%s", wrong)) {
				t.Errorf("the log does not say that the clock is wrong:\n%s", log.String())
			}
		})
	}
}

// A clock that is set while the worker runs is corrected, and again when it is set right.
func TestClockThatIsSet(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	var wrong atomic.Int64
	b.Options.Now = func() time.Time { return time.Now().Round(0).Add(time.Duration(wrong.Load())) }
	log := make(lines, 100)
	b.Options.Logger = slog.New(slog.NewTextHandler(log, nil))
	q := b.Queue(t)
	var beating sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	defer beating.Wait()
	defer stop()
	beating.Go(func() { q.Presence().Run(ctx) })
	for _, c := range []struct {
		wrong  time.Duration
		phrase string
	}{{time.Hour, "differs from NATS's"}, {0, "agrees with NATS's again"}} {
		wrong.Store(int64(c.wrong))
		log.await(t, c.phrase)
		if off := time.Since(q.Now()).Abs(); off > time.Hour/2 {
			t.Errorf("with a clock that is %s ahead the queue's clock is off by %s", c.wrong, off)
		}
	}
}

// lines are the lines of a log.
type lines chan string

func (l lines) Write(line []byte) (int, error) {
	l <- string(line)
	return len(line), nil
}

// await reads until a line has the phrase.
func (l lines) await(t *testing.T, phrase string) {
	t.Helper()
	timeout := time.After(5 * time.Minute)
	for {
		select {
		case line := <-l:
			if strings.Contains(line, phrase) {
				return
			}
		case <-timeout:
			t.Fatalf("the log does not say %q", phrase)
		}
	}
}
