package queues_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/lanes"
	"usher/queues/queuetest"
	"usher/queues/status"
)

// A pause and a resume of one campaign have the same fields. With the same id they are
// still two jobs, and the second one must not be dropped.
func TestKindIsPartOfTheBody(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Campaign)
	const body = `{"id":"same","campaign":"SANDBOX1-a"}`
	b.Publish(t, usher.CampaignPause, body)
	if err := lane.Take(t).End(queuetest.Done(0)); err != nil {
		t.Fatal(err)
	}
	if a, err := q.Submit(t.Context(), usher.CampaignResume, []byte(body)); err != nil || len(a.Errors) != 1 {
		t.Errorf("submit of another kind under the same id answers %+v, %v", a, err)
	}
	b.Publish(t, usher.CampaignResume, body)
	lane.None(t)
	if found := queuetest.Letters(t, q); len(found) != 1 || found[0].Class != usher.InvalidJob {
		t.Errorf("letters: %s", queuetest.JSON(t, found))
	}
}

// A replay can be delivered before the run that it follows has ended, because the letter
// is written before the record. It waits for the end; an ack would lose it.
func TestReplayOvertakesTheEndOfItsRun(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	first := lane.Take(t)
	b.PublishRun(t, usher.SegmentAdd, queuetest.AddJob, "Usher-Run", "2", "Usher-Order", "1", "Nats-Msg-Id", "j1/2")
	lane.None(t)
	if err := first.End(queuetest.Failed(usher.NotFound)); err != nil {
		t.Fatal(err)
	}
	if w := lane.Take(t).Work(); w.Run != 2 {
		t.Errorf("the next run is %d", w.Run)
	}
}

// A repeated replay takes effect once, even if the first one could not delete the
// letter.
func TestReplayAgainDeletesTheLetter(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	if err := lane.Take(t).End(queuetest.Failed(usher.NotFound)); err != nil {
		t.Fatal(err)
	}
	b.PublishRun(t, usher.SegmentAdd, queuetest.AddJob, "Usher-Run", "2", "Usher-Order", "1", "Nats-Msg-Id", "j1/2")
	if err := queuetest.Replay(t, q, queuetest.Letters(t, q)[0].Seq); err != nil {
		t.Fatal(err)
	}
	if found := queuetest.Letters(t, q); len(found) != 0 {
		t.Errorf("letters are left: %s", queuetest.JSON(t, found))
	}
	if err := lane.Take(t).End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
	lane.None(t)
}

// A replayed job whose letter is gone is on record as queued until a worker takes it.
func TestReplayedJobIsQueued(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		published bool // by a replay that died before it wrote the record
	}{{"replay", false}, {"repeated replay", true}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := queuetest.New(t)
			q := b.Queue(t)
			lane := queuetest.NewSlot(t, q, lanes.Audience)
			b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
			if err := lane.Take(t).End(queuetest.Failed(usher.NotFound)); err != nil {
				t.Fatal(err)
			}
			if c.published {
				b.PublishRun(t, usher.SegmentAdd, queuetest.AddJob, "Usher-Run", "2", "Usher-Order", "1", "Nats-Msg-Id", "j1/2")
			}
			if err := queuetest.Replay(t, q, queuetest.Letters(t, q)[0].Seq); err != nil {
				t.Fatal(err)
			}
			r := queuetest.Record(t, q, "j1")
			if r.State != usher.Queued || r.Run != 2 || r.Error != nil || r.Finished != nil || r.Attempts != 0 || r.Why == nil {
				t.Errorf("record %s, want queued as run 2", queuetest.JSON(t, r))
			}
			if listed, err := q.Status().Records(t.Context(), status.Filter{States: []usher.State{usher.Queued}}); err != nil || len(listed) != 1 {
				t.Errorf("queued jobs: %s, %v; want the replay", queuetest.JSON(t, listed), err)
			}
			audited := 0
			if err := q.Audit().Each(t.Context(), audit.Filter{Job: "j1"}, func(usher.Audit) error { audited++; return nil }); err != nil || audited != 1 {
				t.Errorf("%d entries in the audit, %v; want 1", audited, err)
			}
			if err := lane.Take(t).End(queuetest.Done(1)); err != nil {
				t.Fatal(err)
			}
			if r := queuetest.Record(t, q, "j1"); r.State != usher.Done || r.Run != 2 || r.Attempts != 1 {
				t.Errorf("record %s, want done in one attempt as run 2", queuetest.JSON(t, r))
			}
			lane.None(t)
		})
	}
}

// A replay that is repeated does not change the record of a run that a worker has taken.
func TestRepeatedReplayOfARunningJob(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	if err := lane.Take(t).End(queuetest.Failed(usher.NotFound)); err != nil {
		t.Fatal(err)
	}
	id := "j1"
	letter := queues.Letter{DeadLetter: queuetest.Letters(t, q)[0], Order: 1}
	if before, err := q.Reruns().Publish(t.Context(), &letter, "first"); err != nil || before {
		t.Fatal(before, err)
	}
	lease := lane.Take(t)
	if before, err := q.Reruns().Publish(t.Context(), &letter, "second"); err != nil || !before {
		t.Fatal(before, err)
	}
	if r := queuetest.Record(t, q, id); r.State != usher.Running || r.Run != 2 {
		t.Errorf("record %s, want running", queuetest.JSON(t, r))
	}
	if err := lease.End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
	if r := queuetest.Record(t, q, id); r.State != usher.Done || r.Run != 2 {
		t.Errorf("record %s, want done", queuetest.JSON(t, r))
	}
}

