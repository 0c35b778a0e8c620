package console

import (
	"testing"
	"time"

	"usher/queues/backups"
)

// The overview says that the last backup is too old, or that there was never one.
func TestOldBackupIsShown(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 29, 1, 2, 3, 0, time.UTC)
	for name, c := range map[string]struct {
		age  backups.Age
		says string
	}{
		"new":            {backups.Age{Last: &backups.Last{}, Since: now.Add(-47 * time.Hour)}, ""},
		"old":            {backups.Age{Last: &backups.Last{}, Since: now.Add(-50 * time.Hour)}, "The last backup is 2d2h old"},
		"never, new":     {backups.Age{Since: now.Add(-time.Hour)}, ""},
		"never, not new": {backups.Age{Since: now.Add(-50 * time.Hour)}, "There was never a backup"},
	} {
		o := overview{At: now}
		o.addBackup(c.age)
		if (len(o.Problems) > 0) != (c.says != "") || c.says != "" && o.Problems[0].Message != c.says {
			t.Errorf("%s: the problems are %+v", name, o.Problems)
		}
	}
}
