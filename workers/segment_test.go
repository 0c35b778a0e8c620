package workers_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/queues/letters"
)

// A queue of removals on one segment is carried out together: the segment is read a few
// times only, each id is removed once, and each job has its own record and its own failure.
// The ledger has what the platform has.
func TestRemovalsTogether(t *testing.T) {
	t.Parallel()
	q, b := newMirrorQueue(t)
	const members, jobs, wrong = 60, 20, 7
	q.Publish(usher.SegmentMirror, mirrorBody("mirror", b.ids(0, members), ""))
	var removed []string
	for i := range jobs {
		name, profile, id := fmt.Sprintf("remove-%d", i), "idfa", fmt.Sprintf("00000001-0000-4000-8000-%012X", 2*i)
		if i == wrong {
			profile = "aaid" // the segment takes none
		} else {
			removed = append(removed, name)
		}
		q.Publish(usher.SegmentRemove, fmt.Sprintf(`{"id":%q,"segment":"1","profile":%q,"source":{"ids":[%q,%q]}}`, name, profile, id, id))
	}
	q.Start()
	q.Until(fmt.Sprintf("remove-%d", wrong), usher.Failed)
	r, err := q.Jobs.Status().Record(t.Context(), fmt.Sprintf("remove-%d", wrong))
	if err != nil || len(letters.Remedies(r.Error.Class, r.Error.Hint)) > 0 { // no edit makes other digests of the ids
		t.Errorf("the error of the wrong job is %+v, %v", r.Error, err)
	}
	q.Done(removed...)
	attempts := 0 // a slow machine makes some attempts fail
	for _, name := range removed {
		r, err := q.Jobs.Status().Record(t.Context(), name)
		attempts += r.Attempts
		if tally := r.Tally; err != nil || r.Crashes != 0 || tally.Read != 2 || tally.Accepted != 1 || tally.Duplicate != 1 {
			t.Errorf("record of %s: %+v, %v", name, r, err)
		}
	}
	if calls := len(b.Calls("segments.remove-user")); calls < len(removed) || calls > attempts {
		t.Errorf("%d calls of segments.remove-user for %d jobs with %d attempts", calls, len(removed), attempts)
	}
	if read := b.Calls("segments.get"); len(read) > jobs/2 { // each job read it before
		t.Errorf("the segment was read %d times", len(read))
	}
	b.wantEqual(t, "segment/1", int64(members-len(removed)))
}

// A job that contains its ids warns of each reason that takes at least 1 % of them, as files do:
// also if they were dropped before the job was stored.
func TestProportionsOfInlineIDs(t *testing.T) {
	t.Parallel()
	q, _ := newMirrorQueue(t)
	q.Start()
	ids := make([]string, 200)
	for i := range ids {
		ids[i] = fmt.Sprintf("00000001-0000-4000-8000-%012X", i)
	}
	ids[10], ids[20] = "null", "null"
	ids[30], ids[40], ids[50] = "C-30", "C-40", "C-50"
	list, err := json.Marshal(ids)
	if err != nil {
		t.Fatal(err)
	}
	want := []usher.Warning{
		{Code: usher.WarnProportion, Count: 3, Description: "invalid.shape: 3 of 200 rows (1.5 %)"},
		{Code: usher.WarnProportion, Count: 2, Description: "junk.placeholder: 2 of 200 rows (1.0 %)"},
	}
	for _, kind := range []usher.Kind{usher.SegmentAdd, usher.SegmentMirror, usher.SegmentRemove} {
		name := strings.ReplaceAll(string(kind), ".", "-")
		q.Publish(kind, fmt.Sprintf(`{"id":%q,"segment":"1","profile":"idfa","source":{"ids":%s}}`, name, list))
		q.Done(name)
		r, err := q.Jobs.Status().Record(t.Context(), name)
		found := slices.DeleteFunc(r.Warnings, func(w usher.Warning) bool { return w.Code != usher.WarnProportion })
		if err != nil || !slices.Equal(found, want) {
			t.Errorf("%s: %+v, %v", kind, r.Warnings, err)
		}
	}
}
