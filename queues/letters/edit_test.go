package letters_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/queues"
	"usher/queues/lanes"
	"usher/queues/letters"
	"usher/queues/queuetest"
)

func editAll(t *testing.T, q *queues.Queue, f letters.Filter, assignments map[string]string) []letters.Edited {
	t.Helper()
	var seen []letters.Edited
	if err := letters.New(q).Edit(t.Context(), f, letters.New(q).Assign(assignments), operator, func(e letters.Edited) { seen = append(seen, e) }); err != nil {
		t.Fatal(err)
	}
	return seen
}

// An edited job runs as the next run, from the start of its export, and its record says
// who edited it. A second message of the publisher is still recognised.
func TestEditedJobRunsFromStart(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	end := queuetest.Failed(usher.NotFound)
	end.Progress.Checkpoint = usher.Checkpoint{Batches: 3, Rows: 30, Tally: usher.Tally{Read: 30, Accepted: 30}}
	if err := lane.Take(t).End(end); err != nil {
		t.Fatal(err)
	}
	seen := editAll(t, q, letters.Filter{}, map[string]string{"segment": "2", "source.column": "idfa", "source.only": "consent=yes", "source.disregard": `["tz"]`, "maxRejectPercent": "5"})
	if len(seen) != 1 || strings.Join(seen[0].Fields, " ") != "/maxRejectPercent /segment /source/column /source/disregard /source/only" {
		t.Fatalf("edited: %s", queuetest.JSON(t, seen))
	}
	found := queuetest.Letters(t, q)
	if len(found) != 1 || found[0].Run != 1 || found[0].Target != "segment 2" || found[0].Edited == nil || found[0].Edited.By != "alice" {
		t.Fatalf("letters: %s", queuetest.JSON(t, found))
	}
	if err := queuetest.Replay(t, q, found[0].Seq); err != nil {
		t.Fatal(err)
	}
	l := lane.Take(t)
	w := l.Work()
	if w.Run != 2 || w.Order != 1 || w.Job.Segment != "2" || w.Job.Source.Column != "idfa" || !slices.Equal(w.Job.Source.Only, []string{"consent=yes"}) || !slices.Equal(w.Job.Source.Disregard, []string{"tz"}) || *w.Job.MaxRejectPercent != 5 || w.Progress.Checkpoint.Batches != 0 {
		t.Fatalf("the work is %+v", w)
	}
	if err := l.End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
	r := queuetest.Record(t, q, "j1")
	if r.Edited == nil || r.Edited.Run != 1 || r.Edited.Reason != "mended" || !strings.Contains(string(r.Job), `"segment":"2"`) {
		t.Errorf("the record is %s", queuetest.JSON(t, r))
	}
	b.Publish(t, usher.SegmentAdd, strings.ReplaceAll(queuetest.AddJob, ",", ", ")) // the publisher sends it again
	lane.None(t)
	if a, err := q.Submit(t.Context(), usher.SegmentAdd, []byte(queuetest.AddJob)); err != nil || len(a.Errors) != 0 {
		t.Errorf("submit of the first body answers %+v, %v", a, err)
	}
	if found := queuetest.Letters(t, q); len(found) != 0 {
		t.Errorf("letters: %s", queuetest.JSON(t, found))
	}
	if acts := audits(t, b); len(acts) != 2 || acts[0].Wanted != "edited" || !strings.Contains(acts[0].Reason, "/segment") {
		t.Errorf("acts are %s", queuetest.JSON(t, acts))
	}
}

