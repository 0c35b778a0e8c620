package feeds

import (
	"strings"
	"testing"
	"time"

	"usher/internal/feeds"
	"usher/queues/audit"
	"usher/queues/queuetest"
)

// Without a worker that has the feed, usher feeds run says so and ends, and the feed is listed
// as having no worker.
func TestRunWithoutWorker(t *testing.T) {
	t.Parallel()
	q := queuetest.New(t).Queue(t)
	if err := q.Store().Rules.Put(t.Context(), "feeds.crm", feeds.State{Name: "crm", Created: q.Now(), Announced: q.Now(), Next: q.Now()}); err != nil {
		t.Fatal(err)
	}
	states := feeds.NewStates(q)
	now, notes := q.Now(), &strings.Builder{}
	clock := func() time.Time { now = now.Add(20 * time.Second); return now }
	_, err := (&session{q, states, clock, notes}).look(t.Context(), "crm", audit.Act{Actor: "ann"})
	if err == nil || !strings.Contains(err.Error(), "no worker looks at feed crm: is usher run running") {
		t.Errorf("the command ends with %v", err)
	}
	if strings.Count(notes.String(), "\n") != 1 || !strings.Contains(notes.String(), "no worker looks at feed crm yet") {
		t.Errorf("the command notes %q", notes)
	}
	s, err := states.Get(t.Context(), "crm")
	if err != nil {
		t.Fatal(err)
	}
	s.Next = s.Next.Add(-time.Hour)
	if v, err := viewOf(t.Context(), q, s); err != nil || v.state() != "no worker" || !v.Unattended {
		t.Errorf("the feed is %q, %v", v.state(), err)
	}
	s.Versions = map[string]*feeds.Version{"v1": {Held: "rows"}}
	if v, err := viewOf(t.Context(), q, s); err != nil || v.state() != "held: rows, no worker" {
		t.Errorf("the held feed is %q, %v", v.state(), err)
	}
}
