package parquet

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestPagesRecycle takes and gives back buffers in any order: no buffer is used twice at
// once; and if all have the same size, no more are made than are used at once.
func TestPagesRecycle(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var p pool
		var used []*[]byte
		least, most := rapid.IntRange(1, 100).Draw(t, "least"), 0
		size := rapid.IntRange(least, least+rapid.IntRange(0, 100).Draw(t, "more"))
		alike := true
		made := map[*byte]bool{}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if len(used) > 0 && rapid.Bool().Draw(t, "give") {
				i := rapid.IntRange(0, len(used)-1).Draw(t, "which")
				if p.give(used[i]); *used[i] != nil {
					t.Fatal("a buffer that was given back is still in use")
				}
				used = slices.Delete(used, i, i+1)
				continue
			}
			b, n := new([]byte), size.Draw(t, "n")
			p.resize(b, n)
			alike = alike && n == least
			for _, other := range used {
				if &(*other)[0] == &(*b)[0] {
					t.Fatal("a buffer is used twice")
				}
			}
			if len(*b) != n {
				t.Fatalf("%d bytes, want %d", len(*b), n)
			}
			used = append(used, b)
			made[&(*b)[0]] = true
			most = max(most, len(used))
		}
		if alike && len(made) > most {
			t.Fatalf("%d buffers were made, and %d were used at once", len(made), most)
		}
	})
}

// TestLargePagesAreNotKept checks that a buffer larger than maxKept is not reused.
func TestLargePagesAreNotKept(t *testing.T) {
	t.Parallel()
	var p pool
	var b []byte
	p.resize(&b, 9<<20)
	first := &b[0]
	p.give(&b)
	if p.resize(&b, 9<<20); &b[0] == first {
		t.Error("the buffer was kept")
	}
}
