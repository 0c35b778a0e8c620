package queues_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/lanes"
	"usher/queues/letters"
	"usher/queues/queuetest"
	"usher/queues/records"
)

// turn returns what a lease must wait for, or "".
func turn(t *testing.T, l *queues.Lease) string {
	t.Helper()
	waitsFor, err := l.WaitsFor(t.Context())
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
		if w := turn(t, queuetest.NewSlot(t, q, lanes.Audience).Take(t)); w != "" {
			t.Errorf("an add %s", w)
		}
	}
}

// waitsFor takes from the lane until a job's stored record says that it waits for another job,
// and fails the test if there is work. What people see says so before the job was delivered.
func waitsFor(t *testing.T, q *queues.Queue, lane *queuetest.Slot, id, other string) {
	t.Helper()
	var r usher.Record
	lane.NoneUntil(t, func() bool {
		var j records.Job
		if _, _, err := q.Store().State.Get(t.Context(), records.JobKey(id), &j); err != nil {
			t.Error(err)
			return true
		}
		r = j.Record
		return r.Why != nil && strings.Contains(*r.Why, "job "+other+" ")
	})
	if r.State == usher.Running || r.Retry != nil {
		t.Errorf("job %s does not wait for %s: %s", id, other, queuetest.JSON(t, r))
	}
}

func TestRemoveRunsAloneAndInOrder(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
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

// The parts of a cut add run after the add's message is acknowledged. A remove waits for
// them.
func TestRemoveWaitsForPartsOfAnAdd(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
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

// A job that has waited for longer than Options.Age is taken, so that its worker fails
// it.
func TestWaitingEnds(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	b.Options.Age = time.Nanosecond
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("before", "1"))
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("remove", "1"))
	lane.Take(t)
	if w := turn(t, lane.Take(t)); !strings.Contains(w, "before") {
		t.Errorf("the remove waits for %q", w)
	}
}

// A job that runs alone stays in the register until it ends. If an older job is replayed
// meanwhile, the retried job must leave the register, or each would wait for the other.
func TestExclusiveJobYieldsToAnOlderReplay(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("old", "1"))
	if err := lane.Take(t).End(queuetest.Failed(usher.Refused)); err != nil {
		t.Fatal(err)
	}
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("remove", "1"))
	remove := lane.Take(t)
	if w := turn(t, remove); w != "" {
		t.Fatal(w)
	}
	if err := queuetest.Replay(t, q, queuetest.Letters(t, q)[0].Seq); err != nil {
		t.Fatal(err)
	}
	waitsFor(t, q, lane, "old", "remove") // it runs
	if err := remove.Retry(usher.Progress{}, time.Millisecond, "it failed", true); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"old", "remove"} {
		l := lane.Take(t)
		if w := turn(t, l); l.Work().ID != id || w != "" {
			t.Fatalf("job %s was delivered, not %s, and %s", l.Work().ID, id, w)
		}
		if id == "old" {
			waitsFor(t, q, lane, "remove", "old")
		}
		if err := l.End(queuetest.Done(1)); err != nil {
			t.Fatal(err)
		}
	}
}

// A job that runs alone and has begun to change its target keeps its turn. An older job
// that is replayed meanwhile waits until it has ended.
func TestExclusiveJobThatHasBegunKeepsItsTurn(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("old", "1"))
	if err := lane.Take(t).End(queuetest.Failed(usher.Refused)); err != nil {
		t.Fatal(err)
	}
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("remove", "1"))
	remove := lane.Take(t)
	if w := turn(t, remove); w != "" {
		t.Fatal(w)
	}
	if err := queuetest.Replay(t, q, queuetest.Letters(t, q)[0].Seq); err != nil {
		t.Fatal(err)
	}
	waitsFor(t, q, lane, "old", "remove") // it runs
	begun := usher.Progress{Checkpoint: usher.Checkpoint{Batches: 1}}
	if err := remove.Retry(begun, time.Millisecond, "it failed", true); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"remove", "old"} {
		l := lane.Take(t)
		if w := turn(t, l); l.Work().ID != id || w != "" {
			t.Fatalf("job %s was delivered, not %s, and %s", l.Work().ID, id, w)
		}
		if err := l.End(queuetest.Done(1)); err != nil {
			t.Fatal(err)
		}
	}
}

