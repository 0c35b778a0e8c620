package jobs

import (
	"strings"
	"testing"

	"usher"
)

func TestWriteReceipt(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	receipt := &usher.Receipt{Digests: 12, Made: 1, Targets: []usher.TargetReceipt{
		{Target: "segment/1", Removed: 1, Absent: 1003},
		{Target: "campaign/A-x", Absent: 10, Pending: 2, Until: "mirror-7"},
	}}
	if err := writeReceipt(&out, receipt); err != nil {
		t.Fatal(err)
	}
	want := `TARGET        REMOVED  ABSENT  PENDING  UNTIL
segment/1           1   1,003        0
campaign/A-x        0      10        2  mirror-7
12 digests, of all forms of the ids, 1 call
`
	if out.String() != want {
		t.Errorf("printed\n%swant\n%s", out.String(), want)
	}
}
