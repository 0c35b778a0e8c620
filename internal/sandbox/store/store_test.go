package store_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"usher/hashing"
	"usher/internal/sandbox/store"
)

// number returns digest n.
func number(n int) hashing.Digest { return hashing.Digest{14: byte(n >> 8), 15: byte(n)} }

// open opens the log at path, as after a kill if another store has it open.
func open(t testing.TB, path string) (*store.Store, *store.Table[string]) {
	t.Helper()
	s := store.New(false, slog.New(slog.DiscardHandler))
	rows := store.NewTable[string](s, "rows")
	if err := s.Open(path, func(int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, rows
}

// TestReopenedStore commits random changes. The store has the state of a model, and so has
// another one that reads the log.
func TestReopenedStore(t *testing.T) {
	t.Parallel()
	directory, runs := t.TempDir(), 0
	rapid.Check(t, func(r *rapid.T) {
		runs++
		path := filepath.Join(directory, fmt.Sprint(runs))
		s, rows := open(t, path)
		members, values := map[hashing.Digest]bool{}, map[string]string{}
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 300), 0, 100).Draw(r, "numbers") {
			d, key := number(n), fmt.Sprint(n%7)
			var change store.Change
			switch rapid.SampledFrom([]string{"add", "add", "remove", "put", "drop", "clear"}).Draw(r, "do") {
			case "add":
				change, members[d] = store.AddMembers("set", d[:]), true
			case "remove":
				change = store.RemoveMembers("set", d[:])
				delete(members, d)
			case "put":
				change, values[key] = rows.Put(key, fmt.Sprint(n)), fmt.Sprint(n)
			case "drop":
				change = rows.Drop(key)
				delete(values, key)
			case "clear":
				if n > 3 {
					continue
				}
				change = store.ClearSet("set")
				clear(members)
			}
			if err := s.Commit(change); err != nil {
				r.Fatal(err)
			}
		}
		compare(r, s, rows, members, values)
		again, rowsAgain := open(t, path)
		compare(r, again, rowsAgain, members, values)
	})
}

func compare(t *rapid.T, s *store.Store, rows *store.Table[string], members map[hashing.Digest]bool, values map[string]string) {
	var want hashing.Fingerprint
	for d := range members {
		want.Add(d)
	}
	if got := s.Fingerprint("set"); got != want {
		t.Errorf("the fingerprint is %+v, want %+v", got, want)
	}
	for n := range 301 {
		if d := number(n); s.Contains("set", d) != members[d] {
			t.Errorf("Contains of %d is %v", n, !members[d])
		}
	}
	if rows.Len() != len(values) {
		t.Errorf("there are %d rows, want %d", rows.Len(), len(values))
	}
	for key, want := range values {
		if got := rows.Row(key); got != want {
			t.Errorf("row %s is %q, want %q", key, got, want)
		}
	}
}

// TestLogIsCompacted makes many changes of a small state.
func TestLogIsCompacted(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.log")
	s, rows := open(t, path)
	commit := func(c store.Change) {
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
	commit(store.AddMembers("segment/1", kept))
	commit(rows.Put("a", "b"))
	for range 12 { // 1 MiB each, which a snapshot does not contain
		commit(store.RemoveMembers("segment/2", make([]byte, 1<<20)))
	}
	if info, err := os.Stat(path); err != nil || info.Size() > 8<<20 {
		t.Errorf("the log has %d bytes: %v", info.Size(), err)
	}
	again, rowsAgain := open(t, path)
	if got, want := again.Fingerprint("segment/1"), s.Fingerprint("segment/1"); got != want || got.Count != 5000 {
		t.Errorf("the members are %+v, want %+v", got, want)
	}
	if rowsAgain.Row("a") != "b" {
		t.Errorf("the row is %q", rowsAgain.Row("a"))
	}
}
