package letters_test

import (
	"fmt"
	"strings"
	"testing"

	"usher"
	"usher/queues/lanes"
	"usher/queues/letters"
	"usher/queues/queuetest"
)

// A letter is needless once a later job has uploaded its export to its target. Whatever the records do not prove
// leaves it as it is.
func TestLaterJobs(t *testing.T) {
	t.Parallel()
	const failed = `{"id":"first","segment":"1","profile":"idfa","source":{"url":"file:///data/x.csv","column":"idfa"}}`
	job := func(rest string) string { return `{"id":"later","profile":"idfa",` + rest + `}` }
	for name, c := range map[string]struct {
		first, later    string
		kind, laterKind usher.Kind // default segment.add
		ending          usher.Ending
		needless        bool
		why             string
	}{
		"submitted again":     {later: job(`"segment":"1","source":{"url":"file:///data/x.csv","column":"idfa"}`), needless: true, why: "the later job later has uploaded this export"},
		"with a condition":    {later: job(`"segment":"1","source":{"url":"file:///data/x.csv","column":"idfa","only":["consent=yes"]}`), needless: true},
		"mirrored":            {later: job(`"segment":"1","source":{"url":"file:///data/x.csv","column":"idfa"}`), laterKind: usher.SegmentMirror, needless: true},
		"another column":      {later: job(`"segment":"1","source":{"url":"file:///data/x.csv","column":"idfv"}`)},
		"another export":      {later: job(`"segment":"1","source":{"url":"file:///data/y.csv","column":"idfa"}`)},
		"another segment":     {later: job(`"segment":"2","source":{"url":"file:///data/x.csv","column":"idfa"}`)},
		"another advertiser":  {later: job(`"segment":"1","advertiser":"B","source":{"url":"file:///data/x.csv","column":"idfa"}`)},
		"a dry run":           {later: job(`"segment":"1","dryRun":true,"source":{"url":"file:///data/x.csv","column":"idfa"}`)},
		"failed again":        {later: job(`"segment":"1","source":{"url":"file:///data/x.csv","column":"idfa"}`), ending: queuetest.Failed(usher.NotFound)},
		"a newer mirror":      {kind: usher.SegmentMirror, laterKind: usher.SegmentMirror, later: job(`"segment":"1","source":{"url":"file:///data/y.csv"}`), needless: true, why: "has made segment 1 equal to a newer export"},
		"an add after one":    {kind: usher.SegmentMirror, later: job(`"segment":"1","source":{"url":"file:///data/x.csv","column":"idfa"}`)},
		"a query in the name": {first: `{"id":"first","segment":"1","profile":"idfa","source":{"url":"https://example.com/x?day=1"}}`, later: job(`"segment":"1","source":{"url":"https://example.com/x?day=2"}`)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := queuetest.New(t)
			q := b.Queue(t)
			slot := queuetest.NewSlot(t, q, lanes.Audience)
			kind, laterKind, first, ending := c.kind, c.laterKind, c.first, c.ending
			if kind == "" {
				kind = usher.SegmentAdd
			}
			if laterKind == "" {
				laterKind = usher.SegmentAdd
			}
			if first == "" {
				first = failed
			}
			if ending.State == "" {
				ending = queuetest.Done(3)
			}
			b.Publish(t, kind, first)
			must(t, slot.Take(t).End(queuetest.Failed(usher.NotFound)))
			b.Publish(t, laterKind, c.later)
			must(t, slot.Take(t).End(ending))

			dead := letters.New(q)
			knowing := dead.Knowing(dead.AllUploads)
			list, err := knowing.List(t.Context(), letters.Filter{ID: "first"})
			if err != nil || len(list) != 1 {
				t.Fatal(list, err)
			}
			l := list[0].Later
			if got := l != nil && l.Needless; got != c.needless || c.why != "" && (l == nil || !strings.Contains(l.Why, c.why)) || c.why == "" && !c.needless && l != nil {
				t.Errorf("%s: %+v", name, l)
			}
			groups, err := knowing.Groups(t.Context(), letters.Filter{ID: "first"})
			if want := fmt.Sprint(one(c.needless), one(l != nil && !c.needless)); err != nil || len(groups) != 1 || fmt.Sprint(groups[0].Needless, groups[0].Superseded) != want {
				t.Errorf("groups %+v, %v, want %s", groups, err, want)
			}
			if plain, err := dead.List(t.Context(), letters.Filter{ID: "first"}); err != nil || plain[0].Later != nil {
				t.Errorf("without records: %+v, %v", plain, err)
			}
		})
	}
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
