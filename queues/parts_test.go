package queues_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/lanes"
	"usher/queues/queuetest"
	"usher/queues/store"
)

func planOf(parts int, stamp string) usher.Plan {
	p := usher.Plan{Format: "text", Input: usher.InputRaw, Stamp: stamp}
	for i := range parts {
		p.Parts = append(p.Parts, usher.Part{From: int64(i) * 10, To: int64(i+1) * 10})
	}
	return p
}

// split publishes a job and cuts it.
func split(t *testing.T, b *queuetest.Broker, q *queues.Queue, parts int) (bulk *queuetest.Slot) {
	t.Helper()
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	if err := queuetest.NewSlot(t, q, lanes.Audience).Take(t).Split(planOf(parts, "v1"), usher.Progress{}); err != nil {
		t.Fatal(err)
	}
	return queuetest.NewSlot(t, q, lanes.Bulk)
}

func TestCutJobIsSummed(t *testing.T) {
	t.Parallel()
	const parts = 1000
	b := queuetest.New(t)
	q := b.Queue(t)
	bulk := split(t, b, q, parts)
	if n := b.Pending(t, "USHER_JOBS"); n != 0 {
		t.Fatalf("the job's message was not acked: %d left", n)
	}
	if n := b.Pending(t, "USHER_PARTS"); n != parts {
		t.Fatalf("%d parts were published", n)
	}
	asked, counted := 0, 0
	for i := range parts {
		l := bulk.Take(t)
		w := l.Work()
		if w.Parts != parts || w.Range.From != int64(w.Part)*10 || w.Progress.Plan.Stamp != "v1" {
			t.Fatalf("part's work is %+v", w)
		}
		e := queuetest.Done(int64(w.Part))
		e.Progress.Checkpoint.Samples = []usher.Sample{{Row: 1, Reason: fmt.Sprint(w.Part), Masked: "****"}}
		e.ReadSize = func() (int64, error) { asked++; return 77, nil }
		e.CountNew = func() (*int64, error) { counted++; return new(int64(66)), nil }
		if err := l.End(e); err != nil {
			t.Fatal(err)
		}
		if i == parts/2 {
			if r := queuetest.Record(t, q, "j1"); r.State != usher.Running || r.Parts.Done != i+1 || r.Tally.Read == 0 {
				t.Fatalf("half-way the record says %+v, read %d", r.Parts, r.Tally.Read)
			}
		}
	}
	r := queuetest.Record(t, q, "j1")
	if r.State != usher.Done || r.Tally.Read != parts*(parts-1)/2 || r.Batches != parts || r.Parts.Done != parts {
		t.Fatalf("record says %s %+v %d batches %+v", r.State, r.Tally, r.Batches, r.Parts)
	}
	if asked != 1 || r.NumberOfIDs.After != 77 {
		t.Errorf("the platform was asked %d times, the record says %+v", asked, r.NumberOfIDs)
	}
	if counted != 1 || r.New == nil || *r.New != 66 {
		t.Errorf("new ids were counted %d times, the record says %v", counted, r.New)
	}
	for _, s := range r.Samples {
		var part int64
		fmt.Sscan(s.Reason, &part)
		if want := part*(part-1)/2 + 1; s.Row != want {
			t.Errorf("a sample of part %d stands at row %d, not %d", part, s.Row, want)
		}
	}
	bulk.None(t)
}

