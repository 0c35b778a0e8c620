package alerts

import (
	"context"
	"strings"
	"testing"
	"time"

	"usher/internal/feeds"
	"usher/queues/letters"
	"usher/queues/queuetest"
	"usher/queues/rulings"
)

// A feed that is late, and an export that is held, are reported once.
func TestFeeds(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	now := q.Now()
	s := feeds.State{
		Name: "crm", Created: now.Add(-48 * time.Hour), Announced: now, Looked: now,
		Spec:     feeds.Spec{Expect: feeds.Expect{By: now.UTC().Add(-time.Minute).Format("15:04"), Timezone: "UTC"}},
		Versions: map[string]*feeds.Version{"v": {Since: now, Whole: true, Held: "min_rows", Reason: "it has 9 rows"}},
	}
	if err := q.Store().Rules.Put(t.Context(), "feeds.crm", &s); err != nil {
		t.Fatal(err)
	}
	d := detector{Options: Options{}.withDefaults(), queue: q, letters: letters.New(q), rulings: rulings.New(q, nil), notices: rulings.NewNotices(q)}
	sent := 0
	for range 2 {
		err := d.deliver(t.Context(), func(_ context.Context, a Alert) error {
			sent++
			text := alertText(&a, "")
			for _, want := range []string{"feed crm is late", "feed crm holds an export by min_rows: it has 9 rows (usher feeds approve crm, or reject)"} {
				if !strings.Contains(text, want) {
					t.Errorf("the alert is %q, want %q", text, want)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if sent != 1 {
		t.Errorf("%d alerts were sent", sent)
	}
}
