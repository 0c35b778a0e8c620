package store

import (
	"log/slog"
	"path/filepath"
	"testing"
)

// TestLogIsCompacted makes many changes of a small state.
func TestLogIsCompacted(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.log")
	open := func() (*Store, *Table[string]) {
		s := New(false, slog.New(slog.DiscardHandler))
		locks := NewTable[string](s, "locks")
		if err := s.Open(path, func(int64, int64) {}); err != nil {
			t.Fatal(err)
		}
		return s, locks
	}
	s, locks := open()
	commit := func(c Change) {
		t.Helper()
		if err := s.Commit(c); err != nil {
			t.Fatal(err)
		}
	}
	var kept []byte
	for n := range 5000 {
		d := number(n)
		kept = append(kept, d[:]...)
	}
	commit(AddMembers("segment/1", kept))
	commit(locks.Put("a", "b"))
	for range 12 { // 1 MiB each, which a snapshot does not contain
		commit(RemoveMembers("segment/2", make([]byte, 1<<20)))
	}
	if s.log.size > 5<<20 {
		t.Errorf("the log has %d bytes", s.log.size)
	}
	reopened, locksAgain := open() // as after a kill, because s was not closed
	if got, want := reopened.Fingerprint("segment/1"), s.Fingerprint("segment/1"); got != want || got.Count != 5000 {
		t.Errorf("the members are %+v, want %+v", got, want)
	}
	if locksAgain.Row("a") != "b" {
		t.Errorf("the lock is %q", locksAgain.Row("a"))
	}
	for _, s := range []*Store{s, reopened} {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A record has room for the digests of one change, so a commit may have only one such
// change.
func TestCommitChangesOneSet(t *testing.T) {
	t.Parallel()
	s := New(false, slog.New(slog.DiscardHandler))
	d := number(1)
	if err := s.Commit(AddMembers("segment/1", d[:]), RemoveMembers("segment/2", d[:])); err == nil {
		t.Error("a commit with digests for two sets is accepted")
	}
	if got := s.Fingerprint("segment/1"); got.Count != 0 {
		t.Errorf("the commit that failed changed a set: %+v", got)
	}
}
