package queues_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/lanes"
	"usher/queues/presence"
	"usher/queues/queuetest"
	"usher/queues/status"
)

// lost is a job whose worker may be gone. For the reader an hour has passed, so that every
// heartbeat of the worker is overdue.
type lost struct {
	*queuetest.Broker
	worker, reader *queues.Queue
}

func newLost(t *testing.T, kind usher.Kind) *lost {
	t.Helper()
	b := queuetest.New(t)
	b.Options.Worker = "box-1"
	l := &lost{Broker: b, worker: b.Queue(t)}
	var passed time.Duration
	b.Options.Worker, b.Options.Now = "box-2", func() time.Time { return time.Now().Add(passed) }
	l.reader = b.Queue(t)
	passed = time.Hour
	b.Publish(t, kind, queuetest.AddJob)
	return l
}

// says waits until Why of the running job is want in its record and in the list; "…" in
// want stands for a time. Between two requests for work an idle slot may look gone.
func (l *lost) says(t *testing.T, when, want string) {
	t.Helper()
	wrong := "not read"
	for late := time.Now().Add(time.Minute); wrong != "" && time.Now().Before(late); {
		all, err := l.reader.Status().Records(t.Context(), status.Filter{})
		if err != nil || len(all) != 1 {
			t.Fatalf("%s, the list is %s, %v", when, queuetest.JSON(t, all), err)
		}
		wrong = ""
		for _, r := range []usher.Record{all[0], queuetest.Record(t, l.reader, "j1")} {
			if r.State != usher.Running || !saysAt(r.Why, want) {
				wrong = queuetest.JSON(t, r)
			}
		}
	}
	if wrong != "" {
		t.Errorf("%s, the record is %s, not %q", when, wrong, want)
	}
}

// saysAt reports whether why is want, with a time of the last minute in the place of "…".
func saysAt(why *string, want string) bool {
	got := ""
	if why != nil {
		got = *why
	}
	before, behind, timed := strings.Cut(want, "…")
	if !timed || !strings.HasPrefix(got, before) || !strings.HasSuffix(got, behind) {
		return got == want
	}
	at, err := time.Parse(time.RFC3339, strings.TrimSuffix(strings.TrimPrefix(got, before), behind))
	return err == nil && time.Since(at) < time.Minute
}

// answer makes a worker say who they are until leave is called.
func answer(t *testing.T, q *queues.Queue, heartbeat func() presence.Answer) (leave func()) {
	t.Helper()
	leave, err := q.AnswerPresence(heartbeat)
	if err != nil {
		t.Fatal(err)
	}
	return leave
}

// A running job whose worker is gone says so, and what it waits for.
func TestSaysThatItsWorkerIsGone(t *testing.T) {
	t.Parallel()
	l := newLost(t, usher.SegmentAdd)
	began := time.Now()
	l.Options.Now = func() time.Time { return began }
	early := l.Queue(t)
	lease := queuetest.NewSlot(t, l.worker, lanes.Audience).Take(t)
	two := presence.Answer{Worker: "box-3", Slots: map[lanes.Lane]int{lanes.Audience: 2}}
	const gone = "worker box-1, which had it, is gone, last heard of at …; "
	l.says(t, "where nobody is", gone+"waits for a worker: none is running")
	if r := queuetest.Record(t, early, "j1"); r.Why != nil {
		t.Errorf("just written, the record is %s", queuetest.JSON(t, r))
	}
	leave := attend(t, l.Broker, two)
	l.says(t, "where another is busy", gone+"waits for a free slot: lane audience has 2, all of them taken")
	back := answer(t, l.worker, func() presence.Answer { return presence.Answer{Worker: "box-1"} })
	l.says(t, "while its worker stops", "")
	back()
	leave()
	leave = attend(t, l.Broker, presence.Answer{Worker: "box-1"})
	l.says(t, "where its worker was started again, and stops", "worker box-1 has lost it, last heard of at …; waits for a worker: none is running")
	leave()

	fetch, stop := context.WithCancel(t.Context())
	other := queuetest.NewSlot(t, l.reader, lanes.Audience)
	idle := make(chan error, 1)
	go func() {
		_, err := other.Next(fetch, t.Context())
		idle <- err
	}()
	other.AwaitIdle(t)
	l.says(t, "where another is free", gone+fmt.Sprintf("another worker takes it within %.0f s", queuetest.AckWait.Seconds()))
	stop()
	if err := <-idle; err == nil {
		t.Error("the other got work that is not its")
	}
	if err := l.reader.Lanes().Pause(t.Context(), lanes.Audience, operator); err != nil {
		t.Fatal(err)
	}
	l.says(t, "in a paused lane", gone+"lane audience is paused by alice: mended")

	// It ends after its record was read, and before its worker answers.
	leave = answer(t, l.worker, func() presence.Answer {
		if err := lease.End(queuetest.Done(1)); err != nil {
			t.Error(err)
		}
		return presence.Answer{Worker: "box-1"}
	})
	if r := queuetest.Record(t, l.reader, "j1"); r.Why != nil {
		t.Errorf("ending meanwhile, the record is %s", queuetest.JSON(t, r))
	}
	leave()
	if r := queuetest.Record(t, l.reader, "j1"); r.State != usher.Done || r.Why != nil {
		t.Errorf("ended, the record is %s", queuetest.JSON(t, r))
	}
}