// An edit keeps the parts of a job that people do not see.
func TestEditKeepsWhatIsNotShown(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, `{"id":"url","segment":"1","profile":"idfa","source":{"url":"https://x.example/a.csv?sig=secret"}}`)
	b.Publish(t, usher.SegmentAdd, `{"id":"ids","segment":"1","profile":"idfa","source":{"ids":["6D92078A-8246-4BA4-AE5B-76104861E7DC"]}}`)
	for range 2 {
		if err := lane.Take(t).End(queuetest.Failed(usher.NotFound)); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range editAll(t, q, letters.Filter{}, map[string]string{"segment": "2"}) {
		if len(e.Issues) != 0 || strings.Contains(queuetest.JSON(t, e), "secret") {
			t.Fatalf("edited: %s", queuetest.JSON(t, e))
		}
	}
	if _, err := letters.New(q).Replay(t.Context(), plan(t, q, letters.Filter{}), letters.ReplayOptions{Act: operator}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		w := lane.TakeWork(t)
		switch {
		case w.Job.Segment != "2":
			t.Errorf("the segment is %s", w.Job.Segment)
		case w.ID == "url" && w.Job.Source.URL != "https://x.example/a.csv?sig=secret":
			t.Errorf("the source is %+v", w.Job.Source)
		case w.ID == "ids" && (len(w.Job.Source.IDs) != 1 || len(w.Job.Source.IDs[0]) != 32):
			t.Errorf("the source is %+v", w.Job.Source)
		}
	}
}

func TestEditsThatAreRefused(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	if err := lane.Take(t).End(queuetest.Failed(usher.NotFound)); err != nil {
		t.Fatal(err)
	}
	b.Publish(t, usher.SegmentAdd, `{"id":"bad","segment":"1","profile":"idfaa","source":{"url":"https://x.example/a.csv?sig=secret"}}`)
	b.Publish(t, usher.SegmentAdd, "no JSON")
	lane.None(t)
	for name, c := range map[string]struct {
		seq     uint64
		set     map[string]string
		pointer string
	}{
		"id":             {1, map[string]string{"id": "other"}, "/id"},
		"wrong value":    {1, map[string]string{"profile": "imei"}, "/profile"},
		"needed field":   {1, map[string]string{"segment": "null"}, ""},
		"unknown field":  {1, map[string]string{"colour": "red"}, ""},
		"secret is gone": {2, map[string]string{"profile": "idfa"}, "/source/url"},
		"no job":         {3, map[string]string{"segment": "1"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			seen := editAll(t, q, letters.Filter{Seqs: []uint64{c.seq}}, c.set)
			if len(seen) != 1 || len(seen[0].Issues) == 0 || c.pointer != "" && seen[0].Issues[0].Pointer != c.pointer {
				t.Errorf("edited: %s", queuetest.JSON(t, seen))
			}
		})
	}
	if found := queuetest.Letters(t, q); len(found) != 3 {
		t.Errorf("letters: %s", queuetest.JSON(t, found))
	}
	// An invalid job runs once its fields are corrected.
	editAll(t, q, letters.Filter{ID: "bad"}, map[string]string{"profile": "idfa", "source.url": "https://x.example/b.csv"})
	if p := plan(t, q, letters.Filter{ID: "bad"}); p.Count != 1 {
		t.Fatalf("the plan is %s", queuetest.JSON(t, p))
	} else if _, err := letters.New(q).Replay(t.Context(), p, letters.ReplayOptions{Act: operator}); err != nil {
		t.Fatal(err)
	}
	if w := lane.TakeWork(t); w.ID != "bad" || w.Run != 2 || w.Job.Profile.Type != usher.IDFA {
		t.Errorf("the work is %+v", w)
	}
}

