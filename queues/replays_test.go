package queues_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues"
)

// fail publishes jobs and lets each fail.
func (b *broker) fail(t *testing.T, q *queues.Queue, n int) {
	t.Helper()
	lane := slot(t, q, queues.Audience)
	for i := range n {
		b.publish(t, usher.SegmentAdd, jobOn(fmt.Sprintf("job-%d", i), fmt.Sprint(i%2)))
		if err := next(t, lane).End(failed(usher.NotFound)); err != nil {
			t.Fatal(err)
		}
	}
}

func plan(t *testing.T, q *queues.Queue, f queues.LetterFilter) *queues.ReplayPlan {
	t.Helper()
	p, err := q.PlanReplay(t.Context(), f, false)
	if err != nil {
		t.Fatal(err)
	}
	return &p
}

var operator = queues.Act{Actor: "alice", Reason: "mended"}

// audits are the acts on letters, oldest first.
func (b *broker) audits(t *testing.T) []usher.Audit {
	t.Helper()
	stream, err := b.js.Stream(t.Context(), "USHER_EVENTS")
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

// Two who replay the same letters at once replay each once between them.
func TestTwoReplayAtOnce(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	q := b.queue(t)
	const n = 60
	b.fail(t, q, n)
	var both sync.WaitGroup
	var reports [2]queues.ReplayReport
	plans := []*queues.ReplayPlan{plan(t, q, queues.LetterFilter{}), plan(t, q, queues.LetterFilter{})}
	for i := range reports {
		both.Go(func() {
			var err error
			if reports[i], err = q.CarryOut(t.Context(), plans[i], queues.Replay{Act: operator}); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	if got := reports[0].Replayed + reports[1].Replayed; got != n {
		t.Errorf("%d + %d were replayed of %d", reports[0].Replayed, reports[1].Replayed, n)
	}
	if got := b.pending(t, "USHER_JOBS"); got != n {
		t.Errorf("%d jobs wait", got)
	}
	if found := letters(t, q); len(found) != 0 {
		t.Errorf("%d letters are left", len(found))
	}
	if acts := b.audits(t); len(acts) != n || acts[0].Actor != "alice" || acts[0].Reason != "mended" || acts[0].Wanted != "replayed" || acts[0].Job == "" {
		t.Errorf("%d acts are audited: %s", len(acts), mustJSON(t, acts[:1]))
	}
}

// A replay that is stopped goes on where it was, and says exactly what it did.
func TestReplayStopsAndGoesOn(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	q := b.queue(t)
	const n = 40
	b.fail(t, q, n)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var mu sync.Mutex
	left := 7
	r := queues.Replay{Act: operator, Pace: func(ctx context.Context) error {
		mu.Lock()
		defer mu.Unlock()
		if left--; left < 0 {
			stop()
		}
		return ctx.Err()
	}}
	first, err := q.CarryOut(ctx, plan(t, q, queues.LetterFilter{}), r)
	if err == nil || first.Replayed != 7 {
		t.Fatalf("stopped after %+v, %v", first, err)
	}
	if found := letters(t, q); len(found) != n-7 {
		t.Fatalf("%d letters are left", len(found))
	}
	second, err := q.CarryOut(t.Context(), plan(t, q, queues.LetterFilter{}), queues.Replay{Act: operator})
	if err != nil || second.Replayed != n-7 || second.Left != 0 {
		t.Fatalf("went on with %+v, %v", second, err)
	}
	if got := b.pending(t, "USHER_JOBS"); got != n {
		t.Errorf("%d jobs wait", got)
	}
}

// Jobs that fail again are counted, also while the replay goes on; a letter that
// a replay left behind when it died is removed by the next.
func TestReplayReport(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	q := b.queue(t)
	b.fail(t, q, 4)
	report, err := q.CarryOut(t.Context(), plan(t, q, queues.LetterFilter{Limit: 3}), queues.Replay{Act: operator})
	if err != nil || report.Replayed != 3 {
		t.Fatalf("the report is %+v, %v", report, err)
	}
	lane := slot(t, q, queues.Audience)
	for i := range 3 {
		end := done(1)
		if i == 0 {
			end = failed(usher.NotFound)
		}
		if err := next(t, lane).End(end); err != nil {
			t.Fatal(err)
		}
	}
	if err := q.AwaitReplayed(t.Context(), &report, nil); err != nil || report.Done != 2 || report.FailedAgain != 1 {
		t.Errorf("the jobs ended as %+v, %v", report, err)
	}
	// As if a replay had been killed between its publish and its removal.
	b.publish(t, usher.SegmentAdd, jobOn("job-3", "1"), "Usher-Run", "2", "Usher-Order", "4", "Nats-Msg-Id", "job-3/2")
	if err := next(t, lane).End(done(1)); err != nil {
		t.Fatal(err)
	}
	left := plan(t, q, queues.LetterFilter{ID: "job-3"})
	if left.Count != 0 || left.Over != 1 || !strings.Contains(left.LeftOut.Letters[0].Why, "done already") {
		t.Fatalf("the plan is %s", mustJSON(t, left))
	}
	if _, err := q.CarryOut(t.Context(), left, queues.Replay{Act: operator}); err != nil {
		t.Fatal(err)
	}
	if found := letters(t, q); len(found) != 1 || found[0].Run != 2 {
		t.Errorf("letters are left: %s", mustJSON(t, found))
	}
}

func TestLetterFilters(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	q := b.queue(t)
	b.fail(t, q, 4)
	b.publish(t, usher.SegmentRemove, `no JSON`)
	none(t, slot(t, q, queues.Audience))
	groups, err := q.LetterGroups(t.Context(), queues.LetterFilter{Class: usher.NotFound})
	if err != nil || len(groups) != 2 || groups[0].Count != 2 {
		t.Fatalf("groups are %s, %v", mustJSON(t, groups), err)
	}
	for name, c := range map[string]struct {
		f    queues.LetterFilter
		want int
	}{
		"all":        {queues.LetterFilter{}, 5},
		"kind":       {queues.LetterFilter{Kind: usher.SegmentRemove}, 1},
		"class":      {queues.LetterFilter{Class: usher.NotFound}, 4},
		"both":       {queues.LetterFilter{Kind: usher.SegmentRemove, Class: usher.NotFound}, 0},
		"group":      {queues.LetterFilter{Group: groups[0].Group}, 2},
		"match":      {queues.LetterFilter{Match: "SEGMENT 1"}, 2},
		"id":         {queues.LetterFilter{ID: "job-2"}, 1},
		"page":       {queues.LetterFilter{Limit: 2, After: 2}, 2},
		"last page":  {queues.LetterFilter{Limit: 2, After: 4}, 1},
		"after all":  {queues.LetterFilter{After: 5}, 0},
		"through":    {queues.LetterFilter{Through: 3}, 3},
		"by numbers": {queues.LetterFilter{Seqs: []uint64{2, 9, 1, 2}}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := q.Letters(t.Context(), c.f)
			if err != nil || len(found) != c.want {
				t.Errorf("found %d, %v", len(found), err)
			}
			survey, err := q.Survey(t.Context(), c.f)
			if err != nil || survey.Count != c.want {
				t.Errorf("surveyed %d, %v", survey.Count, err)
			}
		})
	}
	n, err := q.Discard(t.Context(), queues.LetterFilter{Class: usher.NotFound}, operator)
	if err != nil || n != 4 || len(letters(t, q)) != 1 {
		t.Errorf("discarded %d, %v", n, err)
	}
	if acts := b.audits(t); len(acts) != 4 || acts[0].Wanted != "discarded" {
		t.Errorf("acts are %s", mustJSON(t, acts))
	}
}
