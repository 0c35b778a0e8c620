package inspect

import (
	"strings"
	"testing"
	"time"
)

func TestRowProgress(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	began := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	p := rowProgress{errs: &out, began: began}
	for _, after := range []time.Duration{time.Second, 2 * time.Second, 3 * time.Second, 4 * time.Second} {
		p.update(1000, 10_000, began.Add(after))
	}
	p.end()
	want := "1,000 rows read, 500 rows/s, about 18s left\n1,000 rows read, 250 rows/s, about 36s left\n"
	if out.String() != want {
		t.Errorf("printed\n%swant\n%s", out.String(), want)
	}
}
