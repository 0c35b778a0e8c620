package exports

import (
	"fmt"
	"slices"
	"testing"

	"usher"
)

// TestCutFiles checks that a folder has at most as many parts as an export may have.
func TestCutFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		files, bytes int
		cuttable     bool
		most, want   int
	}{
		{200, 1000, false, 1000, 200}, {1000, 1, false, 1000, 1000}, {1001, 1, true, 1000, 501}, {5000, 10, true, 1000, 1000},
		{1, 1 << 20, true, 1000, 16}, {3, 1 << 20, true, 10, 9}, {10, 1 << 20, true, 10, 10}, {2, 1 << 30, true, 1000, 998},
	} {
		files := make([]usher.File, c.files)
		for i := range files {
			files[i] = usher.File{Name: fmt.Sprintf("%05d", i), Size: int64(c.bytes)}
		}
		parts := cutFiles(files, nil, c.cuttable, 64<<10, c.most)
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
