package parquet

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestPagesRecycle: of those who take memory and give it back, in any order, no two
// ever have the same; and where all want as much, no more is made than was ever
// used at once.
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
					t.Fatal("memory that was given back is still in use")
				}
				used = slices.Delete(used, i, i+1)
				continue
			}
			b, n := new([]byte), size.Draw(t, "n")
			p.resize(b, n)
			alike = alike && n == least
			for _, other := range used {
				if &(*other)[0] == &(*b)[0] {
					t.Fatal("two have the same memory")
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
			t.Fatalf("memory was made %d times, and used by %d at once", len(made), most)
		}
	})
}

// TestLargePagesAreNotKept: the memory of a page larger than most is not held for
// the next.
func TestLargePagesAreNotKept(t *testing.T) {
	t.Parallel()
	var p pool
	var b []byte
	p.resize(&b, 9<<20)
	first := &b[0]
	p.give(&b)
	if p.resize(&b, 9<<20); &b[0] == first {
		t.Error("its memory was kept")
	}
}