// The inline ids of a letter are digests of the profile that the job was published with, so an edit that leaves
// them cannot say that they are of another one: they would match nobody, and the job would end as done.
func TestEditsOfDigests(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentRemove, `{"id":"ids","segment":"1","profile":"idfa","source":{"ids":["6d92078a-8246-4ba4-ae5b-76104861e7dc"]}}`)
	b.Publish(t, usher.SegmentAdd, `{"id":"url","segment":"2","profile":"idfa","source":{"url":"https://x.example/a.csv"}}`)
	for range 2 {
		if err := lane.Take(t).End(queuetest.Failed(usher.InvalidJob)); err != nil {
			t.Fatal(err)
		}
	}
	const ids = `["6d92078a-8246-4ba4-ae5b-76104861e7dc"]`
	for name, c := range map[string]struct {
		id      string
		set     map[string]string
		refused string
	}{
		"another type":         {"ids", map[string]string{"profile": "aaid"}, "/profile"},
		"another case":         {"ids", map[string]string{"profile": `{"type":"idfa","case":"lower"}`}, "/profile"},
		"no hyphens":           {"ids", map[string]string{"profile": `{"type":"idfa","hyphens":false}`}, "/profile"},
		"another input":        {"ids", map[string]string{"input": "raw"}, "/input"},
		"the default input":    {"ids", map[string]string{"input": "null"}, "/input"},
		"another segment":      {"ids", map[string]string{"segment": "3"}, ""},
		"the profile in full":  {"ids", map[string]string{"profile": `{"type":"idfa","case":"upper","hyphens":true}`}, ""},
		"the ids as well":      {"ids", map[string]string{"profile": "aaid", "input": "raw", "source.ids": ids}, ""},
		"an export instead":    {"ids", map[string]string{"profile": "aaid", "input": "raw", "source.ids": "null", "source.url": "file:///data/x.csv"}, ""},
		"profile of an export": {"url", map[string]string{"profile": "aaid"}, ""},
		"input of an export":   {"url", map[string]string{"input": "md5"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			ls := letters.New(q)
			err := ls.PlanEdit(t.Context(), letters.Filter{ID: c.id}, ls.Assign(c.set), func(e letters.Edited) error {
				refused := ""
				if len(e.Issues) > 0 {
					refused = e.Issues[0].Pointer
				}
				if refused != c.refused || len(e.Fields) == 0 {
					t.Errorf("edited: %s", queuetest.JSON(t, e))
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// The rows that were dropped of inline ids belong to these ids: an edit that leaves the ids keeps their tally, and one
// that replaces them has the tally of the new ones.
func TestEditedIDsHaveATallyOfTheirOwn(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	const id, other = `"6D92078A-8246-4BA4-AE5B-76104861E7DC"`, `"7E92078A-8246-4BA4-AE5B-76104861E7DC"`
	for name, c := range map[string]struct {
		set     map[string]string
		dropped int64
	}{
		"the same ids": {map[string]string{"segment": "2"}, 1},
		"good ids":     {map[string]string{"input": "raw", "source.ids": "[" + id + "," + other + "]"}, 0},
		"other ids":    {map[string]string{"input": "raw", "source.ids": "[" + id + `,"junk","more junk"]`}, 2},
		"an export":    {map[string]string{"input": "raw", "source.ids": "null", "source.url": "file:///data/x.csv"}, 0},
	} {
		job := strings.ReplaceAll(name, " ", "-")
		b.Publish(t, usher.SegmentAdd, `{"id":"`+job+`","segment":"1","profile":"idfa","source":{"ids":[`+id+`,"junk"]}}`)
		if err := lane.Take(t).End(queuetest.Failed(usher.NotFound)); err != nil {
			t.Fatal(err)
		}
		for _, e := range editAll(t, q, letters.Filter{ID: job}, c.set) {
			if len(e.Issues) > 0 {
				t.Fatalf("%s: edited: %s", name, queuetest.JSON(t, e))
			}
		}
		if _, err := letters.New(q).Replay(t.Context(), plan(t, q, letters.Filter{ID: job}), letters.ReplayOptions{Act: operator}); err != nil {
			t.Fatal(err)
		}
		l := lane.Take(t)
		if w := l.Work(); w.ID != job || w.Dropped.Read != c.dropped {
			t.Errorf("%s: %d rows of %s were dropped, want %d", name, w.Dropped.Read, w.ID, c.dropped)
		}
		if err := l.End(queuetest.Done(1)); err != nil {
			t.Fatal(err)
		}
	}
}

// An editor may change the white space of the text.
func TestEditWithoutAChange(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	if err := queuetest.NewSlot(t, q, lanes.Audience).Take(t).End(queuetest.Failed(usher.NotFound)); err != nil {
		t.Fatal(err)
	}
	same := func(_ usher.Kind, shown json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(strings.ReplaceAll(string(shown), ",", ",\n\t")), nil
	}
	err := letters.New(q).Edit(t.Context(), letters.Filter{}, same, operator, func(e letters.Edited) {
		if len(e.Fields) != 0 || len(e.Issues) != 0 {
			t.Errorf("edited: %s", queuetest.JSON(t, e))
		}
	})
	if found := queuetest.Letters(t, q); err != nil || len(found) != 1 || found[0].Seq != 1 {
		t.Errorf("letters: %s, %v", queuetest.JSON(t, found), err)
	}
}

// A plan of a fix counts what would be changed and replayed, shows three of the jobs before and
// after, and changes nothing.
func TestPlanFix(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Fail(t, q, 4)
	b.Publish(t, usher.SegmentRemove, `no JSON`)
	queuetest.NewSlot(t, q, lanes.Audience).None(t)
	ls := letters.New(q)
	for name, c := range map[string]struct {
		change                  letters.Change
		count, changed, refused int
	}{
		"without a change": {nil, 4, 0, 1},
		"a change":         {ls.Assign(map[string]string{"maxRejectPercent": "5"}), 4, 4, 1},
		"a wrong value":    {ls.Assign(map[string]string{"profile": "imei"}), 0, 0, 5},
	} {
		plan, err := ls.PlanFix(t.Context(), letters.Filter{}, c.change, letters.ReplayOptions{})
		if err != nil || plan.Count != c.count || plan.Changed != c.changed || plan.Refused != c.refused || len(plan.Sample) != min(c.count, 3) || plan.Filter.Through != 5 {
			t.Errorf("%s: the plan is %s, %v", name, queuetest.JSON(t, plan), err)
		}
		for i, e := range plan.Sample {
			if e.Seq != uint64(i+1) || (c.changed > 0) != strings.Contains(string(e.After), "maxRejectPercent") || strings.Contains(string(e.Before), "maxRejectPercent") {
				t.Errorf("%s: example %d is %s", name, i, queuetest.JSON(t, e))
			}
		}
	}
	if found := queuetest.Letters(t, q); len(found) != 5 || found[0].Edited != nil {
		t.Errorf("letters: %s", queuetest.JSON(t, found))
	}
}

// A fix leaves the letters as they are that the replay leaves out, such as those of jobs whose deadline has
// passed.
func TestFixLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Fail(t, q, 1)
	b.Publish(t, usher.SegmentAdd, `{"id":"passed","segment":"2","profile":"idfa","source":{"url":"file:///data/x.csv"},"deadline":"2026-01-01T00:00:00Z"}`)
	if err := queuetest.NewSlot(t, q, lanes.Audience).Take(t).End(queuetest.Failed(usher.Deadline)); err != nil {
		t.Fatal(err)
	}
	ls := letters.New(q)
	change := ls.Assign(map[string]string{"maxRejectPercent": "5"})
	plan, err := ls.PlanFix(t.Context(), letters.Filter{}, change, letters.ReplayOptions{})
	if err != nil || plan.Count != 1 || plan.LeftOut.Count != 1 {
		t.Fatalf("the plan is %s, %v", queuetest.JSON(t, plan), err)
	}
	var seen []letters.Edited
	if err := ls.Fix(t.Context(), plan.Filter, change, letters.ReplayOptions{Act: operator}, func(e letters.Edited) { seen = append(seen, e) }); err != nil {
		t.Fatal(err)
	}
	if len(seen) != 1 || *seen[0].ID != "job-0" {
		t.Errorf("changed: %s", queuetest.JSON(t, seen))
	}
	for _, l := range queuetest.Letters(t, q) {
		if isChanged := strings.Contains(string(l.Job), "maxRejectPercent"); isChanged != (*l.ID == "job-0") {
			t.Errorf("letter %s", queuetest.JSON(t, l))
		}
	}
}