// A long queue on one target does not block jobs on other targets, and proceeds in
// order.
func TestLongQueueOnOneTarget(t *testing.T) {
	t.Parallel()
	const length = 110 // 100 and more wait without a look at their records
	b := queuetest.NewPatient(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	for i := range length {
		b.Publish(t, usher.SegmentRemove, queuetest.JobOn(fmt.Sprintf("queued-%d", i), "1"))
	}
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("elsewhere", "2"))
	first, elsewhere := lane.Take(t), lane.Take(t)
	if id := elsewhere.Work().ID; id != "elsewhere" {
		t.Fatalf("job %s was delivered out of turn", id)
	}
	if r := queuetest.Record(t, q, fmt.Sprintf("queued-%d", length-1)); r.State != usher.Queued {
		t.Errorf("the last job is %s", queuetest.JSON(t, r))
	}
	for i, l := range []*queues.Lease{first, nil, nil} {
		if l == nil {
			l = lane.Take(t)
		}
		if id, w := l.Work().ID, turn(t, l); id != fmt.Sprintf("queued-%d", i) || w != "" {
			t.Fatalf("job %s was delivered as number %d, and %s", id, i, w)
		}
		if err := l.End(queuetest.Done(1)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReplaySkipsAnOlderAdd(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
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
	plan, err := letters.New(q).PlanReplay(t.Context(), letters.Filter{}, letters.ReplayOptions{})
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
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("remove", "1"))
	if err := lane.Take(t).Retry(usher.Progress{}, time.Hour, "waits", true); err != nil {
		t.Fatal(err)
	}
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("add", "1"))
	waitsFor(t, q, lane, "add", "remove")
	if err := q.Cancel(t.Context(), "remove", audit.Act{Actor: "tests"}); err != nil {
		t.Fatal(err)
	}
	if r := queuetest.Record(t, q, "remove"); r.Why != nil || r.Retry != nil {
		t.Errorf("cancelled, the record is %s", queuetest.JSON(t, r))
	}
	if w := turn(t, lane.Take(t)); w != "" {
		t.Errorf("the add %s, although the remove is cancelled", w)
	}
}

// No job waits for a second message of a job that is done.
func TestNobodyWaitsForASecondMessage(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("remove", "1"))
	if err := lane.Take(t).End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("add", "1"))
	add := lane.Take(t)
	b.PublishRun(t, usher.SegmentRemove, queuetest.JobOn("remove", "1"), "Usher-Order", "1")
	if w := turn(t, add); w != "" {
		t.Errorf("the add %s", w)
	}
}

// A forced replay of an add over a newer remove sends everything again, because the remove
// may have removed ids that are before the checkpoint.
func TestForcedReplayStartsAnew(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		between bool
		late    bool // the remove ends after the replay is published
		batches int64
	}{{"no job between", false, false, 1}, {"a remove between", true, false, 0}, {"a remove that runs", true, true, 0}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := queuetest.New(t)
			q := b.Queue(t)
			lane := queuetest.NewSlot(t, q, lanes.Audience)
			b.Publish(t, usher.SegmentAdd, queuetest.JobOn("old", "1"))
			e := queuetest.Failed(usher.Refused)
			e.Progress = queuetest.Done(5).Progress
			if err := lane.Take(t).End(e); err != nil {
				t.Fatal(err)
			}
			endRemove := func() {}
			if c.between {
				b.Publish(t, usher.SegmentRemove, queuetest.JobOn("remove", "1"))
				remove := lane.Take(t)
				if w := turn(t, remove); w != "" {
					t.Fatal(w)
				}
				endRemove = func() {
					if err := remove.End(queuetest.Done(1)); err != nil {
						t.Fatal(err)
					}
				}
			}
			if !c.late {
				endRemove()
			}
			if err := queuetest.Replay(t, q, queuetest.Letters(t, q)[0].Seq); err != nil {
				t.Fatal(err)
			}
			if c.late {
				endRemove()
			}
			if w := lane.Take(t).Work(); w.Run != 2 || w.Progress.Checkpoint.Batches != c.batches {
				t.Errorf("the replay is run %d and continues at batch %d", w.Run, w.Progress.Checkpoint.Batches)
			}
		})
	}
}

// A dry run removes nothing, so it does not prevent the replay of an older job.
func TestDryRunPreventsNoReplay(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
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
	plan, err := letters.New(q).PlanReplay(t.Context(), letters.Filter{}, letters.ReplayOptions{})
	if err != nil || plan.Count != 1 || plan.LeftOut.Count != 0 {
		t.Fatalf("plan is %s, %v", queuetest.JSON(t, plan), err)
	}
}

