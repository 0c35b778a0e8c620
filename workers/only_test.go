package workers_test

import (
	"fmt"
	"strings"
	"testing"

	"usher"
)

// consents returns an export of ids 0..n-1, of which every fourth has no consent, beginning at one.
func consents(n, first int) string {
	var text strings.Builder
	text.WriteString("n,idfa,consent\n")
	for i := range n {
		word := "yes"
		if i%4 == first {
			word = "no"
		}
		fmt.Fprintf(&text, "%d,00000001-0000-4000-8000-%012X,%s\n", i, i, word)
	}
	return text.String()
}

// Rows that source.only leaves out are withheld: a mirror removes their ids. The parts of a job say
// together which values its rows have. If a value occurs nowhere, or if no row is left, nothing is
// changed, also with force.
func TestOnlyInQueue(t *testing.T) {
	t.Parallel()
	q, b := newMirrorQueue(t)
	b.Export(1, 10)
	q.Start()
	publish := func(id string, kind usher.Kind, data, only, more string) usher.Record {
		t.Helper()
		url := b.File(id+".csv", data)
		q.Publish(kind, fmt.Sprintf(`{"id":%q,"segment":"1","profile":"idfa","source":{"url":%q%s}%s}`, id, url, only, more))
		q.Until(id, usher.Done, usher.Failed)
		r, err := q.Jobs.Status().Record(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Tally.Check(); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		return r
	}
	const yes = `,"only":["consent=yes|ja"]`
	fail := func(r usher.Record, says string) {
		t.Helper()
		if r.Error == nil || r.Error.Class != usher.SourceBroken || !strings.Contains(r.Error.Message, says) {
			t.Errorf("%s: %+v", r.ID, r.Error)
		}
	}
	with := strings.Replace(consents(1000, 0), ",yes\n", ",JA\n", 1) // in its first part only
	if r := publish("first", usher.SegmentMirror, with, yes, ""); r.State != usher.Done || r.Tally.Withheld["consent"] != 250 || r.Tally.Accepted != 750 {
		t.Errorf("first: %s, %+v", r.State, r.Tally)
	}
	b.wantEqual(t, "segment/1", 750)
	with = strings.Replace(consents(1000, 1), ",yes\n", ",JA\n", 1)
	if r := publish("second", usher.SegmentMirror, with, yes, `,"maxRemovePercent":50`); r.State != usher.Done || r.Tally.Withheld["consent"] != 250 || r.Tally.Accepted != 250 || r.Tally.Unchanged != 500 {
		t.Errorf("second: %s, %+v, %+v", r.State, r.Tally, r.Error)
	}
	b.wantEqual(t, "segment/1", 750)
	fail(publish("no-such-value", usher.SegmentMirror, consents(1000, 2), yes, `,"force":true`), `no row has the value "ja"`)
	fail(publish("none-left", usher.SegmentMirror, strings.ReplaceAll(consents(1000, 2), ",yes\n", ",no\n"), `,"only":["consent=maybe|no","n=x"]`, `,"force":true`), `"maybe"`)
	fail(publish("all-withheld", usher.SegmentMirror, strings.ReplaceAll(consents(1000, 2), ",yes\n", ",no\n"), `,"only":["consent="]`, `,"force":true`), "leaves nothing to take")
	fail(publish("unnamed", usher.SegmentMirror, consents(1000, 2), "", `,"force":true`), "says no in")
	b.wantEqual(t, "segment/1", 750)
	if r := publish("add", usher.SegmentAdd, with, yes, ""); r.State != usher.Done || r.Tally.Withheld["consent"] != 250 || r.Tally.Accepted != 750 || r.Parts.Total < 2 {
		t.Errorf("add: %s, %+v in %d parts", r.State, r.Tally, r.Parts.Total)
	}
	fail(publish("add-no-such-value", usher.SegmentAdd, consents(1000, 0), yes, ""), `no row has the value "ja"`)
	if r := publish("remove", usher.SegmentRemove, consents(40, 0), "", ""); r.State != usher.Done || len(r.Warnings) != 1 || r.Warnings[0].Code != "says_no" || r.Warnings[0].Count != 10 {
		t.Errorf("remove: %s, %+v", r.State, r.Warnings)
	}
}
