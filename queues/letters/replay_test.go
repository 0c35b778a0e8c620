package letters_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/lanes"
	"usher/queues/letters"
	"usher/queues/queuetest"
)

func plan(t *testing.T, q *queues.Queue, f letters.Filter) *letters.ReplayPlan {
	t.Helper()
	p, err := letters.New(q).PlanReplay(t.Context(), f, letters.ReplayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return &p
}

var operator = audit.Act{Actor: "alice", Reason: "mended"}

// audits returns the audit entries about letters, oldest first.
func audits(t *testing.T, b *queuetest.Broker) []usher.Audit {
	t.Helper()
	stream, err := b.JS.Stream(t.Context(), "USHER_EVENTS")
	if err != nil {
		t.Fatal(err)
	}
	var found []usher.Audit
	for seq := uint64(1); ; {
		m, err := stream.GetMsg(t.Context(), seq, jetstream.WithGetMsgSubject("usher.audit._letters"))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		var a usher.Audit
		if err := json.Unmarshal(m.Data, &a); err != nil {
			t.Fatal(err)
		}
		found, seq = append(found, a), m.Sequence+1
	}
}

// Of two concurrent replays of the same letters, one publishes each job.
func TestConcurrentReplays(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	testConcurrentReplays(t, b, q, q, 60)
}

// On a stream with replicas, a replay may come across a job that the other one is publishing.
func TestConcurrentReplaysOnReplicas(t *testing.T) {
	t.Parallel()
	b := queuetest.NewReplicated(t)
	testConcurrentReplays(t, b, b.Queue(t), b.Beside(t).Queue(t), 70)
}

func testConcurrentReplays(t *testing.T, b *queuetest.Broker, q, beside *queues.Queue, n int) {
	t.Helper()
	b.Fail(t, q, n)
	var both sync.WaitGroup
	var reports [2]letters.ReplayReport
	plans := []*letters.ReplayPlan{plan(t, q, letters.Filter{}), plan(t, q, letters.Filter{})}
	for i, q := range []*queues.Queue{q, beside} {
		both.Go(func() {
			var err error
			if reports[i], err = letters.New(q).Replay(t.Context(), plans[i], letters.ReplayOptions{Act: operator}); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	if got := reports[0].Replayed + reports[1].Replayed; got != n {
		t.Errorf("%d + %d were replayed of %d", reports[0].Replayed, reports[1].Replayed, n)
	}
	if got := b.Pending(t, "USHER_JOBS"); got != uint64(n) {
		t.Errorf("%d jobs wait", got)
	}
	if found := queuetest.Letters(t, q); len(found) != 0 {
		t.Errorf("%d letters are left", len(found))
	}
	if acts := audits(t, b); len(acts) != n || acts[0].Actor != "alice" || acts[0].Reason != "mended" || acts[0].Wanted != "replayed" || acts[0].Job == "" {
		t.Errorf("%d acts are audited: %s", len(acts), queuetest.JSON(t, acts[:1]))
	}
}

// A replay that was stopped reports what it did, and the next one continues it.
func TestStoppedReplayIsContinued(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	const n = 40
	b.Fail(t, q, n)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var mu sync.Mutex
	left := 7
	r := letters.ReplayOptions{Act: operator, Pace: func(ctx context.Context) error {
		mu.Lock()
		defer mu.Unlock()
		if left--; left < 0 {
			stop()
		}
		return ctx.Err()
	}}
	first, err := letters.New(q).Replay(ctx, plan(t, q, letters.Filter{}), r)
	if err == nil || first.Replayed != 7 {
		t.Fatalf("stopped after %+v, %v", first, err)
	}
	if found := queuetest.Letters(t, q); len(found) != n-7 {
		t.Fatalf("%d letters are left", len(found))
	}
	second, err := letters.New(q).Replay(t.Context(), plan(t, q, letters.Filter{}), letters.ReplayOptions{Act: operator})
	if err != nil || second.Replayed != n-7 || second.Left != 0 {
		t.Fatalf("continued with %+v, %v", second, err)
	}
	if got := b.Pending(t, "USHER_JOBS"); got != n {
		t.Errorf("%d jobs wait", got)
	}
}

// A report counts the jobs that failed again. A letter that a replay left behind when it
// crashed is deleted by the next replay.
func TestReplayReport(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Fail(t, q, 4)
	report, err := letters.New(q).Replay(t.Context(), plan(t, q, letters.Filter{Limit: 3}), letters.ReplayOptions{Act: operator})
	if err != nil || report.Replayed != 3 {
		t.Fatalf("the report is %+v, %v", report, err)
	}
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	for i := range 3 {
		end := queuetest.Done(1)
		if i == 0 {
			end = queuetest.Failed(usher.NotFound)
		}
		if err := lane.Take(t).End(end); err != nil {
			t.Fatal(err)
		}
	}
	if err := letters.New(q).AwaitReplay(t.Context(), &report, nil); err != nil || report.Done != 2 || report.FailedAgain != 1 {
		t.Errorf("the jobs ended as %+v, %v", report, err)
	}
	if again, err := letters.New(q).List(t.Context(), letters.Filter{Replay: report.Name}); err != nil || len(again) != 1 || again[0].Run != 2 {
		t.Errorf("the letters of the replay are %s, %v", queuetest.JSON(t, again), err)
	}
	// as if a replay was killed after it published the job and before it deleted the letter
	b.PublishRun(t, usher.SegmentAdd, queuetest.JobOn("job-3", "1"), "Usher-Run", "2", "Usher-Order", "4", "Nats-Msg-Id", "job-3/2")
	if err := lane.Take(t).End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
	left := plan(t, q, letters.Filter{ID: "job-3"})
	if left.Count != 0 || left.Replayed != 1 || !strings.Contains(left.LeftOut.Letters[0].Why, "done already") {
		t.Fatalf("the plan is %s", queuetest.JSON(t, left))
	}
	if _, err := letters.New(q).Replay(t.Context(), left, letters.ReplayOptions{Act: operator}); err != nil {
		t.Fatal(err)
	}
	if found := queuetest.Letters(t, q); len(found) != 1 || found[0].Run != 2 {
		t.Errorf("letters are left: %s", queuetest.JSON(t, found))
	}
}

func TestLetterFilters(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Fail(t, q, 4)
	b.Publish(t, usher.SegmentRemove, `no JSON`)
	queuetest.NewSlot(t, q, lanes.Audience).None(t)
	groups, err := letters.New(q).Groups(t.Context(), letters.Filter{Class: usher.NotFound})
	if err != nil || len(groups) != 2 || groups[0].Count != 2 {
		t.Fatalf("groups are %s, %v", queuetest.JSON(t, groups), err)
	}
	for name, c := range map[string]struct {
		f    letters.Filter
		want int
	}{
		"all":        {letters.Filter{}, 5},
		"kind":       {letters.Filter{Kind: usher.SegmentRemove}, 1},
		"class":      {letters.Filter{Class: usher.NotFound}, 4},
		"both":       {letters.Filter{Kind: usher.SegmentRemove, Class: usher.NotFound}, 0},
		"group":      {letters.Filter{Group: groups[0].Group}, 2},
		"match":      {letters.Filter{Match: "SEGMENT 1"}, 2},
		"id":         {letters.Filter{ID: "job-2"}, 1},
		"page":       {letters.Filter{Limit: 2, After: 2}, 2},
		"last page":  {letters.Filter{Limit: 2, After: 4}, 1},
		"after all":  {letters.Filter{After: 5}, 0},
		"through":    {letters.Filter{Through: 3}, 3},
		"by numbers": {letters.Filter{Seqs: []uint64{2, 9, 1, 2}}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := letters.New(q).List(t.Context(), c.f)
			if err != nil || len(found) != c.want {
				t.Errorf("found %d, %v", len(found), err)
			}
			survey, err := letters.New(q).Survey(t.Context(), c.f)
			if err != nil || survey.Count != c.want {
				t.Errorf("surveyed %d, %v", survey.Count, err)
			}
		})
	}
	n, err := letters.New(q).Discard(t.Context(), letters.Filter{Class: usher.NotFound}, operator)
	if err != nil || n != 4 || len(queuetest.Letters(t, q)) != 1 {
		t.Errorf("discarded %d, %v", n, err)
	}
	if acts := audits(t, b); len(acts) != 4 || acts[0].Wanted != "discarded" {
		t.Errorf("acts are %s", queuetest.JSON(t, acts))
	}
}

// A job whose deadline has passed is left out, unless it gets another one. Of those that have none, or a
// later one, a replay changes nothing.
func TestReplayWithDeadline(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	later := q.Now().Add(48 * time.Hour).UTC().Truncate(time.Second)
	slot := queuetest.NewSlot(t, q, lanes.Audience)
	for id, deadline := range map[string]string{"passed": `"2026-01-01T00:00:00Z"`, "later": `"` + later.Format(time.RFC3339) + `"`, "none": "null"} {
		body := strings.TrimSuffix(queuetest.JobOn(id, id), "}") + `,"deadline":` + deadline + "}"
		b.Publish(t, usher.SegmentAdd, strings.Replace(strings.Replace(body, `,"deadline":null`, "", 1), `"segment":"`+id, `"segment":"7`, 1))
		if err := slot.Take(t).End(queuetest.Failed(usher.Deadline)); err != nil {
			t.Fatal(err)
		}
	}
	left := plan(t, q, letters.Filter{})
	if left.Count != 2 || left.LeftOut.Count != 1 || *left.LeftOut.Letters[0].ID != "passed" || !strings.Contains(left.LeftOut.Letters[0].Why, "its deadline passed at 2026-01-01T00:00:00Z") {
		t.Fatalf("the plan is %s", queuetest.JSON(t, left))
	}
	o := letters.ReplayOptions{Act: operator, Deadline: 2 * time.Hour}
	all, err := letters.New(q).PlanReplay(t.Context(), letters.Filter{}, o)
	if err != nil || all.Count != 3 {
		t.Fatalf("the plan is %s, %v", queuetest.JSON(t, all), err)
	}
	before := q.Now()
	if report, err := letters.New(q).Replay(t.Context(), &all, o); err != nil || report.Replayed != 3 {
		t.Fatalf("the report is %s, %v", queuetest.JSON(t, report), err)
	}
	got := map[string]time.Time{}
	for range 3 {
		w := slot.TakeWork(t)
		got[w.Job.ID] = w.Job.Deadline
	}
	if soonest := before.Add(2*time.Hour - time.Second); got["passed"].Before(soonest) || got["passed"].After(q.Now().Add(2*time.Hour)) || !got["later"].Equal(later) || !got["none"].IsZero() {
		t.Errorf("the deadlines are %v", got)
	}
	if r := queuetest.Record(t, q, "passed"); r.Edited == nil || r.Edited.By != "alice" || r.Edited.Fields[0] != "/deadline" {
		t.Errorf("the edit is %+v", r.Edited)
	}
}

// A replay runs the job whose id it is, and leaves the letter of another job with that id: also if both are invalid,
// and in whichever order they come.
func TestReplayOfTwoJobsWithOneID(t *testing.T) {
	t.Parallel()
	const other = "its id belongs to another job"
	for name, c := range map[string]struct {
		edit map[string]string // of both letters, before the replay
	}{
		"as they are": {},
		"edited":      {map[string]string{"maxRejectPercent": "5"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := queuetest.New(t)
			q := b.Queue(t)
			lane := queuetest.NewSlot(t, q, lanes.Audience)
			b.Publish(t, usher.SegmentAdd, queuetest.JobOn("x", "1"))
			if err := lane.Take(t).End(queuetest.Failed(usher.InvalidJob)); err != nil {
				t.Fatal(err)
			}
			b.Publish(t, usher.SegmentAdd, queuetest.JobOn("x", "2"))
			lane.None(t)
			if c.edit != nil {
				editAll(t, q, letters.Filter{}, c.edit)
			}
			p := plan(t, q, letters.Filter{})
			if p.Count != 1 || p.LeftOut.Count != 1 || p.LeftOut.Letters[0].Why != other {
				t.Fatalf("the plan is %s", queuetest.JSON(t, p))
			}
			report, err := letters.New(q).Replay(t.Context(), p, letters.ReplayOptions{Act: operator})
			if err != nil || report.Replayed != 1 || report.Left != 1 || report.Skipped[0].Why != other {
				t.Errorf("the report is %s, %v", queuetest.JSON(t, report), err)
			}
			if found := queuetest.Letters(t, q); len(found) != 1 || found[0].Target != "segment 2" {
				t.Errorf("letters: %s", queuetest.JSON(t, found))
			}
			if w := lane.TakeWork(t); w.Run != 2 || w.Job.Segment != "1" {
				t.Errorf("the work is %+v", w)
			}
			lane.None(t)
		})
	}
}

// Of two letters with one id whose job is not on record, a replay runs one job, and leaves the letter of the other.
func TestReplayOfTwoJobsWithOneIDAndNoRecord(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	for i, segment := range []string{"1", "2"} {
		id := "x"
		l := queues.Letter{Order: uint64(i + 1), DeadLetter: usher.DeadLetter{
			ID: &id, Run: 1, Kind: usher.SegmentAdd, Target: "segment " + segment, Class: usher.NotFound, At: q.Now(), Job: json.RawMessage(queuetest.JobOn(id, segment)),
		}}
		if _, _, err := q.StoreLetter(t.Context(), l, "letter "+segment); err != nil {
			t.Fatal(err)
		}
	}
	report, err := letters.New(q).Replay(t.Context(), plan(t, q, letters.Filter{}), letters.ReplayOptions{Act: operator})
	if err != nil || report.Replayed != 1 || report.Left != 1 || report.Skipped[0].Why != "its id belongs to another job" {
		t.Errorf("the report is %s, %v", queuetest.JSON(t, report), err)
	}
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	w := lane.TakeWork(t)
	if found := queuetest.Letters(t, q); len(found) != 1 || found[0].Target == "segment "+w.Job.Segment {
		t.Errorf("letters: %s; the job of segment %s runs", queuetest.JSON(t, found), w.Job.Segment)
	}
	if acts := audits(t, b); len(acts) != 1 {
		t.Errorf("acts are %s", queuetest.JSON(t, acts))
	}
	lane.None(t)
}

// An invalid job that its publisher sent twice has two letters, and is one job: it runs once, and no letter is left.
func TestReplayOfOneJobWithTwoLetters(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	for range 2 {
		b.Publish(t, usher.SegmentAdd, `{"id":"x","segment":"1","profile":"idfaa","source":{"url":"file:///data/x.csv"}}`)
	}
	lane.None(t)
	editAll(t, q, letters.Filter{}, map[string]string{"profile": "idfa"})
	for range 2 {
		if _, err := letters.New(q).Replay(t.Context(), plan(t, q, letters.Filter{}), letters.ReplayOptions{Act: operator}); err != nil {
			t.Fatal(err)
		}
	}
	if found := queuetest.Letters(t, q); len(found) != 0 {
		t.Errorf("letters: %s", queuetest.JSON(t, found))
	}
	if w := lane.TakeWork(t); w.Run != 2 || w.Job.Segment != "1" {
		t.Errorf("the work is %+v", w)
	}
	lane.None(t)
}

// If the first message with an id was never a valid job, a job that was then published with the id may be replayed,
// and not the first one after it.
func TestReplayOfACorrectedJob(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, `{"id":"x","segment":"1","profile":"idfaa","source":{"url":"file:///data/x.csv"}}`)
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("x", "2"))
	lane.None(t)
	replay := func() letters.ReplayReport {
		report, err := letters.New(q).Replay(t.Context(), plan(t, q, letters.Filter{}), letters.ReplayOptions{Act: operator})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	if report := replay(); report.Replayed != 1 || report.Left != 1 || !strings.Contains(report.Skipped[0].Why, "would be invalid again") {
		t.Errorf("the report is %s", queuetest.JSON(t, report))
	}
	if w := lane.TakeWork(t); w.Run != 2 || w.Job.Segment != "2" {
		t.Errorf("the work is %+v", w)
	}
	editAll(t, q, letters.Filter{}, map[string]string{"profile": "idfa"})
	if report := replay(); report.Left != 1 || report.Skipped[0].Why != "its id belongs to another job" {
		t.Errorf("the report is %s", queuetest.JSON(t, report))
	}
	if found := queuetest.Letters(t, q); len(found) != 1 || found[0].Target != "segment 1" {
		t.Errorf("letters: %s", queuetest.JSON(t, found))
	}
	lane.None(t)
}