func TestNewestJobOnACreative(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Campaign)
	b.Publish(t, usher.CampaignPause, `{"id":"old","campaign":"SANDBOX1-a"}`)
	b.Publish(t, usher.CampaignResume, `{"id":"new","campaign":"SANDBOX1-a"}`)
	old, newer := lane.Take(t), lane.Take(t)
	first, late := usher.CreativeState{Status: "ACTIVE", LatestUpdate: "1"}, usher.CreativeState{Status: "INACTIVE", LatestUpdate: "2"}
	claim := func(l *queues.Lease, wanted string, now usher.CreativeState, asked bool) usher.CreativeEntry {
		entry, err := l.ClaimChange(t.Context(), "c1", wanted, readEntry(t, l, "c1"), now, asked)
		if err != nil {
			t.Fatal(err)
		}
		return entry
	}
	order := newer.Work().Order
	if entry := claim(newer, "ACTIVE", first, true); entry.Job != "new" || !entry.ChangedBy(order, first) {
		t.Errorf("after the newer job: %+v", entry)
	}
	// The older job does not replace the entry, and cannot claim a change that the newer
	// job has claimed. It can claim a later change.
	if entry := claim(old, "INACTIVE", first, true); entry.Job != "new" || !entry.ChangedBy(order, first) {
		t.Errorf("after the older job: %+v", entry)
	}
	if entry := claim(old, "INACTIVE", late, true); entry.Wanted != "ACTIVE" || !entry.ChangedBy(old.Work().Order, late) {
		t.Errorf("after the older job's late change: %+v", entry)
	}
	if entry := claim(newer, "ACTIVE", late, false); entry.ChangedBy(order, late) {
		t.Errorf("a change that was not asked for: %+v", entry)
	}
	if got := readEntry(t, old, "c1"); got.Order != order || got.Job != "new" {
		t.Errorf("the entry is %+v", got)
	}
	if got := readEntry(t, old, "c2"); got != (usher.CreativeEntry{}) {
		t.Errorf("nobody has set c2: %+v", got)
	}
}

// A claim has no effect if the entry was written after the claiming job has read
// it, whether it existed then or not.
func TestClaimAfterAnotherClaim(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Campaign)
	b.Publish(t, usher.CampaignPause, `{"id":"old","campaign":"SANDBOX1-a"}`)
	b.Publish(t, usher.CampaignResume, `{"id":"new","campaign":"SANDBOX1-a"}`)
	old, newer := lane.Take(t), lane.Take(t)
	known := readEntry(t, newer, "c1")
	for _, time := range []string{"1", "2"} {
		paused := usher.CreativeState{Status: "INACTIVE", LatestUpdate: time}
		claimed, err := old.ClaimChange(t.Context(), "c1", "INACTIVE", readEntry(t, old, "c1"), paused, true)
		if err != nil || !claimed.ChangedBy(old.Work().Order, paused) || claimed != readEntry(t, old, "c1") {
			t.Fatalf("the older job has claimed %+v, %v", claimed, err)
		}
		active := usher.CreativeState{Status: "ACTIVE", LatestUpdate: "0"}
		if _, err := newer.ClaimChange(t.Context(), "c1", "ACTIVE", known, active, true); !errors.Is(err, usher.ErrEntryChanged) {
			t.Errorf("the claim of the newer job ends with %v", err)
		}
		if got := readEntry(t, newer, "c1"); got != claimed {
			t.Errorf("the entry is %+v, not %+v", got, claimed)
		}
		known = claimed
	}
	held, err := newer.ClaimChange(t.Context(), "c1", "ACTIVE", known, known.Left, false)
	if err != nil || held.Job != "new" || held.ChangedOrder != old.Work().Order || held.Left != known.Left {
		t.Errorf("after another reading: %+v, %v", held, err)
	}
}

// readEntry returns the entry of a creative.
func readEntry(t *testing.T, l *queues.Lease, creative string) usher.CreativeEntry {
	t.Helper()
	entries, err := l.Entries(t.Context(), []string{creative})
	if err != nil {
		t.Fatal(err)
	}
	return entries[creative]
}

// The register of a target is damaged while an older job is to be tried again and a job that
// runs alone waits for it. The rebuilt register must not hold the waiting job, or
// each would wait for the other.
func TestDamagedRegisterHoldsNoWaitingJob(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("add", "1"))
	add := lane.Take(t)
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("remove", "1"))
	waitsFor(t, q, lane, "remove", "add")
	kv, err := b.JS.KeyValue(t.Context(), "usher_state")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kv.PutString(t.Context(), "targets.segment=201", "{"); err != nil {
		t.Fatal(err)
	}
	if err := add.Retry(usher.Progress{}, time.Millisecond, "it failed", true); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"add", "remove"} {
		l := lane.Take(t)
		if w := turn(t, l); l.Work().ID != id || w != "" {
			t.Fatalf("job %s was delivered, not %s, and %s", l.Work().ID, id, w)
		}
		if err := l.End(queuetest.Done(1)); err != nil {
			t.Fatal(err)
		}
	}
}
