package decisions_test

import (
	"fmt"
	"strings"
	"testing"

	"usher"
	"usher/queues/decisions"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

// A publisher who knows the id of a run cannot keep its jobs from running by using their ids,
// whether it decides at once or holds its decisions.
func TestIDsOfJobsAreTaken(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	r := decisions.New(q, b.Options.Metrics)
	lane := queuetest.NewSlot(t, q, lanes.Campaign)
	take := func(id string) {
		t.Helper()
		b.Publish(t, usher.CampaignResume, fmt.Sprintf(`{"id":%q,"campaign":"Z"}`, id))
		if w := lane.TakeWork(t); w.ID != id {
			t.Fatalf("took %s, want %s", w.ID, id)
		}
	}
	take("evt.A.pause")
	first := decide(t, r, evaluation("evt", usher.EvaluationDone), decision("A", "a-1", usher.Pause))
	second := decide(t, r, evaluation("evt", usher.EvaluationDone), decision("A", "a-1", usher.Pause)) // after a crash
	if queuetest.JSON(t, first) != queuetest.JSON(t, second) {
		t.Errorf("it was decided twice: %+v, %+v", first, second)
	}
	wantJob(t, lane, first.Jobs, "evt.A.pause.", "a-1")
	if s, err := r.Story(t.Context(), "a-1"); err != nil || len(s.Pages) != 1 || !strings.Contains(s.Pages[0].Outcome, first.Jobs[0]+" is done") {
		t.Errorf("the story is %s, %v", queuetest.JSON(t, s), err)
	}

	b.Publish(t, usher.CampaignResume, `{"id":"next.A.pause","campaign":"Z"}`) // which nobody has taken
	next := decide(t, r, evaluation("next", usher.EvaluationDone), decision("A", "a-1", usher.Pause))
	wantJob(t, lane, next.Jobs, "next.A.pause", "a-1")

	held := decide(t, r, evaluation("some", usher.EvaluationHeld), decision("A", "a-1", usher.Held), decision("A", "a-2", usher.Pause))
	wantJob(t, lane, held.Jobs, "some.A.pause", "a-2")
	take("some.A.pause.approved")
	for range 2 { // the second approval has no effect
		e, err := r.Interventions().Approve(t.Context(), "some", "ann", "", nil)
		if err != nil || len(e.Jobs) != 2 || e.Jobs[0] != "some.A.pause" {
			t.Fatalf("approved it is %s, %v", queuetest.JSON(t, e), err)
		}
		held = e
	}
	wantJob(t, lane, held.Jobs[1:], "some.A.pause.approved.", "a-1")
	lane.None(t)
}

// wantJob takes the only one of jobs, whose id begins with a prefix, and which sets a creative.
func wantJob(t *testing.T, lane *queuetest.Slot, jobs []string, prefix, creative string) {
	t.Helper()
	if len(jobs) != 1 || !strings.HasPrefix(jobs[0], prefix) {
		t.Fatalf("the jobs are %q, want one %s…", jobs, prefix)
	}
	if w := lane.TakeWork(t); w.ID != jobs[0] || len(w.Job.Creatives) != 1 || w.Job.Creatives[0] != creative {
		t.Errorf("took %s of %q, want %s of %s", w.ID, w.Job.Creatives, jobs[0], creative)
	}
}
