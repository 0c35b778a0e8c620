package command

import "testing"

func TestNearest(t *testing.T) {
	t.Parallel()
	choices := []string{"segment.add", "segment.remove", "target.add", "target.clear"}
	for _, c := range []struct {
		word  string
		edits int
		want  string
	}{
		{"segment.ad", 1, "segment.add"},
		{"SEGMENT.ADD", 1, "segment.add"},
		{"segmnt.remove", 1, "segment.remove"},
		{"sgmnt.remove", 1, ""},
		{"sgmnt.remove", 2, "segment.remove"},
		{"target", 1, "target.add"}, // a prefix, and the first of two
		{"target", 0, ""},
		{"tarqet.cleer", 3, "target.clear"},
		{"campaign", 3, ""},
	} {
		if got := Nearest(c.word, choices, c.edits); got != c.want {
			t.Errorf("nearest to %q within %d edits is %q, want %q", c.word, c.edits, got, c.want)
		}
	}
}
