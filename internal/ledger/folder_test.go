package ledger_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"usher/hashing"
	"usher/internal/ledger"
)

// A directory that cannot be read is not an empty one: otherwise a batch of which nobody knows whether the
// platform took it would be forgotten.
func TestUnreadableFolder(t *testing.T) {
	t.Parallel()
	for name, block := range map[string]func(path string) error{
		"no permission": func(path string) error { return os.Chmod(path, 0) },
		"a file": func(path string) error {
			return errors.Join(os.Rename(path, path+".away"), os.WriteFile(path, nil, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "no permission" && os.Geteuid() == 0 {
				t.Skip("root may read everything")
			}
			dir := t.TempDir()
			s, err := ledger.Open(t.Context(), ledger.Options{URL: dir, Heads: newHeads()})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			target := ledger.Target{Advertiser: "A", Name: "segment/1"}
			all := digests(rand.New(rand.NewPCG(71, 72)), 30)
			adopt(t, s, target, pick(rand.New(rand.NewPCG(73, 74)), all[:20], 60), ledger.Comparison{}, idfa)
			head, _, err := s.Begin(t.Context(), target, "add", 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			delta, err := s.NewDelta(t.Context(), &head, false, "add", 1, 0, ledger.Written{})
			if err == nil {
				err = delta.Intend(t.Context(), 1, [][]hashing.Digest{all[20:]})
			}
			if err != nil {
				t.Fatal(err)
			}
			defer delta.Release()
			deltas := filepath.Join(dir, "A/segment/1/d")
			if err := block(deltas); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = os.Chmod(deltas, 0o700) }() // so that the folder can be removed
			if state, err := s.Load(t.Context(), head); err == nil {
				_, known, err := state.Members(t.Context())
				t.Errorf("the ledger is read with %d digests: %v", len(known), err)
			} else {
				wantUnknown(t, "load", err)
			}
			if name == "no permission" {
				if err := s.Collect(t.Context(), &head); err == nil {
					t.Error("the folder of the target is listed without an error")
				}
			}
		})
	}
}

// The files of a folder are listed by any prefix of their names and in their order, also through a link.
func TestListFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Symlink(dir, dir+".link"); err != nil {
		t.Fatal(err)
	}
	s, err := ledger.Open(t.Context(), ledger.Options{URL: dir + ".link", Heads: newHeads()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	for _, name := range []string{"a.b", "a/b/c-1", "a/b/c-2", "a/b/c/d", "a/b/d", "a/bc/d", "x/y/z"} {
		if err := s.Put(t.Context(), name, []byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "a/b/c-1.attrs"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for prefix, want := range map[string][]string{
		"":        {"a.b", "a/b/c-1", "a/b/c-2", "a/b/c/d", "a/b/d", "a/bc/d", "x/y/z"},
		"a/":      {"a/b/c-1", "a/b/c-2", "a/b/c/d", "a/b/d", "a/bc/d"},
		"a/b/c":   {"a/b/c-1", "a/b/c-2", "a/b/c/d"},
		"a/b/c-":  {"a/b/c-1", "a/b/c-2"},
		"a/b":     {"a/b/c-1", "a/b/c-2", "a/b/c/d", "a/b/d", "a/bc/d"},
		"none/b/": nil,
	} {
		got, err := s.NamesBelow(t.Context(), prefix)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("below %q: %v, not %v: %v", prefix, got, want, err)
		}
	}
}
