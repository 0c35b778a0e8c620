package ledger_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"usher/hashing"
	"usher/internal/ledger"
)

// A damaged list is made again of what can be read: the digests of jobs all come back, because
// their receipts have them, and of those that were added by hand the ones that no damage hit.
func TestRebuild(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 10))
	forgotten, byHand := digests(r, 301), digests(r, 3000)
	for name, damage := range map[string]func(s *ledger.Store, h *heads, file string) error{
		"a changed byte": func(s *ledger.Store, _ *heads, file string) error {
			data, err := s.Get(t.Context(), file)
			if err != nil {
				return err
			}
			data[len(data)/4] ^= 8
			return s.Put(t.Context(), file, data)
		},
		"a lost file": func(s *ledger.Store, _ *heads, file string) error { return s.Remove(t.Context(), file) },
		"a lost head": func(_ *ledger.Store, h *heads, _ string) error {
			h.changes = 0
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHeads()
			s, err := ledger.Open(t.Context(), ledger.Options{URL: t.TempDir(), Heads: h})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			suppress(t, s, "job-1", slices.Clone(forgotten))
			if _, _, err := s.Suppression().Add(t.Context(), "cli", byHand); err != nil {
				t.Fatal(err)
			}
			stored, err := s.Names(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Put(t.Context(), stored[0]+".18eccd0dda76b867.tmp", []byte("half")); err != nil { // by a command that was killed
				t.Fatal(err)
			}
			if _, err := s.Suppression().Rebuild(t.Context(), "early"); !errors.Is(err, ledger.ErrWhole) {
				t.Errorf("rebuild of a whole list: %v", err)
			}
			head, err := s.Suppression().Head(t.Context())
			if err != nil || len(head.Files) != 1 {
				t.Fatal(head, err)
			}
			if err := damage(s, h, head.Files[0].Name); err != nil {
				t.Fatal(err)
			}
			rebuilt, err := s.Suppression().Rebuild(t.Context(), "cli-2")
			if err != nil || len(rebuilt.Lost) != 1 {
				t.Fatalf("%+v: %v", rebuilt, err)
			}
			got := listed(t, s)
			if int64(len(got)) != rebuilt.Digests {
				t.Errorf("%d digests are on the list, not %d", len(got), rebuilt.Digests)
			}
			has := map[hashing.Digest]bool{}
			for _, d := range got {
				has[d] = true
			}
			for _, d := range forgotten {
				if !has[d] {
					t.Fatal("a forgotten digest is not on the list")
				}
			}
			lost := 0
			for _, d := range byHand {
				if !has[d] {
					lost++
				}
			}
			if name == "a lost head" && lost > 0 || name == "a changed byte" && (lost == 0 || lost > 1000) {
				t.Errorf("%d digests are lost", lost)
			}
			names, err := s.Names(t.Context())
			if err != nil || slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, "rebuild-") }) {
				t.Errorf("files %v: %v", names, err)
			}
		})
	}
}
