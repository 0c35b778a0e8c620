package jobs

import (
	"strings"
	"testing"

	"usher"
)

func TestShares(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{Percent(1, 3): "33.3 %", Percent(0, 0): ""} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWriteTally(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	tally := usher.Tally{Read: 1010, Accepted: 1000, Duplicate: 4, Junk: usher.Counts{usher.ZeroID: 3, usher.Empty: 1}, Invalid: usher.Counts{usher.Shape: 2}}
	if err := WriteTally(&out, tally, "accepted"); err != nil {
		t.Fatal(err)
	}
	want := `                ROWS
accepted       1,000   99.0 %
duplicate          4    0.4 %
suppressed         0    0.0 %
junk empty         1    0.1 %
junk zero_id       3    0.3 %
invalid shape      2    0.2 %
= read         1,010  100.0 %
`
	if out.String() != want {
		t.Errorf("printed\n%swant\n%s", out.String(), want)
	}
	tally.Read++
	if err := WriteTally(&out, tally, "accepted"); err == nil {
		t.Error("a tally that does not add up is printed as if it did")
	}
}