// A replay that waits can be cancelled.
func TestCancelQueuedReplay(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	if err := lane.Take(t).End(queuetest.Failed(usher.NotFound)); err != nil {
		t.Fatal(err)
	}
	if err := queuetest.Replay(t, q, queuetest.Letters(t, q)[0].Seq); err != nil {
		t.Fatal(err)
	}
	if err := q.Cancel(t.Context(), "j1", audit.Act{Actor: "test"}); err != nil {
		t.Fatal(err)
	}
	lane.None(t)
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Cancelled || r.Run != 2 {
		t.Errorf("record %s, want run 2 cancelled", queuetest.JSON(t, r))
	}
}

// The letter of an invalid message never has the message ID of a job's letter.
func TestLetterOfAJobNamedInvalid(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, `not JSON`)
	lane.None(t)
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("invalid", "1"))
	if err := lane.Take(t).End(queuetest.Failed(usher.NotFound)); err != nil {
		t.Fatal(err)
	}
	if found := queuetest.Letters(t, q); len(found) != 2 {
		t.Errorf("letters: %s", queuetest.JSON(t, found))
	}
}

// Two namespaces on one server do not see each other.
func TestNamespaces(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	other := *b
	other.Options.Namespace = "staging"
	if err := queues.Declare(t.Context(), b.JS, other.Options); err != nil {
		t.Fatal(err)
	}
	here, there := b.Queue(t), other.Queue(t)
	go func() { _ = there.ServeSubmit(t.Context(), "1.0.0") }()

	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	queuetest.NewSlot(t, there, lanes.Audience).None(t)
	if found, err := there.Status().Records(t.Context(), status.Filter{}); err != nil || len(found) != 0 {
		t.Errorf("the other namespace sees %s, %v", queuetest.JSON(t, found), err)
	}
	var answer queues.Answer
	submit(t, b.Conn, "staging.usher.submit.segment.add", strings.Replace(queuetest.AddJob, `"segment":"1"`, `"segment":"2"`, 1), &answer)
	if answer.ID != "j1" {
		t.Errorf("submit answers %+v", answer)
	}
	mine, theirs := queuetest.NewSlot(t, here, lanes.Audience).Take(t), queuetest.NewSlot(t, there, lanes.Audience).Take(t)
	if mine.Work().Job.Segment != "1" || theirs.Work().Job.Segment != "2" {
		t.Errorf("taken were %+v and %+v", mine.Work().Job, theirs.Work().Job)
	}
	if err := theirs.End(queuetest.Failed(usher.NotFound)); err != nil {
		t.Fatal(err)
	}
	if found := queuetest.Letters(t, here); len(found) != 0 {
		t.Errorf("a letter is in the wrong namespace: %s", queuetest.JSON(t, found))
	}
	if err := mine.Split(planOf(2, "v1"), usher.Progress{}); err != nil {
		t.Fatal(err)
	}
	queuetest.NewSlot(t, there, lanes.Bulk).None(t)
	if err := here.Cancel(t.Context(), "j1", audit.Act{Actor: "tests"}); err != nil {
		t.Fatal(err)
	}
	if r := queuetest.Record(t, there, "j1"); r.State != usher.Failed {
		t.Errorf("the other's record says %s", r.State)
	}
}

// submit sends a request to an endpoint, which may not be up yet.
func submit(t *testing.T, nc *nats.Conn, subject, body string, answer any) {
	t.Helper()
	for range 50 {
		m, err := nc.RequestWithContext(t.Context(), subject, []byte(body))
		if err != nil {
			continue // no responders yet
		}
		if err := json.Unmarshal(m.Data, answer); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Fatalf("no response from %s", subject)
}

// Ids that the platform refused are before the checkpoint, because they were answered.
// Only a run from the beginning sends them again.
func TestReplayOfRefusedIDsStartsFromTheBeginning(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	end := queuetest.Failed(usher.Refused)
	end.Progress.Checkpoint = usher.Checkpoint{Batches: 2, Rows: 9, Tally: usher.Tally{Read: 9, Accepted: 4, Refused: usher.Counts{"E1": 5}}}
	if err := lane.Take(t).End(end); err != nil {
		t.Fatal(err)
	}
	if err := queuetest.Replay(t, q, queuetest.Letters(t, q)[0].Seq); err != nil {
		t.Fatal(err)
	}
	if c := lane.Take(t).Work().Progress.Checkpoint; c.Batches != 0 || c.Tally.Read != 0 {
		t.Errorf("the replay continues at %+v", c)
	}
}

// The answer to a job that is submitted again says that it has ended, so that nothing will run.
func TestSubmittedAfterItsEnd(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	slot := queuetest.NewSlot(t, q, lanes.Audience)
	submit := func(known bool, ended usher.State) {
		t.Helper()
		a, err := q.Submit(t.Context(), usher.SegmentAdd, []byte(queuetest.AddJob))
		if err != nil || a.ID != "j1" || a.Known != known || a.Ended != ended {
			t.Errorf("the answer is %+v, %v", a, err)
		}
	}
	submit(false, "")
	lease := slot.Take(t)
	submit(true, "")
	if err := lease.End(queuetest.Done(3)); err != nil {
		t.Fatal(err)
	}
	submit(true, usher.Done)
}
