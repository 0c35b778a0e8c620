package backups_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/backups"
	"usher/queues/lanes"
	"usher/queues/queuetest"
	"usher/queues/store"
)

// hook is called before each stream is saved or restored.
type hook func(stream string)

func (h hook) Stream(name string) {
	if h != nil {
		h(name)
	}
}

func (hook) Add(int) {}

func body(id string) string {
	return fmt.Sprintf(`{"id":%q,"segment":"1","profile":"idfa","source":{"url":"file:///exports/a"}}`, id)
}

// restored restores a folder into a new account, as usher restore does.
func restored(t *testing.T, folder string) (*queuetest.Broker, *queues.Queue, []string) {
	t.Helper()
	b := queuetest.New(t) // its streams are empty
	m, err := backups.Read(t.Context(), backups.Folder(folder))
	if err != nil {
		t.Fatal(err)
	}
	if err := backups.Restore(t.Context(), b.Conn, m, backups.Folder(folder), 1, false, hook(nil)); err != nil {
		t.Fatal(err)
	}
	q := b.Queue(t)
	removed, err := q.Reconcile(t.Context(), m.Through)
	if err != nil {
		t.Fatal(err)
	}
	if err := queues.Declare(t.Context(), b.JS, b.Options); err != nil {
		t.Fatal(err)
	}
	return b, q, removed
}

// take takes the next job, which runs until the test ends.
func take(t *testing.T, q *queues.Queue) usher.Work {
	t.Helper()
	l := queuetest.NewSlot(t, q, lanes.Audience).Take(t)
	t.Cleanup(func() { _ = l.End(queuetest.Done(1)) }) // its connection may be closed
	return l.Work()
}

// TestPublishedMeanwhile tests that a job that is published after the stream of jobs was saved, and
// taken before its record is, is not in the backup: it can be published again, and no new job has
// its place in the order.
func TestPublishedMeanwhile(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Publish(t, usher.SegmentAdd, body("before"))
	take(t, q)
	folder := filepath.Join(t.TempDir(), "new", "backup")
	m, err := backups.Save(t.Context(), b.Conn, "", "1.2.3", backups.Folder(folder), hook(func(stream string) {
		if stream == "USHER_PARTS" {
			b.Publish(t, usher.SegmentAdd, body("meanwhile"))
			take(t, q)
		}
	}))
	if err != nil || m.Through["USHER_JOBS"] != 2 || m.Streams[0].Messages != 1 {
		t.Fatalf("the manifest is %+v, %v", m, err)
	}
	if _, err := backups.Save(t.Context(), b.Conn, "", "1.2.3", backups.Folder(folder), hook(nil)); err == nil {
		t.Error("a backup was overwritten")
	}

	b, q, removed := restored(t, folder)
	if !slices.Equal(removed, []string{"meanwhile"}) {
		t.Errorf("the records of %s were removed", removed)
	}
	if w := take(t, q); w.ID != "before" || w.Order != 1 {
		t.Errorf("the first job is %+v", w)
	}
	b.Publish(t, usher.SegmentAdd, body("meanwhile"))
	if w := take(t, q); w.ID != "meanwhile" || w.Order <= 2 {
		t.Errorf("the job that was published again is %+v", w)
	}
	if err := backups.Restore(t.Context(), b.Conn, m, backups.Folder(folder), 1, false, hook(nil)); !errors.Is(err, backups.ErrHolds) {
		t.Errorf("a restore over messages: %v", err)
	}
}

