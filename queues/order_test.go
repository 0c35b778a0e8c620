package queues_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/letters"
	"usher/queues/queuetest"
)

// turn is what a lease must wait for.
func turn(t *testing.T, l *queues.Lease) string {
	t.Helper()
	waitsFor, err := l.Turn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return waitsFor
}

func TestAddsRunBesideAdds(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("a", "1"))
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("b", "1"))
	for range 2 {
		if w := turn(t, queuetest.NewSlot(t, q, queues.Audience).Take(t)); w != "" {
			t.Errorf("an add %s", w)
		}
	}
}

// waitsFor fails the test if there is work, or if a job's record does not say that it
// waits for another job.
func waitsFor(t *testing.T, q *queues.Queue, lane *queuetest.Slot, id, other string) {
	t.Helper()
	lane.None(t)
	if r := queuetest.Record(t, q, id); r.State == usher.Running || r.Why == nil || r.Retry != nil || !strings.Contains(*r.Why, "job "+other+" ") {
		t.Errorf("job %s does not wait for %s: %s", id, other, queuetest.JSON(t, r))
	}
}

func TestRemoveRunsAloneAndInOrder(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, queues.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("before", "1"))
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("remove", "1"))
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("after", "1"))
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("elsewhere", "2"))
	before, elsewhere := lane.Take(t), lane.Take(t)
	for _, l := range []*queues.Lease{before, elsewhere} {
		if w := turn(t, l); w != "" {
			t.Errorf("job %s %s", l.Work().ID, w)
		}
	}
	waitsFor(t, q, lane, "remove", "before")
	waitsFor(t, q, lane, "after", "remove")
	if err := before.End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
	remove := lane.Take(t)
	if w := turn(t, remove); remove.Work().ID != "remove" || w != "" {
		t.Fatalf("job %s %s", remove.Work().ID, w)
	}
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("late", "1"))
	waitsFor(t, q, lane, "late", "remove")
	waitsFor(t, q, lane, "after", "remove")
	if err := remove.End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		l := lane.Take(t)
		if w := turn(t, l); w != "" {
			t.Errorf("after the remove job %s %s", l.Work().ID, w)
		}
	}
}

// The parts of a cut add run after its message is acked; a remove sees them
// all the same.
func TestRemoveWaitsForPartsOfAnAdd(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, queues.Audience)
	bulk := split(t, b, q, 2)
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("remove", "1"))
	waitsFor(t, q, lane, "remove", "j1")
	for range 2 {
		if err := bulk.Take(t).End(queuetest.Done(1)); err != nil {
			t.Fatal(err)
		}
	}
	if w := turn(t, lane.Take(t)); w != "" {
		t.Fatalf("the remove %s", w)
	}
}

// A job that waited for too long is taken, so that its worker gives it up.
func TestWaitingEnds(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	b.Options.Age = time.Nanosecond
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, queues.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("before", "1"))
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("remove", "1"))
	lane.Take(t)
	if w := turn(t, lane.Take(t)); !strings.Contains(w, "before") {
		t.Errorf("the remove waits for %q", w)
	}
}

// A lone job that had its turn stands in the register until it ends. Where an
// older job is replayed meanwhile, each would wait for the other for ever.
func TestLoneJobMakesRoomForAnOlderReplay(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, queues.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("old", "1"))
	if err := lane.Take(t).End(queuetest.Failed(usher.Refused)); err != nil {
		t.Fatal(err)
	}
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("lone", "1"))
	lone := lane.Take(t)
	if w := turn(t, lone); w != "" {
		t.Fatal(w)
	}
	if err := queuetest.Replay(t, q, queuetest.Letters(t, q)[0].Seq); err != nil {
		t.Fatal(err)
	}
	waitsFor(t, q, lane, "old", "lone") // it runs
	if err := lone.Retry(usher.Progress{}, time.Millisecond, "it failed", true); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"old", "lone"} {
		l := lane.Take(t)
		if w := turn(t, l); l.Work().ID != id || w != "" {
			t.Fatalf("job %s comes, not %s, and %s", l.Work().ID, id, w)
		}
		if id == "old" {
			waitsFor(t, q, lane, "lone", "old")
		}
		if err := l.End(queuetest.Done(1)); err != nil {
			t.Fatal(err)
		}
	}
}

