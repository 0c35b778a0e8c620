package jobs

import (
	"os"
	"strings"
	"testing"

	"usher"
)

// A failed job whose hint names a wrong field gets the command that changes this field. The hints
// are those of the generated reference.
func TestReplayLineNamesTheField(t *testing.T) {
	t.Parallel()
	reference, err := os.ReadFile("../../../../docs/reference/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	const column = "check the job's profile, input and source.column"
	for _, test := range []struct {
		class     usher.Class
		hint, set string // set is "" if only a replay helps
		free      bool   // the hint has words of an export
		never     bool   // not even a replay helps
	}{
		{class: usher.InvalidJob, hint: "use profile idfa, or a segment of type ANDROID_ID", set: "profile=…"},
		{class: usher.InvalidJob, hint: "use profile aaid or android_id, or a segment of type IDFA", set: "profile=…"},
		{class: usher.InvalidJob, hint: "give the job a different id", never: true},
		{class: usher.InvalidJob, hint: "give one of source.url and source.ids", never: true},
		{class: usher.NotFound, hint: "check the segment's id", set: "segment=…"},
		{class: usher.NotFound, hint: "check the campaign's code", set: "campaign=…"},
		{class: usher.TooManyRejects, hint: column, set: "source.column=…"},
		{class: usher.TooManyRejects, hint: "most rows are of another type than the profile's", set: "maxRejectPercent=100"},
		{class: usher.SourceBroken, hint: "set source.column to mobile_ref", set: "source.column=mobile_ref", free: true},
		{class: usher.SourceBroken, hint: `set source.column to "5", which is mobile_ref`, set: "source.column=5", free: true},
		{class: usher.SourceBroken, hint: "set source.column to one of: 1 (a)", set: "source.column=…", free: true},
		{class: usher.SourceBroken, hint: `set source.only to ["consent=yes|ja","deleted=no"] to leave these rows out, or source.disregard to …`, set: `'source.only=["consent=yes|ja","deleted=no"]'`, free: true},
		{class: usher.Unauthorized, hint: "check"},
		{class: usher.Deadline, hint: "source.column", never: true},
	} {
		if !test.free && !strings.Contains(string(reference), test.hint) {
			t.Errorf("the reference of errors has no hint %q", test.hint)
		}
		got := ReplayLine(usher.Record{ID: "a", State: usher.Failed, Error: &usher.JobError{Class: test.class, Hint: test.hint}})
		want := "when the cause is fixed: usher dead replay --id a"
		if test.set != "" {
			want = "to change a field: usher dead edit --id a --set " + test.set + "; " + want
		}
		if test.never {
			want = ""
		}
		if got != want {
			t.Errorf("%s, %s: %q, want %q", test.class, test.hint, got, want)
		}
	}
}