// What an ended part has uploaded is not counted if its entry is gone. The job must not
// end as done with a sum that is too small.
func TestLostPartIsNotZero(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	bulk := split(t, b, q, 3)
	kv, err := b.JS.KeyValue(t.Context(), "usher_state")
	if err != nil {
		t.Fatal(err)
	}
	first := bulk.Take(t)
	lost := fmt.Sprintf("parts.j1.%d", first.Work().Part)
	for _, l := range []*queues.Lease{first, bulk.Take(t)} {
		if err := l.End(queuetest.Done(4)); err != nil {
			t.Fatal(err)
		}
	}
	if err := kv.Purge(t.Context(), lost); err != nil {
		t.Fatal(err)
	}
	if err := bulk.Take(t).End(queuetest.Done(4)); err != nil {
		t.Fatal(err)
	}
	r := queuetest.Record(t, q, "j1")
	if r.State != usher.Failed || r.Error.Class != usher.Poison || r.Tally.Accepted != 8 {
		t.Fatalf("record says %s", queuetest.JSON(t, r))
	}

	// The replay runs the lost part again, and only that.
	if err := queuetest.Replay(t, q, queuetest.Letters(t, q)[0].Seq); err != nil {
		t.Fatal(err)
	}
	if err := queuetest.NewSlot(t, q, lanes.Audience).Take(t).Split(planOf(3, "v1"), usher.Progress{}); err != nil {
		t.Fatal(err)
	}
	if err := bulk.Take(t).End(queuetest.Done(4)); err != nil {
		t.Fatal(err)
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Done || r.Tally.Accepted != 12 {
		t.Errorf("after the replay the record says %s", queuetest.JSON(t, r))
	}
}

// damage overwrites values of the state bucket by one that is none of usher's.
func damage(t *testing.T, b *queuetest.Broker, keys ...string) {
	t.Helper()
	kv, err := b.JS.KeyValue(t.Context(), "usher_state")
	if err != nil {
		t.Error(err)
		return
	}
	for _, key := range keys {
		if _, err := kv.PutString(t.Context(), key, "{}"); err != nil {
			t.Error(err)
		}
	}
}

// A part sets its bit in the record of the job, and then acks its message. If the record is damaged
// between the two, and rebuilt from another part, the bit is set again.
func TestDamageBeforeAck(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	bulk := split(t, b, q, 3)
	first, other := bulk.Take(t), queuetest.NewSlot(t, q, lanes.Bulk)
	var second *queues.Lease
	err := first.EndBeforeAck(queuetest.Done(4), func() {
		damage(t, b, "jobs.j1", fmt.Sprintf("parts.j1.%d", first.Work().Part))
		second = other.Take(t)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []*queues.Lease{second, bulk.Take(t)} {
		if err := l.End(queuetest.Done(4)); err != nil {
			t.Fatal(err)
		}
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Failed || r.Error.Class != usher.Poison || r.Tally.Accepted != 8 {
		t.Errorf("record says %s", queuetest.JSON(t, r))
	}
	bulk.None(t)
}

// The same, but the part acks its message while another one rebuilds the record, and has seen the message.
func TestAckDuringRebuild(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	bulk := split(t, b, q, 2)
	first, second := bulk.Take(t), bulk.Take(t)
	acked, ended := make(chan struct{}), make(chan error)
	go func() {
		ended <- first.EndBeforeAck(queuetest.Done(4), func() {
			acked <- struct{}{}
			<-acked
		})
	}()
	<-acked // first has set its bit
	damage(t, b, "jobs.j1", fmt.Sprintf("parts.j1.%d", first.Work().Part))
	err := second.RebuildAround(t.Context(), func() {
		acked <- struct{}{}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := second.End(queuetest.Done(4)); err != nil {
		t.Fatal(err)
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Failed || r.Error.Class != usher.Poison || r.Tally.Accepted != 4 {
		t.Errorf("record says %s", queuetest.JSON(t, r))
	}
}

// While a job is cut, a part ends, and then the record is damaged. The job knows of no part that has ended
// when it writes the record again.
func TestDamageDuringSplit(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	bulk := queuetest.NewSlot(t, q, lanes.Bulk)
	err := queuetest.NewSlot(t, q, lanes.Audience).Take(t).SplitAround(t.Context(), planOf(3, "v1"), func() {
		if err := bulk.Take(t).End(queuetest.Done(4)); err != nil {
			t.Error(err)
		}
		damage(t, b, "jobs.j1")
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := bulk.Take(t).End(queuetest.Done(4)); err != nil {
			t.Fatal(err)
		}
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Done || r.Tally.Accepted != 12 {
		t.Errorf("record says %s", queuetest.JSON(t, r))
	}
	bulk.None(t)
}

// record returns the value of the record of a job as it is stored.
func record(t *testing.T, b *queuetest.Broker, id string) []byte {
	t.Helper()
	kv, err := b.JS.KeyValue(t.Context(), "usher_state")
	if err != nil {
		t.Fatal(err)
	}
	e, err := kv.Get(t.Context(), "jobs."+id)
	if err != nil {
		t.Fatal(err)
	}
	return e.Value()
}

// A part that ends finds the record of its job as it was before the cut: a server of NATS that lags may say so. The
// part is not settled, and sets its bit when it is delivered again.
func TestPartEndsOnAnOldRecord(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	b.Options.SettleTime = 2 * time.Second
	q := b.Queue(t)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	job := queuetest.NewSlot(t, q, lanes.Audience).Take(t)
	old := record(t, b, "j1")
	if err := job.Split(planOf(2, "v1"), usher.Progress{}); err != nil {
		t.Fatal(err)
	}
	kv, err := b.JS.KeyValue(t.Context(), "usher_state")
	if err != nil {
		t.Fatal(err)
	}
	bulk := queuetest.NewSlot(t, q, lanes.Bulk)
	first, now := bulk.Take(t), record(t, b, "j1")
	if _, err := kv.Put(t.Context(), "jobs.j1", old); err != nil {
		t.Fatal(err)
	}
	if err := first.End(queuetest.Done(4)); err == nil {
		t.Error("the part has ended although the record of its job does not say so")
	}
	if _, err := kv.Put(t.Context(), "jobs.j1", now); err != nil {
		t.Fatal(err)
	}
	first.Redeliver(t)
	ends(t, bulk.Take(t), queuetest.Done(4))
	bulk.NoneUntil(t, func() bool { return b.Pending(t, "USHER_PARTS") == 0 })
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Done || r.Tally.Accepted != 8 {
		t.Errorf("record says %s", queuetest.JSON(t, r))
	}
}

// Messages on the stream of parts that usher cannot have published are dropped, and change no job.
func TestPartsThatCannotBe(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	bulk := split(t, b, q, 2)
	for _, body := range []string{
		`{"id":"j1","run":1,"part":9,"parts":2}`,
		`{"id":"j1","run":1,"part":-1,"parts":2}`,
		`{"id":"j1","run":1,"part":0,"parts":1000000000}`,
		`{"id":"j1","run":1,"part":1,"parts":2,"step":"add"}`,
		`{"id":"j1","run":1,"part":300001,"parts":2}`,
		`{"run":1,"part":0,"parts":1}`,
	} {
		if _, err := b.JS.Publish(t.Context(), "usher.parts.j1", []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		ends(t, bulk.Take(t), queuetest.Done(4))
	}
	bulk.None(t)
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Done || r.Tally.Accepted != 8 || b.Pending(t, "USHER_PARTS") != 0 {
		t.Errorf("record says %s", queuetest.JSON(t, r))
	}
}

// A mirror whose record is damaged while its parts run ends as poison when its own message comes, and its parts stop. No
// part takes it for a cut job. A replay begins anew.
func TestDamagedRecordOfSteps(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	go func() { _ = q.WatchEndings(t.Context()) }()
	b.Publish(t, usher.SegmentMirror, queuetest.JobOn("mirror", "1"))
	lane, bulk := queuetest.NewSlot(t, q, lanes.Audience), queuetest.NewSlot(t, q, lanes.Bulk)
	job := lane.Take(t)
	if err := job.PublishStep(t.Context(), usher.PhaseAdd, nil, 3); err != nil {
		t.Fatal(err)
	}
	if err := job.Snooze(usher.Progress{}, time.Millisecond); err != nil {
		t.Fatal(err)
	}
	first, second := bulk.Take(t), bulk.Take(t)
	damage(t, b, "jobs.mirror")
	ends(t, first, queuetest.Done(1))
	lane.None(t)
	<-second.Context().Done()
	if err := second.End(usher.Ending{State: usher.Cancelled}); err != nil && !errors.Is(err, usher.ErrLeaseLost) {
		t.Error(err) // the end of the job has removed its record
	}
	bulk.None(t)
	r := queuetest.Record(t, q, "mirror")
	if r.State != usher.Failed || r.Error.Class != usher.Poison || r.Parts.Total != 1 || b.Pending(t, "USHER_PARTS")+b.Pending(t, "USHER_JOBS") != 0 {
		t.Errorf("record says %s", queuetest.JSON(t, r))
	}
	if err := queuetest.Replay(t, q, queuetest.Letters(t, q)[0].Seq); err != nil {
		t.Fatal(err)
	}
	job = lane.Take(t)
	if s, err := job.StepProgress(t.Context(), usher.PhaseAdd); err != nil || s.Done > 0 {
		t.Errorf("the step of the replay is %+v, %v", s, err)
	}
	ends(t, job, queuetest.Done(4))
}

// A part of a step is not taken while the record of its job is damaged.
func TestStepWithoutRecord(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Publish(t, usher.SegmentMirror, queuetest.JobOn("mirror", "1"))
	lane, bulk := queuetest.NewSlot(t, q, lanes.Audience), queuetest.NewSlot(t, q, lanes.Bulk)
	job := lane.Take(t)
	damage(t, b, "jobs.mirror")
	if err := job.PublishStep(t.Context(), usher.PhaseCompare, nil, 1); err != nil {
		t.Fatal(err)
	}
	bulk.NoneUntil(t, func() bool {
		c, err := b.JS.Consumer(t.Context(), "USHER_PARTS", string(lanes.Bulk))
		if err != nil {
			t.Error(err)
		}
		return err != nil || c.CachedInfo().NumRedelivered > 0
	})
	if err := job.Save(usher.Progress{}); err != nil {
		t.Fatal(err)
	}
	ends(t, bulk.Take(t), queuetest.Done(1))
	ends(t, job, queuetest.Done(4))
}

// Two workers settle a job, and one of them reads the records of its parts when the other one has ended the
// job and removed them. That is no loss.
func TestSettledBesideTheEnd(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	bulk := split(t, b, q, 2)
	first, last := bulk.Take(t), bulk.Take(t)
	if err := first.End(queuetest.Done(4)); err != nil {
		t.Fatal(err)
	}
	err := q.SettleAround(t.Context(), "j1", func() {
		if err := last.End(queuetest.Done(4)); err != nil {
			t.Error(err)
		}
	})
	if !errors.Is(err, store.ErrConflict) {
		t.Errorf("the record was ended twice: %v", err)
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Done || r.Tally.Accepted != 8 {
		t.Errorf("record says %s", queuetest.JSON(t, r))
	}
	if found := queuetest.Letters(t, q); len(found) > 0 {
		t.Errorf("%d letters: %s", len(found), queuetest.JSON(t, found))
	}
}

func TestFailedPartEndsTheJob(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	bulk := split(t, b, q, 3)
	if err := bulk.Take(t).End(queuetest.Done(4)); err != nil {
		t.Fatal(err)
	}
	if err := bulk.Take(t).End(queuetest.Failed(usher.SourceBroken)); err != nil {
		t.Fatal(err)
	}
	l := bulk.Take(t)
	if l.Context().Err() == nil {
		t.Error("a part that came after the failure may work")
	}
	if err := l.End(usher.Ending{State: usher.Cancelled}); err != nil {
		t.Fatal(err)
	}
	r := queuetest.Record(t, q, "j1")
	if r.State != usher.Failed || r.Error.Class != usher.SourceBroken || r.Tally.Accepted != 4 {
		t.Fatalf("record says %s", queuetest.JSON(t, r))
	}
	found := queuetest.Letters(t, q)
	if len(found) != 1 || found[0].Class != usher.SourceBroken {
		t.Fatalf("letters: %s", queuetest.JSON(t, found))
	}

	// The replay runs only the remaining parts.
	if err := queuetest.Replay(t, q, found[0].Seq); err != nil {
		t.Fatal(err)
	}
	if err := queuetest.NewSlot(t, q, lanes.Audience).Take(t).Split(planOf(3, "v1"), usher.Progress{}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := bulk.Take(t).End(queuetest.Done(1)); err != nil {
			t.Fatal(err)
		}
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Done || r.Run != 2 || r.Tally.Accepted != 6 || r.Parts.Done != 3 {
		t.Fatalf("after the replay the record says %s", queuetest.JSON(t, r))
	}
	bulk.None(t)
}

func TestReplayOverAnotherSourceStartsAnew(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	bulk := split(t, b, q, 2)
	if err := bulk.Take(t).End(queuetest.Done(4)); err != nil {
		t.Fatal(err)
	}
	if err := bulk.Take(t).End(queuetest.Failed(usher.SourceBroken)); err != nil {
		t.Fatal(err)
	}
	if err := queuetest.Replay(t, q, queuetest.Letters(t, q)[0].Seq); err != nil {
		t.Fatal(err)
	}
	if err := queuetest.NewSlot(t, q, lanes.Audience).Take(t).Split(planOf(2, "v2"), usher.Progress{}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		l := bulk.Take(t)
		if c := l.Work().Progress.Checkpoint; c.Batches != 0 {
			t.Errorf("a part continues from batch %d of another source", c.Batches)
		}
		if err := l.End(queuetest.Done(10)); err != nil {
			t.Fatal(err)
		}
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Done || r.Tally.Accepted != 20 {
		t.Fatalf("record says %s", queuetest.JSON(t, r))
	}
}

// After a crash between publishing the parts and acking the job, the redelivered job
// finds its parts published.
func TestSplitTwice(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	cut := lane.Take(t)
	if err := cut.SplitWithoutAck(planOf(3, "v1")); err != nil {
		t.Fatal(err)
	}
	bulk := queuetest.NewSlot(t, q, lanes.Bulk)
	if err := bulk.Take(t).End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
	cut.Redeliver(t)
	lane.NoneUntil(t, func() bool { return b.Pending(t, "USHER_JOBS") == 0 }) // its parts are out
	for range 2 {
		if err := bulk.Take(t).End(queuetest.Done(1)); err != nil {
			t.Fatal(err)
		}
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Done || r.Tally.Accepted != 3 {
		t.Fatalf("record says %s", queuetest.JSON(t, r))
	}
	bulk.None(t)
}

// After a crash between publishing the parts and recording that, the redelivered job is
// cut in the same way, even if the configuration has changed.
func TestSplitAgain(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	lane, bulk := queuetest.NewSlot(t, q, lanes.Audience), queuetest.NewSlot(t, q, lanes.Bulk)
	cut := lane.Take(t)
	if err := cut.SplitAndCrash(t.Context(), planOf(3, "v1")); err != nil {
		t.Fatal(err)
	}
	cut.Redeliver(t)
	if err := bulk.Take(t).End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
	l := lane.Take(t)
	if p := l.Work().Progress.Plan; p == nil || len(p.Parts) != 3 {
		t.Fatalf("the recorded plan is not in the work: %+v", p)
	}
	if err := l.Split(planOf(2, "v1"), usher.Progress{}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := bulk.Take(t).End(queuetest.Done(1)); err != nil {
			t.Fatal(err)
		}
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Done || r.Tally.Accepted != 3 {
		t.Fatalf("record says %s", queuetest.JSON(t, r))
	}
	bulk.None(t)
}

// If a job crashes after its parts were published, and its next attempt fails, the waiting
// parts do not run.
func TestJobEndsBesideItsParts(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	lane, bulk := queuetest.NewSlot(t, q, lanes.Audience), queuetest.NewSlot(t, q, lanes.Bulk)
	cut := lane.Take(t)
	if err := cut.SplitAndCrash(t.Context(), planOf(3, "v1")); err != nil {
		t.Fatal(err)
	}
	cut.Redeliver(t)
	if err := bulk.Take(t).End(queuetest.Done(4)); err != nil {
		t.Fatal(err)
	}
	if err := lane.Take(t).End(queuetest.Failed(usher.SourceBroken)); err != nil {
		t.Fatal(err)
	}
	bulk.None(t)
	r := queuetest.Record(t, q, "j1")
	if r.State != usher.Failed || r.Tally.Accepted != 4 || len(queuetest.Letters(t, q)) != 1 {
		t.Errorf("record says %s", queuetest.JSON(t, r))
	}
	if n := b.Pending(t, "USHER_JOBS") + b.Pending(t, "USHER_PARTS"); n != 0 {
		t.Errorf("%d messages are left", n)
	}
}

// A replay that cuts its export in another way, because sources.part_bytes was changed,
// must not use the checkpoints of the earlier parts, which have other ranges.
func TestReplayWithOtherPartsStartsAnew(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	bulk := split(t, b, q, 3)
	if err := bulk.Take(t).End(queuetest.Done(4)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := bulk.Take(t).End(queuetest.Failed(usher.Refused)); err != nil {
			t.Fatal(err)
		}
	}
	if err := queuetest.Replay(t, q, queuetest.Letters(t, q)[0].Seq); err != nil {
		t.Fatal(err)
	}
	plan := planOf(2, "v1")
	plan.Parts[0].To, plan.Parts[1].From, plan.Parts[1].To = 15, 15, 30
	if err := queuetest.NewSlot(t, q, lanes.Audience).Take(t).Split(plan, usher.Progress{}); err != nil {
		t.Fatal(err)
	}
	if r := queuetest.Record(t, q, "j1"); r.Tally.Read != 0 {
		t.Errorf("rows of the other parts are counted: %s", queuetest.JSON(t, r))
	}
	for range 2 {
		if err := bulk.Take(t).End(queuetest.Done(7)); err != nil {
			t.Fatal(err)
		}
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Done || r.Tally.Accepted != 14 {
		t.Errorf("record says %s", queuetest.JSON(t, r))
	}
}

// Parts of a job that has ended do not run, and change nothing.
func TestPartsOfAnEndedJob(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	bulk := split(t, b, q, 3)
	held := bulk.Take(t)
	retried := bulk.Take(t)
	if err := retried.Retry(usher.Progress{}, 100*time.Millisecond, "waits", true); err != nil {
		t.Fatal(err)
	}
	stream, err := b.JS.Stream(t.Context(), "USHER_PARTS")
	if err != nil {
		t.Fatal(err)
	}
	late, err := stream.GetMsg(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- held.End(usher.Ending{State: usher.Cancelled}) }()
	if err := q.Cancel(t.Context(), "j1", audit.Act{Actor: "tests"}); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	// a part that the purge of the waiting parts has missed
	if _, err := b.JS.Publish(t.Context(), late.Subject, late.Data); err != nil {
		t.Fatal(err)
	}
	bulk.None(t)
	if n := b.Pending(t, "USHER_PARTS"); n != 0 {
		t.Errorf("%d parts are left", n)
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Cancelled {
		t.Errorf("record says %s", queuetest.JSON(t, r))
	}
}

// Parts that end at the same time write one letter and end the job once.
func TestSettledTwiceAtOnce(t *testing.T) {
	t.Parallel()
	const parts = 8
	b := queuetest.New(t)
	q := b.Queue(t)
	bulk := split(t, b, q, parts)
	var leases []*queues.Lease
	for range parts {
		leases = append(leases, bulk.Take(t))
	}
	var ends sync.WaitGroup
	for _, l := range leases {
		ends.Go(func() {
			if err := l.End(queuetest.Failed(usher.Refused)); err != nil {
				t.Error(err)
			}
		})
	}
	ends.Wait()
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Failed || r.Parts.Done != parts {
		t.Errorf("record says %s", queuetest.JSON(t, r))
	}
	if found := queuetest.Letters(t, q); len(found) != 1 {
		t.Errorf("%d letters: %s", len(found), queuetest.JSON(t, found))
	}
}

func TestCancelCut(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	bulk := split(t, b, q, 20)
	if err := bulk.Take(t).End(queuetest.Done(3)); err != nil {
		t.Fatal(err)
	}
	if err := q.Cancel(t.Context(), "j1", audit.Act{Actor: "tests"}); err != nil {
		t.Fatal(err)
	}
	r := queuetest.Record(t, q, "j1")
	if r.State != usher.Cancelled || r.Tally.Accepted != 3 {
		t.Fatalf("record says %s", queuetest.JSON(t, r))
	}
	bulk.None(t)
}

// A job with steps whose part has failed ends as that part, and not as cancelled, which is how its
// worker sees the failure. Other endings stay as they are.
func TestEndingOfStep(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		partFails bool
		end       usher.Ending
		want      usher.State
		class     usher.Class
	}{
		"its part failed":            {partFails: true, end: usher.Ending{State: usher.Cancelled}, want: usher.Failed, class: usher.Refused},
		"a person cancelled it":      {end: usher.Ending{State: usher.Cancelled}, want: usher.Cancelled},
		"it was done all the same":   {partFails: true, end: queuetest.Done(1), want: usher.Done},
		"it failed in its own right": {partFails: true, end: queuetest.Failed(usher.NotFound), want: usher.Failed, class: usher.NotFound},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := queuetest.New(t)
			q := b.Queue(t)
			b.Publish(t, usher.SegmentMirror, queuetest.JobOn("mirror", "1"))
			l := queuetest.NewSlot(t, q, lanes.Audience).Take(t)
			if err := l.PublishStep(t.Context(), usher.PhaseCompare, nil, 1); err != nil {
				t.Fatal(err)
			}
			part := queuetest.NewSlot(t, q, lanes.Bulk).Take(t)
			if c.partFails {
				ends(t, part, queuetest.Failed(usher.Refused))
			} else {
				ends(t, part, usher.Ending{State: usher.Cancelled})
			}
			ends(t, l, c.end)
			r := queuetest.Record(t, q, "mirror")
			class := usher.Class("")
			if r.Error != nil {
				class = r.Error.Class
			}
			if r.State != c.want || class != c.class {
				t.Errorf("it is %s, %q, want %s, %q", r.State, class, c.want, c.class)
			}
		})
	}
}

// The last part of a step releases its job, however long that is snoozed; a part that has ended and was not
// settled, because its worker was killed, does so when it is delivered again.
func TestLastPartReleasesJob(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Publish(t, usher.SegmentMirror, queuetest.JobOn("mirror", "1"))
	lane, bulk := queuetest.NewSlot(t, q, lanes.Audience), queuetest.NewSlot(t, q, lanes.Bulk)
	for _, step := range []usher.Phase{usher.PhaseCompare, usher.PhaseAdd} {
		l := lane.Take(t)
		if err := l.PublishStep(t.Context(), step, nil, 2); err != nil {
			t.Fatal(err)
		}
		if err := l.Snooze(usher.Progress{}, time.Hour); err != nil {
			t.Fatal(err)
		}
		ends(t, bulk.Take(t), queuetest.Done(1))
		if why := queuetest.Record(t, q, "mirror").State; why != usher.Running {
			t.Errorf("the snoozed job is %s", why)
		}
		ends(t, bulk.Take(t), queuetest.Done(1))
		l = lane.Take(t)
		if s, err := l.StepProgress(t.Context(), step); err != nil || s.Done != 2 {
			t.Errorf("step %s is %+v, %v", step, s, err)
		}
		if err := l.Snooze(usher.Progress{}, time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	ends(t, lane.Take(t), queuetest.Done(4))
	if r := queuetest.Record(t, q, "mirror"); r.State != usher.Done || r.Crashes > 0 || r.Attempts != 1 {
		t.Errorf("the job is %s after %d attempts and %d crashes", r.State, r.Attempts, r.Crashes)
	}
}

// A job that has ended warns of each reason that takes at least 1 % of its rows, by the rows of all
// of its parts: one that is large in a part may be small in the job.
func TestProportionsOfParts(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	bulk := split(t, b, q, 2)
	for part := range 2 {
		l := bulk.Take(t)
		e := queuetest.Done(0)
		e.Progress.Checkpoint.Tally = usher.Tally{Read: 1000, Accepted: 990, Junk: usher.Counts{usher.Empty: 10}}
		if part == 1 {
			e.Progress.Checkpoint.Tally = usher.Tally{Read: 1000, Accepted: 985, Junk: usher.Counts{usher.Macro: 15}, Invalid: usher.Counts{}}
			e.Progress.Checkpoint.Tally.Accepted, e.Progress.Checkpoint.Tally.Invalid[usher.SHA1] = 965, 20
		}
		if err := l.End(e); err != nil {
			t.Fatal(err)
		}
	}
	r := queuetest.Record(t, q, "j1")
	want := []usher.Warning{{Code: "proportion", Count: 20, Description: "invalid.sha1: 20 of 2000 rows (1.0 %)"}}
	if r.State != usher.Done || !slices.Equal(r.Warnings, want) {
		t.Errorf("the job is %s, with the warnings %+v", r.State, r.Warnings)
	}
}
