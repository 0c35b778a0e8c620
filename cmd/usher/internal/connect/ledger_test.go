package connect

import (
	"os"
	"path/filepath"
	"testing"
)

// A command of root may not write into another user's ledger.
func TestLedgerOwner(t *testing.T) {
	t.Parallel()
	const other = 12345
	folder := t.TempDir()
	if os.Geteuid() == 0 {
		if err := os.Chown(folder, other, -1); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		place   string
		user    int
		refused bool
	}{
		{folder, 0, true},
		{"file://" + folder, 0, true},
		{folder, other, false},
		{"/", 0, false},
		{filepath.Join(folder, "none"), 0, false},
		{"s3://bucket" + folder, 0, false},
	} {
		if err := CheckLedgerOwner(c.place, c.user); (err != nil) != c.refused {
			t.Errorf("%s for user %d: %v", c.place, c.user, err)
		}
	}
}