// A lone job that has begun to change its target keeps its turn: an older job
// that is replayed meanwhile waits until it has ended.
func TestLoneJobThatHasBegunKeepsItsTurn(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, queues.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("old", "1"))
	if err := lane.Take(t).End(queuetest.Failed(usher.Refused)); err != nil {
		t.Fatal(err)
	}
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("lone", "1"))
	lone := lane.Take(t)
	if w := turn(t, lone); w != "" {
		t.Fatal(w)
	}
	if err := queuetest.Replay(t, q, queuetest.Letters(t, q)[0].Seq); err != nil {
		t.Fatal(err)
	}
	waitsFor(t, q, lane, "old", "lone") // it runs
	begun := usher.Progress{Checkpoint: usher.Checkpoint{Batches: 1}}
	if err := lone.Retry(begun, time.Millisecond, "it failed", true); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"lone", "old"} {
		l := lane.Take(t)
		if w := turn(t, l); l.Work().ID != id || w != "" {
			t.Fatalf("job %s comes, not %s, and %s", l.Work().ID, id, w)
		}
		if err := l.End(queuetest.Done(1)); err != nil {
			t.Fatal(err)
		}
	}
}

// A long row on one target does not keep others from their turn, and moves on.
func TestLongRowOnOneTarget(t *testing.T) {
	t.Parallel()
	const row = 60
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, queues.Audience)
	for i := range row {
		b.Publish(t, usher.SegmentRemove, queuetest.JobOn(fmt.Sprintf("row-%d", i), "1"))
	}
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("elsewhere", "2"))
	first, elsewhere := lane.Take(t), lane.Take(t)
	if id := elsewhere.Work().ID; id != "elsewhere" {
		t.Fatalf("job %s came before its turn", id)
	}
	for i, l := range []*queues.Lease{first, nil, nil} {
		if l == nil {
			l = lane.Take(t)
		}
		if id, w := l.Work().ID, turn(t, l); id != fmt.Sprintf("row-%d", i) || w != "" {
			t.Fatalf("job %s came as number %d, and %s", id, i, w)
		}
		if err := l.End(queuetest.Done(1)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReplayOfAnOlderAddIsLeftOut(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, queues.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("old", "1"))
	if err := lane.Take(t).End(queuetest.Failed(usher.Refused)); err != nil {
		t.Fatal(err)
	}
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("newer", "1"))
	remove := lane.Take(t)
	if w := turn(t, remove); w != "" {
		t.Fatal(w)
	}
	if err := remove.End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
	plan, err := letters.New(q).PlanReplay(t.Context(), letters.Filter{}, false)
	if err != nil || plan.Count != 0 || plan.LeftOut.Count != 1 || !strings.Contains(plan.LeftOut.Letters[0].Why, "newer") || !strings.Contains(plan.LeftOut.Letters[0].Why, "--force") {
		t.Fatalf("plan is %s, %v", queuetest.JSON(t, plan), err)
	}
}

// No job waits for a cancelled job, whose message stays on the stream until its delay
// is over.
func TestNobodyWaitsForACancelledJob(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, queues.Audience)
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("remove", "1"))
	if err := lane.Take(t).Retry(usher.Progress{}, time.Hour, "waits", true); err != nil {
		t.Fatal(err)
	}
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("add", "1"))
	waitsFor(t, q, lane, "add", "remove")
	if err := q.Cancel(t.Context(), "remove", queues.Act{Actor: "tests"}); err != nil {
		t.Fatal(err)
	}
	if r := queuetest.Record(t, q, "remove"); r.Why != nil || r.Retry != nil {
		t.Errorf("cancelled, the record is %s", queuetest.JSON(t, r))
	}
	if w := turn(t, lane.Take(t)); w != "" {
		t.Errorf("the add %s, which is cancelled", w)
	}
}

// No job waits for a second message of a job that is done.
func TestNobodyWaitsForASecondMessage(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, queues.Audience)
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("remove", "1"))
	if err := lane.Take(t).End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("add", "1"))
	add := lane.Take(t)
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("remove", "1"), "Usher-Order", "1")
	if w := turn(t, add); w != "" {
		t.Errorf("the add %s", w)
	}
}