// TestMirroredMeanwhile tests the same of a mirror whose parts are in the backup, and whose own message is not: parts
// of a step do not run without it.
func TestMirroredMeanwhile(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	folder := t.TempDir()
	_, err := backups.Save(t.Context(), b.Conn, "", "1.2.3", backups.Folder(folder), hook(func(stream string) {
		if stream != "USHER_PARTS" {
			return
		}
		b.Publish(t, usher.SegmentMirror, body("meanwhile"))
		l := queuetest.NewSlot(t, q, lanes.Audience).Take(t)
		if err := errors.Join(l.PublishStep(t.Context(), usher.PhaseCompare, nil, 2), l.Snooze(usher.Progress{}, time.Hour)); err != nil {
			t.Error(err)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	b, _, removed := restored(t, folder)
	if n := b.Pending(t, "USHER_PARTS"); n != 0 || !slices.Equal(removed, []string{"meanwhile"}) {
		t.Errorf("%d parts are left, and the records of %s were removed", n, removed)
	}
}

// TestReplayedMeanwhile tests that a backup is saved again if a dead letter is replayed while it
// is saved: otherwise neither the letter nor the next run could be in it.
func TestReplayedMeanwhile(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Fail(t, q, 1)
	letter := queuetest.Letters(t, q)[0]
	folder := t.TempDir()
	replayed := false
	m, err := backups.Save(t.Context(), b.Conn, "", "1.2.3", backups.Folder(folder), hook(func(stream string) {
		if stream == "USHER_PARTS" && !replayed {
			replayed = true
			if err := queuetest.Replay(t, q, letter.Seq); err != nil {
				t.Error(err)
			}
		}
	}))
	if err != nil || m.Replayed != 0 {
		t.Fatalf("the manifest is %+v, %v", m, err)
	}
	_, q, removed := restored(t, folder)
	if len(removed) > 0 {
		t.Errorf("the records of %s were removed", removed)
	}
	if w := take(t, q); w.ID != *letter.ID || w.Run != 2 {
		t.Errorf("the job is %+v, want the second run of %s", w, *letter.ID)
	}
}

// TestCutMeanwhile tests that a job that is cut after the streams of jobs and parts were saved is
// cut again. A part that had ended does not run again; the other one does.
func TestCutMeanwhile(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Publish(t, usher.SegmentAdd, body("cut"))
	plan := usher.Plan{Format: "text", Input: usher.InputRaw, Stamp: "v1", Parts: []usher.Part{{From: 0, To: 10}, {From: 10, To: 20}}}
	split := func(q *queues.Queue) *queuetest.Slot {
		if err := queuetest.NewSlot(t, q, lanes.Audience).Take(t).Split(plan, usher.Progress{}); err != nil {
			t.Fatal(err)
		}
		return queuetest.NewSlot(t, q, lanes.Bulk)
	}
	end := func(l *queues.Lease, rows int64) {
		if err := l.End(queuetest.Done(rows)); err != nil {
			t.Error(err)
		}
	}
	folder := t.TempDir()
	_, err := backups.Save(t.Context(), b.Conn, "", "1.2.3", backups.Folder(folder), hook(func(stream string) {
		if stream == "KV_usher_state" {
			bulk := split(q)
			end(bulk.Take(t), 3)
			running := bulk.Take(t)
			t.Cleanup(func() { _ = running.End(queuetest.Done(1)) }) // its connection may be closed
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	_, q, removed := restored(t, folder)
	if len(removed) > 0 {
		t.Errorf("the records of %s were removed", removed)
	}
	bulk := split(q)
	part := bulk.Take(t)
	if w := part.Work(); w.ID != "cut" || w.Part != 1 {
		t.Errorf("the part is %+v", w)
	}
	end(part, 4)
	if r := queuetest.Record(t, q, "cut"); r.State != usher.Done || r.Tally.Read != 7 {
		t.Errorf("the record is %s", queuetest.JSON(t, r))
	}
}

// Sequences of the stream of campaigns go on where they were, also if it had no message.
func TestCampaignsAreRestored(t *testing.T) {
	t.Parallel()
	for name, pauses := range map[string]int{"empty": 0, "two pauses": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := queuetest.New(t)
			pause := func(n int) {
				b.Publish(t, usher.CampaignPause, fmt.Sprintf(`{"id":"pause-%d","campaign":"c%d"}`, n, n))
			}
			for n := range pauses {
				pause(n)
			}
			folder := filepath.Join(t.TempDir(), "backup")
			if _, err := backups.Save(t.Context(), b.Conn, "", "1.2.3", backups.Folder(folder), hook(nil)); err != nil {
				t.Fatal(err)
			}
			var q *queues.Queue
			b, q, _ = restored(t, folder)
			pause(pauses)
			lane := queuetest.NewSlot(t, q, lanes.Campaign)
			for range pauses + 1 {
				l := lane.Take(t)
				var n uint64
				if _, err := fmt.Sscanf(l.Work().ID, "pause-%d", &n); err != nil || l.Work().Order != store.FirstCampaign+n {
					t.Errorf("%s has the order %d, %v", l.Work().ID, l.Work().Order, err)
				}
				if err := l.End(queuetest.Done(1)); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
