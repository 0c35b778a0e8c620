package store

import (
	"crypto/md5"
	"encoding/binary"
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"usher/hashing"
)

// number returns digest n. Every second digest is a small number, as in tests of clients.
func number(n int) hashing.Digest {
	var text [8]byte
	binary.BigEndian.PutUint64(text[:], uint64(n))
	if n%2 == 0 {
		var d hashing.Digest
		copy(d[8:], text[:])
		return d
	}
	return md5.Sum(text[:])
}

func TestMembersAreASet(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		members, reference := &set{}, map[hashing.Digest]bool{}
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 300), 0, 800).Draw(t, "digests") {
			d := number(n)
			if rapid.Float64Range(0, 1).Draw(t, "do") < 0.65 {
				if added := members.add(d); added == reference[d] {
					t.Fatalf("add returned %v", added)
				}
				reference[d] = true
			} else {
				if removed := members.remove(d); removed != reference[d] {
					t.Fatalf("remove returned %v", removed)
				}
				delete(reference, d)
			}
		}
		compare(t, members, reference)
	})
}

func compare(t *rapid.T, members *set, reference map[hashing.Digest]bool) {
	sum, xor := new(big.Int), hashing.Digest{}
	for d := range reference {
		sum.Add(sum, new(big.Int).SetBytes(d[:]))
		for i := range xor {
			xor[i] ^= d[i]
		}
	}
	sum.Mod(sum, new(big.Int).Lsh(big.NewInt(1), 128))
	want := fmt.Sprintf(`{"count":%d,"sum":"%032x","xor":"%s"}`, len(reference), sum, xor)
	if got := string(encode(members.fingerprint)); got != want {
		t.Fatalf("the fingerprint is %s, want %s", got, want)
	}
	for n := range 301 {
		if d := number(n); members.contains(d) != reference[d] {
			t.Fatalf("contains returned %v", !reference[d])
		}
	}
	seen := 0
	_ = members.each(func(digests []byte) error { seen += len(digests) / 16; return nil })
	if seen != len(reference) {
		t.Fatalf("each yields %d of %d", seen, len(reference))
	}
}

// TestMembersAreCompact counts slots, which take nearly all of the memory.
func TestMembersAreCompact(t *testing.T) {
	t.Parallel()
	const count = 150_000
	members := &set{}
	for n := range count {
		members.add(number(n))
		if n > count/10 && n%10_007 == 0 {
			slots := 0
			for i := range members.shards {
				slots += len(members.shards[i].slots)
			}
			if each := float64(slots*16) / float64(members.fingerprint.Count); each > 24 {
				t.Fatalf("%.1f bytes a digest at %d", each, members.fingerprint.Count)
			}
		}
	}
}
