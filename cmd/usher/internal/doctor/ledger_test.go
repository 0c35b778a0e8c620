package doctor

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The place of the ledger is tried, and nothing is left in it.
func TestLedger(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "ledger")
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for place, want := range map[string]string{folder: "can be written, read and removed", file: "not a directory", "": "segment.mirror, target.mirror and device.forget need"} {
		e := &examination{config: load(t, map[string]string{"USHER_LEDGER_URL": place}), limits: short, user: 1000}
		found := e.examineLedger(t.Context())
		if local := place == folder; (len(found) == 2) != local || found[0].OK != (place != file) || !strings.Contains(found[0].Says, want) {
			t.Errorf("%q: %+v", place, found)
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) > 0 {
		t.Errorf("doctor has left %v: %v", entries, err)
	}
}

// As root, doctor does not create the folder of a ledger: the worker could not write there.
func TestLedgerAsRoot(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "ledger")
	e := &examination{config: load(t, map[string]string{"USHER_LEDGER_URL": folder}), limits: short}
	found := e.examineLedger(t.Context())
	if len(found) != 1 || !found[0].OK || !strings.HasPrefix(found[0].Says, notChecked+": it does not exist") {
		t.Errorf("%+v", found)
	}
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is there: %v", err)
	}
}