// The record of a cut job says if the workers of all its running parts are gone.
func TestPartsWhoseWorkersAreGone(t *testing.T) {
	t.Parallel()
	l := newLost(t, usher.SegmentAdd)
	if err := queuetest.NewSlot(t, l.worker, lanes.Audience).Take(t).Split(planOf(3, "v1"), usher.Progress{}); err != nil {
		t.Fatal(err)
	}
	l.says(t, "untaken, without workers", "waits for a worker: none is running")
	leave := attend(t, l.Broker, presence.Answer{Worker: "box-3", Slots: map[lanes.Lane]int{lanes.Bulk: 2}})
	l.says(t, "untaken, with a busy worker", "waits for a free slot: lane bulk has 2, all of them taken")
	leave()
	bulk := queuetest.NewSlot(t, l.worker, lanes.Bulk)
	bulk.Take(t).Crash()
	alive := queuetest.NewSlot(t, l.reader, lanes.Bulk).Take(t)
	l.says(t, "without an answer", "worker box-2, which had it, is gone, last heard of at …; waits for a worker: none is running")
	leave = answer(t, l.reader, func() presence.Answer { return presence.Answer{Worker: "box-2"} })
	l.says(t, "while one part runs", "")
	leave()
	if err := alive.End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
	l.says(t, "with the other worker gone", "worker box-1, which had it, is gone, last heard of at …; waits for a worker: none is running")
}

// The record of a mirror says if the workers of all running parts of its step are gone. Whether parts wait
// for a slot is not known, because all may have ended.
func TestStepWhoseWorkersAreGone(t *testing.T) {
	t.Parallel()
	l := newLost(t, usher.SegmentMirror)
	job := queuetest.NewSlot(t, l.worker, lanes.Audience).Take(t)
	if err := job.PublishStep(t.Context(), usher.PhaseRemove, nil, 2); err != nil {
		t.Fatal(err)
	}
	if err := job.Snooze(usher.Progress{}, time.Hour); err != nil {
		t.Fatal(err)
	}
	l.says(t, "untaken, without workers", "waits for a worker: none is running")
	leave := attend(t, l.Broker, presence.Answer{Worker: "box-3", Slots: map[lanes.Lane]int{lanes.Bulk: 2}})
	l.says(t, "untaken, with a busy worker", "")
	leave()
	queuetest.NewSlot(t, l.worker, lanes.Bulk).Take(t).Crash()
	l.says(t, "without its worker", "worker box-1, which had it, is gone, last heard of at …; waits for a worker: none is running")
	leave = answer(t, l.reader, func() presence.Answer { return presence.Answer{Worker: "box-2"} })
	alive := queuetest.NewSlot(t, l.reader, lanes.Bulk).Take(t)
	l.says(t, "while one part runs", "")
	leave()
	if err := alive.End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
}
