package exports

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"usher"
)

// TestCutFiles checks that each file of a folder is in one part, in order, that small
// files share parts, and that there are at most as many parts as an export may have.
func TestCutFiles(t *testing.T) {
	t.Parallel()
	const partBytes = 64 << 10
	for _, c := range []struct {
		files, bytes int
		cuttable     bool
		most, want   int
	}{
		{200, 1000, true, 1000, 4}, {200, 1000, false, 1000, 13}, {200, partBytes, false, 1000, 200}, {3, 0, true, 1000, 1},
		{1000, 1, false, 1000, 4}, {1001, 1, true, 1000, 4}, {1001, partBytes, true, 1000, 501}, {5000, 10, true, 1000, 20}, {600_000, 1, false, 1000, 1000},
		{1, 1 << 20, true, 1000, 16}, {3, 1 << 20, true, 10, 9}, {10, 1 << 20, true, 10, 10}, {2, 1 << 30, true, 1000, 998},
	} {
		files := make([]usher.File, c.files)
		for i := range files {
			files[i] = usher.File{Name: fmt.Sprintf("%06d", i), Size: int64(c.bytes)}
		}
		parts := cutFiles(files, nil, c.cuttable, partBytes, c.most)
		if len(parts) > c.most || len(parts) < c.want-4 || len(parts) > c.want {
			t.Errorf("%+v: %d parts", c, len(parts))
		}
		var seen []string
		for _, p := range parts {
			for _, f := range p.Files {
				if p.From == 0 {
					seen = append(seen, f.Name)
				}
			}
		}
		if len(seen) != c.files || !slices.IsSorted(seen) {
			t.Errorf("%+v: %d files, %v", c, len(seen), slices.IsSorted(seen))
		}
	}
}

// TestCutMixedFiles cuts only the large one of three files, and leaves one alone that must
// not be cut.
func TestCutMixedFiles(t *testing.T) {
	t.Parallel()
	files := []usher.File{{Name: "a", Size: 10}, {Name: "b", Size: 10}, {Name: "large", Size: 200 << 10}, {Name: "whole", Size: 200 << 10}, {Name: "z", Size: 10}}
	parts := cutFiles(files, map[string]bool{"whole": true}, true, 64<<10, 1000)
	var got []string
	for _, p := range parts {
		var names []string
		for _, f := range p.Files {
			names = append(names, f.Name)
		}
		got = append(got, fmt.Sprintf("%s %d-%d", strings.Join(names, "+"), p.From>>10, p.To>>10))
	}
	want := []string{"a+b 0--1", "large 0-64", "large 64-128", "large 128-192", "large 192--1", "whole 0--1", "z 0--1"}
	if !slices.Equal(got, want) {
		t.Errorf("parts %q\nwant  %q", got, want)
	}
}
