package queues_test

import (
	"fmt"
	"testing"

	"usher"
	"usher/queues"
)

func planOf(parts int, stamp string) usher.Plan {
	p := usher.Plan{Format: "text", Input: usher.InputRaw, Stamp: stamp}
	for i := range parts {
		p.Parts = append(p.Parts, usher.Part{From: int64(i) * 10, To: int64(i+1) * 10})
	}
	return p
}

// split publishes a job and cuts it.
func split(t *testing.T, b *broker, q *queues.Queue, parts int) (bulk *queues.Deliveries) {
	t.Helper()
	b.publish(t, usher.SegmentAdd, addJob)
	if err := next(t, slot(t, q, queues.Audience)).Split(planOf(parts, "v1"), usher.Progress{}); err != nil {
		t.Fatal(err)
	}
	return slot(t, q, queues.Bulk)
}

func TestCutJobIsSummed(t *testing.T) {
	t.Parallel()
	const parts = 1000
	b := newBroker(t)
	q := b.queue(t)
	bulk := split(t, b, q, parts)
	if n := b.pending(t, "USHER_JOBS"); n != 0 {
		t.Fatalf("the job's message was not acked: %d left", n)
	}
	if n := b.pending(t, "USHER_PARTS"); n != parts {
		t.Fatalf("%d parts were published", n)
	}
	asked := 0
	for i := range parts {
		l := next(t, bulk)
		w := l.Work()
		if w.Parts != parts || w.Range.From != int64(w.Part)*10 || w.Progress.Plan.Stamp != "v1" {
			t.Fatalf("part's work is %+v", w)
		}
		e := done(int64(w.Part))
		e.Progress.Checkpoint.Samples = []usher.Sample{{Row: 1, Reason: fmt.Sprint(w.Part), Masked: "****"}}
		e.After = func() (int64, error) { asked++; return 77, nil }
		if err := l.End(e); err != nil {
			t.Fatal(err)
		}
		if i == parts/2 {
			if r := record(t, q, "j1"); r.State != usher.Running || r.Parts.Done != i+1 || r.Tally.Read == 0 {
				t.Fatalf("half-way the record says %+v, read %d", r.Parts, r.Tally.Read)
			}
		}
	}
	r := record(t, q, "j1")
	if r.State != usher.Done || r.Tally.Read != parts*(parts-1)/2 || r.Batches != parts || r.Parts.Done != parts {
		t.Fatalf("record says %s %+v %d batches %+v", r.State, r.Tally, r.Batches, r.Parts)
	}
	if asked != 1 || r.NumberOfIDs.After != 77 {
		t.Errorf("the platform was asked %d times, the record says %+v", asked, r.NumberOfIDs)
	}
	for _, s := range r.Samples {
		var part int64
		fmt.Sscan(s.Reason, &part)
		if want := part*(part-1)/2 + 1; s.Row != want {
			t.Errorf("a sample of part %d stands at row %d, not %d", part, s.Row, want)
		}
	}
	none(t, bulk)
}

func TestBuriedPartEndsTheJob(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	q := b.queue(t)
	bulk := split(t, b, q, 3)
	if err := next(t, bulk).End(done(4)); err != nil {
		t.Fatal(err)
	}
	if err := next(t, bulk).End(failed(usher.SourceBroken)); err != nil {
		t.Fatal(err)
	}
	l := next(t, bulk)
	if l.Context().Err() == nil {
		t.Error("a part that came after the failure may work")
	}
	if err := l.End(usher.Ending{State: usher.Cancelled}); err != nil {
		t.Fatal(err)
	}
	r := record(t, q, "j1")
	if r.State != usher.Failed || r.Error.Class != usher.SourceBroken || r.Tally.Accepted != 4 {
		t.Fatalf("record says %s", mustJSON(t, r))
	}
	found := letters(t, q)
	if len(found) != 1 || found[0].Class != usher.SourceBroken {
		t.Fatalf("letters: %s", mustJSON(t, found))
	}

	// The replay runs only what is left.
	if err := q.Replay(t.Context(), found[0].Seq); err != nil {
		t.Fatal(err)
	}
	if err := next(t, slot(t, q, queues.Audience)).Split(planOf(3, "v1"), usher.Progress{}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := next(t, bulk).End(done(1)); err != nil {
			t.Fatal(err)
		}
	}
	if r := record(t, q, "j1"); r.State != usher.Done || r.Run != 2 || r.Tally.Accepted != 6 || r.Parts.Done != 3 {
		t.Fatalf("after the replay the record says %s", mustJSON(t, r))
	}
	none(t, bulk)
}

func TestReplayOverAnotherSourceStartsAnew(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	q := b.queue(t)
	bulk := split(t, b, q, 2)
	if err := next(t, bulk).End(done(4)); err != nil {
		t.Fatal(err)
	}
	if err := next(t, bulk).End(failed(usher.SourceBroken)); err != nil {
		t.Fatal(err)
	}
	if err := q.Replay(t.Context(), letters(t, q)[0].Seq); err != nil {
		t.Fatal(err)
	}
	if err := next(t, slot(t, q, queues.Audience)).Split(planOf(2, "v2"), usher.Progress{}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		l := next(t, bulk)
		if c := l.Work().Progress.Checkpoint; c.Batches != 0 {
			t.Errorf("a part goes on from batch %d of another source", c.Batches)
		}
		if err := l.End(done(10)); err != nil {
			t.Fatal(err)
		}
	}
	if r := record(t, q, "j1"); r.State != usher.Done || r.Tally.Accepted != 20 {
		t.Fatalf("record says %s", mustJSON(t, r))
	}
}

// A crash between publishing the parts and acking the job: the job comes again
// and finds its parts there.
func TestSplitTwice(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	q := b.queue(t)
	b.publish(t, usher.SegmentAdd, addJob)
	lane := slot(t, q, queues.Audience)
	if err := next(t, lane).SplitWithoutAck(planOf(3, "v1")); err != nil {
		t.Fatal(err)
	}
	bulk := slot(t, q, queues.Bulk)
	if err := next(t, bulk).End(done(1)); err != nil {
		t.Fatal(err)
	}
	if err := next(t, lane).Split(planOf(3, "v1"), usher.Progress{}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := next(t, bulk).End(done(1)); err != nil {
			t.Fatal(err)
		}
	}
	if r := record(t, q, "j1"); r.State != usher.Done || r.Tally.Accepted != 3 {
		t.Fatalf("record says %s", mustJSON(t, r))
	}
	none(t, bulk)
}

func TestCancelCut(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	q := b.queue(t)
	bulk := split(t, b, q, 20)
	if err := next(t, bulk).End(done(3)); err != nil {
		t.Fatal(err)
	}
	if err := q.Cancel(t.Context(), "j1"); err != nil {
		t.Fatal(err)
	}
	r := record(t, q, "j1")
	if r.State != usher.Cancelled || r.Tally.Accepted != 3 {
		t.Fatalf("record says %s", mustJSON(t, r))
	}
	none(t, bulk)
}
