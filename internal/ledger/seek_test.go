package ledger_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"usher"
	"usher/hashing"
	"usher/internal/ledger"
)

// random returns n random digests, sorted, of which some have a common beginning.
func random(r *rand.Rand, n int, crowded bool) []hashing.Digest {
	digests := make([]hashing.Digest, n)
	for i := range digests {
		for at := range digests[i] {
			digests[i][at] = byte(r.Uint32())
		}
		if crowded {
			copy(digests[i][:5], "\x17abcd")
		}
	}
	ledger.SortDigests(digests)
	return digests
}

// Seek finds the digests of a file, and no others, however they are distributed, and reads
// less than the whole file.
func TestSeek(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		n       int
		days    bool
		crowded bool
	}{{0, false, false}, {1, true, false}, {3000, false, false}, {60_000, true, false}, {60_000, false, true}} {
		members := random(r, c.n, c.crowded)
		records := make([]ledger.Record, len(members))
		for i, d := range members {
			records[i] = ledger.Record{Digest: d, Day: 7}
		}
		f, err := s.WriteFile(t.Context(), "file", records, c.days)
		if err != nil {
			t.Fatal(err)
		}
		asked := append(random(r, 20, c.crowded), random(r, 5, !c.crowded)...)
		want := map[hashing.Digest]bool{}
		for i := range min(40, c.n) {
			d := members[i*(c.n-1)/40]
			if i == 39 {
				d = members[c.n-1]
			}
			want[d] = true
		}
		for d := range want {
			asked = append(asked, d)
		}
		ledger.SortDigests(asked)
		found, read, err := s.Seek(t.Context(), f, asked)
		if err != nil || len(found) != len(want) {
			t.Errorf("%+v: found %d of %d: %v", c, len(found), len(want), err)
		}
		for _, i := range found {
			if !want[asked[i]] {
				t.Errorf("%+v: found %s", c, asked[i])
			}
		}
		if c.n == 60_000 && read > f.Size/10 {
			t.Errorf("%+v: read %d of %d bytes", c, read, f.Size)
		}
	}
}

// writeDigests writes a file named file, and returns its bytes, too.
func writeDigests(t *testing.T, s *ledger.Store, digests []hashing.Digest) (f ledger.File, data []byte) {
	t.Helper()
	records := make([]ledger.Record, len(digests))
	for i, d := range digests {
		records[i].Digest = d
	}
	f, err := s.WriteFile(t.Context(), "file", records, false)
	if err == nil {
		data, err = s.Get(t.Context(), "file")
	}
	if err != nil {
		t.Fatal(err)
	}
	return f, data
}

// A file that is not whole is never a file without the digests.
func TestSeekDamaged(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	members := random(rand.New(rand.NewPCG(3, 4)), 20_000, false)
	f, whole := writeDigests(t, s, members)
	swapped := append([]byte{}, whole...)
	copy(swapped[16*5000:], whole[16*15000:16*15016]) // records of another place
	for name, data := range map[string][]byte{"short": whole[:len(whole)-1], "trailer": append(append([]byte{}, whole[:len(whole)-3]...), 1, 2, 3), "place": swapped} {
		if err := s.Put(t.Context(), "file", data); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Seek(t.Context(), f, members[5000:5003]); !errors.As(err, new(*ledger.DamagedError)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := s.Remove(t.Context(), "file"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Seek(t.Context(), f, members[:1]); !errors.As(err, new(*ledger.DamagedError)) {
		t.Errorf("missing: %v", err)
	}
}

// TestSeekBesideDamage changes some bits, or all, of each byte of a file, and seeks the digest
// that was there, its neighbours and one that is not there: each answer is right, or the file is
// damaged. Files have crowded digests, too, among them ones that differ in one bit, for which
// the checksums decide.
func TestSeekBesideDamage(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	r := rand.New(rand.NewPCG(7, 8))
	members := append(random(r, 80, false), random(r, 40, true)...)
	twin := members[100]
	twin[15] ^= 1
	members = append(members, twin)
	ledger.SortDigests(members)
	f, whole := writeDigests(t, s, members)
	named := 0
	for at := range 16 * len(members) {
		old := whole[at]
		whole[at] ^= []byte{1, 0x80, 0x18, 0xff}[r.IntN(4)]
		if err := s.Put(t.Context(), "file", whole); err != nil {
			t.Fatal(err)
		}
		whole[at] = old
		for i := max(at/16-1, 0); i < min(at/16+2, len(members)); i++ {
			found, _, err := s.Seek(t.Context(), f, members[i:i+1])
			switch {
			case errors.As(err, new(*ledger.DamagedError)):
				named++
			case err != nil || len(found) != 1:
				t.Fatalf("byte %d is damaged: digest %d is not found: %v", at, i, err)
			}
		}
		other := random(r, 1, false)
		if found, _, err := s.Seek(t.Context(), f, other); err == nil && len(found) != 0 {
			t.Fatalf("byte %d is damaged: %s is found", at, other[0])
		}
	}
	if named < 16*len(members) {
		t.Errorf("the damage of %d bytes was named %d times", 16*len(members), named)
	}
	if err := s.Put(t.Context(), "file", whole); err != nil {
		t.Fatal(err)
	}
	twin[15] ^= 2
	if found, _, err := s.Seek(t.Context(), f, []hashing.Digest{twin}); err != nil || len(found) != 0 {
		t.Errorf("a digest that resembles others: %v, %v", found, err)
	}
}

// BenchmarkForget finds the 4,000 digests of 1,000 ids in the ledger of a segment of ten million,
// and reports the bytes that it reads in 20 such segments.
func BenchmarkForget(b *testing.B) {
	s := openStore(b)
	const n = 10_000_000
	r := rand.New(rand.NewPCG(5, 6))
	target := ledger.Target{Advertiser: "A", Name: "segment/1"}
	c := &ledger.Comparison{Job: "job", Run: 1, Head: ledger.Head{V: 1, Target: target}, Today: 20000, Duration: 30}
	runs := s.Staging(target, c.Job, c.Run).Runs(ledger.ReadStep, 0, 0)
	var asked []hashing.Digest
	for range n / 100_000 {
		digests := random(r, 100_000, false)
		asked = append(asked, digests[:20]...)
		if err := runs.Add(b.Context(), digests); err != nil {
			b.Fatal(err)
		}
	}
	count, err := runs.Flush(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	c.Runs = []int{count}
	runs.Release()
	head, err := s.Adopt(b.Context(), c, n, usher.Profile{Type: usher.IDFA})
	if err != nil {
		b.Fatal(err)
	}
	asked = append(asked, random(r, 4000-len(asked), false)...)
	ledger.SortDigests(asked)
	state, err := s.Load(b.Context(), head)
	if err != nil {
		b.Fatal(err)
	}
	var read int64
	for b.Loop() {
		if _, read, err = state.Find(b.Context(), asked); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(read)*20/1e6, "MB/20-segments")
}
