package queues_test

import (
	"testing"

	"usher"
	"usher/queues"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

func understood(column string) *usher.Understood {
	return &usher.Understood{Format: "csv", Column: usher.UnderstoodColumn{Name: column, Number: 1}, Files: 1}
}

func wantUnderstood(t *testing.T, q *queues.Queue, when, column string) {
	t.Helper()
	r := queuetest.Record(t, q, "j1")
	got := ""
	if r.Understood != nil {
		got = r.Understood.Column.Name
	}
	if got != column {
		t.Errorf("%s the record has understood column %q, want %q", when, got, column)
	}
}

// The record of a job says how its export was read, from the plan on. A replay replaces
// it.
func TestUnderstood(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	slot := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	wantUnderstood(t, q, "before the plan", "")
	l := slot.Take(t)
	wantUnderstood(t, q, "before the plan", "")
	p := usher.Progress{Understood: understood("a")}
	if err := l.Save(p); err != nil {
		t.Fatal(err)
	}
	wantUnderstood(t, q, "after the plan", "a")
	e := queuetest.Failed(usher.SourceBroken)
	e.Progress = p
	if err := l.End(e); err != nil {
		t.Fatal(err)
	}
	wantUnderstood(t, q, "after its end", "a")
	if err := queuetest.Replay(t, q, queuetest.Letters(t, q)[0].Seq); err != nil {
		t.Fatal(err)
	}
	e = queuetest.Done(1)
	e.Progress.Understood = understood("b")
	if err := slot.Take(t).End(e); err != nil {
		t.Fatal(err)
	}
	wantUnderstood(t, q, "after the replay", "b")
}

// The record of a cut job says how its export was read while its parts run and after
// they have ended.
func TestUnderstoodOfCutJob(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	l := queuetest.NewSlot(t, q, lanes.Audience).Take(t)
	if err := l.Split(planOf(2, "v1"), usher.Progress{Understood: understood("a")}); err != nil {
		t.Fatal(err)
	}
	bulk := queuetest.NewSlot(t, q, lanes.Bulk)
	for range 2 {
		wantUnderstood(t, q, "while its parts run", "a")
		if err := bulk.Take(t).End(queuetest.Done(1)); err != nil {
			t.Fatal(err)
		}
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Done {
		t.Fatalf("the job is %s", r.State)
	}
	wantUnderstood(t, q, "after its end", "a")
}
