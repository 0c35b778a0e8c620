package jobs

import (
	"testing"

	"usher"
)

// A failed job gets the commands that change what its error names, and the one that replays it.
func TestAdvice(t *testing.T) {
	t.Parallel()
	const replay = "when the cause is fixed: usher dead replay --id a"
	for _, test := range []struct {
		class      usher.Class
		hint, want string
	}{
		{usher.Unauthorized, "check platform.username", replay},
		{usher.Deadline, "publish it again", ""},
		{usher.InvalidJob, "give the job a different id", ""},
		{usher.InvalidJob, "use profile idfa, or a segment of type ANDROID_ID", "to change the job: usher dead edit --id a --set profile=idfa && usher dead replay --id a\n" + replay},
		{
			usher.SourceBroken, "set source.column to one of: 2 (gaid), 5 (idfa)",
			"to change the job: usher dead edit --id a --set source.column=2 && usher dead replay --id a\n" +
				"or:                usher dead edit --id a --set source.column=5 && usher dead replay --id a\n" + replay,
		},
	} {
		if got := Advice(usher.Record{ID: "a", State: usher.Failed, Error: &usher.JobError{Class: test.class, Hint: test.hint}}); got != test.want {
			t.Errorf("%s, %s:\n%s\nwant\n%s", test.class, test.hint, got, test.want)
		}
	}
}
