package alerts

import (
	"slices"
	"strings"
	"testing"
	"time"

	"usher/internal/feeds"
)

// A feed that is late, and an export that is held, are reported once, with their ends.
func TestFeeds(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{Console: "https://usher.example.com"})
	now := b.clock.Now()
	s := feeds.State{
		Name: "crm", Created: now.Add(-48 * time.Hour), Announced: now, Looked: now,
		Spec:     feeds.Spec{Target: "segment 1", Expect: feeds.Expect{By: now.UTC().Add(-time.Minute).Format("15:04"), Timezone: "UTC"}},
		Versions: map[string]*feeds.Version{"v": {Since: now, Whole: true, Held: "min_rows", Reason: "it has 9 rows"}},
	}
	put := func() {
		t.Helper()
		if err := b.q.Store().Rules.Put(t.Context(), "feeds.crm", &s); err != nil {
			t.Fatal(err)
		}
	}
	put()
	if err := b.worker().deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	if link := b.to.sent[0].Link; link != "https://usher.example.com/#/audiences/segment%201" {
		t.Errorf("the link is %q", link)
	}
	if got := b.to.take(); !slices.Equal(got, []string{"Feed crm is late", "Feed crm holds an export: it has 9 rows"}) {
		t.Fatalf("sent %q", got)
	}
	b.deliver()
	s.Met = now
	s.Versions["v"].Held, s.Versions["v"].Decision = "", &feeds.Decision{Approved: true, By: "anna", At: now}
	put()
	if err := b.worker().deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	var ends []string
	for _, m := range b.to.sent {
		ends = append(ends, string(m.Event)+" "+strings.Join(m.Details, " "))
	}
	if !slices.Equal(ends, []string{"solved An export has come.", "solved Approved by anna"}) {
		t.Errorf("sent %q", ends)
	}
}