// A forced replay of an add over a newer remove sends everything again: what its
// checkpoint says is in may have been taken out.
func TestForcedReplayBeginsAnew(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		between bool
		batches int64
	}{{"nothing between", false, 1}, {"a remove between", true, 0}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := queuetest.New(t)
			q := b.Queue(t)
			lane := queuetest.NewSlot(t, q, queues.Audience)
			b.Publish(t, usher.SegmentAdd, queuetest.JobOn("old", "1"))
			e := queuetest.Failed(usher.Refused)
			e.Progress = queuetest.Done(5).Progress
			if err := lane.Take(t).End(e); err != nil {
				t.Fatal(err)
			}
			if c.between {
				b.Publish(t, usher.SegmentRemove, queuetest.JobOn("remove", "1"))
				remove := lane.Take(t)
				if w := turn(t, remove); w != "" {
					t.Fatal(w)
				}
				if err := remove.End(queuetest.Done(1)); err != nil {
					t.Fatal(err)
				}
			}
			if err := queuetest.Replay(t, q, queuetest.Letters(t, q)[0].Seq); err != nil {
				t.Fatal(err)
			}
			if w := lane.Take(t).Work(); w.Run != 2 || w.Progress.Checkpoint.Batches != c.batches {
				t.Errorf("the replay is run %d and goes on from batch %d", w.Run, w.Progress.Checkpoint.Batches)
			}
		})
	}
}

// A dry run takes nothing out, so it stands in no replay's way.
func TestDryRunIsNoWord(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, queues.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("old", "1"))
	if err := lane.Take(t).End(queuetest.Failed(usher.Refused)); err != nil {
		t.Fatal(err)
	}
	b.Publish(t, usher.SegmentRemove, strings.Replace(queuetest.JobOn("dry", "1"), "{", `{"dryRun":true,`, 1))
	dry := lane.Take(t)
	if w := turn(t, dry); w != "" {
		t.Fatal(w)
	}
	if err := dry.End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
	plan, err := letters.New(q).PlanReplay(t.Context(), letters.Filter{}, false)
	if err != nil || plan.Count != 1 || plan.LeftOut.Count != 0 {
		t.Fatalf("plan is %s, %v", queuetest.JSON(t, plan), err)
	}
}

func TestNewestWordOnACreative(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, queues.Campaign)
	b.Publish(t, usher.CampaignPause, `{"id":"old","campaign":"SANDBOX1-a"}`)
	b.Publish(t, usher.CampaignResume, `{"id":"new","campaign":"SANDBOX1-a"}`)
	old, newer := lane.Take(t), lane.Take(t)
	first, late := usher.CreativeState{Status: "ACTIVE", LatestUpdate: "1"}, usher.CreativeState{Status: "INACTIVE", LatestUpdate: "2"}
	speak := func(l *queues.Lease, wanted string, now usher.CreativeState, asked bool) usher.CreativeEntry {
		word, err := l.ClaimChange(t.Context(), "c1", wanted, now, asked)
		if err != nil {
			t.Fatal(err)
		}
		return word
	}
	order := newer.Work().Order
	if word := speak(newer, "ACTIVE", first, true); word.Job != "new" || !word.ChangedBy(order, first) {
		t.Errorf("after the newer job: %+v", word)
	}
	// An older job's word does not hold, and it has not made a change that is
	// claimed; one that comes after it is its own.
	if word := speak(old, "INACTIVE", first, true); word.Job != "new" || !word.ChangedBy(order, first) {
		t.Errorf("after the older job: %+v", word)
	}
	if word := speak(old, "INACTIVE", late, true); word.Wanted != "ACTIVE" || !word.ChangedBy(old.Work().Order, late) {
		t.Errorf("after the older job's late change: %+v", word)
	}
	if word := speak(newer, "ACTIVE", late, false); word.ChangedBy(order, late) {
		t.Errorf("it was not asked for: %+v", word)
	}
	for _, c := range []struct {
		l    *queues.Lease
		want int
	}{{old, 1}, {newer, 0}} {
		found, err := c.l.Superseded(t.Context(), []string{"c1", "c2"})
		if err != nil || len(found) != c.want {
			t.Errorf("job %s is superseded on %v, %v", c.l.Work().ID, found, err)
		}
	}
}
