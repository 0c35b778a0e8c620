package sandbox

import (
	"crypto/md5"
	"encoding/binary"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// number makes the n-th digest: every other one lies in order, as a test's do.
func number(n int) digest {
	var text [8]byte
	binary.BigEndian.PutUint64(text[:], uint64(n))
	if n%2 == 0 {
		var d digest
		copy(d[8:], text[:])
		return d
	}
	return md5.Sum(text[:])
}

func TestMembersAreASet(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		set, reference := &members{}, map[digest]bool{}
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 300), 0, 800).Draw(t, "digests") {
			d := number(n)
			if rapid.Float64Range(0, 1).Draw(t, "do") < 0.65 {
				if added := set.add(d); added == reference[d] {
					t.Fatalf("add says %v", added)
				}
				reference[d] = true
			} else {
				if removed := set.remove(d); removed != reference[d] {
					t.Fatalf("remove says %v", removed)
				}
				delete(reference, d)
			}
		}
		compare(t, set, reference)
	})
}

func compare(t *rapid.T, set *members, reference map[digest]bool) {
	sum, xor := new(big.Int), digest{}
	for d := range reference {
		sum.Add(sum, new(big.Int).SetBytes(d[:]))
		for i := range xor {
			xor[i] ^= d[i]
		}
	}
	sum.Mod(sum, new(big.Int).Lsh(big.NewInt(1), 128))
	if set.Count != int64(len(reference)) || new(big.Int).SetBytes(set.Sum[:]).Cmp(sum) != 0 || set.Xor != xor {
		t.Fatalf("the fingerprint is %+v", set.shown())
	}
	for n := range 301 {
		if d := number(n); set.contains(d) != reference[d] {
			t.Fatalf("contains says %v", !reference[d])
		}
	}
	seen := 0
	_ = set.each(func(digests []byte) error { seen += len(digests) / 16; return nil })
	if seen != len(reference) {
		t.Fatalf("each yields %d of %d", seen, len(reference))
	}
}

// TestMembersAreCompact counts slots, which is what the memory is.
func TestMembersAreCompact(t *testing.T) {
	t.Parallel()
	const count = 150_000
	set := &members{}
	for n := range count {
		set.add(number(n))
		if n > count/10 && n%10_007 == 0 {
			slots := 0
			for i := range set.shards {
				slots += len(set.shards[i].slots)
			}
			if each := float64(slots*16) / float64(set.Count); each > 24 {
				t.Fatalf("%.1f bytes a digest at %d", each, set.Count)
			}
		}
	}
}

func FuzzList(f *testing.F) {
	const a = "f2d1311ca5c1ecb214c19a26e9ddbad0"
	for _, text := range []string{a, a + "," + a, a + ",", a + ",,", "\r\n" + a + " ,\n" + a + "\n", a[1:], a + a, "", ","} {
		f.Add([]byte(text), uint8(7))
	}
	f.Add([]byte(strings.Repeat(a+",9f89c84a559f573636a47ff8daed0d33,", 600)), uint8(255)) // long enough for several at once
	f.Add([]byte(strings.Repeat(a+",", 9)+" "+strings.Repeat(a+",", 9)+"x"), uint8(255))
	f.Fuzz(func(t *testing.T, text []byte, step uint8) {
		u := &upload{}
		err := (&listParser{upload: u, field: "users"}).read(&dribble{text, int(step)})
		want, ok := referenceList(text)
		if (err == nil) != ok || ok && string(u.digests) != string(want) {
			t.Errorf("%q: got %x, %v; want %x, %v", text, u.digests, err, want, ok)
		}
		if !ok {
			return
		}
		var print Fingerprint
		for i := 0; i < len(want); i += 16 {
			print.add(digest(want[i:]))
		}
		if u.print != print {
			t.Errorf("%q: fingerprint %v, want %v", text, u.print, print)
		}
	})
}
