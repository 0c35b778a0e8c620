package ledger_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"usher/hashing"
	"usher/internal/ledger"
)

func TestSort(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 400 {
		list := make([]hashing.Digest, n*n/20)
		for i := range list {
			list[i] = digest(random)
			if n%3 == 0 { // all with the same two bytes
				list[i][0], list[i][1] = 7, 9
			}
		}
		want := slices.Clone(list)
		slices.SortFunc(want, func(a, b hashing.Digest) int { return slices.Compare(a[:], b[:]) })
		if ledger.SortDigests(list); !slices.Equal(list, want) {
			t.Fatalf("%d digests are not sorted", len(list))
		}
	}
}

func records(random *rand.Rand, n int, days bool) []ledger.Record {
	var all []ledger.Record
	for _, d := range digests(random, n) {
		r := ledger.Record{Digest: d}
		if days {
			r.Day = ledger.Day(random.IntN(1 << 16))
		}
		all = append(all, r)
	}
	return all
}

// A file is read as it was written, as a whole and in ranges of first bytes.
func TestFile(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	random := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 2, 100, 5000, 9000} {
		for _, days := range []bool{false, true} {
			want := records(random, n, days)
			f, err := s.WriteFile(t.Context(), "file", want, days)
			if err != nil {
				t.Fatal(err)
			}
			var print hashing.Fingerprint
			for _, r := range want {
				print.Add(r.Digest)
			}
			if f.Fingerprint != print {
				t.Errorf("fingerprint %+v, not %+v", f.Fingerprint, print)
			}
			for range 10 {
				from := random.IntN(256)
				to := from + random.IntN(257-from)
				part := slices.DeleteFunc(slices.Clone(want), func(r ledger.Record) bool { return int(r.Digest[0]) < from || int(r.Digest[0]) >= to })
				if to == from {
					continue
				}
				got, err := s.ReadFile(t.Context(), f, from, to, 1+random.IntN(4000))
				if err != nil || !slices.Equal(got, part) {
					t.Fatalf("%d records of %d, not %d: %v", len(got), n, len(part), err)
				}
			}
		}
	}
}

// A file of which any byte is changed, or that ends early, is never read without an error.
func TestEachByteDamaged(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	f, err := s.WriteFile(t.Context(), "file", records(rand.New(rand.NewPCG(5, 6)), 40, true), true)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := s.Get(t.Context(), "file")
	if err != nil {
		t.Fatal(err)
	}
	read := func(f ledger.File, what string, at int) {
		t.Helper()
		_, err := s.ReadFile(t.Context(), f, 0, 256, 100)
		var damaged *ledger.DamagedError
		if !errors.As(err, &damaged) || damaged.Name != "file" {
			t.Fatalf("%s %d: %v", what, at, err)
		}
	}
	for at := range whole {
		broken := slices.Clone(whole)
		broken[at] ^= 1 << (at % 8)
		if err := s.Put(t.Context(), "file", broken); err != nil {
			t.Fatal(err)
		}
		read(ledger.File{Name: "file"}, "byte", at) // also if nobody knows its size and checksum
		read(f, "byte", at)
		if at%16 == 0 {
			if err := s.Put(t.Context(), "file", whole[:at]); err != nil {
				t.Fatal(err)
			}
			read(ledger.File{Name: "file"}, "length", at)
			read(f, "length", at)
		}
	}
	if err := s.Remove(t.Context(), "file"); err != nil {
		t.Fatal(err)
	}
	read(f, "missing", 0)
}

// Another file in the place of a file of a generation is damage, too.
func TestOtherFile(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	random := rand.New(rand.NewPCG(7, 8))
	f, err := s.WriteFile(t.Context(), "file", records(random, 40, false), false)
	if err == nil {
		_, err = s.WriteFile(t.Context(), "file", records(random, 40, false), false)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.ReadFile(t.Context(), f, 0, 256, 100); !errors.As(err, new(*ledger.DamagedError)) {
		t.Errorf("it is read with error %v", err)
	}
}

// Whatever lies in a file, reading it does not panic, and what is read without an error is
// in order.
func FuzzReadFile(f *testing.F) {
	s := openStore(f)
	for _, days := range []bool{false, true} {
		file, err := s.WriteFile(f.Context(), "seed", records(rand.New(rand.NewPCG(9, 9)), 20, days), days)
		if err != nil {
			f.Fatal(err)
		}
		data, err := s.Get(f.Context(), file.Name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, uint8(0), uint8(255))
	}
	f.Fuzz(func(t *testing.T, data []byte, from, to uint8) {
		s := openStore(t)
		if err := s.Put(t.Context(), "file", data); err != nil {
			t.Fatal(err)
		}
		if from > to {
			return
		}
		got, err := s.ReadFile(t.Context(), ledger.File{Name: "file"}, int(from), int(to)+1, 64)
		if err != nil {
			return
		}
		for i := range got {
			if i > 0 && slices.Compare(got[i-1].Digest[:], got[i].Digest[:]) >= 0 || got[i].Digest[0] < from || got[i].Digest[0] > to {
				t.Fatalf("record %d is %v", i, got[i])
			}
		}
	})
}
